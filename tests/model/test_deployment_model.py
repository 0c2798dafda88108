"""The model's limits, metrics and views against examples worked out by hand."""

from __future__ import annotations

import pytest

from tests.model.capacity import Capacity
from tests.model.circuit import Effect
from tests.model.deployment import Deployment, Ending
from tests.model.settings import Settings
from tests.model.usage import Average, Health, Minute, Slots, minute_end


def make(rpm_limit: int | None = None, tpm_limit: int | None = None) -> Deployment:
    settings = Settings(allowed_fails=0)
    return Deployment(settings, Capacity(settings), rpm_limit, tpm_limit)


def test_a_minute_begins_with_the_wall_clock() -> None:
    minute = Minute()
    minute.add(59_999, 3)
    assert (minute.count(59_999), minute.count(60_000)) == (3, 0)
    minute.add(60_000, 1)
    assert minute.count(119_999) == 1
    assert (minute_end(60_000), minute_end(119_999)) == (60_000, 1)


def test_a_slot_frees_itself_after_a_minute() -> None:
    slots = Slots()
    slots.hold(0, 1)
    slots.hold(10, 2)
    assert (slots.count(59_999), slots.count(60_000)) == (2, 1)
    slots.hold(60_000, 1)
    slots.give_back(2)
    slots.give_back(2)
    assert slots.count(60_001) == 1


def test_averages_weigh_the_newest_by_a_fifth() -> None:
    average = Average()
    for sample in (100.0, 200.0, 0.0):
        average.add(sample)
    assert average.value == pytest.approx(96.0)


def test_health_forgets_ten_seconds_at_a_time() -> None:
    health = Health()
    assert health.score(0) == 0.5
    health.add(9_999, success=True)
    health.add(10_000, success=False)
    assert (health.count(599_999), health.count(600_000)) == ((1, 1), (0, 1))
    assert health.score(600_000) == 0.0
    assert health.score(610_000) == 0.5


def test_limits_refuse_until_the_minute_is_over() -> None:
    deployment = make(rpm_limit=1, tpm_limit=10)
    permit = deployment.admit(1_000, 1)
    assert deployment.obstacles(1_000) == {"limit": 60_000}
    deployment.end(61_000, 1, permit, Ending("success", took=500, total_tokens=10, completion_tokens=5))
    assert deployment.obstacles(61_000) == {"limit": 120_000}
    assert deployment.status(61_000) == ("rate_limited", 59_000)
    assert deployment.status(120_000) == ("available", None)
    assert (deployment.latency.value, deployment.throughput.value) == (500.0, 10.0)


def test_a_failure_counts_no_tokens_and_measures_nothing() -> None:
    deployment = make()
    deployment.end(5, 1, deployment.admit(0, 1), Ending("transient", took=5, total_tokens=9, completion_tokens=9))
    assert deployment.tokens.count(5) == 0
    assert (deployment.latency.value, deployment.throughput.value) == (None, None)
    assert deployment.health.count(5) == (0, 1)


def test_only_faults_of_the_upstream_lower_health() -> None:
    deployment = make()
    effects: tuple[Effect, ...] = ("throttle", "request", "neutral")
    for effect in effects:
        permit = deployment.circuit.admit(0)
        deployment.end(0, 1, permit, Ending(effect))
    assert deployment.health.count(0) == (0, 0)


def test_the_first_obstacle_names_the_status() -> None:
    deployment = make(rpm_limit=2)
    late = deployment.admit(0, 1)
    deployment.end(0, 2, deployment.admit(0, 2), Ending("transient"))
    deployment.end(0, 1, late, Ending("throttle", retry_after=100_000))
    assert list(deployment.obstacles(0)) == ["circuit", "limit", "capacity"]
    assert deployment.status(4_999) == ("cooldown", 1)
    assert deployment.status(5_000) == ("half_open", 0)
    assert list(deployment.obstacles(5_000)) == ["limit", "capacity"]
    permit = deployment.admit(100_000, 3)
    assert deployment.status(100_000) == ("half_open", 30_000)
    assert list(deployment.obstacles(100_000)) == ["probe"]
    deployment.end(100_000, 3, permit, Ending("throttle"))
    assert deployment.status(100_000) == ("rate_limited", 5_000)


def test_a_streams_probe_is_decided_when_it_commits() -> None:
    deployment = make()
    deployment.end(0, 1, deployment.admit(0, 1), Ending("configuration"))
    permit = deployment.admit(300_000, 2)
    assert deployment.confirm(300_000, permit) == "closed"
    assert deployment.end(300_001, 2, permit, Ending("transient")) == ("none", False)
    assert deployment.status(300_001) == ("available", None)
    assert deployment.health.count(300_001) == (0, 2)
