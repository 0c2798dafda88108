"""The official openai SDK for Node as the client, over HTTP and over TLS."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from conformance import tls
from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.sdk.errors import RAISED
from conformance.sdk.messages_cases import advance_silently
from conformance.sdk.node import GUARD_SECONDS, NodeSdk
from fake_upstreams import Pause, chat, faults

over = pytest.mark.parametrize("server", [{}, {"tls": tls.served()}], ids=["http", "tls"])
TOOLS: Any = [{"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}]


@over
@pytest.mark.rule("SDK-NODE-001", "SDK-NODE-002", "SDK-NODE-003")
def test_completions_streams_and_models(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, server: dict[str, Any]
) -> None:
    fragments = [chat.tool_call("look_up"), chat.tool_call(arguments='{"a"'), chat.tool_call(arguments=":1}")]
    tools = [chat.role(), *fragments, chat.finish("tool_calls"), chat.DONE]
    up = upstream(chat.completion("hello"), chat.stream("hel", "lo"), tools)
    sdk = NodeSdk(gateway(up, server=server))
    completion = sdk.call("create", model="gpt")
    streamed = sdk.call("stream", model="gpt", stream_options={"include_usage": True})
    helped = sdk.call("helper", model="gpt", tools=TOOLS)
    with check("SDK-NODE-001"):
        assert completion.error is None
        assert completion.content == "hello"
        assert completion.result["model"] == "gpt"
    with check("SDK-NODE-002"):
        assert streamed.error is None
        assert streamed.content == "hello"
        assert {chunk["model"] for chunk in streamed.chunks} == {"gpt"}
        assert streamed.chunks[-1]["usage"]["total_tokens"] == 2
        assert helped.error is None
        (called,) = helped.result["choices"][0]["message"]["tool_calls"]
        assert json.loads(called["function"]["arguments"]) == {"a": 1}
    with check("SDK-NODE-003"):
        assert [model["id"] for model in sdk.call("models").chunks] == ["gpt"]


@over
@pytest.mark.rule("SDK-NODE-004")
def test_errors_are_the_ones_that_users_catch(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, server: dict[str, Any]
) -> None:
    asked = [deployment(upstream(case.answer, name=case.name), publicModel=case.name) for case in RAISED if case.answer]
    gw = gateway(*asked, server=server, keys=[{"name": "demo", "key": "right"}], routerSettings=ONE_ATTEMPT)
    for case in RAISED:
        outcome = NodeSdk(gw, case.key).call("create", model=case.name)
        with check("SDK-NODE-004"):
            assert outcome.error is not None, case
            assert outcome.error["name"] == case.raises, case
            assert outcome.error["status"] == case.status, case
            assert outcome.error["code"] == case.code, case
            assert outcome.error["request_id"], case


@over
@pytest.mark.rule("SDK-NODE-005")
def test_an_upstream_that_dies(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, server: dict[str, Any]
) -> None:
    """Before commit nobody notices; after it the caller has what came, and an error with a code."""
    first = upstream([chat.role(), faults.Reset()], [chat.role(), chat.content("hel"), faults.Reset()])
    sdk = NodeSdk(gateway(*in_order(first, upstream(chat.stream("hel", "lo"))), server=server))
    whole, cut = sdk.call("stream", model="gpt"), sdk.call("stream", model="gpt")
    with check("SDK-NODE-005"):
        assert whole.error is None
        assert whole.content == "hello"
        assert cut.content == "hel"
        assert cut.error is not None
        assert cut.error["code"] == "upstream_stream_truncated"


@over
@pytest.mark.rule("SDK-NODE-006")
def test_its_retries_follow_what_the_gateway_says(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, server: dict[str, Any]
) -> None:
    """A wrong upstream key cannot be repaired by asking again; an overload can."""
    hopeless = upstream(chat.failure(401))
    refused = NodeSdk(gateway(hopeless, server=server, routerSettings=ONE_ATTEMPT), maxRetries=2).call(
        "create", model="gpt"
    )
    passing = upstream(chat.failure(500), chat.completion("a"))
    served = NodeSdk(gateway(passing, server=server, routerSettings=ONE_ATTEMPT), maxRetries=2).call(
        "create", model="gpt"
    )
    with check("SDK-NODE-006"):
        assert refused.error is not None
        assert len(hopeless.requests) == 1
        assert served.error is None
        assert served.content == "a"


@over
@pytest.mark.rule("SDK-NODE-007", "SDK-NODE-008")
def test_a_caller_that_gives_up(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, server: dict[str, Any]
) -> None:
    """By its own deadline, and in the midst of a stream: the upstream's connection ends with it."""
    up = upstream([Pause(until="answer")], [chat.role(), chat.content("hel"), Pause(until="rest")])
    gw = gateway(up, server=server, routerSettings=ONE_ATTEMPT)
    late = NodeSdk(gw, timeout=500).call("create", model="gpt")
    with check("SDK-NODE-007"):
        assert late.error is not None
        assert late.error["name"] == "APIConnectionTimeoutError"
        assert up.wait_closed(1) in ("client closed", "client reset")
    left = NodeSdk(gw).call("stream", leave_after=2, model="gpt")
    with check("SDK-NODE-008"):
        assert left.error is None
        assert left.content == "hel"
        assert up.wait_closed(2) in ("client closed", "client reset")


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("SDK-NODE-009")
def test_long_silence(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Before the first chunk and between two, each longer than two keepalives are apart."""
    steps = chat.stream("hel", "lo")
    up = upstream([Pause(until="begin"), *steps[:2], Pause(until="go on"), *steps[2:]])
    gw = gateway(up)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(NodeSdk(gw).call, "stream", model="gpt")
        advance_silently(gw, up, "begin", "go on")
        outcome = answer.result(GUARD_SECONDS)
    with check("SDK-NODE-009"):
        assert outcome.error is None
        assert outcome.content == "hello"
