"""A client that sends bytes and reports bytes: it knows nothing of HTTP that could hide a difference."""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from fake_upstreams import FakeUpstream, ReplyLike

BODY = b'{"model":"m","stream":true}'
KEEP = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
"""A request whose connection may carry another."""
LAST = KEEP.replace(b"Host: x", b"Host: x\r\nConnection: close")
"""A request after whose answer the upstream closes, so that reading to the end gives exactly the answer."""


@dataclass
class Connection:
    """Both directions of one connection; closes on the way out."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def expect(self, data: bytes) -> None:
        """The next bytes are exactly these."""
        seen = await asyncio.wait_for(self.reader.readexactly(len(data)), 10)
        assert seen == data

    async def rest(self) -> tuple[bytes, str]:
        """All bytes until the end, and whether that is `closed` or `reset`."""
        data = bytearray()
        try:
            while piece := await asyncio.wait_for(self.reader.read(65536), 10):
                data += piece
        except ConnectionResetError:
            return bytes(data), "reset"
        return bytes(data), "closed"

    def reset(self) -> None:
        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def close(self) -> None:
        self.writer.close()
        try:
            await self.writer.wait_closed()
        except OSError:
            return  # the upstream was faster, which some tests are about

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()


async def connect(upstream: FakeUpstream) -> Connection:
    return Connection(*await asyncio.open_connection("127.0.0.1", upstream.port))


async def exchange(upstream: FakeUpstream, request: bytes = LAST) -> tuple[bytes, str]:
    """Sends a request on a new connection, and returns all bytes until the end and how that came."""
    async with await connect(upstream) as connection:
        await connection.send(request)
        return await connection.rest()


async def answer_to(reply: ReplyLike, request: bytes = LAST) -> tuple[bytes, str]:
    """The exchange with an upstream that has this one reply."""
    async with FakeUpstream([reply]) as upstream:
        return await exchange(upstream, request)


def chunked(*payloads: bytes) -> bytes:
    """These payloads, each a chunk."""
    return b"".join(b"%x\r\n%s\r\n" % (len(payload), payload) for payload in payloads)


def head(*lines: str) -> bytes:
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
