"""Declared defects: what is broken, which scenarios look at it, and which of their checks must fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from conformance.defects.change import Change, ChangeError

DECLARATIONS = Path(__file__).resolve().parent / "declared"


class DeclarationError(Exception):
    """A declaration cannot be read; the message names its place."""


@dataclass(frozen=True)
class Patch:
    """One place of one source file, changed."""

    file: str  # relative to the repository
    old: str  # occurs exactly once in the file
    new: str

    def apply(self, text: str) -> str:
        """The patched text of the file. Raises DeclarationError if `old` is not there exactly once."""
        count = text.count(self.old)
        if count != 1:
            raise DeclarationError(f"{self.file}: {self.old!r} is there {count} times")
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Defect:
    """One way in which a gateway may be broken."""

    name: str
    says: str  # one sentence: what is broken
    how: Change | tuple[Patch, ...]
    scenarios: tuple[str, ...]  # names as in a report, without parameters for all of them
    fails: Mapping[str, str]  # rule id to a part of the message by which its check fails

    @property
    def kind(self) -> str:
        """`wire` for a change of what goes over the wire, `decision` for patches."""
        return "wire" if isinstance(self.how, Change) else "decision"


def read_defects(directory: Path = DECLARATIONS) -> list[Defect]:
    """Reads every declaration under `directory`. Raises DeclarationError."""
    defects: list[Defect] = []
    for file in sorted(directory.glob("*.yaml")):
        rows = yaml.safe_load(file.read_text(encoding="utf-8"))
        if not isinstance(rows, list):
            raise DeclarationError(f"{file.name}: expected a list of defects")
        defects += [_defect(row, f"{file.name}[{number}]") for number, row in enumerate(rows)]
    names = [defect.name for defect in defects]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DeclarationError(f"declared twice: {', '.join(twice)}")
    return defects


def _defect(row: Any, place: str) -> Defect:
    if not isinstance(row, dict):
        raise DeclarationError(f"{place}: expected a mapping")
    rest = dict(row)
    try:
        name, says = _text(rest.pop("name")), _text(rest.pop("says"))
        place = f"{place} {name}"
        scenarios = tuple(_text(scenario) for scenario in rest.pop("scenarios"))
        fails = {_text(rule): _text(part) for rule, part in rest.pop("fails").items()}
        how = _patches(rest.pop("patch")) if "patch" in rest else Change.parse(rest.pop("change"))
    except KeyError as error:
        raise DeclarationError(f"{place}: no {error.args[0]}") from error
    except (ChangeError, TypeError, AttributeError) as error:
        raise DeclarationError(f"{place}: {error}") from error
    if rest:
        raise DeclarationError(f"{place}: unknown {', '.join(sorted(rest))}")
    if not scenarios or not fails:
        raise DeclarationError(f"{place}: needs scenarios and checks that fail")
    return Defect(name, says, how, scenarios, fails)


def _patches(given: object) -> tuple[Patch, ...]:
    if not isinstance(given, list) or not given:
        raise TypeError(f"expected a list of places, not {given!r}")
    for place in given:
        if set(place) != {"file", "old", "new"}:
            raise TypeError("a patch has file, old and new")
    return tuple(Patch(_text(place["file"]), _text(place["old"]), str(place["new"])) for place in given)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"expected text, not {value!r}")
    return value
