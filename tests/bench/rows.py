"""The rows of `make bench`: what each measures and what it must reach. README.md says why it is measured so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.content import KIB
from tests.bench.measures import (
    MIB,
    PACE,
    TOKENS,
    Measure,
    flooded,
    growth,
    idle,
    json_answers,
    latency,
    paced,
    tokens,
    unread,
)
from tests.bench.protocols import Protocol
from tests.bench.proxies import DIRECT, GATEWAY, NAMES, YARDSTICK


@dataclass(frozen=True)
class Figure:
    """A number that a sample has, and what is wanted of it.

    A relative one is wanted in multiples of what the yardstick has in the same round, others as they are. `added`: what
    the sample of no proxy at all has in the same round is taken off first.
    """

    name: str
    unit: str
    wanted: float
    stretch: float | None
    relative: bool = True
    more_is_better: bool = False
    added: bool = False


@dataclass(frozen=True)
class Row:
    name: str
    title: str
    figures: Sequence[Figure]
    measure: Measure
    proxies: Sequence[str] = NAMES
    fresh: bool = False  # a new proxy for each round
    rounds: int | None = None  # when other than the scale's


_CPU = ("cpu", "us of CPU per request")
_CHUNK = ("cpu", "s of CPU per million chunks")
_BESIDE_CHAT = (Protocol.MESSAGES, Protocol.RESPONSES)

ROWS = (
    Row(
        "json64",
        "JSON, 1 KiB in and out, 64 connections",
        (
            Figure(*_CPU, wanted=0.90, stretch=0.75),
            Figure("requests", "requests/s", wanted=1.1, stretch=1.3, more_is_better=True),
        ),
        json_answers(64, KIB),
    ),
    Row(
        "json8",
        "JSON, 1 KiB in and out, 8 connections",
        (Figure(*_CPU, wanted=0.90, stretch=0.75),),
        json_answers(8, KIB),
    ),
    Row(
        "latency",
        "JSON, one connection: latency added to that of the direct call",
        (
            Figure("p50", "us at p50", wanted=1.1, stretch=0.8, added=True),
            Figure("p99", "us at p99", wanted=1.1, stretch=0.8, added=True),
        ),
        latency,
        proxies=(*NAMES, DIRECT),
    ),
    Row(
        "sse-paced",
        f"SSE, 400 streams with {PACE} chunks/s each",
        (Figure(*_CHUNK, wanted=1.05, stretch=0.9),),
        paced(Protocol.CHAT),
    ),
    Row(
        "sse-flooded",
        "SSE, 16 streams as fast as they are read",
        (Figure(*_CHUNK, wanted=0.9, stretch=0.6),),
        flooded(Protocol.CHAT),
    ),
    *(
        Row(
            f"{protocol}-paced",
            f"{protocol}, 400 streams with {PACE} chunks/s each",
            (Figure(*_CHUNK, wanted=1.1, stretch=0.9),),
            paced(protocol),
        )
        for protocol in _BESIDE_CHAT
    ),
    *(
        Row(
            f"{protocol}-flooded",
            f"{protocol}, 16 streams as fast as they are read",
            (Figure(*_CHUNK, wanted=1.1, stretch=0.6),),
            flooded(protocol),
        )
        for protocol in _BESIDE_CHAT
    ),
    *(
        Row(
            f"{protocol}-tokens",
            f"{protocol}, one stream at a time, {TOKENS} tokens each: time added to that of the direct call",
            (
                Figure("first", "us to the first token at p50", wanted=1.2, stretch=0.8, added=True),
                Figure("gap", "us between two tokens at p50", wanted=1.2, stretch=0.8, added=True),
            ),
            tokens(protocol),
            proxies=(*NAMES, DIRECT),
        )
        for protocol in Protocol
    ),
    Row(
        "unread-streams",
        "streams as fast as they are read, of which nobody reads anything",
        (
            Figure("one", "MiB of RSS for one", wanted=1, stretch=0.25, relative=False),
            Figure("many", "MiB of RSS for each of 100", wanted=1, stretch=0.25, relative=False),
            Figure("p99", "x the p99 of other requests beside 100 of them", wanted=1.1, stretch=None, relative=False),
        ),
        unread,
        proxies=(YARDSTICK, GATEWAY),
        fresh=True,
    ),
    Row(
        "idle-streams",
        "SSE, streams that are open and silent",
        (Figure("rss", "MiB of RSS per 1,000 streams", wanted=12, stretch=5, relative=False),),
        idle,
        fresh=True,
    ),
    Row(
        "body64k",
        "JSON, 64 KiB in, 64 connections",
        (Figure(*_CPU, wanted=1.1, stretch=0.9),),
        json_answers(64, 64 * KIB),
    ),
    Row("body1m", "JSON, 1 MiB in, 16 connections", (Figure(*_CPU, wanted=1.1, stretch=0.9),), json_answers(16, MIB)),
    Row(
        "rss-growth",
        "RSS after 100,000 requests, less that after 1,000",
        (Figure("rss", "MiB of RSS", wanted=1, stretch=None, relative=False),),
        growth,
        proxies=(GATEWAY,),
        fresh=True,
        rounds=3,
    ),
)
