"""Reading HTTP/1.1 answers byte by byte, strictly: what a gateway sends must need no lenience."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from conformance.sse_bytes import Event, parse_events

Headers = tuple[tuple[str, str], ...]


class ProtocolError(AssertionError):
    """The gateway sent something that is not strict HTTP/1.1."""


class ConnectionEnded(ProtocolError):
    """The connection ended in the middle of an answer. `received` is the answer's bytes until then."""

    def __init__(self, message: str, received: bytes) -> None:
        super().__init__(message)
        self.received = received


@dataclass(frozen=True)
class Head:
    """Status line and headers of an answer."""

    status: int
    reason: str
    headers: Headers
    raw: bytes

    def get(self, name: str) -> str | None:
        """The value of a header, or None. Asserts that it is there at most once."""
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        if len(values) > 1:
            raise ProtocolError(f"header {name} is there {len(values)} times")
        return values[0] if values else None


@dataclass(frozen=True)
class Response:
    """A whole answer."""

    head: Head
    body: bytes  # without the chunk framing
    chunks: tuple[bytes, ...] = field(default=())  # payloads of the chunks, if it was chunked
    raw: bytes = b""

    @property
    def status(self) -> int:
        """The status code."""
        return self.head.status

    def header(self, name: str) -> str | None:
        """The value of a header, or None."""
        return self.head.get(name)

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    def error(self) -> dict[str, Any]:
        """The `error` member of an error answer."""
        body = self.json()
        error = body.get("error") if isinstance(body, dict) else None
        if not isinstance(error, dict):
            raise ProtocolError(f"no error object: {self.body!r}")
        return error

    @property
    def events(self) -> list[Event]:
        """The body as server-sent events in the only form that a gateway may send."""
        return parse_events(self.body)


def parse_head(raw: bytes) -> Head:
    """Parses a head, blank line included."""
    lines = raw.decode("latin-1").split("\r\n")
    if lines[-2:] != ["", ""]:
        raise ProtocolError(f"head does not end with a blank line: {raw!r}")
    version, _, rest = lines[0].partition(" ")
    code, _, reason = rest.partition(" ")
    if version != "HTTP/1.1" or not (code.isdigit() and len(code) == 3):
        raise ProtocolError(f"bad status line: {lines[0]!r}")
    headers = []
    for line in lines[1:-2]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise ProtocolError(f"bad header line: {line!r}")
        headers.append((name, value.strip(" \t")))
    return Head(int(code), reason, tuple(headers), raw)


class Reader:
    """Takes answers from a source of bytes. The source returns b"" at the end of the connection."""

    def __init__(self, receive: Callable[[], bytes]) -> None:
        self._receive = receive
        self._buffer = bytearray()
        self._taken = bytearray()  # of the answer that is being read
        self._events = bytearray()  # of chunks whose events were not asked for yet

    def head(self) -> Head:
        """Reads the head of the next answer."""
        self._taken.clear()
        self._events.clear()
        return parse_head(self._until(b"\r\n\r\n", "head"))

    def chunk(self) -> bytes:
        """Reads one chunk of a chunked body; b"" is the last one, read with the blank line after it."""
        line = self._until(b"\r\n", "chunk size")[:-2]
        if not line or line.strip(b"0123456789abcdefABCDEF"):
            raise ProtocolError(f"bad chunk size: {line!r}")
        size = int(line, 16)
        payload = self._exactly(size, "chunk")
        if self._exactly(2, "end of chunk") != b"\r\n":
            raise ProtocolError("chunk is longer than announced, or has trailers")
        return payload

    def response(self, method: str = "POST") -> Response:
        """Reads one whole answer to a request of `method`."""
        head = self.head()
        length = head.get("content-length")
        if head.get("transfer-encoding") is not None:
            if head.get("transfer-encoding") != "chunked" or length is not None:
                raise ProtocolError(f"ambiguous framing: {head.raw!r}")
            chunks = []
            while chunk := self.chunk():
                chunks.append(chunk)
            return Response(head, b"".join(chunks), tuple(chunks), bytes(self._taken))
        if method == "HEAD" or head.status in (204, 304):
            return Response(head, b"", raw=bytes(self._taken))
        if length is None:
            raise ProtocolError(f"neither content-length nor chunks: {head.raw!r}")
        body = self._exactly(int(length), "body")
        return Response(head, body, raw=bytes(self._taken))

    def event(self) -> Event:
        """Reads chunks until they hold one whole event, and returns it."""
        while b"\n\n" not in self._events:
            chunk = self.chunk()
            if not chunk:
                raise ConnectionEnded("the body ended where an event was expected", bytes(self._events))
            self._events += chunk
        end = self._events.index(b"\n\n") + 2
        (event,) = parse_events(bytes(self._events[:end]))
        del self._events[:end]
        return event

    def rest_of_chunks(self) -> bytes:
        """What is left of a chunked body after the events that were read."""
        while chunk := self.chunk():
            self._events += chunk
        return bytes(self._events)

    def exactly(self, size: int) -> bytes:
        """Reads so many bytes of what came in place of an answer."""
        return self._exactly(size, "bytes after the upgrade")

    def rest(self) -> bytes:
        """Reads until the connection ends."""
        while data := self._receive():
            self._buffer += data
        rest = bytes(self._buffer)
        self._buffer.clear()
        return rest

    def _until(self, mark: bytes, what: str) -> bytes:
        while mark not in self._buffer:
            self._more(what)
        end = self._buffer.index(mark) + len(mark)
        return self._take(end)

    def _exactly(self, size: int, what: str) -> bytes:
        while len(self._buffer) < size:
            self._more(what)
        return self._take(size)

    def _take(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._taken += data
        return data

    def _more(self, what: str) -> None:
        data = self._receive()
        if not data:
            received = bytes(self._taken + self._buffer)
            raise ConnectionEnded(f"the connection ended in the {what}, after {received!r}", received)
        self._buffer += data
