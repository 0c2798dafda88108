"""Circuits that misconfiguration opens."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import states
from fake_upstreams import chat

pytestmark = pytest.mark.needs("virtual_time")

CLOSED = ("available", None)


@pytest.mark.rule("BRK-CONFIG-001", "BRK-CONFIG-002")
def test_a_model_that_does_not_exist_quarantines_its_deployment(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """At once, for 300 s, while the other deployment answers."""
    missing = chat.failure(404, "The model `x` does not exist", "model_not_found")
    first = upstream(missing, chat.completion("back"))
    second = upstream({"repeat": True, "steps": [chat.completion("b")]})
    gw = gateway(*in_order(first, second))
    with check("BRK-CONFIG-001"):
        assert gw.chat().status == 200
        assert states(gw) == [("cooldown", 300_000), CLOSED]
    gw.advance(299_999)
    gw.chat()
    with check("BRK-CONFIG-002"):
        assert len(first.requests) == 1
    gw.advance(1)
    gw.chat()
    with check("BRK-CONFIG-002"):
        assert len(first.requests) == 2
        assert states(gw) == [CLOSED, CLOSED]


@pytest.mark.rule("BRK-CALLER-003")
def test_nobody_is_told_to_wait_for_misconfiguration(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Both refuse their credentials, at the first request themselves and at the second by their circuits."""
    ups = [upstream(chat.failure(401, "Incorrect API key provided", "invalid_api_key")) for _ in range(2)]
    gw = gateway(*ups)
    for request in range(2):
        answer = gw.chat()
        with check("BRK-CALLER-003"):
            assert answer.status == 503, request
            assert answer.error()["code"] == "model_unavailable", request
            assert answer.header("retry-after") is None, request
            assert answer.header("x-should-retry") == "false", request
    with check("BRK-CALLER-003"):
        assert [len(up.requests) for up in ups] == [1, 1]
