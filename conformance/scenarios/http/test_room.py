"""No room for more: connections, and bytes of requests."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import Connection, encode_request
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import CHAT, Session, chat_body, padded
from fake_upstreams import Pause, chat, reply

ROOM = 4096


def assert_refused_for(answer: Response, code: str) -> None:
    """Asserts that this is an error which says to come back later."""
    assert answer.status == 503
    assert answer.error()["type"] == "service_unavailable_error"
    assert answer.error()["code"] == code
    assert int(answer.header("retry-after") or 0) >= 1


@pytest.mark.rule("HTTP-FULL-001", "HTTP-FULL-002", "HTTP-REFUSE-001")
def test_a_client_beyond_the_limit_of_connections(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    gw = gateway(up, server={"maxConnections": 2})
    known = [gw.connect() for _ in range(2)]
    for client in known:
        with check("HTTP-FULL-001"):
            assert client.request("GET", "/v1/models").status == 200
    for method, path, body in (("GET", "/v1/models", None), ("POST", CHAT, chat_body())):
        late = gw.connect()
        with check("HTTP-FULL-001"):
            answer = late.request(method, path, body)
            assert_refused_for(answer, "too_many_connections")
            assert answer.header("connection") == "close"
            assert late.is_closed()
    for path in ("/health/live", "/health/ready", "/admin/logs"):
        late = gw.connect()
        with check("HTTP-FULL-002"):
            answer = late.request("GET", path)
            assert answer.status == 200, path
            assert answer.header("connection") == "close"
            assert late.is_closed(), path
    for client in known:
        with check("HTTP-FULL-001"):
            assert client.request("GET", "/v1/models").status == 200
    with check("HTTP-REFUSE-001"):
        assert up.requests == []


def begin(gateway: Session, size: int) -> Connection:
    """A client that has sent so much of a body that is one byte longer."""
    client = gateway.connect()
    client.send(encode_request("POST", CHAT, padded(size + 1))[:-1])
    gateway.advance(0)
    return client


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("HTTP-MEM-001", "HTTP-MEM-002", "HTTP-REFUSE-001")
def test_requests_beyond_the_limit_of_memory(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(reply(chat.completion("a"), times=None))
    gw = gateway(up, server={"requestMemoryBytes": ROOM, "requestBodyBytes": ROOM})
    begin(gw, 3000)
    with check("HTTP-MEM-002"):
        assert gw.post(padded(ROOM - 3000)).status == 200
    with check("HTTP-MEM-001"):
        assert_refused_for(gw.post(padded(ROOM - 3000 + 1)), "request_memory_exhausted")
    expecting = gw.connect()
    expecting.send(encode_request("POST", CHAT, None, [("content-length", "2000"), ("expect", "100-continue")]))
    with check("HTTP-MEM-001"):
        assert_refused_for(expecting.response(), "request_memory_exhausted")
    growing = gw.connect()
    growing.send(encode_request("POST", CHAT, None, [("transfer-encoding", "chunked")]))
    growing.send(b"448\r\n" + b" " * 0x448 + b"\r\n1\r\n")
    with check("HTTP-MEM-001"):
        gw.advance(0)
        assert growing.pending() == b""
    growing.send(b" ")
    with check("HTTP-MEM-001"):
        assert_refused_for(growing.response(), "request_memory_exhausted")
        assert growing.is_closed()
    with check("HTTP-REFUSE-001"):
        assert len(up.requests) == 1


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("HTTP-MEM-003")
def test_memory_is_given_back(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """When a stream is committed, when a request is answered, refused or given up by its client."""
    up = upstream(
        [chat.role(), Pause(until="commit"), chat.content("a"), Pause(until="end"), chat.finish(), chat.DONE],
        reply(chat.completion("a"), times=None),
    )
    gw = gateway(up, server={"requestMemoryBytes": ROOM, "requestBodyBytes": ROOM})
    stream = gw.connect()
    stream.send(encode_request("POST", CHAT, padded(ROOM, stream=True)))
    up.wait_gate("commit")
    with check("HTTP-MEM-003"):
        assert gw.post(padded(100)).status == 503
    up.release("commit")
    stream.head()
    with check("HTTP-MEM-003"):
        assert gw.post(padded(ROOM)).status == 200
        assert gw.post(padded(ROOM)).status == 200
        assert gw.post(b" " * ROOM).status == 400
    begin(gw, ROOM - 1).close()
    gw.advance(0)
    with check("HTTP-MEM-003"):
        assert gw.post(padded(ROOM)).status == 200
    up.release("end")
    stream.rest_of_chunks()
