"""`python -m conformance.defects`: breaks the gateway on purpose and demands that the suite notices.

Exits with 0 if every defect made exactly its checks fail, each family of rules has a defect, and without a defect every
scenario passed on the same path; else with 1.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from conformance.defects.declaration import DeclarationError, Defect, read_defects
from conformance.defects.judgement import uncovered
from conformance.defects.runner import Runner, Verdict
from conformance.defects.scratch import BuildError, Scratch
from conformance.defects.suite import ROOT, SuiteError
from tools.rules.files import read_rules


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    options = _parse(arguments)
    try:
        declared = read_defects()
        chosen = _choose(declared, options.only, options.kind)
        verdicts = _judge(chosen, options)
    except (DeclarationError, BuildError, SuiteError) as error:
        print(error, file=sys.stderr)
        return 1
    missing = [] if options.only or options.kind else _families(declared)
    red = [verdict for verdict in verdicts if not verdict.caught]
    print(f"\n{len(verdicts) - len(red)} of {len(verdicts)} defects caught as declared")
    for verdict in red:
        print(f"RED {verdict.defect.name}")
    return 1 if red or missing else 0


def _judge(defects: Sequence[Defect], options: argparse.Namespace) -> list[Verdict]:
    directory = options.scratch.resolve()
    (directory / "logs").mkdir(parents=True, exist_ok=True)
    cpp_tests = {scenario.partition("::")[0] for defect in read_defects() for scenario in defect.scenarios}
    runner = Runner(options.binary, Scratch(ROOT, directory, options.jobs, cpp_tests), directory / "logs")
    verdicts = []
    for verdict in runner.run(defects):
        verdicts.append(verdict)
        _print(verdict)
    return verdicts


def _print(verdict: Verdict) -> None:
    defect = verdict.defect
    word = "caught" if verdict.caught else "RED"
    print(f"{word:6} {defect.kind:8} {defect.name:44} {' '.join(defect.fails)}", flush=True)
    for fault in verdict.faults:
        print("       " + fault.replace("\n", "\n       "), flush=True)


def _families(defects: Sequence[Defect]) -> list[str]:
    missing = uncovered(defects, [rule.id for rule in read_rules(ROOT / "spec") if rule.status is None])
    for family in missing:
        print(f"RED no defect breaks a rule of {family}")
    return missing


def _choose(defects: Sequence[Defect], only: Sequence[str], kind: str | None) -> list[Defect]:
    unknown = sorted(set(only) - {defect.name for defect in defects})
    if unknown:
        raise DeclarationError(f"no such defect: {', '.join(unknown)}")
    named = [defect for defect in defects if not only or defect.name in only]
    return [defect for defect in named if kind in (None, defect.kind)]


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="conformance.defects", description="breaks the gateway on purpose")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this defect (may be repeated)")
    parser.add_argument("--kind", choices=["wire", "decision"], help="only defects of this kind")
    parser.add_argument("--target", choices=["binary"], default="binary", help="what is broken")
    parser.add_argument(
        "--binary",
        type=Path,
        default=Path(os.environ.get("TURNOUT_BINARY", ROOT / "build" / "dev" / "turnout")),
        help="the gateway in front of which wire defects are put (else $TURNOUT_BINARY, else build/dev/turnout)",
    )
    parser.add_argument(
        "--scratch", type=Path, default=ROOT / "build" / "defects", help="folder of the copy that patches are built in"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
