from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class EarlyHints(Fault):
    """An interim answer comes before the real one.

    No failure: readers must wait for the final status. In production: servers that send 103 early hints or a 100.
    """

    name = "early_hints"
    status: int = 103

    async def play(self, answer: Answer) -> None:
        reason = HTTPStatus(self.status).phrase
        await answer.send_interim(f"HTTP/1.1 {self.status} {reason}\r\nLink: </v1>; rel=self\r\n\r\n".encode())
