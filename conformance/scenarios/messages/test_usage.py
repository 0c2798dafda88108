"""Tokens of messages, for limits and the operation log, and what happened for clients that ask."""

from __future__ import annotations

import pytest

from conformance.anthropic import WHOLE, anthropic, in_order, names, told
from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import Row, last
from conformance.session import COUNT_TOKENS, messages_body
from fake_upstreams import messages

ASK = [("x-unified-routing-metadata", "true")]
CACHED = messages.tokens(10, 1, cache_creation_input_tokens=30, cache_read_input_tokens=50)
FINISH = {"output_tokens": 9}


def tokens_in(row: Row) -> tuple[int | None, int | None, int | None]:
    return row["promptTokens"], row["completionTokens"], row["totalTokens"]


@pytest.mark.rule("MSG-USAGE-001", "LIM-TPM-001")
def test_cached_tokens_count_as_tokens_of_the_prompt(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """99 of 100 tokens leave room for one more request."""
    usage = {**CACHED, **FINISH}
    up = upstream(
        messages.completion("a", usage=usage),
        messages.completion("b", usage=messages.tokens(1, 0)),
    )
    gw = gateway(anthropic(up, tpmLimit=100), routerSettings=ONE_ATTEMPT)
    assert gw.messages().status == 200
    with check("MSG-USAGE-001"):
        assert tokens_in(last(gw)) == (90, 9, 99)
    with check("LIM-TPM-001"):
        assert gw.messages().status == 200
        refused = gw.messages()
        assert refused.status == 429
        assert refused.json()["error"]["type"] == "rate_limit_error"


@pytest.mark.rule("MSG-USAGE-002", "LIM-TPM-001")
def test_the_last_count_of_a_stream_holds(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    body = messages.text_block("a")
    up = upstream(
        [messages.start(usage=CACHED), *body, messages.finish(usage=FINISH), messages.STOP],
        [
            messages.start(usage=messages.tokens(1, 1)),
            *body,
            messages.finish(None, usage={"output_tokens": 4}),
            messages.finish(usage={"input_tokens": 0, "output_tokens": 1}),
            messages.STOP,
        ],
    )
    gw = gateway(anthropic(up, tpmLimit=100), routerSettings=ONE_ATTEMPT)
    first = gw.messages(stream=True)
    with check("MSG-USAGE-002"):
        assert told(first)[-2].json()["usage"] == FINISH
        assert tokens_in(last(gw)) == (90, 9, 99)
    gw.messages(stream=True)
    with check("MSG-USAGE-002"):
        assert tokens_in(last(gw)) == (0, 1, 1)
    with check("LIM-TPM-001"):
        assert gw.messages(stream=True).status == 429


@pytest.mark.rule("MSG-COUNT-002")
def test_counting_tokens_uses_none(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(messages.counted(500), messages.counted(501))
    gw = gateway(anthropic(up, tpmLimit=100), routerSettings=ONE_ATTEMPT)
    for count in (500, 501):
        answer = gw.post(messages_body(), path=COUNT_TOKENS)
        with check("MSG-COUNT-002"):
            assert answer.json() == {"input_tokens": count}
            row = last(gw)
            assert row["callType"] == "count_tokens"
            assert not row["totalTokens"]


@pytest.mark.rule("MSG-META-002", "MSG-META-003")
def test_routing_metadata_follows_the_stop_of_a_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first = upstream(messages.failure(529), messages.failure(529))
    second = upstream(messages.stream("a"), messages.stream("a"))
    gw = gateway(*in_order(first, second))
    plain, asked = gw.messages(stream=True), gw.messages(ASK, stream=True)
    with check("MSG-META-003"):
        assert names(plain) == WHOLE
    with check("MSG-META-002"):
        assert names(asked) == [*WHOLE, "routing_metadata"]
        assert asked.body.startswith(plain.body)
        shown = told(asked)[-1].json()
        assert set(shown) == {"type", "unified_routing"}
        assert shown["type"] == "routing_metadata"
        assert [row["ok"] for row in shown["unified_routing"]["attempts"]] == [False, True]
