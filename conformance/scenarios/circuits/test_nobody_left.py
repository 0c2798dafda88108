"""What is said when circuits keep everybody from being asked."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order, one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import states
from fake_upstreams import chat

pytestmark = pytest.mark.needs("virtual_time")


@pytest.mark.rule("BRK-CALLER-001", "BRK-CALLER-002")
def test_open_circuits_are_overload(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Two deployments whose circuits opened 2 s apart: the earlier end counts, in whole seconds rounded up."""
    first, second = upstream(chat.failure(500)), upstream(chat.failure(500))
    gw = gateway(*in_order(first, second), routerSettings=one_attempt(allowedFails=0))
    gw.chat()
    gw.advance(2_000)
    gw.chat()
    for later, retry_after in ((0, "3"), (1_999, "2"), (1, "1"), (999, "1")):
        gw.advance(later)
        answer = gw.chat()
        with check("BRK-CALLER-001"):
            assert answer.status == 503
            assert answer.error()["code"] == "model_overloaded"
        with check("BRK-CALLER-002"):
            assert answer.header("retry-after") == retry_after
    with check("BRK-CALLER-001"):
        assert [len(up.requests) for up in (first, second)] == [1, 1]
    gw.advance(1)
    first.add([chat.completion("a")])
    with check("BRK-CALLER-002"):
        assert gw.chat().status == 200


@pytest.mark.rule("BRK-CALLER-005")
@pytest.mark.parametrize("kind", ["capacity", "limit"])
def test_a_mixture_is_a_rate_limit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, kind: str) -> None:
    """One deployment's circuit is open, and the other's account has no capacity, or it is at its limit.

    The limit ends with the minute of the wall clock, which may be sooner than the circuit.
    """
    second_answer = chat.failure(429) if kind == "capacity" else [chat.completion("b")]
    first, second = upstream(chat.failure(500)), upstream(second_answer)
    limit = {"rpmLimit": 1} if kind == "limit" else {}
    gw = gateway(
        deployment(first, weight=1_000_000), deployment(second, **limit), routerSettings=one_attempt(allowedFails=0)
    )
    for _ in range(2):
        gw.chat()
    assert [status for status, _ in states(gw)] == ["cooldown", "rate_limited"]
    soonest = min(ms for _, ms in states(gw) if ms is not None)
    answer = gw.chat()
    with check("BRK-CALLER-005"):
        assert answer.status == 429
        assert answer.error()["code"] == "rate_limit_exceeded"
        assert answer.header("retry-after") == str(-(-soonest // 1000))
        assert [len(up.requests) for up in (first, second)] == [1, 1]
