"""Upstreams that answer a turn before they have read all of its message."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.upstream_sockets import CLOSED, connections, error_message, failure, speaking
from conformance.websocket import WebSocket, output
from fake_upstreams import Leave, Pause, Step, Upgrade, faults, responses

LONG = "x" * (24 << 20)
"""More than the buffers between two sockets hold."""
SERVER = {"requestBodyBytes": 32 << 20}


def early(*steps: Step) -> list[Step]:
    """The reply to a handshake, with an answer that waits for no message."""
    return [Upgrade(), faults.StopReading(), *steps, Pause(until="done")]


@pytest.mark.rule("WS-UP-017")
def test_a_failure_before_the_message_was_read(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    cases: dict[str, tuple[list[Step], str]] = {
        "error": (early(error_message(429, "slow_down")), "throttle"),
        "close": ([Upgrade(), faults.StopReading(), Leave(1011)], "transient"),
        "metadata, then an error": (early(*responses.began(), error_message(500, "server_error")), "transient"),
    }
    for case, (steps, kind) in cases.items():
        first, second = upstream(steps), upstream([Upgrade()], responses.stream("a"))
        gw = gateway(*speaking(first, second), server=SERVER)
        events = WebSocket(gw).turn(input=LONG)
        with check("WS-UP-017"):
            assert output(events) == "a", case
            assert failure(gw) == kind, case
            assert second.requests[-1].json["input"] == LONG, case
        if case != "close":
            first.wait_gate("done")
            first.release("done")
        with check("WS-UP-017"):
            assert first.wait_closed(1) in CLOSED, case


@pytest.mark.rule("WS-UP-017")
def test_an_answer_before_the_message_was_read(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The turn is served, and the next one goes over another WebSocket, since half a message lies in this one."""
    up = upstream(early(*responses.stream("a")), [Upgrade()], responses.stream("b"))
    ws = WebSocket(gateway(*speaking(up), server=SERVER))
    with check("WS-UP-017"):
        assert output(ws.turn(input=LONG)) == "a"
    up.wait_gate("done")
    up.release("done")
    with check("WS-UP-017"):
        assert up.wait_closed(1) in CLOSED
        assert output(ws.turn()) == "b"
        assert connections(up) == [("GET", 1), ("GET", 2), ("MESSAGE", 2)]
