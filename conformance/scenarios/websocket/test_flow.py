"""Silence, and clients that leave, are slow or take nothing."""

from __future__ import annotations

import pytest
from websockets.frames import Opcode

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import ConnectionEnded
from conformance.operation_log import last
from conformance.responses import speaking
from conformance.websocket import WebSocket, output
from fake_upstreams import Pause, Repeated, Step, chat, faults, responses

pytestmark = pytest.mark.needs("virtual_time")

SILENCE_MS = 10_000
GONE = ("client closed", "client reset")


@pytest.mark.rule("WS-PING-001")
def test_pings_fill_a_long_silence(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Before the first event and within the stream; a socket that waits for its client is left alone."""
    whole = responses.stream("a", "b")
    up = upstream([Pause(until="begin"), *whole[:5], Pause(until="go"), *whole[5:]])
    gw = gateway(*speaking(up))
    ws = WebSocket(gw)
    gw.advance(5 * SILENCE_MS)
    with check("WS-PING-001"):
        assert ws.is_silent()
    ws.begin()
    up.wait_gate("begin")
    gw.advance(SILENCE_MS - 1, until_armed="keepalive")
    with check("WS-PING-001"):
        assert ws.is_silent()
    gw.advance(1)
    with check("WS-PING-001"):
        assert ws.frame().opcode == Opcode.PING
    up.release("begin")
    up.wait_gate("go")
    first = [ws.event() for _ in range(5)]
    gw.advance(25_000)
    with check("WS-PING-001"):
        assert [ws.frame().opcode for _ in range(2)] == [Opcode.PING, Opcode.PING]
    up.release("go")
    with check("WS-PING-001"):
        assert output(first + ws.events()) == "ab"
    gw.advance(5 * SILENCE_MS)
    with check("WS-PING-001"):
        assert ws.is_silent()


@pytest.mark.rule("WS-ERROR-002")
def test_silence_costs_no_status(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    failure = chat.failure(400, "no such parameter", kind="invalid_request_error", code="unknown_parameter")
    up = upstream([Pause(until="go"), *failure])
    gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
    ws = WebSocket(gw)
    ws.begin()
    up.wait_gate("go")
    gw.advance(SILENCE_MS, until_armed="keepalive")
    ping = ws.frame()
    up.release("go")
    with check("WS-ERROR-002"):
        assert ping.opcode == Opcode.PING
        error = ws.error()
        assert (error["status"], error["code"]) == (400, "unknown_parameter")
        assert last(gw)["httpStatus"] == 400


@pytest.mark.parametrize("how", ["close frame", "close", "reset"])
@pytest.mark.rule("WS-FLOW-001")
def test_a_client_that_leaves(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, how: str) -> None:
    """Before commit and after it, with a message that waits: it is not begun, and nobody is blamed."""
    cases: dict[str, list[Step]] = {
        "before an answer": [faults.AcceptThenSilence()],
        "before commit": [*responses.began(), Pause(until="never")],
        "after commit": [*responses.stream("a")[:5], Pause(until="never")],
    }
    for case, steps in cases.items():
        first, second = upstream(steps), upstream()
        gw = gateway(*speaking(first, second))
        ws = WebSocket(gw)
        ws.begin()
        ws.begin(input="waits")
        first.wait_request()
        if case != "before an answer":
            first.wait_gate("never")
        if case == "after commit":
            ws.event()
        if how == "close frame":
            ws.leave()
        elif how == "close":
            ws.close()
        else:
            ws.connection.reset()
        with check("WS-FLOW-001"):
            assert first.wait_closed() in GONE, case
            row = last(gw)
            assert (row["outcome"], row["httpStatus"], row["callType"]) == ("cancelled", 499, "responses"), case
            assert gw.deployments()[0]["metrics"]["inflight"] == 0, case
            assert [row["status"] for row in gw.deployments()] == ["available", "available"], case
            assert len(first.requests) == 1, case
        ws.close()
        gw.stop()
        with check("WS-FLOW-001"):
            assert second.requests == [], case


PIECE = "x" * 4096
PIECES = 2_000


LONG: list[Step] = [*responses.began(), Repeated(responses.text(PIECE), PIECES), responses.completed()]


@pytest.mark.rule("WS-FLOW-002")
def test_a_client_that_pauses(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """No ping is put behind what it has not taken."""
    gw = gateway(*speaking(upstream(LONG)))
    ws = WebSocket(gw, receive_buffer=4096)
    ws.begin()
    gw.advance(0, until_armed="client_write")
    gw.advance(60_000)
    with check("WS-FLOW-002"):
        events = ws.events()
        assert output(events) == PIECE * PIECES
        assert events[-1]["type"] == "response.completed"


@pytest.mark.rule("WS-FLOW-003")
def test_a_client_that_takes_nothing(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(LONG)
    gw = gateway(*speaking(up), server={"clientWriteStallMs": 120_000})
    ws = WebSocket(gw, receive_buffer=4096)
    ws.begin()
    gw.advance(0, until_armed="client_write")
    gw.advance(119_999)
    with check("WS-FLOW-003"):
        assert up.open_connections == 1
    gw.advance(1)
    with check("WS-FLOW-003"):
        assert up.wait_closed() in GONE
        with pytest.raises((ConnectionEnded, ConnectionResetError)):
            ws.events()
