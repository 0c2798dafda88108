"""Reads the `chat` and `completion` shorthands, one key per builder of the module `chat`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import chat
from .node import Node
from .steps import Event, Step

_CHUNK_KEYS = ("extra", "index")


def parse_chat(node: Node) -> list[Step]:
    """A frame or a list of them: `role`, `usage`, `done`, `comment`, `finish` as words, or `{content: text}` etc."""
    nodes = node.items() if isinstance(node.value, list) else [node]
    return [_frame(item) for item in nodes]


def parse_completion(node: Node) -> list[Step]:
    """A JSON answer: its text, or a mapping of the arguments of `chat.completion`."""
    if isinstance(node.value, str):
        return [chat.completion(node.value)]
    members = node.members(["content", "extra", "finish_reason", "tool_calls", "usage"])
    return [
        chat.completion(
            content=members["content"].optional_text() if "content" in members else "hi",
            finish_reason=members["finish_reason"].text() if "finish_reason" in members else "stop",
            tool_calls=[call.value for call in members["tool_calls"].items()] if "tool_calls" in members else None,
            usage=_mapping(members.get("usage")),
            extra=_mapping(members.get("extra")),
        )
    ]


def _frame(node: Node) -> Event:
    if isinstance(node.value, str):
        return _WORDS[node.one_of(_WORDS)]()
    members = node.members([*_FRAMES, *_CHUNK_KEYS])
    kinds = [name for name in members if name in _FRAMES]
    if len(kinds) != 1:
        node.fail(f"must have exactly one of: {', '.join(_FRAMES)}")
    common: dict[str, Any] = {}
    if "index" in members:
        common["index"] = members["index"].integer(0)
    if "extra" in members:
        common["extra"] = _mapping(members["extra"])
    if common and kinds[0] not in _CHOICE_FRAMES:
        node.fail(f"index and extra do not go with {kinds[0]}")
    return _FRAMES[kinds[0]](members[kinds[0]], common)


def _tool_call(node: Node, common: dict[str, Any]) -> Event:
    members = node.members(["arguments", "call", "id", "name"])
    return chat.tool_call(
        name=members["name"].text() if "name" in members else None,
        arguments=members["arguments"].text() if "arguments" in members else "",
        call_id=members["id"].text() if "id" in members else None,
        call=members["call"].integer(0) if "call" in members else 0,
        **common,
    )


def _usage(node: Node, common: dict[str, Any]) -> Event:
    members = node.members(["completion", "prompt"])
    return chat.usage(
        members["prompt"].integer(0) if "prompt" in members else 1,
        members["completion"].integer(0) if "completion" in members else 1,
    )


def _error(node: Node, common: dict[str, Any]) -> Event:
    if isinstance(node.value, str):
        return chat.error(node.value)
    return Event({"error": _mapping(node)})


def _mapping(node: Node | None) -> dict[str, Any] | None:
    return None if node is None else {name: member.value for name, member in node.members().items()}


_WORDS: dict[str, Callable[[], Event]] = {
    "comment": chat.comment,
    "done": lambda: chat.DONE,
    "finish": chat.finish,
    "role": chat.role,
    "usage": chat.usage,
}
_FRAMES: dict[str, Callable[[Node, dict[str, Any]], Event]] = {
    "chunk": lambda node, common: chat.chunk(_mapping(node) or {}),
    "comment": lambda node, common: chat.comment(node.text()),
    "content": lambda node, common: chat.content(node.text(), **common),
    "delta": lambda node, common: chat.delta(_mapping(node) or {}, **common),
    "error": _error,
    "finish": lambda node, common: chat.finish(node.text(), **common),
    "reasoning": lambda node, common: chat.reasoning(node.text(), **common),
    "refusal": lambda node, common: chat.refusal(node.text(), **common),
    "role": lambda node, common: chat.delta({"role": node.text(), "content": ""}, **common),
    "tool_call": _tool_call,
    "usage": _usage,
}
_CHOICE_FRAMES = {"content", "delta", "finish", "reasoning", "refusal", "role", "tool_call"}
