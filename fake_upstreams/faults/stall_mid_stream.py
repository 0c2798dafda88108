from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..sse import SseStyle
from ..steps import Fault


@dataclass(frozen=True)
class StallMidStream(Fault):
    """A stream stops inside an event, and the connection stays open until the client closes.

    With `until` the stream carries on with the next step once the test releases that gate.
    In production: a GPU that hangs, or a network path that went away without a word.
    """

    name = "stall_mid_stream"
    written: bytes = b'data: {"id":"chatcmpl-fake","choices":[{"index":0,"delta":{"cont'
    """What still comes of the event."""
    until: str | None = None

    def payload(self, style: SseStyle) -> bytes:
        return self.written

    def content_type(self) -> str | None:
        return "text/event-stream"

    def streams(self) -> bool:
        return True

    async def play(self, answer: Answer) -> None:
        await answer.send_payload(self.written)
        if self.until is None:
            await answer.wire.gone()
        else:
            await answer.pause(None, self.until)
