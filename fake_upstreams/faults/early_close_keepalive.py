from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class EarlyCloseKeepalive(Fault):
    """The answer is complete and promises keep-alive, yet the upstream closes the idle connection.

    `idle`: at once; `next_request`: when bytes of the next request arrive, which is never answered or recorded.
    In production: a keep-alive timeout at the upstream that is shorter than the client's.
    """

    name = "early_close_keepalive"
    when: Literal["idle", "next_request"] = "idle"

    async def play(self, answer: Answer) -> None:
        async def close() -> None:
            if self.when == "next_request":
                await answer.wire.some()
            await answer.wire.close()

        answer.after = close
