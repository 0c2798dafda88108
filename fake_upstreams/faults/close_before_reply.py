from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class CloseBeforeReply(Fault):
    """The request is read whole, then the connection closes without one byte.

    In production: a worker process that crashes on the request, or a server that stops while draining.
    """

    name = "close_before_reply"

    async def play(self, answer: Answer) -> None:
        await answer.wire.close()
