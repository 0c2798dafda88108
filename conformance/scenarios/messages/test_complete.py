"""Which streams of messages are complete, and what the client gets for the parts that the upstream left out."""

from __future__ import annotations

import pytest

from conformance.anthropic import WHOLE, anthropic, in_order, names, stop_reasons, text_of, told
from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last
from fake_upstreams import Body, Event, Pause, Step, messages

BEGIN = [messages.start(), messages.text_start(), messages.text("a")]
ANSWER = [messages.start(), *messages.text_block("a")]


@pytest.mark.rule("MSG-FORM-001", "MSG-FORM-004", "MSG-FORM-005", "MSG-DONE-001", "STR-HEAD-001", "STR-HEAD-002")
def test_a_whole_stream_reaches_the_client(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(messages.stream("Hel", "lo"))
    answer = gateway(anthropic(up)).messages(stream=True)
    with check("STR-HEAD-001"):
        assert answer.status == 200
        assert answer.header("content-type") == "text/event-stream; charset=utf-8"
    with check("STR-HEAD-002"):
        assert answer.header("cache-control") == "no-cache"
        assert answer.header("content-length") is None
    with check("MSG-FORM-001"):
        assert all(event.name == event.json()["type"] for event in answer.events)
    with check("MSG-FORM-005"):
        assert "ping" not in names(answer)
    with check("MSG-DONE-001"):
        assert text_of(answer) == "Hello"
        assert names(answer) == [*WHOLE[:3], "content_block_delta", *WHOLE[3:]]
        assert stop_reasons(answer) == ["end_turn"]
    with check("MSG-FORM-004"):
        assert told(answer)[0].json()["message"]["model"] == "gpt"
        assert b"fake-model" not in answer.body


@pytest.mark.rule("MSG-DONE-002", "MSG-ANOM-001")
def test_a_missing_message_stop_is_written(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for case, end in (
        ("close", []),
        ("reset", [{"fault": "reset"}]),
        ("end marker of chat", [Event("[DONE]")]),
    ):
        gw = gateway(anthropic(upstream([*ANSWER, messages.finish(), *end])))
        answer = gw.messages(stream=True)
        with check("MSG-DONE-002"):
            assert names(answer) == WHOLE, case
            assert told(answer)[-1].json() == {"type": "message_stop"}, case
        with check("MSG-ANOM-001"):
            assert "missing_message_stop" in last(gw)["attempts"][0]["anomalies"], case


@pytest.mark.rule("MSG-DONE-003", "MSG-ANOM-001")
def test_a_missing_stop_reason_is_written(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    cases: dict[str, list[Step]] = {
        "end_turn": [*ANSWER, messages.STOP],
        "tool_use": [
            messages.start(),
            messages.tool_start(),
            messages.tool_input("{}"),
            messages.block_stop(),
            messages.STOP,
        ],
    }
    for reason, steps in cases.items():
        gw = gateway(anthropic(upstream(steps)))
        answer = gw.messages(stream=True)
        with check("MSG-DONE-003"):
            assert names(answer) == WHOLE, reason
            assert stop_reasons(answer) == [reason]
            assert told(answer)[-2].json()["usage"] == {"output_tokens": 1}, reason
        with check("MSG-ANOM-001"):
            assert last(gw)["attempts"][0]["anomalies"] == ["missing_finish_reason"], reason


@pytest.mark.rule("MSG-DONE-004")
@pytest.mark.parametrize("end", [[messages.finish(), messages.STOP], [messages.STOP], [messages.finish()]])
def test_an_open_block_is_stopped_before_the_message(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, end: list[Step]
) -> None:
    answer = gateway(anthropic(upstream([*BEGIN, *end]))).messages(stream=True)
    with check("MSG-DONE-004"):
        assert names(answer) == WHOLE
        assert told(answer)[3].json() == {"type": "content_block_stop", "index": 0}


@pytest.mark.rule("MSG-DONE-005", "MSG-ANOM-001")
def test_an_empty_answer_is_an_answer(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """A refusal without a word. The script of the upstream is empty then, so a retry would fail there."""
    up = upstream([messages.start(), messages.PING, messages.finish("refusal"), messages.STOP])
    gw = gateway(anthropic(up))
    answer = gw.messages(stream=True)
    with check("MSG-DONE-005"):
        assert answer.status == 200
        assert names(answer) == ["message_start", "message_delta", "message_stop"]
        assert stop_reasons(answer) == ["refusal"]
        assert len(up.requests) == 1
    with check("MSG-ANOM-001"):
        assert last(gw)["attempts"][0]["anomalies"] == ["empty_output"]


@pytest.mark.rule("MSG-DONE-006")
def test_a_missing_start_is_written(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    steps = [*messages.text_block("a"), messages.finish(), messages.STOP]
    answer = gateway(anthropic(upstream(steps))).messages(stream=True)
    with check("MSG-DONE-006"):
        assert names(answer) == WHOLE
        start = told(answer)[0].json()["message"]
        assert start["model"] == "gpt"
        assert start["content"] == []
        assert set(start["usage"]) == {"input_tokens", "output_tokens"}


@pytest.mark.rule("MSG-DONE-006")
def test_members_that_clients_write_into_are_supplied(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Official helpers throw where a start has no content or a message delta no usage."""
    start = messages.event("message_start", message={"id": "m", "model": "fake-model"})
    finish = messages.event("message_delta", delta={"stop_reason": "end_turn"})
    answer = gateway(anthropic(upstream([start, *messages.text_block("a"), finish, messages.STOP]))).messages(
        stream=True
    )
    with check("MSG-DONE-006"):
        message = told(answer)[0].json()["message"]
        assert message == {"id": "m", "model": "gpt", "content": [], "usage": {"input_tokens": 0, "output_tokens": 0}}
        assert told(answer)[-2].json()["usage"] == {"output_tokens": 0}


@pytest.mark.rule("MSG-DONE-008", "MSG-ANOM-001")
@pytest.mark.parametrize("late", [messages.error("too late"), messages.start(), Event("{")])
def test_what_comes_after_the_stop_reason_spoils_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, late: Step
) -> None:
    gw = gateway(anthropic(upstream([*ANSWER, messages.finish(), late, messages.STOP])))
    answer = gw.messages(stream=True)
    with check("MSG-DONE-008"):
        assert names(answer) == WHOLE
    with check("MSG-ANOM-001"):
        assert last(gw)["attempts"][0]["anomalies"] == ["error_after_finish"]


@pytest.mark.rule("MSG-DONE-009")
def test_two_streams_are_not_taken_for_one(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    early = upstream([messages.start(), messages.start(id="other")])
    answer = gateway(*in_order(early, upstream(messages.stream("b")))).messages(stream=True)
    with check("MSG-DONE-009"):
        assert text_of(answer) == "b"
        assert names(answer).count("message_start") == 1
    late = upstream([*BEGIN, messages.start(id="other"), *messages.text_block("b")])
    answer = gateway(*in_order(late, upstream())).messages(stream=True)
    with check("MSG-DONE-009"):
        assert text_of(answer) == "a"
        assert names(answer)[-1] == "error"
        assert names(answer).count("message_start") == 1


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("MSG-DONE-010")
def test_nobody_waits_long_for_a_message_stop(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream goes on with pings, and never ends."""
    steps = [*ANSWER, messages.finish(), Pause(until="1"), messages.PING, Pause(until="2")]
    up = upstream(steps)
    gw = gateway(anthropic(up))
    client = gw.begin_messages(stream=True)
    client.head()
    assert [client.event().name for _ in range(5)] == WHOLE[:-1]
    up.wait_gate("1")
    gw.advance(0)
    gw.advance(4000)
    up.release("1")
    up.wait_gate("2")
    gw.advance(0)
    gw.advance(999)
    with check("MSG-DONE-010"):
        assert client.pending() == b""
    gw.advance(1)
    with check("MSG-DONE-010"):
        assert client.rest_of_chunks() == b'event: message_stop\ndata: {"type":"message_stop"}\n\n'
    gw.advance(10_000)
    with check("MSG-DONE-010"):
        assert up.wait_closed() in ("client closed", "client reset")


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("MSG-DONE-007")
def test_pings_do_not_make_a_stream_endless(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """They keep `idleMs` from ending it, so that `totalMs` does."""
    gates = [f"{number}" for number in range(3)]
    steps = [messages.start(), *(step for gate in gates for step in (messages.PING, Pause(until=gate)))]
    up = upstream(steps)
    gw = gateway(anthropic(up), routerSettings=TOTAL)
    client = gw.begin_messages(stream=True)
    for gate in gates:
        up.wait_gate(gate)
        gw.advance(2_000, until_armed="idle")
        with check("MSG-DONE-007"):
            assert client.pending() == b"", gate
        if gate != gates[-1]:
            up.release(gate)
    gw.advance(999)
    with check("MSG-DONE-007"):
        assert up.open_connections == 1
    gw.advance(1)
    answer = client.response()
    with check("MSG-DONE-007"):
        assert up.wait_closed() in ("client closed", "client reset")
        assert answer.status == 504
        assert answer.json()["error"]["type"] == "timeout_error"


TOTAL = {
    "executionPolicies": {
        "chat": {
            "json": {"responseMs": 600_000, "idleMs": None, "totalMs": 1_800_000, "maxAttempts": 3},
            "stream": {"responseMs": 600_000, "idleMs": 3_000, "totalMs": 7_000, "maxAttempts": 3},
        }
    }
}


@pytest.mark.rule("MSG-JSON-001", "MSG-ANOM-001")
def test_a_json_answer_to_a_stream_request_is_converted(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    content: list[messages.Block] = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "a"},
        {"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}},
    ]
    gw = gateway(anthropic(upstream(messages.completion(*content, stop_reason="tool_use"))))
    answer = gw.messages(stream=True)
    with check("MSG-JSON-001"):
        assert answer.header("content-type") == "text/event-stream; charset=utf-8"
        blocks = ["content_block_start", "content_block_delta", "content_block_stop"]
        assert names(answer) == [
            "message_start",
            *[blocks[0], blocks[1], blocks[1], blocks[2]],
            *blocks * 2,
            "message_delta",
            "message_stop",
        ]
        assert text_of(answer) == "a"
        deltas = [event.json()["delta"] for event in told(answer) if event.name == "content_block_delta"]
        assert deltas[-1] == {"type": "input_json_delta", "partial_json": '{"x":1}'}
        assert stop_reasons(answer) == ["tool_use"]
    with check("MSG-ANOM-001"):
        assert last(gw)["attempts"][0]["anomalies"] == ["non_stream_answer"]


@pytest.mark.rule("MSG-JSON-002")
def test_a_json_error_to_a_stream_request_keeps_its_meaning(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    refused = upstream(Body.json(messages.error_body("invalid_request_error", "bad request")))
    answer = gateway(*in_order(refused, upstream())).messages(stream=True)
    with check("MSG-JSON-002"):
        assert answer.status == 400
        assert answer.json()["error"] == {"type": "invalid_request_error", "message": "bad request"}
    busy = upstream(Body.json(messages.error_body("overloaded_error", "busy")))
    answer = gateway(*in_order(busy, upstream(messages.stream("b")))).messages(stream=True)
    with check("MSG-JSON-002"):
        assert text_of(answer) == "b"
