"""Runs scenarios of the suite on an executable, and unit tests, in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from conformance.defects.judgement import Row

CONFORMANCE = Path(__file__).resolve().parent.parent
ROOT = CONFORMANCE.parent
_GUARD_SECONDS = 1800
_RAN = (0, 1)
"""pytest's exit codes for a run that was not interrupted or refused: all passed, some failed."""


class SuiteError(Exception):
    """The tests did not run; the message ends with what pytest said."""


def run_scenarios(scenarios: Iterable[str], executable: Path, log: Path) -> list[Row]:
    """Runs scenarios, named as in a report, on the binary target; returns their checks. `log` gets what pytest says."""
    options = ["--target", "binary", "--turnout-binary", str(executable)]
    return _run([*options, *sorted({node_id(scenario) for scenario in scenarios})], ROOT, log)


def run_unit_tests(tests: Iterable[str], tree: Path, log: Path) -> list[Row]:
    """Runs unit tests that carry the marker of a rule, in a copy of the repository."""
    return _run(sorted(set(tests)), tree, log)


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


def _run(arguments: Sequence[str], root: Path, log: Path) -> list[Row]:
    report = log.with_suffix(".json")
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider"]
    command += ["--turnout-report", str(report), *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=_GUARD_SECONDS, check=False)
    said = done.stdout + done.stderr
    log.write_text(said, encoding="utf-8")
    if done.returncode not in _RAN or not report.exists():
        raise SuiteError(f"pytest ended with code {done.returncode}:\n{said[-4000:]}")
    checks: list[Row] = json.loads(report.read_text(encoding="utf-8"))["checks"]
    return checks


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
