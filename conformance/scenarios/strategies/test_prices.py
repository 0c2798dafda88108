"""price-based."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.asking import ask, serving
from conformance.checks import Check
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory


def priced(given: float, taken: float, **settings: Any) -> dict[str, Any]:
    """Settings of a deployment with prices in cents per million tokens in and out."""
    return {"pricing": {"inputCentsPerMTokens": given, "outputCentsPerMTokens": taken}, **settings}


@pytest.mark.rule("STG-PRICE-001", "STG-PRICE-003", "STG-WEIGHT-001", "STG-NAME-003")
def test_the_cheapest_is_chosen_if_all_prices_are_known(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """What counts is the sum: `cheap` costs more going in. In a third pool one price is unknown, so weight decides."""
    cheap, other_cheap = upstream(serving("cheap"), name="cheap"), upstream(serving("other"), name="other")
    heavy = upstream(serving("heavy"), name="heavy")
    dear, other_dear, known = upstream(name="dear"), upstream(name="other-dear"), upstream(name="known")
    gw = gateway(
        deployment(dear, **priced(10, 30, weight=1_000_000_000)),
        deployment(cheap, **priced(20, 5, weight=0)),
        deployment(other_cheap, **priced(0, 0, publicModel="other")),
        deployment(other_dear, **priced(0, 0.01, publicModel="other", weight=1_000_000_000)),
        deployment(known, **priced(1, 1, publicModel="unknown")),
        deployment(heavy, publicModel="unknown", weight=1_000_000_000),
        routerSettings={"routingStrategy": "price-based"},
    )
    served = ask(gw, 5)
    with check("STG-PRICE-001", "STG-WEIGHT-001"):
        assert served == ["cheap"] * 5
    served = ask(gw, 5, model="other")
    with check("STG-NAME-003"):
        assert served == ["other"] * 5
    served = ask(gw, 5, model="unknown")
    with check("STG-PRICE-003"):
        assert served == ["heavy"] * 5
