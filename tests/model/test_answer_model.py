"""The model's answers against examples worked out by hand."""

from __future__ import annotations

from tests.model.answer import Blocked, Told, nothing_admissible

OPEN = Blocked("circuit", 5_001)
QUARANTINED = Blocked("circuit", 300_000, misconfigured=True)
PROBED = Blocked("probe", 30_000)
FULL = Blocked("limit", 60_000)
THROTTLED = Blocked("capacity", 9_000)


def test_open_circuits_overload_the_model_until_the_first_ends() -> None:
    assert nothing_admissible(0, [OPEN, QUARANTINED, PROBED], []) == Told(503, "model_overloaded", 6)
    assert nothing_admissible(5_000, [OPEN], []) == Told(503, "model_overloaded", 1)
    assert nothing_admissible(0, [PROBED], [OPEN]) == Told(503, "model_overloaded", 6)


def test_misconfigured_or_nobody_is_unavailable() -> None:
    assert nothing_admissible(0, [QUARANTINED], [OPEN]) == Told(503, "model_unavailable", None)
    assert nothing_admissible(0, [], [FULL]) == Told(503, "model_unavailable", None)


def test_a_limit_or_capacity_among_them_is_a_rate_limit() -> None:
    assert nothing_admissible(0, [FULL], []) == Told(429, "rate_limit_exceeded", 60)
    assert nothing_admissible(0, [THROTTLED, QUARANTINED], []) == Told(429, "rate_limit_exceeded", 9)
