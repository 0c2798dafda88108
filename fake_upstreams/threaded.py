"""A TCP server on loopback with a thread per connection, for peers that are easier to write without asyncio."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self


class ThreadedServer:
    """`with SUBCLASS() as server: server.port`. Ends its connections and threads when it is left."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._start(self._accept)

    @property
    def port(self) -> int:
        number: int = self._listening.getsockname()[1]
        return number

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for each in (self._listening, *self._sockets):  # which wakes whoever waits on them
            shut(each)
        for thread in self._threads:
            thread.join()
        for each in (self._listening, *self._sockets):
            each.close()

    def serve(self, client: socket.socket) -> None:
        """What happens on a connection, in a thread of its own."""
        raise NotImplementedError

    def _start(self, work: Callable[..., None], *arguments: socket.socket) -> None:
        thread = threading.Thread(target=work, args=arguments, name=type(self).__name__, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                accepted, _ = self._listening.accept()
            except OSError:
                return
            self._sockets.append(accepted)
            self._start(self.serve, accepted)


def shut(which: socket.socket) -> None:
    """Ends both directions, and whoever waits on the socket; not an error if they have ended."""
    with contextlib.suppress(OSError):
        which.shutdown(socket.SHUT_RDWR)
