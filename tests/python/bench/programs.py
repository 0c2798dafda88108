"""The benchmark's programs as the dev build made them, and connections to them."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench.load import PUBLIC_MODEL
from tests.bench.protocols import Protocol
from tests.bench.proxies import ROOT, Place

ANY_CORE = min(os.sched_getaffinity(0))
PLACE = Place(ROOT / "build/dev", load_core=ANY_CORE, proxy_core=ANY_CORE)
GUARD_SECONDS = 30
"""No test runs into it."""


PATHS = {
    Protocol.CHAT: "/v1/chat/completions",
    Protocol.MESSAGES: "/v1/messages",
    Protocol.RESPONSES: "/v1/responses",
}


def request(content: str, *, model: str = PUBLIC_MODEL, protocol: Protocol = Protocol.CHAT) -> bytes:
    body = f'{{"model":"{model}","messages":[{{"role":"user","content":"{content}"}}]}}'.encode()
    head = f"POST {PATHS[protocol]} HTTP/1.1\r\nhost: bench\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Connection:
    """A client without any opinion of what it reads."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=GUARD_SECONDS)
        self._file = self._socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def head(self) -> str:
        lines = []
        while (line := self._file.readline()) not in {b"\r\n", b""}:
            lines.append(line.decode())
        return "".join(lines)

    def read(self, size: int) -> bytes:
        return self._file.read(size)

    def chunk(self) -> bytes:
        """Nothing at the end of the body."""
        size = int(self._file.readline(), 16)
        data = self._file.read(size)
        assert self._file.read(2) == b"\r\n"
        return data

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@contextmanager
def connected(port: int) -> Iterator[Connection]:
    connection = Connection(port)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def answering(answer: bytes) -> Iterator[int]:
    """A server for one request, which it answers with these bytes before it closes."""

    def serve() -> None:
        asked = False
        while not asked:  # wrk first tries whether anybody listens
            accepted, _ = listener.accept()
            with accepted:
                asked = bool(accepted.recv(65536))
                if asked:
                    accepted.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(GUARD_SECONDS)
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()
