from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class SlowBytes(Fault):
    """From here on the bytes trickle: a gap follows every `size` bytes, also in the head and in the framing.

    With `until` a gap lasts until the test releases that gate once more (`release(gate, times=n)` lets n gaps pass).
    In production: a congested link, or an overloaded upstream that still makes progress.
    """

    name = "slow_bytes"
    gap_ms: float = 10.0
    until: str | None = None
    size: int = 1

    async def play(self, answer: Answer) -> None:
        async def gap() -> None:
            await answer.pause(self.gap_ms if self.until is None else None, self.until)

        answer.write_size = max(1, self.size)
        answer.between_writes = gap
