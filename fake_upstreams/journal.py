"""What happened on an upstream, in order, so that a failing test can show it."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """One thing that happened on one connection (0 = the upstream itself)."""

    connection: int
    milliseconds: float
    """Since the upstream started."""
    text: str


class Journal:
    """A list of entries with one clock; the times help a reader and no test may depend on them."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self.entries: list[Entry] = []

    def note(self, connection: int, text: str) -> None:
        self.entries.append(Entry(connection, (time.monotonic() - self._start) * 1000.0, text))

    def render(self) -> str:
        """The entries grouped by connection, each with its relative milliseconds."""
        lines: list[str] = []
        for number in sorted({entry.connection for entry in self.entries}):
            lines.append(f"  connection {number}:" if number else "  upstream:")
            lines += [
                f"    {entry.milliseconds:9.1f} ms  {entry.text}"
                for entry in self.entries
                if entry.connection == number
            ]
        return "\n".join(lines) if lines else "  (nothing happened)"
