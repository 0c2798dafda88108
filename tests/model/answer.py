"""What the caller is told when nothing could be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.model.deployment import Obstacle


@dataclass(frozen=True)
class Blocked:
    """A candidate that was refused."""

    why: Obstacle
    until: int
    misconfigured: bool = False
    """Of a circuit or a probe: a configuration failure opened it."""


@dataclass(frozen=True)
class Told:
    status: int
    code: str
    retry_after: int | None
    """Whole seconds."""


def nothing_admissible(now: int, primary: Sequence[Blocked], fallbacks: Sequence[Blocked]) -> Told:
    """The primary pool says why; whoever is free first says when to come again."""
    earliest = min((blocked.until for blocked in (*primary, *fallbacks)), default=now)
    seconds = max(1, -(-(earliest - now) // 1000))
    if any(blocked.why in ("limit", "capacity") for blocked in primary):
        return Told(429, "rate_limit_exceeded", seconds)
    if all(blocked.misconfigured for blocked in primary):
        return Told(503, "model_unavailable", None)
    return Told(503, "model_overloaded", seconds)
