"""Reading rule ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.rules import RULES_DIRECTORY, RulesError, load_rule_ids


def test_ids_of_all_files_are_joined(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("- {id: AB-CDE-001}\n- {id: AB-CDE-002}\n")
    (tmp_path / "c.yaml").write_text("area: c\nrules:\n  - {id: C-D-001}\n")
    assert load_rule_ids(tmp_path) == {"AB-CDE-001", "AB-CDE-002", "C-D-001"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "no rules found"),
        ("- {id: AB-CDE-001}\n- {id: AB-CDE-001}", "declared twice: AB-CDE-001"),
        ("- {text: x}", "row 0 has no id"),
        ("text: x", "expected a list"),
    ],
)
def test_files_that_would_prove_nothing_are_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(RulesError, match=problem):
        load_rule_ids(tmp_path)


def test_the_repository_has_rules() -> None:
    assert load_rule_ids(RULES_DIRECTORY)
