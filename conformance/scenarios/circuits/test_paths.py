"""Upstreams that lack the path of one contract, and serve others."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.contracts import ask, good_answer
from conformance.deployments import ONE_ATTEMPT, Deployment, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import ANTHROPIC, CHAT, RESPONSES, states
from fake_upstreams import Body, Status, UpstreamHandle, chat

pytestmark = pytest.mark.needs("virtual_time")

CLOSED = ("available", None)
MISSING: dict[str, list[Any]] = {
    "page": [Status(404), Body(b"<html>nothing here</html>", "text/html")],
    "not found": [Status(404), Body.json({"detail": "Not Found"})],
    "method": [Status(405), Body.json({"detail": "Method Not Allowed"})],
}


def speaking_all(up: UpstreamHandle) -> Deployment:
    return deployment(up, transportOverrides={"text.generate": ["chat", "messages", "responses"]})


@pytest.mark.rule("BRK-PATH-001")
@pytest.mark.parametrize("case", MISSING)
@pytest.mark.parametrize("path", [ANTHROPIC, RESPONSES])
def test_a_path_that_is_missing_closes_no_other(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, path: str, case: str
) -> None:
    """For 300 s, after which it is asked for again."""
    up = upstream(chat.completion("a"), MISSING[case], chat.completion("b"), good_answer(path))
    gw = gateway(speaking_all(up), routerSettings=ONE_ATTEMPT)
    assert gw.chat().status == 200
    for number in range(2):
        refused = ask(gw, path)
        with check("BRK-PATH-001"):
            assert refused.status == 503, number
            assert refused.header("retry-after") is None
            assert len(up.requests) == 2
    with check("BRK-PATH-001"):
        assert states(gw) == [CLOSED]
        assert gw.deployments()[0]["metrics"]["health_score"] == 1.0
        assert gw.chat().status == 200
    gw.advance(299_999)
    with check("BRK-PATH-001"):
        assert ask(gw, path).status == 503
    gw.advance(1)
    with check("BRK-PATH-001"):
        assert ask(gw, path).status == 200


@pytest.mark.rule("BRK-PATH-001")
def test_another_deployment_has_the_path(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """It is asked from then on without an attempt on the one that lacks it."""
    lacking, having = upstream(MISSING["page"]), upstream(*[good_answer(RESPONSES)] * 3)
    gw = gateway({**speaking_all(lacking), "weight": 1_000_000_000}, speaking_all(having))
    with check("BRK-PATH-001"):
        assert [ask(gw, RESPONSES).status for _ in range(3)] == [200] * 3
        assert len(lacking.requests) == 1


@pytest.mark.rule("BRK-PATH-001")
def test_a_model_that_is_missing_is_missing_everywhere(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.failure(404, "The model `x` does not exist", "model_not_found"))
    gw = gateway(speaking_all(up), routerSettings=ONE_ATTEMPT)
    assert ask(gw, RESPONSES).status == 503
    with check("BRK-PATH-001"):
        assert states(gw) == [("cooldown", 300_000)]
        assert ask(gw, CHAT).status == 503
        assert len(up.requests) == 1


@pytest.mark.rule("BRK-PATH-002")
def test_the_view_shows_what_is_known(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(MISSING["page"], chat.completion("a"))
    gw = gateway(speaking_all(up), routerSettings=ONE_ATTEMPT)
    assert ask(gw, RESPONSES).status == 503
    with check("BRK-PATH-002"):
        assert states(gw) == [("cooldown", 300_000)]
        assert gw.chat().status == 200
        assert states(gw) == [CLOSED]
