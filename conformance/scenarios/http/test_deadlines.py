"""Clients that begin and do not go on."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import chat_request
from fake_upstreams import chat

pytestmark = pytest.mark.needs("virtual_time")


@pytest.mark.rule("HTTP-SLOW-001")
def test_a_head_must_come_within_30_seconds(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """However it dribbles."""
    gw = gateway(upstream())
    client = gw.connect()
    client.send(b"GET /v1/models HT")
    gw.advance(20_000)
    client.send(b"TP/1.1\r\nhost: x\r\n")
    gw.advance(9_999)
    with check("HTTP-SLOW-001"):
        assert client.pending() == b""
    gw.advance(1)
    with check("HTTP-SLOW-001"):
        answer = client.response("GET")
        assert answer.status == 408
        assert answer.error()["type"] == "invalid_request_error"
        assert answer.header("connection") == "close"
        assert client.is_closed()


@pytest.mark.rule("HTTP-SLOW-002", "HTTP-REFUSE-001")
def test_a_body_must_go_on_within_30_seconds(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.completion("a"))
    gw = gateway(up)
    whole = chat_request()
    slow, stuck = gw.connect(), gw.connect()
    for client in (slow, stuck):
        client.send(whole[:-10])
    gw.advance(29_999)
    slow.send(whole[-10:-9])
    gw.advance(0)
    with check("HTTP-SLOW-002"):
        assert stuck.pending() == b""
    gw.advance(1)
    for place in range(-9, -1):
        gw.advance(29_000)
        slow.send(whole[place : place + 1])
        gw.advance(0)
    with check("HTTP-SLOW-002"):
        answer = stuck.response()
        assert answer.status == 408
        assert stuck.is_closed()
    slow.send(whole[-1:])
    with check("HTTP-SLOW-002"):
        assert slow.response().status == 200
    with check("HTTP-REFUSE-001"):
        assert len(up.requests) == 1


@pytest.mark.rule("HTTP-SLOW-003")
def test_an_idle_connection_is_kept_for_75_seconds(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(upstream())
    used, idle = gw.connect(), gw.connect()
    for client in (used, idle):
        assert client.request("GET", "/v1/models").status == 200
    gw.advance(74_999)
    with check("HTTP-SLOW-003"):
        assert used.request("GET", "/v1/models").status == 200
    gw.advance(1)
    with check("HTTP-SLOW-003"):
        assert idle.is_closed()
        assert used.request("GET", "/v1/models").status == 200


@pytest.mark.rule("HTTP-SLOW-004")
def test_a_new_connection_must_be_used_within_30_seconds(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Blank lines begin no request."""
    gw = gateway(upstream())
    used, silent, blank = gw.connect(), gw.connect(), gw.connect()
    gw.advance(29_999)
    blank.send(b"\r\n")
    with check("HTTP-SLOW-004"):
        assert used.request("GET", "/v1/models").status == 200
    gw.advance(1)
    with check("HTTP-SLOW-004"):
        assert silent.is_closed()
        assert blank.is_closed()


@pytest.mark.rule("HTTP-SLOW-005")
def test_a_client_that_takes_nothing_of_an_answer_is_given_up(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """A JSON answer of 16 MiB, more than the kernels hold between them; the connection ends inside it."""
    gw = gateway(upstream(chat.completion("x" * (16 << 20))), server={"clientWriteStallMs": 5000})
    client = gw.begin_chat(receive_buffer=4096)
    gw.advance(4999, until_armed="client_write")
    with check("HTTP-SLOW-005"):
        assert gw.timers().of("client_write") != []
    gw.advance(1)
    with check("HTTP-SLOW-005"):
        assert gw.timers().of("client_write") == []
        try:
            got = len(client.rest())
        except ConnectionResetError:
            got = 0
        assert got < 16 << 20
