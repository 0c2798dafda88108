"""An engine and its model, moved together and compared after every step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.model import order
from tests.model.answer import Blocked, Told, nothing_admissible
from tests.model.capacity import Capacity
from tests.model.circuit import Permit
from tests.model.deployment import Deployment, Ending
from tests.model.failures import EFFECTS, EXPIRED, LEFT, Failure
from tests.model.route import Ask, Over, Plan, Route, Wait
from tests.model.settings import Settings
from tests.model.usage import minute_end
from turnout import Decision, Engine, LogicalRequest

SLOT_RENEWAL = 20_000


def about(value: float | None) -> object:
    """Both sides may round in their own way."""
    return None if value is None else pytest.approx(value, rel=1e-9)


@dataclass
class Request:
    """One logical request on both sides."""

    number: int
    handle: LogicalRequest
    route: Route
    stream: bool
    read: int = 0
    """Decisions that the model has followed."""
    on: str | None = None
    permit: Permit = field(default_factory=lambda: Permit(0, probe=False))
    who: int = 0
    """The attempt's number, which its slot has."""
    started: int = 0
    renew_at: int = 0
    committed: bool = False
    waiting: Wait | None = None
    wait_for: str = ""
    wait_until: int = 0
    abandoned: bool = False

    @property
    def due(self) -> int | None:
        if self.abandoned or (self.on is None and self.waiting is None):
            return None
        return min(self.route.plan.deadline, self.renew_at if self.on is not None else self.wait_until)


class Twin:
    """Every step is taken on both sides, then everything that can be seen is compared."""

    def __init__(self, config: dict[str, Any], seed: int, wall: int) -> None:
        router = config["routerSettings"]
        self.engine = Engine(config, seed=seed, wall_ms=wall)
        self.strategy: str = router["routingStrategy"]
        self.settings = Settings.of(router)
        self.policies = router["executionPolicies"]["chat"]
        self.chains = {chain["reason"]: chain["fallbackModels"] for chain in config["fallbacks"]}
        self.configured = {one["id"]: one for one in config["deployments"]}
        self.pools: dict[str, list[str]] = {}
        self.domains = {name: one.get("failureDomain", f"of {name}") for name, one in self.configured.items()}
        capacities = {domain: Capacity(self.settings) for domain in self.domains.values()}
        self.deployments: dict[str, Deployment] = {}
        for name, one in self.configured.items():
            self.pools.setdefault(one["publicModel"], []).append(name)
            capacity = capacities[self.domains[name]]
            self.deployments[name] = Deployment(
                self.settings, capacity, one.get("rpmLimit"), one.get("tpmLimit"), wall_offset=wall
            )
        self.now = 0
        self.attempts = 0
        self.requests: list[Request] = []

    # Steps --------------------------------------------------------------------------------------------------------

    def begin(self, *, stream: bool) -> None:
        policy = self.policies["stream" if stream else "json"]
        plan = Plan(
            self.pools,
            "A",
            self.chains,
            policy["maxAttempts"],
            self.now,
            policy["totalMs"],
            self.settings.retry_after,
            self.domains,
            self._is_weightless,
        )
        request = Request(len(self.requests), self.engine.begin("A", stream=stream), Route(plan), stream)
        self.requests.append(request)
        self._follow(request)
        self.compare()

    def running(self) -> list[Request]:
        return [request for request in self.requests if request.due is not None]

    def calling(self) -> list[Request]:
        return [request for request in self.running() if request.on is not None]

    def committable(self) -> list[Request]:
        return [request for request in self.calling() if request.stream and not request.committed]

    def commit(self, request: Request) -> None:
        assert request.on is not None
        request.handle.commit()
        request.committed = True
        self.deployments[request.on].confirm(self.now, request.permit)
        self.compare()

    def succeed(self, request: Request, total: int | None, completion: int | None, paused: int) -> None:
        request.handle.succeed(total_tokens=total, completion_tokens=completion, paused_ms=paused)
        took = self.now - request.started - paused
        ending = Ending("success", took=took, total_tokens=total, completion_tokens=completion)
        self._end(request, None, ending)
        self.compare()

    def fail(self, request: Request, failure: Failure) -> None:
        request.handle.fail(**failure.says)
        self._fail(request, failure)
        self.compare()

    def leave(self, request: Request) -> None:
        request.handle.leave()
        if request.on is not None:
            self._fail(request, LEFT)
        request.waiting = None
        assert (request.handle.state, request.handle.verdict) == ("finished", "client_gone")
        self.compare()

    def abandon(self, request: Request) -> None:
        request.handle.abandon()
        request.abandoned = True
        self.compare()

    def advance(self, by: int) -> None:
        """The model takes one event after the other, and so does the engine."""
        target = self.now + by
        while (due := self._next_due()) is not None and due <= target:
            self._move(due)
            for request in self.running():
                if request.due == due:
                    self._on_time(request)
            self.compare()
        self._move(target)
        self.compare()

    def opened(self) -> list[int]:
        """When each circuit that is not closed becomes half-open, or became it."""
        circuits = [deployment.circuit for deployment in self.deployments.values()]
        return [circuit.latest for circuit in circuits if circuit.opened]

    def edges(self) -> list[int]:
        """How long until each moment at which something changes by itself."""
        moments = [request.due for request in self.running()]
        for deployment in self.deployments.values():
            circuit = deployment.circuit
            moments += [circuit.latest, circuit.owner_until, deployment.capacity.until]
            moments.append(circuit.window_from + self.settings.failure_window)
        moments.append(self.now + minute_end(self.deployments[self.pools["A"][0]].wall(self.now)))
        return sorted({moment - self.now for moment in moments if moment is not None and moment > self.now})

    # What follows -------------------------------------------------------------------------------------------------

    def _move(self, to: int) -> None:
        self.engine.advance(to - self.now)
        self.now = to

    def _next_due(self) -> int | None:
        return min((request.due for request in self.running() if request.due is not None), default=None)

    def _on_time(self, request: Request) -> None:
        expired = self.now >= request.route.plan.deadline
        if request.on is not None and expired:
            self._fail(request, EXPIRED, expired=True)
        elif request.on is not None:
            self.deployments[request.on].renew(self.now, request.who, request.permit)
            self._schedule_renewal(request)
        elif expired:
            request.waiting = None
            self._finished(request, "expired")
        else:
            self._follow_wait(request)

    def _schedule_renewal(self, request: Request) -> None:
        third = -(-self.settings.half_open_probe // 3)
        request.renew_at = self.now + (min(SLOT_RENEWAL, third) if request.permit.probe else SLOT_RENEWAL)

    def _fail(self, request: Request, failure: Failure, *, expired: bool = False) -> None:
        assert request.on is not None
        first = failure.kind == "transient" and request.route.first_failure(request.on)
        ending = Ending(EFFECTS[failure.kind], failure.retry_after, failure.quota_exhausted, counts=first)
        self._end(request, failure, ending, expired=expired)

    def _end(self, request: Request, failure: Failure | None, ending: Ending, *, expired: bool = False) -> None:
        name, request.on = request.on, None
        assert name is not None
        record = request.handle.attempts[-1]
        assert (record.deployment, record.ok) == (name, failure is None)
        assert record.failure == (failure.kind if failure else None)
        assert (record.started_ms, record.ended_ms) == (request.started, self.now)
        deployment = self.deployments[name]
        change, lengthened = deployment.end(self.now, request.who, request.permit, ending)
        assert (record.circuit_change, record.capacity_opened) == (change, lengthened), f"{record} by {ending}"
        if change in ("opened", "reopened"):
            assert record.opened_until_ms is not None
            deployment.circuit.saw_end(record.opened_until_ms)
        kind, wait = (failure.kind, failure.retry_after) if failure else (None, None)
        request.route.ended(self.now, name, kind, wait, committed=request.committed)
        request.route.over = request.route.over or expired
        if failure is None:
            self._finished(request, "served")
        elif expired:
            self._finished(request, "expired")
        elif failure is not LEFT:
            self._follow(request)

    def _follow(self, request: Request) -> None:
        """Reads what the engine decided until it says that an attempt runs, a wait runs or the request is over."""
        while True:
            wanted = request.route.next(self.now, lambda name: self.deployments[name].obstacles(self.now))
            decision = self._read(request)
            match wanted:
                case Over():
                    assert decision is None, f"decides {decision} when it is over"
                    self._finished(request, self._verdict(request))
                    return
                case Ask(pool, among):
                    assert decision is not None, f"should ask {sorted(among)} of {pool}"
                    if self._follow_admission(request, decision, pool, among):
                        return
                case Wait():
                    if decision is None and wanted.may_end:
                        request.route.over = True
                        self._finished(request, self._verdict(request))
                    else:
                        assert decision is not None, f"should wait {wanted}"
                        self._begin_wait(request, decision, wanted)
                    return

    def _read(self, request: Request) -> Decision | None:
        """The next decision; that a chain was taken is checked on the way."""
        for decision in request.handle.decisions[request.read :]:
            request.read += 1
            assert decision.at_ms == self.now
            if decision.kind != "chain":
                return decision
            assert request.route.reason is not None
            assert decision.reason == request.route.reason
            assert decision.models == request.route.plan.hops(request.route.reason)
        return None

    def _follow_admission(self, request: Request, decision: Decision, pool: str, among: frozenset[str]) -> bool:
        """True if somebody was admitted."""
        assert decision.kind == "asked"
        facts = {name: self._facts(name) for name in among}
        order.check(self.strategy, facts, decision.candidates, pool_of_one=len(self.pools[pool]) == 1)
        request.route.overlooked([name for name in self.pools[pool] if self._is_weightless(name)])
        return self._follow_asked(request, decision)

    def _follow_asked(self, request: Request, decision: Decision) -> bool:
        refused = [refusal.deployment for refusal in decision.refused]
        assert decision.candidates[: len(refused)] == refused
        for refusal in decision.refused:
            obstacles = self.deployments[refusal.deployment].obstacles(self.now)
            assert obstacles, f"{refusal} was refused with nothing in the way"
            assert (refusal.obstacle, refusal.until_ms) == (next(iter(obstacles)), max(obstacles.values()))
        assert decision.chosen == next(iter(decision.candidates[len(refused) :]), None)
        request.route.asked(refused, decision.chosen)
        if decision.chosen is None:
            return False
        self.attempts += 1
        request.on, request.who, request.started = decision.chosen, self.attempts, self.now
        request.permit = self.deployments[decision.chosen].admit(self.now, request.who)
        request.committed = False
        self._schedule_renewal(request)
        assert (request.handle.state, request.handle.deployment) == ("attempt", decision.chosen)
        return True

    def _begin_wait(self, request: Request, decision: Decision, wanted: Wait) -> None:
        assert (decision.kind, decision.reason) == ("wait", "capacity" if wanted.for_capacity else "again")
        (name,) = decision.candidates
        assert decision.until_ms is not None
        assert name in wanted.spans, f"waits for {name}, not for one of {wanted}"
        earliest, latest = wanted.spans[name]
        assert earliest <= decision.until_ms <= latest, f"waits until {decision.until_ms}, not {wanted}"
        assert decision.until_ms <= request.route.plan.deadline
        request.route.began_wait(name, for_capacity=wanted.for_capacity)
        request.waiting, request.wait_for, request.wait_until = wanted, name, decision.until_ms
        assert (request.handle.state, request.handle.until_ms) == ("waiting", decision.until_ms)

    def _follow_wait(self, request: Request) -> None:
        request.waiting = None
        request.route.waited(request.wait_for)
        self._follow(request)

    def _verdict(self, request: Request) -> str:
        if self.now >= request.route.plan.deadline:
            return "expired"
        return "failed" if request.route.attempts else "no_candidate"

    def _finished(self, request: Request, verdict: str) -> None:
        request.waiting = None
        assert (request.handle.state, request.handle.verdict) == ("finished", verdict)
        assert request.read == len(request.handle.decisions)
        answer = request.handle.answer
        assert (answer is None) == (verdict == "served")
        if verdict == "no_candidate":
            assert answer is not None
            told = Told(answer.status, answer.code or "", answer.retry_after)
            assert told == self._nothing_admissible(request.route)

    def _nothing_admissible(self, route: Route) -> Told:
        """For a request that could make no attempt, so that no time passed since it was asked."""
        hops = route.plan.hops("general")
        fallbacks = [blocked for model in hops for blocked in self._blocked(model)]
        return nothing_admissible(self.now, self._blocked(route.plan.primary), fallbacks)

    def _blocked(self, model: str) -> list[Blocked]:
        found = []
        for name in self.pools[model]:
            deployment = self.deployments[name]
            if (obstacles := deployment.obstacles(self.now)) and not self._is_weightless(name):
                misconfigured = deployment.circuit.opened and deployment.circuit.cause == "configuration"
                found.append(Blocked(next(iter(obstacles)), max(obstacles.values()), misconfigured))
        return found

    # What can be seen ---------------------------------------------------------------------------------------------

    def _facts(self, name: str) -> order.Facts:
        deployment, one = self.deployments[name], self.configured[name]
        wall = deployment.wall(self.now)
        return order.Facts(
            weight=one["weight"],
            eligible=not deployment.obstacles(self.now),
            in_flight=deployment.slots.count(self.now),
            rpm=deployment.requests.count(wall),
            tpm=deployment.tokens.count(wall),
            latency=deployment.latency.value,
            throughput=deployment.throughput.value,
            price=sum(one["pricing"].values()) if "pricing" in one else None,
            health=deployment.health.score(self.now) if any(deployment.health.count(self.now)) else None,
        )

    def _is_weightless(self, name: str) -> bool:
        alone = len(self.pools[self.configured[name]["publicModel"]]) == 1
        return not alone and not order.is_candidate(self.strategy, self._facts(name))

    def compare(self) -> None:
        for name, wanted, seen in self._observables():
            differing = {member: (seen[member], value) for member, value in wanted.items() if seen[member] != value}
            assert not differing, f"{name} at {self.now}: (seen, wanted) {differing}"

    def _observables(self) -> Iterator[tuple[str, dict[str, object], dict[str, object]]]:
        for name, deployment in self.deployments.items():
            snapshot = self.engine.snapshot(name)
            status, retry_after = deployment.status(self.now)
            obstacles = deployment.obstacles(self.now)
            phase = deployment.circuit.phase(self.now)
            good, bad = deployment.health.count(self.now)
            wall = deployment.wall(self.now)
            wanted: dict[str, object] = {
                "status": status,
                "retry_after_ms": retry_after,
                "admissible": not obstacles,
                "obstacle": next(iter(obstacles), None),
                "blocked_ms": max(obstacles.values()) - self.now if obstacles else None,
                "circuit": phase,
                "cause": None if phase == "closed" else deployment.circuit.cause,
                "failures": deployment.circuit.failures(self.now),
                "openings": deployment.circuit.openings,
                "in_flight": deployment.slots.count(self.now),
                "rpm": deployment.requests.count(wall),
                "tpm": deployment.tokens.count(wall),
                "latency_ms": about(deployment.latency.value),
                "throughput_tps": about(deployment.throughput.value),
                "health": about(deployment.health.score(self.now)),
                "successes_10min": good,
                "failures_10min": bad,
            }
            yield name, wanted, {member: getattr(snapshot, member) for member in wanted}
