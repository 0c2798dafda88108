"""What holds under every strategy."""

from __future__ import annotations

from math import isclose

import pytest

from conformance.asking import ask, ask_timed, begin_minute, metrics, serving, timed
from conformance.checks import Check
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory

STRATEGIES = (
    "simple-shuffle",
    "least-busy",
    "usage-based-rpm",
    "usage-based-tpm",
    "latency-based",
    "throughput-based",
    "price-based",
    "health-aware",
)
ASK = [("x-unified-routing-metadata", "true")]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.rule("STG-NAME-001", "STG-NAME-002", "STG-POOL-001")
def test_requests_are_served_under_its_name(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, strategy: str
) -> None:
    """In a pool of two, and in a pool of one whose deployment has weight 0."""
    pair = [upstream(serving(name, optional=True), name=name) for name in ("a", "b")]
    alone = upstream(serving("alone"), name="alone")
    gw = gateway(*pair, deployment(alone, publicModel="alone", weight=0), routerSettings={"routingStrategy": strategy})
    answer = gw.chat(ASK)
    with check("STG-NAME-001"):
        assert answer.status == 200
    with check("STG-NAME-002"):
        assert answer.json()["unified_routing"]["routing_strategy"] == strategy
    of_one = gw.chat(ASK, model="alone")
    with check("STG-POOL-001"):
        assert of_one.status == 200


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("STG-POOL-003")
def test_a_pool_of_one_is_measured(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Two answers of 10 tokens: after 1000 ms, 10 a second; after 500 ms, 20 a second."""
    up = upstream(timed("a", 10), timed("a", 10))
    gw = gateway(up, routerSettings={"routingStrategy": "latency-based"})
    begin_minute(gw)
    for ms in (1000, 500):
        assert ask_timed(gw, up, ms).status == 200
    (shown,) = metrics(gw)
    with check("STG-POOL-003"):
        assert (shown["inflight"], shown["rpm"], shown["tpm"], shown["health_score"]) == (0, 2, 20, 1)
        assert isclose(shown["latency_ms"], 0.8 * 1000 + 0.2 * 500)
        assert isclose(shown["throughput_tps"], 0.8 * 10 + 0.2 * 20)


@pytest.mark.parametrize("strategy", ["latency-based", "throughput-based", "price-based", "health-aware"])
@pytest.mark.rule("STG-WEIGHT-004")
def test_weight_0_alone_is_nobody_where_weight_decides(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, strategy: str
) -> None:
    ups = [upstream(), upstream()]
    gw = gateway(*(deployment(up, weight=0) for up in ups), routerSettings={"routingStrategy": strategy})
    answer = gw.chat()
    with check("STG-WEIGHT-004"):
        assert answer.status == 503
        assert answer.error()["code"] == "model_unavailable"
        assert [len(up.requests) for up in ups] == [0, 0]


@pytest.mark.parametrize("strategy", ["price-based", "usage-based-tpm"])
@pytest.mark.rule("STG-ORDER-002")
def test_the_next_one_is_asked_if_the_preferred_one_is_at_its_limit(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, strategy: str
) -> None:
    """The preferred one costs less and answers without tokens; it may be asked once a minute."""
    preferred = upstream(serving("preferred", tokens=0, times=1), name="preferred")
    other = upstream(serving("other", tokens=100), name="other")
    gw = gateway(
        deployment(preferred, rpmLimit=1, pricing={"inputCentsPerMTokens": 1, "outputCentsPerMTokens": 1}),
        deployment(other, pricing={"inputCentsPerMTokens": 2, "outputCentsPerMTokens": 2}),
        routerSettings={"routingStrategy": strategy},
    )
    served = ask(gw, 6)
    with check("STG-ORDER-002"):
        assert sorted(served) == ["other"] * 5 + ["preferred"]
