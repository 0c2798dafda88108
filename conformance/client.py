"""A client that sends bytes exactly and sees exactly the bytes that come back."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any

from conformance.http_bytes import ConnectionEnded, Reader, Response
from conformance.targets.base import address
from conformance.tls import TlsStream, is_secure

GUARD_SECONDS = 10.0
"""Real time after which an answer that should be there counts as missing."""


def encode_request(
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Iterable[tuple[str, str]] = (),
    host: str = "gateway.test",
) -> bytes:
    """Serialises a request; adds `host` and, with a body, `content-length` and `content-type: application/json`."""
    given = list(headers)
    names = {name.lower() for name, _ in given}
    lines = [f"{method} {path} HTTP/1.1", f"host: {host}"]
    if body is not None:
        if "content-type" not in names:
            lines.append("content-type: application/json")
        if not names & {"content-length", "transfer-encoding"}:
            lines.append(f"content-length: {len(body)}")
    lines += [f"{name}: {value}" for name, value in given]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b"")


class Connection(Reader):
    """One connection to the gateway, with TLS where its URL says https."""

    def __init__(self, url: str, receive_buffer: int | None = None) -> None:
        self._socket = socket.socket(socket.AF_INET6 if ":" in address(url)[0] else socket.AF_INET, socket.SOCK_STREAM)
        self._socket.settimeout(GUARD_SECONDS)
        if receive_buffer is not None:  # before connecting, since it bounds the window that is offered
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            self._socket.connect(address(url))
        except OSError:
            self._socket.close()
            raise
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream: socket.socket | TlsStream = self._socket
        if is_secure(url):
            try:
                self._stream = TlsStream(self._socket, address(url)[0])
            except OSError:
                self._socket.close()
                raise
        super().__init__(self._receive_some)

    def send(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self._stream.sendall(data)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Iterable[tuple[str, str]] = ()
    ) -> Response:
        """Sends a request and reads the answer."""
        self.send(encode_request(method, path, body, headers))
        return self.response(method)

    def is_closed(self) -> bool:
        """Waits for the gateway to close, and says whether it did so without sending anything more."""
        try:
            return self.rest() == b""
        except ConnectionResetError:
            return True

    def pending(self) -> bytes:
        """What has come and was not read yet; does not wait."""
        self._socket.setblocking(False)
        try:
            while data := self._stream.recv(65536):
                self._buffer += data
        except BlockingIOError:
            pass
        finally:
            self._socket.settimeout(GUARD_SECONDS)
        return bytes(self._buffer)

    def set_receive_buffer(self, size: int) -> None:
        """Changes how much the gateway may send ahead of the reader."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)

    def finish_sending(self) -> None:
        """Ends this side; answers still arrive."""
        if isinstance(self._stream, TlsStream):
            self._stream.finish_sending()
        self._socket.shutdown(socket.SHUT_WR)

    def reset(self) -> None:
        """Leaves with RST."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def close(self) -> None:
        """Leaves."""
        self._socket.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _receive_some(self) -> bytes:
        try:
            return self._stream.recv(65536)
        except TimeoutError as error:
            raise ConnectionEnded(f"nothing came for {GUARD_SECONDS:.0f} s", b"") from error


def call(
    url: str,
    method: str,
    path: str,
    body: Mapping[str, Any] | bytes | None = None,
    headers: Iterable[tuple[str, str]] = (),
) -> Response:
    """One request on a connection of its own. A mapping is sent as compact JSON."""
    payload = body if body is None or isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
    with Connection(url) as connection:
        return connection.request(method, path, payload, headers)
