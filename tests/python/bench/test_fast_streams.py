"""The client of streams counts what comes, and ends at the first byte that must not come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bench.load import PUBLIC_MODEL, UPSTREAM_MODEL
from tests.bench.loads import Streams, WrongAnswer
from tests.bench.protocols import Protocol
from tests.bench.proxies import DIRECT, Proxy, running
from tests.python.bench.programs import PLACE, answering, connected, request

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def events() -> list[bytes]:
    """The role and the first token of a stream, as a correct upstream sends them."""
    with running(DIRECT, PLACE) as upstream, connected(upstream.port) as connection:
        connection.send(request("idle"))
        connection.head()
        return [connection.chunk(), connection.chunk()]


def _chunked(payload: bytes, size: int = 1 << 20) -> bytes:
    pieces = [payload[at : at + size] for at in range(0, len(payload), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)


def _read_until_it_ends(streams: Streams) -> None:
    streams.open(1)
    while True:  # what is wrong may follow the first token
        streams.mark()


def _problem_with(answer: bytes, protocol: Protocol = Protocol.CHAT) -> str:
    with answering(answer) as port:
        proxy = Proxy("scripted", port, 0, UPSTREAM_MODEL, 0)
        with Streams(PLACE, proxy, "idle", protocol) as streams, pytest.raises(WrongAnswer) as caught:
            _read_until_it_ends(streams)
    return str(caught.value)


def test_counts_a_token_of_each_idle_stream() -> None:
    with running(DIRECT, PLACE) as upstream, Streams(PLACE, upstream, "idle") as streams:
        first = streams.open(3)
        assert (first.streams, first.tokens) == (3, 3)
        more = streams.open(200)
        assert (more.streams, more.tokens) == (200, 200)
        assert more.at > first.at
        closed = streams.close()
        assert (closed.streams, closed.tokens) == (0, 200)


@pytest.mark.parametrize("protocol", Protocol)
def test_reads_floods_and_paced_streams(protocol: Protocol) -> None:
    with running(DIRECT, PLACE) as upstream:
        for kind, tokens in (("flooded", 50_000), ("paced 1000", 1000)):
            with Streams(PLACE, upstream, kind, protocol) as streams:
                streams.open(4)
                while streams.mark().tokens < tokens:
                    pass


def test_leaves_streams_that_nobody_reads() -> None:
    with running(DIRECT, PLACE) as upstream, Streams(PLACE, upstream, "flooded") as streams:
        for count in (2, 5):
            left = streams.leave(count)
            assert (left.streams, left.tokens) == (0, 0)
        assert streams.open(1).streams == 1
        assert streams.close().streams == 0


@pytest.mark.parametrize("protocol", Protocol)
def test_demands_the_public_model(protocol: Protocol) -> None:
    with running(DIRECT, PLACE) as upstream:
        wants_another = replace(upstream, answered=PUBLIC_MODEL)
        with (
            Streams(PLACE, wants_another, "idle", protocol) as streams,
            pytest.raises(WrongAnswer, match=UPSTREAM_MODEL.removeprefix(PUBLIC_MODEL)),
        ):
            streams.open(1)


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_chunks_may_lie_anywhere(events: list[bytes], size: int) -> None:
    # Correct up to its end, which is the first thing to complain of.
    role, token = events
    problem = _problem_with(HEAD + _chunked(role + 3 * token, size) + b"0\r\n\r\n")
    assert problem.endswith("the stream ended after 3 tokens")


def test_the_id_of_a_response_may_be_any_and_stays_the_same() -> None:
    with running(DIRECT, PLACE) as upstream, connected(upstream.port) as connection:
        connection.send(request("idle", protocol=Protocol.RESPONSES))
        connection.head()
        events = [connection.chunk() for _ in range(5)]
    opening = b"".join(events)
    sealed = opening.replace(b'"resp_bench0000000000000000"', b'"resp_0-A_longer~than.before"')
    assert sealed.count(b"resp_0-A_longer~than.before") == 2
    for size in (1, 7, 1 << 20):
        whole = HEAD + _chunked(sealed, size)
        assert "the stream ended after 1 tokens" in _problem_with(whole + b"0\r\n\r\n", Protocol.RESPONSES)
    for instead in (b"resp_", b"bench", b"resp_a\\u0062"):
        other = HEAD + _chunked(opening.replace(b"resp_bench0000000000000000", instead))
        assert "no id of a response" in _problem_with(other, Protocol.RESPONSES)
    moved = opening.replace(b"resp_bench0000000000000000", b"resp_other", 1)
    assert "the response's id was 'resp_other' and is" in _problem_with(HEAD + _chunked(moved), Protocol.RESPONSES)


def _from(start: int, came: bytes, wanted: bytes) -> str:
    same = next(at for at, (a, b) in enumerate(zip(came, wanted, strict=False)) if a != b)
    return f"from byte {start + same} on"


def test_refuses_whatever_is_not_the_stream(events: list[bytes]) -> None:
    role, token = events
    good, other = role + token, token.replace(b" token", b" taken")
    wrong = {
        "the status is not 200": HEAD.replace(b"200", b"502") + _chunked(good),
        "no event stream": HEAD.replace(b"text/event-stream", b"application/json") + _chunked(good),
        "not chunked": HEAD.replace(b"transfer-encoding: chunked", b"connection: close") + good,
        "no chunk size": HEAD + b"zz\r\n",
        "a chunk is longer than its size": HEAD + b"5\r\n" + good,
        "connection was closed": HEAD + _chunked(good)[:-10],
        _from(0, token, role): HEAD + _chunked(token),
        _from(len(good), role, token): HEAD + _chunked(good + role),
        _from(len(role), other, token): HEAD + _chunked(role + other),
    }
    for problem, answer in wrong.items():
        assert problem in _problem_with(answer)
