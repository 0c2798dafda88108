"""A slow client slows its upstream down, and nothing is lost or kept without bound."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import Connection
from conformance.deployments import policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import ConnectionEnded
from conformance.session import Session
from fake_upstreams import Repeated, UpstreamHandle, chat

pytestmark = pytest.mark.needs("virtual_time")

HALF = 1000
TEXT = "x" * 48 * 1024
QUIET = 50
"""So many looks in a row at which nothing had moved count as the end of all movement."""
BOUND = 64 * 1024 * 1024
"""More than kernels and gateway may hold between them; an upstream that is not slowed down gets rid of 94 MiB."""


def sent_until_quiet(upstream: UpstreamHandle, gateway: Session) -> int:
    """How much the upstream got rid of once the kernels' buffers are full and nothing moves any more."""
    sent, quiet = -1, 0
    while quiet < QUIET:
        gateway.advance(0)
        now = upstream.sent(1)
        quiet = quiet + 1 if now == sent else 0
        sent = now
    return sent


def stalled(
    upstream: UpstreamFactory, gateway: GatewayFactory, idle_ms: int
) -> tuple[UpstreamHandle, Session, Connection]:
    """A stream of 94 MiB whose client reads nothing."""
    halves = [Repeated(chat.content(letter + TEXT), HALF) for letter in "ab"]
    up = upstream([chat.role(), *halves, chat.finish(), chat.DONE])
    gw = gateway(up, routerSettings=policies(stream={"idleMs": idle_ms}), server={"clientWriteStallMs": 120_000})
    client = gw.begin_chat(stream=True, receive_buffer=4096)
    gw.advance(0, until_armed="client_write")
    return up, gw, client


@pytest.mark.rule("UP-FLOW-001", "UP-FLOW-003", "DLN-IDLE-005", "MET-LATENCY-003")
def test_a_client_that_pauses(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up, gw, client = stalled(upstream, gateway, idle_ms=1000)
    sent = sent_until_quiet(up, gw)
    with check("UP-FLOW-001"):
        assert sent < BOUND
    gw.advance(60_000)
    with check("DLN-IDLE-005"):
        assert up.open_connections == 1
    with check("UP-FLOW-003"):
        client.set_receive_buffer(4 * 1024 * 1024)
        client.head()
        texts = [client.event().json()["choices"][0]["delta"]["content"] for _ in range(2 * HALF + 1)]
        assert texts == ["", *["a" + TEXT] * HALF, *["b" + TEXT] * HALF]
        assert client.rest_of_chunks().endswith(b"data: [DONE]\n\n")
    with check("MET-LATENCY-003"):
        assert gw.deployments()[0]["metrics"]["latency_ms"] == 0


@pytest.mark.rule("UP-FLOW-002")
def test_a_client_that_takes_nothing(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up, gw, client = stalled(upstream, gateway, idle_ms=600_000)
    gw.advance(119_999)
    with check("UP-FLOW-002"):
        assert up.open_connections == 1
    gw.advance(1)
    with check("UP-FLOW-002"):
        assert up.wait_closed() in ("client closed", "client reset")
        client.head()
        with pytest.raises((ConnectionEnded, ConnectionResetError)):
            client.rest_of_chunks()
