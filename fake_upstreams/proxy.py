"""An HTTP proxy on loopback that opens tunnels, or answers CONNECT with whatever a test says."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from .upstream import PATIENCE

_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\nVia: 1.1 fake\r\n\r\n"


class FakeProxy:
    """`with FakeProxy(up.port) as proxy: proxy.url`. Every tunnel leads to that port of 127.0.0.1, whatever it names.

    Without a port, CONNECT is answered by `refusal`, and the connection is closed unless `close` is false.
    """

    def __init__(self, port: int | None = None, refusal: bytes = b"", *, close: bool = True) -> None:
        self._port = port
        self._refusal = refusal
        self._close = close
        self._heads: list[str] = []
        self._changed = threading.Condition()
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._start(self._accept)

    @property
    def url(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        number: int = self._listening.getsockname()[1]
        return number

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _shut(self._listening)  # which wakes `accept`
        for each in self._sockets:
            _shut(each)
        for thread in self._threads:
            thread.join()
        self._listening.close()
        for each in self._sockets:
            each.close()

    def _start(self, work: Callable[..., None], *arguments: socket.socket) -> None:
        thread = threading.Thread(target=work, args=arguments, name="fake-proxy", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                accepted, _ = self._listening.accept()
            except OSError:
                return
            self._sockets.append(accepted)
            self._start(self._serve, accepted)

    def _serve(self, client: socket.socket) -> None:
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
                _shut(client)
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
    _shut(source)
    _shut(target)


def _shut(which: socket.socket) -> None:
    with contextlib.suppress(OSError):
        which.shutdown(socket.SHUT_RDWR)
