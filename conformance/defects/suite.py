"""Runs scenarios of the suite on an executable, in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from conformance.defects.judgement import Row

CONFORMANCE = Path(__file__).resolve().parent.parent
ROOT = CONFORMANCE.parent
_GUARD_SECONDS = 1800
_RAN = (0, 1)
"""pytest's exit codes for a run that was not interrupted or refused: all passed, some failed."""


class SuiteError(Exception):
    """The scenarios did not run; the message ends with what pytest said."""


def run_scenarios(scenarios: Iterable[str], executable: Path, log: Path) -> list[Row]:
    """Runs scenarios, named as in a report, on the binary target; returns their checks. `log` gets what pytest says."""
    report = log.with_suffix(".json")
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--target", "binary"]
    command += ["--turnout-binary", str(executable), "--turnout-report", str(report)]
    command += sorted({node_id(scenario) for scenario in scenarios})
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=_GUARD_SECONDS, check=False)
    log.write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode not in _RAN or not report.exists():
        raise SuiteError(f"pytest ended with code {done.returncode}:\n{(done.stdout + done.stderr)[-4000:]}")
    checks: list[Row] = json.loads(report.read_text(encoding="utf-8"))["checks"]
    return checks


def node_id(scenario: str) -> str:
    """`chat/test_x.py::test_y[case]` gives `conformance/scenarios/chat/test_x.py::test_y[case-binary]`."""
    file, _, test = scenario.partition("::")
    folder = CONFORMANCE if (CONFORMANCE / file).exists() else CONFORMANCE / "scenarios"
    name = f"{test[:-1]}-binary]" if test.endswith("]") else test
    return f"{(folder / file).relative_to(ROOT).as_posix()}::{name}"


def write_stand_in(file: Path, real: Path, change: object) -> Path:
    """Writes an executable that runs `real` with a declared change; returns its path."""
    arguments = [sys.executable, "-m", "conformance.defects.stand_in", str(real.resolve()), json.dumps(change)]
    words = " ".join(_quoted(argument) for argument in arguments)
    file.write_text(f'#!/bin/sh\nPYTHONPATH={_quoted(str(ROOT))} exec {words} "$@"\n', encoding="utf-8")
    file.chmod(0o755)
    return file


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
