"""One accepted connection: what came in, what went out, and who ended it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Coroutine
from typing import Any

from .errors import ClientGone
from .journal import Journal

CLIENT_CLOSED = "client closed"
CLIENT_RESET = "client reset"
UPSTREAM_CLOSED = "upstream closed"
UPSTREAM_RESET = "upstream reset"


class Wire:
    """Reads all the time unless it is told not to, so that a client that goes away is seen at once, also while a script
    waits."""

    def __init__(
        self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, journal: Journal
    ) -> None:
        self.number = number
        self.unread = bytearray()
        self.sent = 0
        """Bytes that the kernel took; a client that does not read keeps this from growing."""
        self.ended: str | None = None
        """Who ended the connection, None while it is open."""
        self.idle = True
        """No reply is being written: nothing is lost when the upstream closes now."""
        tls = writer.get_extra_info("ssl_object")
        self.resumed = tls is not None and tls.session_reused
        """Whether the client resumed a TLS session."""
        self._reader = reader
        self._writer = writer
        self._journal = journal
        self._arrived = asyncio.Event()
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._gone = asyncio.Event()
        # Without a buffer of our own `drain` returns only when the kernel took every byte. Python 3.11 pauses a TLS
        # transport at its limit, not above it, so there 0 would mean for ever.
        writer.transport.set_write_buffer_limits(high=0 if writer.get_extra_info("sslcontext") is None else 1, low=0)
        self._pump = asyncio.create_task(self._read_always())
        self._lost = asyncio.create_task(self._until_lost())

    def note(self, text: str) -> None:
        self._journal.note(self.number, text)

    @property
    def ended_by_upstream(self) -> bool:
        return self.ended in (UPSTREAM_CLOSED, UPSTREAM_RESET)

    def stop_reading(self) -> None:
        """What comes stays in the kernel's buffers, but for at most 256 KiB."""
        self._may_read.clear()

    def read_on(self) -> None:
        self._may_read.set()

    async def more(self) -> bool:
        """Waits for further bytes in `unread`; False once the connection has ended."""
        before = len(self.unread)
        while len(self.unread) == before and self.ended is None:
            self._arrived.clear()
            await self._arrived.wait()
        return len(self.unread) > before

    async def some(self) -> bool:
        """Waits until there are bytes in `unread`; False when the connection ends without any."""
        return bool(self.unread) or await self.more()

    async def write(self, data: bytes) -> None:
        """Writes exactly these bytes. Raises ClientGone when the client is no longer there."""
        if not data:
            return
        try:
            self._writer.write(data)
            await self._writer.drain()
        except ConnectionError:
            await asyncio.wait({self._pump})
            raise ClientGone from None
        self.sent += len(data)

    async def unless_gone(self, waiting: Coroutine[Any, Any, None]) -> None:
        """Waits for something. Raises ClientGone when the client closes before it happens."""
        task = asyncio.ensure_future(waiting)
        gone = asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise ClientGone
            task.result()
        finally:
            task.cancel()
            gone.cancel()

    async def gone(self) -> None:
        """Waits until either side has ended the connection."""
        await self._gone.wait()

    async def close(self) -> None:
        """Ends with FIN, after everything written has gone out."""
        self._end(UPSTREAM_CLOSED)
        self._writer.close()
        await self.finished()

    async def reset(self) -> None:
        """Ends with RST."""
        self._end(UPSTREAM_RESET)
        raw = self._writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()
        await self.finished()

    def abandon(self) -> None:
        """Ends at once and without waiting, when the upstream itself goes away."""
        self._end(UPSTREAM_CLOSED)
        with contextlib.suppress(AttributeError):  # of Python 3.11's TLS transport, once its connection is lost
            self._writer.transport.abort()
        self._pump.cancel()

    async def finished(self) -> None:
        """Waits until the socket is closed, after one of the above."""
        await asyncio.wait({self._lost})
        self._pump.cancel()

    async def _until_lost(self) -> None:
        try:
            await self._writer.wait_closed()
        except OSError:
            return  # the client was faster: the connection has ended either way

    async def _read_always(self) -> None:
        try:
            while data := await self._reader.read(65536):
                self.unread += data
                self._arrived.set()
                await self._may_read.wait()
            self._end(CLIENT_CLOSED)
        except OSError:
            self._end(CLIENT_RESET)

    def _end(self, how: str) -> None:
        if self.ended is None:
            self.ended = how
            self.note(how)
        self._gone.set()
        self._arrived.set()
