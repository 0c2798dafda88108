"""A reply being written: holds back the head until something needs it, and frames what follows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from websockets.frames import Frame, Opcode

from .coding import header_value, make_encoder
from .gates import Gates
from .reply import Framing, Reply
from .request import Request
from .sse import BOM
from .steps import Repeated, Step
from .wire import Wire


class Answer:
    """What steps and faults act on. Everything they may change has no underscore."""

    def __init__(self, wire: Wire, gates: Gates, reply: Reply, request: Request | None) -> None:
        self.wire = wire
        self.request = request
        self.style = reply.sse
        self.content_length_error = 0
        """Added to the true Content-Length; never below 0."""
        self.split_payload: Callable[[bytes], list[bytes]] = lambda payload: [payload]
        """Cuts the body into pieces: each is a write, and with chunked framing a chunk, of its own."""
        self.between_pieces: Callable[[], Awaitable[None]] | None = None
        self.write_size: int | None = None
        """The most bytes per write, counted on the wire."""
        self.between_writes: Callable[[], Awaitable[None]] | None = None
        self.chunk_extension = ""
        self.trailers: list[tuple[str, str]] = []
        self.close_after = False
        self.upgraded = False
        """Whether this is a WebSocket: events are messages, and nothing is framed as HTTP has it."""
        self.after: Callable[[], Awaitable[None]] | None = None
        """Called once the reply is complete, with the connection still open."""
        self._gates = gates
        self._status = 200
        self._reason: str | None = None
        self._headers: list[tuple[str, str]] = []
        self._head_begun = False
        self._head_sent = False
        self._owned_by_script = False
        self._started_payload = False
        bom = reply.sse.bom and any(step.streams() for step in reply.steps)
        self._bom = BOM if bom else b""
        self._coding = reply.coding
        self._encoder = make_encoder(reply.coding) if reply.coding else None
        self._length = _length(reply, self._bom)
        self._content_type = next((kind for step in reply.steps if (kind := step.content_type())), None)
        default: Framing = "chunked" if any(step.streams() for step in reply.steps) else "length"
        self._chosen_framing = reply.framing
        self.framing: Framing = reply.framing or default

    def set_status(self, code: int, reason: str | None = None) -> None:
        self._status, self._reason, self._head_begun = code, reason, True

    def add_header(self, name: str, value: str) -> None:
        self._headers.append((name, value))
        self._head_begun = True

    async def send_begun_head(self) -> None:
        """Sends the head if a step has begun it and it has not gone out."""
        if self._head_begun:
            await self.send_head()

    async def send_head(self) -> None:
        """Sends the head unless it has gone out, or the script writes it itself."""
        await self._write(self._take_head())

    def _take_head(self) -> bytes:
        if self._head_sent or self._owned_by_script:
            return b""
        self._head_sent = True
        fields = self._framed_headers()
        reason = self._reason if self._reason is not None else _phrase(self._status)
        head = f"HTTP/1.1 {self._status} {reason}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields)
        return (head + "\r\n").encode("latin-1")

    async def send_payload(self, payload: bytes) -> None:
        """Sends bytes of the body in the framing of the reply; a head that has not gone out leads in the same write."""
        head = self._take_head()
        if not self._started_payload:
            self._started_payload, payload = True, self._bom + payload
        if self._encoder is not None:
            payload = self._encoder.encode(payload)
        await self._send_pieces(head, payload)

    async def _send_pieces(self, head: bytes, payload: bytes) -> None:
        for place, piece in enumerate(self.split_payload(payload)):
            if place and self.between_pieces is not None:
                await self.between_pieces()
            await self._write(head + self._framed(piece))
            head = b""

    def _framed(self, piece: bytes) -> bytes:
        if self._owned_by_script or self.framing != "chunked" or not piece:
            return piece
        return f"{len(piece):x}{self.chunk_extension}\r\n".encode("latin-1") + piece + b"\r\n"

    async def send_message(self, text: bytes) -> None:
        """Sends one text message of a WebSocket."""
        await self._write(Frame(Opcode.TEXT, text).serialize(mask=False))

    async def send_interim(self, data: bytes) -> None:
        """Sends exactly these bytes before the head, without owning it as `send_raw` does."""
        await self._write(data)

    async def send_raw(self, data: bytes) -> None:
        """Sends exactly these bytes; when nothing has gone out or begun, the script owns head and framing from here."""
        await self.send_begun_head()
        if not self._head_sent:
            self._owned_by_script = True
        await self._write(data)

    async def pause(self, milliseconds: float | None, until: str | None) -> None:
        """Waits for real milliseconds, a gate, or both in this order. Raises ClientGone."""
        if milliseconds is not None:
            await self.wire.unless_gone(asyncio.sleep(milliseconds / 1000.0))
        if until is not None:
            self.wire.note(f"waits for {until!r}")
            await self.wire.unless_gone(self._gates.wait(until))

    async def finish(self) -> None:
        """Ends the body as its framing says."""
        if self.upgraded:
            return
        head = self._take_head()
        tail = self._encoder.finish() if self._encoder is not None and self._started_payload else b""
        await self._send_pieces(head, tail)
        if not self._owned_by_script and self.framing == "chunked":
            trailers = "".join(f"{name}: {value}\r\n" for name, value in self.trailers)
            await self._write(f"0{self.chunk_extension}\r\n{trailers}\r\n".encode("latin-1"))

    def keeps_alive(self) -> bool:
        """Whether the connection may carry another request."""
        said_close = any(name.lower() == "connection" and "close" in value.lower() for name, value in self._headers)
        asked_close = self.request is not None and not self.request.keeps_alive()
        return not (self.close_after or said_close or asked_close or self.framing == "close")

    def _framed_headers(self) -> list[tuple[str, str]]:
        fields = list(self._headers)
        named = {name.lower(): value for name, value in fields}
        if "transfer-encoding" in named and self._chosen_framing is None:
            self.framing = "chunked"
        elif "content-length" in named and self._chosen_framing is None:
            self.framing = "length"
        if self._content_type is not None and "content-type" not in named:
            fields.append(("Content-Type", self._content_type))
        if self._coding is not None and "content-encoding" not in named:
            fields.append(("Content-Encoding", header_value(self._coding)))
        if "transfer-encoding" in named or "content-length" in named:
            return fields
        if self.framing == "chunked":
            fields.append(("Transfer-Encoding", "chunked"))
        elif self.framing == "close":
            fields.append(("Connection", "close"))
        elif self._status not in (204, 304) and self._status >= 200:
            fields.append(("Content-Length", str(max(0, self._length + self.content_length_error))))
        return fields

    async def _write(self, data: bytes) -> None:
        size = self.write_size or len(data)
        for start in range(0, len(data), size or 1):
            await self.wire.write(data[start : start + size])
            if self.between_writes is not None:
                await self.between_writes()


def _length(reply: Reply, bom: bytes) -> int:
    """Of the body, as the steps will write it."""
    payloads = [payload for step in reply.steps for payload in _payloads(step, reply)]
    if reply.coding is None:
        return len(bom) + sum(map(len, payloads))
    if not payloads:
        return 0
    encoder = make_encoder(reply.coding)
    return sum(len(encoder.encode(payload)) for payload in [bom + payloads[0], *payloads[1:]]) + len(encoder.finish())


def _payloads(step: Step, reply: Reply) -> list[bytes]:
    if isinstance(step, Repeated):
        return _payloads(step.step, reply) * step.times
    payload = step.payload(reply.sse)
    return [payload] if payload else []


def _phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return ""
