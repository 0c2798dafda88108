"""Every scenario has the form that makes its checks count."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.rules import RULES_DIRECTORY

SUITE = Path(__file__).resolve().parents[3] / "conformance"
FILES = sorted([*(SUITE / "scenarios").rglob("test_*.py"), *(SUITE / "sdk").rglob("test_*.py")])


def checks(tree: ast.AST) -> Iterator[ast.With]:
    """The blocks `with check(...)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and any(_is_check(item.context_expr) for item in node.items):
            yield node


def _is_check(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name) and expression.func.id == "check"


def asserts(statement: ast.stmt) -> bool:
    """Whether a statement asserts whenever it runs: an assert, a helper that is named as one, or an expected error."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        name = ast.unparse(statement.value.func)
        return name.startswith(("assert_", "served_by_")) or name.endswith((".stop_by", ".stop"))
    if isinstance(statement, ast.With):
        return "pytest.raises" in ast.unparse(statement.items[0])
    if isinstance(statement, ast.For):
        return any(asserts(inner) for inner in statement.body)
    return isinstance(statement, ast.Assert)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SUITE)))
def test_every_check_asserts_without_condition(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    blocks = list(checks(tree))
    assert blocks
    idle = [f"line {block.lineno}" for block in blocks if not any(asserts(statement) for statement in block.body)]
    assert idle == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SUITE)))
def test_nothing_waits_for_real_time(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert "sleep(" not in text
    assert "Pause(milliseconds" not in text


def test_folders_are_named_after_the_rule_files() -> None:
    areas = {file.stem.replace("-", "_") for file in RULES_DIRECTORY.glob("*.yaml")}
    folders = {file.parent.name for file in FILES if file.parent.name != "sdk"}
    assert folders <= areas
