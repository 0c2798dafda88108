"""Half-open: who probes, and what the end of the probe decides."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import Deployable, in_order, one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import Session, states
from fake_upstreams import Pause, chat, faults

pytestmark = pytest.mark.needs("virtual_time")

CLOSED = ("available", None)


def half_open(gateway: GatewayFactory, *deployments: Deployable, **settings: Any) -> Session:
    """A gateway whose first deployment has failed once and cooled down."""
    gw = gateway(*deployments, routerSettings=one_attempt(allowedFails=0, **settings))
    assert gw.chat().status == 500
    gw.advance(5_000)
    return gw


@pytest.mark.rule("BRK-PROBE-001", "BRK-PROBE-002", "BRK-PROBE-003", "BRK-VIEW-003")
def test_one_request_probes_while_others_go_elsewhere(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Twenty requests come while the probe is slow."""
    first = upstream(chat.failure(500), [Pause(until="slow"), chat.completion("a")])
    second = upstream({"times": 20, "steps": [chat.completion("b")]})
    gw = half_open(gateway, *in_order(first, second))
    with check("BRK-VIEW-003"):
        assert states(gw) == [("half_open", 0), CLOSED]
    clients = [gw.begin_chat() for _ in range(21)]
    first.wait_gate("slow")
    second.wait_request(20)
    with check("BRK-PROBE-001"):
        assert len(first.requests) == 2
    with check("BRK-VIEW-003"):
        assert states(gw) == [("half_open", 30_000), CLOSED]
    first.release("slow")
    answers = [client.response() for client in clients]
    with check("BRK-PROBE-002"):
        assert [answer.status for answer in answers] == [200] * 21
        assert len(second.requests) == 20
    with check("BRK-PROBE-003"):
        assert states(gw) == [CLOSED, CLOSED]


@pytest.mark.rule("BRK-PROBE-001", "BRK-CALLER-001", "BRK-CALLER-006")
def test_without_others_the_rest_is_told_how_long_the_probe_may_last(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.failure(500), [Pause(until="slow"), chat.completion("a")])
    gw = half_open(gateway, up)
    probe = gw.begin_chat()
    up.wait_gate("slow")
    gw.advance(4_500)
    refused = gw.chat()
    with check("BRK-CALLER-001"):
        assert refused.status == 503
        assert refused.error()["code"] == "model_overloaded"
    with check("BRK-CALLER-006"):
        assert refused.header("retry-after") == "26"
    with check("BRK-PROBE-001"):
        assert len(up.requests) == 2
    up.release("slow")
    assert probe.response().status == 200


@pytest.mark.rule("BRK-PROBE-004")
def test_a_probe_that_fails_opens_for_about_twice_as_long(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.failure(500), chat.failure(500))
    gw = half_open(gateway, up)
    assert gw.chat().status == 500
    ((status, rest),) = states(gw)
    with check("BRK-PROBE-004"):
        assert status == "cooldown"
        assert rest is not None
        assert 9_000 <= rest <= 10_000
        gw.advance(rest - 1)
        assert gw.chat().status == 503
        assert len(up.requests) == 2


@pytest.mark.rule("BRK-PROBE-005")
def test_a_rejected_request_shows_that_the_upstream_is_alive(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The probe's request is at fault, and its end is not forgotten."""
    gw = half_open(gateway, upstream(chat.failure(500), chat.failure(400, "bad", kind="invalid_request_error")))
    assert gw.chat().status == 400
    with check("BRK-PROBE-005"):
        assert states(gw) == [CLOSED]


@pytest.mark.rule("BRK-PROBE-007")
def test_a_probe_whose_client_leaves_is_free_at_once(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.failure(500), [faults.AcceptThenSilence()], chat.completion("a"))
    gw = half_open(gateway, up)
    probe = gw.begin_chat()
    up.wait_request(2)
    assert states(gw) == [("half_open", 30_000)]
    probe.close()
    up.wait_closed(up.connections)
    with check("BRK-PROBE-007"):
        assert states(gw) == [("half_open", 0)]
        assert gw.chat().status == 200
        assert states(gw) == [CLOSED]


@pytest.mark.rule("BRK-PROBE-009", "MET-FLIGHT-003")
def test_a_long_probe_keeps_its_owner(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Five minutes, with an ownership of 30 s and a slot of 60 s."""
    first = upstream(chat.failure(500), [Pause(until="slow"), chat.completion("a")])
    gw = half_open(gateway, first)
    probe = gw.begin_chat()
    first.wait_gate("slow")
    for _ in range(30):
        gw.advance(10_000)
        ((status, rest),) = states(gw)
        with check("BRK-PROBE-009"):
            assert status == "half_open"
            assert rest is not None
            assert rest >= 20_000
            assert gw.chat().status == 503
    with check("MET-FLIGHT-003"):
        assert gw.deployments()[0]["metrics"]["inflight"] == 1
    first.release("slow")
    assert probe.response().status == 200
    with check("BRK-PROBE-009"):
        assert states(gw) == [CLOSED]


@pytest.mark.rule("BRK-PROBE-010")
def test_a_streamed_probe_is_decided_at_commit(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """It closes the circuit with its first content; that it breaks off later opens none, though none is allowed."""
    broken = [chat.role(), chat.content("a"), Pause(until="later"), faults.Reset()]
    up = upstream(chat.failure(500), broken)
    gw = half_open(gateway, up)
    client = gw.begin_chat(stream=True)
    client.head()
    client.event()
    up.wait_gate("later")
    with check("BRK-PROBE-010"):
        assert states(gw) == [CLOSED]
    up.release("later")
    client.rest_of_chunks()
    with check("BRK-PROBE-010"):
        assert states(gw) == [CLOSED]
