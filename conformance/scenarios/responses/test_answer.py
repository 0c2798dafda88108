"""JSON answers: which are answers, and what the client gets of them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import kinds, output_text, shown, speaking, text_of, with_id_of_upstream
from fake_upstreams import Body, Headers, Status, responses

RAW = b"""\n\n { "id":"resp_1", "status":"completed" , "model" : "fake-model", "output":[{"type":"message","content":
[{"type":"output_text","text":"h\\u00e9","model":"fake-model"}]}], "vendor":1.00, "usage":null }\n"""
ERROR = {"code": "rate_limit_exceeded", "message": "slow down"}


@pytest.mark.rule("RSP-JSON-007", "RSP-JSON-002")
def test_an_answer_is_relayed(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Byte for byte, but for the model, the id and the blank space around it; cut short it is an answer too."""
    short = responses.response("incomplete", [responses.message_item("a")])
    up = upstream([Body(RAW, "application/json")], [Body.json(short)])
    gw = gateway(*speaking(up, upstream()))
    answer = gw.responses()
    with check("RSP-JSON-007"):
        assert answer.status == 200
        assert answer.header("content-type") == "application/json"
        relayed = with_id_of_upstream(answer.body, "resp_1")
        assert relayed == RAW.strip().replace(b'"model" : "fake-model"', b'"model" : "gpt"')
    incomplete = gw.responses()
    with check("RSP-JSON-002"):
        assert incomplete.status == 200
        assert incomplete.json() == {**short, "model": "gpt", "id": incomplete.json()["id"]}


@pytest.mark.rule("RSP-JSON-007", "RSP-JSON-006")
def test_any_2xx_is_a_success(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for code in (201, 202):
        up = upstream([Status(code), responses.answer("a")], [Status(code), *responses.stream("a")])
        gw = gateway(*speaking(up))
        with check("RSP-JSON-007"):
            assert (answer := gw.responses()).status == 200, code
            assert output_text(answer.json()) == "a", code
        with check("RSP-JSON-006"):
            assert text_of(gw.responses(stream=True)) == "a", code


@pytest.mark.rule("RSP-JSON-003", "RSP-JSON-004")
def test_what_is_no_answer_is_asked_for_elsewhere(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """A 200 that failed, or one that only promises an answer."""
    cases: dict[str, tuple[str, Any]] = {
        "failed": ("RSP-JSON-003", responses.response("failed", error=ERROR)),
        "failed beside output": (
            "RSP-JSON-003",
            responses.response("failed", [responses.message_item("x")], error={"code": "server_error", "message": "m"}),
        ),
        "error of a completed one": ("RSP-JSON-003", responses.response(error=ERROR)),
        "failed without a word": ("RSP-JSON-003", responses.response("failed")),
        "error alone": ("RSP-JSON-003", {"error": {"code": 503, "message": "m"}}),
        "queued": ("RSP-JSON-004", responses.response("queued")),
        "in progress": ("RSP-JSON-004", responses.response("in_progress")),
        "no output": ("RSP-JSON-004", {"id": "resp_1", "object": "response", "status": "completed"}),
        "another protocol": ("RSP-JSON-004", {"object": "chat.completion", "choices": []}),
    }
    bodies = {case: (rule, Body.json(document)) for case, (rule, document) in cases.items()}
    bodies |= {
        text: ("RSP-JSON-004", Body(text.encode(), "application/json"))
        for text in ("busy", "<html></html>", '"busy"', "[]", '{"html-message":"lost"}', '{"output":[')
    }
    for case, (rule, body) in bodies.items():
        first, second = upstream([body]), upstream([responses.answer("b")])
        answer = gateway(*speaking(first, second)).responses()
        with check(rule):
            assert answer.status == 200, case
            assert output_text(answer.json()) == "b", case


@pytest.mark.rule("RSP-JSON-003", "RSP-JSON-004", "RSP-JSON-005")
def test_what_is_no_answer_has_the_status_of_what_it_is(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    cases: dict[str, tuple[str, Any, int, str | None]] = {
        "throttled": ("RSP-JSON-003", responses.response("failed", error=ERROR), 429, "rate_limit_exceeded"),
        "bad prompt": (
            "RSP-JSON-003",
            responses.response("failed", error={"code": "invalid_prompt", "message": "no"}),
            400,
            "invalid_prompt",
        ),
        "queued": ("RSP-JSON-004", responses.response("queued"), 502, None),
        "cancelled": ("RSP-JSON-005", responses.response("cancelled"), 400, "response_cancelled"),
    }
    for case, (rule, document, status, code) in cases.items():
        answer = gateway(*speaking(upstream([Body.json(document)])), routerSettings=ONE_ATTEMPT).responses()
        with check(rule):
            assert answer.status == status, case
            if code:
                assert answer.error()["code"] == code, case
            assert "upstream-model" not in answer.error()["message"], case


@pytest.mark.rule("RSP-JSON-005")
def test_nobody_repeats_what_was_cancelled(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    second = upstream()
    gw = gateway(*speaking(upstream([Body.json(responses.response("cancelled"))]), second))
    with check("RSP-JSON-005"):
        assert gw.responses().status == 400
        assert second.requests == []
        assert [row["status"] for row in gw.deployments()] == ["available", "available"]


@pytest.mark.rule("RSP-JSON-006")
def test_an_answer_becomes_the_stream_that_was_asked_for(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    items = [
        responses.reasoning_item("hm"),
        responses.message_item("hello"),
        responses.call_item("look_up", '{"a":1}'),
    ]
    for status, end in (("completed", "completed"), ("incomplete", "incomplete")):
        document = responses.response(status, items, usage=responses.tokens())
        mislabelled = Headers({"Content-Type": "text/event-stream"})
        up = upstream([Body.json(document)], [mislabelled, Body.json(document)])
        gw = gateway(*speaking(up))
        answer = gw.responses(stream=True)
        with check("RSP-JSON-006"):
            assert gw.responses(stream=True).body == answer.body
            assert answer.header("content-type") == "text/event-stream; charset=utf-8"
            assert text_of(answer) == "hello"
            assert kinds(answer)[:2] == ["created", "in_progress"]
            assert kinds(answer).count("output_item.done") == 3
            assert kinds(answer)[-1] == end
            assert [data["sequence_number"] for data in shown(answer)] == list(range(len(shown(answer))))
            sealed = shown(answer)[0]["response"]["id"]
            assert shown(answer)[-1]["response"] == {**document, "model": "gpt", "id": sealed}


@pytest.mark.rule("RSP-JSON-003")
def test_an_error_to_a_stream_keeps_its_meaning(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    failed = responses.response("failed", error={"code": "invalid_prompt", "message": "no"})
    answer = gateway(*speaking(upstream([Body.json(failed)]))).responses(stream=True)
    with check("RSP-JSON-003"):
        assert answer.status == 400
        assert answer.error()["code"] == "invalid_prompt"
