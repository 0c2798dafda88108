"""Chat Completions as steps: the frames of a stream and the JSON answer.

The frames are the smallest that providers send; `role`, `content`, `finish`, `usage`, `DONE` make the order of OpenAI.
Every function takes `index` (the choice) and `extra` (members merged into the chunk) where it makes a chunk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .steps import Body, Event, Status, Step

ID = "chatcmpl-fake"
CREATED = 1700000000
MODEL = "fake-model"

DONE = Event("[DONE]")
"""The end marker `data: [DONE]`."""


def chunk(members: Mapping[str, Any]) -> Event:
    """A frame with these members in place of the usual ones (id, object, created, model, choices)."""
    usual = {"id": ID, "object": "chat.completion.chunk", "created": CREATED, "model": MODEL, "choices": []}
    return Event({**usual, **members})


def delta(
    delta: Mapping[str, Any], index: int = 0, finish_reason: str | None = None, extra: Mapping[str, Any] | None = None
) -> Event:
    """A frame with one choice."""
    choice = {"index": index, "delta": dict(delta), "finish_reason": finish_reason}
    return chunk({"choices": [choice], **(extra or {})})


def role(index: int = 0, extra: Mapping[str, Any] | None = None) -> Event:
    """The first frame: role and empty content."""
    return delta({"role": "assistant", "content": ""}, index, extra=extra)


def content(text: str, index: int = 0, extra: Mapping[str, Any] | None = None) -> Event:
    return delta({"content": text}, index, extra=extra)


def reasoning(
    text: str, index: int = 0, extra: Mapping[str, Any] | None = None, field: str = "reasoning_content"
) -> Event:
    """Thinking, in the field of DeepSeek, xAI and others; OpenRouter, vLLM, Groq call it `reasoning`."""
    return delta({field: text}, index, extra=extra)


def refusal(text: str, index: int = 0, extra: Mapping[str, Any] | None = None) -> Event:
    return delta({"refusal": text}, index, extra=extra)


def tool_call(
    name: str | None = None,
    arguments: str = "",
    call_id: str | None = None,
    call: int = 0,
    index: int = 0,
    extra: Mapping[str, Any] | None = None,
) -> Event:
    """A fragment of the tool call at place `call`: with a name it opens the call, without it adds arguments."""
    if name is None:
        fragment: dict[str, Any] = {"index": call, "function": {"arguments": arguments}}
    else:
        function = {"name": name, "arguments": arguments}
        fragment = {"index": call, "id": call_id or f"call_{call}", "type": "function", "function": function}
    return delta({"tool_calls": [fragment]}, index, extra=extra)


def finish(reason: str = "stop", index: int = 0, extra: Mapping[str, Any] | None = None) -> Event:
    """The last frame of a choice."""
    return delta({}, index, reason, extra)


def usage(prompt_tokens: int = 1, completion_tokens: int = 1) -> Event:
    """The frame with usage and no choices."""
    return chunk({"usage": tokens(prompt_tokens, completion_tokens)})


def tokens(prompt_tokens: int = 1, completion_tokens: int = 1) -> dict[str, int]:
    """The usage object, for `extra`, `chunk` and `completion`."""
    total = prompt_tokens + completion_tokens
    return {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens, "total_tokens": total}


def error(message: str, code: str | int | None = "server_error", kind: str = "server_error") -> Event:
    """An error in a stream whose status was 200."""
    return Event({"error": error_object(message, code, kind)})


def comment(text: str = "keep-alive") -> Event:
    """A comment line, as providers send to keep connections open."""
    return Event(comment=text)


def stream(*texts: str) -> list[Step]:
    """A whole answer: role, one content frame per text, finish, usage, the end marker."""
    return [role(), *(content(text) for text in texts), finish(), usage(), DONE]


def completion(
    content: str | None = "hi",
    finish_reason: str = "stop",
    tool_calls: Sequence[Mapping[str, Any]] | None = None,
    usage: Mapping[str, Any] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Body:
    """The whole answer to a request without `stream`. `extra` is merged into the object."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if tool_calls is not None:
        message["tool_calls"] = [dict(call) for call in tool_calls]
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    answer = {"id": ID, "object": "chat.completion", "created": CREATED, "model": MODEL, "choices": [choice]}
    return Body.json({**answer, "usage": dict(usage or tokens()), **(extra or {})})


def error_object(
    message: str, code: str | int | None = None, kind: str = "server_error", param: str | None = None
) -> dict[str, Any]:
    return {"message": message, "type": kind, "param": param, "code": code}


def failure(
    status: int,
    message: str = "it failed",
    code: str | None = None,
    kind: str = "server_error",
    param: str | None = None,
) -> list[Step]:
    """An error answer in OpenAI's shape."""
    return [Status(status), Body.json({"error": error_object(message, code, kind, param)})]
