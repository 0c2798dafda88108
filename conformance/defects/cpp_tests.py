"""Runs C++ unit tests, which say in their XML which rules they prove."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from conformance.defects.judgement import Row

_GUARD_SECONDS = 600


def executable_of(test: str) -> str:
    """`tests/cpp/codec/a_test.cpp::suite.name` is in `test_codec`."""
    return f"test_{test.split('/')[2]}"


def run_cpp_tests(tests: Iterable[str], tree: Path, build: Path, log: Path) -> list[Row]:
    """Runs the executables that hold the tests, and returns all their checks; `log` gets what they say."""
    rows: list[Row] = []
    said = ""
    for name in sorted({executable_of(test) for test in tests}):
        xml = log.with_name(f"{log.stem}.{name}.xml")
        xml.unlink(missing_ok=True)
        command = [str(build / "tests" / "cpp" / name), f"--gtest_output=xml:{xml}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_GUARD_SECONDS, check=False)
        said += done.stdout + done.stderr
        rows += read_results(xml.read_text(encoding="utf-8"), tree, build) if xml.exists() else []
    log.write_text(said, encoding="utf-8")
    return rows


def read_results(xml: str, tree: Path, build: Path) -> list[Row]:
    """The checks in GoogleTest's XML: one per rule that a test has recorded, named by file, suite and test.

    Where ccache compiled the test, its file is named relative to the build folder.
    """
    rows: list[Row] = []
    for case in ElementTree.fromstring(xml).iter("testcase"):
        rules = [one.get("value", "") for one in case.iter("property") if one.get("name") == "rules"]
        file = Path(os.path.normpath(build / case.get("file", ""))).relative_to(tree).as_posix()
        scenario = f"{file}::{case.get('classname')}.{case.get('name')}"
        failures = [failure.get("message", "") for failure in case.iter("failure")]
        outcome = "failed" if failures else "passed"
        for rule in " ".join(rules).split():
            row = {"rule": rule, "scenario": scenario, "target": "unit", "outcome": outcome}
            rows.append({**row, "message": "\n".join(failures)} if failures else row)
    return rows
