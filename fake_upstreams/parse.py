"""Reads scripts: from YAML files, and from the mappings and lists that tests write in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import yaml

from .coding import CODINGS, Coding
from .errors import ScriptError
from .node import Node
from .parse_steps import STEPS, parse_step
from .reply import Expect, Framing, Reply, Script
from .sse import SseStyle
from .steps import Step

NEWLINES = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
FRAMINGS = ("chunked", "length", "close")
REPLY_KEYS = ("coding", "expect", "framing", "optional", "repeat", "sse", "steps", "times")
HOSTS = ("127.0.0.1", "::1")
SCRIPT_KEYS = ("host", "ordered", "port", "replies", "strict", "tls")
EXPECT_KEYS = ("body", "headers", "json", "method", "model", "path")

ReplyLike = Reply | Step | Mapping[str, Any] | Sequence[Any]
"""A reply, its data, its steps, or a single step."""
ScriptLike = Script | Mapping[str, Any] | Sequence[ReplyLike]


def load_file(path: Path) -> dict[str, Script]:
    """The upstreams of a file: a mapping from names to scripts. Raises ScriptError, OSError."""
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise ScriptError(str(path), f"is no YAML: {problem}") from None
    members = Node(document, str(path)).members()
    if not members:
        raise ScriptError(str(path), "names no upstream")
    return {name: parse_script(node.value, name) for name, node in members.items()}


def parse_script(script: ScriptLike, path: str = "script") -> Script:
    """A script from a list of replies or a mapping with `replies` and settings. Raises ScriptError."""
    if isinstance(script, Script):
        return script
    if not isinstance(script, Mapping):
        return Script(_replies(Node(script, path)))
    members = Node(script, path).members(SCRIPT_KEYS)
    return Script(
        replies=_replies(members["replies"]) if "replies" in members else (),
        strict=members["strict"].boolean() if "strict" in members else True,
        ordered=members["ordered"].boolean() if "ordered" in members else True,
        tls=members["tls"].boolean() if "tls" in members else False,
        port=members["port"].integer(0) if "port" in members else 0,
        host=members["host"].one_of(HOSTS) if "host" in members else HOSTS[0],
    )


def parse_reply(reply: ReplyLike, path: str = "reply") -> Reply:
    """A reply. Raises ScriptError."""
    if isinstance(reply, Reply):
        return reply
    node = Node(reply, path)
    if isinstance(reply, Step) or not isinstance(reply, Mapping):
        return Reply(_steps([node] if isinstance(reply, Step) else node.items()))
    members = node.members([*REPLY_KEYS, *STEPS])
    inline = [Node({name: member.value}, path) for name, member in members.items() if name in STEPS]
    steps = members["steps"].items() if "steps" in members else []
    return Reply(
        steps=_steps(inline) + _steps(steps),
        expect=parse_expect(members["expect"]) if "expect" in members else Expect(),
        times=_times(members),
        optional=members["optional"].boolean() if "optional" in members else False,
        framing=cast(Framing, members["framing"].one_of(FRAMINGS)) if "framing" in members else None,
        sse=_style(members["sse"]) if "sse" in members else SseStyle(),
        coding=cast(Coding, members["coding"].one_of(CODINGS)) if "coding" in members else None,
    )


def reply(
    *steps: Step | Mapping[str, Any] | Sequence[Step | Mapping[str, Any]],
    expect: Expect | Mapping[str, Any] | None = None,
    times: int | None = 1,
    optional: bool = False,
    framing: Framing | None = None,
    sse: SseStyle | None = None,
    coding: Coding | None = None,
) -> Reply:
    """A reply in Python: steps, their data, or lists of both; `times=None` repeats it. Raises ScriptError."""
    flat: list[Any] = []
    for step in steps:
        flat += [step] if isinstance(step, Step | Mapping) else step
    wanted = expect if isinstance(expect, Expect) else parse_expect(Node(expect or {}, "reply.expect"))
    return Reply(_steps(Node(flat, "reply").items()), wanted, times, optional, framing, sse or SseStyle(), coding)


def parse_expect(node: Node) -> Expect:
    members = node.members(EXPECT_KEYS)
    headers = members["headers"].members() if "headers" in members else {}
    return Expect(
        method=members["method"].text() if "method" in members else None,
        path=members["path"].text() if "path" in members else None,
        headers={name: member.optional_text() for name, member in headers.items()},
        model=members["model"].text() if "model" in members else None,
        json=members["json"].value if "json" in members else None,
        body=members["body"].octets() if "body" in members else None,
    )


def _replies(node: Node) -> tuple[Reply, ...]:
    return tuple(parse_reply(item.value, item.path) for item in node.items())


def _steps(nodes: list[Node]) -> tuple[Step, ...]:
    return tuple(step for node in nodes for step in parse_step(node))


def _times(members: dict[str, Node]) -> int | None:
    if "repeat" in members and "times" in members:
        members["repeat"].fail("cannot stand beside times")
    if "repeat" in members:
        return None if members["repeat"].boolean() else 1
    return members["times"].integer(1) if "times" in members else 1


def _style(node: Node) -> SseStyle:
    members = node.members(["bom", "newline", "space"])
    return SseStyle(
        newline=NEWLINES[members["newline"].one_of(NEWLINES)] if "newline" in members else "\n",
        space=members["space"].boolean() if "space" in members else True,
        bom=members["bom"].boolean() if "bom" in members else False,
    )
