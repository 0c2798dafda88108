"""A small spec/ that a test may damage."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]

RULES = """\
area: ABC
title: Letters
rules:
  - id: ABC-ONE-001
    text: The first letter comes first.
    level: must
    source: {page: "000", section: Letters}
    proof: scenario
  - id: ABC-ONE-002
    text: The second letter comes second.
    level: must
    source: {page: decision, section: order}
    proof: unit
"""
SUPERSEDED = """\
  - id: ABC-OLD-001
    text: The last letter comes first.
    source: {page: decision, section: order}
    status: superseded
    by: ABC-ONE-001
"""
EXCLUDED = """\
  - id: ABC-OUT-001
    text: Letters are beautiful.
    source: {page: decision, section: order}
    status: excluded
    reason: {kind: marketing, text: Praise that promises nothing.}
"""
SOURCES = """\
origins:
  decision: {title: Settled here, sections: [order]}
  wire: {title: Seen elsewhere, sections: []}
pages:
  - id: "000"
    title: Letters
    url: https://example.org/letters
    edition: The only one.
    sections:
      - title: Letters
        sentences:
          - {n: 1, hash: "0123456789ab", rules: [ABC-ONE-001]}
          - {n: 2, hash: "123456789abc", rules: [ABC-ONE-001], partly: the order}
          - {n: 3, hash: "23456789abcd", rules: []}
"""

Run = Callable[..., tuple[int, str, str]]


def check(rule: str, target: str, outcome: str = "passed", scenario: str = "letters.py::test_order") -> dict[str, str]:
    """One row of a report."""
    return {"rule": rule, "scenario": scenario, "target": target, "outcome": outcome}


PROVEN = [check("ABC-ONE-001", "binary"), check("ABC-ONE-001", "module"), check("ABC-ONE-002", "unit")]


class Spec:
    """A spec folder that a test may damage."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "spec" / "schemas", folder / "schemas")
        (folder / "rules").mkdir()
        self.write("rules/letters.yaml", RULES)
        self.write("sources.yaml", SOURCES)
        self.snapshot({"ABC-ONE-001": {"state": "unproven"}, "ABC-ONE-002": {"state": "unproven"}})

    def write(self, name: str, text: str) -> None:
        """Replaces a file."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        """Changes a file in one place, which must be there."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new, 1))

    def snapshot(self, rules: dict[str, Any]) -> None:
        """Replaces coverage.json."""
        self.write("coverage.json", json.dumps({"format": 1, "rules": rules}))

    def report(self, checks: list[dict[str, str]], name: str = "report.json") -> str:
        """Writes a report and returns its path."""
        targets = [
            {"name": target, "features": []} for target in sorted({one["target"] for one in checks} or {"binary"})
        ]
        suite = {"name": "letters", "version": "1"}
        self.write(name, json.dumps({"format": 1, "suite": suite, "targets": targets, "checks": checks}))
        return str(self.folder / name)
