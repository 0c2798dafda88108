from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class Garbage(Fault):
    """Bytes arrive that are no HTTP, then the connection closes.

    In production: a base URL with the port of another service.
    """

    name = "garbage"
    written: bytes = b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"

    async def play(self, answer: Answer) -> None:
        await answer.send_raw(self.written)
        await answer.wire.close()
