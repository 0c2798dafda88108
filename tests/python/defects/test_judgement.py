"""Whether a defect did what it is declared to do, judged from reports."""

from __future__ import annotations

import pytest

from conformance.defects.change import Change
from conformance.defects.declaration import Defect
from conformance.defects.judgement import Row, faults_with, faults_without, uncovered


def defect(fails: dict[str, str], *scenarios: str) -> Defect:
    return Defect("broken", "It is broken.", Change(), scenarios or ("a/test_a.py::test_a",), fails)


def row(rule: str, message: str | None = None, scenario: str = "a/test_a.py::test_a") -> Row:
    passed = {"rule": rule, "scenario": scenario, "target": "binary", "outcome": "passed"}
    return passed if message is None else {**passed, "outcome": "failed", "message": message}


@pytest.mark.rule("CONF-DEFECT-001")
def test_exactly_the_listed_checks_fail() -> None:
    listed = defect({"A-B-001": "1 == 2"})
    assert faults_with(listed, [row("A-B-001", "assert 1 == 2"), row("A-B-002")]) == []
    assert faults_with(listed, [row("A-B-001"), row("A-B-002")]) == ["A-B-001: did not fail"]
    (also,) = faults_with(listed, [row("A-B-001", "assert 1 == 2"), row("A-B-002", "assert 3 == 4")])
    assert also == "also A-B-002 of a/test_a.py::test_a failed: assert 3 == 4"


def test_a_check_fails_by_its_own_message() -> None:
    (other,) = faults_with(defect({"A-B-001": "1 == 2"}), [row("A-B-001", "a case\nassert 5 == 6")])
    assert other == "A-B-001: failed by another message than '1 == 2': assert 5 == 6"


def test_one_of_several_assertions_of_a_rule_is_enough() -> None:
    rows = [row("A-B-001", "assert 1 == 2"), row("A-B-001"), row("A-B-001", "assert 5 == 6")]
    assert faults_with(defect({"A-B-001": "1 == 2"}), rows) == []


def test_an_exception_is_an_accident_unless_it_is_named() -> None:
    rows = [row("A-B-001", "error: TimeoutError: gave up")]
    assert faults_with(defect({"A-B-001": "gave up"}), rows) == [
        "A-B-001: did not fail",
        "also A-B-001 of a/test_a.py::test_a failed: error: TimeoutError: gave up",
    ]
    assert faults_with(defect({"A-B-001": "error: TimeoutError"}), rows) == []


def test_a_unit_test_is_a_check_whatever_ends_it() -> None:
    rows = [{**row("A-B-001", "error: it said so"), "target": "unit"}]
    assert faults_with(defect({"A-B-001": "it said so"}), rows) == []


def test_what_was_not_reached_may_follow_a_failed_check_only() -> None:
    missed = "not run: the scenario ended early: KeyError: 'x'"
    listed = defect({"A-B-001": "1 == 2"}, "a/test_a.py::test_a", "a/test_a.py::test_b")
    failed = row("A-B-001", "assert 1 == 2")
    assert faults_with(listed, [failed, row("A-B-002", missed)]) == []
    (also,) = faults_with(listed, [failed, row("A-B-002", missed, "a/test_a.py::test_b")])
    assert also.startswith("also A-B-002 of a/test_a.py::test_b failed: not run:")


def test_checks_of_other_scenarios_are_not_looked_at() -> None:
    rows = [row("A-B-001", "assert 1 == 2"), row("A-B-002", "assert 3 == 4", "a/test_a.py::test_and_more")]
    assert faults_with(defect({"A-B-001": "1 == 2"}), rows) == []


def test_without_the_defect_every_check_passes() -> None:
    listed = defect({"A-B-001": "1 == 2"})
    assert faults_without(listed, [row("A-B-001"), row("A-B-002", scenario="a/test_a.py::test_a[case]")]) == []
    assert faults_without(listed, []) == ["a/test_a.py::test_a: did not run", "A-B-001: not a check of the scenarios"]
    (failed,) = faults_without(listed, [row("A-B-001"), row("A-B-002", "assert 3 == 4")])
    assert failed == "without the defect A-B-002 of a/test_a.py::test_a failed: assert 3 == 4"


def test_families_without_a_defect_are_named() -> None:
    assert uncovered([defect({"A-B-002": "x"})], ["A-B-001", "A-B-002", "A-C-001", "A-D-001"]) == ["A-C", "A-D"]
