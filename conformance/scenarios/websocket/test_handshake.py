"""How a WebSocket begins, and what is said before it does."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.responses import speaking
from conformance.session import RESPONSES, Session
from conformance.websocket import ACCEPT, HANDSHAKE, WebSocket
from fake_upstreams import responses

Lines = list[tuple[str, str]]


def asked(gateway: Session, without: str = "", *more: tuple[str, str]) -> Response:
    """The answer to a handshake, in HTTP."""
    lines = [line for line in HANDSHAKE if line[0] != without]
    return gateway.call("GET", RESPONSES, headers=[*lines, *more])


@pytest.mark.rule("WS-HAND-001")
def test_what_is_agreed_on(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(*speaking(upstream()))
    offered = [
        ("sec-websocket-protocol", "openai-beta.responses.v1, other"),
        ("sec-websocket-extensions", "permessage-deflate; client_max_window_bits"),
        ("x-request-id", "mine"),
    ]
    head = WebSocket(gw, offered).head
    with check("WS-HAND-001"):
        assert head.get("upgrade") == "websocket"
        assert head.get("connection") == "Upgrade"
        assert head.get("sec-websocket-accept") == ACCEPT
        assert head.get("sec-websocket-protocol") is None
        assert head.get("sec-websocket-extensions") is None
        assert head.get("content-length") is None
        assert head.get("x-request-id") == "mine"
        assert (WebSocket(gw).head.get("x-request-id") or "").startswith("req_")


@pytest.mark.rule("WS-HAND-002")
def test_what_is_no_websocket_of_today(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(*speaking(upstream([responses.answer("a")])))
    cases = {
        "no upgrade": asked(gw, "upgrade"),
        "another protocol": asked(gw, "upgrade", ("upgrade", "h2c")),
        "an old version": asked(gw, "sec-websocket-version", ("sec-websocket-version", "8")),
    }
    with check("WS-HAND-002"):
        for case, answer in cases.items():
            assert answer.status == 426, case
            assert answer.header("upgrade") == "websocket", case
            assert answer.header("sec-websocket-version") == "13", case
            assert answer.error()["code"] == "upgrade_required", case
        assert gw.responses().status == 200, "POST is what it was"
        other = gw.call("PUT", RESPONSES, b"{}")
        assert (other.status, other.header("allow")) == (405, "POST, GET")


@pytest.mark.rule("WS-HAND-003")
def test_what_a_handshake_must_have(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(*speaking(upstream()))
    cases = {
        "Connection": asked(gw, "connection"),
        "Sec-WebSocket-Version": asked(gw, "sec-websocket-version"),
        "Sec-WebSocket-Key": asked(gw, "sec-websocket-key"),
        "Sec-WebSocket-Key' is required once": asked(gw, "", ("sec-websocket-key", "AAECAwQFBgcICQoLDA0ODw==")),
        "Sec-WebSocket-Version' is required once": asked(gw, "", ("sec-websocket-version", "13")),
        "16 random bytes": asked(gw, "sec-websocket-key", ("sec-websocket-key", "AAECAwQFBgcICQoLDA0ODw")),
    }
    with check("WS-HAND-003"):
        for name, answer in cases.items():
            assert answer.status == 400, name
            assert answer.error()["code"] == "invalid_handshake", name
            assert name in answer.error()["message"], name


@pytest.mark.rule("WS-HAND-004")
def test_keys_are_checked_before_the_upgrade(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(*speaking(upstream(responses.stream("a"))), keys=[{"name": "demo", "key": "right"}])
    for case, lines in {"none": [], "wrong": [("authorization", "Bearer wrong")]}.items():
        answer = asked(gw, "", *lines)
        with check("WS-HAND-004"):
            assert answer.status == 401, case
            assert answer.error()["code"] == "invalid_api_key", case
    for line in (("authorization", "Bearer right"), ("x-api-key", "right")):
        with check("WS-HAND-004"):
            assert WebSocket(gw, [line]).head.status == 101, line
    with check("WS-HAND-004"):
        assert WebSocket(gw, [("authorization", "Bearer right")]).turn()[-1]["type"] == "response.completed"
