"""What the view says of attempts that run and of those that ended."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import in_order, one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import Session, states
from fake_upstreams import Pause, chat, faults

pytestmark = pytest.mark.needs("virtual_time")


def metrics(gateway: Session, position: int = 0) -> Any:
    return gateway.deployments()[position]["metrics"]


@pytest.mark.rule("MET-FLIGHT-001", "MET-USAGE-001")
def test_an_attempt_is_in_flight_until_it_ends_however(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """A success, a failure, a stream, and clients that leave before and after commit."""
    up = upstream(
        [Pause(until="1"), chat.completion("a")],
        [Pause(until="2"), *chat.failure(500)],
        [chat.role(), chat.content("a"), Pause(until="3"), *chat.stream()[1:]],
        [faults.AcceptThenSilence()],
        [chat.role(), chat.content("a"), faults.StallMidStream()],
    )
    gw = gateway(up, routerSettings=one_attempt())
    for number, stream in enumerate((False, False, True), start=1):
        client = gw.begin_chat(stream=stream)
        up.wait_gate(f"{number}")
        with check("MET-FLIGHT-001"):
            assert metrics(gw)["inflight"] == 1, number
        with check("MET-USAGE-001"):
            assert metrics(gw)["rpm"] == number
        up.release(f"{number}")
        client.response()
        with check("MET-FLIGHT-001"):
            assert metrics(gw)["inflight"] == 0, number
    for number, stream in enumerate((False, True), start=4):
        client = gw.begin_chat(stream=stream)
        up.wait_request(number)
        if stream:
            client.head()
            client.event()
        client.close()
        up.wait_closed(up.connections)
        with check("MET-FLIGHT-001"):
            assert metrics(gw)["inflight"] == 0, number
        with check("MET-USAGE-001"):
            assert metrics(gw)["rpm"] == number


@pytest.mark.rule("MET-USAGE-002", "MET-USAGE-003")
def test_tokens_belong_to_the_minute_in_which_the_answer_came(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    late = [Pause(until="late"), chat.completion("a", usage=chat.tokens(30, 12))]
    up = upstream(late, chat.failure(400), chat.stream("a"))
    gw = gateway(up, routerSettings=one_attempt())
    client = gw.begin_chat()
    up.wait_gate("late")
    with check("MET-USAGE-003"):
        assert metrics(gw)["rpm"] == 1
    gw.advance(60_000)
    up.release("late")
    client.response()
    with check("MET-USAGE-002"):
        assert metrics(gw)["tpm"] == 42
    with check("MET-USAGE-003"):
        assert metrics(gw)["rpm"] == 0
    gw.chat()
    with check("MET-USAGE-002"):
        assert metrics(gw)["tpm"] == 42
    gw.chat(stream=True)
    with check("MET-USAGE-002"):
        assert metrics(gw)["tpm"] == 44
    gw.advance(60_000)
    with check("MET-USAGE-003"):
        assert metrics(gw)["tpm"] == 0


@pytest.mark.rule("MET-LATENCY-002")
def test_the_latency_of_a_stream_ends_with_its_last_byte(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """2 s to the first content and 3 s to the end are 5,000 ms, whatever the answer's length."""
    steps = [Pause(until="head"), chat.role(), chat.content("a"), Pause(until="end"), *chat.stream()[1:]]
    up = upstream(steps, [Pause(until="json"), chat.completion("a")])
    gw = gateway(up)
    client = gw.begin_chat(stream=True)
    up.wait_gate("head")
    gw.advance(2_000)
    up.release("head")
    client.head()
    client.event()
    up.wait_gate("end")
    gw.advance(3_000)
    up.release("end")
    client.rest_of_chunks()
    with check("MET-LATENCY-002"):
        assert metrics(gw)["latency_ms"] == 5_000
    client = gw.begin_chat()
    up.wait_gate("json")
    gw.advance(1_000)
    up.release("json")
    client.response()
    with check("MET-LATENCY-002"):
        assert metrics(gw)["latency_ms"] == pytest.approx(0.2 * 1_000 + 0.8 * 5_000)


@pytest.mark.rule("MET-READ-001")
def test_each_decision_sees_what_the_one_before_left_behind(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Fewest requests of the minute first: two deployments take turns."""
    ups = [upstream({"times": 10, "steps": [chat.completion("a")]}) for _ in range(2)]
    gw = gateway(*ups, routerSettings={"routingStrategy": "usage-based-rpm"})
    for pair in range(1, 11):
        gw.chat()
        gw.chat()
        with check("MET-READ-001"):
            assert [len(up.requests) for up in ups] == [pair, pair]


@pytest.mark.rule("MET-ELIGIBLE-001")
def test_ill_health_does_not_keep_a_deployment_from_being_tried(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """A health of 0 against one of 1: the ill one comes second, and is asked when the healthy one fails."""
    ill, well = upstream(chat.failure(500), chat.completion("a")), upstream(chat.completion("a"), chat.failure(500))
    gw = gateway(*in_order(ill, well), routerSettings={"routingStrategy": "health-aware", "cooldownSeconds": 0})
    assert gw.chat().status == 200
    assert [row["metrics"]["health_score"] for row in gw.deployments()] == [0, 1]
    with check("MET-ELIGIBLE-001"):
        assert [status for status, _ in states(gw)] == ["available", "available"]
        assert gw.chat().status == 200
        assert [len(up.requests) for up in (ill, well)] == [2, 2]
