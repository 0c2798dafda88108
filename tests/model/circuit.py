"""The circuit of one deployment.

Closed, it counts transient failures in a window that begins with the first of them and never slides; one more than
`allowedFails` opens it, a configuration failure at once. Open, it admits nobody. When its time is over it is half-open:
one attempt at a time probes, and its end closes the circuit, reopens it for longer, or leaves it to the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.model.settings import Settings

Phase = Literal["closed", "open", "half_open"]
Cause = Literal["transient", "configuration"]
Effect = Literal["success", "transient", "configuration", "throttle", "request", "neutral"]
Change = Literal["none", "counted", "opened", "reopened", "closed", "released"]


@dataclass(frozen=True)
class Permit:
    """Under which opening and which probe an attempt was let through."""

    era: int
    probe: bool


@dataclass
class Circuit:
    """Its state between two events. `earliest` and `latest` bound the end of an opening whose length is spread."""

    settings: Settings
    opened: bool = False
    cause: Cause = "transient"
    openings: int = 0
    earliest: int = 0
    latest: int = 0
    owner: Permit | None = None
    owner_until: int = 0
    era: int = 0
    count: int = 0
    window_from: int = 0

    def phase(self, now: int) -> Phase:
        if not self.opened:
            return "closed"
        assert self.earliest == self.latest or now < self.earliest, "nobody has said when this opening ends"
        return "open" if now < self.latest else "half_open"

    def owned(self, now: int) -> bool:
        """Half-open, and somebody is probing."""
        return self.phase(now) == "half_open" and self.owner is not None and now < self.owner_until

    def failures(self, now: int) -> int:
        return self.count if now < self.window_from + self.settings.failure_window else 0

    def saw_end(self, until: int) -> None:
        """The opening was seen to end then."""
        assert self.earliest <= until <= self.latest, f"ends at {until}, not in {self.earliest}..{self.latest}"
        self.earliest = self.latest = until

    def admit(self, now: int) -> Permit:
        phase = self.phase(now)
        assert phase != "open", "admitted through an open circuit"
        assert not self.owned(now), "admitted beside a probe"
        if phase == "closed":
            return Permit(self.era, probe=False)
        self.era += 1
        self.owner = Permit(self.era, probe=True)
        self.owner_until = now + self.settings.half_open_probe
        return self.owner

    def renew(self, now: int, permit: Permit) -> None:
        if permit == self.owner:
            self.owner_until = now + self.settings.half_open_probe

    def end(self, now: int, permit: Permit, effect: Effect, *, counts: bool) -> Change:
        """`counts`: a transient failure is the first of its logical request on this deployment."""
        if permit.era != self.era:
            return "none"
        return self._end_probe(now, effect) if permit.probe else self._end_plain(now, effect, counts=counts)

    def _end_plain(self, now: int, effect: Effect, *, counts: bool) -> Change:
        if effect == "success":
            self.count = 0
        elif effect == "configuration":
            self._open(now, "configuration")
            return "opened"
        elif effect == "transient" and counts and self.settings.cooldown > 0:
            self.count = self.failures(now)
            if self.count == 0:
                self.window_from = now
            self.count += 1
            if self.count > self.settings.allowed_fails:
                self._open(now, "transient")
                return "opened"
            return "counted"
        return "none"

    def _end_probe(self, now: int, effect: Effect) -> Change:
        self.owner = None
        self.era += 1
        if effect == "neutral":
            return "released"
        if effect == "transient" or effect == "configuration":
            self._open(now, effect)
            return "reopened"
        self.opened = False
        self.openings = 0
        return "closed"

    def _open(self, now: int, cause: Cause) -> None:
        self.era += 1
        self.opened = True
        self.cause = cause
        self.count = 0
        self.openings += 1
        base = self.settings.cooldown if cause == "transient" else self.settings.configuration_cooldown
        if self.openings == 1:
            self.earliest = self.latest = now + base
            return
        longest = min(base * 2 ** (self.openings - 1), max(self.settings.max_cooldown, base))
        # The spread may cut up to a tenth off. The end is seen in whole milliseconds, rounded up.
        self.latest = now + longest
        self.earliest = now + -(-longest * 9 // 10)
