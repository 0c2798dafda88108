"""The server's end of a WebSocket: frames in and out, and the steps that begin and end one.

The handshake is a request like any other, and its reply begins with `Upgrade`. From there each text message of the
client is a request of its own (method `MESSAGE`), which takes the next reply; its events go out as text messages.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from websockets.exceptions import ProtocolError
from websockets.frames import Close, Frame, Opcode

from .request import Fields, Request
from .steps import Step
from .wire import Wire

if TYPE_CHECKING:
    from .answer import Answer

MESSAGE = "MESSAGE"
"""The method of a message."""

_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class BadFrame(Exception):
    """What came breaks the protocol; the text says how."""


def frame(data: bytes | str, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """One frame of a server."""
    return Frame(opcode, data.encode() if isinstance(data, str) else data, fin).serialize(mask=False)


@dataclass(frozen=True)
class Upgrade(Step):
    """Answers the handshake 101; `headers` come last, and replace those of their names."""

    headers: Mapping[str, str] = field(default_factory=dict)

    async def play(self, answer: Answer) -> None:
        request = answer.request
        key = "" if request is None else request.headers.get("sec-websocket-key", "")
        digest = base64.b64encode(hashlib.sha1(f"{key}{_SUFFIX}".encode()).digest()).decode()
        usual = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": digest}
        lines = "".join(f"{name}: {value}\r\n" for name, value in {**usual, **self.headers}.items())
        await answer.send_raw(f"HTTP/1.1 101 Switching Protocols\r\n{lines}\r\n".encode())
        answer.upgraded = True


@dataclass(frozen=True)
class Leave(Step):
    """A close frame, and the end of the connection."""

    code: int = 1000
    reason: str = ""

    async def play(self, answer: Answer) -> None:
        await answer.wire.write(frame(Close(self.code, self.reason).serialize(), Opcode.CLOSE))
        await answer.wire.close()


async def receive_message(wire: Wire) -> Request | None:
    """The next text message with number 0; None once the client has left. Answers pings and a close frame.

    Raises BadFrame.
    """
    text = b""
    while (got := await _receive_frame(wire)) is not None:
        if got.opcode == Opcode.PING:
            await wire.write(frame(bytes(got.data), Opcode.PONG))
        elif got.opcode == Opcode.CLOSE:
            wire.note(f"received {Close.parse(bytes(got.data))}")
            await wire.write(frame(bytes(got.data), Opcode.CLOSE))
            return None
        elif got.opcode != Opcode.PONG:
            text += bytes(got.data)
            if got.fin:
                return Request(0, wire.number, MESSAGE, "", Fields([]), text, text)
    return None


async def _receive_frame(wire: Wire) -> Frame | None:
    def exactly(size: int) -> Generator[None, None, bytes]:
        while len(wire.unread) < size:
            yield
        piece = bytes(wire.unread[:size])
        del wire.unread[:size]
        return piece

    parsing = Frame.parse(exactly, mask=True)
    while True:
        try:
            next(parsing)
        except StopIteration as done:
            received: Frame = done.value
            return received
        except ProtocolError as problem:
            raise BadFrame(str(problem)) from None
        if not await wire.more():
            return None
