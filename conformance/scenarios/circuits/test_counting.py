"""When transient failures open a circuit, and for how long."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import in_order, one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import states
from fake_upstreams import Pause, chat

pytestmark = pytest.mark.needs("virtual_time")

CLOSED = ("available", None)


@pytest.mark.rule("BRK-COUNT-001", "BRK-OPEN-001", "BRK-OPEN-002", "BRK-VIEW-001", "BRK-VIEW-002")
def test_three_failures_are_allowed_and_the_fourth_opens_for_five_seconds(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Without configuration. The other deployment serves meanwhile, so no client notices."""
    first = upstream(*(chat.failure(500) for _ in range(4)), chat.completion("back"))
    second = upstream({"repeat": True, "steps": [chat.completion("b")]})
    gw = gateway(*in_order(first, second))
    for failures in range(4):
        with check("BRK-COUNT-001", "BRK-VIEW-001"):
            assert states(gw) == [CLOSED, CLOSED], failures
        assert gw.chat().status == 200
    with check("BRK-COUNT-001", "BRK-VIEW-002"):
        assert states(gw) == [("cooldown", 5_000), CLOSED]
    gw.advance(4_999)
    with check("BRK-VIEW-002"):
        assert states(gw)[0] == ("cooldown", 1)
    gw.chat()
    with check("BRK-OPEN-001"):
        assert len(first.requests) == 4
    gw.advance(1)
    gw.chat()
    with check("BRK-OPEN-002"):
        assert len(first.requests) == 5
        assert states(gw) == [CLOSED, CLOSED]


@pytest.mark.rule("BRK-COUNT-002")
def test_none_may_be_allowed(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(chat.failure(503)), routerSettings=one_attempt(allowedFails=0))
    gw.chat()
    with check("BRK-COUNT-002"):
        assert states(gw) == [("cooldown", 5_000)]


@pytest.mark.rule("BRK-COUNT-003")
def test_a_success_starts_over(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """One failure is allowed: one, a success, one more, and only then two in a row."""
    bad, good = chat.failure(500), chat.completion("a")
    gw = gateway(upstream(bad, good, bad, bad), routerSettings=one_attempt(allowedFails=1))
    for _ in range(3):
        gw.chat()
    with check("BRK-COUNT-003"):
        assert states(gw) == [CLOSED]
    gw.chat()
    with check("BRK-COUNT-003"):
        assert states(gw) == [("cooldown", 5_000)]


@pytest.mark.rule("BRK-COUNT-004")
def test_a_logical_request_counts_once(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Three attempts of one request are one failure, and the first of the next request is another."""
    up = upstream(*(chat.failure(500) for _ in range(4)))
    gw = gateway(up, routerSettings={"allowedFails": 1})
    client = gw.begin_chat()
    for attempts, longest_wait in ((1, 625), (2, 1_250)):
        up.wait_request(attempts)
        gw.advance(longest_wait, until_armed="wait")
    assert client.response().status == 500
    with check("BRK-COUNT-004"):
        assert len(up.requests) == 3
        assert states(gw) == [CLOSED]
    with check("BRK-COUNT-004"):
        assert gw.chat().status == 500
        assert states(gw)[0][0] == "cooldown"


@pytest.mark.rule("BRK-COUNT-005")
def test_without_a_cooldown_nothing_is_counted(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(*(chat.failure(500) for _ in range(10)))
    gw = gateway(up, routerSettings=one_attempt(allowedFails=0, cooldownSeconds=0))
    for attempts in range(1, 11):
        gw.chat()
        with check("BRK-COUNT-005"):
            assert len(up.requests) == attempts
            assert states(gw) == [CLOSED]


@pytest.mark.rule("BRK-WINDOW-001")
@pytest.mark.parametrize(("later", "state"), [(59_999, ("cooldown", 5_000)), (60_000, CLOSED)])
def test_the_window_ends_when_it_is_over(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, later: int, state: tuple[str, int | None]
) -> None:
    """The window begins with the first of two failures, 30 s before the second."""
    gw = gateway(upstream(*(chat.failure(500) for _ in range(3))), routerSettings=one_attempt(allowedFails=2))
    gw.chat()
    gw.advance(30_000)
    gw.chat()
    gw.advance(later - 30_000)
    gw.chat()
    with check("BRK-WINDOW-001"):
        assert states(gw) == [state]


@pytest.mark.rule("BRK-OPEN-003")
def test_late_failures_do_not_extend_an_opening(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Of two requests that are under way one fails at once and one a second before the cooldown ends."""
    up = upstream(*([Pause(until=f"{n}"), *chat.failure(500)] for n in (1, 2)), chat.completion("a"))
    gw = gateway(up, routerSettings=one_attempt(allowedFails=0))
    early = gw.begin_chat()
    up.wait_gate("1")
    late = gw.begin_chat()
    up.wait_gate("2")
    up.release("1")
    assert early.response().status == 500
    assert states(gw) == [("cooldown", 5_000)]
    gw.advance(4_000)
    up.release("2")
    assert late.response().status == 500
    with check("BRK-OPEN-003"):
        assert states(gw) == [("cooldown", 1_000)]
    gw.advance(1_000)
    assert gw.chat().status == 200
    with check("BRK-OPEN-003"):
        assert states(gw) == [CLOSED]


@pytest.mark.rule("BRK-COUNT-001")
def test_refused_connections_open_a_circuit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """No client notices."""
    first, second = upstream(), upstream({"repeat": True, "steps": [chat.completion("b")]})
    first.refuse()
    gw = gateway(*in_order(first, second))
    for failures in range(4):
        with check("BRK-COUNT-001"):
            assert states(gw) == [CLOSED, CLOSED], failures
            assert gw.chat().status == 200
    with check("BRK-COUNT-001"):
        assert states(gw) == [("cooldown", 5_000), CLOSED]
        assert [gw.chat().status for _ in range(26)] == [200] * 26
