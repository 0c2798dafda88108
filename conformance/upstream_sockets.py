"""Upstreams that take turns over a WebSocket, for scenarios."""

from __future__ import annotations

from typing import Any

from conformance.operation_log import last
from conformance.responses import speaking as speaking_http
from conformance.session import Session
from fake_upstreams import (
    Step,
    UpstreamHandle,
    responses,
)

GONE = ("client closed", "client reset")
CLOSED = (*GONE, "upstream closed")
"""Also by the upstream, once it was sent a close frame."""


def speaking(*upstreams: UpstreamHandle, **settings: Any) -> list[dict[str, Any]]:
    """Deployments of one pool that take WebSockets and are drawn in this order."""
    return speaking_http(*upstreams, webSocket=True, **settings)


def connections(up: UpstreamHandle) -> list[tuple[str, int]]:
    """Method and connection of each request."""
    return [(request.method, request.connection) for request in up.requests]


def error_message(status: int, code: str, **members: Any) -> Step:
    """An error as upstreams send it over a WebSocket."""
    return responses.event("error", status=status, error={"type": "x", "code": code, "message": "no", **members})


def failure(gw: Session) -> str:
    """The class of the first attempt's failure."""
    kind: str = last(gw)["attempts"][0]["failureKind"]
    return kind
