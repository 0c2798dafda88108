"""Capacity circuits: what a provider's 429 means for its failure domain."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order, one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import states
from fake_upstreams import Headers, Step, chat

pytestmark = pytest.mark.needs("virtual_time")

CLOSED = ("available", None)


def throttled(retry_after: int | None = None) -> list[Step]:
    answer = chat.failure(429, code="rate_limit_exceeded", kind="rate_limit_error")
    return answer if retry_after is None else [Headers({"Retry-After": retry_after}), *answer]


@pytest.mark.rule("BRK-CAPACITY-001", "BRK-CAPACITY-003", "BRK-CALLER-004", "BRK-VIEW-004")
def test_an_account_behind_several_deployments_is_asked_once(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Three deployments of one account; the first one's 429 asks for 9 s."""
    first, *others = upstream(throttled(9)), upstream(), upstream()
    gw = gateway(*in_order(first, *others, failureDomain="account"), routerSettings=one_attempt())
    assert gw.chat().status == 429
    with check("BRK-CAPACITY-001", "BRK-VIEW-004"):
        assert states(gw) == [("rate_limited", 9_000)] * 3
    gw.advance(8_999)
    refused = gw.chat()
    with check("BRK-CALLER-004"):
        assert refused.status == 429
        assert refused.error()["code"] == "rate_limit_exceeded"
        assert refused.header("retry-after") == "1"
    with check("BRK-CAPACITY-003", "BRK-VIEW-004"):
        assert states(gw) == [("rate_limited", 1)] * 3
    with check("BRK-CAPACITY-001"):
        assert [len(up.requests) for up in (first, *others)] == [1, 0, 0]
    gw.advance(1)
    first.add([chat.completion("a")])
    with check("BRK-CAPACITY-003"):
        assert states(gw) == [CLOSED] * 3
        assert gw.chat().status == 200


@pytest.mark.rule("BRK-CAPACITY-001", "BRK-CAPACITY-002")
def test_another_account_is_used_at_once(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Without a wait, and without asking the account's other deployment in between."""
    first, twin, other = upstream(throttled()), upstream(), upstream(chat.completion("other"))
    shared = in_order(first, twin, failureDomain="account")
    gw = gateway(*shared, deployment(other, weight=1))
    answer = gw.chat()
    with check("BRK-CAPACITY-001"):
        assert answer.status == 200
        assert len(twin.requests) == 0
    with check("BRK-CAPACITY-002"):
        assert states(gw) == [("rate_limited", 5_000), ("rate_limited", 5_000), CLOSED]


@pytest.mark.rule("BRK-CAPACITY-002", "BRK-CAPACITY-003")
def test_without_a_domain_a_429_is_the_deployments_own(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """It lasts throttleCooldownSeconds where the provider asks for less."""
    first = upstream(throttled(2), chat.completion("back"))
    second = upstream({"repeat": True, "steps": [chat.completion("b")]})
    gw = gateway(*in_order(first, second))
    assert gw.chat().status == 200
    with check("BRK-CAPACITY-002"):
        assert states(gw) == [("rate_limited", 5_000), CLOSED]
    gw.advance(4_999)
    gw.chat()
    with check("BRK-CAPACITY-003"):
        assert len(first.requests) == 1
    gw.advance(1)
    gw.chat()
    with check("BRK-CAPACITY-003"):
        assert len(first.requests) == 2
