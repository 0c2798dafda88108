"""A port that belongs to an upstream for its whole life, whether somebody listens on it or not."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable

Accepted = Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]


class Listener:
    """Keeps the port bound by a socket that never listens, so that refusing does not give the port away."""

    def __init__(self, accepted: Accepted, tls: ssl.SSLContext | None, host: str) -> None:
        self._accepted = accepted
        self._tls = tls
        self._host = host
        self._reservation: socket.socket | None = None
        self._server: asyncio.Server | None = None
        self.port = 0
        """0 until it is reserved."""

    def reserve(self, port: int) -> None:
        """Binds the port (0 = any). Raises OSError."""
        self._reservation = _bound(self._host, port)
        self.port = self._reservation.getsockname()[1]

    @property
    def listening(self) -> bool:
        return self._server is not None

    @property
    def open(self) -> bool:
        """Whether the port is still held."""
        return self._reservation is not None

    async def listen(self) -> None:
        """Accepts connections from now on."""
        if self._server is None:
            listening = _bound(self._host, self.port)
            self._server = await asyncio.start_server(self._accepted, sock=listening, ssl=self._tls, backlog=512)

    async def refuse(self) -> None:
        """Refuses connections from now on; those that exist are not touched."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def close(self) -> None:
        """Gives the port back."""
        await self.refuse()
        if self._reservation is not None:
            self._reservation.close()
            self._reservation = None


def _bound(host: str, port: int) -> socket.socket:
    # The protocol is named since asyncio sets TCP_NODELAY only then; without it a second write waits 40 ms for its ACK.
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # Lets the listening socket share the port with the one that reserves it.
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound
