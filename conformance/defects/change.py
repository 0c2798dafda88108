"""What a wire defect does to a gateway's answers, to the requests that reach it, and to what its process says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.defects.message import Answer


class ChangeError(Exception):
    """A change is not declared well."""


@dataclass(frozen=True)
class Substitution:
    """Replaces what a regular expression finds. `replacement` may use its groups."""

    pattern: re.Pattern[bytes]
    replacement: bytes

    def apply(self, data: bytes) -> bytes:
        """`data` with every occurrence replaced."""
        return self.pattern.sub(self.replacement, data)


@dataclass(frozen=True)
class Where:
    """Which answers are changed. A head is status line and headers with CRLF line ends."""

    status: int | None = None
    head: re.Pattern[bytes] | None = None
    body: re.Pattern[bytes] | None = None  # never fits a stream, whose body is not known when its head is sent

    def fits(self, answer: Answer, body: bytes | None) -> bool:
        """Whether the answer is meant. `body` is None for a stream."""
        if self.status is not None and answer.status != self.status:
            return False
        if self.head is not None and not self.head.search(answer.raw):
            return False
        return self.body is None or (body is not None and self.body.search(body) is not None)


@dataclass(frozen=True)
class Change:
    """A transformation. Without any member it changes nothing."""

    where: Where = Where()
    status: int | None = None
    headers: tuple[tuple[str, str | None], ...] = ()  # None removes the field
    body: tuple[Substitution, ...] = ()  # on whole bodies, and on each event of a stream with its blank line
    announced_length: int = 0  # added to Content-Length
    close: bool = False  # sends the client nothing after the answer, and says so by FIN
    request: tuple[Substitution, ...] = ()  # on head and body; Content-Length is computed anew
    arguments: tuple[Substitution, ...] = ()  # on each argument of the command line
    output: tuple[Substitution, ...] = ()  # on the whole of standard output
    log: tuple[Substitution, ...] = ()  # on each line of standard error
    exit_code: int | None = None
    declaration: Mapping[str, Any] = field(default_factory=dict, compare=False)  # what it was read from

    @classmethod
    def parse(cls, given: object) -> Change:
        """Reads a declaration. Raises ChangeError."""
        members = _mapping(given, "change")
        unknown = sorted(set(members) - (set(cls.__dataclass_fields__) - {"declaration"}))
        if unknown:
            raise ChangeError(f"unknown change: {', '.join(unknown)}")
        parsed: dict[str, Any] = dict(members)
        if "where" in parsed:
            parsed["where"] = _where(parsed["where"])
        if "headers" in parsed:
            parsed["headers"] = tuple(_mapping(parsed["headers"], "headers").items())
        for name in ("body", "request", "arguments", "output", "log"):
            if name in parsed:
                parsed[name] = tuple(_substitutions(parsed[name]))
        return cls(**parsed, declaration=members)


def substitute(data: bytes, substitutions: tuple[Substitution, ...]) -> bytes:
    """Applies substitutions in their order."""
    for substitution in substitutions:
        data = substitution.apply(data)
    return data


def _where(given: object) -> Where:
    members = _mapping(given, "where")
    if set(members) - {"status", "head", "body"}:
        raise ChangeError("where: expected status, head, body")
    status = members.get("status")
    patterns = {name: _pattern(members[name]) for name in ("head", "body") if name in members}
    return Where(status, **patterns)


def _substitutions(given: object) -> Iterator[Substitution]:
    for pattern, replacement in _mapping(given, "substitution").items():
        yield Substitution(_pattern(pattern), str(replacement).encode())


def _pattern(text: object) -> re.Pattern[bytes]:
    try:
        return re.compile(str(text).encode())
    except re.error as error:
        raise ChangeError(f"{text!r}: {error}") from error


def _mapping(given: object, what: str) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise ChangeError(f"{what}: expected a mapping, not {given!r}")
    return given
