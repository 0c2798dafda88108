"""report.json: what was asserted in a run, target by target. It holds no time: an unchanged run gives the same file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from conformance.checks import CheckRecord

FORMAT = 1
SUITE = {"name": "turnout-conformance", "version": "0.1.0"}


def build_report(features: Mapping[str, Iterable[str]], records: Iterable[CheckRecord]) -> dict[str, Any]:
    """Makes the report of a run on the targets in `features` (target name to what it can do)."""
    targets = [{"name": name, "features": sorted(names)} for name, names in sorted(features.items())]
    return _report(targets, (_row(record) for record in records))


def merge_reports(reports: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Joins reports, e.g. one per target. For the same scenario on the same target the later one wins."""
    targets: dict[str, Any] = {}
    checks: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for report in reports:
        if report.get("format") != FORMAT:
            raise ValueError(f"report of format {report.get('format')!r}, expected {FORMAT}")
        targets.update({target["name"]: target for target in report["targets"]})
        fresh: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for check in report["checks"]:
            fresh.setdefault((check["target"], check["scenario"]), []).append(check)
        checks.update(fresh)
    rows = (dict(check) for group in checks.values() for check in group)
    return _report([targets[name] for name in sorted(targets)], rows)


def write_report(report: Mapping[str, Any], file: Path) -> None:
    """Writes the report as indented JSON."""
    file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _report(targets: list[Any], rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"format": FORMAT, "suite": SUITE, "targets": targets, "checks": _sorted(rows)}


def _row(record: CheckRecord) -> dict[str, Any]:
    row = {
        "rule": record.rule,
        "scenario": record.scenario,
        "target": record.target,
        "outcome": record.outcome.value,
    }
    if record.message:
        row["message"] = record.message
    return row


def _sorted(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = ("scenario", "target", "rule", "outcome", "message")
    return sorted(rows, key=lambda row: tuple(row.get(key, "") for key in keys))
