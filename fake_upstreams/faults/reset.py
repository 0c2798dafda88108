from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class Reset(Fault):
    """The connection is reset (RST) here; as the first step already when a new connection is accepted.

    RST may overtake bytes that the client has not read: pause at a gate before it where they must arrive.
    In production: a firewall or load balancer that dropped its state, or a process killed with unread data.
    """

    name = "reset"
    at_accept = True

    async def play(self, answer: Answer) -> None:
        await answer.send_begun_head()
        await answer.wire.reset()
