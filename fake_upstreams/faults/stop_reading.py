from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class StopReading(Fault):
    """Until the reply is complete nothing more is read of what the client sends, so that its writes come to a stand.

    Whether the client leaves meanwhile is seen when a step writes, or afterwards.
    In production: a server that answers as soon as it knows that it will, before it has read the request.
    """

    name = "stop_reading"

    async def play(self, answer: Answer) -> None:
        answer.wire.stop_reading()
