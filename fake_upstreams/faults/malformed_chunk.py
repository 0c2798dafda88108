from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class MalformedChunk(Fault):
    """A chunk arrives whose size is no number, then the connection closes. The reply must be chunked.

    In production: a proxy that mixes up two answers, or an upstream whose debug output got into the stream.
    """

    name = "malformed_chunk"
    size: bytes = b"zz"

    def streams(self) -> bool:
        return True

    async def play(self, answer: Answer) -> None:
        await answer.send_head()
        await answer.send_raw(self.size + b"\r\ndata: lost\r\n")
        await answer.wire.close()
