"""totalMs of a deployment's overrides bounds that deployment, and not the request."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Pause, chat, faults

pytestmark = pytest.mark.needs("virtual_time")


@pytest.mark.rule("RTY-BOUND-001")
def test_an_attempt_ends_at_the_deployments_own_total_ms(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    slow, other = upstream([faults.AcceptThenSilence()]), upstream(chat.completion("b"))
    first, second = in_order(slow, other)
    gw = gateway({**first, "executionPolicyOverrides": {"chat": {"totalMs": 3000}}}, second)
    client = gw.begin_chat()
    slow.wait_request()
    gw.advance(2999, until_armed="response")
    with check("RTY-BOUND-001"):
        assert slow.open_connections == 1
        assert other.requests == []
    gw.advance(1)
    answer = client.response()
    with check("RTY-BOUND-001"):
        assert slow.wait_closed() in ("client closed", "client reset")
        assert answer.status == 200


@pytest.mark.rule("RTY-BOUND-002")
def test_a_deployment_whose_own_time_is_over_is_not_asked(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """It counts from the request's start, which an attempt elsewhere has moved away from."""
    for passed, asked in ((2999, True), (3000, False)):
        slow = upstream([Pause(until="later"), *chat.failure(401)])
        bounded = upstream(chat.completion("b")) if asked else upstream()
        gw = gateway(
            deployment(slow),
            deployment(bounded, publicModel="other", executionPolicyOverrides={"all": {"totalMs": 3000}}),
            fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["other"]}],
        )
        client = gw.begin_chat()
        slow.wait_gate("later")
        gw.advance(passed, until_armed="response")
        slow.release("later")
        answer = client.response()
        with check("RTY-BOUND-002"):
            assert answer.status == (200 if asked else 503), passed
            assert len(bounded.requests) == int(asked)
