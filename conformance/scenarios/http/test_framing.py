"""Requests that two parsers could read differently, and requests that arrive in pieces."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import encode_request
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import CHAT, chat_body, chat_request
from fake_upstreams import chat, reply

HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"

BAD: dict[str, tuple[str, bytes]] = {
    "both lengths": ("HTTP-FRAME-001", HEAD + b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
    "both lengths, other order": (
        "HTTP-FRAME-001",
        HEAD + b"transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n",
    ),
    "no number": ("HTTP-FRAME-002", CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n"),
    "0x": ("HTTP-FRAME-002", CHUNKED + b"0x2\r\n{}\r\n0\r\n\r\n"),
    "sign": ("HTTP-FRAME-002", CHUNKED + b"+2\r\n{}\r\n0\r\n\r\n"),
    "empty size": ("HTTP-FRAME-002", CHUNKED + b"\r\n{}\r\n0\r\n\r\n"),
    "too big a size": ("HTTP-FRAME-002", CHUNKED + b"ffffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
    "bare CR in a field": ("HTTP-FRAME-002", b"GET /v1/models HTTP/1.1\r\nhost: x\r\na: b\rc: d\r\n\r\n"),
    "bare CR as line end": ("HTTP-FRAME-002", b"GET /v1/models HTTP/1.1\rhost: x\r\r"),
    "folded": ("HTTP-FRAME-002", b"GET /v1/models HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n"),
    "folded by tab": ("HTTP-FRAME-002", b"GET /v1/models HTTP/1.1\r\nhost: x\r\na: b\r\n\tc\r\n\r\n"),
    "HTTP/0.9": ("HTTP-FRAME-002", b"GET /v1/models\r\n\r\n"),
    "no host": ("HTTP-FRAME-003", b"GET /v1/models HTTP/1.1\r\naccept: */*\r\n\r\n"),
}


@pytest.mark.rule("HTTP-FRAME-001", "HTTP-FRAME-002", "HTTP-FRAME-003", "HTTP-REFUSE-001", "HTTP-ERROR-001")
def test_ambiguous_requests_are_refused_and_the_connection_closed(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    gw = gateway(up)
    for case, (rule, request) in BAD.items():
        client = gw.connect()
        client.send(request)
        with check(rule):
            answer = client.response("GET")
            assert answer.status == 400, case
            assert client.is_closed(), case
        with check("HTTP-ERROR-001"):
            assert set(answer.error()) == {"message", "type", "param", "code"}, case
    with check("HTTP-REFUSE-001"):
        assert up.requests == []


@pytest.mark.rule("HTTP-FRAME-004")
def test_a_request_may_be_split_at_any_byte(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Content-Length and chunks; two writes for every place between them, on one connection."""
    body = chat_body()
    chunked = CHUNKED + b"5\r\n" + body[:5] + b"\r\n%X;x=y\r\n" % (len(body) - 5) + body[5:] + b"\r\n0\r\n\r\n"
    up = upstream(reply(chat.completion("a"), times=None))
    client = gateway(up).connect()
    wrong = []
    for whole in (chat_request(), chunked):
        for place in range(1, len(whole)):
            client.send(whole[:place])
            client.send(whole[place:])
            if client.response().status != 200:
                wrong.append(place)
    with check("HTTP-FRAME-004"):
        assert wrong == []
        assert {request.json["messages"][0]["content"] for request in up.requests} == {"hi"}


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
    client = gateway(upstream(chat.completion("a"))).connect()
    body = chat_body()
    client.send(encode_request("POST", CHAT, None, [("content-length", str(len(body))), ("expect", "100-continue")]))
    with check("HTTP-CONN-004"):
        interim = client.head()
        assert interim.status == 100
    client.send(body)
    with check("HTTP-CONN-004"):
        assert client.response().status == 200
