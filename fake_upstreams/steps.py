"""The steps of a reply. A step adds to the head, writes something, or waits."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from .sse import SseStyle, encode_event

if TYPE_CHECKING:
    from .answer import Answer


def compact(document: Any) -> str:
    """JSON as providers send it: no spaces, non-ASCII characters as they are."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Step:
    """One step. Subclasses say in `play` what they do to the answer that is being written."""

    def payload(self, style: SseStyle) -> bytes:
        """What this step adds to the body; known beforehand so that Content-Length can be computed."""
        return b""

    def content_type(self) -> str | None:
        """The Content-Type that this step gives the reply unless `headers` names one."""
        return None

    def streams(self) -> bool:
        """Whether the reply is chunked where it does not say otherwise."""
        return False

    def describe(self) -> str:
        """A line for the journal."""
        return repr(self)

    async def play(self, answer: Answer) -> None:
        """Does the step. Raises ClientGone when the client closes meanwhile."""
        await answer.send_payload(self.payload(answer.style))


@dataclass(frozen=True)
class Status(Step):
    """The status line, 200 where no step sets it. `reason` defaults to the registered phrase."""

    code: int
    reason: str | None = None

    async def play(self, answer: Answer) -> None:
        answer.set_status(self.code, self.reason)


@dataclass(frozen=True)
class Headers(Step):
    """Header fields in the given order and spelling; a value may be a list for a repeated field."""

    fields: Mapping[str, str | int | Sequence[str]]

    async def play(self, answer: Answer) -> None:
        for name, value in self.fields.items():
            for one in [value] if isinstance(value, str | int) else value:
                answer.add_header(name, str(one))


@dataclass(frozen=True)
class Body(Step):
    """Bytes of the body."""

    data: bytes
    type: str | None = None

    @staticmethod
    def text(text: str) -> Body:
        return Body(text.encode(), "text/plain; charset=utf-8")

    @staticmethod
    def json(document: Any) -> Body:
        return Body(compact(document).encode(), "application/json")

    def payload(self, style: SseStyle) -> bytes:
        return self.data

    def content_type(self) -> str | None:
        return self.type


@dataclass(frozen=True)
class Event(Step):
    """One SSE event: `data` (text, or anything else as JSON), `name`, `id`, a `comment`, or `raw` bytes instead."""

    data: Any = None
    name: str | None = None
    id: str | None = None
    comment: str | None = None
    raw: bytes | None = None

    def payload(self, style: SseStyle) -> bytes:
        if self.raw is not None:
            return self.raw
        data = self.data if self.data is None or isinstance(self.data, str) else compact(self.data)
        return encode_event(style, data=data, name=self.name, event_id=self.id, comment=self.comment)

    def message(self) -> bytes:
        """The text that it is over a WebSocket, which has no names and no comments."""
        if self.raw is not None:
            return self.raw
        return (self.data if isinstance(self.data, str) else compact(self.data)).encode()

    async def play(self, answer: Answer) -> None:
        if answer.upgraded:
            await answer.send_message(self.message())
        else:
            await super().play(answer)

    def describe(self) -> str:
        if isinstance(self.data, dict) and "choices" in self.data:
            # The members that are the same in every frame would hide what this one says.
            told = {name: value for name, value in self.data.items() if name in ("choices", "usage")}
            return f"Event({compact(told)})"
        return f"Event({self.payload(SseStyle())!r})"

    def content_type(self) -> str | None:
        return "text/event-stream"

    def streams(self) -> bool:
        return True


@dataclass(frozen=True)
class Pause(Step):
    """Waits some milliseconds of real time, or until the test releases the gate `until`.

    A head that `status` or `headers` has begun goes out first, so `status`, `pause` is silence after the headers and
    `pause`, `status` is silence before them.
    """

    milliseconds: float | None = None
    until: str | None = None

    async def play(self, answer: Answer) -> None:
        await answer.send_begun_head()
        await answer.pause(self.milliseconds, self.until)


@dataclass(frozen=True)
class Bytes(Step):
    """Writes exactly these bytes, outside any framing. As the first thing written they own the head as well."""

    data: bytes

    async def play(self, answer: Answer) -> None:
        await answer.send_raw(self.data)


@dataclass(frozen=True)
class Repeated(Step):
    """The same step several times."""

    step: Step
    times: int

    def payload(self, style: SseStyle) -> bytes:
        return self.step.payload(style) * self.times

    def describe(self) -> str:
        return f"{self.times} times {self.step.describe()}"

    def content_type(self) -> str | None:
        return self.step.content_type()

    def streams(self) -> bool:
        return self.step.streams()

    async def play(self, answer: Answer) -> None:
        for _ in range(self.times):
            await self.step.play(answer)


class Fault(Step):
    """A named fault, see the package `faults`."""

    name: ClassVar[str]
    at_accept: ClassVar[bool] = False
    """Played as soon as a new connection is accepted, when the reply begins with it."""
