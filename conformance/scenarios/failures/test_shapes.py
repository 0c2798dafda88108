"""Error bodies in the shapes of many providers: what they say, whoever wrote it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents
from fake_upstreams import Body, Headers, Status, Step, chat

DETAIL = [{"loc": ["body", "n"], "msg": "too warm", "type": "missing"}]
SHAPES: dict[str, Any] = {
    "nested": {"error": {"message": "too warm", "type": "t", "param": "p", "code": "c"}},
    "in a list": [{"error": {"message": "too warm", "status": "INVALID_ARGUMENT", "code": 400}}],
    "other contract": {"type": "error", "error": {"type": "t", "message": "too warm", "details": None}},
    "flat": {"object": "error", "message": "too warm", "type": "t", "param": None, "code": "1300"},
    "message": {"message": "too warm"},
    "message and status": {"statusCode": 400, "message": "too warm"},
    "capital message": {"__type": "com.amazon.coral#ValidationException", "Message": "too warm"},
    "detail": {"detail": "too warm"},
    "list of details": {"detail": DETAIL},
    "details in a message": {"object": "error", "message": {"detail": DETAIL}, "code": None},
    "text": {"error": "too warm"},
    "text with a code": {"code": "Client specified an invalid argument", "error": "too warm"},
    "list of errors": {"errors": [{"code": 7009, "message": "too warm"}], "success": False},
    "nothing but text": "too warm",
    "odd members": {"error": {"message": "too warm", "code": 17, "param": {"a": [1]}, "type": 5}},
}


def refused(kind: str) -> list[Step]:
    return [Status(400), Headers({"X-Amzn-ErrorType": kind}), Body.json({"message": "x"})]


@pytest.mark.rule("FAIL-SHAPE-001")
def test_shapes_of_a_message(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The status stays, and the message is found wherever it is."""
    for name, body in SHAPES.items():
        answer = gateway(upstream([Status(422), Body.json(body)])).chat()
        with check("FAIL-SHAPE-001"):
            assert (answer.status, answer.error()["message"]) == (422, "too warm"), name


@pytest.mark.rule("FAIL-SHAPE-002")
def test_an_error_inside_an_error_says_more(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    raw = json.dumps({"error": {"message": "too warm", "param": "temperature", "code": "invalid_value"}})
    wrapped = {"message": "Provider returned error", "code": 400, "metadata": {"provider_name": "P", "raw": raw}}
    answer = gateway(upstream([Status(400), Body.json({"error": wrapped})])).chat()
    with check("FAIL-SHAPE-002"):
        assert answer.status == 400
        error = answer.error()
        assert (error["message"], error["param"], error["code"]) == ("too warm", "temperature", "invalid_value")


@pytest.mark.rule("FAIL-SHAPE-003")
def test_a_type_in_the_head(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The same body is a fault of the request or of the account, as the header says."""
    for kind in ("ExpiredTokenException", "com.amazon#NotAuthorized:x"):
        first, second = upstream(refused(kind)), upstream(chat.completion("b"))
        answer = gateway(*in_order(first, second)).chat()
        with check("FAIL-SHAPE-003"):
            assert answer.status == 200, kind
    first, second = upstream(refused("ValidationException")), upstream()
    answer = gateway(*in_order(first, second)).chat()
    with check("FAIL-SHAPE-003"):
        assert (answer.status, second.requests) == (400, [])


@pytest.mark.rule("FAIL-SHAPE-004")
def test_errors_beside_the_choices_of_a_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """In `x_groq`, and in a choice that finished with error."""
    attached = {"index": 0, "delta": {}, "finish_reason": "error", "error": {"code": 429, "message": "x"}}
    for last in (chat.chunk({"x_groq": {"id": "r", "error": "over capacity"}}), chat.chunk({"choices": [attached]})):
        first, second = upstream([chat.role(), last]), upstream(chat.stream("b"))
        answer = gateway(*in_order(first, second)).chat(stream=True)
        with check("FAIL-SHAPE-004"):
            assert contents(answer) == "b"


@pytest.mark.rule("FAIL-ORDER-008")
def test_a_prompt_in_a_message_decides_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    quoted = "could not parse 'error 429: rate limit reached, retry after 5 seconds, 503 overloaded'"
    first, second = upstream(chat.failure(400, quoted, "invalid_value", "invalid_request_error")), upstream()
    answer = gateway(*in_order(first, second)).chat()
    with check("FAIL-ORDER-008"):
        assert answer.status == 400
        assert answer.error()["message"] == quoted
        assert answer.header("retry-after") is None
        assert second.requests == []


@pytest.mark.rule("FAIL-CONFIG-006", "FAIL-REQUEST-006")
def test_what_a_404_says_is_missing(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """A deployment without its model is not the caller's business; a missing file is nobody else's."""
    model = chat.failure(404, "The model `m` does not exist or you do not have access", "model_not_found")
    first, second = upstream(model), upstream(chat.completion("b"))
    answer = gateway(*in_order(first, second)).chat()
    with check("FAIL-CONFIG-006"):
        assert answer.status == 200
    file = chat.failure(404, "No such File object: file-1", None, "invalid_request_error", "id")
    first, second = upstream(file), upstream()
    answer = gateway(*in_order(first, second)).chat()
    with check("FAIL-REQUEST-006"):
        assert (answer.status, answer.error()["param"]) == (404, "id")
        assert second.requests == []


@pytest.mark.rule("FAIL-CALLER-001", "FAIL-CALLER-008")
def test_a_servers_words_and_wait_reach_the_caller(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """503 with a message and a Retry-After."""
    steps = [Headers({"Retry-After": "2"}), *chat.failure(503, "back in a moment", "maintenance")]
    answer = gateway(upstream(steps), routerSettings=policies(json={"maxAttempts": 1})).chat()
    with check("FAIL-CALLER-001"):
        assert answer.status == 503
        assert (answer.error()["message"], answer.error()["code"]) == ("back in a moment", "maintenance")
    with check("FAIL-CALLER-008"):
        assert answer.header("retry-after") == "2"


@pytest.mark.rule("FAIL-CLEAN-005")
def test_a_page_of_a_proxy(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """4 KB of HTML keep their status; a page of 200 is no answer at all."""
    page = Body(b"<!DOCTYPE html><html><body>" + b"<p>secret</p>" * 300 + b"</body></html>", "text/html")
    for given, told in ((502, 502), (504, 504), (200, 502)):
        answer = gateway(upstream([Status(given), page]), routerSettings=policies(json={"maxAttempts": 1})).chat()
        with check("FAIL-CLEAN-005"):
            assert answer.status == told
            assert answer.error()["message"]
            assert b"secret" not in answer.raw
            assert b"<" not in answer.body
