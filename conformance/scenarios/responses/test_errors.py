"""Errors inside a stream whose status was 200, and how the client is told of them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import kinds, shown, speaking, text_of
from fake_upstreams import Event, faults, responses

FORMS = {
    "as it is sent": responses.error("worker died", "gpu_lost"),
    "as it is documented": responses.flat_error("worker died", "gpu_lost"),
    "failed": responses.failed("gpu_lost", "worker died"),
    "failed by another name": Event(responses.failed("gpu_lost", "worker died").data, name="error"),
    "without a type": Event({"error": {"code": "gpu_lost", "message": "worker died"}}),
    "named": Event({"code": "gpu_lost", "message": "worker died"}, name="error"),
    "completed with an error": responses.life(
        "completed", "completed", error={"code": "gpu_lost", "message": "worker died"}
    ),
}


@pytest.mark.rule("RSP-ERROR-001")
def test_an_error_before_commit_is_a_failure_whatever_follows(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The recorded order: an error, then response.failed; here even a good end follows."""
    for case, error in FORMS.items():
        steps = responses.numbered(*responses.began(), error, responses.failed("gpu_lost"), responses.completed())
        second = upstream(responses.stream("b"))
        answer = gateway(*speaking(upstream(steps), second)).responses(stream=True)
        with check("RSP-ERROR-001"):
            assert len(second.requests) == 1, case
            assert text_of(answer) == "b", case
            assert kinds(answer)[-1] == "completed", case


@pytest.mark.rule("RSP-ERROR-002")
def test_an_error_is_what_its_code_says(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    cases = {
        "insufficient_quota": 429,
        "rate_limit_exceeded": 429,
        "context_length_exceeded": 400,
        "invalid_prompt": 400,
        "image_too_large": 400,
        "server_error": 500,
        "vector_store_timeout": 504,
    }
    for code, status in cases.items():
        for end in (responses.error("no", code), responses.flat_error("no", code), responses.failed(code, "no")):
            up = upstream(responses.numbered(*responses.began(), end))
            answer = gateway(*speaking(up), routerSettings=ONE_ATTEMPT).responses(stream=True)
            with check("RSP-ERROR-002"):
                assert answer.status == status, (code, end.name)
                assert answer.error()["code"] == code, (code, end.name)


@pytest.mark.rule("RSP-ERROR-001", "RSP-ERROR-002")
def test_an_account_that_is_spent_is_passed_over(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The error comes nested, and a failed response after it."""
    spent = [responses.error("no credit", "insufficient_quota"), responses.failed("insufficient_quota", "no credit")]
    second = upstream(responses.stream("b"))
    gw = gateway(*speaking(upstream(responses.numbered(*responses.began(), *spent)), second))
    with check("RSP-ERROR-001"):
        assert text_of(gw.responses(stream=True)) == "b"
        assert len(second.requests) == 1
    with check("RSP-ERROR-002"):
        assert [row["status"] for row in gw.deployments()] == ["rate_limited", "available"]


@pytest.mark.rule("RSP-ERROR-002")
def test_a_context_that_is_too_long_goes_to_its_fallback(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    small = upstream(responses.numbered(*responses.began(), responses.failed("context_length_exceeded", "too long")))
    large = upstream(responses.stream("b"))
    gw = gateway(
        *speaking(small),
        deployment(large, adapterKey="openai", publicModel="large"),
        fallbacks=[{"primaryModel": "gpt", "reason": "context_window", "fallbackModels": ["large"]}],
    )
    answer = gw.responses(stream=True)
    with check("RSP-ERROR-002"):
        assert text_of(answer) == "b"
        assert shown(answer)[0]["response"]["model"] == "large"


def assert_told(error: dict[str, Any], number: int, code: str) -> None:
    """The event is flat for clients that read its members, and nested for those that raise."""
    nested = error.pop("error")
    assert set(error) == {"type", "sequence_number", "code", "message", "param"}
    assert set(nested) == {"type", "code", "message", "param"}
    assert (error["type"], error["sequence_number"], error["code"]) == ("error", number, code)
    assert all(nested[name] == error[name] for name in ("code", "message", "param"))
    assert nested["type"]
    assert nested["message"]


@pytest.mark.rule("RSP-ERROR-003", "RSP-ERROR-004", "RSP-ERROR-005")
def test_an_error_after_commit_is_told_in_the_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    began = responses.numbered(*responses.began(), *responses.message("a")[:3])
    for case, error in FORMS.items():
        second = upstream()
        answer = gateway(*speaking(upstream([*began, error, responses.DONE]), second)).responses(stream=True)
        with check("RSP-ERROR-003"):
            assert answer.events[-1].name == "error", case
            assert_told(shown(answer)[-1], 5, "gpu_lost")
        with check("RSP-ERROR-004"):
            assert "worker died" in shown(answer)[-1]["message"], case
        with check("RSP-ERROR-005"):
            assert text_of(answer) == "a", case
            assert second.requests == [], case
            assert answer.raw.endswith(b"\n\n\r\n0\r\n\r\n"), case
            assert b"[DONE]" not in answer.body, case


@pytest.mark.rule("RSP-ERROR-003", "RSP-ERROR-005")
def test_a_stream_that_breaks_says_so(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Numbers continue where the upstream's stopped, and where it had none."""
    for first, number in ((0, 5), (40, 45), (None, 5)):
        events = [*responses.began(), *responses.message("a")[:3]]
        began = events if first is None else responses.numbered(*events, first=first)
        for end in ([], [faults.Reset()]):
            answer = gateway(*speaking(upstream([*began, *end]))).responses(stream=True)
            with check("RSP-ERROR-003"):
                assert_told(shown(answer)[-1], number, "upstream_stream_truncated")
            with check("RSP-ERROR-005"):
                assert text_of(answer) == "a"


@pytest.mark.rule("RSP-ERROR-006")
def test_what_was_cancelled_is_not_repeated(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    second = upstream()
    cancelled = responses.life("cancelled", "cancelled")
    early = upstream(responses.numbered(*responses.began(), cancelled))
    answer = gateway(*speaking(early, second)).responses(stream=True)
    with check("RSP-ERROR-006"):
        assert answer.status == 400
        assert answer.error()["code"] == "response_cancelled"
        assert second.requests == []
    late = upstream(responses.numbered(*responses.began(), *responses.message("a")[:3], cancelled))
    answer = gateway(*speaking(late)).responses(stream=True)
    with check("RSP-ERROR-006"):
        assert_told(shown(answer)[-1], 5, "response_cancelled")


@pytest.mark.rule("RSP-ERROR-007")
@pytest.mark.parametrize(
    "payload",
    ["{", "no json", '{"object":"chat.completion.chunk","choices":[]}', '{"type":7}', '{"type":"response.a\\nb"}'],
)
def test_what_is_no_event_is_a_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, payload: str
) -> None:
    """No JSON, or another protocol's."""
    early = upstream([responses.created(), Event(payload), responses.completed()])
    answer = gateway(*speaking(early, upstream(responses.stream("b")))).responses(stream=True)
    with check("RSP-ERROR-007"):
        assert text_of(answer) == "b"
    late = upstream([responses.created(), responses.text("a"), Event(payload), responses.completed()])
    answer = gateway(*speaking(late, upstream())).responses(stream=True)
    with check("RSP-ERROR-007"):
        assert text_of(answer) == "a"
        assert kinds(answer)[-1] == "error"
