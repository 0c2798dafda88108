"""The join of rules with checks, on plain values."""

import pytest

from tools.rules.coverage import check_faults, join, missing, snapshot_faults, stale
from tools.rules.model import Check, Outcome, Rule, RuleCoverage, State, Target

SCENARIO = Rule("ABC-ONE-001", "ABC", "000", "Letters", "scenario")
PROCESS = Rule("ABC-ONE-002", "ABC", "000", "Letters", "binary")
UNIT = Rule("ABC-ONE-003", "ABC", "000", "Letters", "unit")
OLD = Rule("ABC-OLD-001", "ABC", "000", "Letters", None, "superseded", "ABC-ONE-001")


def checks(rule: Rule, **outcomes: Outcome) -> list[Check]:
    """One check a target, each with that outcome."""
    targets: dict[str, Target] = {"binary": "binary", "module": "module", "unit": "unit", "url": "url"}
    return [Check(rule.id, "letters.py::test_order", targets[name], outcome) for name, outcome in outcomes.items()]


@pytest.mark.rule("CONF-COVER-001")
def test_a_scenario_counts_only_on_binary_and_module() -> None:
    both = checks(SCENARIO, binary="passed", module="passed")
    assert join([SCENARIO], both)[SCENARIO.id].state == "proven"
    assert join([SCENARIO], both[:1])[SCENARIO.id].state == "unproven"
    assert join([SCENARIO], both[1:])[SCENARIO.id].state == "unproven"
    assert join([SCENARIO], checks(SCENARIO, unit="passed"))[SCENARIO.id].state == "unproven"


@pytest.mark.parametrize(
    ("rule", "where", "state"),
    [
        (PROCESS, "binary", "proven"),
        (PROCESS, "module", "unproven"),
        (UNIT, "unit", "proven"),
        (UNIT, "binary", "unproven"),
        (UNIT, "url", "unproven"),
    ],
)
def test_each_proof_needs_its_target(rule: Rule, where: Target, state: State) -> None:
    assert join([rule], [Check(rule.id, "x", where, "passed")])[rule.id].state == state


@pytest.mark.rule("CONF-COVER-002")
def test_a_skipped_check_proves_nothing() -> None:
    assert join([SCENARIO], checks(SCENARIO, binary="passed", module="skipped"))[SCENARIO.id].state == "unproven"


@pytest.mark.rule("CONF-REPORT-003")
def test_one_failure_outweighs_every_pass() -> None:
    passes = checks(SCENARIO, binary="passed", module="passed") * 3
    joined = join([SCENARIO], [*passes, *checks(SCENARIO, module="failed")])[SCENARIO.id]
    assert (joined.state, joined.passed) == ("failed", ("binary",))


def test_another_gateways_run_does_not_count() -> None:
    both = checks(SCENARIO, binary="passed", module="passed")
    assert join([SCENARIO], [*both, *checks(SCENARIO, url="failed")])[SCENARIO.id].state == "proven"


def test_the_order_of_rules_and_checks_does_not_matter() -> None:
    some = [*checks(SCENARIO, binary="passed", module="passed"), *checks(UNIT, unit="passed")]
    one, other = join([SCENARIO, UNIT, OLD], some), join([OLD, UNIT, SCENARIO], some[::-1])
    assert list(one.items()) == list(other.items())


def test_cases_of_one_test_are_listed_once() -> None:
    cases = [Check(UNIT.id, f"letters.py::test_order[{case}]", "unit", "passed") for case in "abc"]
    assert join([UNIT], cases)[UNIT.id].scenarios == ("letters.py::test_order",)


@pytest.mark.rule("CONF-COVER-005")
def test_checks_of_rules_that_are_not_in_force_are_faults() -> None:
    unknown = Check("ABC-ONE-009", "x", "unit", "passed")
    faults = check_faults([SCENARIO, OLD], [unknown, Check(OLD.id, "y", "unit", "passed")])
    assert faults == [
        "x: checks ABC-ONE-009, which no rule has as its id",
        "y: checks ABC-OLD-001, which is superseded",
    ]


def test_a_snapshot_of_the_same_checks_is_fresh() -> None:
    fresh = join([SCENARIO, OLD], checks(SCENARIO, binary="passed", module="passed"))
    assert stale(fresh, dict(fresh)) == []
    assert snapshot_faults([SCENARIO, OLD], fresh) == []


@pytest.mark.rule("CONF-COVER-003")
def test_a_snapshot_of_other_checks_is_stale() -> None:
    fresh = join([SCENARIO], checks(SCENARIO, binary="passed", module="passed"))
    earlier = {SCENARIO.id: RuleCoverage("unproven", ("binary",))}
    assert stale(fresh, earlier) == [
        "coverage.json: ABC-ONE-001 is stale (unproven binary; the reports say proven binary module)"
    ]
    assert stale(fresh, {}) == ["coverage.json: ABC-ONE-001 is stale (absent; the reports say proven binary module)"]


def test_what_strict_refuses() -> None:
    states: list[State] = ["proven", "unproven", "failed", "superseded", "excluded"]
    assert missing({state: RuleCoverage(state) for state in states}) == ["failed: failed", "unproven: unproven"]
