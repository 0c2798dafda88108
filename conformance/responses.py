"""Deployments that speak Responses, and what their streams gave the client."""

from __future__ import annotations

import re
from typing import Any

from conformance.deployments import Deployment, in_order
from conformance.http_bytes import Response
from conformance.sse_bytes import Event
from fake_upstreams import UpstreamHandle

ERROR = "error"
SEALED = re.compile(r"resp_[\w-]{40,}")
"""An id in the form in which clients see it."""


def with_id_of_upstream(body: bytes, upstream_id: str) -> bytes:
    """The bytes with the id that the upstream sent in place of the one sealed id that is in them."""
    text = body.decode()
    ids = set(SEALED.findall(text))
    assert len(ids) == 1, ids
    return text.replace(ids.pop(), upstream_id).encode()


def speaking(*upstreams: UpstreamHandle, **settings: Any) -> list[Deployment]:
    """Up to three deployments of one pool, which are drawn in this order."""
    return in_order(*upstreams, adapterKey="openai", **settings)


def shown(answer: Response) -> list[dict[str, Any]]:
    """The payloads of a stream's events, each of which is named by its type."""
    return told(answer.events)


def told(events: list[Event]) -> list[dict[str, Any]]:
    """Likewise, of events with comments between them."""
    payloads = [event.json() for event in events if event.comment is None]
    assert [event.name for event in events if event.comment is None] == [data["type"] for data in payloads]
    return payloads


def kinds(answer: Response) -> list[str]:
    """The types of a stream's events, without `response.` before them."""
    return [data["type"].removeprefix("response.") for data in shown(answer)]


def text_of(answer: Response) -> str:
    """The text that a stream's deltas make."""
    return joined(shown(answer))


def joined(payloads: list[dict[str, Any]]) -> str:
    """The text that these events make."""
    return "".join(data["delta"] for data in payloads if data["type"] == "response.output_text.delta")


def numbers(answer: Response) -> list[int]:
    """The numbers of a stream's events."""
    return [data["sequence_number"] for data in shown(answer)]


def output_text(response: dict[str, Any]) -> str:
    """The text of a Response object."""
    return "".join(part["text"] for item in response["output"] for part in item.get("content", []))
