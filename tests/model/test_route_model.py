"""The model's routes against examples worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping

from tests.model.deployment import Obstacle
from tests.model.route import Ask, FailureClass, Over, Plan, Reason, Route, Wait

OPEN: Mapping[str, Mapping[Obstacle, int]] = {}


def route(
    pools: Mapping[str, list[str]],
    *,
    attempts: int = 3,
    chains: Mapping[Reason, list[str]] | None = None,
    total: int = 1_000_000,
    retry_after: int = 0,
) -> Route:
    return Route(Plan(pools, "A", chains or {}, attempts, 0, total, retry_after))


def wants(subject: Route, now: int = 0, gates: Mapping[str, Mapping[Obstacle, int]] = OPEN) -> Ask | Wait | Over:
    return subject.next(now, lambda name: gates.get(name, {}))


def try_one(
    subject: Route, name: str, failure: FailureClass | None, now: int = 0, retry_after: int | None = None
) -> None:
    subject.asked([], name)
    subject.ended(now, name, failure, retry_after, committed=False)


def test_each_deployment_once_then_waits_that_double() -> None:
    subject = route({"A": ["a", "b"]}, attempts=5)
    assert wants(subject) == Ask("A", frozenset("ab"))
    try_one(subject, "b", "transient")
    assert wants(subject) == Ask("A", frozenset("a"))
    try_one(subject, "a", "configuration")
    now = 0
    for length in (500, 1_000, 2_000):
        wait = wants(subject, now)
        assert isinstance(wait, Wait)
        name = next(iter(wait.spans))
        assert wait.spans[name] == (now + length, now + length * 5 // 4)
        subject.began_wait(name, for_capacity=False)
        now += length
        try_one(subject, name, "transient", now)
    assert wants(subject, now) == Over()


def test_a_round_asks_everybody_before_anybody_again() -> None:
    subject = route({"A": ["a", "b"]}, attempts=9)
    try_one(subject, "a", "transient")
    try_one(subject, "b", "transient")
    wait = wants(subject)
    assert isinstance(wait, Wait)
    assert set(wait.spans) == {"a", "b"}
    subject.began_wait("a", for_capacity=False)
    subject.waited("a")
    assert wants(subject, 500) == Ask("A", frozenset("a"))
    try_one(subject, "a", "transient", 500)
    wait = wants(subject, 500)
    assert isinstance(wait, Wait)
    assert set(wait.spans) == {"b"}


def test_a_chain_gets_the_last_attempt() -> None:
    subject = route({"A": ["a", "b", "c"], "B": ["x"]}, chains={"general": ["B"]})
    try_one(subject, "a", "transient")
    try_one(subject, "b", "throttle")
    assert wants(subject) == Ask("B", frozenset("x"))
    try_one(subject, "x", "transient")
    assert wants(subject) == Over()


def test_a_chain_for_another_reason_keeps_back_an_attempt_that_reuse_then_has() -> None:
    subject = route({"A": ["a", "b"], "B": ["x"]}, attempts=2, chains={"content_policy": ["B"]})
    try_one(subject, "a", "transient")
    assert wants(subject) == Ask("A", frozenset("b"))


def test_a_context_answer_leaves_for_its_own_chain_or_ends() -> None:
    subject = route({"A": ["a", "b"], "B": ["x", "y"], "C": ["z"]}, attempts=4, chains={"context_window": ["B", "C"]})
    try_one(subject, "a", "transient")
    try_one(subject, "b", "context_window")
    assert wants(subject) == Ask("B", frozenset("xy"))
    try_one(subject, "x", "context_window")
    assert wants(subject) == Ask("C", frozenset("z"))
    try_one(subject, "z", "transient")
    assert wants(subject) == Over()
    alone = route({"A": ["a", "b"]})
    try_one(alone, "a", "content_policy")
    assert wants(alone) == Over()


def test_a_request_failure_ends_it_anywhere() -> None:
    subject = route({"A": ["a"], "B": ["x"]}, chains={"general": ["B"]})
    try_one(subject, "a", "transient")
    try_one(subject, "x", "request")
    assert wants(subject) == Over()


def test_a_refused_deployment_costs_nothing_and_comes_first_when_it_recovers() -> None:
    subject = route({"A": ["a", "b"]})
    subject.asked(["b"], "a")
    subject.ended(0, "a", "transient", None, committed=False)
    assert wants(subject, 0, {"b": {"limit": 60_000}}) == Wait({"a": (500, 625)}, for_capacity=False, may_end=False)
    assert wants(subject, 0) == Ask("A", frozenset("b"))


def test_whoever_is_untried_goes_before_the_one_that_was_waited_for() -> None:
    subject = route({"A": ["a", "b"]}, attempts=9)
    subject.asked(["b"], "a")
    subject.ended(0, "a", "transient", None, committed=False)
    limited: Mapping[str, Mapping[Obstacle, int]] = {"b": {"limit": 500}}
    assert isinstance(wants(subject, 0, limited), Wait)
    subject.began_wait("a", for_capacity=False)
    subject.waited("a")
    assert wants(subject, 500) == Ask("A", frozenset("b"))
    try_one(subject, "b", "transient", 500)
    assert wants(subject, 500) == Ask("A", frozenset("a"))


def test_the_longest_of_backoff_settings_and_provider_is_waited_for() -> None:
    subject = route({"A": ["a"]}, retry_after=3_000)
    try_one(subject, "a", "transient", 100, retry_after=2_000)
    assert wants(subject, 100) == Wait({"a": (3_100, 3_850)}, for_capacity=False, may_end=False)
    hopeful = route({"A": ["a"]})
    try_one(hopeful, "a", "transient", 100, retry_after=60_000)
    assert wants(hopeful, 100) == Wait({"a": (60_100, 75_100)}, for_capacity=False, may_end=False)
    hopeless = route({"A": ["a"]})
    try_one(hopeless, "a", "transient", 100, retry_after=60_001)
    assert wants(hopeless, 100) == Over()


def test_a_wait_beyond_the_total_is_not_begun() -> None:
    for total, may_end in ((500, None), (501, True), (625, True), (626, False)):
        subject = route({"A": ["a"]}, total=total)
        try_one(subject, "a", "transient")
        wait = wants(subject)
        assert (wait.may_end if isinstance(wait, Wait) else None) == may_end


def test_it_waits_for_capacity_that_it_used_up_itself() -> None:
    subject = route({"A": ["a"]})
    try_one(subject, "a", "throttle", retry_after=2_000)
    assert wants(subject, 0, {"a": {"capacity": 5_000}}) == Wait(
        {"a": (5_000, 6_250)}, for_capacity=True, may_end=False
    )


def test_it_waits_for_nothing_else_that_is_closed() -> None:
    mixed: Mapping[Obstacle, int] = {"limit": 5_000, "capacity": 5_000}
    for gate in ({"circuit": 5_000}, {"probe": 5_000}, {"limit": 5_000}, mixed, {"capacity": 60_001}):
        subject = route({"A": ["a"]})
        try_one(subject, "a", "throttle")
        assert wants(subject, 0, {"a": gate}) == Over()  # type: ignore[dict-item]
    stranger = route({"A": ["a", "b"]})
    try_one(stranger, "a", "throttle")
    stranger.asked(["b"], None)
    assert wants(stranger, 0, {"a": {"capacity": 5_000}, "b": {"capacity": 5_000}}) == Over()


def test_nothing_admissible_ends_it_without_a_round() -> None:
    subject = route({"A": ["a"]})
    subject.asked(["a"], None)
    assert wants(subject) == Over()


def test_only_the_first_failure_on_a_deployment_counts() -> None:
    subject = route({"A": ["a"]})
    assert (subject.first_failure("a"), subject.first_failure("a"), subject.first_failure("b")) == (True, False, True)
