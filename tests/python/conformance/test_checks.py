"""The check object: every named rule gets an outcome, whatever happens in the scenario."""

from __future__ import annotations

import pytest

from conformance.checks import Check, CheckRecord, ChecksFailed, Outcome


def make(*rules: str) -> tuple[Check, list[CheckRecord]]:
    records: list[CheckRecord] = []
    return Check("area/test_x.py::test_y", "binary", frozenset(rules), records.append), records


def status(number: int) -> int:
    return number


def test_a_block_that_ends_proves_its_rules() -> None:
    check, records = make("AB-CDE-001", "AB-CDE-002")
    with check("AB-CDE-001", "AB-CDE-002"):
        assert True
    check.finish(None)
    assert [(row.rule, row.outcome) for row in records] == [
        ("AB-CDE-001", Outcome.PASSED),
        ("AB-CDE-002", Outcome.PASSED),
    ]
    assert records[0].scenario == "area/test_x.py::test_y"
    assert records[0].target == "binary"


def test_a_failed_check_does_not_hide_the_next_one() -> None:
    check, records = make("AB-CDE-001", "AB-CDE-002")
    with check("AB-CDE-001"):
        assert status(500) == 200, "the status is 500"
    with check("AB-CDE-002"):
        assert True
    with pytest.raises(ChecksFailed, match="AB-CDE-001: the status is 500"):
        check.finish(None)
    assert [row.outcome for row in records] == [Outcome.FAILED, Outcome.PASSED]
    assert records[0].message.startswith("the status is 500")


def test_an_unexpected_exception_is_told_apart_from_a_failed_assertion() -> None:
    check, records = make("AB-CDE-001")
    with check("AB-CDE-001"):
        assert {"error": 1}["choices"] == 1
    with pytest.raises(ChecksFailed, match="AB-CDE-001: error: KeyError: 'choices'"):
        check.finish(None)
    assert records[0].outcome is Outcome.FAILED


def test_a_rule_that_is_named_but_never_asserted_fails() -> None:
    check, records = make("AB-CDE-001")
    check("AB-CDE-001")  # made, never entered
    with pytest.raises(ChecksFailed, match="AB-CDE-001: not run: never asserted"):
        check.finish(None)
    assert records[0].outcome is Outcome.FAILED


def test_a_scenario_that_ends_early_leaves_its_rules_not_run() -> None:
    check, records = make("AB-CDE-001")
    check.finish(RuntimeError("no upstream"))
    assert records[0].outcome is Outcome.FAILED
    assert records[0].message == "not run: the scenario ended early: RuntimeError: no upstream"


def test_a_rule_that_the_marker_does_not_name_cannot_be_asserted() -> None:
    check, _ = make("AB-CDE-001")
    with pytest.raises(LookupError, match="AB-CDE-002"), check("AB-CDE-002"):
        assert True
    with pytest.raises(LookupError, match="no rule"), check():
        assert True
