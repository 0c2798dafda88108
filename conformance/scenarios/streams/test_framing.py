"""Every spelling that an upstream may use gives the client the same narrow one."""

from __future__ import annotations

import json

import pytest

from conformance.checks import Check
from conformance.deployments import in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import chat_request, contents, done_count, finish_reasons
from fake_upstreams import Bytes, Event, Headers, SseStyle, chat, faults, reply

PAYLOADS = [
    '{"id":"1", "model" : "fake-model","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}',
    '{"choices":[{"delta":{"content":"h\\u00e9 \\"model\\" é"},"index":0}], "model":"fake-model" , "x":[1.0,2e3]}',
    '{"model":"fake-model","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"vendor":{"model":"fake-model"}}',
]
SHOWN = [
    '{"id":"1", "model" : "gpt","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}',
    '{"choices":[{"delta":{"content":"h\\u00e9 \\"model\\" é"},"index":0}], "model":"gpt" , "x":[1.0,2e3]}',
    '{"model":"gpt","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"vendor":{"model":"fake-model"}}',
    "[DONE]",
]
EXPECTED = "".join(f"data: {payload}\n\n" for payload in SHOWN).encode()
STEPS = [*(Event(payload) for payload in PAYLOADS), chat.DONE]


def joined(*, newline: str = "\n", end: str = "\n\n") -> bytes:
    """The stream as bytes; `end` follows the end marker."""
    lines = [f"data: {payload}{newline}{newline}" for payload in PAYLOADS]
    return ("".join(lines) + "data: [DONE]" + end).encode()


@pytest.mark.rule("STR-FRAME-001", "STR-FRAME-009")
def test_payloads_are_relayed_byte_for_byte(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    answer = gateway(upstream(STEPS)).chat(stream=True)
    with check("STR-FRAME-001"):
        assert [event.comment for event in answer.events] == [None] * 4
    with check("STR-FRAME-009"):
        assert answer.body == EXPECTED


STYLES = {
    "CRLF": ("STR-FRAME-003", SseStyle(newline="\r\n")),
    "CR": ("STR-FRAME-003", SseStyle(newline="\r")),
    "byte order mark": ("STR-FRAME-003", SseStyle(bom=True)),
    "CRLF and byte order mark": ("STR-FRAME-003", SseStyle(newline="\r\n", bom=True)),
    "no space": ("STR-FRAME-004", SseStyle(space=False)),
}


@pytest.mark.rule("STR-FRAME-003", "STR-FRAME-004")
def test_every_spelling_gives_the_same_events(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for case, (rule, style) in STYLES.items():
        answer = gateway(upstream(reply(STEPS, sse=style))).chat(stream=True)
        with check(rule):
            assert answer.body == EXPECTED, case


@pytest.mark.rule("STR-FRAME-004", "STR-FRAME-001")
def test_data_of_several_lines_is_joined(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The payload's own line ends survive, whichever way they are framed again."""
    lines = '{"choices":[{"index":0,\n"delta":{"role":"assistant","content":"a"}}],\n"model":"fake-model"}'
    answer = gateway(upstream([Event(lines), chat.finish(), chat.DONE])).chat(stream=True)
    with check("STR-FRAME-001"):
        assert len(answer.events) == 3
    with check("STR-FRAME-004"):
        assert answer.events[0].data == lines.replace("fake-model", "gpt")


@pytest.mark.rule("STR-FRAME-004", "STR-ERROR-008")
def test_an_end_marker_is_one_after_joining(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """On two lines it is none, nor in the block of a frame: neither ends a stream, and neither is JSON."""
    for odd in (Event("[DO\nNE]"), Event(f"{PAYLOADS[2]}\n[DONE]")):
        first, second = upstream([chat.role(), odd]), upstream(chat.stream("b"))
        answer = gateway(*in_order(first, second)).chat(stream=True)
        with check("STR-ERROR-008"):
            assert contents(answer) == "b"
        with check("STR-FRAME-004"):
            assert done_count(answer) == 1
            assert len(second.requests) == 1


@pytest.mark.rule("STR-FRAME-004")
def test_blanks_around_data_change_nothing(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """One is the field's, and JSON may have more around it."""
    steps = [Event(raw=f"data:  {payload} \n\n".encode()) for payload in (*PAYLOADS, "[DONE]")]
    answer = gateway(upstream(steps)).chat(stream=True)
    with check("STR-FRAME-004"):
        assert [event.json() for event in answer.events[:-1]] == [json.loads(payload) for payload in SHOWN[:-1]]
        assert done_count(answer) == 1


@pytest.mark.rule("STR-FRAME-002")
def test_fields_that_clients_stumble_over_are_dropped(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    raw = b": keep-alive\nid: 1\nretry: 3000\ndata: " + PAYLOADS[1].encode() + b"\n\n"
    steps = [chat.comment(), Event(raw=raw), chat.comment("PROCESSING"), chat.finish(), chat.DONE]
    answer = gateway(upstream(reply(steps, sse=SseStyle(bom=True)))).chat(stream=True)
    with check("STR-FRAME-002"):
        assert [event.comment for event in answer.events] == [None] * 3
        assert b"id: 1" not in answer.body
        assert b"\xef\xbb\xbf" not in answer.body


@pytest.mark.rule("STR-FRAME-005")
def test_a_stream_in_single_bytes_is_read_like_a_whole_one(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Every byte is a chunk of its own, then every byte of the wire a write of its own."""
    up = upstream([faults.SplitAt(every=1), *STEPS], [faults.OneByteWrites(), *STEPS])
    gw = gateway(up)
    for _ in range(2):
        answer = gw.chat(stream=True)
        with check("STR-FRAME-005"):
            assert answer.body == EXPECTED


@pytest.mark.rule("STR-FRAME-005")
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_a_stream_split_at_any_byte_is_read_like_a_whole_one(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, newline: str
) -> None:
    """Two pieces, for every place between them, on one connection."""
    whole = joined(newline=newline, end=newline * 2)
    up = upstream()
    client = gateway(up).connect()
    wrong = []
    for place in range(1, len(whole)):
        up.add([Event(raw=whole[:place]), Event(raw=whole[place:])])
        client.send(chat_request(stream=True))
        if client.response().body != EXPECTED:
            wrong.append(place)
    with check("STR-FRAME-005"):
        assert wrong == []


@pytest.mark.rule("STR-FRAME-006")
@pytest.mark.parametrize("end", ["", "\n"], ids=["no line end", "one line end"])
def test_an_unterminated_end_marker_counts(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, end: str
) -> None:
    answer = gateway(upstream([Event(raw=joined(end=end))])).chat(stream=True)
    with check("STR-FRAME-006"):
        assert answer.body == EXPECTED


@pytest.mark.rule("STR-FRAME-007")
@pytest.mark.parametrize("end", ["", "\n"], ids=["no line end", "one line end"])
def test_an_unterminated_finish_frame_counts(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, end: str
) -> None:
    last = f"data: {PAYLOADS[2]}{end}".encode()
    answer = gateway(upstream([Event(PAYLOADS[0]), chat.content("a"), Event(raw=last)])).chat(stream=True)
    with check("STR-FRAME-007"):
        assert contents(answer) == "a"
        assert finish_reasons(answer) == ["stop"]
        assert done_count(answer) == 1
        assert b'"error"' not in answer.body


@pytest.mark.rule("STR-FRAME-007")
def test_an_unterminated_fragment_does_not_count(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    answer = gateway(upstream([chat.role(), chat.content("a"), Event(raw=b'data: {"cho')])).chat(stream=True)
    with check("STR-FRAME-007"):
        assert answer.events[-1].json()["error"]["code"] == "upstream_stream_truncated"


@pytest.mark.rule("STR-DONE-001")
def test_a_stream_framed_by_close_is_read_to_its_end(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    by_close = upstream([Bytes(head + joined()), faults.Close()])
    length = Headers({"Content-Type": "text/event-stream", "Content-Length": len(joined())})
    by_length = upstream([length, Bytes(joined())])
    for up in (by_close, by_length):
        answer = gateway(up).chat(stream=True)
        with check("STR-DONE-001"):
            assert answer.body == EXPECTED
