"""A client that leaves frees what it used."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import Connection
from conformance.deployments import in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Pause, Step, chat, faults

GONE = ("client closed", "client reset")


def leave(client: Connection, how: str) -> None:
    if how == "close":
        client.close()
    else:
        client.reset()


@pytest.mark.parametrize("how", ["close", "reset"])
@pytest.mark.rule("UP-CANCEL-002", "UP-CANCEL-003")
def test_leaving_before_a_json_answer(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, how: str
) -> None:
    """Time does not move meanwhile, so it is not a deadline that ends the attempt."""
    first, second = upstream([faults.AcceptThenSilence()]), upstream()
    gw = gateway(*in_order(first, second))
    client = gw.begin_chat()
    first.wait_request()
    leave(client, how)
    with check("UP-CANCEL-002"):
        assert first.wait_closed() in GONE
    gw.stop()
    with check("UP-CANCEL-003"):
        assert second.requests == []


@pytest.mark.parametrize("how", ["close", "reset"])
@pytest.mark.rule("UP-CANCEL-001", "UP-CANCEL-003")
def test_leaving_a_stream(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, how: str) -> None:
    """Before its head, before commit, and after commit."""
    cases: dict[str, list[Step]] = {
        "before the head": [faults.AcceptThenSilence()],
        "before commit": [chat.role(), Pause(until="never")],
        "after commit": [chat.role(), chat.content("a"), Pause(until="never")],
    }
    for case, steps in cases.items():
        first, second = upstream(steps), upstream()
        gw = gateway(*in_order(first, second))
        client = gw.begin_chat(stream=True)
        first.wait_request()
        if case != "before the head":
            first.wait_gate("never")
        if case == "after commit":
            client.head()
        leave(client, how)
        with check("UP-CANCEL-001"):
            assert first.wait_closed() in GONE, case
        gw.stop()
        with check("UP-CANCEL-003"):
            assert second.requests == [], case


@pytest.mark.rule("UP-CANCEL-004")
def test_leaving_counts_against_nobody(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Ten clients in a row, far more than the failures that open a circuit; before and after the commit."""
    before: list[Step] = [chat.role(), Pause(until="never")]
    after: list[Step] = [chat.role(), chat.content("a"), Pause(until="never")]
    up = upstream(*[before, after] * 5, chat.completion("a"))
    gw = gateway(up)
    for number in range(1, 11):
        client = gw.begin_chat(stream=True)
        up.wait_request(number)
        if number % 2 == 0:
            client.head()
        client.close()
        up.wait_closed(number)
    with check("UP-CANCEL-004"):
        (row,) = gw.deployments()
        assert (row["status"], row["metrics"]["inflight"]) == ("available", 0)
        assert gw.chat().status == 200
