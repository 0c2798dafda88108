"""The messages protocol of Anthropic as steps: the events of a stream and the JSON answer.

`start`, `text_block`, `finish`, `STOP` make the usual order, which `stream` puts together. Every event is named by its
type. `index` is the place of a content block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .steps import Body, Event, Status, Step

ID = "msg_fake"
MODEL = "fake-model"

Block = Mapping[str, Any]


def event(kind: str, **members: Any) -> Event:
    """An event of this type."""
    return Event({"type": kind, **members}, name=kind)


STOP = event("message_stop")
"""The end marker."""

PING = event("ping")
"""A keepalive, which may come anywhere."""


def tokens(input_tokens: int = 1, output_tokens: int = 1, **members: int) -> dict[str, int]:
    """The usage object; further counts are `cache_creation_input_tokens` and `cache_read_input_tokens`."""
    return {"input_tokens": input_tokens, "output_tokens": output_tokens, **members}


def message(*content: Block, stop_reason: str | None = None, **members: Any) -> dict[str, Any]:
    """A message, as an answer or as a stream begins with it."""
    return {
        "id": ID,
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [dict(block) for block in content],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": tokens(),
        **members,
    }


def start(**members: Any) -> Event:
    """The first event; `members` differ from the usual ones of its message."""
    return event("message_start", message=message(**members))


def block_start(block: Block, index: int = 0) -> Event:
    return event("content_block_start", index=index, content_block=dict(block))


def text_start(text: str = "", index: int = 0) -> Event:
    return block_start({"type": "text", "text": text}, index)


def thinking_start(index: int = 0) -> Event:
    return block_start({"type": "thinking", "thinking": "", "signature": ""}, index)


def tool_start(name: str = "look_up", tool_id: str = "toolu_fake", index: int = 0, kind: str = "tool_use") -> Event:
    """The start of a tool's call; `kind` may be that of a tool of the provider's."""
    return block_start({"type": kind, "id": tool_id, "name": name, "input": {}}, index)


def block_delta(delta: Mapping[str, Any], index: int = 0) -> Event:
    return event("content_block_delta", index=index, delta=dict(delta))


def text(text: str, index: int = 0) -> Event:
    return block_delta({"type": "text_delta", "text": text}, index)


def thinking(text: str, index: int = 0) -> Event:
    return block_delta({"type": "thinking_delta", "thinking": text}, index)


def signature(signature: str, index: int = 0) -> Event:
    return block_delta({"type": "signature_delta", "signature": signature}, index)


def tool_input(fragment: str, index: int = 0) -> Event:
    """A fragment of the JSON text that is a tool's input."""
    return block_delta({"type": "input_json_delta", "partial_json": fragment}, index)


def block_stop(index: int = 0) -> Event:
    return event("content_block_stop", index=index)


def text_block(*texts: str, index: int = 0) -> list[Step]:
    """A whole block with one delta per text."""
    return [text_start(index=index), *(text(one, index) for one in texts), block_stop(index)]


def finish(stop_reason: str | None = "end_turn", usage: Mapping[str, Any] | None = None, **delta: Any) -> Event:
    """The `message_delta`: why the message stops, and its usage so far (one token of output unless given)."""
    members = {"stop_reason": stop_reason, "stop_sequence": None, **delta}
    return event("message_delta", delta=members, usage=dict(usage or {"output_tokens": 1}))


def stream(*texts: str, **members: Any) -> list[Step]:
    """A whole answer: start, a ping, one block with one delta per text, finish, the end marker."""
    return [start(**members), PING, *text_block(*texts), finish(), STOP]


def completion(*content: Block | str, stop_reason: str | None = "end_turn", **members: Any) -> Body:
    """The whole answer to a request without `stream`; a string is a block of text."""
    blocks = [{"type": "text", "text": block} if isinstance(block, str) else block for block in content]
    return Body.json(message(*blocks, stop_reason=stop_reason, **members))


def counted(input_tokens: int = 1) -> Body:
    """The answer to a request to count tokens."""
    return Body.json({"input_tokens": input_tokens})


def error_body(kind: str, message: str) -> dict[str, Any]:
    """An error in Anthropic's shape."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_fake"}


def error(message: str = "Overloaded", kind: str = "overloaded_error") -> Event:
    """An error in a stream whose status was 200."""
    return Event(error_body(kind, message), name="error")


def failure(status: int, message: str = "it failed", kind: str = "api_error") -> Sequence[Step]:
    """An error answer."""
    return [Status(status), Body.json(error_body(kind, message))]
