"""HTTP/1.1 messages as a proxy needs them: where a head ends, how long its body is, and how to write both again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_STATUS = re.compile(rb"^HTTP/1\.[01] (\d{3})")


@dataclass(frozen=True)
class Head:
    """The first line and the header fields, blank line included."""

    raw: bytes

    def field(self, name: str) -> str | None:
        """The value of the first field of that name."""
        match = re.search(rb"(?im)^%s:[ \t]*(.*?)[ \t]*\r$" % re.escape(name.encode()), self.raw)
        return match.group(1).decode("latin-1") if match else None

    def with_field(self, name: str, value: str | None) -> bytes:
        """The raw head with the field replaced, added if it was not there, or removed where `value` is None."""
        lines = self.raw.split(b"\r\n")[:-2]
        start = name.lower().encode() + b":"
        kept = [line for line in lines[1:] if not line.lower().startswith(start)]
        if value is not None:
            kept.append(f"{name}: {value}".encode("latin-1"))
        return b"\r\n".join([lines[0], *kept, b"", b""])

    @property
    def length(self) -> int | None:
        """Content-Length, or None."""
        value = self.field("content-length")
        return int(value) if value is not None and value.isdigit() else None

    @property
    def chunked(self) -> bool:
        """Whether the body comes in chunks."""
        return (self.field("transfer-encoding") or "").lower() == "chunked"


@dataclass(frozen=True)
class Answer(Head):
    """The head of an answer."""

    @property
    def status(self) -> int:
        """The status code, 0 if there is none."""
        match = _STATUS.match(self.raw)
        return int(match.group(1)) if match else 0

    @property
    def bodiless(self) -> bool:
        """Whether no body follows whatever the fields say."""
        return self.status < 200 or self.status in (204, 304)

    def changed(self, status: int | None, headers: Iterable[tuple[str, str | None]], length: int | None) -> bytes:
        """The raw head with another status, other fields, and this Content-Length if it has one."""
        head = Head(self.raw if status is None else self.raw.replace(b" %d " % self.status, b" %d " % status, 1))
        if length is not None:
            head = Head(head.with_field("content-length", str(length)))
        for name, value in headers:
            head = Head(head.with_field(name, value))
        return head.raw


def chunk(payload: bytes) -> bytes:
    """A chunk of a body; nothing for an empty payload, since that would end the body."""
    return b"%x\r\n%s\r\n" % (len(payload), payload) if payload else b""


LAST_CHUNK = b"0\r\n\r\n"


def split_events(data: bytes) -> tuple[list[bytes], bytes]:
    """Whole events, each with its blank line, and what is left of an unfinished one."""
    *whole, rest = data.split(b"\n\n")
    return [event + b"\n\n" for event in whole], rest
