from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..sse import SseStyle
from ..steps import Fault


@dataclass(frozen=True)
class CutMidEvent(Fault):
    """A stream stops inside an event and the connection closes.

    In production: an inference worker killed for its memory, or a load balancer that cuts at its time limit.
    """

    name = "cut_mid_event"
    written: bytes = b'data: {"id":"chatcmpl-fake","choices":[{"index":0,"delta":{"cont'
    """What still comes of the event."""

    def payload(self, style: SseStyle) -> bytes:
        return self.written

    def content_type(self) -> str | None:
        return "text/event-stream"

    def streams(self) -> bool:
        return True

    async def play(self, answer: Answer) -> None:
        await answer.send_payload(self.written)
        await answer.wire.close()
