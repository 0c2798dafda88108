"""What of an upstream's JSON answer reaches the client."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Body, Status, Step, chat

ODD = (
    b'{ "id":"x", "choices" : [ {"index":0,"message":{"role":"assistant","content":"\\u00e9 \xc3\xa9 \\"model\\""},'
    b'"finish_reason":"stop"} ],\n "vendor":{"model":"fake-model"},"model" :\t"fake-model" , '
    b'"big":12345678901234567890 }'
)


@pytest.mark.rule("CHAT-ANSWER-001", "CHAT-ANSWER-002", "CHAT-ANSWER-003")
def test_only_the_model_of_an_answer_changes(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    answer = gateway(upstream([Body(ODD, "application/json")])).chat()
    with check("CHAT-ANSWER-003"):
        assert answer.status == 200
        assert answer.header("content-type") == "application/json"
        assert answer.header("content-length") == str(len(answer.body))
    with check("CHAT-ANSWER-001"):
        assert answer.body == ODD.replace(b'"model" :\t"fake-model"', b'"model" :\t"gpt"')
    with check("CHAT-ANSWER-002"):
        assert answer.json()["model"] == "gpt"


@pytest.mark.rule("CHAT-ANSWER-004")
def test_blank_space_around_an_answer_is_no_fault(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Blank lines keep the connection alive while the model thinks."""
    answer = gateway(upstream([Body(b"\n\n \r\n" + ODD + b"\n", "application/json")])).chat()
    with check("CHAT-ANSWER-004"):
        assert answer.status == 200
        assert answer.body == ODD.replace(b'"model" :\t"fake-model"', b'"model" :\t"gpt"')


def completion(**members: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": "a"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], **members}


ANSWERS: dict[str, tuple[str, list[Step]]] = {
    "error null": ("CHAT-ANSWER-005", [Body.json(completion(error=None))]),
    "no usage": ("CHAT-ANSWER-006", [Body.json(completion())]),
    "usage null": ("CHAT-ANSWER-006", [Body.json(completion(usage=None))]),
    "no choices": ("CHAT-ANSWER-007", [Body.json(completion(choices=[]))]),
    "201": ("CHAT-ANSWER-008", [Status(201), Body.json(completion())]),
    "filtered": ("CHAT-ANSWER-009", [chat.completion(None, "content_filter")]),
}


@pytest.mark.rule("CHAT-ANSWER-005", "CHAT-ANSWER-006", "CHAT-ANSWER-007", "CHAT-ANSWER-008", "CHAT-ANSWER-009")
def test_answers_that_are_answers_are_not_retried(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for case, (rule, steps) in ANSWERS.items():
        first, second = upstream(steps), upstream()
        answer = gateway(*in_order(first, second)).chat()
        with check(rule):
            assert answer.status == 200, case
            assert "choices" in answer.json(), case
            assert len(first.requests) == 1, case
            assert second.requests == [], case
