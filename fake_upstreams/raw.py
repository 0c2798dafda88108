"""An upstream that is a function of the accepted socket, for what no script can say."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Callable

from .threaded import ThreadedServer


class RawUpstream(ThreadedServer):
    """`with RawUpstream(serve) as up: up.base_url`. `serve` runs once per connection, in a thread of its own."""

    def __init__(self, serve: Callable[[socket.socket], None]) -> None:
        self._play = serve
        super().__init__()

    @property
    def connections(self) -> int:
        """How many have been accepted."""
        return len(self._sockets)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def serve(self, client: socket.socket) -> None:
        """Plays `serve` on one connection."""
        with client, contextlib.suppress(OSError):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._play(client)


def read_request(client: socket.socket) -> bytes:
    """One request with a Content-Length; empty once the client has closed."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65536)
        if not more:
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    while len(body) < int(fields.get(b"content-length", b"0")):
        more = client.recv(65536)
        if not more:
            return b""
        body += more
    return head + b"\r\n\r\n" + body


def reset(client: socket.socket) -> None:
    """Closes with RST instead of FIN."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()
