"""The timer of tokens reads whole streams, and no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bench.load import PUBLIC_MODEL, UPSTREAM_MODEL
from tests.bench.loads import WrongAnswer, time_streams
from tests.bench.protocols import Protocol
from tests.bench.proxies import DIRECT, Proxy, running
from tests.python.bench.programs import PLACE, answering, connected, request


@pytest.mark.parametrize("protocol", Protocol)
@pytest.mark.parametrize("tokens", [1, 20])
def test_times_streams_with_their_ends(protocol: Protocol, tokens: int) -> None:
    with running(DIRECT, PLACE) as upstream:
        timed = time_streams(PLACE, upstream, protocol, tokens=tokens, seconds=0)
    assert timed.streams == 1
    assert 0 < timed.first["p50"] <= timed.first["p99"]
    assert (0 < timed.gap["p50"] <= timed.gap["p99"]) == (tokens > 1)


def test_demands_the_public_model() -> None:
    with (
        running(DIRECT, PLACE) as upstream,
        pytest.raises(WrongAnswer, match=UPSTREAM_MODEL.removeprefix(PUBLIC_MODEL)),
    ):
        time_streams(PLACE, replace(upstream, answered=PUBLIC_MODEL), Protocol.CHAT, tokens=1, seconds=0)


def test_demands_an_upstream_that_takes_steps() -> None:
    with running(DIRECT, PLACE) as upstream, answering(b"HTTP/1.1 404 Not Found\r\n\r\n") as port:
        stranger = replace(upstream, upstream_port=port)
        with pytest.raises(WrongAnswer, match="takes no steps"):
            time_streams(PLACE, stranger, Protocol.CHAT, tokens=2, seconds=0)


@pytest.fixture(scope="module")
def parts() -> list[bytes]:
    """The head of a stream of one token, its opening, its token and its ending, as a correct upstream sends them."""
    with running(DIRECT, PLACE) as upstream, connected(upstream.port) as connection:
        connection.send(request("stepped 1"))
        return [connection.head().encode() + b"\r\n", *(connection.chunk() for _ in range(3))]


END = b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("old", "new", "end", "problem"),
    [
        (b'"finish_reason":"stop"', b'"finish_reason":"halt"', END, "must be 'stop"),
        (b"[DONE]", b"[DUNE]", END, "must be 'ONE"),
        (b"data: [DONE]\n\n", b"", END, "the stream ended after 1 tokens"),
        (b"[DONE]\n\n", b"[DONE]\n\n: more\n\n", END, "behind its end the stream has ': more"),
        (b"", b"", END + END, "the stream goes on behind its end"),
        (b"", b"", END[:-2], "connection was closed"),
    ],
    ids=["other finish", "other end", "no end", "more events", "more bytes", "cut"],
)
def test_refuses_another_end(parts: list[bytes], old: bytes, new: bytes, end: bytes, problem: str) -> None:
    head, *events = parts
    events[-1] = events[-1].replace(old, new) if old else events[-1]
    body = b"".join(b"%x\r\n%b\r\n" % (len(event), event) for event in events)
    with running(DIRECT, PLACE) as upstream, answering(head + body + end) as port:
        proxy = Proxy("scripted", port, 0, UPSTREAM_MODEL, 0, upstream.port)
        with pytest.raises(WrongAnswer) as caught:
            time_streams(PLACE, proxy, Protocol.CHAT, tokens=1, seconds=0)
    assert problem in str(caught.value)
