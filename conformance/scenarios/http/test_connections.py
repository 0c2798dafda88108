"""What happens to a connection: one request after the other, and clients that ask first, leave, or close their side."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import encode_request
from conformance.contracts import PATHS, body_at, good_answer
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import CHAT, chat_request
from conformance.streaming import carrying_all
from fake_upstreams import Pause, chat, faults

GONE = ("client closed", "client reset")


@pytest.mark.rule("HTTP-CONN-001", "HTTP-CONN-003")
def test_pipelined_requests_are_answered_in_order(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(*(chat.completion(text) for text in "ab"), chat.stream("c"), chat.completion("d"))
    client = gateway(up).connect()
    models = encode_request("GET", "/v1/models")
    client.send(chat_request() + models + chat_request() + chat_request(stream=True) + chat_request())
    answers = [client.response() for _ in range(5)]
    with check("HTTP-CONN-003"):
        assert [answer.status for answer in answers] == [200] * 5
        texts = [answer.json()["choices"][0]["message"]["content"] for answer in (answers[0], answers[2], answers[4])]
        assert texts == ["a", "b", "d"]
        assert answers[1].json()["object"] == "list"
        assert answers[3].events[-1].is_done
    with check("HTTP-CONN-001"):
        assert client.request("GET", "/v1/models").status == 200


@pytest.mark.rule("HTTP-CONN-002")
def test_connection_close_is_obeyed(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(chat.completion("a"), chat.stream("a")))
    for stream in (False, True):
        client = gw.begin_chat([("connection", "close")], stream=stream)
        answer = client.response()
        with check("HTTP-CONN-002"):
            assert answer.status == 200
            assert (answer.header("connection") or "").lower() == "close"
            assert client.is_closed()


@pytest.mark.rule("HTTP-CONN-004")
def test_expect_100_continue(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Whatever the contract and the size; the upstream is asked for no permission."""
    for path in PATHS:
        up = upstream(good_answer(path))
        client = gateway(*carrying_all(up)).connect()
        body = body_at(path, user="x" * 2_000_000)
        fields = [("content-length", str(len(body))), ("expect", "100-continue")]
        client.send(encode_request("POST", path, None, fields))
        with check("HTTP-CONN-004"):
            interim = client.head()
            assert interim.status == 100, path
        client.send(body)
        with check("HTTP-CONN-004"):
            assert client.response().status == 200, path
            assert "expect" not in up.requests[0].headers, path


@pytest.mark.rule("HTTP-CONN-005", "HTTP-REFUSE-001")
def test_expect_100_continue_is_not_granted_to_what_is_refused(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    gw = gateway(up, server={"requestBodyBytes": 1000, "masterKey": "right"})
    key = ("authorization", "Bearer right")
    of_any: list[tuple[int, list[tuple[str, str]]]] = [
        (413, [key, ("content-length", "1001")]),
        (401, [("authorization", "Bearer wrong"), ("content-length", "1000")]),
        (415, [key, ("content-encoding", "gzip"), ("transfer-encoding", "chunked")]),
    ]
    nowhere = (404, "/v1/nothing", [key, ("content-length", "1000")])
    for status, path, fields in [*((status, path, fields) for path in PATHS for status, fields in of_any), nowhere]:
        client = gw.connect()
        client.send(encode_request("POST", path, None, [*fields, ("expect", "100-continue")]))
        with check("HTTP-CONN-005"):
            assert client.response().status == status
            assert client.is_closed(), status
    with check("HTTP-REFUSE-001"):
        assert up.requests == []


@pytest.mark.rule("HTTP-CONN-003", "HTTP-CONN-006")
def test_far_more_than_is_read_ahead_may_be_pipelined(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Half a megabyte waits behind the first answer: chats, streams, and requests that are answered with errors."""
    large = "x" * 40_000
    pairs = [reply for _ in range(6) for reply in (chat.completion("a"), chat.stream("b"))]
    up = upstream([Pause(until="go"), chat.completion("first")], *pairs)
    client = gateway(up).begin_chat()
    up.wait_gate("go")
    missing, broken = encode_request("GET", "/v1/nothing"), encode_request("POST", CHAT, b"[]" + b" " * 1000)
    part = chat_request(user=large) + missing + chat_request(user=large, stream=True) + broken
    client.send(part * 6)
    up.release("go")
    with check("HTTP-CONN-003"):
        assert client.response().json()["choices"][0]["message"]["content"] == "first"
    for _ in range(6):
        with check("HTTP-CONN-003", "HTTP-CONN-006"):
            assert client.response().json()["choices"][0]["message"]["content"] == "a"
            assert client.response().status == 404
            assert client.response().events[-1].is_done
            assert client.response().status == 400


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("HTTP-CONN-007")
def test_a_client_that_leaves_much_behind_is_noticed(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """It has sent more than is read ahead, so that the end of what it sent is not read either."""
    for how in ("close", "reset"):
        up = upstream([faults.AcceptThenSilence()], name=how)
        gw = gateway(up)
        client = gw.begin_chat()
        up.wait_request()
        client.send(b"x" * 100_000)
        gw.advance(0, until_armed="client_watch")
        if how == "close":
            client.close()
        else:
            client.reset()
        gw.advance(1000)
        with check("HTTP-CONN-007"):
            assert up.wait_closed() in GONE, how


@pytest.mark.rule("HTTP-CONN-008")
def test_a_client_that_closes_its_side(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """An answer that was given still arrives; one that has yet to come is not waited for."""
    up = upstream([faults.AcceptThenSilence()])
    gw = gateway(up)
    answered = gw.connect()
    answered.send(encode_request("GET", "/v1/models"))
    answered.finish_sending()
    with check("HTTP-CONN-008"):
        assert answered.response("GET").status == 200
        assert answered.is_closed()
    waiting = gw.begin_chat()
    up.wait_request()
    waiting.finish_sending()
    with check("HTTP-CONN-008"):
        assert up.wait_closed() in GONE
        assert waiting.is_closed()
