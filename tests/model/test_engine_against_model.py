"""Random lives of requests, on an engine and on its model at once.

`TURNOUT_MODEL_EXAMPLES=2000` tries more of them than the usual run, other ones each time, and makes one that fails as
short as it can, which takes minutes.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.model.failures import FAILURES, Failure
from tests.model.twin import Twin
from tests.model.worlds import configurations

MORE = os.environ.get("TURNOUT_MODEL_EXAMPLES")
PROFILE = settings(
    max_examples=int(MORE or 300),
    derandomize=MORE is None,
    stateful_step_count=30,
    deadline=None,
    database=None,
    phases=[Phase.generate] if MORE is None else [Phase.generate, Phase.shrink],
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
INDEX = st.integers(0, 7)
COMMON = [failure for failure in FAILURES if failure.kind in ("transient", "configuration", "throttle")]


class Lives(RuleBasedStateMachine):
    """What may happen to the requests of one engine."""

    twin: Twin

    @initialize(
        config=configurations(), seed=st.integers(0, 2**64 - 1), wall=st.sampled_from([0, 59_000, 1_700_000_000_123])
    )
    def start(self, config: dict[str, object], seed: int, wall: int) -> None:
        self.twin = Twin(config, seed, wall)
        self.twin.compare()

    @rule(stream=st.booleans())
    def begin(self, stream: bool) -> None:
        self.twin.begin(stream=stream)

    @precondition(lambda self: self.twin.committable())
    @rule(index=INDEX)
    def commit(self, index: int) -> None:
        found = self.twin.committable()
        self.twin.commit(found[index % len(found)])

    @precondition(lambda self: self.twin.calling())
    @rule(index=INDEX, tokens=st.sampled_from([None, 0, 1, 10, 25]), pause=st.sampled_from([0, 0, 1, 400]))
    def succeed(self, index: int, tokens: int | None, pause: int) -> None:
        found = self.twin.calling()
        request = found[index % len(found)]
        self.twin.succeed(request, tokens, tokens, min(pause, self.twin.now - request.started))

    @precondition(lambda self: self.twin.calling())
    @rule(index=INDEX, failure=st.sampled_from(FAILURES))
    def fail(self, index: int, failure: Failure) -> None:
        found = self.twin.calling()
        self.twin.fail(found[index % len(found)], failure)

    @rule(failure=st.sampled_from(COMMON), times=st.integers(1, 5), gap=st.sampled_from([0, 1, 900, 4_000]))
    def fail_again_and_again(self, failure: Failure, times: int, gap: int) -> None:
        """One request after the other fails once, and its client does not wait for more."""
        for _ in range(times):
            self.twin.begin(stream=False)
            request = self.twin.requests[-1]
            if request.on is not None:
                self.twin.fail(request, failure)
            if request.due is not None:
                self.twin.leave(request)
            self.twin.advance(gap)

    @precondition(lambda self: self.twin.opened())
    @rule(index=INDEX, failure=st.sampled_from(COMMON), times=st.integers(1, 4))
    def fail_probes(self, index: int, failure: Failure, times: int) -> None:
        """Somebody asks whenever an open circuit has become half-open."""
        for _ in range(times):
            found = self.twin.opened()
            if not found:
                return
            self.twin.advance(max(0, found[index % len(found)] - self.twin.now))
            self.fail_again_and_again(failure, 1, 0)

    @precondition(lambda self: self.twin.running())
    @rule(index=INDEX, failure=st.sampled_from(COMMON), times=st.integers(1, 8))
    def fail_persistently(self, index: int, failure: Failure, times: int) -> None:
        """One request fails and waits and fails, as long as it may."""
        found = self.twin.running()
        request = found[index % len(found)]
        for _ in range(times):
            if request.on is not None:
                self.twin.fail(request, failure)
            if request.on is None and request.due is not None:
                self.twin.advance(request.due - self.twin.now)

    @precondition(lambda self: self.twin.running())
    @rule(index=INDEX)
    def leave(self, index: int) -> None:
        found = self.twin.running()
        self.twin.leave(found[index % len(found)])

    @precondition(lambda self: self.twin.running())
    @rule(index=INDEX, really=st.integers(0, 3))
    def abandon(self, index: int, really: int) -> None:
        found = self.twin.running()
        if really == 0:
            self.twin.abandon(found[index % len(found)])

    @rule(by=st.one_of(st.integers(0, 3_000), st.sampled_from([10_000, 60_000, 600_000])))
    def advance(self, by: int) -> None:
        self.twin.advance(by)

    @rule(index=st.integers(0, 15), beside=st.sampled_from([0, 0, -1, 1]))
    def advance_to_an_edge(self, index: int, beside: int) -> None:
        edges = self.twin.edges()
        self.twin.advance(max(0, edges[index % len(edges)] + beside))


@pytest.mark.rule("PY-ENGINE-010")
def test_an_engine_is_what_its_model_says() -> None:
    run_state_machine_as_test(Lives, settings=PROFILE)
