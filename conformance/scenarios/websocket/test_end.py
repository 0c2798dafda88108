"""How old a socket may get, and what becomes of it when the gateway stops."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import speaking
from conformance.websocket import WebSocket, output
from fake_upstreams import Pause, responses

LIFE_MS = 60 * 60_000
OLD = "websocket_connection_limit_reached"


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("WS-LIFE-001")
def test_an_hour(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(responses.stream("a"))
    gw = gateway(*speaking(up))
    ws = WebSocket(gw)
    with check("WS-LIFE-001"):
        assert output(ws.turn()) == "a"
    timers = gw.timers()
    left = timers.of("socket_life")[0].due_ms - timers.now_ms
    with check("WS-LIFE-001"):
        assert LIFE_MS - 1 <= left <= LIFE_MS
    gw.advance(left - 1)
    with check("WS-LIFE-001"):
        assert ws.is_silent()
    gw.advance(1)
    with check("WS-LIFE-001"):
        error = ws.error()
        assert (error["status"], error["code"]) == (400, OLD)
        assert ws.closed().code == 1001


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("WS-LIFE-002")
def test_a_turn_at_that_age(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    whole = responses.stream("a")
    up = upstream([*whole[:5], Pause(until="go"), *whole[5:]])
    gw = gateway(*speaking(up))
    ws = WebSocket(gw)
    gw.advance(LIFE_MS - 5_000, until_armed="socket_life")
    ws.begin()
    ws.begin(input="waits")
    up.wait_gate("go")
    begun = [ws.event() for _ in range(5)]
    gw.advance(5_000)
    with check("WS-LIFE-002"):
        assert ws.error()["code"] == OLD, "what waits"
    ws.begin(input="late")
    with check("WS-LIFE-002"):
        assert ws.error()["code"] == OLD, "what comes after"
    up.release("go")
    with check("WS-LIFE-002"):
        assert output(begun + ws.events()) == "a"
        assert ws.error()["code"] == OLD
        assert ws.closed().code == 1001
        assert len(up.requests) == 1


@pytest.mark.rule("WS-STOP-001")
def test_a_gateway_that_stops(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    whole = responses.stream("a")
    up = upstream([*whole[:5], Pause(until="go"), *whole[5:]])
    gw = gateway(*speaking(up))
    idle, busy = WebSocket(gw), WebSocket(gw)
    busy.begin()
    busy.begin(input="waits")
    up.wait_gate("go")
    begun = [busy.event() for _ in range(5)]
    gw.begin_stop()
    with check("WS-STOP-001"):
        assert idle.closed().code == 1001
        error = busy.error()
        assert (error["status"], error["code"]) == (503, "shutting_down")
    busy.begin(input="late")
    with check("WS-STOP-001"):
        assert busy.error()["code"] == "shutting_down"
    up.release("go")
    with check("WS-STOP-001"):
        assert output(begun + busy.events()) == "a"
        assert busy.closed().code == 1001
        gw.stop()
        assert len(up.requests) == 1


@pytest.mark.rule("WS-STOP-002")
def test_the_end_of_the_grace(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([*responses.stream("a")[:5], Pause(until="never")])
    gw = gateway(*speaking(up), server={"shutdownGraceMs": 50}, test_control=False)
    ws = WebSocket(gw)
    ws.begin()
    up.wait_gate("never")
    begun = [ws.event() for _ in range(5)]
    gw.begin_stop()
    with check("WS-STOP-002"):
        assert output(begun) == "a"
        error = ws.error()
        assert (error["status"], error["code"]) == (503, "shutting_down")
        assert ws.closed().code == 1001
        gw.stop()
