"""WebSockets, frame by frame."""

from __future__ import annotations

import pytest
from websockets.frames import Close, Frame, Opcode

from fake_upstreams import Bytes, FakeUpstream, Leave, ReplyLike, Status, Upgrade, reply, responses
from fake_upstreams.websocket import frame
from tests.python.fake_upstreams.raw_client import connect

pytestmark = [pytest.mark.asyncio, pytest.mark.rule("FAKE-SOCKET-001")]

HANDSHAKE = (
    b"GET /v1/responses HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
SWITCHING = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
)


def sent(data: str | bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A frame of a client."""
    return Frame(opcode, data.encode() if isinstance(data, str) else data, fin).serialize(mask=True)


async def test_messages_take_replies_and_events_are_messages() -> None:
    script: list[ReplyLike] = [
        reply({"upgrade": {"X-More": "yes"}}, expect={"method": "GET"}),
        reply(responses.text("a"), {"event": "plain"}, expect={"method": "MESSAGE", "json": {"n": 1}}),
        {"event": {"raw": "two"}},
    ]
    async with FakeUpstream(script) as up, await connect(up) as client:
        await client.send(HANDSHAKE)
        await client.expect(SWITCHING + b"X-More: yes\r\n\r\n")
        await client.send(sent('{"n"', fin=False) + sent("p", Opcode.PING) + sent(":1}", Opcode.CONT))
        await client.expect(frame("p", Opcode.PONG))
        events = frame(responses.text("a").message()) + frame("plain")
        assert await client.reader.readexactly(len(events)) == events
        await client.send(sent("again") + sent("", Opcode.PONG))
        await client.expect(frame("two"))
        await client.send(sent(Close(1001, "bye").serialize(), Opcode.CLOSE))
        await client.expect(frame(Close(1001, "bye").serialize(), Opcode.CLOSE))
        assert [(each.method, each.connection) for each in up.requests] == [("GET", 1), ("MESSAGE", 1), ("MESSAGE", 1)]
        assert up.requests[2].body == b"again"


async def test_an_upstream_may_refuse_leave_and_write_any_frame() -> None:
    binary = frame(b"\x00", Opcode.BINARY)
    script: list[ReplyLike] = [
        [Status(426)],
        [Upgrade(), Leave(3000, "gone")],
        {"steps": [{"upgrade": {"Sec-WebSocket-Accept": "no"}}, {"leave": 1012}]},
        [Upgrade()],
        [Bytes(binary), Leave()],
    ]
    async with FakeUpstream(script) as up:
        async with await connect(up) as client:
            await client.send(HANDSHAKE)
            await client.expect(b"HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n")
            await client.send(HANDSHAKE)
            assert await client.rest() == (
                SWITCHING + b"\r\n" + frame(Close(3000, "gone").serialize(), Opcode.CLOSE),
                "closed",
            )
        async with await connect(up) as client:
            await client.send(HANDSHAKE)
            seen, _ = await client.rest()
            assert b"\r\nSec-WebSocket-Accept: no\r\n" in seen
            assert seen.endswith(frame(Close(1012, "").serialize(), Opcode.CLOSE))
        async with await connect(up) as client:
            await client.send(HANDSHAKE + sent("x"))
            await client.expect(SWITCHING + b"\r\n" + binary)


async def test_frames_that_break_the_protocol_are_a_problem() -> None:
    up = await FakeUpstream([[Upgrade()]]).start()
    async with await connect(up) as client:
        await client.send(HANDSHAKE + frame("not masked"))
        assert (await client.rest())[1] == "closed"
    await up.stop()
    assert [problem for problem in up.problems if "mask" in problem]
