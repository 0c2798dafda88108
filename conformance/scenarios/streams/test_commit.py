"""Which frame commits a stream, and what that means for the client."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.responses import shown, speaking, text_of
from conformance.session import chat_body, compact, contents, deltas, payloads
from fake_upstreams import Event, Pause, chat, responses

THINKING: list[dict[str, Any]] = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]

COMMITTING: dict[str, tuple[str, dict[str, Any]]] = {
    "content": ("STR-COMMIT-001", {"content": "a"}),
    "content part": ("STR-COMMIT-001", {"content": [{"type": "text", "text": "a"}]}),
    "blank space": ("STR-COMMIT-006", {"content": "\n\n"}),
    "reasoning with role": ("STR-COMMIT-002", {"role": "assistant", "reasoning_content": "hm"}),
    "reasoning_content": ("STR-COMMIT-002", {"reasoning_content": "hm", "content": None}),
    "reasoning": ("STR-COMMIT-002", {"reasoning": "hm"}),
    "details": ("STR-COMMIT-002", {"reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}),
    "thinking part": ("STR-COMMIT-002", {"content": THINKING}),
    "tool": ("STR-COMMIT-003", {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f"}}]}),
    "function call": ("STR-COMMIT-003", {"function_call": {"name": "f", "arguments": ""}}),
    "refusal": ("STR-COMMIT-004", {"refusal": "no"}),
}

METADATA = {
    "role": chat.role(),
    "empty content": chat.delta({"content": ""}),
    "nulls": chat.delta({"content": None, "tool_calls": None, "refusal": None}),
    "empty reasoning": chat.delta({"role": "assistant", "reasoning_content": ""}),
    "empty parts": chat.delta({"content": []}),
    "no tool calls": chat.delta({"tool_calls": []}),
    "no choices": chat.chunk({"choices": []}),
    "usage": chat.usage(),
    "filter results": chat.chunk({"prompt_filter_results": [{"prompt_index": 0}]}),
    "no id, no model": chat.chunk({"id": "", "model": "", "object": "", "prompt_filter_results": []}),
    "comment": chat.comment(),
}


def error_code(answer: Response) -> object:
    return payloads(answer)[-1].get("error", {}).get("code")


@pytest.mark.rule("STR-COMMIT-001", "STR-COMMIT-002", "STR-COMMIT-003", "STR-COMMIT-004", "STR-COMMIT-006")
def test_output_of_every_kind_commits(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream dies after one frame; the client has seen it, and nothing is retried."""
    for case, (rule, delta) in COMMITTING.items():
        first = upstream([chat.delta(delta), {"fault": "reset"}])
        second = upstream()
        answer = gateway(*in_order(first, second)).chat(stream=True)
        with check(rule):
            assert answer.status == 200, case
            seen = deltas(answer)[0]
            assert {name: seen.get(name) for name in delta} == delta, case
            assert error_code(answer) == "upstream_stream_truncated", case
            assert second.requests == [], case


@pytest.mark.rule("STR-COMMIT-005", "STR-COMMIT-010", "STR-COMMIT-011", "STR-DONE-015", "FAIL-TRANSIENT-009")
def test_metadata_does_not_commit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream ends after frames without output; the client sees the second attempt, and it alone."""
    for case, frame in METADATA.items():
        first = upstream([frame])
        second = upstream([chat.role(extra={"id": "second"}), chat.content("b"), chat.finish(), chat.DONE])
        answer = gateway(*in_order(first, second)).chat(stream=True)
        with check("STR-COMMIT-005", "STR-DONE-015", "FAIL-TRANSIENT-009"):
            assert answer.status == 200, case
            assert contents(answer) == "b", case
        with check("STR-COMMIT-011"):
            assert payloads(answer)[0]["id"] == "second", case
            assert deltas(answer)[0]["role"] == "assistant", case
        with check("STR-COMMIT-010"):
            assert len(answer.events) == 4, case


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("STR-COMMIT-008", "STR-COMMIT-009", "STR-COMMIT-005")
def test_held_frames_are_shown_in_order_at_commit(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Role and empty reasoning wait for the first word."""
    empty = chat.delta({"reasoning_content": "", "content": None})
    rest = [chat.finish(), chat.DONE]
    up = upstream([chat.role(), empty, Pause(until="held"), chat.reasoning("We"), Pause(until="shown"), *rest])
    gw = gateway(up)
    client = gw.begin_chat(stream=True)
    up.wait_gate("held")
    gw.advance(0)  # answers once all that came has been worked on
    with check("STR-COMMIT-008", "STR-COMMIT-005"):
        assert client.pending() == b""
    up.release("held")
    up.wait_gate("shown")
    client.head()
    shown = [client.event().json()["choices"][0]["delta"] for _ in range(3)]
    with check("STR-COMMIT-009"):
        assert shown[0]["role"] == "assistant"
        assert shown[1] == {"reasoning_content": "", "content": None}
        assert shown[2] == {"reasoning_content": "We"}
    up.release("shown")
    client.rest_of_chunks()


@pytest.mark.rule("STR-COMMIT-012", "STR-ERROR-001", "STR-ERROR-002", "STR-ERROR-003", "STR-ERROR-007")
def test_after_commit_nothing_is_tried_again(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first = upstream([chat.role(), chat.content("a"), {"fault": "reset"}])
    second = upstream()
    gw = gateway(*in_order(first, second), routerSettings=policies(stream={"maxAttempts": 2}))
    answer = gw.begin_chat(stream=True).response()
    with check("STR-COMMIT-012"):
        assert contents(answer) == "a"
        assert second.requests == []
    with check("STR-ERROR-001"):
        error = answer.events[-1].json()["error"]
        assert isinstance(error["message"], str)
        assert set(error) == {"message", "type", "param", "code"}
    with check("STR-ERROR-003"):
        assert error_code(answer) == "upstream_stream_truncated"
    with check("STR-ERROR-002"):
        assert not any(event.is_done for event in answer.events)
    with check("STR-ERROR-007"):
        assert answer.raw.endswith(b"\n\n\r\n0\r\n\r\n")


@pytest.mark.rule("STR-COMMIT-014")
def test_frames_before_commit_are_bounded(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """By what may be held and six times the request, which may be echoed twice with longer escapes."""
    bound = 8192
    most = bound + 6 * len(chat_body(stream=True))
    empty = compact({"choices": [], "padding": ""})
    for size, status in ((most, 200), (most + 1, 502)):
        padding = "x" * (size - len(b"data: \n\n") - len(empty))
        frame = Event(compact({"choices": [], "padding": padding}).decode())
        up = upstream([frame, *chat.stream("a")] if status == 200 else [frame, Pause(until="never")])
        gw = gateway(up, server={"streamHoldBytes": bound}, routerSettings=ONE_ATTEMPT)
        answer = gw.chat(stream=True)
        with check("STR-COMMIT-014"):
            assert answer.status == status
            if status == 200:
                assert contents(answer) == "a"
                assert answer.events[0].json()["padding"] == padding


@pytest.mark.rule("STR-COMMIT-014")
def test_echoes_of_long_instructions_do_not_fail_a_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Two shells of a response are more than may be held; what fails after they have left is told in the stream."""
    long = "\u00e9" * 3000
    shells = responses.numbered(responses.created(instructions=long), responses.in_progress(instructions=long))
    whole = [*shells, *responses.numbered(*responses.message("a"), responses.completed(), first=2)]
    up = upstream(whole, [*shells, responses.error("lost")])
    gw = gateway(*speaking(up), server={"streamHoldBytes": 8192}, routerSettings=ONE_ATTEMPT)
    served = gw.responses(stream=True, instructions=long)
    failed = gw.responses(stream=True, instructions=long)
    with check("STR-COMMIT-014"):
        assert served.status == 200
        assert text_of(served) == "a"
        assert [data["type"] for data in shown(failed)] == ["response.created", "response.in_progress", "error"]
