"""Events of a stream as bytes, in every spelling that the SSE format allows."""

from __future__ import annotations

from dataclasses import dataclass

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class SseStyle:
    """How events are spelled: `newline` is LF, CRLF or CR; `space` follows each colon; `bom` opens the stream."""

    newline: str = "\n"
    space: bool = True
    bom: bool = False


def encode_event(
    style: SseStyle,
    *,
    data: str | None = None,
    name: str | None = None,
    event_id: str | None = None,
    comment: str | None = None,
) -> bytes:
    """One event with its empty line. Data of several lines becomes several `data` lines."""
    colon = ": " if style.space else ":"
    lines: list[str] = []
    if comment is not None:
        lines += [f"{colon}{line}" for line in comment.split("\n")]
    if name is not None:
        lines.append(f"event{colon}{name}")
    if event_id is not None:
        lines.append(f"id{colon}{event_id}")
    if data is not None:
        lines += [f"data{colon}{line}" for line in data.split("\n")]
    return (style.newline.join(lines) + 2 * style.newline).encode()
