from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class Refuse(Fault):
    """Nothing listens on the port once the replies before it are taken, until the test calls `listen()`.

    In production: the process is down, or restarts.
    """

    name = "refuse"

    async def play(self, answer: Answer) -> None:
        # The upstream acts on it when it is next in the script; a request that was already on its way is reset.
        await answer.wire.reset()
