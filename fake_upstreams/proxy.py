"""An HTTP proxy on loopback that opens tunnels, or answers CONNECT with whatever a test says."""

from __future__ import annotations

import contextlib
import socket
import threading

from .threaded import ThreadedServer, shut
from .upstream import PATIENCE

_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\nVia: 1.1 fake\r\n\r\n"


class FakeProxy(ThreadedServer):
    """`with FakeProxy(up.port) as proxy: proxy.url`. Every tunnel leads to that port of 127.0.0.1, whatever it names.

    Without a port, CONNECT is answered by `refusal`, and the connection is closed unless `close` is false.
    """

    def __init__(self, port: int | None = None, refusal: bytes = b"", *, close: bool = True) -> None:
        self._port = port
        self._refusal = refusal
        self._close = close
        self._heads: list[str] = []
        self._changed = threading.Condition()
        super().__init__()

    @property
    def url(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def heads(self) -> list[str]:
        """The head of every request so far."""
        with self._changed:
            return list(self._heads)

    def wait_head(self, number: int = 1, timeout: float = PATIENCE) -> str:
        """Waits for the head number `number`. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._heads) >= number, timeout):
                raise TimeoutError(f"{len(self._heads)} requests, not {number}")
            return self._heads[number - 1]

    def serve(self, client: socket.socket) -> None:
        """Answers one CONNECT, and carries bytes both ways if it opens a tunnel."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = client.recv(1)  # never a byte of what follows in the tunnel
            if not byte:
                return
            head += byte
        with self._changed:
            self._heads.append(head.decode())
            self._changed.notify_all()
        if self._port is None:
            with contextlib.suppress(OSError):
                client.sendall(self._refusal)
            if self._close:
                shut(client)
            return
        upstream = socket.create_connection(("127.0.0.1", self._port))
        self._sockets.append(upstream)
        client.sendall(_ESTABLISHED)
        self._start(_carry, upstream, client)
        _carry(client, upstream)


def _carry(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    shut(source)
    shut(target)
