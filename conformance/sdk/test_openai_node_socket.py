"""The official openai SDK for Node over a WebSocket."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import joined, speaking
from conformance.sdk.node import NodeSdk
from fake_upstreams import chat, responses


@pytest.mark.rule("WS-NODE-001")
def test_turns_on_one_connection(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """One that fails leaves the connection open for the next."""
    failure = chat.failure(400, "no such parameter", kind="invalid_request_error", code="unknown_parameter")
    up = upstream(responses.stream("hel", "lo"), failure, responses.stream("b"))
    gw = gateway(*speaking(up), keys=[{"name": "demo", "key": "right"}])
    usual = {"model": "gpt", "input": "hi"}
    outcome = NodeSdk(gw, "right").call("responses.socket", turns=[usual, usual, usual])
    with check("WS-NODE-001"):
        assert outcome.error is None
        assert joined(outcome.chunks) == "hellob"
        (failed,) = [event for event in outcome.chunks if event["type"] == "error"]
        assert failed["error"]["code"] == "unknown_parameter"
        assert outcome.chunks[-1]["response"]["usage"]["total_tokens"] == 2
