"""How defects are declared, and that those of this repository fit its rules, scenarios and sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.defects.change import Change
from conformance.defects.declaration import DeclarationError, Defect, Patch, read_defects
from conformance.defects.judgement import uncovered
from conformance.defects.suite import ROOT, node_id, write_stand_in
from tests.fuzz.defects import SeededDefect
from tests.fuzz.defects import read_defects as read_seeded_defects
from tools.rules.files import read_rules

ROW = """
- name: broken
  says: It is broken.
  change: {status: 500}
  scenarios: ["a/test_a.py::test_a"]
  fails: {A-B-001: "500"}
"""
PATCH = "patch: [{file: a.cpp, old: a, new: b}]"


def read(directory: Path, text: str) -> list[Defect]:
    (directory / "some.yaml").write_text(text)
    return read_defects(directory)


def test_a_row_says_what_is_broken_and_what_must_fail(tmp_path: Path) -> None:
    (defect,) = read(tmp_path, ROW)
    assert (defect.name, defect.kind, defect.scenarios) == ("broken", "wire", ("a/test_a.py::test_a",))
    assert defect.fails == {"A-B-001": "500"}


def test_a_row_with_a_patch_is_a_decision(tmp_path: Path) -> None:
    (defect,) = read(tmp_path, ROW.replace("change: {status: 500}", PATCH))
    assert defect.kind == "decision"
    assert defect.how == (Patch("a.cpp", "a", "b"),)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("  says: It is broken.\n", "", "no says"),
        ("change: {status: 500}", "change: {stauts: 500}", "unknown change: stauts"),
        ("change: {status: 500}", "chance: {}", "no change"),
        ("change: {status: 500}", "patch: []", "expected a list of places"),
        ("change: {status: 500}", "patch: [{file: a.cpp}]", "a patch has file, old and new"),
        ('fails: {A-B-001: "500"}', "fails: {}", "needs scenarios and checks"),
        ('"500"', "500", "expected text, not 500"),
        ("  scenarios", "  more: 1\n  scenarios", "unknown more"),
        (ROW, ROW + ROW, "declared twice: broken"),
        (ROW, "name: broken", "expected a list"),
    ],
)
def test_a_bad_row_is_refused_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        read(tmp_path, ROW.replace(old, new))


def test_a_patch_needs_its_one_place() -> None:
    assert Patch("a.cpp", "a == b", "a != b").apply("if (a == b)") == "if (a != b)"
    for text in ("if (a)", "a == b, a == b"):
        with pytest.raises(DeclarationError, match=r"a\.cpp"):
            Patch("a.cpp", "a == b", "a != b").apply(text)


def test_scenarios_are_found_by_the_names_of_reports() -> None:
    assert node_id("keys/test_keys.py::test_a") == "conformance/scenarios/keys/test_keys.py::test_a"
    assert node_id("sdk/test_openai.py::test_a[sync]") == "conformance/sdk/test_openai.py::test_a[sync-binary]"


def test_a_stand_in_is_an_executable(tmp_path: Path) -> None:
    file = write_stand_in(tmp_path / "x", tmp_path / "it's", {"status": 500})
    assert file.stat().st_mode & 0o111
    assert file.read_text().endswith("""/it'\\''s' '{"status": 500}' "$@"\n""")


DECLARED = read_defects()
RULES = [rule.id for rule in read_rules(ROOT / "spec") if rule.status is None]


@pytest.mark.parametrize("defect", DECLARED, ids=lambda defect: defect.name)
def test_declared_defects_fit_the_repository(defect: Defect) -> None:
    assert set(defect.fails) <= set(RULES)
    for scenario in defect.scenarios:
        file, _, test = (scenario if scenario.startswith("tests/") else node_id(scenario)).partition("::")
        name = test.partition("[")[0] if file.endswith(".py") else test.replace(".", ", ")
        assert name in (ROOT / file).read_text(encoding="utf-8"), scenario
        assert defect.kind == "decision" or not scenario.startswith("tests/"), scenario
    for patch in () if isinstance(defect.how, Change) else defect.how:
        patch.apply((ROOT / patch.file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("defect", read_seeded_defects(), ids=lambda defect: defect.says)
def test_seeded_defects_of_the_fuzzers_fit_the_repository(defect: SeededDefect) -> None:
    for patch in defect.patches:
        patch.apply((ROOT / patch.file).read_text(encoding="utf-8"))


def test_every_family_of_rules_has_a_defect() -> None:
    assert uncovered(DECLARED, RULES) == []
