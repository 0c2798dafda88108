from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class SplitAt(Fault):
    """From here on the body is written in pieces: cut at `offsets` (counted from here), and after `every` bytes.

    With chunked framing each piece is a chunk, so a reader meets it alone even when the network joins writes; with
    `until` each waits for one release of that gate, save the first piece of every step.
    In production: packets and proxy buffers, which end wherever they like, also inside a character.
    """

    name = "split_at"
    offsets: tuple[int, ...] = ()
    every: int | None = None
    until: str | None = None

    async def play(self, answer: Answer) -> None:
        seen = 0

        def cut(payload: bytes) -> list[bytes]:
            nonlocal seen
            start, seen = seen, seen + len(payload)
            cuts = [offset for offset in range(start + 1, seen) if self._cuts(offset)]
            edges = [start, *cuts, seen]
            return [payload[one - start : other - start] for one, other in pairwise(edges)]

        async def wait() -> None:
            await answer.pause(None, self.until)

        answer.split_payload = cut
        answer.between_pieces = wait

    def _cuts(self, offset: int) -> bool:
        return offset in self.offsets or (bool(self.every) and offset % (self.every or 1) == 0)
