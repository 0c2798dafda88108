"""The checker with reports of runs: freshness, update, strictness, unit results."""

import json
import re
from pathlib import Path

import pytest

from conformance.checks import CheckRecord, Outcome
from conformance.report import build_report, write_report
from tests.python.spec.support import PROVEN, ROOT, Run, Spec, check
from tools import check_rules
from tools.rules.files import read_rules

GTEST = """\
<testsuites><testsuite name="s">
  <testcase name="order" classname="letters" status="run" result="completed">
    <properties><property name="rules" value="ABC-ONE-002"/></properties>{inside}
  </testcase>
  <testcase name="other" classname="letters" status="run" result="completed"/>
</testsuite></testsuites>
"""


def test_the_committed_spec_is_well_formed(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_rules.main([]) == 0, capsys.readouterr().err


def test_update_makes_the_snapshot_fresh(spec: Spec, run: Run) -> None:
    report = spec.report(PROVEN)
    assert run("--report", report)[0] == 1
    code, out, _ = run("--report", report, "--update")
    assert code == 0
    assert "2 rules: 2 proven" in out
    assert run("--report", report) == (0, out, "")
    assert run()[0] == 0


def test_the_same_run_gives_the_same_bytes(spec: Spec, run: Run) -> None:
    run("--update", "--report", spec.report(PROVEN))
    first = (spec.folder / "coverage.json").read_bytes()
    run("--update", "--report", spec.report(PROVEN[::-1]))
    assert (spec.folder / "coverage.json").read_bytes() == first


def test_a_scenario_that_no_longer_passes_makes_the_snapshot_stale(spec: Spec, run: Run) -> None:
    run("--update", "--report", spec.report(PROVEN))
    code, _, err = run("--report", spec.report([*PROVEN[:1], check("ABC-ONE-001", "module", "failed"), PROVEN[2]]))
    assert code == 1
    assert "ABC-ONE-001 is stale (proven binary module; the reports say failed binary)" in err


def test_reports_of_several_runs_are_joined(spec: Spec, run: Run) -> None:
    first, second = spec.report(PROVEN[:1], "a.json"), spec.report(PROVEN[1:], "b.json")
    assert run("--report", first, "--report", second, "--update", "--strict")[0] == 0


@pytest.mark.rule("CONF-COVER-004")
@pytest.mark.parametrize("checks", [[], [check("ABC-ONE-001", "binary", "skipped")]])
def test_an_empty_report_changes_nothing(spec: Spec, run: Run, checks: list[dict[str, str]]) -> None:
    before = (spec.folder / "coverage.json").read_bytes()
    code, _, err = run("--update", "--report", spec.report(checks))
    assert code == 1
    assert "no check that ran" in err
    assert (spec.folder / "coverage.json").read_bytes() == before


def test_a_report_with_an_unknown_rule_changes_nothing(spec: Spec, run: Run) -> None:
    before = (spec.folder / "coverage.json").read_bytes()
    code, _, err = run("--update", "--report", spec.report([*PROVEN, check("ABC-ONE-009", "binary")]))
    assert code == 1
    assert "ABC-ONE-009, which no rule has as its id" in err
    assert (spec.folder / "coverage.json").read_bytes() == before


@pytest.mark.parametrize("text", ["{}", "not JSON", '{"format": 2, "suite": {}, "targets": [], "checks": []}'])
def test_a_report_that_its_schema_refuses_is_a_fault(spec: Spec, run: Run, text: str) -> None:
    spec.write("report.json", text)
    assert run("--report", str(spec.folder / "report.json"))[0] == 1


def test_strict_names_every_rule_without_proof(spec: Spec, run: Run) -> None:
    report = spec.report(PROVEN[:2])
    run("--update", "--report", report)
    code, _, err = run("--strict", "--report", report)
    assert (code, err) == (1, "ABC-ONE-002: unproven\n")
    assert run("--strict")[2] == "ABC-ONE-002: unproven\n"


@pytest.mark.parametrize(
    ("inside", "state"),
    [("", "proven"), ("<failure message='no'/>", "failed"), ("<skipped/>", "unproven")],
)
def test_unit_results_prove_rules(spec: Spec, run: Run, tmp_path: Path, inside: str, state: str) -> None:
    (tmp_path / "gtest").mkdir()
    (tmp_path / "gtest" / "a.xml").write_text(GTEST.format(inside=inside), encoding="utf-8")
    run("--update", "--report", spec.report(PROVEN[:2]), "--unit", str(tmp_path / "gtest"))
    snapshot = json.loads((spec.folder / "coverage.json").read_text(encoding="utf-8"))
    assert snapshot["rules"]["ABC-ONE-002"]["state"] == state


def test_a_missing_folder_of_unit_results_is_a_fault(spec: Spec, run: Run, tmp_path: Path) -> None:
    code, _, err = run("--report", spec.report(PROVEN), "--unit", str(tmp_path / "absent"))
    assert code == 1
    assert "no such file or folder" in err


def test_update_needs_a_report(run: Run) -> None:
    with pytest.raises(SystemExit):
        run("--update")


@pytest.mark.rule("CONF-REPORT-001")
def test_the_suites_report_fits_its_schema(spec: Spec, run: Run, tmp_path: Path) -> None:
    rows = [(one["rule"], one["scenario"], one["target"]) for one in PROVEN]
    records = [CheckRecord(*row, Outcome.PASSED) for row in rows]
    features = {target: ["streams"] for _, _, target in rows}
    write_report(build_report(features, records), tmp_path / "report.json")
    assert run("--update", "--strict", "--report", str(tmp_path / "report.json"))[0] == 0


def test_the_prose_names_every_rule_in_force_and_no_other() -> None:
    prose = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "spec").glob("*.md"))
    named = set(re.findall(r"\[([A-Z]+-[A-Z]+-[0-9]{3})\]", prose))
    assert named == {rule.id for rule in read_rules(ROOT / "spec") if rule.status is None}
