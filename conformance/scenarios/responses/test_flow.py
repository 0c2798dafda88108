"""Silence, waiting, and clients that leave, are slow or take nothing."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import ConnectionEnded
from conformance.operation_log import last
from conformance.responses import joined, shown, speaking, told
from conformance.sse_bytes import parse_events
from fake_upstreams import Event, Pause, Repeated, SseStyle, Step, chat, faults, responses

pytestmark = pytest.mark.needs("virtual_time")

HOLD_MS = 10_000
GONE = ("client closed", "client reset")


@pytest.mark.rule("RSP-HOLD-001")
def test_comments_fill_a_long_silence(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Before the first event, and 25 s within the stream, between events only."""
    whole = responses.stream("a", "b")
    up = upstream([Pause(until="begin"), *whole[:5], Pause(until="go"), *whole[5:]])
    gw = gateway(*speaking(up))
    client = gw.begin_responses(stream=True)
    up.wait_gate("begin")
    gw.advance(HOLD_MS - 1, until_armed="keepalive")
    with check("RSP-HOLD-001"):
        assert client.pending() == b""
    gw.advance(1)
    with check("RSP-HOLD-001"):
        assert client.head().status == 200
        assert client.event().comment == "keepalive"
    up.release("begin")
    up.wait_gate("go")
    first = told([client.event() for _ in range(5)])
    gw.advance(25_000)
    up.release("go")
    rest = parse_events(client.rest_of_chunks())
    with check("RSP-HOLD-001"):
        assert [event.comment for event in rest[:2]] == ["keepalive", "keepalive"]
        assert joined(first + told(rest)) == "ab"
        assert [data["sequence_number"] for data in first + told(rest)] == list(range(len(whole)))


@pytest.mark.rule("RSP-HOLD-001")
def test_no_comment_falls_into_an_event(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream falls silent within an event."""
    *first, end = responses.stream("a")
    raw = end.payload(SseStyle())
    up = upstream([*first, Event(raw=raw[:60]), Pause(until="rest"), Event(raw=raw[60:])])
    gw = gateway(*speaking(up))
    client = gw.begin_responses(stream=True)
    up.wait_gate("rest")
    gw.advance(0)
    gw.advance(HOLD_MS, until_armed="keepalive")
    up.release("rest")
    answer = client.response()
    with check("RSP-HOLD-001"):
        assert [event.comment for event in answer.events] == [None] * len(first) + ["keepalive", None]
        assert told(answer.events)[-1]["type"] == "response.completed"


@pytest.mark.rule("RSP-HOLD-004")
def test_numbers_have_no_gaps(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Over comments, an attempt that showed its shells to nobody, and the error at the end."""
    first = upstream([*responses.numbered(*responses.began()), Pause(until="fails"), responses.error("lost")])
    begun = responses.numbered(*responses.began(), responses.item_added(responses.message_item()), responses.text("a"))
    second = upstream([*begun, Pause(until="fails"), responses.error("lost")])
    gw = gateway(*speaking(first, second))
    client = gw.begin_responses(stream=True)
    first.wait_gate("fails")
    gw.advance(HOLD_MS, until_armed="keepalive")
    first.release("fails")
    second.wait_gate("fails")
    gw.advance(0)
    gw.advance(HOLD_MS, until_armed="keepalive")
    second.release("fails")
    answer = client.response()
    with check("RSP-HOLD-004"):
        assert [event.comment for event in answer.events] == ["keepalive", *[None] * 4, "keepalive", None]
        assert [data["sequence_number"] for data in told(answer.events)] == [0, 1, 2, 3, 4]
        assert told(answer.events)[-1]["type"] == "error"


@pytest.mark.rule("RSP-HOLD-003")
def test_keepalives_do_not_hold_off_total_ms(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """They are signs of life, so `idleMs` begins anew with each; before any output the client has a status."""
    beats = [step for number in range(4) for step in (responses.keepalive(), Pause(until=f"{number}"))]
    up = upstream([*responses.began(), *beats, responses.keepalive(), Pause(until="never")])
    settings = policies(stream={"idleMs": 2_000, "totalMs": 5_000, "maxAttempts": 1})
    gw = gateway(*speaking(up), routerSettings=settings)
    client = gw.begin_responses(stream=True)
    for number in range(4):
        up.wait_gate(f"{number}")
        gw.advance(0, until_armed="idle")
        gw.advance(1_000 if number else 1_999)
        with check("RSP-HOLD-003"):
            assert client.pending() == b"", number
            assert up.open_connections == 1, number
        up.release(f"{number}")
    up.wait_gate("never")
    gw.advance(0)
    gw.advance(1)
    answer = client.response()
    with check("RSP-HOLD-003"):
        assert answer.status == 504
        assert answer.error()["code"] == "timeout"
        assert up.wait_closed() in GONE


@pytest.mark.rule("RSP-HOLD-002")
def test_what_fails_after_ten_seconds_is_told_in_the_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """A stream that has shown nothing yet begins with its error."""
    failure = chat.failure(400, "no such parameter", kind="invalid_request_error", code="unknown_parameter")
    up = upstream([Pause(until="go"), *failure])
    gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
    client = gw.begin_responses(stream=True)
    up.wait_gate("go")
    gw.advance(HOLD_MS, until_armed="keepalive")
    up.release("go")
    answer = client.response()
    with check("RSP-HOLD-002"):
        assert answer.status == 200
        (error,) = shown(answer)
        assert (error["sequence_number"], error["code"]) == (0, "unknown_parameter")
        assert error["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize("how", ["close", "reset"])
@pytest.mark.rule("RSP-FLOW-001")
def test_a_client_that_leaves(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, how: str) -> None:
    """Before the head, before commit, and after it: the upstream's connection ends, and nobody is blamed."""
    cases: dict[str, list[Step]] = {
        "JSON": [faults.AcceptThenSilence()],
        "before the head": [faults.AcceptThenSilence()],
        "before commit": [*responses.began(), Pause(until="never")],
        "after commit": [*responses.stream("a")[:5], Pause(until="never")],
    }
    for case, steps in cases.items():
        first, second = upstream(steps), upstream()
        gw = gateway(*speaking(first, second))
        client = gw.begin_responses(stream=case != "JSON")
        first.wait_request()
        if case in ("before commit", "after commit"):
            first.wait_gate("never")
        if case == "after commit":
            client.head()
        client.close() if how == "close" else client.reset()
        with check("RSP-FLOW-001"):
            assert first.wait_closed() in GONE, case
            row = last(gw)
            assert (row["outcome"], row["httpStatus"], row["callType"]) == ("cancelled", 499, "responses"), case
            assert gw.deployments()[0]["metrics"]["inflight"] == 0, case
            assert [row["status"] for row in gw.deployments()] == ["available", "available"], case
        gw.stop()
        with check("RSP-FLOW-001"):
            assert second.requests == [], case


PIECE = "x" * 4096
PIECES = 2_000


@pytest.mark.rule("RSP-FLOW-002", "RSP-FLOW-003")
def test_a_client_that_pauses_and_one_that_takes_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """What is slow loses nothing; what takes nothing for `clientWriteStallMs` is left."""
    long = [*responses.began(), Repeated(responses.text(PIECE), PIECES), responses.completed()]
    up = upstream(long, long)
    gw = gateway(*speaking(up), server={"clientWriteStallMs": 120_000})
    slow = gw.begin_responses(receive_buffer=4096, stream=True)
    slow.head()
    gw.advance(0, until_armed="client_write")
    gw.advance(60_000)
    events = parse_events(slow.rest_of_chunks())
    with check("RSP-FLOW-002"):
        assert [event for event in events if event.comment] == []
        assert joined(told(events)) == PIECE * PIECES
        assert events[-1].name == "response.completed"
    stalled = gw.begin_responses(receive_buffer=4096, stream=True)
    gw.advance(0, until_armed="client_write")
    gw.advance(119_999)
    with check("RSP-FLOW-003"):
        assert up.open_connections == 1
    gw.advance(1)
    with check("RSP-FLOW-003"):
        assert up.wait_closed() in GONE
        stalled.head()
        with pytest.raises((ConnectionEnded, ConnectionResetError)):
            stalled.rest_of_chunks()
