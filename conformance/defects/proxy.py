"""A proxy in front of a gateway that changes what the gateway's clients see."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable

from conformance.defects.change import Change, substitute
from conformance.defects.message import LAST_CHUNK, Answer, Head, chunk, split_events

_LARGEST_HEAD = 1 << 20
_PIECE = 1 << 16
_RESET = struct.pack("ii", 1, 0)


class Proxy:
    """Listens on a free port and relays every connection to the gateway at `host` and `port`."""

    def __init__(self, host: str, port: int, change: Change) -> None:
        self._host = host
        self._port = port
        self._change = change
        self._relays: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def listen(self) -> str:
        """Starts to listen, on the gateway's host; returns the base URL."""
        self._server = await asyncio.start_server(self._accept, self._host, 0, limit=_LARGEST_HEAD)
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"http://{host}:{port}"

    def refuse(self) -> None:
        """Listens no longer. Connections that are there live on."""
        if self._server is not None:
            self._server.close()

    async def finish(self) -> None:
        """Waits until the gateway's last bytes have reached its clients."""
        self.refuse()
        await asyncio.gather(*self._relays, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        relay = asyncio.current_task()
        assert relay is not None
        self._relays.add(relay)
        try:
            far_reader, far_writer = await asyncio.open_connection(self._host, self._port, limit=_LARGEST_HEAD)
        except OSError:
            _reset(writer)
        else:
            await self._relay(_Side(reader, writer), _Side(far_reader, far_writer))
        finally:
            self._relays.discard(relay)

    async def _relay(self, client: _Side, gateway: _Side) -> None:
        requests = asyncio.create_task(self._relay_requests(client, gateway))
        try:
            await self._relay_answers(gateway, client)
        except _Ended:
            pass
        except ConnectionError:
            _reset(client.writer)
        finally:
            requests.cancel()
            client.writer.close()
            gateway.writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await requests
            with contextlib.suppress(ConnectionError):
                await client.writer.wait_closed()

    async def _relay_requests(self, client: _Side, gateway: _Side) -> None:
        while True:
            try:
                data = await (self._request(client) if self._change.request else client.reader.read(_PIECE))
            except _Ended:
                data = b""
            except ConnectionError:
                _reset(gateway.writer)
                return
            if not data:
                gateway.writer.write_eof()
                return
            await gateway.send(data)

    async def _request(self, client: _Side) -> bytes:
        head = Head(await client.head())
        whole = head.raw + await client.exactly(head.length or 0)
        start, blank_line, body = substitute(whole, self._change.request).partition(b"\r\n\r\n")
        changed = Head(start + blank_line)
        return (changed.raw if head.length is None else changed.with_field("content-length", str(len(body)))) + body

    async def _relay_answers(self, gateway: _Side, client: _Side) -> None:
        while True:
            answer = Answer(await gateway.head())
            if answer.bodiless:
                await client.send(answer.raw)
                continue
            relay = self._relay_stream if answer.chunked else self._relay_body
            if await relay(answer, gateway, client) and self._change.close:
                client.writer.write_eof()  # and no more, since a close would reset what the client sends next
                while await gateway.reader.read(_PIECE):
                    pass
                return

    async def _relay_body(self, answer: Answer, gateway: _Side, client: _Side) -> bool:
        """Returns whether the answer was one to be changed."""
        body = await gateway.exactly(answer.length or 0)
        change = self._change
        if not change.where.fits(answer, body):
            await client.send(answer.raw + body)
            return False
        changed = substitute(body, change.body)
        head = answer.changed(change.status, change.headers, len(changed) + change.announced_length)
        await client.send(head + changed)
        return True

    async def _relay_stream(self, answer: Answer, gateway: _Side, client: _Side) -> bool:
        """Returns whether the answer was one to be changed."""
        meant = self._change.where.fits(answer, None)
        change = self._change if meant else Change()
        await client.send(answer.changed(change.status, change.headers, None))
        held = b""
        while True:
            payload = await gateway.chunk()
            events, held = split_events(held + payload)
            await client.send(b"".join(chunk(substitute(event, change.body)) for event in events))
            if not payload:
                break
        await client.send(chunk(held) + LAST_CHUNK)
        return meant


class _Ended(Exception):
    """The other side has ended the connection, between messages or within one."""


class _Side:
    """One of the two connections of a relay."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes) -> None:
        if data:
            self.writer.write(data)
            await self.writer.drain()

    async def head(self) -> bytes:
        return await self._read(self.reader.readuntil(b"\r\n\r\n"))

    async def exactly(self, size: int) -> bytes:
        return await self._read(self.reader.readexactly(size))

    async def chunk(self) -> bytes:
        """The payload of the next chunk; empty for the last one."""
        size = int(await self._read(self.reader.readuntil(b"\r\n")), 16)
        return (await self.exactly(size + 2))[:-2]

    async def _read(self, reading: Awaitable[bytes]) -> bytes:
        try:
            return await reading
        except asyncio.IncompleteReadError as error:
            raise _Ended from error


def _reset(writer: asyncio.StreamWriter) -> None:
    """Leaves with RST, as the other side did."""
    sock = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()
