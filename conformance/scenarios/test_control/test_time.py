"""The routes that move time, which only tests have."""

from __future__ import annotations

import json

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Pause, chat, faults


@pytest.mark.needs("lifecycle")
@pytest.mark.rule("CTL-GUARD-001")
def test_without_test_control_there_is_nothing_to_control(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(upstream(), test_control=False)
    for method, path in (("GET", "/test/timers"), ("POST", "/test/advance"), ("POST", "/test/seed")):
        with check("CTL-GUARD-001"):
            body = None if method == "GET" else json.dumps({"ms": 1, "seed": 1}).encode()
            assert gw.call(method, path, body).status == 404, path


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("CTL-TIME-001", "CTL-TIME-002", "CTL-TIME-003", "CTL-TIME-004")
def test_time_moves_only_by_hand(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([faults.AcceptThenSilence()], [chat.role(), Pause(until="never")])
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    first = gw.begin_chat([("x-request-id", "json")])
    up.wait_request(1)
    gw.advance(0, until_armed="response")
    start = gw.timers()
    with check("CTL-TIME-001"):
        assert gw.timers().now_ms == start.now_ms
        assert first.pending() == b""
    with check("CTL-TIME-002"):
        armed = {timer.kind: timer for timer in start.timers if timer.request == "json"}
        assert {"response", "total"} <= set(armed)
        assert armed["response"].due_ms == start.now_ms + 600_000
        assert armed["total"].due_ms == start.now_ms + 1_800_000
    now = gw.advance(1000)
    with check("CTL-TIME-003"):
        assert now == start.now_ms + 1000
        assert gw.timers().now_ms == now
    second = gw.begin_chat([("x-request-id", "stream")], stream=True)
    gw.advance(1, until_armed="idle")
    with check("CTL-TIME-004"):
        idle = gw.timers().of("idle")
        assert [(timer.request, timer.due_ms) for timer in idle] == [("stream", now + 600_000)]
    gw.advance(600_000)
    with check("CTL-TIME-003"):
        assert first.response().status == 504
        assert second.response().events[-1].json()["error"]["code"] == "timeout"
        assert gw.timers().now_ms == now + 600_001
