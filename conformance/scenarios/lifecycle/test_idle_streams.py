"""Many streams that are open and idle at the same time."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import Session
from fake_upstreams import Pause, UpstreamHandle, chat, reply

STREAMS = 150


def in_flight(gateway: Session) -> int:
    return sum(deployment["metrics"]["inflight"] for deployment in gateway.deployments())


def idle_streams(upstream: UpstreamFactory) -> UpstreamHandle:
    """Each stream begins, and ends once the gate `end` is open."""
    steps = [chat.role(), chat.content("a"), Pause(until="end"), chat.content("b"), chat.finish(), chat.DONE]
    return upstream(reply(steps, times=STREAMS))


@pytest.mark.rule("LIFE-HOLD-001")
def test_idle_streams_are_held_and_served(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = idle_streams(upstream)
    gw = gateway(up)
    clients = [gw.begin_chat(stream=True) for _ in range(STREAMS)]
    up.wait_request(STREAMS)
    with check("LIFE-HOLD-001"):
        assert [client.head().status for client in clients] == [200] * STREAMS
        assert in_flight(gw) == STREAMS
        assert up.open_connections == STREAMS
        up.release("end")
        bodies = [client.rest_of_chunks() for client in clients]
        assert all(body.count(b'"content":"b"') == 1 and body.endswith(b"data: [DONE]\n\n") for body in bodies)
        assert in_flight(gw) == 0


@pytest.mark.rule("LIFE-HOLD-002")
def test_clients_that_leave_take_their_upstream_connections_along(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Time stands still, so nothing but their leaving can be the cause."""
    up = idle_streams(upstream)
    gw = gateway(up)
    clients = [gw.begin_chat(stream=True) for _ in range(STREAMS)]
    for client in clients:
        client.head()
    up.wait_request(STREAMS)
    for client in clients:
        client.close()
    with check("LIFE-HOLD-002"):
        for number in range(1, STREAMS + 1):
            assert up.wait_closed(number) in ("client closed", "client reset")
        assert in_flight(gw) == 0
