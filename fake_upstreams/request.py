"""A request as it came: parsed for reading, and its exact bytes kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


class Fields(Mapping[str, str]):
    """Header fields; names compare without case, a repeated field joins with `, ` (as RFC 9110 5.3 says)."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self.pairs = pairs
        """Every field line in the order and spelling of the wire."""
        self._joined: dict[str, str] = {}
        for name, value in pairs:
            key = name.lower()
            self._joined[key] = f"{self._joined[key]}, {value}" if key in self._joined else value

    def __getitem__(self, name: str) -> str:
        return self._joined[name.lower()]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._joined

    def __iter__(self) -> Iterator[str]:
        return iter(self._joined)

    def __len__(self) -> int:
        return len(self._joined)

    def __repr__(self) -> str:
        return f"Fields({self.pairs!r})"


@dataclass(frozen=True)
class Request:
    """One whole request."""

    number: int
    """Counts from 1 over the whole upstream, in the order in which requests became complete."""
    connection: int
    """Counts from 1 in the order of acceptance; two requests with one number shared a connection."""
    method: str
    target: str
    """As on the request line, with the query."""
    headers: Fields
    body: bytes
    """Decoded from chunked coding where it was used."""
    raw: bytes
    """Exactly what was received: head, framing and body."""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    @property
    def json(self) -> Any:
        """The body as JSON. Raises ValueError when it is none."""
        return json.loads(self.body)

    @property
    def model(self) -> str | None:
        """The member `model` of a JSON body, None where there is none."""
        try:
            document = self.json
        except ValueError:
            return None
        model = document.get("model") if isinstance(document, dict) else None
        return model if isinstance(model, str) else None

    def keeps_alive(self) -> bool:
        return "close" not in self.headers.get("connection", "").lower()

    def __str__(self) -> str:
        return f"{self.method} {self.target} ({len(self.body)} bytes of body)"
