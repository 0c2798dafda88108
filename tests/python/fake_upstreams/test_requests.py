"""What an upstream tells about the requests and connections that it had."""

from __future__ import annotations

import pytest

from fake_upstreams import FakeUpstream
from tests.python.fake_upstreams.raw_client import BODY, KEEP, LAST, connect, exchange

pytestmark = pytest.mark.asyncio


async def test_a_request_is_parsed_and_kept_as_it_came() -> None:
    raw = b'POST /v1/x?a=1&b HTTP/1.1\r\nX-A: 1\r\nx-a:2\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{"model":1}'
    async with FakeUpstream([{}]) as upstream:
        await exchange(upstream, raw)
    (request,) = upstream.requests
    assert (request.method, request.target, request.path, request.query) == ("POST", "/v1/x?a=1&b", "/v1/x", "a=1&b")
    assert request.headers["X-a"] == "1, 2"
    assert request.headers.pairs[:2] == [("X-A", "1"), ("x-a", "2")]
    assert "x-A" in request.headers
    assert request.json == {"model": 1}
    assert request.model is None
    assert request.raw == raw
    assert (request.number, request.connection) == (1, 1)


async def test_a_chunked_request_is_decoded_and_kept_as_it_came() -> None:
    raw = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    raw += b"3;x=1\r\nabc\r\nA\r\n0123456789\r\n0\r\nt: 1\r\n\r\n"
    async with FakeUpstream([{}]) as upstream:
        await exchange(upstream, raw)
    assert upstream.requests[0].body == b"abc0123456789"
    assert upstream.requests[0].raw == raw
    assert upstream.requests[0].model is None


async def test_requests_in_pieces_and_pipelined() -> None:
    async with FakeUpstream([{"body": "a"}, {"body": "b"}]) as upstream, await connect(upstream) as client:
        for byte in KEEP[:-1]:
            await client.send(bytes([byte]))
        await client.send(KEEP[-1:] + LAST)
        assert (await client.rest())[0].count(b"HTTP/1.1 200 OK") == 2
        assert [request.raw for request in upstream.requests] == [KEEP, LAST]
        assert [request.connection for request in upstream.requests] == [1, 1]


async def test_connections_have_numbers() -> None:
    async with FakeUpstream([{"repeat": True}]) as upstream:
        async with await connect(upstream) as one, await connect(upstream) as two:
            await two.send(KEEP)
            await upstream.wait_request(1)
            await one.send(KEEP)
            assert (await upstream.wait_request(2)).connection != upstream.requests[0].connection
            assert upstream.open_connections == upstream.connections == 2
        assert {await upstream.wait_closed(1), await upstream.wait_closed(2)} == {"client closed"}
        assert (upstream.open_connections, upstream.connections) == (0, 2)


async def test_wait_request_returns_a_request_that_came_before() -> None:
    async with FakeUpstream([{}]) as upstream:
        await exchange(upstream)
        assert (await upstream.wait_request()).body == BODY


async def test_an_incomplete_request_is_in_the_journal_and_takes_no_reply() -> None:
    async with FakeUpstream([{}]) as upstream:
        async with await connect(upstream) as client:
            await client.send(KEEP[:30])
        assert await upstream.wait_closed(1) == "client closed"
        await exchange(upstream)
    assert "received 30 bytes of an incomplete request" in upstream.report()


async def test_a_client_that_does_not_read_stops_the_upstream() -> None:
    step = {"body": "x" * 65536, "times": 1000}
    async with FakeUpstream([{"steps": [step, {"pause": {"until": "end"}}]}]) as upstream:
        async with await connect(upstream) as client:
            await client.send(KEEP)
            await upstream.wait_request()
            await client.reader.readexactly(100000)
            # The pipe between holds some megabytes at most: the rest waits here, in the script.
            assert upstream.sent(1) < 65536 * 1000
        assert await upstream.wait_closed(1) in ("client closed", "client reset")


async def test_base_url() -> None:
    async with FakeUpstream() as upstream:
        assert upstream.url == f"http://127.0.0.1:{upstream.port}"
        assert upstream.base_url == upstream.url + "/v1"
        assert upstream.tls_url == f"https://127.0.0.1:{upstream.port}"
        with pytest.raises(ValueError, match="does not speak TLS"):
            _ = upstream.ca_file
