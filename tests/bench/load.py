"""A fixed amount of load over raw sockets: the counts must come from the gateway alone, not from how it is asked."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from types import TracebackType
from typing import Self

UPSTREAM_MODEL = "bench-upstream-model-of-another-length"
PUBLIC_MODEL = "bench"
ANSWER_BYTES = 1024
QUESTION_BYTES = 1024


def _padded(members: dict[str, object], text_of: str, size: int) -> bytes:
    """The JSON text of `members`, its `{pad}` stretched so that the whole is `size` bytes long."""
    base = json.dumps(members, separators=(",", ":"))
    return base.replace("{pad}", text_of * (size - len(base) + len("{pad}"))).encode()


def answer() -> bytes:
    """A whole HTTP answer with a chat completion of 1 KiB."""
    completion: dict[str, object] = {
        "id": "chatcmpl-bench",
        "object": "chat.completion",
        "created": 1700000000,
        "model": UPSTREAM_MODEL,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "{pad}"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21},
    }
    body = _padded(completion, "a", ANSWER_BYTES)
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body


def chunk() -> bytes:
    """A chunk of the transfer coding that holds one event of a streamed answer."""
    delta = {"role": "assistant", "content": "token"}
    frame = {
        "id": "chatcmpl-bench",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": UPSTREAM_MODEL,
        "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
    }
    event = b"data: " + json.dumps(frame, separators=(",", ":")).encode() + b"\n\n"
    return b"%x\r\n" % len(event) + event + b"\r\n"


def stream_head() -> bytes:
    """The head of a streamed answer, and its first chunk."""
    return b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n" + chunk()


def question(stream: bool = False) -> bytes:
    """A whole HTTP request with a chat body of 1 KiB."""
    chat: dict[str, object] = {"model": PUBLIC_MODEL, "messages": [{"role": "user", "content": "{pad}"}]}
    if stream:
        chat["stream"] = True
    body = _padded(chat, "q", QUESTION_BYTES)
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: bench\r\nuser-agent: bench\r\naccept: application/json\r\n"
    return head + b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body


class _Reply(asyncio.Protocol):
    def __init__(self, reply: bytes, opened: list[asyncio.Transport]) -> None:
        self._reply = reply
        self._opened = opened
        self._pending = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._opened.append(transport)

    def data_received(self, data: bytes) -> None:
        self._pending += data
        while (end := self._pending.find(b"\r\n\r\n")) >= 0:
            head = self._pending[:end].lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            if len(self._pending) < end + 4 + length:
                return
            self._pending = self._pending[end + 4 + length :]
            assert self._transport is not None
            self._transport.write(self._reply)


class Upstream:
    """Answers every request with the same bytes, from a thread of its own."""

    def __init__(self, reply: bytes) -> None:
        self._reply = reply
        self._open: list[asyncio.Transport] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        listening = asyncio.run_coroutine_threadsafe(
            self._loop.create_server(lambda: _Reply(self._reply, self._open), "127.0.0.1", 0),
            self._loop,
        ).result()
        self.port = listening.sockets[0].getsockname()[1]
        return self

    def push(self, data: bytes) -> None:
        """Writes to every connection that was made."""

        def write() -> None:
            for transport in self._open:
                transport.write(data)

        self._loop.call_soon_threadsafe(write)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


class Clients:
    """Connections that ask in step: every one sends, then every one reads its answer and checks it."""

    def __init__(self, port: int, count: int) -> None:
        self._sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
        for s in self._sockets:
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request: bytes, requests: int) -> None:
        """Sends `requests` in all, which must be a multiple of the connections."""
        assert requests % len(self._sockets) == 0
        for _ in range(requests // len(self._sockets)):
            for s in self._sockets:
                s.sendall(request)
            for s in self._sockets:
                self._read(s)

    def open_streams(self, request: bytes) -> None:
        """Asks for a stream on every connection, one after the other, and reads its head and first event."""
        for s in self._sockets:
            s.sendall(request)
            self._read_event(s)

    def read_events(self) -> None:
        """Reads one event on every connection."""
        for s in self._sockets:
            self._read_event(s)

    @staticmethod
    def _read_event(s: socket.socket) -> None:
        data = b""
        while not data.endswith(b"\n\n\r\n"):
            data += Clients._more(s)
        if data.count(b"data: ") != 1 or b'"model":"%s"' % PUBLIC_MODEL.encode() not in data:
            raise RuntimeError(f"not the event that was asked for: {data[:200]!r}")

    @staticmethod
    def _read(s: socket.socket) -> None:
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += Clients._more(s)
        length = int(data[:end].lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(data) < end + 4 + length:
            data += Clients._more(s)
        body = json.loads(data[end + 4 :])
        if not data.startswith(b"HTTP/1.1 200 ") or body["model"] != PUBLIC_MODEL:
            raise RuntimeError(f"not the answer that was asked for: {data[:200]!r}")

    @staticmethod
    def _more(s: socket.socket) -> bytes:
        data = s.recv(65536)
        if not data:
            raise RuntimeError("the gateway closed the connection")
        return data

    def close(self) -> None:
        for s in self._sockets:
            s.close()
