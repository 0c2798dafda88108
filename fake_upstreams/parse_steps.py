"""Reads one entry of `steps`; `chat` and `stream` make several steps of one entry."""

from __future__ import annotations

from collections.abc import Callable

from . import chat
from .node import Node
from .parse_chat import parse_chat, parse_completion
from .parse_fault import parse_fault
from .steps import Body, Bytes, Event, Headers, Pause, Repeated, Status, Step
from .websocket import Leave, Upgrade


def parse_step(node: Node) -> list[Step]:
    """The steps that an entry stands for: a Step as it is, or a mapping with one step and perhaps `times`."""
    if isinstance(node.value, Step):
        return [node.value]
    members = node.members([*STEPS, "times"])
    times = members.pop("times", None)
    if len(members) != 1:
        node.fail(f"must have exactly one of: {', '.join(STEPS)}")
    name, member = next(iter(members.items()))
    steps = STEPS[name](member)
    if times is None:
        return steps
    if len(steps) == 1:
        return [Repeated(steps[0], times.integer(1))]
    return steps * times.integer(1)


def _status(node: Node) -> list[Step]:
    if not isinstance(node.value, dict):
        return [Status(_code(node))]
    members = node.members(["code", "reason"])
    if "code" not in members:
        node.fail("must have code")
    return [Status(_code(members["code"]), members["reason"].text() if "reason" in members else None)]


def _code(node: Node) -> int:
    code = node.integer(200)
    if code > 999:
        node.fail(f"must be at most 999, not {code}")
    return code


def _headers(node: Node) -> list[Step]:
    fields: dict[str, str | int | list[str]] = {}
    for name, member in node.members().items():
        if isinstance(member.value, list):
            fields[name] = [item.text() for item in member.items()]
        else:
            fields[name] = member.integer(0) if isinstance(member.value, int) else member.text()
    return [Headers(fields)]


def _body(node: Node) -> list[Step]:
    if isinstance(node.value, str):
        return [Body.text(node.value)]
    kind, member = node.only_member(["base64", "json", "text"])
    if kind == "json":
        return [Body.json(member.value)]
    return [Body.text(member.text()) if kind == "text" else Body(member.base64())]


def _event(node: Node) -> list[Step]:
    if isinstance(node.value, str):
        return [Event(node.value)]
    members = node.members(["comment", "data", "id", "name", "raw"])
    if not members:
        node.fail("must have one of: comment, data, id, name, raw")
    if "raw" in members:
        if len(members) > 1:
            node.fail("raw must stand alone")
        return [Event(raw=members["raw"].octets())]
    texts = {name: member.text() for name, member in members.items() if name != "data"}
    data = members["data"].value if "data" in members else None
    return [Event(data, texts.get("name"), texts.get("id"), texts.get("comment"))]


def _pause(node: Node) -> list[Step]:
    if not isinstance(node.value, dict):
        return [Pause(node.number())]
    members = node.members(["milliseconds", "until"])
    if not members:
        node.fail("must have milliseconds, until, or both")
    return [
        Pause(
            members["milliseconds"].number() if "milliseconds" in members else None,
            members["until"].text() if "until" in members else None,
        )
    ]


def _stream(node: Node) -> list[Step]:
    return chat.stream(*(item.text() for item in node.items()))


def _upgrade(node: Node) -> list[Step]:
    return [Upgrade({name: member.text() for name, member in node.members().items()})]


def _leave(node: Node) -> list[Step]:
    if not isinstance(node.value, dict):
        return [Leave(node.integer(1000))]
    members = node.members(["code", "reason"])
    if "code" not in members:
        node.fail("must have code")
    return [Leave(members["code"].integer(1000), members["reason"].text() if "reason" in members else "")]


STEPS: dict[str, Callable[[Node], list[Step]]] = {
    "body": _body,
    "bytes": lambda node: [Bytes(node.octets())],
    "chat": parse_chat,
    "completion": parse_completion,
    "event": _event,
    "fault": lambda node: [parse_fault(node)],
    "headers": _headers,
    "leave": _leave,
    "pause": _pause,
    "status": _status,
    "stream": _stream,
    "upgrade": _upgrade,
}
