"""Capacity circuits: who waits for their end, and who is told at once."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.waiting import armed_wait, assert_waits
from fake_upstreams import Headers, chat, reply

pytestmark = pytest.mark.needs("virtual_time")


def throttle(seconds: str | None = None) -> list[Any]:
    wait = [] if seconds is None else [Headers({"Retry-After": seconds})]
    return [*wait, *chat.failure(429, "slow down", "rate_limit_exceeded", "rate_limit_error")]


@pytest.mark.rule("RTY-CAPACITY-001", "RTY-CAPACITY-002")
def test_who_met_the_circuit_waits_and_others_do_not(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The provider asks for 2 s and the circuit lasts 5 s: asked again after 5 s to 6.25 s."""
    for stream in (False, True):
        up = upstream(throttle("2"), chat.stream("a") if stream else chat.completion("a"))
        gw = gateway(up)
        client = gw.begin_chat(stream=stream)
        timer, length = armed_wait(gw)
        with check("RTY-CAPACITY-001"):
            assert 5000 <= length <= 6250
        other = gw.chat()
        with check("RTY-CAPACITY-002"):
            assert other.status == 429
            assert other.error()["code"] == "rate_limit_exceeded"
            assert other.header("retry-after") == "5"
        gw.advance(4999)
        with check("RTY-CAPACITY-002"):
            assert gw.chat().status == 429
        with check("RTY-CAPACITY-001"):
            assert client.pending() == b""
            assert gw.timers().of("wait") == [timer]
            assert len(up.requests) == 1
        gw.advance(1251)
        with check("RTY-CAPACITY-001"):
            assert client.response().status == 200
            assert len(up.requests) == 2


@pytest.mark.rule("RTY-CAPACITY-001", "RTY-WAIT-003")
def test_a_longer_retry_after_is_waited_for_as_well(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Each circuit and each wait is as long as its own answer asks for."""
    up = upstream(throttle("1"), throttle("7"), chat.completion("a"))
    gw = gateway(up)
    client = gw.begin_chat()
    with check("RTY-CAPACITY-001"):
        assert_waits(gw, 5000, 6250)
    with check("RTY-WAIT-003"):
        assert_waits(gw, 7000, 8750)
    assert client.response().status == 200


@pytest.mark.rule("RTY-CAPACITY-001")
def test_the_first_circuit_to_end_is_waited_for(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    slow, fast = upstream(throttle("30")), upstream(throttle("8"), chat.completion("b"))
    gw = gateway(*in_order(slow, fast))
    client = gw.begin_chat()
    with check("RTY-CAPACITY-001"):
        assert_waits(gw, 8000, 10_000)
    with check("RTY-CAPACITY-001"):
        assert client.response().status == 200
        assert [len(slow.requests), len(fast.requests)] == [1, 2]


@pytest.mark.rule("RTY-CAPACITY-003")
def test_a_circuit_of_a_minute_is_waited_for_and_a_longer_one_not(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(throttle(), chat.completion("a"))
    gw = gateway(up, routerSettings={"throttleCooldownSeconds": 60})
    client = gw.begin_chat()
    with check("RTY-CAPACITY-003"):
        assert_waits(gw, 60_000, 75_000)
    with check("RTY-CAPACITY-003"):
        assert client.response().status == 200
    answer = gateway(upstream(throttle()), routerSettings={"throttleCooldownSeconds": 61}).chat()
    with check("RTY-CAPACITY-003"):
        assert answer.status == 429
        assert answer.error()["message"] == "slow down"


@pytest.mark.rule("RTY-CAPACITY-003")
def test_a_circuit_that_ends_after_total_ms_is_not_waited_for(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    answer = gateway(upstream(throttle()), routerSettings=policies(json={"totalMs": 5000})).chat()
    with check("RTY-CAPACITY-003"):
        assert answer.status == 429


@pytest.mark.rule("RTY-CAPACITY-004")
def test_nothing_is_waited_for_while_a_circuit_or_a_limit_is_in_the_way(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first, second = upstream(chat.failure(500)), upstream(throttle())
    answer = gateway(*in_order(first, second), routerSettings={"allowedFails": 0}).chat()
    with check("RTY-CAPACITY-004"):
        assert answer.status == 429
        assert [len(first.requests), len(second.requests)] == [1, 1]

    limited, throttled = upstream(chat.completion("a")), upstream(throttle())
    one, two = in_order(limited, throttled)
    gw = gateway({**one, "rpmLimit": 1}, two)
    assert gw.chat().status == 200
    with check("RTY-CAPACITY-004"):
        assert gw.chat().status == 429
        assert [len(limited.requests), len(throttled.requests)] == [1, 1]


@pytest.mark.rule("RTY-CAPACITY-005")
def test_a_shared_account_is_asked_once(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Three deployments on one account, and no call to any of them before the circuit ends."""
    ups = [upstream(throttle("5"))] + [upstream(reply(chat.completion("a"), optional=True)) for _ in range(2)]
    gw = gateway(*in_order(*ups, failureDomain="account"))
    client = gw.begin_chat()
    _, length = armed_wait(gw)
    with check("RTY-CAPACITY-005"):
        assert 5000 <= length <= 6250
        assert sum(len(up.requests) for up in ups) == 1
    gw.advance(4999)
    with check("RTY-CAPACITY-005"):
        assert sum(len(up.requests) for up in ups) == 1
    gw.advance(1251)
    with check("RTY-CAPACITY-005"):
        assert client.response().status == 200
        assert sum(len(up.requests) for up in ups) == 2


@pytest.mark.rule("RTY-CAPACITY-005")
def test_another_account_is_asked_at_once(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    throttled, twin, other = upstream(throttle("5")), upstream(), upstream(chat.completion("b"))
    gw = gateway(
        deployment(throttled, weight=1_000_000_000, failureDomain="account"),
        deployment(twin, weight=30_000, failureDomain="account"),
        deployment(other),
    )
    answer = gw.chat()
    with check("RTY-CAPACITY-005"):
        assert answer.status == 200
        assert twin.requests == []
