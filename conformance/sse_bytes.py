"""Reading server-sent events as strictly as the narrowest client does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


class FramingError(AssertionError):
    """The stream uses framing that some official client cannot read."""


@dataclass(frozen=True)
class Event:
    """One event with data, or a comment."""

    data: str = ""
    comment: str | None = None
    name: str | None = None

    def json(self) -> Any:
        """The payload as JSON."""
        return json.loads(self.data)

    @property
    def is_done(self) -> bool:
        """True for the end marker."""
        return self.data == "[DONE]"


def parse_events(body: bytes) -> list[Event]:
    """Splits a body into its events.

    Accepts only LF, and per event one comment, or at most one `event: ` line and then `data: ` lines, and a blank line:
    no BOM, `id`, `retry`. Only some contracts have names: a scenario says which events it wants.
    """
    if not body:
        return []
    if not body.endswith(b"\n\n"):
        raise FramingError(f"the last event has no blank line after it: {body[-200:]!r}")
    return [_event(block) for block in body[:-2].decode("utf-8").split("\n\n")]


def _event(block: str) -> Event:
    lines = block.split("\n")
    if "\r" in block:
        raise FramingError(f"a carriage return in an event: {block!r}")
    name = lines.pop(0).removeprefix("event: ") if lines[0].startswith("event: ") else None
    if lines and all(line.startswith("data: ") for line in lines):
        return Event(data="\n".join(line.removeprefix("data: ") for line in lines), name=name)
    if len(lines) == 1 and block.startswith(":"):
        return Event(comment=block.removeprefix(":").removeprefix(" "))
    raise FramingError(f"neither data nor one comment: {block!r}")
