"""Who is a candidate: a deployment serves those contracts that one of its transports carries."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.contracts import PATHS, ask, good_answer, is_in_its_shape
from conformance.deployments import Deployment, deployment, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import ANTHROPIC, CHAT, COUNT_TOKENS, RESPONSES, states
from fake_upstreams import UpstreamHandle

CARRIES = {CHAT: "chat", ANTHROPIC: "messages", COUNT_TOKENS: "messages", RESPONSES: "responses"}
METADATA = [("x-unified-routing-metadata", "true")]


def with_transports(up: UpstreamHandle, *transports: str, **settings: object) -> Deployment:
    """A deployment that speaks these protocols."""
    return deployment(up, transportOverrides={"text.generate": list(transports)}, **settings)


@pytest.mark.rule("CAP-ROUTE-001", "CAP-ROUTE-002")
def test_candidates_are_those_that_carry_the_contract(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The one that does not has the greater weight by far, so that it would be drawn."""
    for path in PATHS:
        others = [name for name in ("chat", "messages", "responses") if name != CARRIES[path]]
        unfit, fit = upstream(), upstream(good_answer(path), good_answer(path))
        gw = gateway(
            with_transports(unfit, *others, weight=1_000_000_000),
            with_transports(fit, CARRIES[path]),
            routerSettings=policies(json={"maxAttempts": 1}),
        )
        answers = [ask(gw, path, METADATA) for _ in range(2)]
        with check("CAP-ROUTE-001"):
            assert [answer.status for answer in answers] == [200, 200], path
            assert (len(unfit.requests), len(fit.requests)) == (0, 2), path
        with check("CAP-ROUTE-002"):
            assert states(gw) == [("available", None)] * 2, path
            metrics = [row["metrics"] for row in gw.deployments()]
            health = 0.5 if path == COUNT_TOKENS else 1.0  # counting says nothing of it
            assert [(row["rpm"], row["health_score"]) for row in metrics] == [(0, 0.5), (2, health)], path
            if path != COUNT_TOKENS:
                assert all(answer.json()["unified_routing"]["attempt_count"] == 1 for answer in answers), path


@pytest.mark.rule("CAP-ROUTE-003")
def test_a_pool_without_candidates_leads_to_the_general_chain(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    chain = [{"primaryModel": "gpt", "fallbackModels": ["near", "far"]}]
    for path in (ANTHROPIC, RESPONSES):
        unfit, near, far = upstream(), upstream(), upstream(good_answer(path))
        gw = gateway(
            unfit,
            deployment(near, publicModel="near"),
            with_transports(far, CARRIES[path], publicModel="far"),
            fallbacks=chain,
            routerSettings=policies(json={"maxAttempts": 1}),
        )
        answer = ask(gw, path, METADATA)
        with check("CAP-ROUTE-003"):
            assert answer.status == 200
            assert answer.json()["model"] == "far"
            assert answer.json()["unified_routing"]["fallback_used"] is True


@pytest.mark.rule("CAP-ROUTE-003")
def test_where_only_fallbacks_carry_it_their_limits_are_told(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    far = upstream(good_answer(ANTHROPIC))
    gw = gateway(
        upstream(),
        with_transports(far, "messages", publicModel="far", rpmLimit=1),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["far"]}],
    )
    statuses = [ask(gw, ANTHROPIC).status for _ in range(2)]
    with check("CAP-ROUTE-003"):
        assert statuses == [200, 429]


@pytest.mark.rule("CAP-ANSWER-001", "CAP-ANSWER-002")
def test_a_contract_that_nobody_carries_is_refused(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Chains for other reasons change nothing, since nobody can be asked who might give such a reason."""
    for path in PATHS:
        others = [name for name in ("chat", "messages", "responses") if name != CARRIES[path]]
        unfit, spare, other = upstream(), upstream(), upstream()
        gw = gateway(
            with_transports(unfit, *others),
            with_transports(spare, *others, publicModel="spare"),
            with_transports(other, CARRIES[path], publicModel="other"),
            fallbacks=[
                {"primaryModel": "gpt", "fallbackModels": ["spare"]},
                {"primaryModel": "gpt", "reason": "context_window", "fallbackModels": ["other"]},
            ],
        )
        streamed: dict[str, Any] = {} if path == COUNT_TOKENS else {"stream": True}
        for members in ({}, streamed):
            answer = ask(gw, path, **members)
            with check("CAP-ANSWER-001"):
                assert answer.status == 400, path
                if path in (CHAT, RESPONSES):
                    assert answer.error()["code"] == "unsupported_model_capability"
                    assert answer.error()["param"] == "model"
                else:
                    assert answer.error()["type"] == "invalid_request_error"
                assert is_in_its_shape(path, answer), answer.raw
            with check("CAP-ANSWER-002"):
                assert states(gw) == [("available", None)]
                assert gw.deployments()[0]["metrics"]["health_score"] == 0.5


@pytest.mark.rule("CAP-ROUTE-004")
def test_a_pool_with_one_candidate_is_a_pool_of_one(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Weight 0 keeps the only candidate from nothing, whoever else stands in the pool for other contracts."""
    for path in (ANTHROPIC, RESPONSES):
        unfit, fit = upstream(), upstream(good_answer(path))
        gw = gateway(unfit, with_transports(fit, CARRIES[path], weight=0))
        with check("CAP-ROUTE-004"):
            assert ask(gw, path).status == 200


@pytest.mark.rule("CAP-VIEW-001", "CAP-TRANSPORT-001", "CAP-TRANSPORT-002")
def test_the_view_tells_what_a_deployment_carries(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    credentials = {"apiKey": "k", "baseUrl": up.url}
    gw = gateway(
        deployment(up, label="a"),
        deployment(up, label="b", adapterKey="openai", credentials=credentials),
        deployment(up, label="c", adapterKey="anthropic", credentials=credentials),
        deployment(up, label="d", adapterKey="azureopenai", credentials=credentials),
        deployment(up, label="e", adapterKey="azureopenai", credentials={**credentials, "version": "v"}),
        deployment(up, label="f", adapterKey="openrouter", credentials=credentials),
        with_transports(up, "messages", "responses", label="g"),
        deployment(up, label="h", transportOverrides={"text.generate": "responses"}),
    )
    rows = gw.deployments()
    carried = [(row["provider"], row["transports"]) for row in rows]
    with check("CAP-TRANSPORT-001"):
        assert carried[:6] == [
            ("openaicompatible", {"text.generate": ["chat"]}),
            ("openai", {"text.generate": ["chat", "responses"]}),
            ("anthropic", {"text.generate": ["messages"]}),
            ("azureopenai", {"text.generate": ["chat", "responses"]}),
            ("azureopenai", {"text.generate": ["chat"]}),
            ("openrouter", {"text.generate": ["chat", "responses", "messages"]}),
        ]
    with check("CAP-TRANSPORT-002"):
        assert [transports["text.generate"] for _, transports in carried[6:]] == [
            ["responses", "messages"],
            ["responses"],
        ]
    with check("CAP-VIEW-001"):
        assert [row["provider"] for row in rows[2:4]] == ["anthropic", "azureopenai"]
        assert rows[2]["transports"] == {"text.generate": ["messages"]}
        assert rows[6]["operations"] == [{"id": "text.generate", "endpoints": ["/v1/responses", "/v1/messages"]}]
