"""Which lines of the code under test a target's inputs reach, by llvm-cov."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence

from tests.fuzz.targets import BUILD, HERE, TARGETS, Run, executable_of


def lines_reached(run: Run) -> tuple[int, int] | None:
    """How many lines of the files under test the run's inputs reach, and how many there are; None without llvm-cov."""
    profdata, cov = _tool("llvm-profdata"), _tool("llvm-cov")
    if profdata is None or cov is None:
        return None
    executable = executable_of(run.target, BUILD)
    raw, merged = run.log.with_name("lines.profraw"), run.log.with_name("lines.profdata")
    _run(
        [str(executable), "-runs=0", str(run.inputs), str(HERE / "corpus" / run.target)],
        {"LLVM_PROFILE_FILE": str(raw)},
    )
    _run([profdata, "merge", "-sparse", str(raw), "-o", str(merged)])
    report = json.loads(_run([cov, "export", "-summary-only", f"-instr-profile={merged}", str(executable)]))
    under_test = f"/cpp/codec/{TARGETS[run.target][0]}"
    lines = [file["summary"]["lines"] for file in report["data"][0]["files"] if under_test in file["filename"]]
    return sum(line["covered"] for line in lines), sum(line["count"] for line in lines)


def _tool(name: str) -> str | None:
    """The tool of the Clang that built the targets: others do not read its profiles."""
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(r"^TURNOUT_CLANG:FILEPATH=.*/clang(-\d+)?$", cache, re.MULTILINE)
    return shutil.which(name + (found.group(1) or "")) if found else None


def _run(command: Sequence[str], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | (environment or {}))
    return done.stdout
