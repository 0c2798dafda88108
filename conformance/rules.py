"""The declared rules: which ids exist, read from `spec/rules/*.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

RULES_DIRECTORY = Path(__file__).resolve().parent.parent / "spec" / "rules"


class RulesError(Exception):
    """The rule files cannot be read as lists of rows with ids."""


def load_rule_ids(directory: Path = RULES_DIRECTORY) -> frozenset[str]:
    """Returns every rule id declared under `directory`.

    Raises RulesError if there is no rule, since a run against none would look green, or if an id is there twice.
    """
    ids: list[str] = []
    for path in sorted(directory.glob("*.yaml")):
        ids.extend(_ids_in(path))
    if not ids:
        raise RulesError(f"{directory}: no rules found")
    twice = sorted({rule for rule in ids if ids.count(rule) > 1})
    if twice:
        raise RulesError(f"{directory}: declared twice: {', '.join(twice)}")
    return frozenset(ids)


def _ids_in(path: Path) -> list[str]:
    document: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    rows = document.get("rules") if isinstance(document, dict) else document
    if not isinstance(rows, list):
        raise RulesError(f"{path}: expected a list of rules")
    ids = []
    for number, row in enumerate(rows):
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            raise RulesError(f"{path}: row {number} has no id")
        ids.append(row["id"])
    return ids
