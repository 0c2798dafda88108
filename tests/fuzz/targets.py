"""The libFuzzer targets: what each is about, how it is run, and what came of a run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "fuzz"

TARGETS = {
    "http1": ("http1", 600),
    "sse": ("sse", 200),
    "content": ("content/", 400),
    "json_scan": ("json_s", 400),
    "edits": ("edits", 400),
    "chat_answer": ("contracts/chat/", 600),
    "chat_stream": ("contracts/chat/", 800),
    "responses_stream": ("contracts/responses/", 1000),
    "messages_stream": ("contracts/messages/", 1000),
    "websocket": ("websocket/", 400),
}
"""By name: what of `cpp/codec/` is under test, as a prefix, and the longest input in bytes."""

_GUARD_SECONDS = 60
"""On top of the time that a run may take: libFuzzer looks at its clock between two inputs only."""


@dataclass(frozen=True)
class Run:
    """What came of fuzzing one target."""

    target: str
    executions: int
    edges: int
    failure: str | None  # what went wrong, in one line
    log: Path
    inputs: Path  # the committed corpus and what was found beside it


def fuzz(target: str, seconds: int, executable: Path, directory: Path) -> Run:
    """Runs a target for so many seconds from its committed corpus; what it writes goes to `directory`."""
    inputs = directory / "inputs"
    shutil.rmtree(directory, ignore_errors=True)
    inputs.mkdir(parents=True)
    log = directory / "log"
    command = [
        str(executable),
        f"-max_total_time={seconds}",
        f"-max_len={TARGETS[target][1]}",
        f"-dict={HERE / 'dictionaries' / f'{target}.dict'}",
        f"-artifact_prefix={directory}/",
        "-timeout=20",
        "-rss_limit_mb=1024",
        "-seed=1",
        "-print_final_stats=1",
        str(inputs),
        str(HERE / "corpus" / target),
    ]
    with log.open("wb") as said:
        status = subprocess.run(
            command, stdout=said, stderr=said, timeout=seconds + _GUARD_SECONDS, check=False, cwd=directory
        ).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    failure = None if status == 0 else _failure(text)
    return Run(
        target, _last(r"stat::number_of_executed_units: (\d+)", text), _last(r"cov: (\d+)", text), failure, log, inputs
    )


def minimise(target: str, inputs: Sequence[Path]) -> None:
    """Replaces the committed corpus, apart from what was written by hand, by the fewest inputs that reach as much."""
    corpus = HERE / "corpus" / target
    fresh = corpus.with_name(f"{target}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    command = [
        str(executable_of(target, BUILD)),
        "-set_cover_merge=1",
        "-use_counters=0",
        str(fresh),
        *map(str, inputs),
    ]
    subprocess.run(command, capture_output=True, check=True, env=os.environ | {"LLVM_PROFILE_FILE": os.devnull})
    for written in corpus.glob("seed-*"):
        shutil.copy(written, fresh)
    shutil.rmtree(corpus, ignore_errors=True)
    fresh.rename(corpus)


def executable_of(target: str, build: Path) -> Path:
    """Where the build folder has the target."""
    return build / "tests" / "fuzz" / f"fuzz_{target}"


def _failure(text: str) -> str:
    for pattern in (r"^property: .*$", r"^.*runtime error: .*$", r"^==\d+== ?ERROR: .*$"):
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            return found.group(0)
    return "ended without saying why"


def _last(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0
