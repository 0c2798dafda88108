"""Faults of circuits that people reported against gateways of this kind."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import states
from fake_upstreams import Pause, chat, reply

pytestmark = pytest.mark.needs("virtual_time")


@pytest.mark.rule("BRK-OPEN-001", "BRK-OPEN-002")
def test_an_open_circuit_is_kept_at_every_request(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """One request a second, and 200 times the weight for the deployment whose circuit is open for 15 s."""
    first = upstream(chat.failure(500), reply(chat.completion("a"), times=None))
    second = upstream(reply(chat.completion("b"), times=None))
    gw = gateway(
        deployment(first, weight=200),
        deployment(second, weight=1),
        routerSettings={"allowedFails": 0, "cooldownSeconds": 15},
    )
    gw.chat()
    for _ in range(14):
        gw.advance(1000)
        gw.chat()
    gw.advance(999)
    gw.chat()
    with check("BRK-OPEN-001"):
        assert [len(first.requests), len(second.requests)] == [1, 16]
    gw.advance(1)
    for _ in range(5):
        gw.chat()
    with check("BRK-OPEN-002"):
        assert len(first.requests) > 1


@pytest.mark.rule("BRK-COUNT-001")
def test_failing_fast_attracts_no_more_than_may_fail(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Least-busy, one deployment that fails at once, and another that is still busy with everybody else."""
    requests = 20
    failing = upstream(reply(chat.failure(503), times=None))
    busy = upstream(reply([Pause(until="the end"), chat.completion("b")], times=None))
    gw = gateway(failing, busy, routerSettings={"routingStrategy": "least-busy"})
    clients = []
    for number in range(1, requests + 1):
        clients.append(gw.begin_chat())
        busy.wait_request(number)
    with check("BRK-COUNT-001"):
        assert len(failing.requests) == 4
    busy.release("the end")
    with check("BRK-COUNT-001"):
        assert [client.response().status for client in clients] == [200] * requests


@pytest.mark.rule("BRK-LENGTH-001", "BRK-LENGTH-002", "BRK-LENGTH-004")
def test_each_failed_probe_lengthens_the_cooldown_up_to_its_maximum(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Cooldowns of 1, 2, 4 and 4 s, those after a probe up to a tenth shorter; a success begins anew."""
    up = upstream(reply(chat.failure(500), times=4), chat.completion("a"), chat.failure(500))
    settings = {"allowedFails": 0, "cooldownSeconds": 1, "maxCooldownSeconds": 4}
    gw = gateway(up, routerSettings=one_attempt(**settings))
    lengths = []
    for _ in range(4):
        gw.chat()
        [(status, left)] = states(gw)
        assert status == "cooldown"
        assert left is not None
        lengths.append(left)
        gw.advance(left)
    with check("BRK-LENGTH-001"):
        assert lengths[0] == 1000
        assert 1800 <= lengths[1] <= 2000
        assert 3600 <= lengths[2] <= 4000
    with check("BRK-LENGTH-002"):
        assert 3600 <= lengths[3] <= 4000
    assert gw.chat().status == 200
    gw.chat()
    with check("BRK-LENGTH-004"):
        assert states(gw) == [("cooldown", 1000)]
