"""Failures that end the logical request at once with the provider's answer."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Body, Event, chat

Steps = list[Any]

OVERFLOW = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
POLICY = "The response was filtered due to the prompt triggering the content management policy."

CASES: dict[str, tuple[str, int, Steps]] = {
    "400": (
        "FAIL-REQUEST-001",
        400,
        chat.failure(400, "bad temperature", "invalid_value", "invalid_request_error", "t"),
    ),
    **{f"{code}": ("FAIL-REQUEST-003", code, chat.failure(code, "no")) for code in (409, 413, 415, 422, 418)},
    "context": ("FAIL-REQUEST-004", 400, chat.failure(400, OVERFLOW, "context_length_exceeded")),
    "context by words": ("FAIL-REQUEST-004", 400, chat.failure(400, OVERFLOW)),
    "policy": ("FAIL-REQUEST-005", 400, chat.failure(400, POLICY, "content_filter")),
}


@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule(
    "FAIL-REQUEST-001",
    "FAIL-REQUEST-002",
    "FAIL-REQUEST-003",
    "FAIL-REQUEST-004",
    "FAIL-REQUEST-005",
    "FAIL-CALLER-010",
)
def test_what_every_deployment_would_reject_is_not_repeated(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool
) -> None:
    for case, (rule, status, steps) in CASES.items():
        first, second = upstream(steps), upstream()
        answer = gateway(*in_order(first, second)).chat(stream=stream)
        with check(rule):
            assert answer.status == status, case
            assert second.requests == [], case
            if rule == "FAIL-REQUEST-004":
                assert answer.error()["code"] == "context_length_exceeded", case
        with check("FAIL-REQUEST-002"):
            body = steps[-1]
            assert isinstance(body, Body)
            assert answer.error()["message"].encode() in body.data, case
        with check("FAIL-CALLER-010"):
            assert answer.error()["type"] == "invalid_request_error", case


@pytest.mark.rule("FAIL-INNER-001", "FAIL-INNER-002", "STR-JSON-002")
def test_a_200_is_judged_by_what_it_says(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """In JSON and in a stream: the inner code is a request failure, so nobody else is asked."""
    inner = {"message": "bad tool", "type": "invalid_request_error", "code": "tool_use_failed", "status_code": 400}
    one_each = policies(json={"maxAttempts": 2}, stream={"maxAttempts": 2})
    first, second = upstream([Body.json({"error": inner})]), upstream()
    answer = gateway(*in_order(first, second), routerSettings=one_each).chat()
    with check("FAIL-INNER-001"):
        assert answer.status == 400
        assert answer.error()["code"] == "tool_use_failed"
        assert second.requests == []
    first, second = upstream([Body.json({"error": inner})]), upstream()
    answer = gateway(*in_order(first, second), routerSettings=one_each).chat(stream=True)
    with check("STR-JSON-002"):
        assert answer.status == 400
        assert answer.error()["code"] == "tool_use_failed"
        assert second.requests == []
    first, second = upstream([chat.role(), Event({"error": inner}, name="error")]), upstream()
    answer = gateway(*in_order(first, second), routerSettings=one_each).chat(stream=True)
    with check("FAIL-INNER-002"):
        assert answer.status == 400
        assert answer.error()["code"] == "tool_use_failed"
        assert second.requests == []


@pytest.mark.rule("FAIL-REQUEST-001")
def test_a_request_failure_ends_the_request_wherever_it_happens(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first, second, third = upstream(chat.failure(500)), upstream(chat.failure(422, "too hot")), upstream()
    answer = gateway(*in_order(first, second, third)).chat()
    with check("FAIL-REQUEST-001"):
        assert answer.status == 422
        assert answer.error()["message"] == "too hot"
        assert third.requests == []
