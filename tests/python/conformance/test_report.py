"""report.json: rows, order, merge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.checks import CheckRecord, Outcome
from conformance.report import build_report, merge_reports

SCHEMA = Path(__file__).resolve().parents[3] / "spec" / "schemas" / "report.schema.json"


def record(target: str, outcome: Outcome, rule: str = "AB-CDE-001", message: str = "") -> CheckRecord:
    return CheckRecord(rule, "a/test_x.py::test_y", target, outcome, message)


def outcomes(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(check["target"], check["outcome"]) for check in report["checks"]]


@pytest.mark.rule("CONF-REPORT-001")
def test_reports_and_merged_reports_are_accepted_by_the_schema() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    report = build_report({"binary": ["stop"]}, [record("binary", Outcome.FAILED, message="status is 500")])
    jsonschema.validate(report, schema)
    jsonschema.validate(merge_reports([report, report]), schema)


def test_rows_are_in_an_order_that_does_not_depend_on_the_run() -> None:
    records = [record("module", Outcome.PASSED), record("binary", Outcome.FAILED, message="status is 500")]
    forward = build_report({"binary": ["stop"], "module": []}, records)
    backward = build_report({"module": [], "binary": ["stop"]}, reversed(records))
    assert forward == backward
    assert outcomes(forward) == [("binary", "failed"), ("module", "passed")]
    assert forward["checks"][0]["message"] == "status is 500"
    assert "message" not in forward["checks"][1]


def test_two_runs_are_merged_and_the_later_one_wins() -> None:
    rows = [record("binary", Outcome.FAILED), record("binary", Outcome.PASSED, "AB-CDE-002")]
    binary = build_report({"binary": []}, rows)
    module = build_report({"module": []}, [record("module", Outcome.PASSED)])
    again = build_report({"binary": []}, [record("binary", Outcome.PASSED)])
    merged = merge_reports([binary, module, again])
    assert [target["name"] for target in merged["targets"]] == ["binary", "module"]
    assert outcomes(merged) == [("binary", "passed"), ("module", "passed")]


def test_a_report_of_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="format 0"):
        merge_reports([{"format": 0, "targets": [], "checks": []}])
