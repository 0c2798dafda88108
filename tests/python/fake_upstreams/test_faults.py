"""Each named fault, as a client meets it."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from fake_upstreams import FakeUpstream, ReplyLike, faults, reply
from fake_upstreams.certificates import Certificate, authority, issue
from tests.python.fake_upstreams.raw_client import KEEP, LAST, answer_to, chunked, connect, exchange, head

pytestmark = [pytest.mark.asyncio, pytest.mark.rule("FAKE-FAULT-001")]

STREAM_HEAD = head("HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked")
HANDSHAKE = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: key\r\n\r\n"
CUT = b'data: {"id":"chatcmpl-fake","choices":[{"index":0,"delta":{"cont'


async def test_every_fault_is_documented_and_has_its_file() -> None:
    folder = Path(faults.__file__).parent
    assert {path.stem for path in folder.glob("[a-z]*.py")} == set(faults.FAULTS)
    for kind in faults.FAULTS.values():
        assert "In production: " in " ".join((kind.__doc__ or "").split())


async def test_refuse_until_listen() -> None:
    async with FakeUpstream([{"fault": "refuse"}, {"body": "up"}]) as upstream:
        with pytest.raises(ConnectionRefusedError):
            await connect(upstream)
        await upstream.listen()
        assert (await exchange(upstream))[0].endswith(b"up")


async def test_refuse_after_an_answer_closes_its_connection() -> None:
    async with FakeUpstream([{"body": "a"}, {"fault": "refuse"}]) as upstream:
        assert (await exchange(upstream, KEEP))[0].endswith(b"a")
        with pytest.raises(ConnectionRefusedError):
            await connect(upstream)


async def test_refuse_closes_other_idle_connections() -> None:
    script = [{"body": "a"}, {"body": "b"}, {"fault": "refuse"}]
    async with FakeUpstream(script) as upstream, await connect(upstream) as idle:
        await idle.send(KEEP)
        await idle.reader.readuntil(b"\r\n\r\na")
        assert (await exchange(upstream, KEEP))[0].endswith(b"b")
        assert await idle.rest() == (b"", "closed")


async def test_refuse_and_listen_by_hand() -> None:
    async with FakeUpstream([{"body": "up"}]) as upstream:
        await upstream.refuse()
        with pytest.raises(ConnectionRefusedError):
            await connect(upstream)
        await upstream.listen()
        assert (await exchange(upstream))[0].endswith(b"up")


async def test_accept_then_silence() -> None:
    async with FakeUpstream([{"fault": "accept_then_silence"}]) as upstream:
        async with await connect(upstream) as client:
            await client.send(KEEP)
            assert (await upstream.wait_request()).connection == 1
            assert upstream.sent(1) == 0
            assert upstream.open_connections == 1
        assert await upstream.wait_closed(1) == "client closed"


async def test_reset_on_accept_needs_no_request() -> None:
    async with FakeUpstream([{"fault": "reset"}]) as upstream:
        # The reset may come so early that it is connect() that reports it.
        with pytest.raises(ConnectionResetError):
            async with await connect(upstream) as client:
                await client.reader.readexactly(1)
        assert await upstream.wait_closed(1) == "upstream reset"
        assert upstream.requests == []


async def test_reset_on_a_connection_that_was_kept_alive() -> None:
    async with FakeUpstream([{"body": "a"}, {"fault": "reset"}]) as upstream, await connect(upstream) as client:
        await client.send(KEEP)
        await client.reader.readuntil(b"\r\n\r\na")
        await client.send(KEEP)
        assert await client.rest() == (b"", "reset")
        assert len(upstream.requests) == 2


async def test_reset_mid_stream() -> None:
    steps = [{"event": "x"}, {"pause": {"until": "read"}}, {"fault": "reset"}]
    async with FakeUpstream([steps]) as upstream, await connect(upstream) as client:
        await client.send(KEEP)
        await client.expect(STREAM_HEAD + chunked(b"data: x\n\n"))
        await upstream.release("read")
        assert await client.rest() == (b"", "reset")


async def test_close() -> None:
    assert await answer_to({"fault": "close"}) == (b"", "closed")
    assert await answer_to({"status": 500, "fault": "close"}) == (
        head("HTTP/1.1 500 Internal Server Error", "Content-Length: 0"),
        "closed",
    )
    assert await answer_to({"event": "x", "fault": "close"}, KEEP) == (STREAM_HEAD + chunked(b"data: x\n\n"), "closed")


async def test_close_before_reply() -> None:
    async with FakeUpstream([{"fault": "close_before_reply"}]) as upstream:
        assert await exchange(upstream, KEEP) == (b"", "closed")
        assert upstream.requests[0].raw == KEEP


async def test_reset_after_headers() -> None:
    steps = {"headers": {"a": "b"}, "steps": [{"pause": {"until": "read"}}, {"fault": "reset_after_headers"}]}
    async with FakeUpstream([steps]) as upstream, await connect(upstream) as client:
        await client.send(KEEP)
        await client.expect(head("HTTP/1.1 200 OK", "a: b", "Content-Length: 0"))
        await upstream.release("read")
        assert await client.rest() == (b"", "reset")


async def test_reset_after_headers_sends_a_head_of_its_own() -> None:
    async with FakeUpstream([{"fault": "reset_after_headers"}]) as upstream:
        seen, how = await exchange(upstream)
        assert how == "reset"
        assert upstream.sent(1) == len(head("HTTP/1.1 200 OK", "Content-Length: 0"))
        assert head("HTTP/1.1 200 OK", "Content-Length: 0").startswith(seen)


async def test_stall_mid_stream_until_the_client_closes() -> None:
    async with FakeUpstream([{"fault": "stall_mid_stream"}]) as upstream, await connect(upstream) as client:
        await client.send(KEEP)
        await client.expect(STREAM_HEAD + chunked(CUT))
        await client.close()
        assert await upstream.wait_closed(1) == "client closed"


async def test_stall_mid_stream_until_a_gate() -> None:
    steps = [{"fault": {"stall_mid_stream": {"written": "data: a", "until": "on"}}}, {"event": {"raw": "b\n\n"}}]
    async with FakeUpstream([steps]) as upstream, await connect(upstream) as client:
        await client.send(LAST)
        await client.expect(STREAM_HEAD + chunked(b"data: a"))
        await upstream.wait_gate("on")
        await upstream.release("on")
        assert await client.rest() == (chunked(b"b\n\n") + b"0\r\n\r\n", "closed")


async def test_stop_reading_until_the_reply_is_complete() -> None:
    """What the client still sends fills the kernel's buffers, and is read afterwards."""
    pause = {"pause": {"until": "go"}}
    script: list[ReplyLike] = [
        reply({"upgrade": {}}, {"fault": "stop_reading"}, {"event": "a"}, pause),
        [{"event": "b"}],
    ]
    message = b"x" * (32 << 20)
    async with FakeUpstream(script) as upstream, await connect(upstream) as client:
        await client.send(HANDSHAKE)
        await client.reader.readuntil(b"\x81\x01a")
        client.writer.write(Frame(Opcode.TEXT, message).serialize(mask=True))
        await upstream.wait_gate("go")
        for _ in range(2_000):  # turns of the loop, in any of which the upstream could read
            await asyncio.sleep(0)
        assert client.writer.transport.get_write_buffer_size() > len(message) // 4
        await upstream.release("go")
        await client.writer.drain()
        await client.expect(b"\x81\x01b")
        assert upstream.requests[-1].body == message


async def test_cut_mid_event() -> None:
    assert await answer_to({"event": "x", "fault": "cut_mid_event"}, KEEP) == (
        STREAM_HEAD + chunked(b"data: x\n\n", CUT),
        "closed",
    )
    assert await answer_to({"fault": {"cut_mid_event": "dat"}}, KEEP) == (STREAM_HEAD + chunked(b"dat"), "closed")


async def test_malformed_chunk() -> None:
    bad = b"zz\r\ndata: lost\r\n"
    assert await answer_to({"event": "x", "fault": "malformed_chunk"}, KEEP) == (
        STREAM_HEAD + chunked(b"data: x\n\n") + bad,
        "closed",
    )
    assert await answer_to({"fault": "malformed_chunk"}, KEEP) == (
        head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + bad,
        "closed",
    )


async def test_bad_content_length() -> None:
    seen = await answer_to({"fault": {"bad_content_length": 5}, "body": {"base64": "eHg="}}, KEEP)
    assert seen == (head("HTTP/1.1 200 OK", "Content-Length: 7") + b"xx", "closed")


async def test_short_content_length_keeps_the_connection() -> None:
    script: list[ReplyLike] = [{"fault": "short_content_length", "body": {"base64": "eHg="}}, {"body": "next"}]
    async with FakeUpstream(script) as upstream, await connect(upstream) as client:
        await client.send(KEEP)
        await client.expect(head("HTTP/1.1 200 OK", "Content-Length: 1") + b"xx")
        await client.send(LAST)
        assert (await client.rest())[0].endswith(b"next")


async def test_garbage() -> None:
    assert await answer_to({"fault": "garbage"}, KEEP) == (b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", "closed")
    assert await answer_to({"fault": {"garbage": {"base64": "AP8="}}}, KEEP) == (b"\x00\xff", "closed")


async def test_slow_bytes_by_gate() -> None:
    fault = {"slow_bytes": {"until": "tick", "size": 10}}
    wire = head("HTTP/1.1 200 OK", "Content-Length: 0")
    async with FakeUpstream([{"fault": fault}]) as upstream, await connect(upstream) as client:
        await client.send(LAST)
        for start in range(0, len(wire), 10):
            await client.expect(wire[start : start + 10])
            await upstream.wait_gate("tick")
            assert upstream.sent(1) == min(start + 10, len(wire))
            await upstream.release("tick", times=1)
        assert await client.rest() == (b"", "closed")


async def test_slow_bytes_by_time() -> None:
    seen, _ = await answer_to({"fault": {"slow_bytes": 0}, "body": "x"})
    assert seen.endswith(b"Content-Length: 1\r\n\r\nx")


async def test_one_byte_writes_change_no_byte() -> None:
    plain = await answer_to({"chat": ["role", {"content": "hi"}, "done"]})
    assert await answer_to({"fault": "one_byte_writes", "chat": ["role", {"content": "hi"}, "done"]}) == plain


async def test_split_at_offsets_makes_chunks() -> None:
    seen, _ = await answer_to({"fault": {"split_at": [1, 4]}, "steps": [{"event": "x"}, {"event": "y"}]})
    assert seen == STREAM_HEAD + chunked(b"d", b"ata", b": x\n\n", b"data: y\n\n") + b"0\r\n\r\n"


async def test_split_at_every_byte_counts_across_steps() -> None:
    seen, _ = await answer_to(
        {"fault": {"split_at": {"every": 4}}, "framing": "chunked", "body": "abcdef", "event": "x"}
    )
    assert seen.endswith(chunked(b"abcd", b"ef", b"da", b"ta: ", b"x\n\n") + b"0\r\n\r\n")


async def test_split_at_waits_between_pieces() -> None:
    fault = {"split_at": {"offsets": [2], "until": "tick"}}
    async with FakeUpstream([{"fault": fault, "body": "abc"}]) as upstream, await connect(upstream) as client:
        await client.send(LAST)
        await client.reader.readuntil(b"\r\n\r\nab")
        await upstream.wait_gate("tick")
        await upstream.release("tick")
        assert await client.rest() == (b"c", "closed")


async def test_html_page() -> None:
    seen, _ = await answer_to({"status": 502, "fault": {"html_page": "<p>"}})
    lines = ["HTTP/1.1 502 Bad Gateway", "Content-Type: text/html; charset=utf-8", "Content-Length: 3"]
    assert seen == head(*lines) + b"<p>"
    assert b"<!DOCTYPE html>" in (await answer_to({"fault": "html_page"}))[0]


async def test_early_close_of_an_idle_connection() -> None:
    seen, how = await answer_to({"fault": "early_close_keepalive", "body": {"base64": "eA=="}}, KEEP)
    assert (seen, how) == (head("HTTP/1.1 200 OK", "Content-Length: 1") + b"x", "closed")


async def test_early_close_when_the_next_request_comes() -> None:
    fault = {"fault": {"early_close_keepalive": "next_request"}, "body": "x"}
    async with FakeUpstream([fault]) as upstream, await connect(upstream) as client:
        await client.send(KEEP)
        await client.reader.readuntil(b"\r\n\r\nx")
        assert upstream.open_connections == 1
        await client.send(KEEP)
        assert (await client.rest())[0] == b""
        assert len(upstream.requests) == 1


async def test_chunk_extensions_and_trailers() -> None:
    seen, _ = await answer_to({"fault": "chunk_extensions_and_trailers", "event": "x"})
    assert seen == STREAM_HEAD + b'9;sig="1"\r\ndata: x\n\n\r\n0;sig="1"\r\nx-checksum: 1\r\n\r\n'


async def test_early_hints_precede_the_head() -> None:
    seen, _ = await answer_to({"fault": "early_hints", "status": 404})
    hints = head("HTTP/1.1 103 Early Hints", "Link: </v1>; rel=self")
    assert seen == hints + head("HTTP/1.1 404 Not Found", "Content-Length: 0")


@pytest.mark.parametrize(
    ("kind", "trusted", "message"),
    [
        ("self_signed", None, "self-signed certificate"),
        ("wrong_name", issue("DNS:wrong.invalid"), "IP address mismatch"),
        ("expired", authority(), "certificate has expired"),
        ("not_yet_valid", authority(), "certificate is not yet valid"),
        ("unknown_authority", authority(), "unable to get local issuer certificate"),
        ("old_version", authority(), "alert protocol version"),
        ("no_shared_cipher", authority(), "alert handshake failure"),
        ("plain_text", None, "wrong version number|record layer failure"),
    ],
)
async def test_tls_failure(kind: str, trusted: Certificate | None, message: str) -> None:
    context = ssl.create_default_context(cafile=trusted.certificate if trusted else None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    async with FakeUpstream([{"fault": {"tls_failure": kind}}]) as upstream:
        with pytest.raises(ssl.SSLError, match=message):
            await asyncio.open_connection("127.0.0.1", upstream.port, ssl=context)
        await upstream.wait_closed(1)


async def test_tls_failure_by_closing() -> None:
    async with FakeUpstream([{"fault": {"tls_failure": "closed"}}]) as upstream:
        with pytest.raises(ConnectionError):
            await asyncio.open_connection("127.0.0.1", upstream.port, ssl=ssl.create_default_context())


async def test_tls_failure_for_want_of_a_certificate() -> None:
    """In TLS 1.3 the client learns it when it reads."""
    context = ssl.create_default_context(cafile=authority().certificate)
    async with FakeUpstream([{"fault": {"tls_failure": "client_certificate"}}]) as upstream:
        reader, writer = await asyncio.open_connection("127.0.0.1", upstream.port, ssl=context)
        with pytest.raises(ssl.SSLError, match="certificate required"):
            await reader.read()
        writer.close()


async def test_tls_failure_by_reset() -> None:
    async with FakeUpstream([{"fault": {"tls_failure": "reset"}}]) as upstream:
        with pytest.raises(ConnectionResetError):
            await asyncio.open_connection("127.0.0.1", upstream.port, ssl=ssl.create_default_context())


async def test_tls_failure_on_plain_http_that_was_kept_alive_closes() -> None:
    async with FakeUpstream([{"body": "a"}, {"fault": "tls_failure"}]) as upstream, await connect(upstream) as client:
        await client.send(KEEP)
        await client.reader.readuntil(b"\r\n\r\na")
        await client.send(KEEP)
        assert await client.rest() == (b"", "closed")


async def test_tls_upstream_answers_a_client_that_trusts_it() -> None:
    async with FakeUpstream({"tls": True, "replies": [{"body": "secret"}]}) as upstream:
        assert upstream.base_url == f"https://127.0.0.1:{upstream.port}/v1"
        context = ssl.create_default_context(cafile=upstream.ca_file)
        reader, writer = await asyncio.open_connection("127.0.0.1", upstream.port, ssl=context)
        writer.write(LAST)
        assert (await reader.read()).endswith(b"secret")
        writer.close()


async def test_faults_are_steps_in_python_too() -> None:
    seen, how = await answer_to(reply(faults.Garbage(b"x")), KEEP)
    assert (seen, how) == (b"x", "closed")
