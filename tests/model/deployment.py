"""One deployment: what it admits, what attempts leave behind, and what a view of it shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tests.model.capacity import Capacity
from tests.model.circuit import Change, Circuit, Effect, Permit
from tests.model.settings import Settings
from tests.model.usage import Average, Health, Minute, Slots, minute_end

Obstacle = Literal["circuit", "probe", "limit", "capacity"]
Status = Literal["available", "cooldown", "half_open", "rate_limited"]


@dataclass(frozen=True)
class Ending:
    """How an attempt ended."""

    effect: Effect
    retry_after: int | None = None
    quota_exhausted: bool = False
    counts: bool = True
    """A transient failure is the first of its logical request here."""
    took: int = 0
    """Of a success: until the last byte came, without the gateway's own pauses."""
    total_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass
class Deployment:
    """`capacity` is shared with all of its failure domain."""

    settings: Settings
    capacity: Capacity
    rpm_limit: int | None = None
    tpm_limit: int | None = None
    wall_offset: int = 0
    circuit: Circuit = field(init=False)
    slots: Slots = field(default_factory=Slots)
    requests: Minute = field(default_factory=Minute)
    tokens: Minute = field(default_factory=Minute)
    latency: Average = field(default_factory=Average)
    throughput: Average = field(default_factory=Average)
    health: Health = field(default_factory=Health)

    def __post_init__(self) -> None:
        self.circuit = Circuit(self.settings)

    def wall(self, now: int) -> int:
        return self.wall_offset + now

    def at_limit(self, now: int) -> bool:
        wall = self.wall(now)
        return (self.rpm_limit is not None and self.requests.count(wall) >= self.rpm_limit) or (
            self.tpm_limit is not None and self.tokens.count(wall) >= self.tpm_limit
        )

    def obstacles(self, now: int) -> dict[Obstacle, int]:
        """Everything that is in the way, with the moment at which it goes; the first is the one that is named."""
        found: dict[Obstacle, int] = {}
        if self.circuit.phase(now) == "open":
            found["circuit"] = self.circuit.latest
        elif self.circuit.owned(now):
            found["probe"] = self.circuit.owner_until
        if self.at_limit(now):
            found["limit"] = now + minute_end(self.wall(now))
        if self.capacity.open(now):
            found["capacity"] = self.capacity.until
        return found

    def admit(self, now: int, who: int) -> Permit:
        assert not self.obstacles(now), f"admitted in spite of {self.obstacles(now)}"
        self.slots.hold(now, who)
        self.requests.add(self.wall(now), 1)
        return self.circuit.admit(now)

    def renew(self, now: int, who: int, permit: Permit) -> None:
        self.slots.hold(now, who)
        self.circuit.renew(now, permit)

    def confirm(self, now: int, permit: Permit) -> Change:
        """A stream showed its first output: a probe has its answer."""
        return self.circuit.end(now, permit, "success", counts=False) if permit.probe else "none"

    def end(self, now: int, who: int, permit: Permit, how: Ending) -> tuple[Change, bool]:
        """What it did to the circuit, and whether the capacity circuit got longer."""
        self.slots.give_back(who)
        lengthened = how.effect == "throttle" and self.capacity.throttle(
            now, how.retry_after, quota_exhausted=how.quota_exhausted
        )
        if how.effect == "success":
            self._measure(now, how)
        if how.effect in ("success", "transient", "configuration"):
            self.health.add(now, success=how.effect == "success")
        return self.circuit.end(now, permit, how.effect, counts=how.counts), lengthened

    def _measure(self, now: int, how: Ending) -> None:
        if how.total_tokens is not None:
            self.tokens.add(self.wall(now), how.total_tokens)
        self.latency.add(float(how.took))
        if how.completion_tokens and how.took > 0:
            self.throughput.add(how.completion_tokens * 1000 / how.took)

    def status(self, now: int) -> tuple[Status, int | None]:
        """As the view of deployments says it, with its remaining milliseconds."""
        phase = self.circuit.phase(now)
        if phase == "open":
            return "cooldown", self.circuit.latest - now
        if phase == "half_open":
            return "half_open", self.circuit.owner_until - now if self.circuit.owned(now) else 0
        if ends := self.obstacles(now).values():
            return "rate_limited", max(ends) - now
        return "available", None
