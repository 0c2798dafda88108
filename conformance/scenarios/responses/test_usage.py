"""Tokens of answers, in limits and in the operation log."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last
from conformance.responses import speaking
from fake_upstreams import Step, responses


def answering(stream: bool, usage: tuple[int, int]) -> list[Step]:
    """An answer that took so many tokens."""
    if not stream:
        return [responses.answer("a", usage=responses.tokens(*usage))]
    end = responses.completed(responses.message_item("a"), usage=responses.tokens(*usage))
    return responses.numbered(*responses.began(), *responses.message("a"), end)


@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule("RSP-USAGE-001")
def test_tokens_reach_the_limit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool) -> None:
    """99 of 100 tokens leave room for one more request, whatever that takes."""
    up = upstream(*(answering(stream, usage) for usage in ((90, 9), (0, 1))))
    gw = gateway(*speaking(up, tpmLimit=100), routerSettings=one_attempt())
    for number in range(2):
        with check("RSP-USAGE-001"):
            assert gw.responses(stream=stream).status == 200, number
    with check("RSP-USAGE-001"):
        assert gw.responses(stream=stream).status == 429
        assert len(up.requests) == 2


@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule("RSP-USAGE-002")
def test_tokens_are_in_the_log(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool) -> None:
    gw = gateway(*speaking(upstream(answering(stream, (3, 4)))))
    gw.responses(stream=stream)
    row = last(gw)
    with check("RSP-USAGE-002"):
        assert row["callType"] == "responses"
        assert row["stream"] is stream
        assert (row["promptTokens"], row["completionTokens"], row["totalTokens"]) == (3, 4, 7)
        assert (row["outcome"], row["httpStatus"]) == ("success", 200)
