"""What a message may say."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import speaking
from conformance.session import compact
from conformance.websocket import WebSocket, output, turn_body
from fake_upstreams import responses

NO_EVENT: dict[str, tuple[bytes, str | None, str]] = {
    "no JSON": (b"hello", None, "invalid_json"),
    "nothing": (b"", None, "invalid_json"),
    "an array": (b"[]", None, "invalid_type"),
    "no type": (compact({"model": "gpt", "input": "hi"}), "type", "missing_required_parameter"),
    "a type that is no string": (turn_body(type=1), "type", "invalid_type"),
    "another event": (turn_body(type="response.cancel"), "type", "invalid_value"),
}


@pytest.mark.rule("WS-MSG-001")
def test_what_is_no_event(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(responses.stream("a"))
    ws = WebSocket(gateway(*speaking(up)))
    for case, (message, param, code) in NO_EVENT.items():
        ws.send(message)
        error = ws.error()
        with check("WS-MSG-001"):
            assert (error["status"], error["type"]) == (400, "invalid_request_error"), case
            assert (error["param"], error["code"]) == (param, code), case
            assert param is None or f"'{param}'" in error["message"], case
    with check("WS-MSG-001"):
        assert up.requests == []
        assert output(ws.turn()) == "a"


@pytest.mark.rule("WS-MSG-004")
def test_a_message_without_a_type_lacks_that_first(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    ws = WebSocket(gateway(*speaking(upstream())))
    for message in (b"{}", b'{"input":"hi"}'):
        ws.send(message)
        error = ws.error()
        with check("WS-MSG-004"):
            assert (error["param"], error["code"]) == ("type", "missing_required_parameter"), message


TRANSPORT: dict[str, list[Any]] = {
    "stream": [True, False, None],
    "stream_options": [{"include_obfuscation": False}, None],
    "background": [True, False],
    "stream_id": ["a"],
}


@pytest.mark.rule("WS-MSG-002")
def test_what_belongs_to_other_transports(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream()
    ws = WebSocket(gateway(*speaking(up)))
    for name, values in TRANSPORT.items():
        for value in values:
            ws.begin(**{name: value})
            error = ws.error()
            with check("WS-MSG-002"):
                assert (error["status"], error["param"], error["code"]) == (400, name, "unsupported_parameter"), value
                assert f"'{name}'" in error["message"]
    with check("WS-MSG-002"):
        assert up.requests == []


BODY: dict[str, tuple[dict[str, Any], str, str, int]] = {
    "no such model": ({"model": "none"}, "model", "model_not_found", 404),
    "model": ({"model": 7}, "model", "invalid_type", 400),
    "input": ({"input": 1}, "input", "invalid_type", 400),
    "generate": ({"generate": "no"}, "generate", "invalid_type", 400),
    "previous_response_id": ({"previous_response_id": 1}, "previous_response_id", "invalid_type", 400),
}


@pytest.mark.rule("WS-MSG-003")
def test_what_else_is_wrong(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream()
    ws = WebSocket(gateway(*speaking(up)))
    for case, (members, param, code, status) in BODY.items():
        ws.begin(**members)
        error = ws.error()
        with check("WS-MSG-003"):
            assert (error["status"], error["param"], error["code"]) == (status, param, code), case
    ws.send(compact({"type": "response.create", "input": "hi"}))
    missing = ws.error()
    ws.send(turn_body()[:-1] + b',"model":"gpt"}')
    twice = ws.error()
    with check("WS-MSG-003"):
        assert (missing["param"], missing["code"]) == ("model", "missing_required_parameter")
        assert (twice["param"], twice["code"]) == ("model", "duplicate_member")
        assert up.requests == []
