"""Requests of the messages contract, and answers in JSON."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.anthropic import anthropic, error_of, in_order
from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import ANTHROPIC, COUNT_TOKENS, messages_body, states
from fake_upstreams import Body, Status, messages

ASK = [("x-unified-routing-metadata", "true")]
ODD_REQUEST = (
    b'{ "model" : "gpt","max_tokens":7,"messages":[ ],"system":"\\u00e9","top_k":5.0,"thinking":{"type":"enabled"} }'
)
ODD_ANSWER = b'{"model":"fake-model","content":[ {"type":"text","text":"\\u00e9"} ],"x":1.0,"stop_reason":"end_turn"}'


@pytest.mark.rule("MSG-REQ-001", "MSG-ANSWER-001")
def test_a_request_and_its_answer_pass_as_they_are(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(Body(b"\n" + ODD_ANSWER + b"\n", "application/json"))
    answer = gateway(anthropic(up)).post(ODD_REQUEST, path=ANTHROPIC)
    with check("MSG-REQ-001"):
        assert up.requests[0].body == ODD_REQUEST.replace(b'"gpt"', b'"upstream-model"')
    with check("MSG-ANSWER-001"):
        assert answer.status == 200
        assert answer.body == ODD_ANSWER.replace(b'"fake-model"', b'"gpt"')
        assert answer.header("content-type") == "application/json"


REFUSED = {
    "no max_tokens": (messages_body(max_tokens=1).replace(b'"max_tokens":1,', b""), "max_tokens"),
    "negative": (messages_body(max_tokens=-1), "max_tokens"),
    "text": (messages_body(max_tokens="100"), "max_tokens"),
    "fraction": (messages_body(max_tokens=1.5), "max_tokens"),
    "twice": (b'{"model":"gpt","max_tokens":1,"messages":[],"max_tokens":1}', "max_tokens"),
    "no messages": (b'{"model":"gpt","max_tokens":1}', "messages"),
    "messages twice": (b'{"model":"gpt","max_tokens":1,"messages":[],"messages":[]}', "messages"),
    "model twice": (b'{"model":"gpt","max_tokens":1,"messages":[],"model":"gpt"}', "model"),
    "stream twice": (b'{"model":"gpt","max_tokens":1,"messages":[],"stream":true,"stream":false}', "stream"),
    "no model": (b'{"max_tokens":1,"messages":[]}', "model"),
}


@pytest.mark.rule("MSG-REQ-002", "MSG-REQ-003")
def test_a_request_without_what_it_needs_is_refused(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(anthropic(upstream()))
    for case, (body, member) in REFUSED.items():
        answer = gw.post(body, path=ANTHROPIC)
        with check("MSG-REQ-003" if "twice" in case else "MSG-REQ-002"):
            assert answer.status == 400, case
            assert error_of(answer)["type"] == "invalid_request_error", case
            assert f"'{member}'" in error_of(answer)["message"], case


@pytest.mark.rule("MSG-REQ-002")
def test_the_smallest_bound_of_tokens_is_one(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(messages.completion("a"))
    with check("MSG-REQ-002"):
        assert gateway(anthropic(up)).messages(max_tokens=0).status == 200


NO_ANSWERS = {
    "error": Body.json(messages.error_body("overloaded_error", "busy")),
    "error of another shape": Body.json({"error": {"message": "m", "code": 500}}),
    "page": Body(b"<html>", "text/html"),
    "no content": Body.json({"id": "x", "type": "message"}),
    "chat": Body.json({"choices": []}),
    "broken": Body(b'{"content":[', "application/json"),
    "nothing": Body(b"", "application/json"),
    "plain text": Body.text("busy"),
    "another object": Body.json({"html-message": "lost"}),
}


@pytest.mark.rule("MSG-ANSWER-002")
def test_what_is_no_answer_fails_the_attempt(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for case, body in NO_ANSWERS.items():
        first, second = upstream(body), upstream(messages.completion("b"))
        answer = gateway(*in_order(first, second)).messages()
        with check("MSG-ANSWER-002"):
            assert answer.status == 200, case
            assert answer.json()["content"][0]["text"] == "b", case


@pytest.mark.rule("MSG-ERROR-006")
def test_errors_have_the_type_of_their_status(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Of the provider's own status, whatever type the provider gave."""
    for status, kind in ((400, "invalid_request_error"), (413, "request_too_large"), (529, "overloaded_error")):
        up = upstream(messages.failure(status, "no good", kind="odd_error"))
        answer = gateway(anthropic(up), routerSettings=ONE_ATTEMPT).messages()
        with check("MSG-ERROR-006"):
            assert answer.status == status
            assert answer.json() == {
                "type": "error",
                "error": {"type": kind, "message": "no good"},
                "request_id": answer.header("request-id"),
            }


@pytest.mark.rule("MSG-META-001", "MSG-META-003")
def test_routing_metadata_stands_at_the_top(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(messages.completion("a"), messages.completion("a"), messages.counted(2))
    gw = gateway(anthropic(up))
    plain, told = gw.messages(), gw.messages(ASK)
    with check("MSG-META-003"):
        assert b"unified_routing" not in plain.body
        assert gw.post(messages_body(), ASK, COUNT_TOKENS).body == b'{"input_tokens":2}'
    with check("MSG-META-001"):
        assert told.body.startswith(plain.body.rstrip(b"}\n"))
        assert told.json()["unified_routing"]["served_model"] == "gpt"


@pytest.mark.rule("MSG-COUNT-001", "MSG-COUNT-003")
def test_tokens_are_counted_by_the_provider(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(messages.counted(42), messages.counted(43))
    gw = gateway(anthropic(up))
    request = b'{"model":"gpt","messages":[]}'
    answer = gw.post(request, path=COUNT_TOKENS)
    with check("MSG-COUNT-001"):
        assert answer.status == 200
        assert answer.body == b'{"input_tokens":42}'
        assert up.requests[0].target.endswith("/v1/messages/count_tokens")
        assert up.requests[0].body == request.replace(b"gpt", b"upstream-model")
    streamed = gw.post(b'{"model":"gpt","messages":[],"stream":true}', path=COUNT_TOKENS)
    with check("MSG-COUNT-003"):
        assert streamed.body == b'{"input_tokens":43}'
        assert streamed.header("content-type") == "application/json"


@pytest.mark.rule("MSG-COUNT-001")
def test_what_is_no_count_is_no_answer(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    documents: list[dict[str, Any]] = [{"input_tokens": "1"}, {"input_tokens": -1}, {"content": []}, {}]
    for document in documents:
        first, second = upstream(Body.json(document)), upstream(messages.counted(2))
        answer = gateway(*in_order(first, second)).post(messages_body(), path=COUNT_TOKENS)
        with check("MSG-COUNT-001"):
            assert answer.body == b'{"input_tokens":2}', document


MISSING = {
    "no such path": messages.failure(404, "Not found", kind="not_found_error"),
    "page": [Status(404), Body(b"<html>", "text/html")],
    "method": messages.failure(405, "Method not allowed"),
    "not implemented": messages.failure(501, "Not implemented"),
}


@pytest.mark.rule("MSG-COUNT-004")
def test_who_cannot_count_tokens_still_serves_messages(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Many that speak the protocol do not count. Nothing is wrong with them, and another is asked."""
    for case, steps in MISSING.items():
        first = upstream(steps, steps, messages.completion("a"))
        second = upstream(messages.counted(2), steps)
        gw = gateway(*in_order(first, second), routerSettings=policies(json={"maxAttempts": 2}))
        with check("MSG-COUNT-004"):
            assert gw.post(messages_body(), path=COUNT_TOKENS).json() == {"input_tokens": 2}, case
        refused = gw.post(messages_body(), path=COUNT_TOKENS)
        with check("MSG-COUNT-004"):
            assert refused.status == 400, case
            assert error_of(refused)["type"] == "invalid_request_error", case
            assert states(gw) == [("available", None)] * 2, case
            assert gw.messages().json()["content"][0]["text"] == "a", case


@pytest.mark.rule("MSG-COUNT-005")
def test_how_counting_ends_says_nothing_of_messages(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """More often than a circuit takes, were it generating: failures of every kind, and successes."""
    for ends, status in ((messages.failure(500), 500), (messages.failure(429), 429), (messages.failure(401), 503)):
        up = upstream(*[ends] * 6, messages.completion("a"))
        gw = gateway(anthropic(up), routerSettings=ONE_ATTEMPT)
        answers = [gw.post(messages_body(), path=COUNT_TOKENS).status for _ in range(6)]
        with check("MSG-COUNT-005"):
            assert answers == [status] * 6
            assert states(gw) == [("available", None)], status
            assert gw.messages().status == 200, status
    gw = gateway(anthropic(upstream(*[messages.counted(2)] * 3)))
    with check("MSG-COUNT-005"):
        assert [gw.post(messages_body(), path=COUNT_TOKENS).status for _ in range(3)] == [200] * 3
        (metrics,) = [row["metrics"] for row in gw.deployments()]
        assert (metrics["health_score"], metrics["latency_ms"]) == (0.5, None)


@pytest.mark.rule("MSG-COUNT-004")
def test_a_model_that_is_missing_is_no_operation_that_is_missing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(messages.failure(404, "model: upstream-model", kind="not_found_error"))
    gw = gateway(anthropic(up), routerSettings=ONE_ATTEMPT)
    answer = gw.post(messages_body(), path=COUNT_TOKENS)
    with check("MSG-COUNT-004"):
        assert answer.status == 503
        assert states(gw)[0][0] == "available"
