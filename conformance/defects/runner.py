"""Breaks the gateway in every declared way and asks the suite whether it notices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.defects.change import Change
from conformance.defects.declaration import DeclarationError, Defect
from conformance.defects.judgement import Row, faults_with, faults_without
from conformance.defects.scratch import BuildError, Scratch
from conformance.defects.suite import SuiteError, run_scenarios, write_stand_in

Report = Callable[["Verdict"], None]


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
        whole = self._whole(kind)
        rows = run_scenarios(scenarios, whole, self.directory / f"no-{kind}-defect.log")
        for defect in defects:
            faults = faults_without(defect, rows)
            yield Verdict(defect, faults or self._faults(defect))

    def _whole(self, kind: str) -> Path:
        if kind == "wire":
            return write_stand_in(self.directory / "no-wire-defect", self.binary, {})
        self.scratch.build()
        return self.scratch.executable

    def _faults(self, defect: Defect) -> list[str]:
        try:
            return faults_with(defect, self._rows(defect))
        except (BuildError, DeclarationError, SuiteError) as error:
            return [str(error)]

    def _rows(self, defect: Defect) -> list[Row]:
        log = self.directory / f"{defect.name}.log"
        if isinstance(defect.how, Change):
            stand_in = write_stand_in(self.directory / defect.name, self.binary, defect.how.declaration)
            return run_scenarios(defect.scenarios, stand_in, log)
        self.scratch.build(defect.how)
        return run_scenarios(defect.scenarios, self.scratch.executable, log)
