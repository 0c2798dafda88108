"""The official anthropic SDK as the client, synchronous and asynchronous."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anthropic
import pytest

from conformance.checks import Check
from conformance.client import GUARD_SECONDS
from conformance.deployments import ONE_ATTEMPT, UPSTREAM_KEY
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.sdk.anthropic_client import TOOLS, AnthropicSdk, texts
from conformance.sdk.clients import both
from conformance.sdk.messages_cases import FAILURES, STREAMED_TOOL, STREAMS, TOOL, advance_silently, claude
from fake_upstreams import Pause, faults, messages, reply


@both
@pytest.mark.rule("SDK-ANTHROPIC-001", "SDK-ANTHROPIC-002")
def test_messages_and_streams(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    up = upstream(messages.completion("hello"), messages.stream("hel", "lo"))
    sdk = AnthropicSdk(client_kind, gateway(claude(up)))
    message = sdk.create(model="claude")
    with check("SDK-ANTHROPIC-001"):
        assert [block.text for block in message.content] == ["hello"]
        assert (message.model, message.stop_reason, message.usage.output_tokens) == ("claude", "end_turn", 1)
    events, error = sdk.events(model="claude")
    with check("SDK-ANTHROPIC-002"):
        assert error is None
        assert texts(events) == "hello"
        assert events[0].message.model == "claude"
        assert events[-1].type == "message_stop"


@both
@pytest.mark.rule("SDK-ANTHROPIC-003")
def test_the_stream_helper(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    """Whole, and without the parts that the helper cannot do without."""
    sdk = AnthropicSdk(client_kind, gateway(claude(upstream(*STREAMS.values()))))
    for case in STREAMS:
        message = sdk.helper(model="claude")
        with check("SDK-ANTHROPIC-003"):
            assert [block.text for block in message.content] == ["hello"], case
            assert message.stop_reason == "end_turn", case


@both
@pytest.mark.rule("SDK-ANTHROPIC-004")
def test_tools(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    up = upstream(messages.completion(TOOL, stop_reason="tool_use"), STREAMED_TOOL)
    sdk = AnthropicSdk(client_kind, gateway(claude(up)))
    for message in (sdk.create(model="claude", tools=TOOLS), sdk.helper(model="claude", tools=TOOLS)):
        with check("SDK-ANTHROPIC-004"):
            (call,) = message.content
            assert (call.type, call.name, call.input) == ("tool_use", "look_up", {"a": 1})
            assert message.stop_reason == "tool_use"
    with check("SDK-ANTHROPIC-004"):
        assert up.requests[0].json["tools"] == TOOLS


@both
@pytest.mark.rule("SDK-ANTHROPIC-005", "SDK-ANTHROPIC-006")
def test_counted_tokens_and_models(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    up = upstream(messages.counted(17))
    sdk = AnthropicSdk(client_kind, gateway(claude(up)))
    with check("SDK-ANTHROPIC-005"):
        assert sdk.count(model="claude") == 17
        assert up.requests[0].path == "/v1/messages/count_tokens"
    with check("SDK-ANTHROPIC-006"):
        assert [(model.id, model.type) for model in sdk.models()] == [("claude", "model")]


@both
@pytest.mark.rule("SDK-ANTHROPIC-007")
def test_its_key_is_the_gateways(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """As a bearer token, as this major sends it, and in the header of those before."""
    up = upstream(*[messages.completion("hello")] * 2)
    gw = gateway(claude(up), keys=[{"name": "demo", "key": "right"}])
    clients: list[dict[str, Any]] = [{}, {"default_headers": {"x-api-key": "right", "authorization": anthropic.omit}}]
    for client in clients:
        message = AnthropicSdk(client_kind, gw, "right" if not client else "wrong", **client).create(model="claude")
        with check("SDK-ANTHROPIC-007"):
            assert message.content[0].text == "hello"
    with check("SDK-ANTHROPIC-007"):
        for sent in up.requests:
            assert sent.headers["x-api-key"] == UPSTREAM_KEY
            assert "authorization" not in sent.headers
            assert sent.headers["anthropic-version"] == "2026-10-21"


@both
@pytest.mark.rule("SDK-ANTHROPIC-008")
def test_each_failure_has_its_exception(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    asked = [
        claude(upstream(reply(case.answer, times=None), name=case.name), case.name) for case in FAILURES if case.answer
    ]
    gw = gateway(*asked, keys=[{"name": "demo", "key": "right"}], routerSettings=ONE_ATTEMPT)
    for case in FAILURES:
        sdk = AnthropicSdk(client_kind, gw, case.key)
        for call in (sdk.create, sdk.helper):
            with check("SDK-ANTHROPIC-008"):
                with pytest.raises(anthropic.APIStatusError) as raised:
                    call(model=case.name)
                assert type(raised.value).__name__ == case.raises, case
                assert (raised.value.status_code, raised.value.type) == (case.status, case.kind), case
                assert raised.value.request_id, case


@both
@pytest.mark.rule("SDK-ANTHROPIC-009", "SDK-ANTHROPIC-010")
def test_an_upstream_that_fails(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """Before commit nobody notices; after it the caller has what came, and an exception."""
    begun = [messages.start(), messages.text_start(), messages.text("hel")]
    first = upstream([messages.start(), faults.Reset()], [messages.start(), messages.error()])
    second = upstream(*[messages.stream("hel", "lo")] * 2)
    sdk = AnthropicSdk(client_kind, gateway(claude(first, weight=4_000_000_000), claude(second, weight=1)))
    for _ in range(2):
        events, error = sdk.events(model="claude")
        with check("SDK-ANTHROPIC-009"):
            assert error is None
            assert texts(events) == "hello"
    dying = upstream(*[[*begun, faults.Reset()]] * 2, *[[*begun, messages.error("too busy")]] * 2)
    sdk = AnthropicSdk(client_kind, gateway(claude(dying), routerSettings=ONE_ATTEMPT))
    for kind in ("api_error", "overloaded_error"):
        events, error = sdk.events(model="claude")
        with check("SDK-ANTHROPIC-010"):
            assert texts(events) == "hel"
            assert isinstance(error, anthropic.APIStatusError)
            assert error.type == kind
            with pytest.raises(anthropic.APIStatusError):
                sdk.helper(model="claude")


@both
@pytest.mark.needs("virtual_time")
@pytest.mark.rule("SDK-ANTHROPIC-011")
def test_long_silence(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    """Before the first event and between two, each longer than two keepalives are apart."""
    start, *rest = messages.stream("hel", "lo")
    up = upstream([Pause(until="begin"), start, *rest[:3], Pause(until="go on"), *rest[3:]])
    gw = gateway(claude(up))
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(AnthropicSdk(client_kind, gw, timeout=GUARD_SECONDS).helper, model="claude")
        advance_silently(gw, up, "begin", "go on")
        message = answer.result(GUARD_SECONDS)
    with check("SDK-ANTHROPIC-011"):
        assert message.content[0].text == "hello"


@both
@pytest.mark.rule("SDK-ANTHROPIC-012")
def test_its_retries_follow_what_the_gateway_says(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """A wrong upstream key cannot be repaired by asking again; an overload can."""
    hopeless = upstream(messages.failure(401))
    passing = upstream(messages.failure(529), messages.completion("a"))
    gw = gateway(claude(hopeless, "hopeless"), claude(passing, "passing"), routerSettings=ONE_ATTEMPT)
    sdk = AnthropicSdk(client_kind, gw, max_retries=2)
    with check("SDK-ANTHROPIC-012"):
        with pytest.raises(anthropic.ServiceUnavailableError):
            sdk.create(model="hopeless")
        assert len(hopeless.requests) == 1
        assert sdk.create(model="passing").content[0].text == "a"


@both
@pytest.mark.rule("SDK-ANTHROPIC-013")
def test_a_caller_that_gives_up(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """By its own deadline, and in the midst of a stream: the upstream's connection ends with it."""
    start, *rest = messages.stream("hel", "lo")
    up = upstream([Pause(until="answer")], [start, *rest[:3], Pause(until="rest")])
    gw = gateway(claude(up), routerSettings=ONE_ATTEMPT)
    with check("SDK-ANTHROPIC-013"):
        with pytest.raises(anthropic.APITimeoutError):
            AnthropicSdk(client_kind, gw, timeout=0.5).create(model="claude")
        assert up.wait_closed(1) in ("client closed", "client reset")
        events, error = AnthropicSdk(client_kind, gw).events(leave_after=3, model="claude")
        assert (error, len(events)) == (None, 3)
        assert up.wait_closed(2) in ("client closed", "client reset")
