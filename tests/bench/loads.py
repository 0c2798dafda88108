"""The loads, all on the load's core: wrk for JSON, streams that are held open and counted, streams that are timed."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.bench.content import question
from tests.bench.load import PUBLIC_MODEL
from tests.bench.protocols import Protocol
from tests.bench.proxies import Place, Proxy, installed, pinned

CHECK = Path(__file__).with_name("check.lua")
NEVER = 3600


class WrongAnswer(SystemExit):
    """An answer was not the one that the load wants: figures of it would mean nothing."""


@dataclass(frozen=True)
class Asked:
    """What one run of wrk did. Latencies are in microseconds."""

    requests: int
    seconds: float
    p50: float
    p99: float


def ask(
    place: Place,
    proxy: Proxy,
    *,
    connections: int,
    seconds: int = NEVER,
    limit: int = 0,
    body_bytes: int = 1024,
) -> Asked:
    """Asks for so many seconds, or for so many answers when `limit` is one."""
    with tempfile.NamedTemporaryFile(prefix="turnout-bench-", suffix=".json") as body:
        body.write(question(body_bytes))
        body.flush()
        command = [installed("wrk"), "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s"]
        command += ["--timeout", "30s", "--script", str(CHECK), f"http://127.0.0.1:{proxy.port}/v1/chat/completions"]
        command += ["--", body.name, str(proxy.length), proxy.answered, str(limit)]
        with _piped(pinned(place.load_core, command)) as process:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                if line == "limit\n":
                    process.send_signal(signal.SIGINT)  # wrk itself would wait for the end of its duration
                said += line
    found = re.search(r"^result (.*)$", said, re.MULTILINE)
    if found is None:
        raise SystemExit(f"bench: wrk failed:\n{said}")
    result = json.loads(found.group(1))
    if result["wrong"] or result["errors"] or not result["requests"]:
        raise WrongAnswer(
            f"bench: {proxy.name}: {result['requests']} answers, {result['wrong']} of them wrong, "
            f"{result['errors']} errors. {result['example']}",
        )
    return Asked(result["requests"], result["seconds"], result["p50"], result["p99"])


@dataclass(frozen=True)
class Mark:
    """What the streams have brought by now, and when that was, in seconds of no particular clock."""

    streams: int
    tokens: int
    at: float


class Streams:
    """Streams that are open at once. `kind` is what the upstream does with them: `paced 50`, `flooded` or `idle`."""

    def __init__(self, place: Place, proxy: Proxy, kind: str, protocol: Protocol = Protocol.CHAT) -> None:
        command = [*_client("fast_streams", place, proxy, protocol), "--kind", kind]
        self._who = proxy.name
        self._command = pinned(place.load_core, command)

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def open(self, count: int) -> Mark:
        """Opens streams until `count` are open, and returns when the first token of each has come."""
        return self._tell(f"open {count}")

    def leave(self, count: int) -> Mark:
        """Opens streams until there are `count` that nobody reads, and returns when each has begun to come."""
        return self._tell(f"leave {count}")

    def mark(self) -> Mark:
        return self._tell("mark")

    def close(self) -> Mark:
        return self._tell("close")

    def _tell(self, command: str) -> Mark:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # why it ended is read below
        line = self._process.stdout.readline()
        if not line:
            _, why = self._process.communicate()
            raise WrongAnswer(f"bench: {self._who}: {why.strip()}")
        said: dict[str, Any] = json.loads(line)
        return Mark(said["streams"], said["tokens"], said["nanoseconds"] / 1e9)


@dataclass(frozen=True)
class Timed:
    """What the tokens of so many streams took, one stream at a time; in microseconds, each as p50 and p99."""

    streams: int
    first: Mapping[str, float]  # from the request to the first token
    gap: Mapping[str, float]  # from one token to the next, which the upstream sends as soon as the one before came


def time_streams(place: Place, proxy: Proxy, protocol: Protocol, *, tokens: int, seconds: int) -> Timed:
    """Streams of so many tokens, for so many seconds."""
    command = [*_client("fast_latency", place, proxy, protocol), "--steps", str(proxy.upstream_port)]
    command += ["--tokens", str(tokens), "--seconds", str(seconds)]
    done = subprocess.run(pinned(place.load_core, command), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WrongAnswer(f"bench: {proxy.name}: {done.stderr.strip()}")
    return Timed(**json.loads(done.stdout))


def _client(program: str, place: Place, proxy: Proxy, protocol: Protocol) -> list[str]:
    command = [place.program(f"fake_upstreams/fast/{program}"), "--port", str(proxy.port)]
    return [*command, "--protocol", protocol, "--model", PUBLIC_MODEL, "--named", proxy.answered]


@contextmanager
def _piped(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.kill()
