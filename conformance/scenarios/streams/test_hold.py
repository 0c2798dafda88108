"""How long a stream's head is held, and what the client of a silent stream gets, just before and just after 10 s."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import Connection
from conformance.deployments import ONE_ATTEMPT, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents, deltas, done_count
from conformance.sse_bytes import Event, parse_events
from conformance.waiting import armed_wait
from fake_upstreams import Headers, Pause, Repeated, chat

pytestmark = pytest.mark.needs("virtual_time")

HOLD_MS = 10_000
REQUEST = chat.failure(400, "no such parameter", kind="invalid_request_error", code="unknown_parameter")


def comments(client: Connection) -> list[str]:
    """What came of an open stream so far, without its payloads."""
    return [line for line in client.pending().decode().splitlines() if line.startswith(":")]


def text_of(events: list[Event]) -> str:
    """The content of all payloads."""
    deltas = [event.json()["choices"][0]["delta"] for event in events if event.data and not event.is_done]
    return "".join(delta.get("content", "") for delta in deltas)


@pytest.mark.rule("STR-HOLD-001", "STR-HOLD-003")
def test_the_head_is_held_for_ten_seconds(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([Pause(until="go"), *chat.stream("a")])
    gw = gateway(up)
    client = gw.begin_chat(stream=True)
    up.wait_gate("go")
    gw.advance(HOLD_MS - 1, until_armed="keepalive")
    with check("STR-HOLD-001"):
        assert client.pending() == b""
    gw.advance(1)
    with check("STR-HOLD-003"):
        head = client.head()
        assert head.status == 200
        assert head.get("content-type") == "text/event-stream; charset=utf-8"
        assert client.event().comment == "keepalive"
        assert client.pending() == b""
    up.release("go")
    with check("STR-HOLD-003"):
        events = parse_events(client.rest_of_chunks())
        assert text_of(events) == "a"
        assert events[-1].is_done


@pytest.mark.rule("STR-HOLD-001", "STR-HOLD-002")
def test_an_error_within_ten_seconds_has_its_own_status(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([Pause(until="go"), *REQUEST])
    gw = gateway(up)
    client = gw.begin_chat(stream=True)
    up.wait_gate("go")
    gw.advance(HOLD_MS - 1, until_armed="keepalive")
    with check("STR-HOLD-001"):
        assert client.pending() == b""
    up.release("go")
    answer = client.response()
    with check("STR-HOLD-002"):
        assert answer.status == 400
        assert answer.header("content-type") == "application/json"
        assert answer.error()["type"] == "invalid_request_error"


@pytest.mark.rule("STR-HOLD-004")
def test_an_error_after_ten_seconds_is_told_in_the_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for name, failure, code in (
        ("request", REQUEST, "unknown_parameter"),
        ("throttle", chat.failure(429, "slow down", code="rate_limit_exceeded"), "rate_limit_exceeded"),
        ("configuration", chat.failure(401, "bad key", code="invalid_api_key"), "model_unavailable"),
    ):
        up = upstream([Pause(until="go"), *failure])
        gw = gateway(up, routerSettings=ONE_ATTEMPT)
        client = gw.begin_chat(stream=True)
        up.wait_gate("go")
        gw.advance(HOLD_MS, until_armed="keepalive")
        up.release("go")
        answer = client.response()
        with check("STR-HOLD-004"):
            assert answer.status == 200, name
            assert len(answer.events) == 2, name
            assert answer.events[1].json()["error"]["message"], name
            assert answer.events[1].json()["error"]["code"] == code, name


@pytest.mark.rule("STR-HOLD-005")
def test_attempts_go_on_behind_an_open_head(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first = upstream([chat.role(), Pause(until="fail"), chat.error("worker died")])
    second = upstream(chat.stream("b"))
    gw = gateway(*in_order(first, second))
    client = gw.begin_chat(stream=True)
    first.wait_gate("fail")
    gw.advance(HOLD_MS, until_armed="keepalive")
    with check("STR-HOLD-005"):
        assert comments(client) == [": keepalive"]
    first.release("fail")
    answer = client.response()
    with check("STR-HOLD-005"):
        assert contents(answer) == "b"
        assert [delta["role"] for delta in deltas(answer) if "role" in delta] == ["assistant"]
        assert done_count(answer) == 1


@pytest.mark.rule("STR-HOLD-006")
def test_a_comment_follows_every_ten_seconds_of_silence(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(
        [
            chat.role(),
            chat.content("a"),
            Pause(until="half"),
            chat.content("b"),
            Pause(until="go"),
            *chat.stream("c")[1:],
        ]
    )
    gw = gateway(up)
    client = gw.begin_chat(stream=True)
    client.head()
    up.wait_gate("half")
    gw.advance(6_000, until_armed="keepalive")
    up.release("half")
    up.wait_gate("go")
    gw.advance(HOLD_MS - 1)
    with check("STR-HOLD-006"):
        assert comments(client) == []
    gw.advance(1)
    with check("STR-HOLD-006"):
        assert comments(client) == [": keepalive"]
    gw.advance(HOLD_MS - 1)
    with check("STR-HOLD-006"):
        assert comments(client) == [": keepalive"]
    gw.advance(1)
    up.release("go")
    events = parse_events(client.rest_of_chunks())
    with check("STR-HOLD-006"):
        assert text_of(events) == "abc"
        assert [event.comment for event in events if event.comment] == ["keepalive", "keepalive"]


@pytest.mark.rule("STR-HOLD-006")
def test_comments_also_come_while_the_request_waits(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([Headers({"retry-after": "35"}), *chat.failure(429)], chat.stream("a"))
    gw = gateway(up)
    client = gw.begin_chat(stream=True)
    up.wait_request()
    armed_wait(gw)
    gw.advance(30_000)
    with check("STR-HOLD-006"):
        assert comments(client) == [": keepalive"] * 3
    gw.advance(15_000)
    with check("STR-HOLD-006"):
        assert contents(client.response()) == "a"


@pytest.mark.rule("STR-HOLD-007")
def test_a_client_that_is_behind_gets_no_comments(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([chat.role(), Repeated(chat.content("x" * 4096), 2_000), *chat.stream("a")[1:]])
    gw = gateway(up)
    client = gw.begin_chat(receive_buffer=4096, stream=True)
    client.head()
    gw.advance(0, until_armed="client_write")
    gw.advance(3 * HOLD_MS)
    events = parse_events(client.rest_of_chunks())
    with check("STR-HOLD-007"):
        assert len(text_of(events)) == 2_000 * 4096 + 1
        assert [event for event in events if event.comment] == []


@pytest.mark.rule("STR-HOLD-008")
def test_an_answer_that_is_no_stream_waits_for_its_status(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([Pause(until="go"), *REQUEST])
    gw = gateway(up)
    client = gw.begin_chat()
    up.wait_gate("go")
    gw.advance(3 * HOLD_MS, until_armed="response")
    with check("STR-HOLD-008"):
        assert client.pending() == b""
    up.release("go")
    with check("STR-HOLD-008"):
        assert client.response().status == 400


@pytest.mark.rule("STR-HOLD-009")
def test_total_ms_may_end_a_stream_before_or_after_its_head(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for total, status in ((HOLD_MS - 1, 504), (HOLD_MS + 1, 200)):
        up = upstream([Pause(until="never")])
        gw = gateway(up, routerSettings=policies(stream={"totalMs": total}))
        client = gw.begin_chat(stream=True)
        up.wait_gate("never")
        gw.advance(total, until_armed="keepalive")
        answer = client.response()
        with check("STR-HOLD-009"):
            assert answer.status == status
            error = answer.error() if status == 504 else answer.events[-1].json()["error"]
            assert error["code"] == "timeout"
