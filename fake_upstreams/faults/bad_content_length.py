from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class BadContentLength(Fault):
    """Content-Length promises more than the body has, then the connection closes. Stands before the body.

    In production: an upstream that dies while it sends, with the length computed beforehand.
    """

    name = "bad_content_length"
    extra: int = 10
    """Bytes promised and not sent."""

    async def play(self, answer: Answer) -> None:
        answer.content_length_error = self.extra
        answer.close_after = True
