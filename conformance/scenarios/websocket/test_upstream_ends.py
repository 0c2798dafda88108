"""What an upstream says over its WebSocket instead of an answer, and what becomes of the connection."""

from __future__ import annotations

import pytest
from websockets.frames import Opcode

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last, rows
from conformance.upstream_sockets import CLOSED, connections, error_message, failure, speaking
from conformance.waiting import assert_waits
from conformance.websocket import WebSocket, output
from fake_upstreams import (
    Bytes,
    Event,
    Leave,
    Pause,
    Step,
    Upgrade,
    faults,
    responses,
)
from fake_upstreams.websocket import frame


@pytest.mark.rule("WS-UP-007")
def test_an_error_has_the_status_that_it_gives(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Another deployment is tried where that can help, also after metadata; else the client is told."""
    for before in ([], responses.began()):
        throttled = upstream([Upgrade()], [*before, error_message(429, "slow_down")])
        second = upstream([Upgrade()], responses.stream("a"))
        gw = gateway(*speaking(throttled, second))
        events = WebSocket(gw).turn()
        with check("WS-UP-007"):
            assert output(events) == "a"
            assert failure(gw) == "throttle"
            assert throttled.wait_closed(1) in CLOSED
    up = upstream([Upgrade()], [error_message(400, "previous_response_not_found", param="previous_response_id")])
    ws = WebSocket(gateway(*speaking(up)))
    ws.begin()
    with check("WS-UP-007"):
        error = ws.error()
        assert (error["status"], error["code"]) == (400, "previous_response_not_found")


@pytest.mark.rule("WS-UP-007")
@pytest.mark.needs("virtual_time")
def test_an_error_may_ask_for_a_wait(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([Upgrade()], [error_message(429, "slow_down", headers={"Retry-After": "7"})], [Upgrade()],
                  responses.stream("a"))  # fmt: skip
    gw = gateway(*speaking(up))
    ws = WebSocket(gw)
    ws.begin()
    with check("WS-UP-007"):
        assert assert_waits(gw, least_ms=7_000) < 8_000
        assert output(ws.events()) == "a"


@pytest.mark.rule("WS-UP-008")
def test_a_close_before_the_commit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """With a code that speaks of accounts, another one, none, or without a word; at once or after metadata."""
    cases: dict[str, tuple[list[list[Step]], str]] = {
        "account": ([[Upgrade(), Leave(3000, "account_deactivated")]], "configuration"),
        "restart": ([[Upgrade()], [Leave(1012, "restart")]], "transient"),
        "metadata": ([[Upgrade()], [*responses.began(), Leave(1011)]], "transient"),
        "reset": ([[Upgrade()], [*responses.began(), faults.Reset()]], "transient"),
        "no close frame": ([[Upgrade()], [faults.Close()]], "transient"),
        "too old": ([[Upgrade()], [error_message(400, "websocket_connection_limit_reached")]], "incompatible"),
    }
    for case, (script, kind) in cases.items():
        first, second = upstream(*script, strict=False), upstream([Upgrade()], responses.stream("a"))
        gw = gateway(*speaking(first, second))
        events = WebSocket(gw).turn()
        with check("WS-UP-008"):
            assert output(events) == "a", case
            assert failure(gw) == kind, case
            assert last(gw)["attempts"][0]["httpStatus"] is None, case
            assert [event["type"] for event in events].count("response.created") == 1, case
            assert [request.method for request in first.requests].count("GET") == 1, case


@pytest.mark.rule("WS-UP-008")
@pytest.mark.parametrize("end", [Leave(1011), Leave(1000), faults.Close(), faults.Reset()], ids=str)
def test_a_close_after_the_commit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, end: Step) -> None:
    """The stream is truncated, and the client's socket goes on with another connection."""
    up = upstream([Upgrade()], [*responses.stream("a")[:5], Pause(until="go"), end], [Upgrade()], responses.stream("b"))
    ws = WebSocket(gateway(*speaking(up)))
    ws.begin()
    seen = [ws.event() for _ in range(5)]
    up.release("go")
    error = ws.error()
    with check("WS-UP-008"):
        assert output(seen) == "a"
        assert (error["status"], error["code"]) == (502, "upstream_stream_truncated")
        assert output(ws.turn()) == "b"


@pytest.mark.rule("WS-UP-009")
def test_a_kept_connection_that_died_is_replaced(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Meanwhile, or as soon as the turn was sent, or since it is too old; in the same attempt."""
    old = error_message(400, "websocket_connection_limit_reached")
    cases: dict[str, list[list[Step]]] = {
        "meanwhile": [[*responses.stream("a"), Leave(1001)]],
        "meanwhile, without a word": [[*responses.stream("a"), faults.Close()]],
        "at once": [responses.stream("a"), [Leave(1001)]],
        "at once, without a word": [responses.stream("a"), [faults.Reset()]],
        "at once, for a restart": [responses.stream("a"), [Leave(1012, "service restart")]],
        "too old": [responses.stream("a"), [old, Pause(until="never")]],
        "left as too old": [responses.stream("a"), [Leave(1000, "websocket_connection_limit_reached")]],
    }
    for case, script in cases.items():
        up = upstream([Upgrade()], *script, [Upgrade()], responses.stream("b"))
        gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
        ws = WebSocket(gw)
        first, second = ws.turn(), ws.turn()
        with check("WS-UP-009"):
            assert (output(first), output(second)) == ("a", "b"), case
            assert connections(up)[-2:] == [("GET", 2), ("MESSAGE", 2)], case
            assert [row["attemptCount"] for row in rows(gw)] == [1, 1], case
            assert gw.deployments()[0]["status"] == "available", case


@pytest.mark.rule("WS-UP-009")
@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize(("after_ms", "replaced"), [(999, True), (1_000, False)])
def test_a_kept_connection_is_replaced_within_a_second(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, after_ms: int, replaced: bool
) -> None:
    """Later the upstream may be at work with the turn; and one that replaced another is not replaced."""
    up = upstream([Upgrade()], responses.stream("a"), [Pause(until="go"), faults.Reset()], [Upgrade()],
                  [faults.Reset()], strict=False)  # fmt: skip
    gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
    ws = WebSocket(gw)
    ws.turn()
    ws.begin()
    up.wait_gate("go")
    gw.advance(after_ms)
    up.release("go")
    with check("WS-UP-009"):
        assert ws.error()["status"] == 502
        assert up.connections == (2 if replaced else 1)


@pytest.mark.rule("WS-UP-013")
def test_pings_are_answered(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    ping = Bytes(frame(b"there?", Opcode.PING))
    whole = responses.stream("a")
    up = upstream([Upgrade()], [ping, *whole[:5], ping, *whole[5:], ping], responses.stream("b"))
    ws = WebSocket(gateway(*speaking(up)))
    with check("WS-UP-013"):
        assert [output(ws.turn()), output(ws.turn())] == ["a", "b"]
        assert connections(up) == [("GET", 1), ("MESSAGE", 1), ("MESSAGE", 1)]


def followed(*messages: str) -> list[Step]:
    """A turn whose last event and these messages come at once."""
    *events, last_event = responses.stream("a")
    assert isinstance(last_event, Event)
    return [*events, Bytes(b"".join([frame(last_event.message()), *map(frame, messages)]))]


NEWS = (
    '{"type":"rate_limits.updated","rate_limits":[]}', '{"type":"keepalive","sequence_number":9}', '{"type":"made.up"}',
)  # fmt: skip


@pytest.mark.rule("WS-UP-014")
def test_what_says_nothing_of_a_turn_is_passed_over(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([Upgrade()], followed(*NEWS, *NEWS), responses.stream("b"), strict=False)
    ws = WebSocket(gateway(*speaking(up), routerSettings=ONE_ATTEMPT))
    turns = [ws.turn() for _ in range(2)]
    with check("WS-UP-014"):
        assert connections(up) == [("GET", 1), ("MESSAGE", 1), ("MESSAGE", 1)]
        assert [output(events) for events in turns] == ["a", "b"]
        assert [event["type"] for events in turns for event in events if event["type"][:9] != "response."] == []


@pytest.mark.rule("WS-UP-015")
@pytest.mark.parametrize(
    "message", ['{"type":"response.created"}', '{"type":"error","error":{"code":"x"}}', '{"type":1}', "[DONE]", "{"]
)
def test_what_could_be_of_a_turn_ends_it(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, message: str
) -> None:
    """Also behind what is passed over."""
    up = upstream([Upgrade()], followed(NEWS[0], message), [Upgrade()], responses.stream("b"))
    ws = WebSocket(gateway(*speaking(up)))
    first = ws.turn()
    with check("WS-UP-015"):
        assert output(first) == "a"
        assert up.wait_closed(1) in CLOSED
        assert output(ws.turn()) == "b"
        assert connections(up) == [("GET", 1), ("MESSAGE", 1), ("GET", 2), ("MESSAGE", 2)]
