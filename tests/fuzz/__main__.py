"""`python -m tests.fuzz`: runs the libFuzzer targets of the fuzz build, and says what they reached.

Exits with 1 if a target found something; the input and the log are kept where it says.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.coverage import lines_reached
from tests.fuzz.targets import BUILD, HERE, TARGETS, Run, executable_of, fuzz, minimise


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    options = _parse(arguments)
    chosen = options.only or list(TARGETS)

    def run(target: str) -> Run:
        return fuzz(target, options.seconds, executable_of(target, BUILD), BUILD / "runs" / target)

    with ThreadPoolExecutor(options.jobs) as pool:
        runs = list(pool.map(run, chosen))
    for done in runs:
        _print(done)
        if options.take_over and done.failure is None:
            minimise(done.target, [done.inputs, HERE / "corpus" / done.target, *options.take_over])
    return 1 if any(done.failure for done in runs) else 0


def _print(run: Run) -> None:
    if run.failure:
        kept = " ".join(str(path) for path in sorted(run.log.parent.glob("*-*")))
        print(
            f"{run.target:12} FAILED  {run.failure}\n             input {kept}\n             log {run.log}", flush=True
        )
        return
    lines = lines_reached(run)
    reached = "" if lines is None else f", {lines[0]} of {lines[1]} lines of cpp/codec/{TARGETS[run.target][0]}*"
    print(f"{run.target:12} {run.executions:9,} executions, {run.edges:5,} edges{reached}", flush=True)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.fuzz", description="runs the libFuzzer targets")
    parser.add_argument("--only", action="append", default=[], choices=list(TARGETS), help="may be repeated")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="targets at a time")
    parser.add_argument(
        "--take-over",
        action="append",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="replaces the committed corpora by the fewest inputs that reach as much, of this run and these too",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
