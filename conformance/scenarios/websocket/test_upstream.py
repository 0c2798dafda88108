"""Turns that go to the upstream over a WebSocket."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.frames import Opcode

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, UPSTREAM_KEY, deployment, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last, rows
from conformance.responses import SEALED
from conformance.upstream_sockets import CLOSED, GONE, connections, failure, speaking
from conformance.websocket import WebSocket, output
from fake_upstreams import (
    Bytes,
    Event,
    Pause,
    Repeated,
    Status,
    Step,
    Upgrade,
    chat,
    faults,
    responses,
)
from fake_upstreams.websocket import frame


@pytest.mark.rule("WS-UP-001", "WS-UP-003")
def test_a_turn_goes_over_a_websocket(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """As the client's message; what the client reads is what it reads of a POST."""
    up, plain = upstream([Upgrade()], responses.stream("hel", "lo")), upstream(responses.stream("hel", "lo"))
    gw = gateway(*speaking(up), *in_order(plain, publicModel="plain", adapterKey="openai"))
    ws = WebSocket(gw, [("x-unified-routing-metadata", "true"), ("x-request-id", "mine")])
    ws.send(
        '{"generate":true, "type":"response.create", "input":"h\\u00e9","model":"gpt", "store":false, "made_up":1.0}'
    )
    events = ws.events()
    over_http = ws.turn(model="plain")
    with check("WS-UP-001"):
        shake, sent = up.requests
        assert sent.body.decode() == (
            '{ "type":"response.create", "input":"h\\u00e9","model":"upstream-model", "store":false, "made_up":1.0}'
        )
        assert output(events) == "hello"
        assert [event["type"] for event in events] == [event["type"] for event in over_http]
        assert events[-1]["response"]["model"] == "gpt"
        assert SEALED.fullmatch(events[-1]["response"]["id"])
        assert events[-1]["response"]["unified_routing"]["attempt_count"] == 1
        assert ws.is_silent()
        row = rows(gw)[-1]
        assert (row["callType"], row["httpStatus"], row["outcome"]) == ("responses", 200, "success")
        assert row["totalTokens"] == 2
        assert plain.requests[0].method == "POST"
    with check("WS-UP-003"):
        assert (shake.method, shake.target, shake.body) == ("GET", "/v1/responses", b"")
        assert shake.headers["authorization"] == f"Bearer {UPSTREAM_KEY}"
        assert shake.headers["x-request-id"] == "mine-1"
        assert "sec-websocket-protocol" not in shake.headers
        assert "sec-websocket-extensions" not in shake.headers


@pytest.mark.rule("WS-UP-001")
def test_other_requests_do_not(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Those over HTTP, and those to an address of the user's own that nothing is said about."""
    up, unsaid = upstream(responses.stream("a"), [chat.completion("a")]), upstream(responses.stream("b"))
    gw = gateway(*speaking(up), *in_order(unsaid, publicModel="unsaid", adapterKey="openai"))
    gw.responses(stream=True)
    gw.chat()
    events = WebSocket(gw).turn(model="unsaid")
    with check("WS-UP-001"):
        assert [request.method for request in up.requests] == ["POST", "POST"]
        assert [request.method for request in unsaid.requests] == ["POST"]
        assert output(events) == "b"


@pytest.mark.rule("WS-UP-002", "WS-UP-012")
def test_turns_of_a_client_share_a_connection(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Those of others have one of their own, and so has each deployment; all end with the client's."""
    up = upstream(
        [Upgrade()], responses.stream("a"), responses.stream("b"), [Upgrade()], responses.stream("c"),
        responses.stream("d"),
    )  # fmt: skip
    other = upstream([Upgrade()], responses.stream("e"))
    gw = gateway(*speaking(up), deployment(other, publicModel="other", adapterKey="openai", webSocket=True))
    mine = WebSocket(gw)
    first = mine.turn(store=False)
    one = first[-1]["response"]["id"]
    second = mine.turn(store=False, previous_response_id=one)
    theirs = WebSocket(gw)
    seen = [first, second, theirs.turn(), mine.turn(), theirs.turn(model="other")]
    with check("WS-UP-002"):
        assert [output(events) for events in seen] == ["a", "b", "c", "d", "e"]
        assert [(method, number) for method, number in connections(up)] == [
            ("GET", 1), ("MESSAGE", 1), ("MESSAGE", 1), ("GET", 2), ("MESSAGE", 2), ("MESSAGE", 1),
        ]  # fmt: skip
        assert up.requests[2].json["previous_response_id"] == responses.ID
        assert connections(other) == [("GET", 1), ("MESSAGE", 1)]
        assert up.open_connections == 2
    mine.leave()
    with check("WS-UP-012"):
        assert up.wait_closed(1) in CLOSED
        assert up.open_connections == 1
    theirs.close()
    with check("WS-UP-012"):
        assert up.wait_closed(2) in CLOSED
        assert other.wait_closed(1) in CLOSED


@pytest.mark.rule("WS-UP-003", "WS-UP-010")
def test_what_is_no_websocket_is_malformed(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The next deployment answers; nothing of such an answer is shown."""
    binary: list[Step] = [*responses.began(), Bytes(frame(b"\x00", Opcode.BINARY)), Pause(until="never")]
    cases: dict[str, tuple[str, list[list[Step]]]] = {
        "digest": ("WS-UP-003", [[Upgrade({"Sec-WebSocket-Accept": "bm8="})]]),
        "extension": ("WS-UP-003", [[Upgrade({"Sec-WebSocket-Extensions": "permessage-deflate"})]]),
        "protocol": ("WS-UP-003", [[Upgrade({"Sec-WebSocket-Protocol": "x"})]]),
        "binary": ("WS-UP-010", [[Upgrade()], binary]),
        "reserved bits": ("WS-UP-010", [[Upgrade()], [Bytes(b"\xc1\x00"), Pause(until="never")]]),
        "too large": ("WS-UP-010", [[Upgrade()], [Bytes(b"\x81\x7f\0\0\0\0\1\0\0\1{"), Pause(until="never")]]),
    }
    for case, (rule, script) in cases.items():
        first, second = upstream(*script), upstream(responses.stream("a"))
        gw = gateway(*speaking(first), deployment(second, adapterKey="openai", weight=1))
        events = WebSocket(gw).turn()
        with check(rule):
            assert output(events) == "a", case
            assert first.wait_closed() in GONE, case
            assert failure(gw) == "transient", case


@pytest.mark.rule("WS-UP-004")
@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize("status", [404, 405, 426, 501, 200, 204])
def test_a_deployment_without_websockets_gets_posts(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, status: int
) -> None:
    """In the same attempt, and from then on for 10 minutes, for every client."""
    up = upstream([Status(status)], responses.stream("a"), responses.stream("b"), responses.stream("c"),
                  [Upgrade()], responses.stream("d"))  # fmt: skip
    gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
    ws = WebSocket(gw)
    first = ws.turn()
    with check("WS-UP-004"):
        assert output(first) == "a"
        assert [request.method for request in up.requests] == ["GET", "POST"]
        assert up.requests[1].json == {"stream": True, "model": "upstream-model", "input": "hi"}
        assert len(last(gw)["attempts"]) == 1
    second = WebSocket(gw).turn()
    gw.advance(599_999)
    third = ws.turn()
    gw.advance(1)
    fourth = ws.turn()
    with check("WS-UP-004"):
        assert [output(events) for events in (second, third, fourth)] == ["b", "c", "d"]
        assert [request.method for request in up.requests[2:]] == ["POST", "POST", "GET", "MESSAGE"]


@pytest.mark.rule("WS-UP-005")
def test_a_handshake_that_is_refused_is_a_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    refusal = chat.failure(403, "no such project", kind="invalid_request_error", code="project_gone")
    first, second = upstream(refusal), upstream([Upgrade()], responses.stream("a"))
    gw = gateway(*speaking(first, second))
    events = WebSocket(gw).turn()
    with check("WS-UP-005"):
        assert output(events) == "a"
        assert failure(gw) == "configuration"
    up = upstream(chat.failure(400, "no such parameter", code="unknown_parameter"), [faults.Reset()], [Upgrade()],
                  responses.stream("a"))  # fmt: skip
    gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
    ws = WebSocket(gw)
    ws.begin()
    refused = ws.error()
    ws.begin()
    lost = ws.error()
    with check("WS-UP-005"):
        assert (refused["status"], refused["code"]) == (400, "unknown_parameter")
        assert "no such parameter" in refused["message"]
        assert lost["status"] == 502
        assert output(ws.turn()) == "a"


@pytest.mark.rule("WS-UP-006")
@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize("where", ["handshake", "message"])
def test_silence_is_a_timeout(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, where: str) -> None:
    """Before the handshake's answer or after it, before the first message or between two."""
    whole = responses.stream("a")
    script: list[Any] = [[Pause(until="never")]] if where == "handshake" else [[Upgrade()], [Pause(until="never")]]
    up = upstream(*script, [Upgrade()], [*whole[:5], Pause(until="later"), *whole[5:]])
    settings = policies(stream={"responseMs": 2_000, "idleMs": 3_000, "totalMs": 60_000, "maxAttempts": 1})
    gw = gateway(*speaking(up), routerSettings=settings)
    ws = WebSocket(gw)
    ws.begin()
    up.wait_gate("never")
    gw.advance(1_999, until_armed="response")
    with check("WS-UP-006"):
        assert ws.is_silent()
        assert up.open_connections == 1
    gw.advance(1)
    with check("WS-UP-006"):
        assert ws.error()["status"] == 504
        assert up.wait_closed(1) in GONE
    ws.begin()
    up.wait_gate("later")
    seen = [ws.event() for _ in range(5)]
    gw.advance(2_999, until_armed="idle")
    with check("WS-UP-006"):
        assert output(seen) == "a"
        assert ws.is_silent()
    gw.advance(1)
    with check("WS-UP-006"):
        assert ws.error()["code"] == "timeout"
        assert up.wait_closed(2) in GONE


def pretty(step: Step) -> str:
    """An event's data with line breaks."""
    assert isinstance(step, Event)
    return json.dumps(step.data, indent=1).replace("\n", "\r\n")


@pytest.mark.rule("WS-UP-001")
def test_data_of_several_lines_is_one_event(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """A message may be JSON with line breaks."""
    up = upstream([Upgrade()], [Event(pretty(step)) for step in responses.stream("a")])
    told = WebSocket(gateway(*speaking(up))).turn()
    with check("WS-UP-001"):
        assert output(told) == "a"
        assert told[-1]["response"]["usage"]["total_tokens"] == 2


@pytest.mark.rule("WS-UP-012")
@pytest.mark.parametrize("when", ["handshake", "turn", "stream"])
def test_a_client_that_leaves_ends_it(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, when: str
) -> None:
    wait = Pause(until="never")
    scripts: dict[str, list[list[Step]]] = {
        "handshake": [[wait]],
        "turn": [[Upgrade()], [*responses.began(), wait]],
        "stream": [[Upgrade()], [*responses.stream("a")[:5], wait]],
    }
    up = upstream(*scripts[when])
    gw = gateway(*speaking(up))
    ws = WebSocket(gw)
    ws.begin()
    up.wait_gate("never")
    ws.close()
    with check("WS-UP-012"):
        assert up.wait_closed() in GONE
        assert last(gw)["outcome"] == "cancelled"
        assert gw.deployments()[0]["metrics"]["inflight"] == 0


PIECE = "x" * 4096
PIECES = 5_000


@pytest.mark.rule("WS-UP-012")
@pytest.mark.needs("virtual_time")
def test_a_client_that_pauses_is_felt(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    long: list[Step] = [*responses.began(), Repeated(responses.text(PIECE), PIECES), responses.completed()]
    up = upstream([Upgrade()], long, responses.stream("b"))
    gw = gateway(*speaking(up))
    ws = WebSocket(gw, receive_buffer=4096)
    ws.begin()
    gw.advance(0, until_armed="client_write")
    gw.advance(60_000)
    with check("WS-UP-012"):
        assert up.sent(1) < PIECES * len(PIECE)
        assert output(ws.events()) == PIECE * PIECES
        assert output(ws.turn()) == "b"
        assert connections(up) == [("GET", 1), ("MESSAGE", 1), ("MESSAGE", 1)]


@pytest.mark.rule("WS-UP-003")
def test_websockets_over_tls(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([Upgrade()], responses.stream("a"), responses.stream("b"), tls=True)
    gw = gateway(*speaking(up), network={"caFile": str(up.ca_file)})
    ws = WebSocket(gw)
    with check("WS-UP-003"):
        assert [output(ws.turn()) for _ in range(2)] == ["a", "b"]
        assert connections(up) == [("GET", 1), ("MESSAGE", 1), ("MESSAGE", 1)]
