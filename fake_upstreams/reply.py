"""A reply (which request it wants, and its steps) and a script (the replies of one upstream), as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .coding import Coding
from .sse import SseStyle
from .steps import Fault, Step

Framing = Literal["chunked", "length", "close"]


@dataclass(frozen=True)
class Expect:
    """What a request must be like; None means that anything will do."""

    method: str | None = None
    path: str | None = None
    """Without the query; where it holds a `?` the whole target is compared."""
    headers: Mapping[str, str | None] = field(default_factory=dict)
    """A subset; None means that the header must be absent."""
    model: str | None = None
    json: Any = None
    """A subset: every member that is named here must be equal there, to any depth."""
    body: bytes | None = None
    """The whole body, exactly."""


@dataclass(frozen=True)
class Reply:
    """One entry of a script."""

    steps: tuple[Step, ...]
    expect: Expect = Expect()
    times: int | None = 1
    """How many requests it answers, and must answer; None = any number from one."""
    optional: bool = False
    """Whether it may stay unused, or be used less often than `times`."""
    framing: Framing | None = None
    """None = chunked where the reply has events, else by length."""
    sse: SseStyle = field(default_factory=SseStyle)
    coding: Coding | None = None
    """How the body is encoded, which Content-Encoding then says unless a header does."""

    @property
    def first_fault(self) -> Fault | None:
        """The fault that the reply begins with, where it does."""
        return self.steps[0] if self.steps and isinstance(self.steps[0], Fault) else None


@dataclass(frozen=True)
class Script:
    """All that one upstream does."""

    replies: tuple[Reply, ...] = ()
    strict: bool = True
    """Whether an unexpected request and an unused reply are errors."""
    ordered: bool = True
    """False: a request takes the first reply that expects it, whichever came before."""
    tls: bool = False
    """Whether it speaks TLS with a certificate for 127.0.0.1 and localhost that `ca_file` trusts."""
    host: str = "127.0.0.1"
    """The loopback address that it listens on: this or `::1`."""
    port: int = 0
