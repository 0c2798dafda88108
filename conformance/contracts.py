"""Requests and answers of every contract, for scenarios in which it matters only that they are good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.deployments import UPSTREAM_MODEL
from conformance.http_bytes import Response
from conformance.session import (
    ANTHROPIC,
    CHAT,
    COUNT_TOKENS,
    RESPONSES,
    Headers,
    Session,
    chat_body,
    messages_body,
    responses_body,
)
from fake_upstreams import Body, chat

PATHS = (CHAT, ANTHROPIC, COUNT_TOKENS, RESPONSES)
"""Where the gateway takes requests about text, one path for each contract."""

_MESSAGE: Mapping[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": UPSTREAM_MODEL,
    "content": [{"type": "text", "text": "a"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "output_tokens": 2},
}
_OUTPUT: Mapping[str, Any] = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "a", "annotations": []}],
}
_RESPONSE: Mapping[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "status": "completed",
    "error": None,
    "model": UPSTREAM_MODEL,
    "output": [_OUTPUT],
    "usage": {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5},
}


def good_answer(path: str) -> Body:
    """What an upstream answers a JSON request with that came in at this path."""
    return {
        CHAT: chat.completion("a"),
        ANTHROPIC: Body.json(_MESSAGE),
        COUNT_TOKENS: Body.json({"input_tokens": 3}),
        RESPONSES: Body.json(_RESPONSE),
    }[path]


def body_at(path: str, **members: Any) -> bytes:
    """The body of a usual JSON request at this path, with these members."""
    bodies = {CHAT: chat_body, RESPONSES: responses_body}
    return bodies.get(path, messages_body)(**members)


def ask(gateway: Session, path: str, headers: Headers = (), **members: Any) -> Response:
    """A usual JSON request at this path, with these members."""
    return gateway.post(body_at(path, **members), headers, path)


def is_in_its_shape(path: str, answer: Response) -> bool:
    """Whether an error has the shape, and the ids in its head, that clients of this path expect."""
    body = answer.json()
    if not path.startswith(ANTHROPIC):
        return set(body) == {"error"} and set(body["error"]) == {"message", "type", "param", "code"}
    ids = {body.get("request_id"), answer.header("request-id"), answer.header("x-request-id")}
    return set(body) == {"type", "error", "request_id"} and body["type"] == "error" and len(ids) == 1
