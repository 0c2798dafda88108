"""The table of failure classes: which failure moves on to another deployment, as what, and which ends the request."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.scenarios.failures.rows import ROWS, Moves
from conformance.session import contents, payloads
from fake_upstreams import chat

ASK = [("x-unified-routing-metadata", "true")]


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.rule("FAIL-TABLE-001")
def test_a_row(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, name: str) -> None:
    """Among them are a missing model, no money, and statuses of relays."""
    row = ROWS[name]
    first = upstream(row.steps)
    if not isinstance(row, Moves):
        second = upstream()
        answer = gateway(*in_order(first, second)).chat(ASK, stream=row.stream)
        with check("FAIL-TABLE-001"):
            assert (answer.status, answer.error()["code"]) == (row.status, row.code)
            assert second.requests == []
        return
    second = upstream(chat.stream("b") if row.stream else chat.completion("b"))
    answer = gateway(*in_order(first, second)).chat(ASK, stream=row.stream)
    with check("FAIL-TABLE-001"):
        assert answer.status == 200, answer.raw
        assert b"secret page" not in answer.raw
        if row.stream:
            assert contents(answer) == "b"
            shown = payloads(answer)[-1]["unified_routing"]
        else:
            assert answer.json()["choices"][0]["message"]["content"] == "b"
            shown = answer.json()["unified_routing"]
        assert [attempt.get("error_class") for attempt in shown["attempts"]] == [row.failure, None]


@pytest.mark.rule("FAIL-TABLE-002")
def test_after_commit_a_failure_has_its_class_and_ends_the_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """What would have moved on before the commit is told in-band."""
    first = upstream([chat.role(), chat.content("a"), chat.error("slow down", "rate_limit_exceeded")])
    second = upstream()
    answer = gateway(*in_order(first, second)).chat(stream=True)
    with check("FAIL-TABLE-002"):
        assert answer.status == 200
        error = payloads(answer)[-1]["error"]
        assert (error["code"], error["type"]) == ("rate_limit_exceeded", "rate_limit_error")
        assert second.requests == []


@pytest.mark.parametrize("reason", ["content_filter", "refusal", "length"])
@pytest.mark.rule("FAIL-TABLE-003")
def test_an_answer_that_stops_early_is_an_answer(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, reason: str
) -> None:
    """A filtered, refused or cut answer is no failure."""
    first = upstream([chat.role(), chat.finish(reason), chat.DONE], chat.completion(None, reason))
    second = upstream()
    gw = gateway(*in_order(first, second))
    streamed, whole = gw.chat(stream=True), gw.chat()
    with check("FAIL-TABLE-003"):
        assert payloads(streamed)[-1]["choices"][0]["finish_reason"] == reason
        assert whole.json()["choices"][0]["finish_reason"] == reason
        assert second.requests == []
