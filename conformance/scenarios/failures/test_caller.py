"""What the caller is told when no deployment served."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, UPSTREAM_KEY, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Body, Headers, Status, chat, faults

Steps = list[Any]

UNAUTHORIZED = chat.failure(401, f"Incorrect API key provided: {UPSTREAM_KEY}", "invalid_api_key")


@pytest.mark.rule("FAIL-CALLER-001", "FAIL-CALLER-010", "FAIL-CALLER-011", "FAIL-CALLER-007")
def test_the_last_attempt_that_says_something_decides(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """500, then 503, then a wrong key: the 503 decides, and nobody hears of the key."""
    first, second = upstream(chat.failure(500, "first")), upstream(chat.failure(503, "engine is loading", "loading"))
    third = upstream(UNAUTHORIZED)
    answer = gateway(*in_order(first, second, third)).chat()
    with check("FAIL-CALLER-001"):
        assert len(third.requests) == 1
        assert answer.status == 503
        assert answer.error()["message"] == "engine is loading"
        assert answer.error()["code"] == "loading"
    with check("FAIL-CALLER-010"):
        assert answer.error()["type"] not in ("invalid_request_error", "rate_limit_error")
    with check("FAIL-CALLER-007"):
        assert b"Incorrect" not in answer.raw
    with check("FAIL-CALLER-011"):
        for word in (b"upstream-1", b"upstream-2", b"attempt", b"first"):
            assert word not in answer.raw


@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule("FAIL-CALLER-002", "FAIL-CALLER-010")
def test_no_answer_at_all_is_502(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool
) -> None:
    cases: dict[str, Steps] = {
        "refuse": [faults.Refuse()],
        "close": [faults.CloseBeforeReply()],
        "garbage": [faults.Garbage()],
    }
    for case, steps in cases.items():
        up = upstream(steps)
        answer = gateway(up, routerSettings=ONE_ATTEMPT).chat(stream=stream)
        with check("FAIL-CALLER-002"):
            assert answer.status == 502, case
            assert str(up.port) not in answer.error()["message"], case
        with check("FAIL-CALLER-010"):
            assert answer.error()["type"] not in ("invalid_request_error", "rate_limit_error"), case


@pytest.mark.rule("FAIL-CALLER-004")
def test_a_stream_truncated_before_commit_is_502(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    answer = gateway(upstream([chat.role()]), routerSettings=ONE_ATTEMPT).chat(stream=True)
    with check("FAIL-CALLER-004"):
        assert answer.status == 502
        assert answer.error()["code"] == "upstream_stream_truncated"


@pytest.mark.rule("FAIL-CALLER-005", "FAIL-CALLER-006", "FAIL-CALLER-007", "KEY-SECRET-001")
def test_faults_of_the_operator_are_not_the_callers(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    ups = [upstream(UNAUTHORIZED), upstream(chat.failure(403, "secret region")), upstream(chat.failure(404, "secret"))]
    answer = gateway(*in_order(*ups)).chat()
    with check("FAIL-CALLER-005"):
        assert answer.status == 503
        assert answer.error()["code"] == "model_unavailable"
    with check("FAIL-CALLER-006"):
        assert answer.header("x-should-retry") == "false"
        assert answer.header("retry-after") is None
    with check("FAIL-CALLER-007"):
        assert b"secret" not in answer.raw
        assert b"API key" not in answer.raw
    with check("KEY-SECRET-001"):
        assert UPSTREAM_KEY.encode() not in answer.raw


@pytest.mark.rule("FAIL-CALLER-008", "FAIL-CALLER-009", "FAIL-CALLER-010")
def test_throttling_tells_the_caller_when_to_come_back(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    waits = [("2", "2"), ("1.2", "2"), ("30", "30")]
    for given, wanted in waits:
        steps = [Headers({"Retry-After": given}), *chat.failure(429, "slow down", "rate_limit_exceeded")]
        answer = gateway(upstream(steps), routerSettings=ONE_ATTEMPT).chat()
        with check("FAIL-CALLER-008"):
            assert answer.status == 429
            assert answer.header("retry-after") == wanted
        with check("FAIL-CALLER-010"):
            assert answer.error()["type"] == "rate_limit_error"
    quota = chat.failure(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota")
    answer = gateway(upstream(quota), routerSettings=ONE_ATTEMPT).chat()
    with check("FAIL-CALLER-009"):
        assert answer.status == 429
        assert answer.header("x-should-retry") == "false"


@pytest.mark.rule("FAIL-CLEAN-001", "FAIL-CLEAN-002", "FAIL-CLEAN-003", "FAIL-CLEAN-004", "KEY-SECRET-001")
def test_what_a_provider_says_is_cleaned(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first = upstream()
    said = f"upstream-model at {first.base_url} with {UPSTREAM_KEY} rejects temperature"
    first.add(chat.failure(400, said, "unsupported_value", "invalid_request_error", "temperature"))
    first.add(chat.failure(400, "x" * 5000))
    gw = gateway(first)
    error = gw.chat().error()
    with check("FAIL-CLEAN-001"):
        assert error["message"].endswith("rejects temperature")
        assert error["code"] == "unsupported_value"
        assert error["param"] == "temperature"
    with check("FAIL-CLEAN-002"):
        assert "upstream-model" not in error["message"]
    with check("FAIL-CLEAN-003", "KEY-SECRET-001"):
        assert UPSTREAM_KEY not in error["message"]
        assert str(first.port) not in error["message"]
    with check("FAIL-CLEAN-004"):
        message = gw.chat().error()["message"]
        assert 0 < len(message) <= 2000
        assert message.startswith("x" * 1900)


@pytest.mark.rule("FAIL-CLEAN-005", "HTTP-ERROR-001")
def test_pages_give_a_sentence_of_our_own(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    page = b"<html><body>nginx at secret.host</body></html>"
    for body in (Body(page, "text/html"), Body(b"\xff\xfe\x00 secret", "application/json"), Body(b"", "text/plain")):
        answer = gateway(upstream([Status(502), body]), routerSettings=ONE_ATTEMPT).chat()
        with check("FAIL-CLEAN-005"):
            assert answer.status == 502
            assert len(answer.error()["message"]) > 10
            assert b"secret" not in answer.raw
            assert b"html" not in answer.body
        with check("HTTP-ERROR-001"):
            assert set(answer.error()) == {"message", "type", "param", "code"}
