"""responseMs, just before and just after its edge."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents
from fake_upstreams import Body, Bytes, Headers, Pause, chat, faults, reply

pytestmark = pytest.mark.needs("virtual_time")

EVENT_STREAM = Headers({"Content-Type": "text/event-stream"})


@pytest.mark.rule("DLN-RESPONSE-001", "DLN-ABORT-001", "FAIL-CALLER-003")
def test_a_json_answer_must_have_come_by_response_ms(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([faults.AcceptThenSilence()])
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    client = gw.begin_chat()
    up.wait_request()
    gw.advance(599_999, until_armed="response")
    with check("DLN-RESPONSE-001"):
        assert client.pending() == b""
        assert up.open_connections == 1
    gw.advance(1)
    answer = client.response()
    with check("FAIL-CALLER-003"):
        assert answer.status == 504
        assert answer.error()["code"] == "timeout"
    with check("DLN-ABORT-001"):
        assert up.wait_closed() in ("client closed", "client reset")


@pytest.mark.rule("DLN-RESPONSE-001")
def test_an_answer_just_before_response_ms_is_in_time(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([Pause(until="late"), chat.completion("a")])
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    client = gw.begin_chat()
    up.wait_gate("late")
    gw.advance(599_999, until_armed="response")
    up.release("late")
    with check("DLN-RESPONSE-001"):
        assert client.response().status == 200


@pytest.mark.rule("DLN-RESPONSE-002")
def test_half_a_json_answer_is_not_in_time(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    halves = [Body(b'{"choices":[],', "application/json"), Pause(until="never"), Body(b'"model":"m"}')]
    up = upstream(halves)
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    client = gw.begin_chat()
    up.wait_gate("never")
    gw.advance(0)
    gw.advance(599_999, until_armed="response")
    with check("DLN-RESPONSE-002"):
        assert client.pending() == b""
    gw.advance(1)
    with check("DLN-RESPONSE-002"):
        assert client.response().status == 504


@pytest.mark.rule("DLN-RESPONSE-003")
def test_the_head_of_a_stream_must_have_come_by_response_ms(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([faults.AcceptThenSilence()])
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    client = gw.begin_chat(stream=True)
    up.wait_request()
    gw.advance(599_999, until_armed="response")
    with check("DLN-RESPONSE-003"):
        assert up.open_connections == 1
    gw.advance(1)
    with check("DLN-RESPONSE-003"):
        assert up.wait_closed() in ("client closed", "client reset")
        answer = client.response()
        assert b'"timeout"' in answer.body


@pytest.mark.rule("DLN-RESPONSE-004")
def test_response_ms_ends_with_the_head_of_a_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([EVENT_STREAM, Pause(until="later"), *chat.stream("a")])
    gw = gateway(up, routerSettings=policies(stream={"responseMs": 1000}))
    client = gw.begin_chat(stream=True)
    gw.advance(0, until_armed="idle")
    with check("DLN-RESPONSE-004"):
        assert gw.timers().of("response") == []
    gw.advance(5000)
    up.release("later")
    with check("DLN-RESPONSE-004"):
        assert contents(client.response()) == "a"


@pytest.mark.rule("DLN-RESPONSE-005", "FAIL-TRANSIENT-011")
def test_each_attempt_has_its_own_response_ms(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first, second = upstream([faults.AcceptThenSilence()]), upstream([Pause(until="late"), chat.completion("b")])
    gw = gateway(*in_order(first, second))
    client = gw.begin_chat()
    first.wait_request()
    gw.advance(600_000, until_armed="response")
    second.wait_gate("late")
    with check("FAIL-TRANSIENT-011"):
        assert len(second.requests) == 1
    gw.advance(599_999, until_armed="response")
    second.release("late")
    with check("DLN-RESPONSE-005"):
        answer = client.response()
        assert answer.status == 200
        assert answer.json()["choices"][0]["message"]["content"] == "b"


@pytest.mark.rule("DLN-RESPONSE-006")
@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
def test_an_error_answer_that_does_not_end_is_judged_by_its_status(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool
) -> None:
    head = b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"
    first, second = upstream([Bytes(head), Pause(until="never")]), upstream()
    gw = gateway(*in_order(first, second))
    client = gw.begin_chat(stream=stream)
    first.wait_gate("never")
    gw.advance(4999, until_armed="grace")
    with check("DLN-RESPONSE-006"):
        assert client.pending() == b""
    gw.advance(1)
    with check("DLN-RESPONSE-006"):
        assert client.response().status == 400
        assert second.requests == []


@pytest.mark.rule("DLN-DEFAULT-001", "DLN-DEFAULT-002")
def test_the_deadlines_without_configuration(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([faults.AcceptThenSilence()], reply(EVENT_STREAM, Pause(until="never"), framing="chunked"))
    gw = gateway(up)
    client = gw.begin_chat()
    up.wait_request(1)
    gw.advance(0, until_armed="response")
    timers = gw.timers()
    with check("DLN-DEFAULT-001"):
        assert [timer.due_ms - timers.now_ms for timer in timers.of("response")] == [600_000]
        assert [timer.due_ms - timers.now_ms for timer in timers.of("total")] == [1_800_000]
    client.close()
    up.wait_closed(1)
    gw.begin_chat(stream=True)
    up.wait_request(2)
    gw.advance(0, until_armed="idle")
    timers = gw.timers()
    with check("DLN-DEFAULT-002"):
        assert [timer.due_ms - timers.now_ms for timer in timers.of("idle")] == [600_000]
        assert [timer.due_ms - timers.now_ms for timer in timers.of("total")] == [3_600_000]


@pytest.mark.rule("DLN-DEFAULT-002")
def test_the_response_deadline_of_a_stream_without_configuration(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([faults.AcceptThenSilence()])
    gw = gateway(up)
    gw.begin_chat(stream=True)
    up.wait_request()
    gw.advance(0, until_armed="response")
    timers = gw.timers()
    with check("DLN-DEFAULT-002"):
        assert [timer.due_ms - timers.now_ms for timer in timers.of("response")] == [600_000]
