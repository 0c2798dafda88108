"""Deployments of Anthropic's adapter, and what scenarios read in streams of the messages contract."""

from __future__ import annotations

from typing import Any

from conformance.deployments import UPSTREAM_KEY, Deployment, deployment
from conformance.deployments import in_order as all_in_order
from conformance.http_bytes import Response
from conformance.sse_bytes import Event
from fake_upstreams import UpstreamHandle


def anthropic(upstream: UpstreamHandle, **settings: Any) -> Deployment:
    """A deployment on a scripted upstream that speaks the messages protocol."""
    return deployment(upstream, **_reaching(upstream), **settings)


def in_order(*upstreams: UpstreamHandle, **settings: Any) -> list[Deployment]:
    """Such deployments in one pool that are drawn in this order."""
    usual = all_in_order(*upstreams, **settings)
    return [{**row, **_reaching(up)} for row, up in zip(usual, upstreams, strict=True)]


def _reaching(upstream: UpstreamHandle) -> dict[str, Any]:
    return {"adapterKey": "anthropic", "credentials": {"apiKey": UPSTREAM_KEY, "baseUrl": upstream.url}}


def told(answer: Response) -> list[Event]:
    """The events of a stream without comments."""
    return [event for event in answer.events if event.comment is None]


def names(answer: Response) -> list[str | None]:
    """Their names."""
    return [event.name for event in told(answer)]


def text_of(answer: Response) -> str:
    """The text deltas of a stream, joined."""
    return "".join(text_in(event) for event in told(answer))


def text_in(event: Event) -> str:
    """The text of one event, empty for comments and events without any."""
    if event.name != "content_block_delta":
        return ""
    text: str = event.json()["delta"].get("text", "")
    return text


def stop_reasons(answer: Response) -> list[str | None]:
    """What the message deltas of a stream say."""
    return [event.json()["delta"]["stop_reason"] for event in told(answer) if event.name == "message_delta"]


def error_of(answer: Response) -> dict[str, Any]:
    """The error object of a JSON answer, or of the last event of a stream."""
    body = told(answer)[-1].json() if answer.status == 200 else answer.json()
    error: dict[str, Any] = body.get("error", {})
    return error


WHOLE = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
]
"""The events of a whole answer with one delta, by their names."""
