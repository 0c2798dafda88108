"""Paths, methods, request ids and the shape of errors."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import CHAT, chat_body
from fake_upstreams import chat


def assert_error_shape(answer: Response) -> None:
    """Asserts that all four members are there, of the right types, and nothing beside `error`."""
    assert set(answer.json()) == {"error"}
    error = answer.error()
    assert set(error) == {"message", "type", "param", "code"}
    assert isinstance(error["message"], str)
    assert error["message"] != ""
    assert isinstance(error["type"], str)
    assert error["param"] is None or isinstance(error["param"], str)
    assert error["code"] is None or isinstance(error["code"], str)


@pytest.mark.rule("HTTP-ROUTE-001", "HTTP-ERROR-001", "HTTP-ERROR-002", "HTTP-ID-001", "HTTP-CONN-001")
def test_unknown_paths_are_not_found(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    client = gateway(upstream()).connect()
    for method, path in (
        ("GET", "/"),
        ("POST", "/v1/nothing"),
        ("GET", "/v1/chat"),
        ("POST", CHAT + "/"),
        ("PUT", "/x"),
    ):
        answer = client.request(method, path, b"{}" if method != "GET" else None)
        with check("HTTP-ROUTE-001", "HTTP-CONN-001"):
            assert answer.status == 404, path
        with check("HTTP-ERROR-001"):
            assert_error_shape(answer)
        with check("HTTP-ERROR-002"):
            assert answer.header("content-type") == "application/json", path
        with check("HTTP-ID-001"):
            assert answer.header("x-request-id"), path


@pytest.mark.rule("HTTP-ROUTE-002", "HTTP-ERROR-001", "HTTP-ID-001")
def test_other_methods_are_not_allowed(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    client = gateway(upstream()).connect()
    known = [
        ("GET", CHAT, "POST"),
        ("DELETE", CHAT, "POST"),
        ("POST", "/v1/models", "GET"),
        ("PUT", "/health/live", "GET"),
    ]
    for method, path, allowed in known:
        answer = client.request(method, path, b"{}" if method != "GET" else None)
        with check("HTTP-ROUTE-002"):
            assert answer.status == 405, (method, path)
            assert allowed in (answer.header("allow") or ""), (method, path)
        with check("HTTP-ERROR-001"):
            assert_error_shape(answer)
        with check("HTTP-ID-001"):
            assert answer.header("x-request-id"), (method, path)


@pytest.mark.rule("HTTP-ROUTE-003")
def test_a_query_does_not_change_the_route(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(chat.completion("a")))
    with check("HTTP-ROUTE-003"):
        assert gw.call("GET", "/health/live?x=1").status == 200
        assert gw.call("GET", "/v1/models?limit=20&after=x").status == 200
        assert gw.call("POST", CHAT + "?api-version=1", chat_body()).status == 200


@pytest.mark.rule("HTTP-ERROR-001", "HTTP-ERROR-002", "HTTP-ID-001", "HTTP-REFUSE-001")
def test_refused_chat_requests_get_errors_of_one_shape(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    gw = gateway(up)
    for body in (b"", b"[]", chat_body(stream=7), chat_body(model="nobody"), chat_body(model="nobody", stream=True)):
        answer = gw.post(body)
        with check("HTTP-ERROR-001"):
            assert_error_shape(answer)
        with check("HTTP-ERROR-002"):
            assert answer.header("content-type") == "application/json", body
        with check("HTTP-ID-001"):
            assert answer.header("x-request-id"), body
    with check("HTTP-REFUSE-001"):
        assert up.requests == []


@pytest.mark.rule("HTTP-ID-001", "HTTP-ID-002", "HTTP-ID-003", "HTTP-ID-004")
def test_request_ids(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(chat.completion("a"), chat.completion("a"), chat.completion("a"), chat.stream("a")))
    for given in ("a", "req_0-1.2:3/~!", "x" * 128):
        with check("HTTP-ID-002"):
            assert gw.chat([("x-request-id", given)]).header("x-request-id") == given
    ids = [gw.chat(stream=True).header("x-request-id")]
    ids += [gw.call("GET", path).header("x-request-id") for path in ("/health/live", "/health/ready", "/v1/models")]
    with check("HTTP-ID-001"):
        assert all(ids)
    with check("HTTP-ID-004"):
        assert len(set(ids)) == len(ids)
    for bad in ("x" * 129, "two words", "h\u00e9", "tab\tbed", ""):
        answer = gw.call("GET", "/health/live", headers=[("x-request-id", bad)])
        with check("HTTP-ID-003"):
            assert answer.status == 200, bad
            assert answer.header("x-request-id") not in (None, "", bad), bad
