"""Health, and many clients at once."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Pause, chat, reply


@pytest.mark.rule("LIFE-HEALTH-001", "LIFE-HEALTH-002")
def test_health(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream())
    with check("LIFE-HEALTH-001"):
        assert gw.call("GET", "/health/live").status == 200
    with check("LIFE-HEALTH-002"):
        assert gw.call("GET", "/health/ready").status == 200


@pytest.mark.rule("LIFE-START-004")
def test_several_workers_serve_many_connections(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """All of them are in flight at the same time."""
    number = 64
    up = upstream(reply(Pause(until="all"), chat.completion("a"), times=None))
    gw = gateway(up, server={"workers": 4})
    clients = [gw.begin_chat() for _ in range(number)]
    up.wait_request(number)
    up.release("all")
    with check("LIFE-START-004"):
        assert [client.response().status for client in clients] == [200] * number
