"""What the official anthropic SDKs are asked to cope with, whatever language they are written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conformance.deployments import UPSTREAM_KEY, Deployment, deployment
from conformance.session import Session
from fake_upstreams import Step, UpstreamHandle, messages

SILENCE_MS = 25_000
KEEPALIVE_MS = 10_000


def claude(upstream: UpstreamHandle, model: str = "claude", **settings: object) -> Deployment:
    """A deployment that speaks the messages protocol."""
    credentials = {"apiKey": UPSTREAM_KEY, "baseUrl": upstream.url}
    return deployment(upstream, publicModel=model, adapterKey="anthropic", credentials=credentials, **settings)


@dataclass(frozen=True)
class Failure:
    """A request that fails, and the exception that tells it."""

    name: str
    """Of the case, and of the public model that is asked for."""
    raises: str
    status: int
    kind: str
    answer: Sequence[Step] = ()
    """The upstream's; without one it has no deployment."""
    key: str = "right"
    raised_before: str | None = None
    """By the majors of Node before 1, where that differs."""


FAILURES = (
    Failure(
        "bad request",
        "BadRequestError",
        400,
        "invalid_request_error",
        messages.failure(400, "max_tokens: too many", "invalid_request_error"),
    ),
    Failure("wrong key", "AuthenticationError", 401, "authentication_error", key="wrong"),
    Failure("unknown model", "NotFoundError", 404, "not_found_error"),
    Failure(
        "too large",
        "ContentTooLargeError",
        413,
        "request_too_large",
        messages.failure(413, "too large", "request_too_large"),
        raised_before="APIError",
    ),
    Failure(
        "throttled", "RateLimitError", 429, "rate_limit_error", messages.failure(429, "slow down", "rate_limit_error")
    ),
    Failure("broken", "InternalServerError", 500, "api_error", messages.failure(500)),
    Failure(
        "out of order",
        "ServiceUnavailableError",
        503,
        "overloaded_error",
        messages.failure(401, "no such key", "authentication_error"),
        raised_before="InternalServerError",
    ),
    Failure(
        "out of time",
        "GatewayTimeoutError",
        504,
        "timeout_error",
        messages.failure(504, "too late", "timeout_error"),
        raised_before="InternalServerError",
    ),
    Failure(
        "overloaded",
        "OverloadedError",
        529,
        "overloaded_error",
        messages.failure(529, "Overloaded", "overloaded_error"),
        raised_before="InternalServerError",
    ),
)

_TEXT = messages.text_block("hel", "lo")
STREAMS: Mapping[str, Sequence[Step]] = {
    "whole": messages.stream("hel", "lo"),
    "no message_stop": [messages.start(), *_TEXT, messages.finish()],
    "no message_delta": [messages.start(), *_TEXT, messages.STOP],
    "no ping": [messages.start(), *_TEXT, messages.finish(), messages.STOP],
}
"""Streams that a helper makes the same message of, also where it would throw without what the gateway adds."""

TOOL = {"type": "tool_use", "id": "toolu_fake", "name": "look_up", "input": {"a": 1}}
STREAMED_TOOL: Sequence[Step] = [
    messages.start(),
    messages.tool_start(),
    messages.tool_input('{"a"'),
    messages.tool_input(":1}"),
    messages.block_stop(),
    messages.finish("tool_use"),
    messages.STOP,
]


def advance_silently(gateway: Session, upstream: UpstreamHandle, *gates: str) -> None:
    """Lets 25 s pass at each gate that the upstream comes to, and releases it."""
    for gate in gates:
        upstream.wait_gate(gate)
        for elapsed in range(0, SILENCE_MS, KEEPALIVE_MS):
            gateway.advance(min(KEEPALIVE_MS, SILENCE_MS - elapsed), until_armed="keepalive")
        upstream.release(gate)
