"""totalMs bounds the logical request across its attempts."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Pause, chat, faults

pytestmark = pytest.mark.needs("virtual_time")


@pytest.mark.rule("DLN-TOTAL-001", "DLN-TOTAL-002", "DLN-TOTAL-003", "DLN-TOTAL-006", "DLN-ABORT-001")
def test_the_request_ends_at_total_ms(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The first attempt takes 600 of 1000 ms, so the second has 400 and the third never begins."""
    first, second = upstream([faults.AcceptThenSilence()]), upstream([faults.AcceptThenSilence()])
    third = upstream()
    settings = policies(json={"responseMs": 600, "totalMs": 1000})
    gw = gateway(*in_order(first, second, third), routerSettings=settings)
    client = gw.begin_chat()
    first.wait_request()
    gw.advance(600, until_armed="response")
    second.wait_request()
    gw.advance(399, until_armed="total")
    with check("DLN-TOTAL-001"):
        assert client.pending() == b""
        assert second.open_connections == 1
    gw.advance(1)
    answer = client.response()
    with check("DLN-TOTAL-001", "DLN-TOTAL-002"):
        assert answer.status == 504
        assert answer.error()["code"] == "timeout"
    with check("DLN-TOTAL-003"):
        assert answer.header("x-should-retry") == "false"
    with check("DLN-ABORT-001"):
        assert second.wait_closed() in ("client closed", "client reset")
    with check("DLN-TOTAL-006"):
        assert third.requests == []


@pytest.mark.rule("DLN-TOTAL-004", "STR-ERROR-002")
def test_total_ms_after_commit_ends_the_stream_in_band(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([chat.role(), chat.content("a"), Pause(until="never")])
    gw = gateway(up, routerSettings=policies(stream={"idleMs": None, "totalMs": 5000}))
    client = gw.begin_chat(stream=True)
    client.head()
    events = [client.event(), client.event()]
    gw.advance(4999, until_armed="total")
    with check("DLN-TOTAL-004"):
        assert client.pending() == b""
    gw.advance(1)
    events.append(client.event())
    with check("DLN-TOTAL-004"):
        assert events[2].json()["error"]["code"] == "timeout"
    with check("STR-ERROR-002"):
        assert client.rest_of_chunks() == b""


@pytest.mark.rule("DLN-TOTAL-005", "DLN-TOTAL-002")
def test_keepalives_do_not_extend_total_ms(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream says something in every second, and never anything of use."""
    steps = [step for number in range(1, 5) for step in (chat.comment(), Pause(until=str(number)))]
    up = upstream([chat.role(), *steps])
    gw = gateway(up, routerSettings=policies(stream={"idleMs": 1500, "totalMs": 4000}))
    client = gw.begin_chat(stream=True)
    for number in range(1, 4):
        up.wait_gate(str(number))
        gw.advance(0)
        gw.advance(1000)
        up.release(str(number))
    up.wait_gate("4")
    gw.advance(0)
    gw.advance(999)
    with check("DLN-TOTAL-005"):
        assert up.open_connections == 1
    gw.advance(1)
    answer = client.response()
    with check("DLN-TOTAL-005"):
        assert up.wait_closed() in ("client closed", "client reset")
    with check("DLN-TOTAL-002"):
        assert answer.status == 504
        assert answer.error()["code"] == "timeout"
