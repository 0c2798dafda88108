"""Which deployments a request may reach, and how often."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import chat


@pytest.mark.rule("ROU-MODEL-001", "ROU-MODEL-002", "ROU-POOL-003", "HTTP-REFUSE-001")
def test_unknown_and_disabled_models_are_not_found(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    off, on = upstream(), upstream()
    gw = gateway(deployment(off, publicModel="off", enabled=False), deployment(on))
    for rule, model in (("ROU-MODEL-001", "nobody"), ("ROU-MODEL-001", "upstream-model"), ("ROU-MODEL-002", "off")):
        answer = gw.chat(model=model)
        with check(rule):
            assert answer.status == 404, model
            assert answer.error()["code"] == "model_not_found", model
            assert answer.error()["type"] == "invalid_request_error", model
    with check("ROU-POOL-003", "HTTP-REFUSE-001"):
        assert off.requests == []
        assert on.requests == []


@pytest.mark.rule("ROU-POOL-001", "ROU-POOL-002", "ROU-POOL-003", "RTY-PASS-001", "ROU-PASS-002")
def test_attempts_stay_inside_the_pool(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Two deployments of the model fail; neither another model's deployment nor a disabled one is asked instead."""
    first, second = upstream(chat.failure(500)), upstream(chat.failure(502))
    other, off = upstream(), upstream()
    gw = gateway(
        *in_order(first, second),
        deployment(other, publicModel="other"),
        deployment(off, enabled=False, weight=9),
        routerSettings=policies(json={"maxAttempts": 2}),
    )
    answer = gw.chat()
    with check("ROU-POOL-001", "RTY-PASS-001"):
        assert [len(first.requests), len(second.requests)] == [1, 1]
    with check("ROU-PASS-002"):
        assert answer.status == 502
    with check("ROU-POOL-002"):
        assert other.requests == []
    with check("ROU-POOL-003"):
        assert off.requests == []


@pytest.mark.rule("ROU-POOL-004")
def test_a_pool_of_one_ignores_its_weight(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """A disabled deployment beside it does not count."""
    up, off = upstream(chat.completion("a")), upstream()
    answer = gateway(deployment(up, weight=0), deployment(off, enabled=False)).chat()
    with check("ROU-POOL-004"):
        assert answer.status == 200


@pytest.mark.rule("RTY-PASS-005", "RTY-PASS-001", "ROU-BUDGET-001")
def test_each_deployment_is_tried_once(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    ups = [upstream(chat.failure(500)) for _ in range(3)]
    gw = gateway(*in_order(*ups), routerSettings=policies(json={"maxAttempts": 3}))
    answer = gw.chat()
    with check("RTY-PASS-005", "RTY-PASS-001"):
        assert [len(up.requests) for up in ups] == [1, 1, 1]
    with check("ROU-BUDGET-001"):
        assert answer.status == 500


@pytest.mark.rule("ROU-BUDGET-001", "ROU-BUDGET-002")
def test_attempts_are_bounded_by_max_attempts(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """JSON requests may make one attempt here and streams two; three deployments would be there."""
    ups = [upstream(*(chat.failure(500) for _ in range(number))) for number in (2, 1)]
    spare = upstream()
    gw = gateway(*in_order(*ups, spare), routerSettings=policies(json={"maxAttempts": 1}, stream={"maxAttempts": 2}))
    gw.chat()
    with check("ROU-BUDGET-001"):
        assert [len(up.requests) for up in (*ups, spare)] == [1, 0, 0]
    gw.chat(stream=True)
    with check("ROU-BUDGET-002"):
        assert [len(up.requests) for up in (*ups, spare)] == [2, 1, 0]


@pytest.mark.rule("ROU-BUDGET-003")
def test_without_configuration_three_attempts_are_made(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for stream in (False, True):
        ups = [upstream({"times": 1, "optional": True, "steps": list(chat.failure(500))}) for _ in range(5)]
        gateway(*ups).chat(stream=stream)
        with check("ROU-BUDGET-003"):
            assert sum(len(up.requests) for up in ups) == 3, f"stream is {stream}"
