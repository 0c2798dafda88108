"""One logical request's way through its pools: whom it may ask next, what it waits for, when it gives up.

`next` says what the rules want now; the caller looks at what the gateway does and reports it by `asked`, `began` and
`ended`. Whom of several candidates to take is the gateway's choice, and so is the spread of a wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tests.model.deployment import Obstacle

Reason = Literal["general", "context_window", "content_policy"]
FailureClass = Literal[
    "request",
    "context_window",
    "content_policy",
    "throttle",
    "transient",
    "configuration",
    "incompatible",
    "gateway",
]
Gates = Callable[[str], Mapping[Obstacle, int]]
"""What is in the way of a deployment now, the first match first, with the moments at which each is gone."""

LONGEST_WAIT = 60_000


@dataclass(frozen=True)
class Plan:
    """What one logical request may do."""

    pools: Mapping[str, Sequence[str]]
    """Enabled deployments by public model; a name without any is missing."""
    primary: str
    chains: Mapping[Reason, Sequence[str]]
    max_attempts: int
    began: int
    total: int
    retry_after: int = 0
    domains: Mapping[str, str] = field(default_factory=dict)
    weightless: Callable[[str], bool] = lambda _: False
    """Whether weight 0 keeps the deployment from being a candidate."""

    @property
    def deadline(self) -> int:
        return self.began + self.total

    def hops(self, reason: Reason) -> list[str]:
        return [model for model in self.chains.get(reason, ()) if model in self.pools]


@dataclass(frozen=True)
class Ask:
    """Some of a pool may be asked at once, in whatever order the strategy gives them."""

    pool: str
    among: frozenset[str]


@dataclass(frozen=True)
class Wait:
    """For one of these, from the first to the second moment, both included."""

    spans: Mapping[str, tuple[int, int]]
    for_capacity: bool
    may_end: bool
    """The wait may turn out too long for `totalMs`."""


@dataclass(frozen=True)
class Over:
    """Nothing more is tried."""


@dataclass
class Tried:
    """What an attempt left behind on its deployment."""

    retry_at: int = 0
    hopeless: bool = False
    """It asks for more time than is waited for, or cannot carry this request."""


@dataclass
class Route:
    """`next` may be asked whenever no attempt and no wait is running."""

    plan: Plan
    attempts: int = 0
    waits: int = 0
    over: bool = False
    reason: Reason | None = None
    tried: dict[str, Tried] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)
    throttled_domains: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    lost_pools: set[str] = field(default_factory=set)
    stage: Literal["primary", "chain", "reuse"] = "primary"
    hop: int = 0
    turn: int = 0
    round_did_something: bool = False
    waited_for: str | None = None

    # What happens -------------------------------------------------------------------------------------------------

    def asked(self, refused: Sequence[str], chosen: str | None) -> None:
        self.passed.update(refused)
        if chosen is not None:
            self.passed.add(chosen)
            self.attempts += 1
            self.round_did_something = True
            self.tried.setdefault(chosen, Tried())

    def overlooked(self, names: Sequence[str]) -> None:
        """They were no candidates of the strategy."""
        self.passed.update(names)

    def began_wait(self, name: str, *, for_capacity: bool) -> None:
        self.waits += 1
        if for_capacity:  # nobody could be asked in the round that was: a new one begins where there is hope
            self._enter_reuse()
            self.turn = next(turn for turn, pool in enumerate(self._pools()) if name in self.plan.pools[pool])

    def waited(self, name: str) -> None:
        """The wait for it is over: it may be asked, but whoever is still untried goes first."""
        self.waited_for = name

    def first_failure(self, name: str) -> bool:
        """Whether a transient failure there counts: it is this request's first on that deployment."""
        first = name not in self.counted
        self.counted.add(name)
        return first

    def ended(
        self, now: int, name: str, failure: FailureClass | None, retry_after: int | None, *, committed: bool
    ) -> None:
        """The attempt is over; no failure is a success."""
        here = self.tried[name]
        here.retry_at = now + (retry_after or 0)
        here.hopeless = failure == "incompatible" or (retry_after or 0) > LONGEST_WAIT
        if failure == "throttle":
            self.throttled_domains.add(self.plan.domains.get(name, name))
        if failure is None or committed or failure in ("request", "gateway"):
            self.over = True
        elif failure == "context_window" or failure == "content_policy":
            self._leave_pool_for(failure, name)

    def _leave_pool_for(self, reason: Reason, name: str) -> None:
        pool = next(model for model in self._pools() if name in self.plan.pools[model])
        self.lost_pools.add(pool)
        if pool != self.plan.primary:
            if self.stage == "chain":
                self.hop += 1
            return
        if self.reason is not None or not self.plan.hops(reason):
            self.over = True
            return
        self._enter_chain(reason)

    # What the rules want ------------------------------------------------------------------------------------------

    def next(self, now: int, gates: Gates) -> Ask | Wait | Over:
        while not (self.over or self.attempts >= self.plan.max_attempts or now >= self.plan.deadline):
            if self.stage == "reuse":
                step = self._reuse(now, gates)
            elif self.stage == "primary":
                step = self._first_pass()
            else:
                step = self._hop()
            if step is not None:
                return step
        return Over()

    def _pools(self) -> list[str]:
        return [self.plan.primary, *(self.plan.hops(self.reason) if self.reason else [])]

    def _open_to(self, pool: str) -> list[str]:
        """Who of a pool has not been asked in this pass or round."""
        return [name for name in self.plan.pools[pool] if name not in self.passed and not self._lost(pool, name)]

    def _lost(self, pool: str, name: str) -> bool:
        hopeless = name in self.tried and self.tried[name].hopeless
        return pool in self.lost_pools or hopeless or self.plan.weightless(name)

    def _first_pass(self) -> Ask | None:
        chained = any(self.plan.hops(reason) for reason in ("general", "context_window", "content_policy"))
        kept_back = 1 if chained and self.plan.max_attempts > 1 else 0
        names = self._open_to(self.plan.primary)
        if names and self.attempts < self.plan.max_attempts - kept_back:
            return Ask(self.plan.primary, frozenset(names))
        self._enter_chain("general")
        return None

    def _hop(self) -> Ask | None:
        assert self.reason is not None
        hops = self.plan.hops(self.reason)
        while self.hop < len(hops):
            if names := self._open_to(hops[self.hop]):
                return Ask(hops[self.hop], frozenset(names))
            self.hop += 1
        if self.reason == "general":
            self._enter_reuse()
        else:
            self.over = True
        return None

    def _enter_chain(self, reason: Reason) -> None:
        if self.plan.hops(reason):
            self.stage, self.reason, self.hop = "chain", reason, 0
        else:
            self._enter_reuse()

    def _enter_reuse(self) -> None:
        self.stage, self.turn = "reuse", 0
        self.passed.clear()
        self.round_did_something = False
        self.over = self.attempts == 0

    def _reuse(self, now: int, gates: Gates) -> Ask | Wait | None:
        pools = self._pools()
        while self.turn < len(pools):
            pool = pools[self.turn]
            eligible = [name for name in self._open_to(pool) if not gates(name)]
            fresh = frozenset(name for name in eligible if name not in self.tried)
            if fresh:
                return Ask(pool, fresh)
            waited_for, self.waited_for = self.waited_for, None
            if waited_for in eligible:
                return Ask(pool, frozenset({waited_for}))
            if eligible:
                return self._wait(dict.fromkeys(eligible, 0), now, for_capacity=False)
            self.turn += 1
        if self.round_did_something:
            self._enter_reuse()
            return None
        return self._wait_for_capacity(now, gates)

    def _wait_for_capacity(self, now: int, gates: Gates) -> Wait | None:
        remaining = [name for pool in self._pools() for name in self.plan.pools[pool] if not self._lost(pool, name)]
        ends = {name: gates(name)["capacity"] for name in remaining if list(gates(name)) == ["capacity"]}
        met = all(self.plan.domains.get(name, name) in self.throttled_domains for name in remaining)
        if not remaining or len(ends) < len(remaining) or not met or min(ends.values()) - now > LONGEST_WAIT:
            self.over = True
            return None
        first = min(ends.values())
        return self._wait({name: end - now for name, end in ends.items() if end == first}, now, for_capacity=True)

    def _wait(self, least: Mapping[str, int], now: int, *, for_capacity: bool) -> Wait | None:
        backoff = min(500 * 2**self.waits, 8_000)
        spans = {}
        for name, floor in least.items():
            length = floor
            if name in self.tried:
                length = max(floor, backoff, self.plan.retry_after, self.tried[name].retry_at - now)
            spans[name] = (now + length, now + length + -(-length // 4))
        if all(first >= self.plan.deadline for first, _ in spans.values()):
            self.over = True
            return None
        return Wait(spans, for_capacity, any(last >= self.plan.deadline for _, last in spans.values()))
