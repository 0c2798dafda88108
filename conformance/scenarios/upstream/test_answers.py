"""Answers at the edges of HTTP, and connections that were dead all along."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable

import pytest

from conformance.checks import Check
from conformance.client import GUARD_SECONDS
from conformance.deployments import ONE_ATTEMPT, Deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents
from fake_upstreams import Body, Bytes, Headers, RawUpstream, Status, chat, faults, reply
from fake_upstreams.raw import read_request, reset

METADATA = [("x-unified-routing-metadata", "true")]
ROUNDS = 200
LARGE = "x" * 4_000_000
"""Of a request that no socket buffer takes whole."""
CHAT = json.dumps(
    {
        "id": "c",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}],
    }
).encode()
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(CHAT) + CHAT
POISON = OK.replace(b'"content": "a"', b'"content": "!"')


def raw(up: RawUpstream, **settings: object) -> Deployment:
    return {
        "publicModel": "gpt",
        "adapterKey": "openaicompatible",
        "upstreamModel": "m",
        "credentials": {"baseUrl": up.base_url},
        **settings,
    }


def closes_idle(client: socket.socket) -> None:
    if read_request(client):
        client.sendall(OK)


def resets_the_next_request(client: socket.socket) -> None:
    if read_request(client):
        client.sendall(OK)
        if client.recv(1):
            reset(client)


def closes_the_next_request(client: socket.socket) -> None:
    if read_request(client):
        client.sendall(OK)
        client.recv(1)


STALE: dict[str, tuple[Callable[[socket.socket], None], str]] = {
    "closed while idle": (closes_idle, "hi"),
    "closed when asked": (closes_the_next_request, "hi"),
    "reset when asked": (resets_the_next_request, "hi"),
    "reset while the request is written": (resets_the_next_request, LARGE),
}


@pytest.mark.parametrize("case", STALE)
@pytest.mark.rule("UP-CONN-002")
def test_stale_connections_are_never_a_clients_business(check: Check, gateway: GatewayFactory, case: str) -> None:
    """Every second request finds a connection that its upstream gives up."""
    serve, text = STALE[case]
    rounds = ROUNDS if text != LARGE else ROUNDS // 10
    body = json.dumps({"model": "gpt", "messages": [{"role": "user", "content": text}]}).encode()
    with RawUpstream(serve) as up:
        gw = gateway(raw(up), routerSettings=ONE_ATTEMPT)
        client = gw.connect()
        statuses = [client.request("POST", "/v1/chat/completions", body).status for _ in range(rounds)]
        with check("UP-CONN-002"):
            assert statuses == [200] * rounds
            assert up.connections == rounds
        gw.end()


@pytest.mark.rule("UP-CONN-005")
def test_what_comes_unasked_is_no_answer(check: Check, gateway: GatewayFactory) -> None:
    """A second answer follows the first in a write of its own, before the next request."""

    unasked = threading.Event()

    def serve(client: socket.socket) -> None:
        if read_request(client):
            client.sendall(OK)
            client.sendall(POISON)
            unasked.set()
            read_request(client)

    with RawUpstream(serve) as up:
        gw = gateway(raw(up), routerSettings=ONE_ATTEMPT)
        client = gw.connect()
        for _ in range(20):
            unasked.clear()
            answer = client.request("POST", "/v1/chat/completions", b'{"model":"gpt","messages":[]}')
            assert unasked.wait(GUARD_SECONDS)
            # A request that needs no upstream: the gateway has seen what was written when its answer is here.
            client.request("GET", "/v1/models")
            with check("UP-CONN-005"):
                assert answer.status == 200
                assert answer.json()["choices"][0]["message"]["content"] == "a"
        gw.end()


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("UP-CONN-006")
def test_a_connection_idles_for_30_seconds(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.completion("a"))
    gw = gateway(up)
    gw.chat()
    gw.advance(29_999, until_armed="pool_idle")
    with check("UP-CONN-006"):
        assert up.open_connections == 1
    gw.advance(1)
    with check("UP-CONN-006"):
        assert up.wait_closed() == "client closed"


INTERIM = {
    "100": b"HTTP/1.1 100 Continue\r\n\r\n",
    "102": b"HTTP/1.1 102 Processing\r\nDate: now\r\n\r\n",
    "103": b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n",
    "with a length": b"HTTP/1.1 103 Early Hints\r\nContent-Length: 17\r\n\r\n",
    "several": b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + b"HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\n",
}


@pytest.mark.parametrize("case", INTERIM)
@pytest.mark.rule("UP-CONN-004")
def test_interim_answers_leave_the_connection_in_step(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, case: str
) -> None:
    up = upstream(reply(Bytes(INTERIM[case] + OK)), chat.completion("b"))
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    answers = [gw.chat(), gw.chat()]
    with check("UP-CONN-004"):
        assert [answer.status for answer in answers] == [200, 200]
        assert [answer.json()["choices"][0]["message"]["content"] for answer in answers] == ["a", "b"]
        assert up.connections == 1


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("UP-ANSWER-001")
def test_chunk_extensions_and_trailers_are_dropped(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    pieces = [faults.ChunkExtensionsAndTrailers(), chat.completion("a")]
    up = upstream(
        reply(*pieces, framing="chunked"),
        reply(faults.ChunkExtensionsAndTrailers(), *chat.stream("b"), framing="chunked"),
        chat.completion("c"),
    )
    gw = gateway(up)
    first, second = gw.chat(), gw.chat(stream=True)
    gw.advance(0, until_armed="pool_idle")  # the trailers may come after the client has its end
    with check("UP-ANSWER-001"):
        assert (first.status, contents(second)) == (200, "b")
        assert first.header("x-trailer") is None
        assert gw.chat().status == 200
        assert up.connections == 1


BEYOND = {
    "one byte": OK + b"\n",
    "garbage": OK + b"\x00\xff garbage",
    "another answer": OK + POISON,
    "half a head": OK + b"HTTP/1.1 200 OK\r\nContent-Le",
}


@pytest.mark.parametrize("case", BEYOND)
@pytest.mark.rule("UP-ANSWER-002")
def test_bytes_beyond_an_answer_end_its_connection(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, case: str
) -> None:
    up = upstream(reply(Bytes(BEYOND[case])), chat.completion("b"))
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    answers = [gw.chat(), gw.chat()]
    with check("UP-ANSWER-002"):
        assert [answer.json()["choices"][0]["message"]["content"] for answer in answers] == ["a", "b"]
        assert up.connections == 2


@pytest.mark.rule("UP-ANSWER-003")
def test_an_answer_that_is_shorter_than_it_says(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """A 200 is truncated and moves on; an error is judged by its status and what came of its body."""
    first, second = upstream([faults.BadContentLength(extra=1), chat.completion("a")]), upstream(chat.completion("b"))
    answer = gateway(*in_order(first, second)).chat(METADATA)
    with check("UP-ANSWER-003"):
        assert answer.status == 200
        attempts = answer.json()["unified_routing"]["attempts"]
        assert [attempt.get("error_class") for attempt in attempts] == ["transient", None]
    refusal = [faults.BadContentLength(extra=1), Status(400), Body.json({"error": {"message": "too warm"}})]
    first, second = upstream(refusal), upstream()
    answer = gateway(*in_order(first, second)).chat()
    with check("UP-ANSWER-003"):
        assert (answer.status, answer.error()["message"]) == (400, "too warm")


@pytest.mark.rule("UP-ANSWER-004")
def test_an_answer_may_end_with_its_connection(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(reply(chat.completion("a"), framing="close"), reply(chat.stream("b"), framing="close"))
    gw = gateway(up)
    with check("UP-ANSWER-004"):
        assert gw.chat().json()["choices"][0]["message"]["content"] == "a"
        assert contents(gw.chat(stream=True)) == "b"


@pytest.mark.parametrize("status", [b"204 No Content", b"304 Not Modified"])
@pytest.mark.rule("UP-ANSWER-005")
def test_a_204_and_a_304_have_no_body(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, status: bytes
) -> None:
    """Whatever they announce; bytes in its place are out of step."""
    head = b"HTTP/1.1 " + status + b"\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(CHAT)
    first, second = upstream(reply(Bytes(head + CHAT))), upstream(chat.completion("b"))
    answer = gateway(*in_order(first, second)).chat()
    with check("UP-ANSWER-005"):
        assert answer.status == 200
        assert answer.json()["choices"][0]["message"]["content"] == "b"
        assert first.wait_closed() in ("client closed", "client reset")


@pytest.mark.rule("UP-ANSWER-006")
def test_an_answer_may_come_before_the_request_is_sent_whole(check: Check, gateway: GatewayFactory) -> None:
    """A refusal after the first bytes, which the upstream does not read on from."""
    text = b'{"error":{"message":"too much"}}'
    refusal = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(text) + text

    def serve(client: socket.socket) -> None:
        if client.recv(1000):
            client.sendall(refusal)
            client.shutdown(socket.SHUT_WR)
            while client.recv(1000):
                pass

    with RawUpstream(serve) as up:
        gw = gateway(raw(up), routerSettings=ONE_ATTEMPT)
        answer = gw.chat(messages=[{"role": "user", "content": LARGE}])
        with check("UP-ANSWER-006"):
            assert (answer.status, answer.error()["message"]) == (413, "too much")
        gw.end()


LARGEST_HEAD = 64 * 1024
HEADS = {
    "bytes": [(f"x-{i}", "v" * 8000) for i in range(9)],
    "one field": [("x-long", "v" * LARGEST_HEAD)],
    "fields": [(f"x-{i}", "v") for i in range(101)],
}


@pytest.mark.parametrize("case", HEADS)
@pytest.mark.rule("UP-ANSWER-007")
def test_heads_have_limits(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, case: str) -> None:
    first, second = upstream([Headers(dict(HEADS[case])), chat.completion("a")]), upstream(chat.completion("b"))
    answer = gateway(*in_order(first, second)).chat(METADATA)
    with check("UP-ANSWER-007"):
        assert answer.status == 200
        attempts = answer.json()["unified_routing"]["attempts"]
        assert [attempt.get("error_class") for attempt in attempts] == ["transient", None]
    up = upstream([Headers({f"x-{i}": "v" * 600 for i in range(90)}), chat.completion("a")])
    with check("UP-ANSWER-007"):
        assert gateway(up).chat().status == 200
