"""The model's circuits against examples worked out by hand."""

from __future__ import annotations

import pytest

from tests.model.capacity import Capacity
from tests.model.circuit import Circuit, Effect, Permit
from tests.model.settings import Settings


def fail_until_open(circuit: Circuit, now: int = 0) -> None:
    while circuit.phase(now) == "closed":
        circuit.end(now, circuit.admit(now), "transient", counts=True)


def probe(circuit: Circuit, now: int) -> Permit:
    permit = circuit.admit(now)
    assert permit.probe
    return permit


def test_the_failure_after_the_allowed_ones_opens_for_the_cooldown() -> None:
    circuit = Circuit(Settings(allowed_fails=2, cooldown=5_000))
    changes = [circuit.end(10, circuit.admit(10), "transient", counts=True) for _ in range(3)]
    assert changes == ["counted", "counted", "opened"]
    assert (circuit.phase(5_009), circuit.phase(5_010)) == ("open", "half_open")
    assert circuit.openings == 1


def test_a_window_is_fixed_and_a_success_ends_it() -> None:
    circuit = Circuit(Settings(allowed_fails=1, failure_window=60_000))
    permit = circuit.admit(0)
    assert circuit.end(0, permit, "transient", counts=True) == "counted"
    assert (circuit.failures(59_999), circuit.failures(60_000)) == (1, 0)
    assert circuit.end(60_000, permit, "transient", counts=True) == "counted"
    circuit.end(60_001, permit, "success", counts=False)
    assert circuit.failures(60_001) == 0
    assert circuit.end(60_002, permit, "transient", counts=True) == "counted"
    assert circuit.end(120_001, permit, "transient", counts=True) == "opened"


def test_only_the_first_failure_of_a_request_counts() -> None:
    circuit = Circuit(Settings(allowed_fails=0))
    assert circuit.end(0, circuit.admit(0), "transient", counts=False) == "none"
    assert circuit.end(0, circuit.admit(0), "transient", counts=True) == "opened"


def test_failed_probes_lengthen_the_opening_up_to_the_cap() -> None:
    circuit = Circuit(Settings(allowed_fails=0, cooldown=5_000, max_cooldown=18_000))
    fail_until_open(circuit)
    now, bounds = 5_000, []
    for _ in range(3):
        assert circuit.end(now, probe(circuit, now), "transient", counts=False) == "reopened"
        bounds.append((circuit.earliest - now, circuit.latest - now))
        circuit.saw_end(circuit.latest)
        now = circuit.latest
    assert bounds == [(9_000, 10_000), (16_200, 18_000), (16_200, 18_000)]
    assert circuit.end(now, probe(circuit, now), "success", counts=False) == "closed"
    fail_until_open(circuit, now)
    assert circuit.latest == now + 5_000


def test_an_end_outside_its_bounds_is_refused() -> None:
    circuit = Circuit(Settings(allowed_fails=0))
    fail_until_open(circuit)
    circuit.end(5_000, probe(circuit, 5_000), "configuration", counts=False)
    with pytest.raises(AssertionError, match="ends at 274999"):
        circuit.saw_end(5_000 + 269_999)
    circuit.saw_end(5_000 + 270_000)


@pytest.mark.parametrize(
    ("effect", "change", "phase"),
    [
        ("success", "closed", "closed"),
        ("request", "closed", "closed"),
        ("throttle", "closed", "closed"),
        ("transient", "reopened", "open"),
        ("configuration", "reopened", "open"),
        ("neutral", "released", "half_open"),
    ],
)
def test_what_the_end_of_a_probe_means(effect: Effect, change: str, phase: str) -> None:
    circuit = Circuit(Settings(allowed_fails=0))
    fail_until_open(circuit)
    permit = probe(circuit, 5_000)
    assert circuit.end(5_001, permit, effect, counts=False) == change
    assert circuit.phase(5_001) == phase
    assert not circuit.owned(5_001)
    assert circuit.end(5_002, permit, "configuration", counts=False) == "none"


def test_a_probe_has_one_owner_who_may_vanish() -> None:
    circuit = Circuit(Settings(allowed_fails=0, half_open_probe=30_000))
    fail_until_open(circuit)
    lost = probe(circuit, 5_000)
    circuit.renew(15_000, lost)
    assert (circuit.owned(44_999), circuit.owned(45_000)) == (True, False)
    with pytest.raises(AssertionError, match="beside a probe"):
        circuit.admit(44_999)
    found = probe(circuit, 45_000)
    assert circuit.end(45_001, lost, "success", counts=False) == "none"
    assert circuit.end(45_002, found, "success", counts=False) == "closed"


def test_a_late_result_changes_nothing() -> None:
    circuit = Circuit(Settings(allowed_fails=0))
    late = circuit.admit(0)
    fail_until_open(circuit)
    assert circuit.end(1, late, "configuration", counts=True) == "none"
    assert circuit.latest == 5_000


def test_without_cooldown_only_configuration_opens() -> None:
    circuit = Circuit(Settings(allowed_fails=0, cooldown=0, configuration_cooldown=300_000))
    permit = circuit.admit(0)
    assert circuit.end(0, permit, "transient", counts=True) == "none"
    assert circuit.end(0, permit, "configuration", counts=True) == "opened"
    assert circuit.end(300_000, probe(circuit, 300_000), "transient", counts=True) == "reopened"
    assert circuit.phase(300_000) == "half_open"


def test_a_capacity_circuit_only_grows() -> None:
    capacity = Capacity(Settings(throttle_cooldown=5_000, max_cooldown=20_000))
    assert capacity.throttle(0, 2_000, quota_exhausted=False)
    assert (capacity.open(4_999), capacity.open(5_000)) == (True, False)
    assert not capacity.throttle(0, None, quota_exhausted=False)
    assert capacity.throttle(1, 7_000, quota_exhausted=False)
    assert capacity.until == 7_001
    assert capacity.throttle(1, 90_000, quota_exhausted=False)
    assert capacity.until == 20_001
    assert not capacity.throttle(1, None, quota_exhausted=True)
    assert capacity.throttle(2, None, quota_exhausted=True)
    assert capacity.until == 20_002


def test_the_floor_of_a_capacity_circuit_may_pass_the_cap() -> None:
    capacity = Capacity(Settings(throttle_cooldown=9_000, max_cooldown=3_000))
    capacity.throttle(0, 60_000, quota_exhausted=False)
    assert capacity.until == 9_000
