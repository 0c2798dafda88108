"""Sizes, just at and just above their limits."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import encode_request
from conformance.contracts import PATHS
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import ANTHROPIC, CHAT, COUNT_TOKENS, padded
from conformance.streaming import carrying_all
from fake_upstreams import chat

LIMIT = 4096


@pytest.mark.rule("HTTP-LIMIT-001", "HTTP-LIMIT-002", "HTTP-LIMIT-003", "HTTP-REFUSE-001", "HTTP-ERROR-001")
def test_bodies_are_bounded(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.completion("a"), chat.completion("a"))
    gw = gateway(up, server={"requestBodyBytes": LIMIT})
    chunks = [("transfer-encoding", "chunked")]
    with check("HTTP-LIMIT-003"):
        assert gw.post(padded(LIMIT)).status == 200
        whole = padded(LIMIT)
        framed = b"800\r\n" + whole[:2048] + b"\r\n800\r\n" + whole[2048:] + b"\r\n0\r\n\r\n"
        assert gw.call("POST", CHAT, framed, chunks).status == 200
    for size in (LIMIT + 1, 1_000_000_000):
        client = gw.connect()
        client.send(encode_request("POST", CHAT, None, [("content-length", str(size))]))
        with check("HTTP-LIMIT-001", "HTTP-ERROR-001"):
            announced = client.response()
            assert announced.status == 413, size
            assert set(announced.error()) == {"message", "type", "param", "code"}, size
    client = gw.connect()
    client.send(encode_request("POST", CHAT, b"1000\r\n" + padded(LIMIT) + b"\r\n1\r\nx", chunks))
    with check("HTTP-LIMIT-002"):
        assert client.response().status == 413
    with check("HTTP-REFUSE-001"):
        assert len(up.requests) == 2


@pytest.mark.rule("HTTP-LIMIT-003")
def test_a_body_of_the_size_of_images_is_relayed(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """As the limit, and without any configuration."""
    size = 20_000_000
    up = upstream(chat.completion("a"))
    gw = gateway(up, server={"requestBodyBytes": size})
    with check("HTTP-LIMIT-003"):
        assert gw.post(padded(size)).status == 200
        assert len(up.requests[0].json["x"]) > size - 200
    up = upstream(chat.completion("a"), chat.completion("a"))
    gw = gateway(up)
    for number, size in enumerate((1_100_000, 20_000_000)):
        with check("HTTP-LIMIT-003"):
            assert gw.post(padded(size)).status == 200
            assert len(up.requests[number].json["x"]) > size - 200


@pytest.mark.rule("HTTP-LIMIT-002")
def test_chunks_are_bounded_on_every_contract(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream()
    gw = gateway(*carrying_all(up), server={"requestBodyBytes": LIMIT})
    for path in PATHS:
        client = gw.connect()
        body = b"1000\r\n" + padded(LIMIT) + b"\r\n1\r\nx"
        client.send(encode_request("POST", path, body, [("transfer-encoding", "chunked")]))
        with check("HTTP-LIMIT-002"):
            answer = client.response()
            assert answer.status == 413, path
            assert ("request_id" in answer.json()) == (path in (ANTHROPIC, COUNT_TOKENS)), path
    with check("HTTP-LIMIT-002"):
        assert up.requests == []


@pytest.mark.rule("HTTP-LIMIT-004", "HTTP-LIMIT-005")
def test_heads_are_bounded(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream())
    for more, status in ((99, 200), (100, 431)):  # beside Host
        fields = [(f"x-field-{number}", "v") for number in range(more)]
        with check("HTTP-LIMIT-004"):
            assert gw.call("GET", "/v1/models", headers=fields).status == status, more
    for size, status in ((60 * 1024, 200), (70 * 1024, 431)):
        with check("HTTP-LIMIT-005"):
            assert gw.call("GET", "/v1/models", headers=[("x-long", "v" * size)]).status == status, size


@pytest.mark.rule("HTTP-BODY-005", "HTTP-REFUSE-001")
def test_compressed_bodies_are_refused(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.completion("a"))
    gw = gateway(up)
    for coding in ("gzip", "br", "deflate", "zstd"):
        with check("HTTP-BODY-005"):
            assert gw.chat([("content-encoding", coding)]).status == 415, coding
    with check("HTTP-REFUSE-001"):
        assert up.requests == []
    with check("HTTP-BODY-005"):
        assert gw.chat([("content-encoding", "identity")]).status == 200
