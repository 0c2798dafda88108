"""rpmLimit and tpmLimit, one before and one at their edge, and the end of the minute."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import states
from fake_upstreams import chat

pytestmark = pytest.mark.needs("virtual_time")

CLOSED = ("available", None)


@pytest.mark.rule("LIM-RPM-001", "LIM-CALLER-001", "LIM-CALLER-002", "LIM-SKIP-002", "LIM-SKIP-003", "BRK-VIEW-004")
def test_the_eleventh_of_ten_requests_is_refused(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """It costs nothing but itself, and the next minute begins anew."""
    up = upstream({"times": 11, "steps": [chat.completion("a")]})
    gw = gateway(deployment(up, rpmLimit=10), routerSettings={"allowedFails": 0})
    for number in range(1, 11):
        with check("LIM-RPM-001"):
            assert gw.chat().status == 200, number
    ((status, rest),) = states(gw)
    assert rest is not None
    with check("BRK-VIEW-004"):
        assert status == "rate_limited"
        assert 1 <= rest <= 60_000
    for _ in range(5):
        refused = gw.chat()
        with check("LIM-CALLER-001"):
            assert refused.status == 429
            assert refused.error()["code"] == "rate_limit_exceeded"
            assert len(up.requests) == 10
        with check("LIM-CALLER-002"):
            assert refused.header("retry-after") == str(-(-rest // 1_000))
    gw.advance(rest - 1)
    with check("LIM-SKIP-002"):
        assert states(gw) == [("rate_limited", 1)]
        assert gw.chat().status == 429
    with check("LIM-SKIP-003"):
        assert gw.deployments()[0]["metrics"]["health_score"] == 1
        assert gw.deployments()[0]["metrics"]["rpm"] == 10
    gw.advance(1)
    with check("LIM-SKIP-002", "LIM-SKIP-003"):
        assert states(gw) == [CLOSED]
        assert gw.chat().status == 200


@pytest.mark.rule("LIM-RPM-002", "LIM-SKIP-001", "LIM-CALLER-001")
def test_a_pools_capacity_is_used_up_exactly(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Four deployments of six, 24 requests eight at a time; all of them succeed, and the 25th is refused."""
    ups = [upstream({"times": 6, "steps": [chat.completion("a")]}) for _ in range(4)]
    gw = gateway(*(deployment(up, rpmLimit=6) for up in ups), server={"workers": 2})
    with ThreadPoolExecutor(8) as clients:
        statuses = list(clients.map(lambda _: gw.chat().status, range(24)))
    with check("LIM-SKIP-001"):
        assert statuses == [200] * 24
    with check("LIM-RPM-002"):
        assert [len(up.requests) for up in ups] == [6, 6, 6, 6]
    with check("LIM-CALLER-001"):
        assert gw.chat().status == 429
        assert sum(len(up.requests) for up in ups) == 24


@pytest.mark.rule("LIM-TPM-001")
def test_tokens_of_answers_reach_the_limit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """99 of 100 tokens leave room for one more request, whatever that takes."""
    up = upstream(*(chat.completion("a", usage=chat.tokens(90, number)) for number in (9, 1)), chat.completion("b"))
    gw = gateway(deployment(up, tpmLimit=100), routerSettings=one_attempt())
    for number in range(2):
        with check("LIM-TPM-001"):
            assert gw.chat().status == 200, number
    refused = gw.chat()
    ((status, rest),) = states(gw)
    with check("LIM-TPM-001"):
        assert refused.status == 429
        assert status == "rate_limited"
        assert len(up.requests) == 2
    assert rest is not None
    gw.advance(rest)
    with check("LIM-TPM-001"):
        assert gw.chat().status == 200
