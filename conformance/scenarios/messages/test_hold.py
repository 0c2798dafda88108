"""What clients of messages get while the gateway looks for an answer."""

from __future__ import annotations

import pytest

from conformance.anthropic import WHOLE, anthropic, error_of, in_order, names, text_in
from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.sse_bytes import parse_events
from fake_upstreams import Event, Pause, SseStyle, messages

pytestmark = pytest.mark.needs("virtual_time")

HOLD_MS = 10_000
REQUEST = messages.failure(400, "prompt is too long", kind="invalid_request_error")


@pytest.mark.rule("STR-HOLD-001", "STR-HOLD-003", "STR-HOLD-006")
def test_the_head_is_held_for_ten_seconds(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([messages.start(), messages.PING, Pause(until="go"), *messages.stream("a")[2:]])
    gw = gateway(anthropic(up))
    client = gw.begin_messages(stream=True)
    up.wait_gate("go")
    gw.advance(HOLD_MS - 1, until_armed="keepalive")
    with check("STR-HOLD-001"):
        assert client.pending() == b""
    gw.advance(1)
    with check("STR-HOLD-003"):
        assert client.head().status == 200
        assert client.event().comment == "keepalive"
        assert client.pending() == b""
    gw.advance(HOLD_MS - 1)
    with check("STR-HOLD-006"):
        assert client.pending() == b""
    gw.advance(1)
    with check("STR-HOLD-006"):
        assert client.event().comment == "keepalive"
    up.release("go")
    with check("STR-HOLD-003"):
        events = parse_events(client.rest_of_chunks())
        assert [event.name for event in events] == WHOLE
        assert "".join(text_in(event) for event in events) == "a"


@pytest.mark.rule("STR-HOLD-006")
def test_comments_come_between_events_only(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream stops in the middle of an event for longer than clients are left in silence."""
    whole = messages.text("b").payload(SseStyle())
    begin = [messages.start(), messages.text_start(), messages.text("a"), Event(raw=whole[:40])]
    up = upstream([*begin, Pause(until="rest"), Event(raw=whole[40:]), *messages.stream()[3:]])
    gw = gateway(anthropic(up))
    client = gw.begin_messages(stream=True)
    client.head()
    up.wait_gate("rest")
    gw.advance(HOLD_MS, until_armed="keepalive")
    up.release("rest")
    events = parse_events(client.rest_of_chunks())
    with check("STR-HOLD-006"):
        assert [event.comment for event in events if event.comment] == ["keepalive"]
        assert [event.name for event in events if event.name] == [*WHOLE[:3], *WHOLE[2:]]
        assert "".join(text_in(event) for event in events) == "ab"


@pytest.mark.rule("STR-HOLD-002")
def test_an_error_within_ten_seconds_has_its_own_status(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([Pause(until="go"), *REQUEST])
    gw = gateway(anthropic(up))
    client = gw.begin_messages(stream=True)
    up.wait_gate("go")
    gw.advance(HOLD_MS - 1, until_armed="keepalive")
    up.release("go")
    answer = client.response()
    with check("STR-HOLD-002"):
        assert answer.status == 400
        assert error_of(answer) == {"type": "invalid_request_error", "message": "prompt is too long"}
        assert answer.header("request-id") == answer.json()["request_id"]


@pytest.mark.rule("STR-HOLD-004")
def test_an_error_after_ten_seconds_is_told_in_the_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for failure, kind in (
        (REQUEST, "invalid_request_error"),
        (messages.failure(429, "slow down", kind="rate_limit_error"), "rate_limit_error"),
        (messages.failure(401, "bad key", kind="authentication_error"), "overloaded_error"),
        (messages.failure(529, "busy", kind="overloaded_error"), "overloaded_error"),
    ):
        up = upstream([Pause(until="go"), *failure])
        gw = gateway(anthropic(up), routerSettings=ONE_ATTEMPT)
        client = gw.begin_messages(stream=True)
        up.wait_gate("go")
        gw.advance(HOLD_MS, until_armed="keepalive")
        up.release("go")
        answer = client.response()
        with check("STR-HOLD-004"):
            assert answer.status == 200, kind
            assert names(answer) == ["error"], kind
            assert error_of(answer)["type"] == kind


@pytest.mark.rule("STR-HOLD-005", "MSG-COMMIT-005")
def test_attempts_go_on_behind_an_open_head(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first = upstream([messages.start(id="first"), Pause(until="fail"), messages.error()])
    second = upstream(messages.stream("b", id="second"))
    gw = gateway(*in_order(first, second))
    client = gw.begin_messages(stream=True)
    first.wait_gate("fail")
    gw.advance(HOLD_MS, until_armed="keepalive")
    client.head()
    with check("STR-HOLD-005"):
        assert client.event().comment == "keepalive"
    first.release("fail")
    events = parse_events(client.rest_of_chunks())
    with check("MSG-COMMIT-005"):
        assert [event.name for event in events] == WHOLE
        assert events[0].json()["message"]["id"] == "second"
