"""Each step, compared byte for byte."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import brotli
import pytest

from fake_upstreams import Body, Bytes, FakeUpstream, Headers, Pause, SseStyle, Status, chat, reply
from fake_upstreams.coding import CODINGS, Coding, make_encoder
from tests.python.fake_upstreams.raw_client import KEEP, LAST, answer_to, chunked, connect, head

pytestmark = [pytest.mark.asyncio, pytest.mark.rule("FAKE-SCRIPT-001", "FAKE-SCRIPT-002")]

STREAM_HEAD = head("HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked")


async def test_empty_reply_is_200_without_body() -> None:
    assert await answer_to([]) == (head("HTTP/1.1 200 OK", "Content-Length: 0"), "closed")


async def test_status_headers_and_json_body() -> None:
    seen, _ = await answer_to(
        {"status": 429, "headers": {"retry-after": 2, "X-Twice": ["a", "b"]}, "body": {"json": {"a": [1, "\u00e4"]}}}
    )
    body = b'{"a":[1,"\xc3\xa4"]}'
    lines = ["HTTP/1.1 429 Too Many Requests", "retry-after: 2", "X-Twice: a", "X-Twice: b"]
    assert seen == head(*lines, "Content-Type: application/json", f"Content-Length: {len(body)}") + body


async def test_reason_phrase_and_unregistered_status() -> None:
    assert (await answer_to({"status": {"code": 529, "reason": "Overloaded"}}))[0].startswith(
        b"HTTP/1.1 529 Overloaded\r\n"
    )
    assert (await answer_to({"status": 599}))[0].startswith(b"HTTP/1.1 599 \r\n")


async def test_bodies_add_up_to_the_content_length() -> None:
    seen, _ = await answer_to({"steps": [{"body": "one"}, {"body": {"text": "two"}}, {"body": {"base64": "//4="}}]})
    lines = ["HTTP/1.1 200 OK", "Content-Type: text/plain; charset=utf-8", "Content-Length: 8"]
    assert seen == head(*lines) + b"onetwo\xff\xfe"


async def test_events_are_chunks() -> None:
    event = {"name": "ping", "id": "7", "data": {"a": 1}}
    seen, _ = await answer_to({"steps": [{"event": "x"}, {"event": event}, {"event": {"data": "l1\nl2"}}]})
    payloads = [b"data: x\n\n", b'event: ping\nid: 7\ndata: {"a":1}\n\n', b"data: l1\ndata: l2\n\n"]
    assert seen == STREAM_HEAD + chunked(*payloads) + b"0\r\n\r\n"


async def test_raw_event_may_lack_its_end() -> None:
    seen, _ = await answer_to([{"event": {"raw": "data: [DONE]"}}])
    assert seen == STREAM_HEAD + chunked(b"data: [DONE]") + b"0\r\n\r\n"


async def test_comment_event() -> None:
    seen, _ = await answer_to([{"event": {"comment": "wait"}}, {"event": {"comment": "", "data": ""}}])
    assert seen == STREAM_HEAD + chunked(b": wait\n\n", b": \ndata: \n\n") + b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("style", "payload"),
    [
        ({"newline": "crlf"}, b"data: x\r\n\r\n"),
        ({"newline": "cr"}, b"data: x\r\r"),
        ({"space": False}, b"data:x\n\n"),
        ({"bom": True}, b"\xef\xbb\xbfdata: x\n\n"),
    ],
)
async def test_sse_spellings(style: dict[str, object], payload: bytes) -> None:
    seen, _ = await answer_to({"event": "x", "sse": style})
    assert seen == STREAM_HEAD + chunked(payload) + b"0\r\n\r\n"


async def test_bom_counts_in_the_content_length() -> None:
    seen, _ = await answer_to(reply({"event": "x"}, framing="length", sse=SseStyle(bom=True)))
    lines = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Content-Length: 12"]
    assert seen == head(*lines) + b"\xef\xbb\xbfdata: x\n\n"


async def test_framing_length_and_close_for_a_stream() -> None:
    for framing, field in [("length", "Content-Length: 9"), ("close", "Connection: close")]:
        seen, how = await answer_to({"event": "x", "framing": framing}, KEEP if framing == "close" else LAST)
        assert seen == head("HTTP/1.1 200 OK", "Content-Type: text/event-stream", field) + b"data: x\n\n"
        assert how == "closed"


async def test_framing_chunked_for_a_body() -> None:
    seen, _ = await answer_to({"body": {"base64": "AA=="}, "framing": "chunked"})
    assert seen == head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + b"1\r\n\0\r\n0\r\n\r\n"


async def test_framing_headers_of_the_script_stay_as_they_are() -> None:
    seen, _ = await answer_to({"headers": {"content-length": "007"}, "body": "1234567"})
    assert seen.startswith(b"HTTP/1.1 200 OK\r\ncontent-length: 007\r\n")
    assert seen.endswith(b"\r\n\r\n1234567")
    seen, _ = await answer_to({"headers": {"Transfer-Encoding": "chunked"}, "body": "x"})
    assert seen.endswith(b"\r\n\r\n1\r\nx\r\n0\r\n\r\n")
    assert b"Content-Length" not in seen


async def test_no_length_for_204() -> None:
    assert await answer_to({"status": 204}) == (head("HTTP/1.1 204 No Content"), "closed")


async def test_bytes_first_own_the_head() -> None:
    raw = "HTTP/1.0 200 fine\nweird: 1\n\n"
    assert await answer_to({"steps": [{"bytes": raw}, {"body": "x"}]}) == (raw.encode() + b"x", "closed")


async def test_bytes_after_the_head_are_outside_the_framing() -> None:
    seen, _ = await answer_to({"steps": [{"event": "x"}, {"bytes": {"base64": "/w=="}}, {"event": "y"}]})
    assert seen == STREAM_HEAD + chunked(b"data: x\n\n") + b"\xff" + chunked(b"data: y\n\n") + b"0\r\n\r\n"
    seen, _ = await answer_to(reply(Status(200), Bytes(b"1"), framing="close"))
    assert seen == head("HTTP/1.1 200 OK", "Connection: close") + b"1"


async def test_a_step_several_times() -> None:
    seen, _ = await answer_to([{"body": "ab", "times": 3}])
    assert seen.endswith(b"Content-Length: 6\r\n\r\nababab")
    seen, _ = await answer_to([{"chat": ["comment", "done"], "times": 2}])
    assert seen.count(b"[DONE]") == seen.count(b": keep-alive") == 2


async def test_pause_holds_everything_back_before_the_head() -> None:
    async with FakeUpstream([reply(Pause(until="go"), Status(201))]) as upstream, await connect(upstream) as client:
        await client.send(LAST)
        await upstream.wait_gate("go")
        assert upstream.sent(1) == 0
        await upstream.release("go")
        assert (await client.rest())[0].startswith(b"HTTP/1.1 201")


async def test_pause_comes_after_a_head_that_was_begun() -> None:
    script = [reply(Headers({"a": "b"}), Pause(until="go"), Body(b"late"))]
    async with FakeUpstream(script) as upstream, await connect(upstream) as client:
        await client.send(LAST)
        await client.expect(head("HTTP/1.1 200 OK", "a: b", "Content-Length: 4"))
        await upstream.wait_gate("go")
        await upstream.release("go")
        await client.expect(b"late")


async def test_pause_in_milliseconds_ends_by_itself() -> None:
    seen, _ = await answer_to([{"pause": 1}, {"pause": {"milliseconds": 0}}, {"body": "x"}])
    assert seen.endswith(b"x")


async def test_a_gate_can_let_single_waits_pass() -> None:
    steps = [step for text in ("a", "b") for step in (Pause(until="tick"), chat.content(text))]
    async with FakeUpstream([reply(steps)]) as upstream, await connect(upstream) as client:
        await client.send(LAST)
        await upstream.release("tick", times=1)
        await client.reader.readuntil(b'"content":"a"')
        await upstream.wait_gate("tick")
        await upstream.release("tick", times=1)
        assert b'"content":"b"' in (await client.rest())[0]


DECODERS: dict[Coding, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.decompress),
    "x-gzip": ("x-gzip", gzip.decompress),
    "deflate": ("deflate", zlib.decompress),
    "raw-deflate": ("deflate", lambda data: zlib.decompress(data, -zlib.MAX_WBITS)),
    "br": ("br", brotli.decompress),
}


@pytest.mark.parametrize("coding", CODINGS)
async def test_encoded_bodies(coding: Coding) -> None:
    name, decode = DECODERS[coding]
    seen, _ = await answer_to({"coding": coding, "steps": [{"body": "one"}, {"body": "two", "times": 2}]})
    start, body = seen.split(b"\r\n\r\n", 1)
    assert f"Content-Encoding: {name}\r\nContent-Length: {len(body)}".encode() in start
    assert decode(body) == b"onetwotwo"


@pytest.mark.parametrize("coding", CODINGS)
async def test_encoded_events_are_complete_one_by_one(coding: Coding) -> None:
    seen, _ = await answer_to({"coding": coding, "sse": {"bom": True}, "steps": [{"event": "x"}, {"event": "y"}]})
    encoder = make_encoder(coding)
    chunks = [encoder.encode(b"\xef\xbb\xbfdata: x\n\n"), encoder.encode(b"data: y\n\n"), encoder.finish()]
    head_lines = ["Content-Type: text/event-stream", f"Content-Encoding: {DECODERS[coding][0]}"]
    assert seen == head("HTTP/1.1 200 OK", *head_lines, "Transfer-Encoding: chunked") + chunked(*chunks) + b"0\r\n\r\n"


async def test_an_encoded_reply_may_have_no_body_or_another_name() -> None:
    empty = head("HTTP/1.1 204 No Content", "Content-Encoding: gzip")
    assert await answer_to({"coding": "gzip", "status": 204}) == (empty, "closed")
    seen, _ = await answer_to({"coding": "gzip", "headers": {"content-encoding": "zstd"}, "body": "a"})
    assert seen.lower().count(b"content-encoding") == 1
