"""What is counted: requests and tokens per minute, slots in use, averages, successes and failures."""

from __future__ import annotations

from dataclasses import dataclass, field

MINUTE = 60_000
SLOT_LIFE = 60_000
BUCKET = 10_000
BUCKETS = 60


@dataclass
class Minute:
    """A count that begins anew with every minute of the wall clock."""

    minute: int = 0
    total: int = 0

    def add(self, wall: int, amount: int) -> None:
        self.total = self.count(wall) + amount
        self.minute = wall // MINUTE

    def count(self, wall: int) -> int:
        return self.total if wall // MINUTE == self.minute else 0


def minute_end(wall: int) -> int:
    """How long the minute still lasts."""
    return MINUTE - wall % MINUTE


@dataclass
class Slots:
    """In-flight attempts. A slot lives for a minute from when it was taken or renewed."""

    taken: dict[int, int] = field(default_factory=dict)

    def hold(self, now: int, who: int) -> None:
        self.taken[who] = now + SLOT_LIFE

    def give_back(self, who: int) -> None:
        self.taken.pop(who, None)

    def count(self, now: int) -> int:
        return sum(now < until for until in self.taken.values())


@dataclass
class Average:
    """Exponentially weighted with 0.2 for the newest; the first stands as it is."""

    value: float | None = None

    def add(self, sample: float) -> None:
        self.value = sample if self.value is None else 0.8 * self.value + 0.2 * sample


@dataclass
class Health:
    """Outcomes of the last ten minutes, forgotten ten seconds' worth at a time."""

    outcomes: list[tuple[int, bool]] = field(default_factory=list)

    def add(self, now: int, *, success: bool) -> None:
        self.outcomes.append((now // BUCKET, success))

    def count(self, now: int) -> tuple[int, int]:
        """Successes and failures."""
        recent = [success for bucket, success in self.outcomes if bucket > now // BUCKET - BUCKETS]
        return recent.count(True), recent.count(False)

    def score(self, now: int) -> float:
        good, bad = self.count(now)
        return good / (good + bad) if good + bad else 0.5
