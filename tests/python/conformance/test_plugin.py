"""The plugin, in runs of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["pytester"]

FAKE = Path(__file__).with_name("fake_gateway.py")


@pytest.fixture
def run(pytester: pytest.Pytester) -> Any:
    (pytester.path / "rules").mkdir()
    (pytester.path / "rules" / "a.yaml").write_text("- {id: AB-CDE-001}\n- {id: AB-CDE-002}\n")

    def run_scenario(source: str, *arguments: str) -> tuple[pytest.RunResult, list[dict[str, Any]]]:
        pytester.makepyfile("import pytest\n" + source)
        report = pytester.path / "report.json"
        common = ["-p", "conformance.plugin", "--rules", "rules", "--turnout-report", str(report)]
        result = pytester.runpytest_inprocess(*common, "--turnout-binary", str(FAKE), *arguments)
        checks = json.loads(report.read_text())["checks"] if report.exists() else []
        return result, checks

    return run_scenario


TWO_CHECKS = """
@pytest.mark.rule("AB-CDE-001", "AB-CDE-002")
@pytest.mark.parametrize("status", [200], ids=["ok"])
def test_it(check, target, status):
    with check("AB-CDE-001"):
        assert status == 200
    with check("AB-CDE-002"):
        assert status == 404, "unknown models are not found"
"""


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=["in one process", "in two"])
@pytest.mark.rule("CONF-REPORT-002")
def test_each_scenario_runs_on_each_target_and_each_check_is_reported(run: Any, arguments: Sequence[str]) -> None:
    result, checks = run(TWO_CHECKS, *arguments)
    result.assert_outcomes(failed=2)
    assert {check["scenario"].partition("::")[2] for check in checks} == {"test_it[ok]"}
    rows = [(check["target"], check["rule"], check["outcome"]) for check in checks]
    assert rows == [
        ("binary", "AB-CDE-001", "passed"),
        ("binary", "AB-CDE-002", "failed"),
        ("module", "AB-CDE-001", "passed"),
        ("module", "AB-CDE-002", "failed"),
    ]
    assert "unknown models are not found" in checks[1]["message"]
    result.stdout.fnmatch_lines(["*AB-CDE-002: unknown models are not found*"])


def test_targets_can_be_selected(run: Any) -> None:
    result, checks = run(TWO_CHECKS, "--target", "module")
    result.assert_outcomes(failed=1)
    assert {check["target"] for check in checks} == {"module"}


@pytest.mark.parametrize(
    ("marker", "problem"),
    [
        ("@pytest.mark.rule('AB-CDE-003')", "*unknown rule AB-CDE-003*"),
        ("", "*no @pytest.mark.rule*"),
        ("@pytest.mark.rule('AB-CDE-001')\n@pytest.mark.needs('wings')", "*unknown feature wings*"),
    ],
)
def test_a_scenario_that_cannot_be_counted_fails_collection(run: Any, marker: str, problem: str) -> None:
    # The url target, since it is offered every scenario.
    arguments = ("--target", "url", "--target-url", "http://127.0.0.1:1")
    result, _ = run(f"{marker}\ndef test_it(check):\n    pass\n", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([problem])


def test_a_scenario_that_breaks_leaves_its_rules_not_run(run: Any) -> None:
    source = """
@pytest.mark.rule("AB-CDE-001")
def test_it(check):
    raise RuntimeError("no answer")
"""
    result, checks = run(source, "--target", "binary")
    result.assert_outcomes(failed=1)
    assert [(check["outcome"], check["message"]) for check in checks] == [
        ("failed", "not run: the scenario ended early: RuntimeError: no answer")
    ]


def test_a_broken_fixture_leaves_the_rules_not_run(run: Any) -> None:
    source = """
@pytest.fixture
def broken():
    raise RuntimeError("no port")

@pytest.mark.rule("AB-CDE-001")
def test_it(check, broken):
    pass
"""
    result, checks = run(source, "--target", "binary")
    result.assert_outcomes(errors=1)
    assert [(check["outcome"], check["message"]) for check in checks] == [
        ("failed", "not run: the scenario ended early: RuntimeError: no port")
    ]


NEEDS_STOP = """
@pytest.mark.rule("AB-CDE-001")
@pytest.mark.needs("cli")
def test_it(check):
    with check("AB-CDE-001"):
        assert True
"""


@pytest.mark.rule("CONF-TARGET-001")
def test_what_a_foreign_gateway_lacks_is_skipped_with_the_reason(run: Any) -> None:
    result, checks = run(NEEDS_STOP, "--target-url", "http://127.0.0.1:1")
    result.assert_outcomes(skipped=1)
    assert [(check["outcome"], check["message"]) for check in checks] == [("skipped", "declared lacking: cli")]


def test_a_unit_test_proves_the_rules_of_its_marker_as_a_whole(run: Any) -> None:
    source = """
@pytest.mark.rule("AB-CDE-001")
def test_good():
    assert True

@pytest.mark.rule("AB-CDE-002")
def test_bad():
    assert [] == [1]
"""
    result, checks = run(source)
    result.assert_outcomes(passed=1, failed=1)
    assert [(check["target"], check["rule"], check["outcome"]) for check in checks] == [
        ("unit", "AB-CDE-002", "failed"),
        ("unit", "AB-CDE-001", "passed"),
    ]
    result.stdout.fnmatch_lines(["*assert [[]] == [[]1]*"])


def test_a_scenario_about_the_command_line_runs_on_the_binary_only(run: Any) -> None:
    result, checks = run(NEEDS_STOP)
    result.assert_outcomes(passed=1)
    assert [check["target"] for check in checks] == ["binary"]
