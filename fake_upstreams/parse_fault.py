"""Makes faults from data: `fault: name`, `fault: {name: {argument: value}}`, or `fault: {name: value}`.

The arguments of a fault are the fields of its dataclass; a bare value is its first field.
"""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

from .faults import FAULTS
from .node import Node
from .steps import Fault


def parse_fault(node: Node) -> Fault:
    """The fault that an entry names. Raises ScriptError."""
    if isinstance(node.value, str):
        return FAULTS[node.one_of(FAULTS)]()
    name, member = node.only_member(FAULTS)
    kind = FAULTS[name]
    fields = [field.name for field in dataclasses.fields(kind)]
    if isinstance(member.value, dict) and set(member.value) != {"base64"}:
        given = member.members(fields)
    elif fields:
        given = {fields[0]: member}
    else:
        member.fail(f"{name} takes no arguments")
    types = typing.get_type_hints(kind)
    return kind(**{field: _argument(value, types[field]) for field, value in given.items()})


def _argument(node: Node, kind: Any) -> Any:
    if kind is int:
        return node.integer(0)
    if kind is bool:
        return node.boolean()
    if kind is bytes:
        return node.octets()
    if kind == tuple[int, ...]:
        return tuple(item.integer(0) for item in node.items())
    if typing.get_origin(kind) is typing.Literal:
        return node.one_of(typing.get_args(kind))
    if typing.get_origin(kind) is not None or isinstance(kind, type(str | None)):
        inner = next(one for one in typing.get_args(kind) if one is not type(None))
        return None if node.value is None else _argument(node, inner)
    return node.number() if kind is float else node.text()
