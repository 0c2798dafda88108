"""`python -m tests.fuzz.defects`: breaks the code under test in every declared way; its target must find that.

The patched copy of the tree is in `build/fuzz-defects/`. Exits with 0 if every defect was found from the committed
corpus, by the property that it names, and every target has one.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from conformance.defects.declaration import Patch
from conformance.defects.scratch import Scratch
from tests.fuzz.targets import HERE, ROOT, TARGETS, executable_of, fuzz


@dataclass(frozen=True)
class SeededDefect:
    """One way to break what a target tests."""

    target: str
    says: str
    patches: tuple[Patch, ...]
    finds: str  # a regular expression for the line by which the target says what is wrong

    @classmethod
    def parse(cls, row: dict[str, Any]) -> SeededDefect:
        """Reads a row of defects.yaml."""
        return cls(row["target"], row["says"], tuple(Patch(**place) for place in row["patch"]), row["finds"])


def read_defects() -> list[SeededDefect]:
    """Those that are declared, in their order."""
    return [SeededDefect.parse(row) for row in yaml.safe_load((HERE / "defects.yaml").read_text(encoding="utf-8"))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    options = _parse(arguments)
    directory = ROOT / "build" / "fuzz-defects"
    directory.mkdir(parents=True, exist_ok=True)
    scratch = Scratch(ROOT, directory, options.jobs, preset="fuzz")
    defects = [defect for defect in read_defects() if not options.only or defect.target in options.only]
    missed = 0
    for number, defect in enumerate(defects):
        scratch.patch(defect.patches)
        scratch.build([f"fuzz_{defect.target}"])
        executable = executable_of(defect.target, scratch.build_directory)
        run = fuzz(defect.target, options.seconds, executable, directory / "runs" / f"{defect.target}-{number}")
        found = re.search(defect.finds, run.failure or "") is not None
        missed += not found
        print(f"{'found' if found else 'RED':6} {defect.target:12} {defect.says}", flush=True)
        if not found:
            print(f"       {run.failure or 'nothing was found'}; log {run.log}", flush=True)
    uncovered = sorted(set(TARGETS) - {defect.target for defect in read_defects()})
    for target in uncovered:
        print(f"RED    {target:12} no defect is declared for it")
    return 1 if missed or uncovered else 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.fuzz.defects", description="breaks what the libFuzzer targets test")
    parser.add_argument("--only", action="append", default=[], choices=list(TARGETS), help="a target; may be repeated")
    parser.add_argument("--seconds", type=int, default=60, help="that a target may take to find a defect")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
