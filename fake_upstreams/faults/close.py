from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class Close(Fault):
    """The connection closes (FIN) here, whatever the framing still promises.

    In production: an upstream that is redeployed mid-answer, or a proxy whose own time limit struck.
    """

    name = "close"

    async def play(self, answer: Answer) -> None:
        await answer.send_begun_head()
        await answer.wire.close()
