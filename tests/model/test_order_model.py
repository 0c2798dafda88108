"""The model's judgement of orders against examples worked out by hand."""

from __future__ import annotations

import pytest

from tests.model.order import Facts, check

BY_VALUE = {
    "least-busy": (Facts(in_flight=1, weight=0), Facts(in_flight=2)),
    "usage-based-rpm": (Facts(rpm=1, weight=0), Facts(rpm=2)),
    "usage-based-tpm": (Facts(weight=0), Facts(tpm=2)),
    "latency-based": (Facts(latency=10.0, weight=0), Facts()),
    "throughput-based": (Facts(throughput=9.0), Facts(throughput=8.0)),
    "price-based": (Facts(price=0.0, weight=0), Facts(price=1.0)),
    "health-aware": (Facts(health=0.4, weight=2), Facts(weight=1)),
}


@pytest.mark.parametrize("strategy", BY_VALUE)
def test_a_strategy_has_one_right_order(strategy: str) -> None:
    better, worse = BY_VALUE[strategy]
    among = {"better": better, "worse": worse}
    check(strategy, among, ["better", "worse"], pool_of_one=False)
    with pytest.raises(AssertionError):
        check(strategy, among, ["worse", "better"], pool_of_one=False)


@pytest.mark.parametrize("strategy", ["simple-shuffle", "latency-based", "price-based", "health-aware"])
def test_weight_zero_is_out_where_a_weight_decides(strategy: str) -> None:
    among = {"a": Facts(weight=0), "b": Facts(weight=3)}
    check(strategy, among, ["b"], pool_of_one=False)
    with pytest.raises(AssertionError):
        check(strategy, among, ["b", "a"], pool_of_one=False)


def test_a_pool_of_one_ignores_its_weight() -> None:
    check("simple-shuffle", {"a": Facts(weight=0)}, ["a"], pool_of_one=True)


def test_who_is_refused_is_asked_last() -> None:
    among = {"free": Facts(in_flight=5), "shut": Facts(in_flight=0, eligible=False)}
    check("least-busy", among, ["free", "shut"], pool_of_one=False)
    with pytest.raises(AssertionError, match="comes before"):
        check("least-busy", among, ["shut", "free"], pool_of_one=False)


def test_chance_orders_equals() -> None:
    among = {"a": Facts(in_flight=1), "b": Facts(in_flight=1)}
    check("least-busy", among, ["a", "b"], pool_of_one=False)
    check("least-busy", among, ["b", "a"], pool_of_one=False)
    without_record = {"a": Facts(weight=1), "b": Facts(weight=9)}
    check("health-aware", without_record, ["a", "b"], pool_of_one=False)
