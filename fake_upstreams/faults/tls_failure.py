from __future__ import annotations

import ssl
import warnings
from dataclasses import dataclass
from typing import Literal

from .. import certificates
from ..answer import Answer
from ..steps import Fault
from ..wire import Wire


@dataclass(frozen=True)
class TlsFailure(Fault):
    """A client that connects with TLS (`tls_url`) meets a certificate that it must refuse, or a handshake that fails.

    `self_signed`: nobody vouches for it; `wrong_name`: it is for another host; `expired`, `not_yet_valid`: the
    authority of `certificates` vouches for it, but not now; `unknown_authority`: another one does; `old_version`:
    nothing newer than TLS 1.1; `no_shared_cipher`: only ciphers that do not encrypt; `client_certificate`: the client
    must show one; `plain_text`: the port does not speak TLS; `closed`, `reset`: FIN or RST in answer to the
    ClientHello. Also a client that accepts the certificate gets no answer.
    In production: a certificate that was not renewed or not rolled out, a proxy that inspects TLS, a wrong port, a
    machine that was left behind.
    """

    name = "tls_failure"
    at_accept = True
    kind: Literal[
        "self_signed",
        "wrong_name",
        "expired",
        "not_yet_valid",
        "unknown_authority",
        "old_version",
        "no_shared_cipher",
        "client_certificate",
        "plain_text",
        "closed",
        "reset",
    ] = "self_signed"

    async def play(self, answer: Answer) -> None:
        wire = answer.wire
        if answer.request is None and await wire.some():
            if self.kind == "plain_text":
                await answer.send_raw(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            elif self.kind == "reset":
                await wire.reset()
                return
            elif self.kind != "closed":
                await self._shake_hands(wire)
        await wire.close()

    def _context(self) -> ssl.SSLContext:
        context = certificates.server_context(self._certificate())
        if self.kind == "old_version":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # which it is meant to be
                context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
            context.set_ciphers("ALL:@SECLEVEL=0")
        if self.kind == "no_shared_cipher":
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            context.set_ciphers("eNULL:@SECLEVEL=0")
        if self.kind == "client_certificate":
            context.verify_mode = ssl.CERT_REQUIRED
        return context

    def _certificate(self) -> certificates.Certificate:
        signer, hour = certificates.authority, certificates.HOUR
        if self.kind == "self_signed":
            return certificates.issue()
        if self.kind == "wrong_name":
            return certificates.issue("DNS:wrong.invalid")
        if self.kind == "expired":
            return certificates.issue_by(signer(), since=-48 * hour, until=-hour)
        if self.kind == "not_yet_valid":
            return certificates.issue_by(signer(), since=hour)
        return certificates.issue_by(signer("somebody else") if self.kind == "unknown_authority" else signer())

    async def _shake_hands(self, wire: Wire) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = self._context().wrap_bio(incoming, outgoing, server_side=True)
        while True:
            incoming.write(bytes(wire.unread))
            wire.unread.clear()
            try:
                session.do_handshake()
            except ssl.SSLWantReadError:
                await wire.write(outgoing.read())
            except ssl.SSLError as problem:
                await wire.write(outgoing.read())  # the alert
                wire.note(f"TLS handshake failed: {problem.reason}")
                return
            else:
                wire.note("the client accepted the certificate")
                return
            if not await wire.some():
                return
