"""Which chain a request goes to."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import Session, contents
from fake_upstreams import Headers, UpstreamHandle, chat, reply

Steps = list[Any]

TOO_LONG = chat.failure(400, "too many tokens", "context_length_exceeded", "invalid_request_error")
FORBIDDEN = chat.failure(400, "filtered", "content_filter", "invalid_request_error")
REASONS = ("general", "context_window", "content_policy")


def chains(*reasons: str) -> list[dict[str, Any]]:
    """One hop for each reason: a public model of that name."""
    return [{"primaryModel": "gpt", "reason": reason, "fallbackModels": [reason]} for reason in reasons]


def hops(upstream: UpstreamFactory) -> list[dict[str, Any]]:
    """Deployments that answer with the reason that led to them."""
    return [
        deployment(upstream(reply(chat.completion(reason), times=None, optional=True)), publicModel=reason)
        for reason in REASONS
    ]


def served_by(gw: Session) -> str:
    answer = gw.chat()
    assert answer.status == 200, answer.raw
    text: str = answer.json()["choices"][0]["message"]["content"]
    return text


def pool(upstream: UpstreamFactory, *replies: Steps) -> list[UpstreamHandle]:
    return [upstream(steps) for steps in replies]


@pytest.mark.rule("FBK-REASON-001")
def test_failures_of_the_pool_are_general(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    cases = (chat.failure(500), chat.failure(401), [Headers({"Retry-After": "90"}), *chat.failure(429)])
    for steps in cases:
        ups = pool(upstream, steps, chat.failure(502))
        gw = gateway(*in_order(*ups), *hops(upstream), fallbacks=chains(*REASONS))
        with check("FBK-REASON-001"):
            assert served_by(gw) == "general"
            assert [len(up.requests) for up in ups] == [1, 1]


@pytest.mark.rule("FBK-REASON-001")
def test_limits_and_circuits_are_general(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The first request fills the limit of the one deployment, or opens its circuit."""
    limited = upstream(chat.completion("a"))
    gw = gateway(deployment(limited, rpmLimit=1), *hops(upstream), fallbacks=chains("general"))
    gw.chat()
    with check("FBK-REASON-001"):
        assert served_by(gw) == "general"
    broken = upstream(chat.failure(401))
    gw = gateway(broken, *hops(upstream), fallbacks=chains("general"))
    gw.chat()
    with check("FBK-REASON-001"):
        assert served_by(gw) == "general"
        assert len(broken.requests) == 1


@pytest.mark.rule("FBK-REASON-002", "FBK-REASON-003", "FBK-REASON-004")
def test_the_requests_content_has_chains_of_its_own(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for rule, steps, reason in (
        ("FBK-REASON-002", TOO_LONG, "context_window"),
        ("FBK-REASON-003", FORBIDDEN, "content_policy"),
    ):
        asked, spared = upstream(steps), upstream()
        gw = gateway(*in_order(asked, spared), *hops(upstream), fallbacks=chains(*REASONS))
        with check(rule):
            assert served_by(gw) == reason
            assert spared.requests == []
        ups = pool(upstream, chat.failure(500), steps)
        settings = policies(json={"maxAttempts": 4})
        gw = gateway(*in_order(*ups), *hops(upstream), fallbacks=chains(*REASONS), routerSettings=settings)
        with check("FBK-REASON-004"):
            assert served_by(gw) == reason


@pytest.mark.rule("FBK-REASON-005", "FAIL-REQUEST-004", "FAIL-REQUEST-005")
def test_the_general_chain_is_no_substitute(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for rule, steps, other, code in (
        ("FAIL-REQUEST-004", TOO_LONG, "content_policy", "context_length_exceeded"),
        ("FAIL-REQUEST-005", FORBIDDEN, "context_window", "content_filter"),
    ):
        gw = gateway(upstream(steps), *hops(upstream), fallbacks=chains("general", other))
        answer = gw.chat()
        with check("FBK-REASON-005", rule):
            assert answer.status == 400
            assert answer.error()["code"] == code


@pytest.mark.rule("FBK-REASON-006")
def test_on_a_hop_such_an_answer_leads_to_the_next_hop(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Not to the chain of its reason, although the primary model has one."""
    for steps in (TOO_LONG, FORBIDDEN):
        asked, spared = upstream(steps), upstream()
        gw = gateway(
            upstream(chat.failure(500)),
            *in_order(asked, spared, publicModel="hop"),
            *hops(upstream),
            fallbacks=[
                {"primaryModel": "gpt", "fallbackModels": ["hop", "general"]},
                *chains("context_window", "content_policy"),
            ],
            routerSettings=policies(json={"maxAttempts": 5}),
        )
        with check("FBK-REASON-006"):
            assert served_by(gw) == "general"
            assert spared.requests == []


@pytest.mark.rule("FBK-STREAM-001", "FBK-STREAM-002")
def test_streams_change_over_only_before_they_show_anything(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The failure is seen only in the body of a 200."""
    for frame in (chat.error("too many", "rate_limit_exceeded"), chat.error("bad key", "invalid_api_key")):
        first, hop = upstream([chat.role(), frame]), upstream(chat.stream("b"))
        gw = gateway(first, deployment(hop, publicModel="general"), fallbacks=chains("general"))
        answer = gw.chat(stream=True)
        with check("FBK-STREAM-001"):
            assert answer.status == 200
            assert contents(answer) == "b"
    first, hop = upstream([chat.role(), chat.content("a"), chat.error("down")]), upstream()
    gw = gateway(first, deployment(hop, publicModel="general"), fallbacks=chains("general"))
    answer = gw.chat(stream=True)
    with check("FBK-STREAM-002"):
        assert answer.status == 200
        assert hop.requests == []
        assert "error" in answer.events[-1].json()
