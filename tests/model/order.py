"""What a strategy's order of candidates must look like, whatever was drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Facts:
    """What is known of one candidate when the choice is made."""

    weight: int = 1
    eligible: bool = True
    in_flight: int = 0
    rpm: int = 0
    tpm: int = 0
    latency: float | None = None
    throughput: float | None = None
    price: float | None = None
    """None if any deployment of the pool has none, or another basis."""
    health: float | None = None
    """None without a record."""


def check(strategy: str, among: Mapping[str, Facts], order: Sequence[str], *, pool_of_one: bool) -> None:
    """`order` is asked from first to last; `among` is everybody who may be asked at all."""
    assert len(set(order)) == len(order)
    if pool_of_one:
        assert set(order) == set(among)
        return
    assert set(order) == {name for name, facts in among.items() if is_candidate(strategy, facts)}
    ranked = [among[name] for name in order]
    if strategy == "simple-shuffle":
        return
    if strategy != "price-based":
        eligible = [facts.eligible for facts in ranked]
        assert eligible == sorted(eligible, reverse=True), "somebody who is refused comes before somebody who is not"
        ranked = [facts for facts in ranked if facts.eligible]
    key = _key(strategy, ranked)
    for before, after in pairwise(ranked):
        assert key(before) <= key(after) + TOLERANCE, f"{strategy} prefers {after} to {before}"


def is_candidate(strategy: str, facts: Facts) -> bool:
    """Weight 0 is out wherever a weight decides."""
    if facts.weight > 0 or strategy in ("least-busy", "usage-based-rpm", "usage-based-tpm"):
        return True
    value = {"latency-based": facts.latency, "throughput-based": facts.throughput, "price-based": facts.price}
    return value.get(strategy) is not None


def _key(strategy: str, ranked: Sequence[Facts]) -> Callable[[Facts], float]:
    """Lowest first; equal where chance decides."""
    unknown = float("inf")
    match strategy:
        case "least-busy":
            return lambda facts: facts.in_flight
        case "usage-based-rpm":
            return lambda facts: facts.rpm
        case "usage-based-tpm":
            return lambda facts: facts.tpm
        case "latency-based":
            return lambda facts: unknown if facts.latency is None else facts.latency
        case "throughput-based":
            return lambda facts: unknown if facts.throughput is None else -facts.throughput
        case "price-based":
            return lambda facts: unknown if facts.price is None else facts.price
    assert strategy == "health-aware"
    if all(facts.health is None for facts in ranked):
        return lambda _: 0.0
    return lambda facts: -facts.weight * (0.5 if facts.health is None else facts.health)
