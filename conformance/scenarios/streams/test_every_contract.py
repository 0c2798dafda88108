"""What holds for the streams of every contract alike."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.contracts import good_answer
from conformance.deployments import ONE_ATTEMPT, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last
from conformance.session import CHAT, states
from conformance.sse_bytes import parse_events
from conformance.streaming import STREAMING, Streaming, carrying_all
from fake_upstreams import Body, Event, Headers, Pause, SseStyle, Status, Step, faults, reply

pytestmark = pytest.mark.parametrize("contract", STREAMING.values(), ids=STREAMING.keys())

EVENT_STREAM = Headers({"Content-Type": "text/event-stream"})
GONE = ("client closed", "client reset")
ENDS = (
    b'"finish_reason":"',
    b"[DONE]",
    b"block_stop",
    b"message_delta",
    b"message_stop",
    b"response.completed",
)
WIDE = "\u4f60\u597d\U0001f980\u00e9"


def written(*steps: Step, style: SseStyle = SseStyle()) -> bytes:  # noqa: B008
    """Steps as the bytes of a stream."""
    return b"".join(step.payload(style) for step in steps)


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("DLN-IDLE-001", "DLN-ABORT-001")
def test_a_head_and_then_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    silent = reply(EVENT_STREAM, Pause(until="never"), framing="chunked")
    first, second = upstream(silent), upstream(contract.whole)
    gw = gateway(*carrying_all(first, second), routerSettings=policies(stream={"idleMs": 2_000}))
    client = gw.begin(contract.path, contract.body(stream=True))
    first.wait_gate("never")
    gw.advance(0, until_armed="idle")
    gw.advance(1_999)
    with check("DLN-IDLE-001"):
        assert second.requests == []
        assert client.pending() == b""
    gw.advance(1)
    with check("DLN-IDLE-001"):
        assert contract.text_of(client.response()) == "a"
    with check("DLN-ABORT-001"):
        assert first.wait_closed() in GONE


@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize(
    ("limit", "rule"),
    [
        pytest.param("idleMs", "DLN-IDLE-004", marks=pytest.mark.rule("DLN-IDLE-004")),
        pytest.param("totalMs", "DLN-TOTAL-004", marks=pytest.mark.rule("DLN-TOTAL-004")),
    ],
    ids=["idle", "total"],
)
def test_a_deadline_after_the_commit_is_told_in_the_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, limit: str, rule: str
) -> None:
    first, second = upstream([*contract.begin, contract.shown, Pause(until="never")]), upstream()
    gw = gateway(*carrying_all(first, second), routerSettings=policies(stream={limit: 5_000}))
    client = gw.begin(contract.path, contract.body(stream=True))
    client.head()
    first.wait_gate("never")
    gw.advance(0, until_armed="idle")
    gw.advance(4_999)
    with check(rule):
        assert first.open_connections == 1
    gw.advance(1)
    events = parse_events(client.rest_of_chunks())
    with check(rule):
        error = events[-1].json()["error"]
        assert error.get("code", error["type"]) in ("timeout", "timeout_error")
        assert second.requests == []


@pytest.mark.rule("FAIL-TRANSIENT-005")
@pytest.mark.parametrize("body", [Body(b"<html>secret page</html>", "text/html"), Body.text("secret page")])
def test_a_page_is_no_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, body: Body
) -> None:
    first, second = upstream(body), upstream(contract.whole)
    answer = contract.ask(gateway(*carrying_all(first, second)))
    with check("FAIL-TRANSIENT-005"):
        assert contract.text_of(answer) == "a"
        assert b"secret page" not in answer.raw
        assert len(first.requests) == 1


NOISE = (b":\n", b":\n\n", b"data\n\n", b"event: keepalive\n\n", b"id: 7\nretry: 3\n\n", b"data: : keepalive\n\n")


@pytest.mark.rule("STR-FRAME-008", "STR-FRAME-002")
@pytest.mark.parametrize("noise", NOISE)
def test_what_carries_nothing_is_dropped(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, noise: bytes
) -> None:
    noisy = [Event(raw=part) for step in contract.whole for part in (noise, written(step))]
    up = upstream(contract.whole, noisy)
    gw = gateway(*carrying_all(up))
    plain, answer = contract.ask(gw), contract.ask(gw)
    with check("STR-FRAME-008"):
        assert contract.text_of(answer) == "a"
        assert len(answer.events) == len(plain.events)
    with check("STR-FRAME-002"):
        assert [event.comment for event in answer.events] == [None] * len(answer.events)


@pytest.mark.rule("STR-FRAME-004")
def test_a_bare_field_before_data_is_an_empty_line(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    """As is one without a space, and data that comes before the name of its event."""
    name, _, data = written(contract.shown, style=SseStyle(space=False)).rstrip(b"\n").rpartition(b"\n")
    odd = b"id: 1\nretry: 3\ndata\n" + data + b"\n" + (name + b"\n" if name else b"") + b"\n"
    steps = [*contract.begin, Event(raw=odd), *contract.end]
    answer = contract.ask(gateway(*carrying_all(upstream(steps))))
    with check("STR-FRAME-004"):
        assert contract.text_of(answer) == "a"


@pytest.mark.rule("STR-FRAME-004")
def test_an_error_is_known_however_it_is_written(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    """Without a space, and with its data before its name."""
    _, _, data = written(contract.error, style=SseStyle(space=False)).rstrip(b"\n").rpartition(b"\n")
    for raw in (b"event:error\n" + data + b"\n\n", data + b"\nevent:error\n\n"):
        first, second = upstream([*contract.begin, Event(raw=raw), *contract.end]), upstream(contract.whole)
        answer = contract.ask(gateway(*carrying_all(first, second)))
        with check("STR-FRAME-004"):
            assert contract.text_of(answer) == "a"
            assert len(second.requests) == 1


@pytest.mark.rule("STR-FRAME-005")
@pytest.mark.parametrize("how", [faults.OneByteWrites(), faults.SplitAt(every=1)], ids=["writes", "chunks"])
def test_characters_survive_being_split(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, how: Step
) -> None:
    """Characters of two, three and four bytes, in text and in a tool's arguments."""
    raw = b"data: "
    steps = [*contract.begin, contract.shown, *contract.tool[-1:], *contract.end]
    whole = written(*steps).replace(b'"a"', f'"{WIDE}"'.encode()).replace(b"/a", f"/{WIDE}".encode())
    assert whole.count(WIDE.encode()) >= 2
    assert raw in whole
    up = upstream([Event(raw=whole)], [how, Event(raw=whole)])
    gw = gateway(*carrying_all(up))
    plain, split = contract.ask(gw), contract.ask(gw)
    with check("STR-FRAME-005"):
        assert split.body == plain.body
        assert split.body.count(WIDE.encode()) >= 2
        assert "error" not in [event.name for event in split.events]


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("STR-HOLD-006")
def test_no_comment_falls_into_an_event(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    """The upstream falls silent within one."""
    raw = written(contract.end[0])
    up = upstream(
        [
            *contract.begin,
            contract.shown,
            Event(raw=raw[:20]),
            Pause(until="rest"),
            Event(raw=raw[20:]),
            *contract.end[1:],
        ]
    )
    gw = gateway(*carrying_all(up))
    client = gw.begin(contract.path, contract.body(stream=True))
    client.head()
    up.wait_gate("rest")
    gw.advance(0)
    gw.advance(10_000, until_armed="keepalive")
    up.release("rest")
    events = parse_events(client.rest_of_chunks())
    with check("STR-HOLD-006"):
        assert [event.comment for event in events if event.comment] == ["keepalive"]
        payloads = [event.json() for event in events if event.comment is None and not event.is_done]
        assert len(payloads) == len(contract.whole) - (contract.path == CHAT)


@pytest.mark.rule("STR-DONE-015", "BRK-COUNT-004")
def test_a_tool_s_arguments_that_break_off(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    """The body ends cleanly: no finish is made up, nobody else is asked, and it is one failure."""
    first, second = upstream(contract.tool), upstream()
    gw = gateway(*carrying_all(first, second), routerSettings={"allowedFails": 0})
    answer = contract.ask(gw)
    with check("STR-DONE-015"):
        error = answer.events[-1].json()["error"]
        assert error.get("code", error["type"]) in ("upstream_stream_truncated", "api_error")
        assert [mark for mark in ENDS if mark in answer.body] == []
        assert second.requests == []
    with check("BRK-COUNT-004"):
        assert [status for status, _ in states(gw)] == ["cooldown", "available"]


@pytest.mark.rule("STR-JSON-003")
@pytest.mark.parametrize("status", [200, 201, 202])
def test_content_is_told_by_its_bytes(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, status: int
) -> None:
    """A stream that calls itself JSON."""
    lying = reply(Status(status), Headers({"Content-Type": "application/json"}), Event(raw=written(*contract.whole)))
    up = upstream([Status(status), *contract.whole], lying)
    gw = gateway(*carrying_all(up), routerSettings=ONE_ATTEMPT)
    plain, answer = contract.ask(gw), contract.ask(gw)
    with check("STR-JSON-003"):
        assert plain.status == 200
        assert contract.text_of(plain) == "a"
        assert answer.body == plain.body
        assert answer.header("content-type") == "text/event-stream; charset=utf-8"


@pytest.mark.rule("STR-JSON-003", "STR-JSON-001")
def test_an_answer_is_told_by_its_bytes(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    """JSON that calls itself a stream, and JSON after blank lines."""
    data = good_answer(contract.path).data
    up = upstream(Body(data, "text/event-stream"), Body(b"\n\n \r\n" + data, "application/json"))
    gw = gateway(*carrying_all(up), routerSettings=ONE_ATTEMPT)
    for rule in ("STR-JSON-003", "STR-JSON-001"):
        answer = contract.ask(gw)
        with check(rule):
            assert contract.text_of(answer) == "a"
            assert b"data: data:" not in answer.body
            assert (
                sum(answer.body.count(end) for end in (b"[DONE]", b"event: message_stop", b"event: response.completed"))
                == 1
            )


@pytest.mark.rule("UP-ANSWER-008")
@pytest.mark.parametrize("status", [201, 202])
def test_any_success_is_one(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, status: int
) -> None:
    good = good_answer(contract.path)
    up = upstream([Status(status), good], [Status(status), *contract.whole])
    gw = gateway(*carrying_all(up), routerSettings=ONE_ATTEMPT)
    for stream in (False, True):
        answer = gw.post(contract.body(stream=stream), path=contract.path)
        with check("UP-ANSWER-008"):
            assert answer.status == 200
            assert last(gw)["outcome"] == "success"
            assert stream or last(gw)["totalTokens"] == (2 if contract.path == CHAT else 5)


@pytest.mark.rule("STR-COMMIT-012", "LOG-ROW-001")
def test_after_an_error_in_the_stream_nobody_else_is_asked(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    first, second = upstream([*contract.begin, *[contract.shown] * 3, contract.error]), upstream()
    gw = gateway(*carrying_all(first, second))
    answer = contract.ask(gw)
    with check("STR-COMMIT-012"):
        assert answer.body.count(b'"a"') == 3
        assert "error" in answer.events[-1].json()
        assert second.requests == []
    with check("LOG-ROW-001"):
        assert last(gw)["attemptCount"] == 1


@pytest.mark.rule("STR-FRAME-003")
@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_change_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, newline: str
) -> None:
    """In one write, and event by event."""
    raw = [Event(raw=written(step, style=SseStyle(newline=newline))) for step in contract.whole]
    up = upstream(contract.whole, [Event(raw=b"".join(step.raw or b"" for step in raw))], raw)
    gw = gateway(*carrying_all(up))
    answers = [(contract.ask(gw), last(gw)["totalTokens"]) for _ in range(3)]
    with check("STR-FRAME-003"):
        assert answers[1][0].body == answers[0][0].body
        assert answers[2][0].body == answers[0][0].body
        assert [tokens for _, tokens in answers] == [answers[0][1]] * 3


@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize(
    ("stream", "rule"),
    [
        pytest.param(False, "DLN-RESPONSE-001", marks=pytest.mark.rule("DLN-RESPONSE-001")),
        pytest.param(True, "DLN-RESPONSE-003", marks=pytest.mark.rule("DLN-RESPONSE-003")),
    ],
    ids=["json", "stream"],
)
def test_no_answer_within_response_ms(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, stream: bool, rule: str
) -> None:
    first = upstream([faults.AcceptThenSilence()])
    second = upstream(contract.whole if stream else good_answer(contract.path))
    limit = {"responseMs": 2_000}
    gw = gateway(*carrying_all(first, second), routerSettings=policies(limit, limit))
    client = gw.begin(contract.path, contract.body(stream=stream))
    first.wait_request()
    gw.advance(0, until_armed="response")
    gw.advance(1_999)
    with check(rule):
        assert client.pending() == b""
        assert second.requests == []
    gw.advance(1)
    with check(rule):
        assert client.response().status == 200
        assert first.wait_closed() in GONE


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("DLN-IDLE-002")
def test_tokens_after_the_commit_start_idle_ms_anew(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    gates = [f"{number}" for number in range(5)]
    tokens = [step for gate in gates for step in (contract.shown, Pause(until=gate))]
    up = upstream([*contract.begin, *tokens, *contract.end])
    gw = gateway(*carrying_all(up), routerSettings=policies(stream={"idleMs": 2_000}))
    client = gw.begin(contract.path, contract.body(stream=True))
    client.head()
    for gate in gates:
        up.wait_gate(gate)
        gw.advance(0)
        gw.advance(1_999, until_armed="idle")
        with check("DLN-IDLE-002"):
            assert up.open_connections == 1, gate
        up.release(gate)
    events = parse_events(client.rest_of_chunks())
    with check("DLN-IDLE-002"):
        assert "error" not in [event.name for event in events]
        assert b'"error":{' not in b"".join(event.data.encode() for event in events if event.data)
