from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class OneByteWrites(Fault):
    """From here on every byte is a write of its own, also those of the head and of the framing.

    In production: an upstream without output buffers behind a slow or fragmenting network.
    """

    name = "one_byte_writes"

    async def play(self, answer: Answer) -> None:
        answer.write_size = 1
