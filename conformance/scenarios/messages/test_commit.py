"""Which event commits a stream of messages, and what that means for the client."""

from __future__ import annotations

import pytest

from conformance.anthropic import WHOLE, anthropic, error_of, in_order, names, text_of, told
from conformance.checks import Check
from conformance.deployments import policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Pause, Step, messages

SIGNED = messages.signature("EqQB")
COMMITTING: dict[str, tuple[str, list[Step]]] = {
    "text": ("MSG-COMMIT-001", [messages.text_start(), messages.text("a")]),
    "blank text": ("MSG-COMMIT-001", [messages.text_start(), messages.text(" ")]),
    "text in the start": ("MSG-COMMIT-001", [messages.text_start("a")]),
    "thinking": ("MSG-COMMIT-002", [messages.thinking_start(), messages.thinking("hm")]),
    "signature alone": ("MSG-COMMIT-002", [messages.thinking_start(), SIGNED]),
    "hidden thinking": ("MSG-COMMIT-002", [messages.block_start({"type": "redacted_thinking", "data": "x"})]),
    "tool": ("MSG-COMMIT-003", [messages.tool_start()]),
    "provider's tool": ("MSG-COMMIT-003", [messages.tool_start(kind="server_tool_use")]),
    "result": ("MSG-COMMIT-003", [messages.block_start({"type": "web_search_tool_result", "content": []})]),
    "unknown block": ("MSG-COMMIT-003", [messages.block_start({"type": "hologram"})]),
}

METADATA: dict[str, list[Step]] = {
    "nothing": [],
    "start": [messages.start()],
    "ping": [messages.start(), messages.PING],
    "empty text": [messages.start(), messages.text_start(), messages.text("")],
    "empty thinking": [messages.start(), messages.thinking_start(), messages.thinking(""), messages.signature("")],
    "stopped": [messages.start(), *messages.text_block("")],
    "no stop reason": [messages.start(), messages.finish(None)],
    "unknown event": [messages.start(), messages.event("hologram", text="a")],
}


@pytest.mark.rule("MSG-COMMIT-001", "MSG-COMMIT-002", "MSG-COMMIT-003")
def test_output_of_every_kind_commits(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream dies after it; the client has seen it, and nothing is tried again."""
    for case, (rule, steps) in COMMITTING.items():
        first, second = upstream([messages.start(), *steps, {"fault": "reset"}]), upstream()
        gw = gateway(*in_order(first, second), routerSettings=policies(stream={"maxAttempts": 2}))
        answer = gw.messages(stream=True)
        with check(rule):
            assert answer.status == 200, case
            assert len(told(answer)) == len(steps) + 2, case
            assert error_of(answer)["type"] == "api_error", case
            assert second.requests == [], case


@pytest.mark.rule("MSG-COMMIT-004", "MSG-COMMIT-005", "MSG-DONE-007")
def test_metadata_does_not_commit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream ends after events without output; the client sees the second attempt, and it alone."""
    for case, steps in METADATA.items():
        first, second = upstream([*steps]), upstream(messages.stream("b", id="second"))
        answer = gateway(*in_order(first, second)).messages(stream=True)
        with check("MSG-COMMIT-004", "MSG-DONE-007"):
            assert answer.status == 200, case
            assert text_of(answer) == "b", case
        with check("MSG-COMMIT-005"):
            assert names(answer) == WHOLE, case
            assert told(answer)[0].json()["message"]["id"] == "second", case


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("MSG-COMMIT-004", "MSG-COMMIT-005")
def test_held_events_are_shown_in_order_at_commit(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    begin = [messages.start(), messages.PING, messages.text_start()]
    rest = [messages.block_stop(), messages.finish(), messages.STOP]
    up = upstream([*begin, Pause(until="held"), messages.text("a"), Pause(until="shown"), *rest])
    gw = gateway(anthropic(up))
    client = gw.begin_messages(stream=True)
    up.wait_gate("held")
    gw.advance(0)  # answers once all that came has been worked on
    with check("MSG-COMMIT-004"):
        assert client.pending() == b""
    up.release("held")
    up.wait_gate("shown")
    client.head()
    with check("MSG-COMMIT-005"):
        assert [client.event().name for _ in range(3)] == WHOLE[:3]
    up.release("shown")
    client.rest_of_chunks()


@pytest.mark.rule("MSG-COMMIT-006", "MSG-ERROR-001", "MSG-ERROR-002")
def test_after_commit_nothing_is_tried_again(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    steps = [messages.start(), messages.text_start(), messages.text("a"), {"fault": "reset"}]
    first, second = upstream(steps), upstream()
    gw = gateway(*in_order(first, second), routerSettings=policies(stream={"maxAttempts": 2}))
    answer = gw.begin_messages(stream=True).response()
    with check("MSG-COMMIT-006"):
        assert text_of(answer) == "a"
        assert second.requests == []
    with check("MSG-ERROR-001"):
        last = told(answer)[-1]
        assert last.name == "error"
        assert set(last.json()) == {"type", "error", "request_id"}
        assert last.json()["type"] == "error"
        assert set(last.json()["error"]) == {"type", "message"}
        assert last.json()["request_id"] == answer.header("x-request-id")
    with check("MSG-ERROR-002"):
        assert "message_stop" not in names(answer)
        assert answer.raw.endswith(b"\n\n\r\n0\r\n\r\n")
