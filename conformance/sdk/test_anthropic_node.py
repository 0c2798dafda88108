"""The official anthropic SDKs for Node as the client: the newest major, and the last that sends x-api-key."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, UPSTREAM_KEY
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.sdk.anthropic_client import TOOLS
from conformance.sdk.anthropic_node import PACKAGES, NodeAnthropic, Outcome
from conformance.sdk.messages_cases import FAILURES, STREAMED_TOOL, STREAMS, TOOL, advance_silently, claude
from conformance.sdk.node import GUARD_SECONDS
from fake_upstreams import Pause, faults, messages

majors = pytest.mark.parametrize("major", PACKAGES)


@majors
@pytest.mark.rule("SDK-ANTNODE-001", "SDK-ANTNODE-003", "SDK-ANTNODE-004")
def test_messages_streams_counts_and_models(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, major: str
) -> None:
    tool = messages.completion(TOOL, stop_reason="tool_use")
    up = upstream(messages.completion("hello"), messages.stream("hel", "lo"), tool, STREAMED_TOOL, messages.counted(17))
    tools = {"tools": TOOLS}
    wanted = [("create", {}), ("stream", {}), ("create", tools), ("helper", tools), ("count", {}), ("models", {})]
    outcomes = NodeAnthropic(major, gateway(claude(up))).calls(*wanted)
    message, streamed, created, helped, counted, models = outcomes
    with check("SDK-ANTNODE-001"):
        assert (message.error, streamed.error) == (None, None)
        assert (message.text, streamed.text) == ("hello", "hello")
        assert message.result["model"] == "claude"
        assert streamed.events[0]["message"]["model"] == "claude"
        assert streamed.events[-1]["type"] == "message_stop"
    for outcome in (created, helped):
        with check("SDK-ANTNODE-003"):
            assert outcome.error is None
            (call,) = outcome.result["content"]
            assert (call["type"], call["name"], call["input"]) == ("tool_use", "look_up", {"a": 1})
            assert outcome.result["stop_reason"] == "tool_use"
    with check("SDK-ANTNODE-004"):
        assert (counted.error, models.error) == (None, None)
        assert counted.result["input_tokens"] == 17
        assert [(model["id"], model["type"]) for model in models.events] == [("claude", "model")]


@majors
@pytest.mark.rule("SDK-ANTNODE-002")
def test_the_stream_helper(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, major: str) -> None:
    """Whole, and without the parts that the helper cannot do without."""
    sdk = NodeAnthropic(major, gateway(claude(upstream(*STREAMS.values()))))
    for case, outcome in zip(STREAMS, sdk.calls(*[("helper", {})] * len(STREAMS)), strict=True):
        with check("SDK-ANTNODE-002"):
            assert outcome.error is None, case
            assert outcome.text == "hello", case
            assert outcome.result["stop_reason"] == "end_turn", case


@majors
@pytest.mark.rule("SDK-ANTNODE-005")
def test_its_key_is_the_gateways(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, major: str) -> None:
    up = upstream(messages.completion("hello"))
    gw = gateway(claude(up), keys=[{"name": "demo", "key": "right"}])
    right, wrong = (NodeAnthropic(major, gw, key).call("create") for key in ("right", "wrong"))
    with check("SDK-ANTNODE-005"):
        assert right.error is None
        assert right.text == "hello"
        assert wrong.error is not None
        assert wrong.error["name"] == "AuthenticationError"
        assert up.requests[0].headers["x-api-key"] == UPSTREAM_KEY
        assert up.requests[0].headers["anthropic-version"] == {"0": "2023-06-01", "1": "2026-10-21"}[major]


@majors
@pytest.mark.rule("SDK-ANTNODE-006")
def test_each_failure_has_its_error(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, major: str
) -> None:
    asked = [claude(upstream(case.answer, name=case.name), case.name) for case in FAILURES if case.answer]
    gw = gateway(*asked, keys=[{"name": "demo", "key": "right"}], routerSettings=ONE_ATTEMPT)
    outcomes: dict[str, Outcome] = {}
    for key in ("right", "wrong"):
        names = [case.name for case in FAILURES if case.key == key]
        made = NodeAnthropic(major, gw, key).calls(*(("create", {"model": name}) for name in names))
        outcomes.update(zip(names, made, strict=True))
    for case in FAILURES:
        error = outcomes[case.name].error
        with check("SDK-ANTNODE-006"):
            assert error is not None, case
            expected = (major == "0" and case.raised_before) or case.raises
            assert (error["name"], error["status"], error["type"]) == (expected, case.status, case.kind), case
            assert error["request_id"], case


@majors
@pytest.mark.rule("SDK-ANTNODE-007")
def test_an_upstream_that_fails(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, major: str) -> None:
    """Before commit nobody notices; after it the caller has what came, and an error."""
    begun = [messages.start(), messages.text_start(), messages.text("hel")]
    first = upstream([messages.start(), faults.Reset()])
    second = upstream(messages.stream("hel", "lo"))
    gw = gateway(claude(first, weight=4_000_000_000), claude(second, weight=1))
    outcome = NodeAnthropic(major, gw).call("stream")
    with check("SDK-ANTNODE-007"):
        assert outcome.error is None
        assert outcome.text == "hello"
    dying = upstream([*begun, faults.Reset()], [*begun, messages.error("too busy")])
    sdk = NodeAnthropic(major, gateway(claude(dying), routerSettings=ONE_ATTEMPT))
    for kind, outcome in zip(("api_error", "overloaded_error"), sdk.calls(*[("stream", {})] * 2), strict=True):
        with check("SDK-ANTNODE-007"):
            assert outcome.text == "hel"
            assert outcome.error is not None
            assert outcome.error["type"] == kind


@majors
@pytest.mark.needs("virtual_time")
@pytest.mark.rule("SDK-ANTNODE-008")
def test_long_silence(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, major: str) -> None:
    """Before the first event and between two, each longer than two keepalives are apart."""
    start, *rest = messages.stream("hel", "lo")
    up = upstream([Pause(until="begin"), start, *rest[:3], Pause(until="go on"), *rest[3:]])
    gw = gateway(claude(up))
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(NodeAnthropic(major, gw).call, "helper")
        advance_silently(gw, up, "begin", "go on")
        outcome = answer.result(GUARD_SECONDS)
    with check("SDK-ANTNODE-008"):
        assert outcome.error is None
        assert outcome.text == "hello"


@majors
@pytest.mark.rule("SDK-ANTNODE-009")
def test_its_retries_follow_what_the_gateway_says(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, major: str
) -> None:
    """A wrong upstream key cannot be repaired by asking again; an overload can."""
    hopeless = upstream(messages.failure(401))
    passing = upstream(messages.failure(529), messages.completion("a"))
    gw = gateway(claude(hopeless, "hopeless"), claude(passing, "passing"), routerSettings=ONE_ATTEMPT)
    sdk = NodeAnthropic(major, gw, maxRetries=2)
    refused, served = sdk.calls(("create", {"model": "hopeless"}), ("create", {"model": "passing"}))
    with check("SDK-ANTNODE-009"):
        assert refused.error is not None
        assert len(hopeless.requests) == 1
        assert served.error is None
        assert served.text == "a"
