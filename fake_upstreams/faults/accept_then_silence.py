from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class AcceptThenSilence(Fault):
    """The request is read and never answered; ends when the client closes.

    In production: an overloaded inference queue, or a dead worker behind a live acceptor.
    """

    name = "accept_then_silence"

    async def play(self, answer: Answer) -> None:
        await answer.wire.gone()
