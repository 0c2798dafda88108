"""simple-shuffle: weighted draws.

Proportions are checked against bounds of six standard deviations of n draws, which chance misses once in 500 million
runs; a target with `seed` draws the same every time.
"""

from __future__ import annotations

from math import sqrt

import pytest

from conformance.asking import ask
from conformance.checks import Check
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import chat, reply

DRAWS = 400


def assert_share(count: int, draws: int, share: float) -> None:
    """Asserts that a share of independent draws is what it should be."""
    bound = 6 * sqrt(draws * share * (1 - share))
    assert abs(count - draws * share) <= bound, f"{count} of {draws}, expected {draws * share:.0f} +- {bound:.0f}"


@pytest.mark.rule("ROU-SHUFFLE-001", "ROU-SHUFFLE-002", "ROU-SHUFFLE-003", "ROU-SHUFFLE-005")
def test_shares_are_proportional_to_weights(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    light, heavy = (upstream(reply(chat.completion(name), times=None), name=name) for name in ("light", "heavy"))
    never = upstream(name="never")
    gw = gateway(deployment(light), deployment(heavy, weight=3), deployment(never, weight=0))
    served = ask(gw, DRAWS)
    with check("ROU-SHUFFLE-001", "ROU-SHUFFLE-002"):
        assert_share(served.count("heavy"), DRAWS, 3 / 4)
    with check("ROU-SHUFFLE-005"):
        assert_share(served.count("light"), DRAWS, 1 / 4)
    with check("ROU-SHUFFLE-003"):
        assert never.requests == []


@pytest.mark.rule("ROU-PASS-004", "ROU-SHUFFLE-003")
def test_later_choices_are_weighted_draws_too(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    broken = upstream(reply(chat.failure(500), times=None), name="broken")
    light, heavy = (upstream(reply(chat.completion(name), times=None), name=name) for name in ("light", "heavy"))
    never = upstream(name="never")
    gw = gateway(
        deployment(broken, weight=1_000_000_000),
        deployment(light, weight=1),
        deployment(heavy, weight=3),
        deployment(never, weight=0),
        routerSettings={"cooldownSeconds": 0},
    )
    served = ask(gw, DRAWS)
    with check("ROU-PASS-004"):
        assert len(broken.requests) == DRAWS
        assert_share(served.count("heavy"), DRAWS, 3 / 4)
    with check("ROU-SHUFFLE-003"):
        assert never.requests == []


@pytest.mark.rule("ROU-SHUFFLE-003", "ROU-SHUFFLE-004")
def test_weight_0_is_no_candidate_whatever_else_is_left(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    broken, never, nor_this = upstream(chat.failure(500)), upstream(), upstream()
    opens_at_once = {"allowedFails": 0}
    after_failure = gateway(broken, deployment(never, weight=0), routerSettings=opens_at_once).chat()
    with check("ROU-SHUFFLE-003"):
        assert after_failure.status == 500
        assert never.requests == []
    weightless = deployment(never, weight=0), deployment(nor_this, weight=0)
    answer = gateway(*weightless, routerSettings=opens_at_once).chat()
    with check("ROU-SHUFFLE-004"):
        assert answer.status == 503
        assert answer.error()["code"] == "model_unavailable"
        assert never.requests == []
        assert nor_this.requests == []


@pytest.mark.needs("seed")
@pytest.mark.rule("ROU-SHUFFLE-006", "CTL-SEED-001")
def test_the_same_seed_gives_the_same_choices(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    names = ("a", "b", "c")
    ups = [upstream(reply(chat.completion(name), times=None), name=name) for name in names]
    gw = gateway(*ups, seed=5)
    first = ask(gw, 40)
    gw.seed(5)
    again = ask(gw, 40)
    another = ask(gateway(*ups, seed=5), 40)
    gw.seed(6)
    different = ask(gw, 40)
    with check("CTL-SEED-001"):
        assert again == first
        assert different != first
    with check("ROU-SHUFFLE-006"):
        assert another == first
        assert set(first) == set(names)
