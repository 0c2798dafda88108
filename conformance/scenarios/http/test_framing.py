"""Requests that two parsers could read differently, and requests that arrive in pieces."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import chat_body, chat_request
from fake_upstreams import chat, reply

HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
CONTENT = b"content-length: %d\r\n\r\n%b" % (len(chat_body()), chat_body())
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"

NO_HOSTS = (b"a b", b"a/b", b"user@a", b"a, b", b"a:80x", b"a:1:2", b"::1", b"[::1", b"[]", b"[::1]x", b"\xc3\xa4")

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
    "bare LF as line end": ("HTTP-FRAME-002", b"GET /v1/models HTTP/1.1\nhost: x\n\n"),
    "no host": ("HTTP-FRAME-003", b"GET /v1/models HTTP/1.1\r\naccept: */*\r\n\r\n"),
    "two hosts": ("HTTP-FRAME-003", b"GET /v1/models HTTP/1.1\r\nhost: x\r\nhost: x\r\n\r\n"),
    **{
        f"host {value!r}": ("HTTP-FRAME-013", b"GET /v1/models HTTP/1.1\r\nhost: " + value + b"\r\n\r\n")
        for value in NO_HOSTS
    },
    "no host, in HTTP/1.0": ("HTTP-FRAME-013", b"GET /v1/models HTTP/1.0\r\nhost: a b\r\n\r\n"),
    "two lengths": ("HTTP-FRAME-005", HEAD + b"content-length: 2\r\ncontent-length: 3\r\n\r\n{} "),
    "the same length twice": ("HTTP-FRAME-005", HEAD + b"content-length: 2\r\ncontent-length: 2\r\n\r\n{}"),
    "a list of lengths": ("HTTP-FRAME-005", HEAD + b"content-length: 2, 2\r\n\r\n{}"),
    "a length with a sign": ("HTTP-FRAME-005", HEAD + b"content-length: +2\r\n\r\n{}"),
    "a negative length": ("HTTP-FRAME-005", HEAD + b"content-length: -2\r\n\r\n{}"),
    "a hexadecimal length": ("HTTP-FRAME-005", HEAD + b"content-length: 0x2\r\n\r\n{}"),
    "no length": ("HTTP-FRAME-005", HEAD + b"content-length:\r\n\r\n"),
    "a length beyond 64 bits": ("HTTP-FRAME-005", HEAD + b"content-length: 18446744073709551618\r\n\r\n{}"),
    "chunked in HTTP/1.0": (
        "HTTP-FRAME-005",
        HEAD.replace(b"HTTP/1.1", b"HTTP/1.0") + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ),
    **{
        f"transfer-encoding {value!r}": (
            "HTTP-FRAME-005",
            HEAD + b"transfer-encoding: " + value + b"\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        )
        for value in (
            b"identity",
            b"gzip, chunked",
            b"chunked, identity",
            b"chunked, chunked",
            b"xchunked",
            b"\x0bchunked",
            b"",
        )
    },
    "two transfer codings": (
        "HTTP-FRAME-005",
        HEAD + b"transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ),
    "blank before the colon": ("HTTP-FRAME-006", HEAD + b"content-length : 2\r\n\r\n{}"),
    "tab before the colon": ("HTTP-FRAME-006", HEAD + b"transfer-encoding\t: chunked\r\n\r\n0\r\n\r\n"),
    "no colon": ("HTTP-FRAME-006", b"GET /v1/models HTTP/1.1\r\nhost: x\r\ncontent-length\r\n\r\n"),
    "no name": ("HTTP-FRAME-006", b"GET /v1/models HTTP/1.1\r\nhost: x\r\n: 2\r\n\r\n"),
    "NUL in a value": ("HTTP-FRAME-006", b"GET /v1/models HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n"),
    "first line begins with a blank": ("HTTP-FRAME-006", b"GET /v1/models HTTP/1.1\r\n a: b\r\nhost: x\r\n\r\n"),
    "HTTP/2.0": ("HTTP-FRAME-007", b"GET /v1/models HTTP/2.0\r\nhost: x\r\n\r\n"),
    "HTTP/1.2": ("HTTP-FRAME-007", b"GET /v1/models HTTP/1.2\r\nhost: x\r\n\r\n"),
    "HTTP/1.10": ("HTTP-FRAME-007", b"GET /v1/models HTTP/1.10\r\nhost: x\r\n\r\n"),
    "preface of HTTP/2": ("HTTP-FRAME-007", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "another protocol": ("HTTP-FRAME-007", b"DESCRIBE rtsp://x/ RTSP/1.0\r\nhost: x\r\n\r\n"),
    "CONNECT": ("HTTP-FRAME-007", b"CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n"),
    "TLS": ("HTTP-FRAME-007", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
    "a method that HTTP does not know": ("HTTP-FRAME-008", b"FETCH /v1/models HTTP/1.1\r\nhost: x\r\n\r\n"),
    "a method in small letters": ("HTTP-FRAME-008", b"get /v1/models HTTP/1.1\r\nhost: x\r\n\r\n"),
}

TAKEN: dict[str, tuple[str, bytes]] = {
    "chunk extensions": (
        "HTTP-FRAME-009",
        CHUNKED + b'%X;a="b"\r\n%b\r\n0;c=d\r\n\r\n' % (len(chat_body()), chat_body()),
    ),
    "trailers": (
        "HTTP-FRAME-009",
        CHUNKED + b"%x\r\n%b\r\n0\r\nx-sum: 1\r\ncontent-length: 7\r\n\r\n" % (len(chat_body()), chat_body()),
    ),
    "zeros before a chunk's size": (
        "HTTP-FRAME-009",
        CHUNKED + b"000%x\r\n%b\r\n000\r\n\r\n" % (len(chat_body()), chat_body()),
    ),
    **{
        f"host {value!r}": ("HTTP-FRAME-013", HEAD.replace(b"host: x", b"host: " + value) + CONTENT)
        for value in (b"", b"a-b.example:4000", b"A_1:", b"127.0.0.1", b"[::1]", b"[::1]:80", b"a%20b")
    },
    "blank lines before the request": ("HTTP-FRAME-010", b"\r\n\r\n" + chat_request()),
    "Upgrade": ("HTTP-FRAME-011", chat_request([("connection", "upgrade, http2-settings"), ("upgrade", "h2c")])),
    "several extensions": (
        "HTTP-FRAME-009",
        CHUNKED + b'%x;a=b;c="d;\\"e" ; f\r\n%b\r\n0 ; g=h;i\r\n\r\n' % (len(chat_body()), chat_body()),
    ),
}
"""Chat requests that are unusual and clear."""


@pytest.mark.rule(
    *(f"HTTP-FRAME-00{number}" for number in (1, 2, 3, 5, 6, 7, 8)),
    "HTTP-FRAME-013",
    "HTTP-REFUSE-001",
    "HTTP-ERROR-001",
)
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


@pytest.mark.rule("HTTP-FRAME-009", "HTTP-FRAME-010", "HTTP-FRAME-011", "HTTP-FRAME-013")
def test_unusual_requests_are_served_and_stay_in_step(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """On one connection, so that a request which was read too far or too short spoils the next."""
    up = upstream(reply(chat.completion("a"), times=None))
    client = gateway(up).connect()
    for case, (rule, request) in TAKEN.items():
        client.send(request)
        with check(rule):
            assert client.response().status == 200, case
            assert up.requests[-1].json["messages"][0]["content"] == "hi", case
            assert client.request("GET", "/v1/models").status == 200, case
    with check("HTTP-FRAME-009"):
        assert "x-sum" not in up.requests[1].headers


@pytest.mark.rule("HTTP-FRAME-012")
def test_a_body_is_as_long_as_announced(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """One byte more belongs to the next request; one byte less and the client's leaving, and there is no request."""
    up = upstream(chat.completion("a"))
    gw = gateway(up)
    longer = gw.connect()
    longer.send(chat_request() + b"!")
    with check("HTTP-FRAME-012"):
        assert longer.response().status == 200
        assert longer.response().status == 400
        assert longer.is_closed()
    shorter = gw.connect()
    shorter.send(chat_request()[:-1])
    shorter.finish_sending()
    with check("HTTP-FRAME-012"):
        assert shorter.is_closed()
        assert len(up.requests) == 1


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
