"""wrk's script notices every answer that is not the one that is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.bench.load import ANSWER_BYTES, PUBLIC_MODEL, UPSTREAM_MODEL
from tests.bench.loads import Streams, WrongAnswer, ask, time_streams
from tests.bench.protocols import Protocol
from tests.bench.proxies import DIRECT, GATEWAY, Proxy, running
from tests.python.bench.programs import PLACE, answering

LIMIT = 200


@pytest.fixture
def upstream() -> Iterator[Proxy]:
    with running(DIRECT, PLACE) as direct:
        yield direct


@pytest.mark.parametrize("body_bytes", [1024, 1024 * 1024])
def test_counts_answers_and_stops_after_enough(upstream: Proxy, body_bytes: int) -> None:
    asked = ask(PLACE, upstream, connections=4, limit=LIMIT, body_bytes=body_bytes)
    assert LIMIT <= asked.requests < LIMIT + 4
    assert 0 < asked.p50 <= asked.p99


def test_refuses_another_model(upstream: Proxy) -> None:
    with pytest.raises(WrongAnswer, match=UPSTREAM_MODEL) as caught:
        ask(PLACE, replace(upstream, answered=PUBLIC_MODEL), connections=1, limit=LIMIT)
    assert f"{LIMIT} answers, {LIMIT} of them wrong" in str(caught.value)


@pytest.mark.parametrize("length", [ANSWER_BYTES - 1, ANSWER_BYTES + 1])
def test_refuses_another_length(upstream: Proxy, length: int) -> None:
    with pytest.raises(WrongAnswer, match=f"{ANSWER_BYTES} bytes"):
        ask(PLACE, replace(upstream, length=length), connections=1, limit=LIMIT)


def test_refuses_another_status() -> None:
    body = b'{"model":"m"}'
    answer = b"HTTP/1.1 201 Created\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)
    with answering(answer) as port, pytest.raises(WrongAnswer, match="status 201"):
        ask(PLACE, Proxy("scripted", port, 0, "m", len(body)), connections=1, limit=1)


def test_the_gateway_answers_as_the_benchmark_wants() -> None:
    with running(GATEWAY, PLACE) as gateway:
        assert ask(PLACE, gateway, connections=4, limit=LIMIT).requests >= LIMIT
        for protocol in Protocol:
            with Streams(PLACE, gateway, "idle", protocol) as streams:
                assert streams.open(20).tokens == 20
            with Streams(PLACE, gateway, "flooded", protocol) as streams:
                streams.leave(3)
                streams.open(2)
                while streams.mark().tokens < 20_000:
                    pass
            assert time_streams(PLACE, gateway, protocol, tokens=12, seconds=0).streams == 1
