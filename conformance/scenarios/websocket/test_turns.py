"""Turns: what reaches the upstream, what comes back, and in which order."""

from __future__ import annotations

import json

import pytest
from websockets.frames import Opcode

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import rows
from conformance.responses import shown, speaking
from conformance.websocket import WebSocket, output
from fake_upstreams import Event, Pause, Step, chat, faults, responses


@pytest.mark.rule("WS-TURN-001", "WS-TURN-003")
def test_a_turn_is_a_streamed_request(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The events are those that POST gives, one message each."""
    up = upstream(responses.stream("hel", "lo"), responses.stream("hel", "lo"))
    gw = gateway(*speaking(up))
    ws = WebSocket(gw)
    ws.send(
        '{"generate":true, "input" : [ {"role":"user","content":"h\\u00e9"} ], "type":"response.create","model":"gpt",'
        ' "store":false, "made_up":1.00 }'
    )
    events = ws.events()
    with check("WS-TURN-001"):
        (sent,) = up.requests
        assert (sent.method, sent.target) == ("POST", "/v1/responses")
        assert sent.body.decode() == (
            '{ "input" : [ {"role":"user","content":"h\\u00e9"} ], "stream":true,"model":"upstream-model",'
            ' "store":false, "made_up":1.00 }'
        )
        assert sent.headers["accept"] == "text/event-stream"
    with check("WS-TURN-003"):
        assert events == shown(gw.responses(stream=True))
        assert output(events) == "hello"
        assert events[-1]["response"]["model"] == "gpt"
        assert ws.is_silent()


@pytest.mark.rule("WS-TURN-003")
def test_data_of_several_lines_is_one_message(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """And an answer in JSON is told as the events that it would have been."""
    up = upstream(
        [*responses.stream("a")[:-1], Event(raw=pretty(responses.stream("a")[-1]))],
        [responses.answer("hello")],
    )
    ws = WebSocket(gateway(*speaking(up)))
    first, second = ws.turn(), ws.turn()
    with check("WS-TURN-003"):
        assert first[-1]["response"]["usage"]["total_tokens"] == 2
        assert second[-1]["response"]["output"][0]["content"][0]["text"] == "hello"


def pretty(event: Step) -> bytes:
    """An event whose data has line breaks."""
    assert isinstance(event, Event)
    lines = json.dumps(event.data, indent=1).splitlines()
    return b"".join(f"data: {line}\n".encode() for line in lines) + b"\n"


@pytest.mark.rule("WS-TURN-002")
def test_turns_are_retried_like_streams(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Before the commit only: what an attempt showed that failed is not shown; after it nothing is repeated."""
    first = upstream([*responses.began(), faults.Reset()], [*responses.stream("b")[:5], faults.Reset()])
    second = upstream(responses.stream("a"))
    ws = WebSocket(gateway(*speaking(first, second)))
    events = ws.turn()
    with check("WS-TURN-002"):
        assert output(events) == "a"
        assert [event["type"] for event in events].count("response.created") == 1
    broken = ws.turn()
    with check("WS-TURN-002"):
        assert output(broken) == "b"
        assert broken[-1]["error"]["code"] == "upstream_stream_truncated"


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("WS-TURN-002")
def test_the_deadlines_of_chat_streams(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([faults.AcceptThenSilence()], [*responses.stream("a")[:5], Pause(until="never")])
    settings = policies(stream={"responseMs": 2_000, "idleMs": 3_000, "totalMs": 60_000, "maxAttempts": 1})
    ws = WebSocket(gw := gateway(*speaking(up), routerSettings=settings))
    ws.begin()
    gw.advance(1_999, until_armed="response")
    with check("WS-TURN-002"):
        assert ws.is_silent()
    gw.advance(1)
    with check("WS-TURN-002"):
        assert ws.error()["status"] == 504
    ws.begin()
    up.wait_gate("never")
    seen = [ws.event() for _ in range(5)]
    gw.advance(2_999, until_armed="idle")
    with check("WS-TURN-002"):
        assert output(seen) == "a"
        assert ws.is_silent()
    gw.advance(1)
    with check("WS-TURN-002"):
        assert ws.error()["code"] == "timeout"


@pytest.mark.rule("WS-TURN-004", "WS-TURN-007")
def test_the_handshake_speaks_for_all_turns(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(*[responses.stream("a")] * 3, name="only")
    gw = gateway(*speaking(up))
    ws = WebSocket(gw, [("x-unified-routing-metadata", "true"), ("x-request-id", "mine")])
    first, second = ws.turn(), ws.turn()
    plain = WebSocket(gw)
    unasked = plain.turn()
    with check("WS-TURN-004"):
        for events in (first, second):
            assert events[-1]["response"]["unified_routing"]["served_model"] == "gpt"
            assert events[-1]["response"]["unified_routing"]["attempt_count"] == 1
            assert "unified_routing" not in json.dumps(events[:-1])
        assert "unified_routing" not in json.dumps(unasked)
    with check("WS-TURN-007"):
        ids = [request.headers["x-request-id"] for request in up.requests]
        assert ids == ["mine-1", "mine-2", f"{plain.head.get('x-request-id')}-1"]
        logged = rows(gw)
        assert [row["requestId"] for row in reversed(logged)] == ids
        assert {(row["callType"], row["httpStatus"], row["outcome"]) for row in logged} == {
            ("responses", 200, "success")
        }


@pytest.mark.rule("WS-TURN-005", "WS-TURN-006")
def test_one_turn_at_a_time(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """64 messages wait, the 65th is refused, and those that wait come in order."""
    texts = [f"{number}" for number in range(65)]
    whole = responses.stream("0")
    up = upstream([*whole[:5], Pause(until="go"), *whole[5:]], *[responses.stream(text) for text in texts[1:]])
    ws = WebSocket(gateway(*speaking(up)))
    ws.begin(input="0")
    up.wait_gate("go")
    begun = [ws.event() for _ in range(5)]
    for text in texts[1:]:
        ws.begin(input=text)
    ws.send("", opcode=Opcode.PING)
    with check("WS-TURN-005"):
        assert ws.frame().opcode == Opcode.PONG
        assert len(up.requests) == 1
    ws.begin(input="65")
    error = ws.error()
    with check("WS-TURN-006"):
        assert (error["status"], error["code"]) == (429, "websocket_stream_limit_reached")
    up.release("go")
    seen = [output(begun + ws.events())] + [output(ws.events()) for _ in texts[1:]]
    with check("WS-TURN-005"):
        assert seen == texts
        assert [request.json["input"] for request in up.requests] == texts
    with check("WS-TURN-006"):
        assert ws.is_silent()


@pytest.mark.rule("WS-ERROR-001")
def test_failures_leave_the_socket_open(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    refusal = chat.failure(400, "no such parameter", kind="invalid_request_error", code="unknown_parameter")
    up = upstream(
        refusal,
        [*responses.stream("a")[:5], faults.Reset()],
        [*responses.began(), responses.failed("server_error")],
        responses.stream("b"),
    )
    ws = WebSocket(gateway(*speaking(up), routerSettings=ONE_ATTEMPT))
    ws.begin()
    before = ws.error()
    ws.begin()
    shown_before = [ws.event() for _ in range(5)]
    after = ws.error()
    ws.begin()
    failed = ws.error()
    with check("WS-ERROR-001"):
        assert (before["status"], before["code"]) == (400, "unknown_parameter")
        assert "no such parameter" in before["message"]
        assert output(shown_before) == "a"
        assert (after["status"], after["code"]) == (502, "upstream_stream_truncated")
        assert failed["status"] >= 500
        assert output(ws.turn()) == "b"


@pytest.mark.rule("WS-WARM-001", "WS-WARM-002")
def test_warming_up(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(responses.stream("a"), responses.stream("b"))
    ws = WebSocket(gateway(*speaking(up)))
    warm = ws.turn(generate=False, input=[{"role": "developer", "content": "d"}], instructions="be brief")
    with check("WS-WARM-001"):
        assert [event["type"] for event in warm] == ["response.created", "response.in_progress", "response.completed"]
        assert up.requests == []
        assert warm[-1]["response"]["output"] == []
        assert warm[-1]["response"]["model"] == "gpt"
        assert warm[-1]["response"]["usage"]["total_tokens"] == 0
    ws.begin(generate=False, model="none")
    with check("WS-WARM-001"):
        assert ws.error()["code"] == "model_not_found"
    first = ws.turn(previous_response_id=warm[-1]["response"]["id"], input="hi")
    again = ws.turn(previous_response_id=first[-1]["response"]["id"], input="go on")
    ws.begin(previous_response_id="resp_other")
    with check("WS-WARM-002"):
        assert ws.error()["code"] == "previous_response_not_found"
        assert (output(first), output(again)) == ("a", "b")
        built, continued = (request.json for request in up.requests)
        assert built["input"] == [{"role": "developer", "content": "d"}, {"role": "user", "content": "hi"}]
        assert built["previous_response_id"] is None
        assert (continued["input"], continued["previous_response_id"]) == ("go on", responses.ID)
