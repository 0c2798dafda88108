from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import ClassVar, Literal

from .. import certificates
from ..answer import Answer
from ..steps import Fault
from ..wire import Wire


@dataclass(frozen=True)
class TlsFailure(Fault):
    """A client that connects with TLS (`tls_url`) meets a certificate that it must refuse, or none at all.

    `self_signed`: nobody vouches for it; `wrong_name`: it is for another host; `plain_text`: the port does not speak
    TLS; `reset`: RST in answer to the ClientHello. Also a client that accepts the certificate gets no answer.
    In production: a certificate that was not renewed or not rolled out, a proxy that inspects TLS, a wrong port.
    """

    name = "tls_failure"
    at_accept = True
    kind: Literal["self_signed", "wrong_name", "plain_text", "reset"] = "self_signed"

    NAMES: ClassVar[dict[str, str]] = {"self_signed": certificates.LOCAL, "wrong_name": "DNS:wrong.invalid"}

    async def play(self, answer: Answer) -> None:
        wire = answer.wire
        if answer.request is None and await wire.some():
            if self.kind == "plain_text":
                await answer.send_raw(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            elif self.kind == "reset":
                await wire.reset()
                return
            else:
                await self._shake_hands(wire)
        await wire.close()

    async def _shake_hands(self, wire: Wire) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = certificates.server_context(certificates.issue(self.NAMES[self.kind]))
        session = context.wrap_bio(incoming, outgoing, server_side=True)
        while True:
            incoming.write(bytes(wire.unread))
            wire.unread.clear()
            try:
                session.do_handshake()
            except ssl.SSLWantReadError:
                await wire.write(outgoing.read())
            except ssl.SSLError as problem:
                wire.note(f"TLS handshake failed: {problem.reason}")
                return
            else:
                wire.note("the client accepted the certificate")
                return
            if not await wire.some():
                return
