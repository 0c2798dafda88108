"""Usage is shown to clients that asked for it, and to no others."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents, finish_reasons, payloads
from fake_upstreams import Step, chat

COUNTS = {"usage": chat.tokens(16, 3)}
VARIANTS = [
    pytest.param([chat.role(), chat.content("a"), chat.finish(), chat.usage(16, 3), chat.DONE], id="own frame"),
    pytest.param([chat.role(), chat.content("a"), chat.finish(extra=COUNTS), chat.DONE], id="on the finish frame"),
    pytest.param(
        [chat.role(), chat.content("a"), chat.finish(extra={"x_groq": {"id": "r", **COUNTS}}), chat.DONE],
        id="in x_groq",
    ),
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
