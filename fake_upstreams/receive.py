"""Reads one request from a connection: request line, fields, and a body by length or by chunks."""

from __future__ import annotations

from .request import Fields, Request
from .wire import Wire


class BadRequest(Exception):
    """What came is no HTTP/1.1 request; the text says why."""


class _Reader:
    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.raw = bytearray()

    async def line(self) -> bytes:
        while (end := self._wire.unread.find(b"\r\n")) < 0:
            if not await self._wire.more():
                raise EOFError
        return self.take(end + 2)[:-2]

    async def exactly(self, size: int) -> bytes:
        while len(self._wire.unread) < size:
            if not await self._wire.more():
                raise EOFError
        return self.take(size)

    def take(self, size: int) -> bytes:
        piece = bytes(self._wire.unread[:size])
        del self._wire.unread[:size]
        self.raw += piece
        return piece


async def receive(wire: Wire) -> tuple[Request | None, str]:
    """The next request with number 0, or None and how much of one came before the client closed ("" = nothing).

    Raises BadRequest.
    """
    reader = _Reader(wire)
    try:
        method, target = _request_line(await reader.line())
        fields = Fields(await _fields(reader))
        body = await _body(reader, fields)
    except EOFError:
        reader.take(len(wire.unread))
        return None, f"{len(reader.raw)} bytes of an incomplete request" if reader.raw else ""
    return Request(0, wire.number, method, target, fields, body, bytes(reader.raw)), ""


def _request_line(line: bytes) -> tuple[str, str]:
    parts = line.decode("latin-1").split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        raise BadRequest(f"no request line: {line[:80]!r}")
    return parts[0], parts[1]


async def _fields(reader: _Reader) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    while line := await reader.line():
        name, colon, value = line.decode("latin-1").partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequest(f"no field line: {line[:80]!r}")
        pairs.append((name, value.strip(" \t")))
    return pairs


async def _body(reader: _Reader, fields: Fields) -> bytes:
    if fields.get("transfer-encoding", "").lower() == "chunked":
        return await _chunks(reader)
    length = fields.get("content-length", "0")
    if not length.isdecimal():
        raise BadRequest(f"content-length is {length!r}")
    return await reader.exactly(int(length))


async def _chunks(reader: _Reader) -> bytes:
    body = bytearray()
    while True:
        line = await reader.line()
        try:
            size = int(line.partition(b";")[0], 16)
        except ValueError:
            raise BadRequest(f"no chunk size: {line[:80]!r}") from None
        if size == 0:
            await _fields(reader)
            return bytes(body)
        body += await reader.exactly(size)
        if await reader.exactly(2) != b"\r\n":
            raise BadRequest("a chunk does not end where its size says")
