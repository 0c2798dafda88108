"""Paths, methods, request ids and the shape of errors."""

from __future__ import annotations

import re
from datetime import timedelta
from email.utils import parsedate_to_datetime

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import CHAT, chat_body
from fake_upstreams import chat, reply


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
        ("OPTIONS", CHAT, "POST"),
        ("OPTIONS", "/v1/models", "GET"),
        ("HEAD", CHAT, "POST"),
        ("PROPFIND", "/v1/models", "GET"),
    ]
    for method, path, allowed in known:
        answer = client.request(method, path, b"{}" if method not in ("GET", "HEAD") else None)
        with check("HTTP-ROUTE-002"):
            assert answer.status == 405, (method, path)
            assert allowed in (answer.header("allow") or ""), (method, path)
        if method != "HEAD":
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


@pytest.mark.rule("HTTP-ROUTE-004")
def test_targets_in_absolute_form(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """As a client sends them that takes the gateway for its proxy."""
    gw = gateway(upstream(chat.completion("a")))
    for target, status in (
        ("http://gateway.test/v1/models", 200),
        ("HTTPS://gateway.test:4000/v1/models?a=/b", 200),
        ("ftp://gateway.test/v1/models", 404),
        ("http://gateway.test", 404),
        ("http://gateway.test?x=/v1/models", 404),
    ):
        with check("HTTP-ROUTE-004"):
            assert gw.call("GET", target).status == status, target
    with check("HTTP-ROUTE-004"):
        assert gw.call("POST", "http://gateway.test" + CHAT, chat_body()).status == 200


@pytest.mark.rule("HTTP-ROUTE-005")
def test_head_is_get_without_the_body(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    client = gateway(upstream()).connect()
    for path in ("/v1/models", "/v1/models/gpt", "/health/live", "/v1/models/nobody", "/v1/nothing"):
        get = client.request("GET", path)
        head = client.request("HEAD", path)
        with check("HTTP-ROUTE-005"):
            assert head.status == get.status, path
            for name in ("content-length", "content-type"):
                assert head.header(name) == get.header(name), path
            assert client.pending() == b"", path


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("HTTP-DATE-001")
def test_every_answer_says_when_it_was_given(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(reply(chat.completion("a"), times=None)))

    def dates() -> set[str | None]:
        answers = [gw.chat(), gw.post(b"[]"), gw.call("GET", "/health/live"), gw.call("GET", "/v1/nothing")]
        return {answer.header("date") for answer in answers}

    before = dates()
    gw.advance(3_600_000)
    after = dates()
    with check("HTTP-DATE-001"):
        (first,), (second,) = before, after
        assert first is not None
        assert second is not None
        assert re.fullmatch(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z][a-z] \d{4} \d\d:\d\d:\d\d GMT", first)
        assert parsedate_to_datetime(second) - parsedate_to_datetime(first) == timedelta(hours=1)


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
