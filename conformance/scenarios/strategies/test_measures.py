"""latency-based, throughput-based and health-aware: what attempts have shown.

Weights are such that the first draw takes the deployment that is to be tried first, see `in_order`.
"""

from __future__ import annotations

import pytest

from conformance.asking import ask, ask_timed, metrics, serving, timed
from conformance.checks import Check
from conformance.deployments import deployment, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import chat

pytestmark = pytest.mark.needs("virtual_time")


@pytest.mark.rule("STG-LATENCY-001", "STG-LATENCY-004", "STG-WEIGHT-001", "STG-ELIGIBLE-002")
def test_the_fastest_is_chosen(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """`slow` takes 800 ms for 100 tokens, `fast` 300 ms for one: less in all, although more per token."""
    slow = upstream(timed("slow", 100), chat.failure(500), serving("slow", times=1), name="slow")
    fast = upstream(timed("fast"), serving("fast", times=5), chat.failure(500), name="fast")
    gw = gateway(*in_order(slow, fast), routerSettings={"routingStrategy": "latency-based"})
    ask_timed(gw, slow, 800)
    # What has no value yet comes after what has one, so that `fast` is first asked when `slow` fails.
    ask_timed(gw, fast, 300)
    with check("STG-LATENCY-004"):
        assert sorted(row["latency_ms"] for row in metrics(gw)) == [300, 800]
    served = ask(gw, 5)
    with check("STG-LATENCY-001", "STG-LATENCY-004", "STG-WEIGHT-001"):
        assert served == ["fast"] * 5
    served = ask(gw, 1)
    with check("STG-ELIGIBLE-002"):
        assert served == ["slow"]
        assert len(fast.requests) == 7


@pytest.mark.rule("STG-THROUGHPUT-001", "STG-WEIGHT-001")
def test_the_highest_throughput_is_chosen(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """`short` makes 10 tokens in 1 s, `long` 100 tokens in 2 s."""
    short = upstream(timed("short", 10), chat.failure(500), name="short")
    long = upstream(timed("long", 100), serving("long", times=5), name="long")
    gw = gateway(*in_order(short, long), routerSettings={"routingStrategy": "throughput-based"})
    ask_timed(gw, short, 1000)
    ask_timed(gw, long, 2000)
    served = ask(gw, 5)
    with check("STG-THROUGHPUT-001", "STG-WEIGHT-001"):
        assert served == ["long"] * 5


@pytest.mark.rule("STG-THROUGHPUT-004")
def test_no_tokens_and_no_time_are_no_throughput(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """`odd` answers with tokens in no time, then without tokens in a second; neither is a value."""
    odd = upstream(serving("odd", tokens=10, times=1), timed("odd", 0), chat.failure(500), name="odd")
    plain = upstream(timed("plain", 10), serving("plain", times=5), name="plain")
    gw = gateway(*in_order(odd, plain), routerSettings={"routingStrategy": "throughput-based"})
    ask(gw, 1)
    ask_timed(gw, odd, 1000)
    with check("STG-THROUGHPUT-004"):
        assert len(odd.requests) == 2
        assert [row["throughput_tps"] for row in metrics(gw)] == [None, None]
    ask_timed(gw, plain, 1000)
    served = ask(gw, 5)
    with check("STG-THROUGHPUT-004"):
        assert served == ["plain"] * 5


@pytest.mark.rule("STG-HEALTH-001", "STG-ELIGIBLE-001", "STG-ORDER-003")
def test_traffic_is_steered_away_from_failures_and_back(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """`flaky` has by far the greater weight. Once all its attempts have failed, that is worth nothing."""
    flaky = upstream(chat.failure(500), serving("flaky", times=4), name="flaky")
    steady = upstream(serving("steady", times=5), chat.failure(500), name="steady")
    gw = gateway(*in_order(flaky, steady), routerSettings={"routingStrategy": "health-aware"})
    served = ask(gw, 5)
    with check("STG-HEALTH-001", "STG-ORDER-003"):
        assert served == ["steady"] * 5
        assert len(flaky.requests) == 1
    served = ask(gw, 1)
    with check("STG-ELIGIBLE-001"):
        assert served == ["flaky"]
        assert len(steady.requests) == 6
    served = ask(gw, 3)
    with check("STG-HEALTH-001", "STG-ELIGIBLE-001"):
        assert served == ["flaky"] * 3


@pytest.mark.rule("STG-WEIGHT-002")
def test_health_aware_never_asks_weight_0(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Not when nothing is known, not when the other one fails, and not once that has the health score 0."""
    never, on = upstream(name="never"), upstream(chat.failure(500), serving("on", times=1), name="on")
    settings = policies(json={"maxAttempts": 1})
    gw = gateway(deployment(never, weight=0), on, routerSettings={**settings, "routingStrategy": "health-aware"})
    with check("STG-WEIGHT-002"):
        assert gw.chat().status == 500
        assert ask(gw, 1) == ["on"]
        assert never.requests == []
