"""Usage is shown to clients that asked for it, and to no others."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last
from conformance.session import contents, finish_reasons, payloads
from fake_upstreams import Step, chat

COUNTS = {"usage": chat.tokens(16, 3)}
IN_X_GROQ = [chat.role(), chat.content("a"), chat.finish(extra={"x_groq": {"id": "r", **COUNTS}}), chat.DONE]
VARIANTS = [
    pytest.param([chat.role(), chat.content("a"), chat.finish(), chat.usage(16, 3), chat.DONE], id="own frame"),
    pytest.param([chat.role(), chat.content("a"), chat.finish(extra=COUNTS), chat.DONE], id="on the finish frame"),
    pytest.param(IN_X_GROQ, id="in x_groq"),
    pytest.param(
        [chat.role(extra=COUNTS), chat.content("a", extra=COUNTS), chat.finish(extra=COUNTS), chat.DONE],
        id="on every frame",
    ),
]


@pytest.mark.rule("STR-USAGE-001", "STR-USAGE-003")
@pytest.mark.parametrize("steps", VARIANTS)
def test_usage_is_hidden_from_a_client_that_did_not_ask(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, steps: list[Step]
) -> None:
    answer = gateway(upstream(steps)).chat(stream=True)
    with check("STR-USAGE-003"):
        assert b"_tokens" not in answer.body
        assert contents(answer) == "a"
        assert finish_reasons(answer) == ["stop"]
        assert answer.events[-1].is_done
    with check("STR-USAGE-001"):
        assert len(payloads(answer)) == 3


@pytest.mark.rule("STR-USAGE-002")
@pytest.mark.parametrize("steps", VARIANTS)
def test_usage_is_shown_to_a_client_that_asked(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, steps: list[Step]
) -> None:
    answer = gateway(upstream(steps)).chat(stream=True, stream_options={"include_usage": True})
    with check("STR-USAGE-002"):
        assert b'"total_tokens":19' in answer.body
        assert len(payloads(answer)) == len(steps) - 1


@pytest.mark.rule("STR-USAGE-001")
def test_usage_that_was_declined_is_hidden(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    answer = gateway(upstream(chat.stream("a"))).chat(stream=True, stream_options={"include_usage": False})
    with check("STR-USAGE-001"):
        assert b"_tokens" not in answer.body


def counted(completion: int) -> dict[str, object]:
    return {"usage": chat.tokens(16, completion)}


GROWING = [
    chat.role(extra=counted(1)),
    chat.content("a", extra=counted(2)),
    chat.finish(extra=counted(3)),
    chat.DONE,
]


@pytest.mark.rule("STR-USAGE-004", "STR-USAGE-005")
def test_usage_is_counted_once(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for rule, steps in (("STR-USAGE-004", IN_X_GROQ), ("STR-USAGE-005", GROWING)):
        gw = gateway(upstream(steps))
        assert gw.chat(stream=True).status == 200
        row = last(gw)
        with check(rule):
            assert (row["promptTokens"], row["completionTokens"], row["totalTokens"]) == (16, 3, 19)
            assert gw.deployments()[0]["metrics"]["tpm"] == 19
