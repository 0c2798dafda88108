"""The routing engine as scripts use it."""

from __future__ import annotations

import doctest
import json
from collections import Counter
from typing import Any

import pytest

import turnout
import turnout._engine
from turnout import Engine, LogicalRequest

UPSTREAM = {
    "publicModel": "gpt",
    "adapterKey": "openaicompatible",
    "upstreamModel": "m",
    "credentials": {"baseUrl": "http://127.0.0.1:9/v1"},
}


def pool(*names: str, **settings: Any) -> list[dict[str, Any]]:
    return [{**UPSTREAM, "id": name, **settings} for name in names]


def engine_of(*deployments: dict[str, Any], seed: int = 0, wall_ms: int = 0, **router: Any) -> Engine:
    return Engine({"deployments": list(deployments), "routerSettings": router}, seed=seed, wall_ms=wall_ms)


def standing(request: LogicalRequest) -> tuple[str, str | None, int | None]:
    return request.state, request.deployment, request.until_ms


@pytest.mark.rule("PY-ENGINE-001")
def test_an_engine_takes_what_a_gateway_takes() -> None:
    with pytest.raises(turnout.ConfigurationError) as bad:
        Engine({"deployments": pool("a", weight=-1)})
    assert [problem.path for problem in bad.value.problems] == ["deployments[0].weight"]
    assert Engine(json.dumps({"deployments": pool("a")})).begin("gpt").deployment == "a"
    for arguments in ({"wall_ms": -1}, {"wall_ms": 10**13}):
        with pytest.raises(ValueError, match="wall_ms must be"):
            Engine({"deployments": pool("a")}, **arguments)


@pytest.mark.rule("PY-ENGINE-003")
def test_time_stands_still_until_it_is_moved() -> None:
    engine = engine_of(*pool("a"), wall_ms=59_000)
    assert (engine.now_ms, engine.wall_ms) == (0, 59_000)
    request = engine.begin("gpt")
    request.fail(status=500)
    state, deployment, until = standing(request)
    assert (state, deployment) == ("waiting", None)
    assert until is not None
    assert 500 <= until <= 625
    engine.advance(until - 1)
    assert standing(request) == ("waiting", None, until)
    engine.advance(1)
    assert standing(request) == ("attempt", "a", None)
    assert (engine.now_ms, engine.wall_ms) == (until, 59_000 + until)
    for step in (-1, 10**13):
        with pytest.raises(ValueError, match="ms must be"):
            engine.advance(step)


@pytest.mark.rule("PY-ENGINE-003")
def test_what_falls_due_happens_in_order_of_time() -> None:
    engine = engine_of(*pool("a", rpmLimit=3), allowedFails=9)
    first, second = engine.begin("gpt"), engine.begin("gpt")
    engine.advance(100)
    second.fail(status=500)
    engine.advance(100)
    first.fail(status=500)
    assert second.until_ms is not None
    assert first.until_ms is not None
    assert second.until_ms < first.until_ms
    engine.advance(1_000)
    assert second.state == "attempt"  # it took the last request of the minute
    assert (first.state, first.verdict) == ("finished", "failed")
    assert [decision.at_ms for decision in second.decisions] == [0, 100, second.decisions[1].until_ms]


@pytest.mark.rule("PY-ENGINE-003")
def test_total_ms_ends_attempts_and_waits() -> None:
    policies = {"chat": {"json": {"responseMs": 1_000, "idleMs": None, "totalMs": 1_000, "maxAttempts": 3}}}
    engine = Engine({"deployments": pool("a"), "routerSettings": {"executionPolicies": policies}})
    request = engine.begin("gpt")
    engine.advance(999)
    assert request.state == "attempt"
    engine.advance(1)
    assert (request.state, request.verdict) == ("finished", "expired")
    assert request.attempts[0].failure == "transient"
    assert request.answer is not None
    assert (request.answer.status, request.answer.code, request.answer.should_retry) == (504, "timeout", False)


@pytest.mark.rule("PY-ENGINE-004")
def test_every_decision_can_be_read() -> None:
    config = {
        "deployments": [*pool("a"), *pool("x", publicModel="other"), *pool("y", publicModel="third", enabled=False)],
        "fallbacks": [{"primaryModel": "gpt", "fallbackModels": ["third", "other"]}],
        "routerSettings": {"allowedFails": 0},
    }
    engine = Engine(config)
    request = engine.begin("gpt")
    request.fail(status=503)
    assert request.deployment == "x"
    request.fail(status=503)
    asked, chain, hop = request.decisions[:3]
    assert (asked.kind, asked.at_ms, asked.candidates, asked.refused, asked.chosen) == ("asked", 0, ["a"], [], "a")
    assert (chain.kind, chain.reason, chain.models) == ("chain", "general", ["other"])
    assert (hop.kind, hop.candidates, hop.chosen) == ("asked", ["x"], "x")
    other = engine.begin("gpt")
    refused = other.decisions[0]
    assert (refused.chosen, [(no.deployment, no.obstacle, no.until_ms) for no in refused.refused]) == (
        None,
        [("a", "circuit", 5_000)],
    )


@pytest.mark.rule("PY-ENGINE-004")
def test_a_wait_says_what_it_is_for() -> None:
    engine = engine_of(*pool("a"))
    request = engine.begin("gpt")
    request.fail(status=500)
    engine.advance(625)
    request.fail(status=429)
    again, capacity = [decision for decision in request.decisions if decision.kind == "wait"]
    assert (again.reason, again.candidates) == ("again", ["a"])
    assert (capacity.reason, capacity.candidates) == ("capacity", ["a"])
    assert capacity.until_ms == request.until_ms
    assert capacity.until_ms is not None
    assert 5_625 <= capacity.until_ms <= 6_875
    assert [record.failure for record in request.attempts] == ["transient", "throttle"]
    assert [record.circuit_change for record in request.attempts] == ["counted", "none"]
    assert [record.opened_until_ms for record in request.attempts] == [None, 5_625]
    assert request.attempts[1].capacity_opened


@pytest.mark.rule("PY-ENGINE-005")
def test_a_snapshot_shows_live_state() -> None:
    engine = engine_of(*pool("a", tpmLimit=100), allowedFails=1)
    fresh = engine.snapshot("a")
    assert (fresh.status, fresh.retry_after_ms, fresh.admissible, fresh.obstacle) == ("available", None, True, None)
    assert (fresh.latency_ms, fresh.throughput_tps, fresh.health, fresh.cause) == (None, None, 0.5, None)
    request = engine.begin("gpt")
    assert engine.snapshot("a").in_flight == 1
    engine.advance(2_500)
    request.succeed(total_tokens=100, completion_tokens=40, paused_ms=500)
    (used,) = engine.snapshots("gpt")
    assert (used.deployment, used.in_flight, used.rpm, used.tpm) == ("a", 0, 1, 100)
    assert (used.latency_ms, used.throughput_tps, used.health) == (2_000.0, 20.0, 1.0)
    assert (used.successes_10min, used.failures_10min) == (1, 0)
    assert (used.status, used.retry_after_ms, used.obstacle, used.blocked_ms) == (
        "rate_limited",
        57_500,
        "limit",
        57_500,
    )
    engine.advance(57_500)
    engine.begin("gpt").fail(origin="connect_failed")
    assert (engine.snapshot("a").failures, engine.snapshot("a").circuit) == (1, "closed")
    engine.begin("gpt").fail(origin="idle_timeout")
    opened = engine.snapshot("a")
    assert (opened.circuit, opened.cause, opened.openings) == ("open", "transient", 1)
    assert (opened.status, opened.retry_after_ms) == ("cooldown", 5_000)


@pytest.mark.rule("PY-ENGINE-006")
def test_what_is_not_there_is_a_lookup_error() -> None:
    engine = engine_of(*pool("a"), *pool("b", publicModel="off", enabled=False))
    for call in (lambda: engine.begin("nope"), lambda: engine.snapshots("off"), lambda: engine.snapshot("b")):
        with pytest.raises(LookupError, match="no enabled deployment"):
            call()


@pytest.mark.rule("PY-ENGINE-007")
def test_what_an_abandoned_request_held_frees_itself() -> None:
    engine = engine_of(*pool("a"), allowedFails=0, halfOpenProbeSeconds=30)
    engine.begin("gpt").fail(status=401)
    engine.advance(300_000)
    request = engine.begin("gpt")
    engine.advance(25_000)
    request.abandon()
    assert request.state == "abandoned"
    kept = engine.snapshot("a")
    assert (kept.status, kept.retry_after_ms, kept.obstacle) == ("half_open", 25_000, "probe")
    engine.advance(24_999)
    assert engine.snapshot("a").obstacle == "probe"
    engine.advance(1)
    assert (engine.snapshot("a").status, engine.snapshot("a").retry_after_ms) == ("half_open", 0)
    assert engine.snapshot("a").in_flight == 1
    engine.advance(30_000)
    assert engine.snapshot("a").in_flight == 0
    for call in (request.leave, request.abandon, request.succeed):
        with pytest.raises(RuntimeError):
            call()


@pytest.mark.rule("PY-ENGINE-007")
def test_a_running_attempt_keeps_its_slot_and_its_probe() -> None:
    engine = engine_of(*pool("a"), allowedFails=0, halfOpenProbeSeconds=1)
    engine.begin("gpt").fail(status=401)
    engine.advance(300_000)
    request = engine.begin("gpt")
    engine.advance(200_000)
    held = engine.snapshot("a")
    assert (held.obstacle, held.in_flight) == ("probe", 1)
    request.leave()
    assert (request.verdict, request.answer and request.answer.status) == ("client_gone", 499)
    assert (engine.snapshot("a").status, engine.snapshot("a").in_flight) == ("half_open", 0)
    assert request.attempts[0].probe
    assert request.attempts[0].circuit_change == "released"


@pytest.mark.rule("PY-ENGINE-008")
def test_an_end_says_what_the_caller_is_told() -> None:
    engine = engine_of(*pool("a"), allowedFails=0, cooldownSeconds=7)
    request = engine.begin("gpt")
    assert (request.verdict, request.answer) == (None, None)
    request.fail(turnout.FailureReport("upstream_answer", 400, code="bad", message="no"))
    told = request.answer
    assert told is not None
    assert (told.status, told.type, told.code, told.retry_after, told.should_retry) == (
        400,
        "invalid_request_error",
        "bad",
        None,
        None,
    )
    engine.begin("gpt").fail(status=500)
    engine.advance(100)
    blocked = engine.begin("gpt")
    assert blocked.verdict == "no_candidate"
    assert blocked.answer is not None
    assert (blocked.answer.status, blocked.answer.code, blocked.answer.retry_after) == (503, "model_overloaded", 7)
    engine.advance(6_900)
    served = engine.begin("gpt", stream=True)
    served.commit()
    assert engine.snapshot("a").circuit == "closed"
    served.succeed()
    assert (served.verdict, served.answer, served.committed) == ("served", None, True)


@pytest.mark.rule("PY-ENGINE-009")
def test_a_seed_fixes_every_draw() -> None:
    deployments = [*pool("a", weight=3), *pool("b")]

    def first(seed: int) -> str | None:
        return engine_of(*deployments, seed=seed).begin("gpt").deployment

    drawn = [first(seed) for seed in range(400)]
    assert drawn == [first(seed) for seed in range(400)]
    assert 250 < Counter(drawn)["a"] < 350  # 300 +- 5.8 standard deviations, and always the same
    engine = engine_of(*deployments)
    reseeded = []
    for seed in range(400):
        engine.seed(seed)
        reseeded.append(engine.begin("gpt").deployment)
    assert reseeded == drawn


def test_calls_that_do_not_fit_are_refused() -> None:
    engine = engine_of(*pool("a"))
    request = engine.begin("gpt")
    with pytest.raises(RuntimeError, match="only a stream"):
        request.commit()
    with pytest.raises(ValueError, match="a status or an origin"):
        request.fail()
    with pytest.raises(ValueError, match="paused_ms"):
        request.succeed(paused_ms=-1)
    request.fail(status=500)
    with pytest.raises(RuntimeError, match="no attempt is running"):
        request.fail(status=500)
    request.leave()
    with pytest.raises(RuntimeError, match="the request is over"):
        request.leave()
    stream = engine.begin("gpt", stream=True)
    stream.commit()
    with pytest.raises(RuntimeError, match="committed before"):
        stream.commit()


def test_a_request_outlives_the_name_of_its_engine() -> None:
    request = engine_of(*pool("a")).begin("gpt")
    request.succeed()
    assert request.verdict == "served"
    assert repr(request) == "<LogicalRequest gpt finished>"
    assert repr(request.attempts) == "[<AttemptRecord a ok>]"
    assert repr(request.decisions) == "[<Decision asked at 0>]"


def test_the_example_of_the_engine_runs() -> None:
    assert doctest.testmod(turnout._engine).attempted >= 10
    assert doctest.testmod(turnout._engine).failed == 0


@pytest.mark.rule("PY-ENGINE-011")
def test_a_request_speaks_a_contract() -> None:
    speaking = {"transportOverrides": {"text.generate": ["messages"]}}
    engine = engine_of(*pool("a"), *pool("b", **speaking), *pool("c", publicModel="other"))
    for _ in range(5):
        assert engine.begin("gpt").deployment == "a"
        assert engine.begin("gpt", contract="messages").deployment == "b"
    assert [snapshot.deployment for snapshot in engine.snapshots("gpt")] == ["a", "b"]
    with pytest.raises(LookupError, match="carries responses"):
        engine.begin("gpt", contract="responses")
    with pytest.raises(LookupError, match="carries messages"):
        engine.begin("other", contract="messages")
    with pytest.raises(ValueError, match="chat, messages or responses"):
        engine.begin("gpt", contract="embeddings")  # type: ignore[arg-type]
