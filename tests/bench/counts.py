"""What one request costs in user instructions, allocations and system calls, which do not depend on the machine's mood;
and what one chunk of a stream does.

Every figure is the difference of two runs of a fresh gateway, one with the warm-up alone and one with 2,000 requests
or chunks more, divided by 2,000.

    make bench-counts
    .venv/bin/python -m tests.bench.counts [--binary build/release/turnout] [--update]

The gateway runs with the operation log on disk, as it does by default. Figures are those of the threads that serve
requests; what the log's thread does beside them is a figure of its own, without a limit.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.load import PUBLIC_MODEL, UPSTREAM_MODEL, Clients, Upstream, answer, chunk, question, stream_head

ROOT = Path(__file__).resolve().parent.parent.parent
EXPECTED = Path(__file__).with_name("counts.json")
WARM_UP = 496  # a multiple of 8 connections
MEASURED = 2000
TOLERANCE = 0.05
# The log's thread gives entries back when it has time, which decides whether one more is allocated.
SLACK = {"allocations": 0.5, "chunk_allocations": 0.05}


JOURNAL = "journal::log::run"
"""What the operation log's own thread runs. It writes in batches beside the requests, and is counted apart."""
ALLOCATORS = ("malloc", "calloc", "realloc", "memalign", "posix_memalign", "aligned_alloc")


@dataclass(frozen=True)
class Measure:
    """How the gateway is started to be counted, and how the figures are read afterwards."""

    names: Sequence[str]
    wrapper: Callable[[Path], Sequence[str]]
    connections: int
    read: Callable[[Path], Sequence[int]]
    load: Callable[[Upstream, int, int, int], None]
    """Upstream, the gateway's port, connections and how many of what is counted."""
    reply: bytes
    what: str = "request"


def _callgrind(folder: Path) -> Sequence[str]:
    return [
        "valgrind",
        "--tool=callgrind",
        "--separate-threads=yes",
        f"--callgrind-out-file={folder}/out",
        f"--log-file={folder}/log",
    ]


def _instructions_and_allocations(folder: Path) -> Sequence[int]:
    instructions = allocations = journal = 0
    for file in folder.glob("out-*"):
        text = file.read_text()
        found = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        if found is None:
            raise SystemExit(f"bench-counts: callgrind wrote no total into {file.name}")
        if JOURNAL in text:
            journal += int(found.group(1))
        else:
            instructions += int(found.group(1))
            allocations += _calls_of_allocators(text)
    if not instructions or not journal:
        raise SystemExit("bench-counts: a thread is missing in what callgrind wrote")
    return instructions, allocations, journal


def _calls_of_allocators(text: str) -> int:
    """Callgrind writes a function's name where its number first occurs, and then the number alone."""
    names: dict[str, str] = {}
    calls = 0
    called = ""
    for line in text.splitlines():
        if match := re.match(r"c?fn=(\(\d+\))(?: (.*))?$", line):
            number, name = match.groups()
            if name is not None:
                names[number] = name
            if line.startswith("cfn="):
                called = names[number]
        elif line.startswith("calls=") and called.partition("'")[0] in ALLOCATORS:
            calls += int(line.removeprefix("calls=").split()[0])
    return calls


def _strace(folder: Path) -> Sequence[str]:
    return ["strace", "-f", "-qq", "-o", f"{folder}/calls"]


def _system_calls(folder: Path) -> Sequence[int]:
    """Of the threads that wait for sockets: the operation log's never does."""
    calls: dict[str, int] = {}
    waits: set[str] = set()
    for line in (folder / "calls").read_text().splitlines():
        thread, _, call = line.partition(" ")
        # A call that another thread interrupts is written in two lines; the second is no call.
        if "resumed>" in call or "---" in call or "+++" in call:
            continue
        calls[thread] = calls.get(thread, 0) + 1
        if call.lstrip().startswith("epoll_wait"):
            waits.add(thread)
    return [sum(count for thread, count in calls.items() if thread in waits)]


def _requests(_: Upstream, port: int, connections: int, amount: int) -> None:
    clients = Clients(port, connections)
    clients.ask(question(), amount)
    clients.close()


def _chunks(upstream: Upstream, port: int, connections: int, amount: int) -> None:
    """In step, so that each chunk is read and written alone."""
    clients = Clients(port, connections)
    clients.open_streams(question(stream=True))
    for _ in range(amount // connections):
        upstream.push(chunk())
        clients.read_events()
    clients.close()


MEASURES = (
    Measure(
        ("instructions", "allocations", "journal_instructions"),
        _callgrind,
        8,
        _instructions_and_allocations,
        _requests,
        answer(),
    ),
    Measure(
        ("chunk_instructions", "chunk_allocations"),
        _callgrind,
        8,
        lambda folder: _instructions_and_allocations(folder)[:2],
        _chunks,
        stream_head(),
        "chunk",
    ),
    Measure(("system_calls",), _strace, 1, _system_calls, _requests, answer()),
)


def _configuration(upstream_port: int) -> str:
    deployment = {
        "label": "bench",
        "publicModel": PUBLIC_MODEL,
        "adapterKey": "openaicompatible",
        "upstreamModel": UPSTREAM_MODEL,
        "credentials": {"apiKey": "bench-key", "baseUrl": f"http://127.0.0.1:{upstream_port}/v1"},
    }
    return json.dumps({"deployments": [deployment | {"label": f"bench-{i}"} for i in range(3)]})


def _run(binary: Path, measure: Measure, amount: int) -> Sequence[int]:
    with tempfile.TemporaryDirectory() as name, Upstream(measure.reply) as upstream:
        folder = Path(name)
        config = folder / "turnout.json"
        config.write_text(_configuration(upstream.port))
        serve = [
            str(binary),
            "serve",
            "--config",
            str(config),
            "--port",
            "0",
            "--workers",
            "1",
            "--seed",
            "1",
            "--data",
            str(folder / "data"),
        ]
        with (
            (folder / "stderr").open("wb") as log,
            subprocess.Popen(
                [*measure.wrapper(folder), *serve],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            ) as process,
        ):
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise SystemExit("bench-counts: the gateway did not start")
            measure.load(upstream, int(line.rsplit(":", 1)[1]), measure.connections, amount)
            _terminate(process)
        return measure.read(folder)


def _terminate(process: subprocess.Popen[str]) -> None:
    # strace runs the gateway as its child and passes no signal on.
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    target = int(children[0]) if children else process.pid
    subprocess.run(["kill", f"-{signal.SIGTERM.value}", str(target)], check=True)
    process.wait(60)


def measure_all(binary: Path) -> dict[str, float]:
    counts: dict[str, float] = {}
    for measure in MEASURES:
        base = _run(binary, measure, WARM_UP)
        more = _run(binary, measure, WARM_UP + MEASURED)
        for name, before, after in zip(measure.names, base, more, strict=True):
            counts[name] = round((after - before) / MEASURED, 2)
            print(f"{name:>20} per {measure.what}, {measure.connections} connections: {counts[name]:>10,.2f}")
    return counts


def problems(counts: dict[str, float], expected: dict[str, dict[str, float]]) -> list[str]:
    """Figures above their absolute limit, or further than 5 % (and the slack) from the committed ones."""
    found = []
    for name, value in counts.items():
        if name == "journal_instructions":
            continue  # the log's thread writes more or less at a time, as fast as the machine is
        limit, committed = expected["limits"].get(name), expected["committed"][name]
        if limit is not None and value > limit:
            found.append(f"{name}: {value} is above the limit of {limit}")
        if abs(value - committed) > max(TOLERANCE * committed, SLACK.get(name, 0.0)):
            found.append(f"{name}: {value} is not within 5 % of the committed {committed}; see --update")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Counts what one request costs.")
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/turnout", help="a release build")
    parser.add_argument("--update", action="store_true", help="take the figures over into counts.json")
    options = parser.parse_args()
    counts = measure_all(options.binary)
    expected = json.loads(EXPECTED.read_text())
    if options.update:
        EXPECTED.write_text(json.dumps(expected | {"committed": counts}, indent=2) + "\n")
        return 0
    found = problems(counts, expected)
    for line in found:
        print(f"bench-counts: {line}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
