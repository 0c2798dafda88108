"""Who is asked again once every deployment has failed, and how often."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import Session
from conformance.waiting import armed_wait, assert_waits
from fake_upstreams import UpstreamHandle, chat, reply

pytestmark = pytest.mark.needs("virtual_time")

TOO_LARGE = "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000"
NO_CIRCUITS = {"cooldownSeconds": 0}


def failing(upstream: UpstreamFactory, status: int = 500, times: int | None = None) -> UpstreamHandle:
    return upstream(reply(chat.failure(status), times=times, optional=True))


def pass_waits(gw: Session, times: int) -> None:
    for _ in range(times):
        assert_waits(gw)


def calls(*ups: UpstreamHandle) -> list[int]:
    return [len(up.requests) for up in ups]


@pytest.mark.rule("RTY-ROUND-001", "RTY-ROUND-002", "RTY-PASS-001", "FBK-BUDGET-001")
def test_rounds_go_on_until_the_budget_is_spent(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Three deployments and a budget of eight: two whole rounds, and two attempts of a third."""
    ups = [failing(upstream) for _ in range(3)]
    gw = gateway(*ups, routerSettings={**policies(json={"maxAttempts": 8}), **NO_CIRCUITS})
    client = gw.begin_chat()
    seen = []
    for _ in range(5):
        armed_wait(gw)
        seen.append(calls(*ups))
        assert_waits(gw)
    answer = client.response()
    with check("RTY-PASS-001"):
        assert seen[0] == [1, 1, 1]
    with check("RTY-ROUND-002"):
        assert seen[3] == [2, 2, 2]
        assert max(calls(*ups)) == 3
    with check("RTY-ROUND-001", "FBK-BUDGET-001"):
        assert sum(calls(*ups)) == 8
        assert answer.status == 500


@pytest.mark.rule("RTY-ROUND-003", "FBK-HOP-001")
def test_a_round_goes_over_the_pool_and_then_over_the_hops(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    primary, first, second = failing(upstream), failing(upstream), failing(upstream)
    gw = gateway(
        deployment(primary),
        deployment(second, publicModel="second"),
        deployment(first, publicModel="first"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["first", "second"]}],
        routerSettings={**policies(json={"maxAttempts": 6}), **NO_CIRCUITS},
    )
    client = gw.begin_chat()
    seen = []
    for _ in range(3):
        armed_wait(gw)
        seen.append(calls(primary, first, second))
        assert_waits(gw)
    assert client.response().status == 500
    seen.append(calls(primary, first, second))
    with check("FBK-HOP-001"):
        assert seen[0] == [1, 1, 1]
    with check("RTY-ROUND-003"):
        assert seen[1:] == [[2, 1, 1], [2, 2, 1], [2, 2, 2]]


@pytest.mark.rule("RTY-ROUND-004")
def test_what_cannot_carry_the_request_is_left_alone(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    small = upstream(chat.failure(413, TOO_LARGE, "rate_limit_exceeded", "tokens"))
    broken = upstream(chat.failure(500), chat.failure(500), chat.completion("b"))
    gw = gateway(*in_order(small, broken), routerSettings=policies(json={"maxAttempts": 5}))
    client = gw.begin_chat()
    pass_waits(gw, 2)
    answer = client.response()
    with check("RTY-ROUND-004"):
        assert answer.status == 200
        assert calls(small, broken) == [1, 3]


@pytest.mark.rule("RTY-ROUND-005")
def test_an_open_circuit_is_not_waited_for(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The request's only failure opens the circuit of its only deployment."""
    up = upstream(chat.failure(503, "busy"))
    answer = gateway(up, routerSettings={"allowedFails": 0, "cooldownSeconds": 1}).chat()
    with check("RTY-ROUND-005"):
        assert answer.status == 503
        assert answer.error()["message"] == "busy"


@pytest.mark.rule("RTY-PASS-002")
def test_who_is_at_a_limit_costs_nothing(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    limited, other = upstream(chat.completion("a")), failing(upstream)
    first, second = in_order(limited, other)
    gw = gateway({**first, "rpmLimit": 1}, second, routerSettings=policies(json={"maxAttempts": 2}))
    gw.chat()
    client = gw.begin_chat()
    pass_waits(gw, 1)
    client.response()
    with check("RTY-PASS-002"):
        assert calls(limited, other) == [1, 2]


@pytest.mark.rule("RTY-PASS-003", "RTY-PASS-005")
def test_the_first_pass_leaves_a_chain_one_attempt(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """For any reason; without a general chain the pool gets it back, and the untried comes first."""
    for reason in ("general", "context_window", "content_policy"):
        ups = [failing(upstream) for _ in range(4)]
        hop = failing(upstream)
        gw = gateway(
            *ups,
            deployment(hop, publicModel="other"),
            fallbacks=[{"primaryModel": "gpt", "reason": reason, "fallbackModels": ["other"]}],
            routerSettings=policies(json={"maxAttempts": 3}),
        )
        assert gw.chat().status == 500
        if reason == "general":
            with check("RTY-PASS-003"):
                assert sum(calls(*ups)) == 2
                assert calls(hop) == [1]
        else:
            with check("RTY-PASS-005"):
                assert sorted(calls(*ups)) == [0, 1, 1, 1], reason
                assert calls(hop) == [0]


@pytest.mark.rule("RTY-PASS-004")
def test_a_budget_of_one_is_the_pools(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up, hop = upstream(chat.failure(500)), upstream()
    gw = gateway(
        up,
        deployment(hop, publicModel="other"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["other"]}],
        routerSettings=policies(json={"maxAttempts": 1}),
    )
    answer = gw.chat()
    with check("RTY-PASS-004"):
        assert answer.status == 500
        assert hop.requests == []


@pytest.mark.rule("BRK-COUNT-004")
def test_a_request_counts_one_failure_of_a_deployment(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Three attempts fail on one deployment; the circuit that two failures open stays closed until a second request."""
    up = failing(upstream)
    gw = gateway(up, routerSettings={**policies(json={"maxAttempts": 3}), "allowedFails": 1})
    first = gw.begin_chat()
    pass_waits(gw, 2)
    first.response()
    with check("BRK-COUNT-004"):
        assert calls(up) == [3]
        assert gw.deployments()[0]["status"] == "available"
    gw.chat()
    with check("BRK-COUNT-004"):
        assert calls(up) == [4]
        assert gw.deployments()[0]["status"] == "cooldown"
