"""Every kind of fault that a file of spec/ can have is found and named."""

import pytest

from tests.python.spec.support import EXCLUDED, RULES, SUPERSEDED, Run, Spec


def test_a_whole_spec_has_no_fault(run: Run) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "2 rules: 2 unproven" in out
    assert "page 000: 3 sentences, 1 covered, 1 in part, 1 open" in out


def test_superseded_and_excluded_rules_need_no_proof(spec: Spec, run: Run) -> None:
    spec.write("rules/letters.yaml", RULES + SUPERSEDED + EXCLUDED)
    states = {"ABC-ONE-001": "unproven", "ABC-ONE-002": "unproven", "ABC-OLD-001": "superseded"}
    spec.snapshot({rule: {"state": state} for rule, state in (states | {"ABC-OUT-001": "excluded"}).items()})
    assert run()[0] == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("rules/letters.yaml", "ABC-ONE-002", "ABC-ONE-001", "ABC-ONE-001: 2 rules have this id"),
        ("rules/letters.yaml", "ABC-ONE-002", "ABC-one-2", "'ABC-one-2' does not match"),
        ("rules/letters.yaml", "ABC-ONE-002", "XYZ-ONE-002", "does not begin with its file's area ABC"),
        ("rules/letters.yaml", "proof: unit", "proof: hearsay", "'hearsay'"),
        ("rules/letters.yaml", "    level: must\n", "", "is not valid under any of the given schemas"),
        ("rules/letters.yaml", "    level: must\n", "    level: must\n    colour: red\n", "'colour' was unexpected"),
        ("rules/letters.yaml", "section: order", "section: taste", "lists no section 'taste' of decision"),
        ("rules/letters.yaml", "page: decision", "page: hearsay", "'hearsay' is not one of"),
        ("rules/letters.yaml", "area: ABC", "area: [", "letters.yaml"),
        ("sources.yaml", "[ABC-ONE-001]", "[ABC-ONE-009]", "sentence 1: ABC-ONE-009 is no rule's id"),
        ("sources.yaml", "n: 2", "n: 4", "sentence 4 stands where 2 should"),
        ("sources.yaml", "rules: []", "rules: [], partly: the end", "sentence 3: partly, but by no rule"),
        ("sources.yaml", "partly: the order", "partly: true", "True is not of type 'string'"),
        ("sources.yaml", '"0123456789ab"', '"short"', "'short' does not match"),
        (
            "sources.yaml",
            "title: Letters\n        sent",
            "title: Others\n        sent",
            "lists no section 'Letters' of 000",
        ),
        ("coverage.json", "ABC-ONE-002", "ABC-ONE-003", "ABC-ONE-003 is no rule's id"),
        ("coverage.json", "ABC-ONE-002", "ABC-ONE-003", "ABC-ONE-002 is not listed"),
        ("coverage.json", '"unproven"', '"proven"', "listed as proven without a pass on every target"),
        ("coverage.json", '"unproven"', '"superseded"', "is listed as superseded and is in force"),
        ("coverage.json", '"unproven"', '"well"', "'well' is not one of"),
        ("coverage.json", "{", "", "coverage.json"),
    ],
)
def test_a_fault_is_named(spec: Spec, run: Run, file: str, old: str, new: str, fault: str) -> None:
    spec.replace(file, old, new)
    code, _, err = run()
    assert code == 1
    assert fault in err


def test_a_rule_that_no_sentence_names_is_a_fault(spec: Spec, run: Run) -> None:
    spec.replace("sources.yaml", "rules: [ABC-ONE-001]}", "rules: []}")
    spec.replace("sources.yaml", "rules: [ABC-ONE-001], partly: the order", "rules: []")
    code, _, err = run()
    assert code == 1
    assert "ABC-ONE-001: no sentence in section 'Letters' of page 000 names it" in err


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (SUPERSEDED.replace("by: ABC-ONE-001", "by: ABC-ONE-007"), "by ABC-ONE-007, which no rule has as its id"),
        (SUPERSEDED.replace("by: ABC-ONE-001", "by: ABC-OLD-001"), "by ABC-OLD-001, which is superseded itself"),
        (SUPERSEDED.replace("    by: ABC-ONE-001\n", ""), "is not valid under any of the given schemas"),
        (EXCLUDED.replace("    reason: {kind: marketing, text: Praise that promises nothing.}\n", ""), "is not valid"),
    ],
)
def test_a_row_out_of_force_says_why(spec: Spec, run: Run, rows: str, fault: str) -> None:
    spec.write("rules/letters.yaml", RULES + rows)
    code, _, err = run()
    assert code == 1
    assert fault in err


@pytest.mark.rule("CONF-RULES-001")
def test_only_marketing_and_other_products_are_excluded(spec: Spec, run: Run) -> None:
    spec.write("rules/letters.yaml", RULES + EXCLUDED.replace("marketing", "too-hard"))
    code, _, err = run()
    assert code == 1
    assert "'too-hard' is not one of ['marketing', 'other-product']" in err


def test_every_file_with_a_fault_is_named(spec: Spec, run: Run) -> None:
    spec.write("rules/a.yaml", "area: A1\n")
    spec.write("rules/b.yaml", "area: B1\n")
    _, _, err = run()
    assert "a.yaml" in err
    assert "b.yaml" in err


def test_a_spec_without_rules_is_a_fault(spec: Spec, run: Run) -> None:
    (spec.folder / "rules" / "letters.yaml").unlink()
    code, _, err = run()
    assert code == 1
    assert "no rules" in err
