"""A WebSocket to the gateway, frame by frame: what is sent goes out exactly as said, and what comes must be strict."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Generator, Iterable
from typing import Any

from websockets.frames import Close, Frame, Opcode

from conformance.client import encode_request
from conformance.deployments import MODEL
from conformance.http_bytes import Head
from conformance.session import RESPONSES, Session, compact

KEY = base64.b64encode(bytes(range(16))).decode()
ACCEPT = base64.b64encode(hashlib.sha1(f"{KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
HANDSHAKE = (
    ("upgrade", "websocket"),
    ("connection", "Upgrade"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", KEY),
)
LAST = ("response.completed", "response.incomplete", "error")
"""The types of events with which turns end."""

Headers = Iterable[tuple[str, str]]


def turn_body(**members: Any) -> bytes:
    """A message that begins a turn, as compact JSON: the usual model and input, and `members`."""
    return compact({"type": "response.create", "model": MODEL, "input": "hi", **members})


class WebSocket:
    """Responses over one connection. It answers neither pings nor close frames unless it is told to."""

    def __init__(self, gateway: Session, headers: Headers = (), receive_buffer: int | None = None) -> None:
        self.connection = gateway.connect(receive_buffer)
        self.connection.send(encode_request("GET", RESPONSES, headers=[*HANDSHAKE, *headers]))
        self.head: Head = self.connection.head()
        if self.head.status != 101:
            raise AssertionError(f"the handshake is answered {self.head.status}")

    def send(self, text: str | bytes, *, fin: bool = True, opcode: Opcode = Opcode.TEXT, mask: bool = True) -> None:
        """Sends one frame."""
        data = text.encode() if isinstance(text, str) else text
        self.connection.send(Frame(opcode, data, fin).serialize(mask=mask))

    def begin(self, **members: Any) -> None:
        """Sends a message that begins a turn."""
        self.send(turn_body(**members))

    def turn(self, **members: Any) -> list[dict[str, Any]]:
        """Begins a turn and reads its events."""
        self.begin(**members)
        return self.events()

    def frame(self) -> Frame:
        """The next frame."""

        def exactly(size: int) -> Generator[None, None, bytes]:
            yield from ()
            return self.connection.exactly(size)

        parsing = Frame.parse(exactly, mask=False)
        try:
            next(parsing)
        except StopIteration as done:
            frame: Frame = done.value
            return frame
        raise AssertionError("a frame was asked for in vain")

    def event(self) -> dict[str, Any]:
        """The next event, which must be the next frame."""
        frame = self.frame()
        assert (frame.opcode, frame.fin) == (Opcode.TEXT, True), frame
        event: dict[str, Any] = json.loads(bytes(frame.data).decode())
        return event

    def events(self) -> list[dict[str, Any]]:
        """Those of one turn."""
        events = [self.event()]
        while events[-1]["type"] not in LAST:
            events.append(self.event())
        return events

    def error(self) -> dict[str, Any]:
        """The next event, which must be an error in its documented form: the members of `error`, and `status`."""
        event = self.event()
        assert set(event) == {"type", "status", "error"}, event
        assert event["type"] == "error"
        assert set(event["error"]) == {"type", "code", "message", "param"}, event
        return {"status": event["status"], **event["error"]}

    def leave(self, code: int = 1000, reason: str = "") -> None:
        """Sends a close frame."""
        self.send(Close(code, reason).serialize(), opcode=Opcode.CLOSE)

    def closed(self) -> Close:
        """Reads the close frame, which must be the next one, answers it and waits for the end of the connection."""
        frame = self.frame()
        assert frame.opcode == Opcode.CLOSE, frame
        close = Close.parse(bytes(frame.data))
        self.leave(close.code)
        assert self.connection.is_closed()
        return close

    def is_silent(self) -> bool:
        """Whether nothing has come that was not read."""
        return self.connection.pending() == b""

    def close(self) -> None:
        """Closes the connection without a word."""
        self.connection.close()


def output(events: list[dict[str, Any]]) -> str:
    """The text of a turn."""
    return "".join(event["delta"] for event in events if event["type"] == "response.output_text.delta")
