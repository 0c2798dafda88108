#!/usr/bin/env python3
"""Checks spec/: files well-formed, references whole, the snapshot of proven rules fresh.

    tools/check_rules.py                                     files, and that coverage.json fits the rules
    tools/check_rules.py --report FILE... [--unit PATH...]   also that coverage.json is what these runs give
    tools/check_rules.py --update --report FILE...           rewrites coverage.json from these runs
    tools/check_rules.py --strict ...                        also that every rule in force is proven

A report is what the conformance suite writes (spec/schemas/report.schema.json); `--unit` takes GoogleTest XML.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.rules import coverage, wellformed
from tools.rules.files import (
    SpecError,
    read_report,
    read_rules,
    read_snapshot,
    read_sources,
    read_unit_results,
    write_snapshot,
)
from tools.rules.model import Check, Rule, RuleCoverage, Sources

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class _Input:
    rules: list[Rule]
    sources: Sources
    checks: list[Check]


def main(argv: Sequence[str] | None = None) -> int:
    """Returns 0 if nothing is at fault, else 1 after one line a fault on stderr."""
    arguments = _arguments(argv)
    try:
        read = _read(arguments)
        faults = wellformed.rule_faults(read.rules, read.sources) + wellformed.source_faults(read.rules, read.sources)
        faults += coverage.check_faults(read.rules, read.checks)
        fresh = coverage.join(read.rules, read.checks) if arguments.report else None
        if arguments.update and fresh is not None and not faults:
            write_snapshot(arguments.spec, fresh)
        snapshot = read_snapshot(arguments.spec)
    except SpecError as error:
        print(error, file=sys.stderr)
        return 1
    faults += coverage.snapshot_faults(read.rules, snapshot) if fresh is None else coverage.stale(fresh, snapshot)
    states = snapshot if fresh is None else fresh
    if arguments.strict:
        faults += coverage.missing(states)
    _print_counts(read, states)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def _read(arguments: argparse.Namespace) -> _Input:
    spec: Path = arguments.spec
    checks = [check for path in arguments.report for check in read_report(path, spec)]
    if arguments.report and not any(check.outcome != "skipped" for check in checks):
        raise SpecError("the reports hold no check that ran: a broken run proves nothing")
    checks += [check for path in arguments.unit for check in read_unit_results(path)]
    return _Input(read_rules(spec), read_sources(spec), checks)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Checks spec/ and the snapshot of proven rules.")
    parser.add_argument("--report", type=Path, action="append", default=[], metavar="FILE", help="a report.json")
    parser.add_argument("--unit", type=Path, action="append", default=[], metavar="PATH", help="GoogleTest XML")
    parser.add_argument("--update", action="store_true", help="rewrite coverage.json from the reports")
    parser.add_argument("--strict", action="store_true", help="every rule in force must be proven")
    parser.add_argument("--spec", type=Path, default=ROOT / "spec", help="another spec folder")
    arguments = parser.parse_args(argv)
    if (arguments.update or arguments.unit) and not arguments.report:
        parser.error("--update and --unit need --report")
    return arguments


def _print_counts(read: _Input, states: coverage.Coverage) -> None:
    print(f"{len(read.rules)} rules: {_counted(list(states.values()))}")
    for area in sorted({rule.area for rule in read.rules}):
        listed = [states[rule.id] for rule in read.rules if rule.area == area and rule.id in states]
        print(f"  {area}: {_counted(listed)}")
    if read.checks:
        print(f"{len(read.checks)} checks: {_numbered([check.outcome for check in read.checks])}")
    for page in read.sources.pages:
        whole, partly, is_open = wellformed.open_sentences(page)
        print(f"page {page.id}: {len(page.sentences())} sentences, {whole} covered, {partly} in part, {is_open} open")


def _counted(entries: Sequence[RuleCoverage]) -> str:
    return _numbered([entry.state for entry in entries])


def _numbered(words: Sequence[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(Counter(words).items()))


if __name__ == "__main__":
    sys.exit(main())
