"""idleMs, just before and just after its edge."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents
from fake_upstreams import Pause, chat, faults

pytestmark = pytest.mark.needs("virtual_time")


@pytest.mark.rule("DLN-IDLE-001", "DLN-ABORT-001", "FAIL-TRANSIENT-011")
def test_a_silent_stream_fails_at_idle_ms(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Role, then nothing; before commit another deployment takes over."""
    first, second = upstream([chat.role(), Pause(until="never")]), upstream(chat.stream("b"))
    gw = gateway(*in_order(first, second))
    client = gw.begin_chat(stream=True)
    first.wait_gate("never")
    gw.advance(0, until_armed="idle")
    gw.advance(599_999)
    with check("DLN-IDLE-001"):
        assert first.open_connections == 1
        assert second.requests == []
    gw.advance(1)
    with check("DLN-IDLE-001", "FAIL-TRANSIENT-011"):
        assert contents(client.response()) == "b"
    with check("DLN-ABORT-001"):
        assert first.wait_closed() in ("client closed", "client reset")


@pytest.mark.rule("DLN-IDLE-002")
def test_any_byte_starts_idle_ms_anew(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Comments, and even the single bytes of one, for longer than idleMs."""
    steps = [chat.role(), Pause(until="1"), chat.comment(), Pause(until="2"), faults.StallMidStream(b":", "3")]
    up = upstream([*steps, *chat.stream("a")[1:]])
    gw = gateway(up)
    client = gw.begin_chat(stream=True)
    gw.advance(0, until_armed="idle")
    for gate in ("1", "2", "3"):
        up.wait_gate(gate)
        gw.advance(0)
        gw.advance(599_999)
        with check("DLN-IDLE-002"):
            assert up.open_connections == 1, gate
        up.release(gate)
    with check("DLN-IDLE-002"):
        assert client.response().events[-1].is_done


@pytest.mark.rule("DLN-IDLE-003")
def test_without_idle_ms_silence_has_no_limit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([chat.role(), Pause(until="late"), *chat.stream("a")[1:]])
    gw = gateway(up, routerSettings=policies(stream={"idleMs": None}))
    client = gw.begin_chat(stream=True)
    up.wait_gate("late")
    gw.advance(0)
    gw.advance(3_599_999, until_armed="total")
    with check("DLN-IDLE-003"):
        assert gw.timers().of("idle") == []
        assert up.open_connections == 1
    up.release("late")
    with check("DLN-IDLE-003"):
        assert contents(client.response()) == "a"


@pytest.mark.rule("DLN-IDLE-004", "STR-ERROR-002")
def test_idle_ms_after_commit_ends_the_stream_in_band(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first, second = upstream([chat.role(), chat.content("a"), faults.StallMidStream()]), upstream()
    gw = gateway(*in_order(first, second))
    client = gw.begin_chat(stream=True)
    client.head()
    events = [client.event(), client.event()]
    gw.advance(600_000, until_armed="idle")
    while (event := client.event()).comment == "keepalive":
        pass
    with check("DLN-IDLE-004"):
        assert events[1].json()["choices"][0]["delta"]["content"] == "a"
        assert event.json()["error"]["code"] == "timeout"
    with check("STR-ERROR-002"):
        assert client.rest_of_chunks() == b""


@pytest.mark.rule("DLN-IDLE-001")
def test_a_stream_that_stalls_inside_an_event_is_silent(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([chat.role(), faults.StallMidStream()])
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    client = gw.begin_chat(stream=True)
    up.wait_request()
    gw.advance(0, until_armed="idle")
    gw.advance(600_000)
    with check("DLN-IDLE-001"):
        assert client.response().events[-1].json()["error"]["code"] == "timeout"
