"""How long a request waits before it asks a deployment again.

The least that a wait may last is asserted a millisecond before it; the most is a quarter more.
"""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.client import Connection
from conformance.deployments import in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.waiting import armed_wait, assert_waits
from fake_upstreams import Headers, Pause, chat, reply

pytestmark = pytest.mark.needs("virtual_time")

NO_CIRCUITS = {"cooldownSeconds": 0}


def asks_to_wait(seconds: str, status: int = 503) -> list[Any]:
    return [Headers({"Retry-After": seconds}), *chat.failure(status)]


def ended(client: Connection) -> int:
    return client.response().status


@pytest.mark.rule("RTY-WAIT-001")
def test_waits_double_up_to_eight_seconds(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(reply(chat.failure(500), times=7), chat.completion("a"))
    gw = gateway(up, routerSettings={**policies(json={"maxAttempts": 20}), **NO_CIRCUITS})
    client = gw.begin_chat()
    for least in (500, 1000, 2000, 4000, 8000, 8000, 8000):
        with check("RTY-WAIT-001"):
            assert_waits(gw, least, least * 5 // 4)
    assert ended(client) == 200


@pytest.mark.rule("RTY-WAIT-001", "RTY-WAIT-005")
def test_a_stream_waits_alike_and_waits_differ(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Twenty requests: their first waits are spread over the quarter."""
    lengths = []
    for seed in range(20):
        up = upstream(chat.failure(500), chat.stream("a"))
        gw = gateway(up, seed=seed)
        client = gw.begin_chat(stream=True)
        lengths.append(armed_wait(gw)[1])
        with check("RTY-WAIT-001"):
            assert_waits(gw, 500, 625)
        assert ended(client) == 200
        gw.stop()
    with check("RTY-WAIT-005"):
        assert min(lengths) < 530
        assert max(lengths) > 595


@pytest.mark.rule("RTY-WAIT-002")
def test_retry_after_seconds_is_the_least(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(reply(chat.failure(500), times=3), chat.completion("a"))
    settings = {**policies(json={"maxAttempts": 4}), **NO_CIRCUITS, "retryAfterSeconds": 2}
    gw = gateway(up, routerSettings=settings)
    client = gw.begin_chat()
    for _ in range(3):
        with check("RTY-WAIT-002"):
            assert_waits(gw, 2000, 2500)
    assert ended(client) == 200


@pytest.mark.rule("RTY-WAIT-003")
def test_each_retry_after_is_honoured(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """First 7 s, then 9 s, then none, which leaves the backoff."""
    up = upstream(asks_to_wait("7"), asks_to_wait("9"), chat.failure(500), chat.completion("a"))
    gw = gateway(up, routerSettings={**policies(json={"maxAttempts": 4}), **NO_CIRCUITS})
    client = gw.begin_chat()
    for least in (7000, 9000, 2000):
        with check("RTY-WAIT-003"):
            assert_waits(gw, least, least * 5 // 4)
    assert ended(client) == 200


@pytest.mark.rule("RTY-WAIT-003")
def test_retry_after_counts_from_its_answer(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Four of the ten seconds pass during the attempt on another deployment, whose circuit opens."""
    first = upstream(asks_to_wait("10"), chat.completion("a"))
    second = upstream([Pause(until="four seconds"), *chat.failure(401)])
    gw = gateway(*in_order(first, second))
    client = gw.begin_chat()
    second.wait_gate("four seconds")
    gw.advance(4000, until_armed="response")
    second.release("four seconds")
    with check("RTY-WAIT-003"):
        assert_waits(gw, 6000, 7500)
    assert ended(client) == 200


@pytest.mark.rule("RTY-WAIT-004")
def test_a_minute_is_waited_for(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(asks_to_wait("60"), chat.completion("a"))
    gw = gateway(up)
    client = gw.begin_chat()
    with check("RTY-WAIT-004"):
        assert_waits(gw, 60_000, 75000)
    assert ended(client) == 200


@pytest.mark.rule("RTY-WAIT-004")
def test_more_than_a_minute_is_not(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Not waited for, and told the client as it is; another deployment is asked at once."""
    for seconds, told in (("61", "61"), ("86400", "86400")):
        for status in (503, 429):
            up = upstream(asks_to_wait(seconds, status))
            answer = gateway(up).chat()
            with check("RTY-WAIT-004"):
                assert answer.status == status
                assert answer.header("retry-after") == told
    ups = upstream(asks_to_wait("86400", 429)), upstream(chat.completion("b"))
    with check("RTY-WAIT-004"):
        assert gateway(*in_order(*ups)).chat().status == 200


@pytest.mark.rule("RTY-WAIT-006")
def test_a_wait_that_would_pass_total_ms_is_not_begun(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """A wait of half a second at least and 625 ms at most."""
    for total, begun in ((500, False), (626, True)):
        up = upstream(chat.failure(502, "down"), reply(chat.completion("a"), optional=not begun))
        gw = gateway(up, routerSettings=policies(json={"totalMs": total}))
        client = gw.begin_chat()
        if begun:
            gw.advance(625, until_armed="wait")
        answer = client.response()
        with check("RTY-WAIT-006"):
            assert answer.status == (200 if begun else 502), total
            assert len(up.requests) == (2 if begun else 1)


@pytest.mark.parametrize("how", ["close", "reset"])
@pytest.mark.rule("RTY-WAIT-007")
def test_a_client_that_leaves_ends_the_wait(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, how: str
) -> None:
    """For JSON requests and for streams."""
    for stream in (False, True):
        up = upstream(chat.failure(503))
        gw = gateway(up)
        client = gw.begin_chat(stream=stream)
        gw.advance(100, until_armed="wait")
        client.close() if how == "close" else client.reset()
        while gw.timers().of("wait"):
            pass
        gw.advance(10_000)
        gw.stop()
        with check("RTY-WAIT-007"):
            assert len(up.requests) == 1
