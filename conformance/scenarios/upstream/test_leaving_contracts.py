"""Clients of every contract that leave: what is freed, who is blamed, and what is recorded."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import one_attempt
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import rows
from conformance.session import states
from conformance.streaming import STREAMING, Streaming, carrying_all
from fake_upstreams import Pause, Step, chat, faults

pytestmark = [
    pytest.mark.needs("virtual_time"),
    pytest.mark.parametrize("contract", STREAMING.values(), ids=STREAMING.keys()),
]

AVAILABLE = ("available", None)


@pytest.mark.rule("UP-CANCEL-004", "LOG-ROW-007")
def test_ten_that_leave_are_nobody_s_failures(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming
) -> None:
    """Before the commit, after it, and before a JSON answer; none of them would be allowed as a failure."""
    ways: list[tuple[bool, list[Step]]] = [
        (True, [*contract.begin, Pause(until="never")]),
        (True, [*contract.begin, contract.shown, Pause(until="never")]),
        (False, [faults.AcceptThenSilence()]),
    ]
    cases = [ways[number % 3] for number in range(10)]
    up = upstream(*(steps for _, steps in cases), contract.whole)
    gw = gateway(*carrying_all(up), routerSettings={"allowedFails": 0})
    for number, (stream, _) in enumerate(cases, start=1):
        client = gw.begin(contract.path, contract.body(stream=stream))
        up.wait_request(number)
        if number % 3 == 2:
            client.head()
        client.close()
        up.wait_closed(number)
    with check("UP-CANCEL-004"):
        (row,) = gw.deployments()
        assert (row["status"], row["metrics"]["inflight"], row["metrics"]["health_score"]) == ("available", 0, 0.5)
        assert contract.text_of(contract.ask(gw)) == "a"
    with check("LOG-ROW-007"):
        kept = rows(gw)
        assert [(row["outcome"], row["httpStatus"]) for row in kept] == [("success", 200)] + [("cancelled", 499)] * 10


@pytest.mark.rule("BRK-PROBE-007")
@pytest.mark.parametrize("shown", [False, True], ids=["before the commit", "after it"])
def test_a_probe_whose_client_leaves_keeps_nobody_out(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, shown: bool
) -> None:
    """Before the commit the next request probes; the commit has closed the circuit."""
    steps = [*contract.begin, *([contract.shown] if shown else []), Pause(until="never")]
    up = upstream(chat.failure(500), steps, contract.whole)
    gw = gateway(*carrying_all(up), routerSettings=one_attempt(allowedFails=0))
    assert contract.ask(gw).status == 500
    gw.advance(5_000)
    client = gw.begin(contract.path, contract.body(stream=True))
    up.wait_gate("never")
    if shown:
        client.head()
    client.close()
    up.wait_closed(up.connections)
    with check("BRK-PROBE-007"):
        assert states(gw) == [AVAILABLE if shown else ("half_open", 0)]
        assert contract.text_of(contract.ask(gw)) == "a"
        assert states(gw) == [AVAILABLE]


@pytest.mark.rule("RTY-WAIT-007")
@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
def test_leaving_ends_a_wait(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, contract: Streaming, stream: bool
) -> None:
    up = upstream(chat.failure(503))
    gw = gateway(*carrying_all(up))
    client = gw.begin(contract.path, contract.body(stream=stream))
    gw.advance(100, until_armed="wait")
    client.close()
    while gw.timers().of("wait"):
        pass
    gw.advance(10_000)
    gw.stop()
    with check("RTY-WAIT-007"):
        assert len(up.requests) == 1
