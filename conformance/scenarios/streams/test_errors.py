"""Error frames inside a stream whose status was 200."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents, payloads
from fake_upstreams import Event, chat

OBJECT = {"message": "worker died", "type": "server_error", "param": None, "code": "server_error"}
CHUNK: dict[str, Any] = {
    "id": "x",
    "object": "chat.completion.chunk",
    "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}],
    "error": {"code": 502, "message": "provider is down"},
}

FORMS = {
    "object": Event({"error": OBJECT}),
    "named": Event({"error": OBJECT}, name="error"),
    "named and flat": Event({"message": "worker died", "code": 500}, name="error"),
    "inside a chunk": Event(CHUNK),
    "flat": Event({"object": "error", "message": "worker died", "type": "x", "code": 500}),
    "text": Event({"error": "worker died"}),
    "typed": Event({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
}


@pytest.mark.rule("STR-ERROR-005", "STR-ERROR-006")
def test_an_error_frame_before_commit_is_a_failure_whatever_follows(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """In every form that providers use."""
    for case, frame in FORMS.items():
        first = upstream([chat.role(), frame, chat.DONE])
        second = upstream(chat.stream("b"))
        answer = gateway(*in_order(first, second)).chat(stream=True)
        with check("STR-ERROR-006"):
            assert b'"error"' not in answer.body, case
            assert len(second.requests) == 1, case
        with check("STR-ERROR-005"):
            assert contents(answer) == "b", case
            assert answer.events[-1].is_done, case


@pytest.mark.rule("STR-ERROR-001", "STR-ERROR-002", "STR-ERROR-004", "STR-ERROR-007")
def test_an_error_frame_after_commit_reaches_the_client(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    error = chat.error("worker of upstream-model died", code="gpu_lost")
    up = upstream([chat.role(), chat.content("a"), error, chat.DONE])
    answer = gateway(up).chat(stream=True)
    shown = payloads(answer)[-1]["error"]
    with check("STR-ERROR-001"):
        assert set(shown) == {"message", "type", "param", "code"}
    with check("STR-ERROR-004"):
        assert shown["code"] == "gpu_lost"
        assert "died" in shown["message"]
        assert "upstream-model" not in shown["message"]
    with check("STR-ERROR-002"):
        assert not any(event.is_done for event in answer.events)
        assert "error" in answer.events[-1].json()
    with check("STR-ERROR-007"):
        assert answer.raw.endswith(b"0\r\n\r\n")


@pytest.mark.rule("STR-ERROR-008")
@pytest.mark.parametrize("payload", ["{", "no json", '{"choices": ]}'])
def test_a_payload_that_is_not_json_is_a_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, payload: str
) -> None:
    early = upstream([chat.role(), Event(payload), chat.finish(), chat.DONE])
    answer = gateway(*in_order(early, upstream(chat.stream("b")))).chat(stream=True)
    with check("STR-ERROR-008"):
        assert contents(answer) == "b"
    late = upstream([chat.role(), chat.content("a"), Event(payload), chat.finish(), chat.DONE])
    answer = gateway(*in_order(late, upstream())).chat(stream=True)
    with check("STR-ERROR-008"):
        assert contents(answer) == "a"
        assert "error" in answer.events[-1].json()


@pytest.mark.rule("FAIL-FINISH-001")
def test_a_finish_reason_error_is_no_finish(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    early = upstream([chat.role(), chat.finish("error"), chat.DONE])
    answer = gateway(*in_order(early, upstream(chat.stream("b")))).chat(stream=True)
    with check("FAIL-FINISH-001"):
        assert contents(answer) == "b"
    late = upstream([chat.role(), chat.content("a"), chat.finish("error"), chat.DONE])
    answer = gateway(*in_order(late, upstream())).chat(stream=True)
    with check("FAIL-FINISH-001"):
        assert contents(answer) == "a"
        assert "error" in answer.events[-1].json()
