"""Every spelling that an upstream may use gives the client the same narrow one."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.responses import kinds, speaking, with_id_of_upstream
from conformance.session import RESPONSES, responses_body
from fake_upstreams import Bytes, Event, Headers, SseStyle, faults, reply, responses

TYPES = ["response.created", "response.output_item.added", "response.output_text.delta", "response.completed"]
ITEM = '{"type":"message","content":[],"model":"fake-model"}'
RESPONSE = '{"id":"resp_1","status":"completed","model":"fake-model","output":[],"usage":null}'
PAYLOADS = [
    '{"type":"response.created", "response" : {"id":"resp_1", "model" : "fake-model","output":[]},"sequence_number":0}',
    f'{{"sequence_number":1,"item":{ITEM},"type":"response.output_item.added"}}',
    '{"type":"response.output_text.delta","sequence_number":2,"delta":"h\\u00e9 \\"model\\" é", "x":[1.0,2e3]}',
    f'{{"type":"response.completed","sequence_number":3,"response":{RESPONSE}, "vendor":{{"model":"fake-model"}} }}',
]
SHOWN = [
    PAYLOADS[0].replace("fake-model", "gpt"),
    *PAYLOADS[1:3],
    PAYLOADS[3].replace("fake-model", "gpt", 1),
]
EXPECTED = "".join(f"event: {kind}\ndata: {data}\n\n" for kind, data in zip(TYPES, SHOWN, strict=True)).encode()
STEPS = [Event(data, name=kind) for kind, data in zip(TYPES, PAYLOADS, strict=True)]


def relayed(answer: Response) -> bytes:
    """The stream, but for the id, which differs from the upstream's and not from event to event."""
    return with_id_of_upstream(answer.body, "resp_1")


def joined(*, newline: str = "\n", end: str = "\n\n", names: bool = True) -> bytes:
    """The stream as bytes; `end` follows the last line."""
    events = [
        (f"event: {kind}{newline}" if names else "") + f"data: {data}"
        for kind, data in zip(TYPES, PAYLOADS, strict=True)
    ]
    return ((newline * 2).join(events) + end).encode()


@pytest.mark.rule("RSP-FORM-001", "RSP-FORM-007")
def test_payloads_are_relayed_byte_for_byte(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Each is named by its type, whatever the upstream calls it."""
    misnamed = [Event(data, name="message") for data in PAYLOADS]
    up = upstream(STEPS, [Event(raw=joined(names=False))], misnamed)
    gw = gateway(*speaking(up))
    with check("RSP-FORM-007"):
        assert relayed(gw.responses(stream=True)) == EXPECTED
    for _ in range(2):
        with check("RSP-FORM-001"):
            assert relayed(gw.responses(stream=True)) == EXPECTED


STYLES = {
    "CRLF": SseStyle(newline="\r\n"),
    "CR": SseStyle(newline="\r"),
    "byte order mark": SseStyle(bom=True),
    "no space": SseStyle(space=False),
}


@pytest.mark.rule("RSP-FORM-003")
def test_every_spelling_gives_the_same_events(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for case, style in STYLES.items():
        answer = gateway(*speaking(upstream(reply(STEPS, sse=style)))).responses(stream=True)
        with check("RSP-FORM-003"):
            assert relayed(answer) == EXPECTED, case
    decorated = joined().replace(b"event: ", b":\n\n: hm\nid: 1\nretry: 3000\nevent: ")
    for end in (b"", b"\n", b"\n\n: bye\n\n"):
        up = upstream([Event(raw=b"\xef\xbb\xbf" + decorated.removesuffix(b"\n\n") + end)])
        with check("RSP-FORM-003"):
            assert relayed(gateway(*speaking(up)).responses(stream=True)) == EXPECTED, end


@pytest.mark.rule("RSP-FORM-003")
def test_the_order_within_an_event_means_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Data before the name, and the stream under the content type of an answer."""
    blocks = [f"data:{data}\nevent:{kind}\n\n" for kind, data in zip(TYPES, PAYLOADS, strict=True)]
    up = upstream([Headers({"Content-Type": "application/json"}), Event(raw="".join(blocks).encode())])
    with check("RSP-FORM-003"):
        assert relayed(gateway(*speaking(up)).responses(stream=True)) == EXPECTED


@pytest.mark.rule("RSP-FORM-003")
def test_a_stream_in_single_bytes_is_read_like_a_whole_one(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([faults.SplitAt(every=1), *STEPS], [faults.OneByteWrites(), *STEPS])
    gw = gateway(*speaking(up))
    for _ in range(2):
        with check("RSP-FORM-003"):
            assert relayed(gw.responses(stream=True)) == EXPECTED


@pytest.mark.rule("RSP-FORM-003")
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_a_stream_split_at_any_byte_is_read_like_a_whole_one(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, newline: str
) -> None:
    """Two pieces, for every place between them, on one connection."""
    whole = joined(newline=newline, end=newline * 2)
    up = upstream()
    client = gateway(*speaking(up)).connect()
    wrong = []
    for place in range(1, len(whole)):
        up.add([Event(raw=whole[:place]), Event(raw=whole[place:])])
        if relayed(client.request("POST", RESPONSES, responses_body(stream=True), ())) != EXPECTED:
            wrong.append(place)
    with check("RSP-FORM-003"):
        assert wrong == []


@pytest.mark.rule("RSP-FORM-003")
def test_a_stream_framed_by_close_is_read_to_its_end(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    by_close = upstream([Bytes(head + joined()), faults.Close()])
    length = Headers({"Content-Type": "text/event-stream", "Content-Length": len(joined())})
    by_length = upstream([length, Bytes(joined())])
    for up in (by_close, by_length):
        with check("RSP-FORM-003"):
            assert relayed(gateway(*speaking(up)).responses(stream=True)) == EXPECTED


@pytest.mark.rule("RSP-FORM-007")
def test_data_of_several_lines_is_joined(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    lines = PAYLOADS[2].replace(",", ",\n")
    answer = gateway(*speaking(upstream([STEPS[0], Event(lines, name=TYPES[2]), STEPS[3]]))).responses(stream=True)
    with check("RSP-FORM-007"):
        assert answer.events[1].data == lines


@pytest.mark.rule("RSP-FORM-005")
def test_what_keeps_a_connection_alive_is_not_shown(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Official helpers give up on an event that they do not know before the first one that they do."""
    alive = [
        responses.keepalive(),
        Event("", name="ping"),
        Event({"type": "ping"}),
        Event(raw=b"event: keepalive\n\n"),
        Event(": keepalive"),
        Event(comment="hm"),
    ]
    steps = responses.numbered(
        *alive, *responses.began(), *alive, *responses.message("a"), *alive,
        responses.completed(responses.message_item("a")),
    )  # fmt: skip
    answer = gateway(*speaking(upstream(steps))).responses(stream=True)
    with check("RSP-FORM-005"):
        assert kinds(answer) == [
            "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta",
            "output_text.done", "content_part.done", "output_item.done", "completed",
        ]  # fmt: skip
        assert [event.comment for event in answer.events] == [None] * 9
