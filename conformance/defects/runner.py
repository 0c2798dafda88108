"""Breaks the gateway in every declared way and asks the suite whether it notices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.defects.change import Change
from conformance.defects.cpp_tests import executable_of, run_cpp_tests
from conformance.defects.declaration import DeclarationError, Defect, Patch
from conformance.defects.judgement import Row, faults_with, faults_without
from conformance.defects.scratch import BuildError, Scratch
from conformance.defects.suite import SuiteError, run_scenarios, run_unit_tests, write_stand_in


@dataclass(frozen=True)
class Verdict:
    """What came of one defect."""

    defect: Defect
    faults: list[str] = field(default_factory=list)

    @property
    def caught(self) -> bool:
        """Whether exactly its checks failed, and none without it."""
        return not self.faults


@dataclass(frozen=True)
class Runner:
    """Where the whole gateway is, and where broken ones are made."""

    binary: Path
    scratch: Scratch
    directory: Path  # for logs and stand-ins

    def run(self, defects: Sequence[Defect]) -> Iterator[Verdict]:
        """Judges the defects one by one, those on the wire first."""
        for kind in ("wire", "decision"):
            yield from self._run_kind(kind, [defect for defect in defects if defect.kind == kind])

    def _run_kind(self, kind: str, defects: Sequence[Defect]) -> Iterator[Verdict]:
        """First all scenarios on the same path without a defect, then each defect on its own."""
        if not defects:
            return
        scenarios = {scenario for defect in defects for scenario in defect.scenarios}
        rows = self._rows(f"no-{kind}-defect", Change() if kind == "wire" else (), scenarios)
        for defect in defects:
            faults = faults_without(defect, rows)
            yield Verdict(defect, faults or self._faults(defect))

    def _faults(self, defect: Defect) -> list[str]:
        try:
            return faults_with(defect, self._rows(defect.name, defect.how, defect.scenarios))
        except (BuildError, DeclarationError, SuiteError) as error:
            return [str(error)]

    def _rows(self, name: str, how: Change | Sequence[Patch], scenarios: Iterable[str]) -> list[Row]:
        log = self.directory / f"{name}.log"
        if isinstance(how, Change):
            stand_in = write_stand_in(self.directory / name, self.binary, how.declaration)
            return run_scenarios(scenarios, stand_in, log)
        return self._patched_rows(log, how, scenarios)

    def _patched_rows(self, log: Path, patches: Sequence[Patch], scenarios: Iterable[str]) -> list[Row]:
        in_cpp, in_python, on_server = split(scenarios)
        targets = [executable_of(test) for test in in_cpp] + ["turnout"] * bool(on_server)
        self.scratch.patch(patches)
        if targets:
            self.scratch.build(targets)
        rows: list[Row] = []
        if in_cpp:
            tree, build = self.scratch.tree, self.scratch.build_directory
            rows += run_cpp_tests(in_cpp, tree, build, log.with_suffix(".cpp.log"))
        if in_python:
            rows += run_unit_tests(in_python, self.scratch.tree, log.with_suffix(".python.log"))
        if on_server:
            rows += run_scenarios(on_server, self.scratch.server, log)
        return rows


def split(scenarios: Iterable[str]) -> tuple[list[str], list[str], list[str]]:
    """C++ unit tests, Python unit tests, and scenarios that need a server."""
    names = sorted(scenarios)
    in_cpp = [name for name in names if name.startswith("tests/cpp/")]
    in_python = [name for name in names if name.startswith(("tests/python/", "tests/model/"))]
    return in_cpp, in_python, [name for name in names if not name.startswith("tests/")]
