"""Every spelling that an upstream may use gives the client of a messages stream the same narrow one."""

from __future__ import annotations

import pytest

from conformance.anthropic import anthropic, names, told
from conformance.checks import Check
from conformance.client import encode_request
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last
from conformance.session import ANTHROPIC, messages_body
from fake_upstreams import Body, Event, Headers, SseStyle, Status, Step, faults, messages, reply

NAMES = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
]
PAYLOADS = [
    '{"type":"message_start", "message":{"model" : "fake-model","content":[],"usage":{"input_tokens":1.0}}}',
    '{"index":0,"type":"content_block_start","content_block":{"type":"text","text":""}}',
    '{"delta":{"text":"h\\u00e9 \\"model\\" é","type":"text_delta"},"type":"content_block_delta","index":0}',
    '{"type":"content_block_stop","index":0 }',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{},"vendor":{"model":"fake-model"}}',
    '{"type":"message_stop","metrics":{"latency":2e3}}',
]
SHOWN = [payload.replace(' : "fake-model"', ' : "gpt"') for payload in PAYLOADS]
EXPECTED = "".join(f"event: {name}\ndata: {payload}\n\n" for name, payload in zip(NAMES, SHOWN, strict=True)).encode()
STEPS: list[Step] = [Event(payload, name=name) for name, payload in zip(NAMES, PAYLOADS, strict=True)]


def joined(newline: str = "\n", named: bool = True) -> bytes:
    """The stream as bytes."""
    lines = [
        (f"event: {name}{newline}" if named else "") + f"data: {payload}{newline}{newline}"
        for name, payload in zip(NAMES, PAYLOADS, strict=True)
    ]
    return "".join(lines).encode()


@pytest.mark.rule("MSG-FORM-003")
def test_payloads_are_relayed_byte_for_byte(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    answer = gateway(anthropic(upstream(STEPS))).messages(stream=True)
    with check("MSG-FORM-003"):
        assert answer.body == EXPECTED


STYLES = {
    "CRLF": SseStyle(newline="\r\n"),
    "CR": SseStyle(newline="\r"),
    "byte order mark": SseStyle(bom=True),
    "CRLF and byte order mark": SseStyle(newline="\r\n", bom=True),
    "no space": SseStyle(space=False),
}


@pytest.mark.rule("STR-FRAME-003", "STR-FRAME-004")
def test_every_spelling_gives_the_same_events(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for case, style in STYLES.items():
        answer = gateway(anthropic(upstream(reply(STEPS, sse=style)))).messages(stream=True)
        with check("STR-FRAME-004" if case == "no space" else "STR-FRAME-003"):
            assert answer.body == EXPECTED, case


@pytest.mark.rule("STR-FRAME-002", "STR-FRAME-008")
def test_what_clients_stumble_over_is_dropped(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    blocks = (b": comment", b":", b"id: 7", b"retry: 3", b"", b"event: ping", b"event: keepalive", b"data:")
    noise = [Event(raw=block + b"\n\n") for block in blocks]
    steps = [*noise, *(part for step in STEPS for part in (step, *noise))]
    answer = gateway(anthropic(upstream(steps))).messages(stream=True)
    with check("STR-FRAME-002", "STR-FRAME-008"):
        assert answer.body == EXPECTED


@pytest.mark.rule("MSG-ANOM-001")
def test_keepalives_that_came_as_data_are_dropped(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(anthropic(upstream([*STEPS[:3], Event(raw=b"data: : keepalive\n\n"), *STEPS[3:]])))
    answer = gw.messages(stream=True)
    with check("MSG-ANOM-001"):
        assert answer.body == EXPECTED
        assert last(gw)["attempts"][0]["anomalies"] == ["malformed_keepalive"]


@pytest.mark.rule("STR-FRAME-004")
def test_data_of_several_lines_is_joined(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    lines = '{"type":"content_block_delta","index":0,\n"delta":{"type":"text_delta",\n"text":"a"}}'
    steps = [messages.start(), messages.text_start(), Event(lines), messages.finish(), messages.STOP]
    answer = gateway(anthropic(upstream(steps))).messages(stream=True)
    with check("STR-FRAME-004"):
        assert told(answer)[2].data == lines
        assert told(answer)[2].name == "content_block_delta"


@pytest.mark.rule("MSG-FORM-001", "MSG-FORM-002")
def test_events_get_the_name_of_their_type(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Official clients pass over events without a name, and read the others by their type."""
    unnamed = gateway(anthropic(upstream([Event(raw=joined(named=False))]))).messages(stream=True)
    with check("MSG-FORM-002"):
        assert unnamed.body == EXPECTED
    wrong: list[Step] = [Event(payload, name="content_block_delta") for payload in PAYLOADS]
    with check("MSG-FORM-001"):
        assert gateway(anthropic(upstream(wrong))).messages(stream=True).body == EXPECTED
    untyped = [
        Event({"message": {"content": [], "usage": {}}}, name="message_start"),
        *messages.text_block("a"),
        messages.finish(),
        Event({}, name="message_stop"),
    ]
    answer = gateway(anthropic(upstream(untyped))).messages(stream=True)
    with check("MSG-FORM-002"):
        assert names(answer) == NAMES
        assert [event.json()["type"] for event in told(answer)] == NAMES


@pytest.mark.rule("MSG-FORM-005", "MSG-FORM-006")
def test_what_is_not_known_is_relayed_and_pings_are_not(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    odd = messages.event("hologram", depth=3)
    steps = [messages.PING, *STEPS[:3], messages.PING, odd, Event({"type": "ping"}), *STEPS[3:]]
    answer = gateway(anthropic(upstream(steps))).messages(stream=True)
    with check("MSG-FORM-005"):
        assert b"ping" not in answer.body
    with check("MSG-FORM-006"):
        assert names(answer) == [*NAMES[:3], "hologram", *NAMES[3:]]
        assert told(answer)[3].json() == {"type": "hologram", "depth": 3}


@pytest.mark.rule("STR-FRAME-005")
def test_a_stream_in_single_bytes_is_read_like_a_whole_one(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([faults.SplitAt(every=1), *STEPS], [faults.OneByteWrites(), *STEPS])
    gw = gateway(anthropic(up))
    for _ in range(2):
        with check("STR-FRAME-005"):
            assert gw.messages(stream=True).body == EXPECTED


@pytest.mark.rule("STR-FRAME-005")
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_a_stream_split_at_any_byte_is_read_like_a_whole_one(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, newline: str
) -> None:
    """Two pieces, for every place between them, on one connection."""
    whole = joined(newline)
    up = upstream()
    client = gateway(anthropic(up)).connect()
    wrong = []
    for place in range(1, len(whole)):
        up.add([Event(raw=whole[:place]), Event(raw=whole[place:])])
        client.send(encode_request("POST", ANTHROPIC, messages_body(stream=True)))
        if client.response().body != EXPECTED:
            wrong.append(place)
    with check("STR-FRAME-005"):
        assert wrong == []


@pytest.mark.rule("STR-FRAME-007")
@pytest.mark.parametrize("end", ["", "\n"], ids=["no line end", "one line end"])
def test_a_last_event_without_a_blank_line_counts(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, end: str
) -> None:
    cut = joined().rstrip(b"\n") + end.encode()
    answer = gateway(anthropic(upstream([Event(raw=cut)]))).messages(stream=True)
    with check("STR-FRAME-007"):
        assert answer.body == EXPECTED


@pytest.mark.rule("MSG-FORM-007")
def test_content_is_told_by_its_bytes(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """A stream that its head calls JSON, a JSON answer that it calls a stream, another status of success."""
    lying = upstream([Headers({"content-type": "application/json"}), Event(raw=joined())])
    with check("MSG-FORM-007"):
        assert gateway(anthropic(lying)).messages(stream=True).body == EXPECTED
    mirrored = upstream(Body(messages.completion("a").data, "text/event-stream"))
    with check("MSG-FORM-007"):
        assert names(gateway(anthropic(mirrored)).messages(stream=True)) == NAMES
    other = upstream([Status(201), *STEPS])
    with check("MSG-FORM-007"):
        assert gateway(anthropic(other)).messages(stream=True).body == EXPECTED
