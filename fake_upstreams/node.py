"""A value of a script together with its place, so that every complaint can say where."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn

from .errors import ScriptError


class Node:
    """Reads one value as the kind that is wanted. Every method raises ScriptError when it is another kind."""

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    def fail(self, message: str) -> NoReturn:
        raise ScriptError(self.path, message)

    def members(self, known: Collection[str] | None = None) -> dict[str, Node]:
        """The members of a mapping, in their order; `known` lists the names that are allowed."""
        if not isinstance(self.value, Mapping):
            self.fail(f"must be a mapping, not {_kind(self.value)}")
        for name in self.value:
            if not isinstance(name, str):
                self.fail(f"the name {name!r} must be text")
            if known is not None and name not in known:
                Node(None, f"{self.path}.{name}").fail(f"is not known here; known: {', '.join(sorted(known))}")
        return {name: Node(value, f"{self.path}.{name}") for name, value in self.value.items()}

    def items(self) -> list[Node]:
        if not isinstance(self.value, Sequence) or isinstance(self.value, str | bytes):
            self.fail(f"must be a list, not {_kind(self.value)}")
        return [Node(value, f"{self.path}[{index}]") for index, value in enumerate(self.value)]

    def only_member(self, known: Collection[str]) -> tuple[str, Node]:
        """The single member of a mapping that must have exactly one."""
        members = self.members(known)
        if len(members) != 1:
            self.fail(f"must have exactly one of: {', '.join(sorted(known))}")
        return next(iter(members.items()))

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail(f"must be text, not {_kind(self.value)}")
        return self.value

    def optional_text(self) -> str | None:
        return None if self.value is None else self.text()

    def integer(self, least: int) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < least:
            self.fail(f"must be an integer from {least}, not {self.value!r}")
        return self.value

    def number(self) -> float:
        if not isinstance(self.value, int | float) or isinstance(self.value, bool) or self.value < 0:
            self.fail(f"must be a number from 0, not {self.value!r}")
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            self.fail(f"must be true or false, not {_kind(self.value)}")
        return self.value

    def one_of(self, choices: Collection[str]) -> str:
        if self.value not in choices:
            self.fail(f"must be one of {', '.join(choices)}, not {self.value!r}")
        return self.text()

    def octets(self) -> bytes:
        """Text (as UTF-8) or `{base64: ...}`."""
        if isinstance(self.value, str | bytes):
            return self.value.encode() if isinstance(self.value, str) else self.value
        return self.only_member(["base64"])[1].base64()

    def base64(self) -> bytes:
        try:
            return base64.b64decode(self.text(), validate=True)
        except binascii.Error as problem:
            self.fail(f"is no base64: {problem}")


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    names = {dict: "a mapping", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), type(value).__name__)
