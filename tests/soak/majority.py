"""The requests that nothing goes wrong with: many, over raw sockets, every answer checked."""

from __future__ import annotations

import json
import socket

from tests.bench.load import UPSTREAM_MODEL, Clients

STREAM_MODEL = "bench-stream"
_END = b"\r\n0\r\n\r\n"


def stream_answer() -> bytes:
    """A whole HTTP answer with a short chat stream."""
    frames: list[dict[str, object]] = [
        {"delta": {"role": "assistant", "content": ""}},
        {"delta": {"content": "hello"}},
        {"delta": {}, "finish_reason": "stop"},
    ]
    events = b""
    for choice in frames:
        frame = {"id": "c", "created": 1700000000, "model": UPSTREAM_MODEL, "choices": [{"index": 0, **choice}]}
        events += b"data: " + json.dumps(frame, separators=(",", ":")).encode() + b"\n\n"
    events += b"data: [DONE]\n\n"
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n" % len(events)
    return head + events


def stream_question() -> bytes:
    """A whole HTTP request for that stream."""
    body = json.dumps({"model": STREAM_MODEL, "messages": [{"role": "user", "content": "q"}], "stream": True}).encode()
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: soak\r\ncontent-type: application/json\r\n"
    return head + b"content-length: %d\r\n\r\n" % len(body) + body


def dechunked(body: bytes) -> bytes:
    """The payload of a chunked body that is all there."""
    payload = b""
    while True:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        if length == 0:
            return payload
        payload += body[:length]
        body = body[length + 2 :]


class StreamClients(Clients):
    """Like `Clients`, for streams."""

    @staticmethod
    def _read(s: socket.socket) -> None:
        data = b""
        while not data.endswith(_END):
            data += Clients._more(s)
        head, _, body = data.partition(b"\r\n\r\n")
        events = dechunked(body).split(b"\n\n")
        models = [json.loads(event.removeprefix(b"data: "))["model"] for event in events[:-2]]
        whole = events[-2:] == [b"data: [DONE]", b""] and models == [STREAM_MODEL] * 3
        if not head.startswith(b"HTTP/1.1 200 ") or not whole:
            raise RuntimeError(f"not the stream that was asked for: {data[:400]!r}")
