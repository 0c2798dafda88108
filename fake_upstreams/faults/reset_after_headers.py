from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class ResetAfterHeaders(Fault):
    """The head arrives, then the connection is reset.

    In production: a proxy that answers 200 before its own upstream does, and then loses that.
    """

    name = "reset_after_headers"

    async def play(self, answer: Answer) -> None:
        await answer.send_head()
        await answer.wire.reset()
