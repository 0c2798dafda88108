"""The Responses protocol as steps: the events of a stream and the JSON answer.

`stream` makes the order of OpenAI, `message` its part about one message. Every event is named by its type; `numbered`
gives events their places in a list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .steps import Body, Event, Step

ID = "resp_fake"
CREATED = 1700000000
MODEL = "fake-model"
MESSAGE_ID = "msg_fake"

DONE = Event("[DONE]")
"""The end marker that OpenAI does not send, and some compatible servers do."""

Item = Mapping[str, Any]


def event(kind: str, **members: Any) -> Event:
    """An event of this type."""
    return Event({"type": kind, **members}, name=kind)


def numbered(*steps: Step, first: int = 0) -> list[Step]:
    """The steps, with `sequence_number` in each event that has a type; what is numbered already keeps its number."""
    done: list[Step] = []
    for step in steps:
        if isinstance(step, Event) and isinstance(step.data, dict) and "type" in step.data:
            kind, members = step.data["type"], {k: v for k, v in step.data.items() if k != "type"}
            first = members.pop("sequence_number", first)
            step = Event({"type": kind, "sequence_number": first, **members}, name=step.name)
            first += 1
        done.append(step)
    return done


def response(status: str = "completed", output: Sequence[Item] = (), **members: Any) -> dict[str, Any]:
    """A Response object."""
    return {
        "id": ID,
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "model": MODEL,
        "output": [dict(item) for item in output],
        "usage": None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "metadata": {},
        **members,
    }


def life(kind: str, status: str = "in_progress", output: Sequence[Item] = (), **members: Any) -> Event:
    """`response.KIND` with a Response object of this status."""
    return event(f"response.{kind}", response=response(status, output, **members))


def created(**members: Any) -> Event:
    """The first event."""
    return life("created", **members)


def in_progress(**members: Any) -> Event:
    """The second."""
    return life("in_progress", **members)


def completed(*output: Item, usage: Mapping[str, Any] | None = None, **members: Any) -> Event:
    """The last event of an answer with these items, with usage."""
    return life("completed", "completed", output, usage=dict(usage or tokens()), **members)


def incomplete(*output: Item, reason: str = "max_output_tokens", **members: Any) -> Event:
    """The last event of an answer that was cut short."""
    return life("incomplete", "incomplete", output, usage=tokens(), incomplete_details={"reason": reason}, **members)


def failed(code: str, message: str = "it failed", **members: Any) -> Event:
    """The last event of a response that failed."""
    return life("failed", "failed", error={"code": code, "message": message}, **members)


def keepalive() -> Event:
    """What OpenAI sends on long thinking."""
    return event("keepalive")


def message_item(text: str | None = None, item_id: str = MESSAGE_ID) -> dict[str, Any]:
    """A message that is done; without text, one that begins."""
    content = [] if text is None else [output_text(text)]
    status = "in_progress" if text is None else "completed"
    return {"id": item_id, "type": "message", "status": status, "role": "assistant", "content": content}


def output_text(text: str = "") -> dict[str, Any]:
    """A part of a message."""
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def call_item(name: str = "look_up", arguments: str = "", call_id: str = "call_0") -> dict[str, Any]:
    """A function call."""
    status = "completed" if arguments else "in_progress"
    return {"id": "fc_fake", "type": "function_call", "status": status, "call_id": call_id, "name": name,
            "arguments": arguments}  # fmt: skip


def reasoning_item(summary: str | None = None, **members: Any) -> dict[str, Any]:
    """Reasoning, of which a client sees the summary."""
    parts = [] if summary is None else [{"type": "summary_text", "text": summary}]
    return {"id": "rs_fake", "type": "reasoning", "summary": parts, **members}


def item_added(item: Item, index: int = 0) -> Event:
    return event("response.output_item.added", output_index=index, item=dict(item))


def item_done(item: Item, index: int = 0) -> Event:
    return event("response.output_item.done", output_index=index, item=dict(item))


def text(delta: str, index: int = 0) -> Event:
    """A piece of a message's text."""
    return event("response.output_text.delta", item_id=MESSAGE_ID, output_index=index, content_index=0, delta=delta,
                 logprobs=[])  # fmt: skip


def summary(delta: str, index: int = 0) -> Event:
    """A piece of a reasoning summary."""
    return event("response.reasoning_summary_text.delta", item_id="rs_fake", output_index=index, summary_index=0,
                 delta=delta)  # fmt: skip


def arguments(delta: str, index: int = 0) -> Event:
    """A piece of a function call's arguments."""
    return event("response.function_call_arguments.delta", item_id="fc_fake", output_index=index, delta=delta)


def error(message: str, code: str = "server_error", kind: str = "server_error", param: str | None = None) -> Event:
    """An error in a stream whose status was 200, as OpenAI sends it."""
    return event("error", error={"type": kind, "code": code, "message": message, "param": param})


def flat_error(message: str, code: str = "server_error") -> Event:
    """Likewise, as OpenAI documents it."""
    return event("error", code=code, message=message, param=None)


def tokens(input_tokens: int = 1, output_tokens: int = 1) -> dict[str, Any]:
    """The usage object."""
    return {
        "input_tokens": input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input_tokens + output_tokens,
    }


def began() -> list[Step]:
    """How a stream begins."""
    return [created(), in_progress()]


def message(*texts: str, index: int = 0) -> list[Step]:
    """A message, from its begin to its end."""
    whole = "".join(texts)
    place = {"item_id": MESSAGE_ID, "output_index": index, "content_index": 0}
    return [
        item_added(message_item(), index),
        event("response.content_part.added", **place, part=output_text()),
        *(text(piece, index) for piece in texts),
        event("response.output_text.done", **place, text=whole, logprobs=[]),
        event("response.content_part.done", **place, part=output_text(whole)),
        item_done(message_item(whole), index),
    ]


def call(name: str, *pieces: str, index: int = 0) -> list[Step]:
    """A function call, from its begin to its end."""
    whole = "".join(pieces)
    return [
        item_added(call_item(name), index),
        *(arguments(piece, index) for piece in pieces),
        event("response.function_call_arguments.done", item_id="fc_fake", output_index=index, name=name,
              arguments=whole),
        item_done(call_item(name, whole), index),
    ]  # fmt: skip


def stream(*texts: str) -> list[Step]:
    """A whole answer of one message."""
    return numbered(*began(), *message(*texts), completed(message_item("".join(texts))))


def answer(text: str = "hi", **members: Any) -> Body:
    """The whole answer to a request without `stream`; `members` replace those of the Response object."""
    return Body.json({**response("completed", [message_item(text)], usage=tokens()), **members})
