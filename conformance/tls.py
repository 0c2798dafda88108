"""TLS toward gateways: the certificate that they show in scenarios, and the client's end of a connection."""

from __future__ import annotations

import contextlib
import ssl
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from fake_upstreams import certificates


def served() -> dict[str, str]:
    """`server.tls` for a gateway whose certificate the clients of this suite trust."""
    shown = certificates.issue()
    return {"certificateFile": str(shown.certificate), "keyFile": str(shown.key)}


@cache
def trusting() -> ssl.SSLContext:
    """What a client needs that believes the system's authorities and the certificate of `served`."""
    context = ssl.create_default_context()
    context.load_verify_locations(certificates.issue().certificate)
    return context


def is_secure(url: str) -> bool:
    """Whether a base URL asks for TLS."""
    return urlsplit(url).scheme == "https"


class TlsStream:
    """The client's end of a TLS connection over a connected socket: `sendall`, `recv`, and an end of each direction.

    Unlike `ssl.SSLSocket` it can end its own direction and go on reading, and it tells an end that TLS has announced
    from a connection that was cut.
    """

    def __init__(self, connected: Any, name: str, context: ssl.SSLContext | None = None, session: Any = None) -> None:
        self._socket = connected
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        chosen = context or trusting()
        self._tls = chosen.wrap_bio(self._incoming, self._outgoing, server_hostname=name, session=session)
        self._until_done(self._tls.do_handshake)

    @property
    def agreed(self) -> ssl.SSLObject:
        """What was agreed on: version, protocol, session."""
        return self._tls

    def sendall(self, data: bytes) -> None:
        """Sends bytes."""
        self._tls.write(data)
        self._flush()

    def recv(self, size: int) -> bytes:
        """What has come; nothing at the announced end. ConnectionResetError if the connection was cut."""
        try:
            return bytes(self._until_done(lambda: self._tls.read(size)))
        except ssl.SSLZeroReturnError:
            return b""
        except ssl.SSLEOFError as error:
            raise ConnectionResetError("the connection ended without close_notify") from error

    def finish_sending(self) -> None:
        """Announces that nothing more will be sent."""
        with contextlib.suppress(ssl.SSLWantReadError):
            self._tls.unwrap()
        self._flush()

    def _until_done(self, step: Any) -> Any:
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                self._flush()
                if data := self._socket.recv(65536):
                    self._incoming.write(data)
                else:
                    self._incoming.write_eof()
            finally:
                self._flush()

    def _flush(self) -> None:
        if data := self._outgoing.read():
            self._socket.sendall(data)
