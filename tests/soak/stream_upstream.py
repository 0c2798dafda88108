"""`python -m tests.soak.stream_upstream`: streams that begin, and end when they are told to, in a process of their own.

Prints its port. Each line on its input is a command, which is answered by one line: `begun` (requests so far), `open`
(connections), `end` (ends every stream that has begun and answers how many).
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys

from tests.bench.load import UPSTREAM_MODEL

BACKLOG = 4096


def _frame(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    members = {"id": "c", "created": 1700000000, "model": UPSTREAM_MODEL, "choices": [choice]}
    event = b"data: " + json.dumps(members, separators=(",", ":")).encode() + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(event), event)


_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
BEGIN = _HEAD + _frame({"role": "assistant", "content": "first"})
_DONE = b"data: [DONE]\n\n"
END = _frame({"content": "second"}) + _frame({}, "stop") + b"%x\r\n%s\r\n0\r\n\r\n" % (len(_DONE), _DONE)


class _Streams:
    def __init__(self) -> None:
        self.begun = 0
        self.open: set[_Stream] = set()

    def command(self, name: str) -> int:
        if name == "begun":
            return self.begun
        if name == "open":
            return len(self.open)
        pending = [stream for stream in self.open if stream.streaming]
        for stream in pending:
            stream.end()
        return len(pending)


class _Stream(asyncio.Protocol):
    """One connection; a request is whole when its body is, and it comes in one piece or few."""

    def __init__(self, streams: _Streams) -> None:
        self._streams = streams
        self._received = b""
        self._transport: asyncio.Transport | None = None
        self.streaming = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._streams.open.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._streams.open.discard(self)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._received.endswith(b"}"):
            return
        self._received = b""
        self.streaming = True
        self._streams.begun += 1
        self._write(BEGIN)

    def end(self) -> None:
        self.streaming = False
        self._write(END)

    def _write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    streams = _Streams()
    server = await loop.create_server(lambda: _Stream(streams), "127.0.0.1", 0, backlog=BACKLOG)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    commands = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := await commands.readline():
        sys.stdout.write(f"{streams.command(line.decode().strip())}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    asyncio.run(_serve())
