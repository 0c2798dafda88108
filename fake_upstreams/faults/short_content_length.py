from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class ShortContentLength(Fault):
    """Content-Length promises less than the body has; the rest arrives where the next answer should begin.

    Stands before the body. In production: a length counted in characters, or before a filter lengthened the body.
    """

    name = "short_content_length"
    missing: int = 1
    """Bytes sent and not promised."""

    async def play(self, answer: Answer) -> None:
        answer.content_length_error = -self.missing
