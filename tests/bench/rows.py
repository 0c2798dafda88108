"""The rows of `make bench`: what each measures and what it must reach. README.md says why it is measured so."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.bench.content import KIB
from tests.bench.loads import Streams, ask
from tests.bench.measuring import Sample, saturated, settle, watched
from tests.bench.processes import rss_bytes
from tests.bench.proxies import DIRECT, GATEWAY, NAMES, Place, Proxy

MIB = 1024 * KIB


@dataclass(frozen=True)
class Scale:
    """How long and how much: the whole run, or a try of the harness."""

    rounds: int
    spare_rounds: int  # so many void rounds are made up for by others
    seconds: int
    idle_streams: int
    paced_streams: int
    requests: int


FULL = Scale(rounds=7, spare_rounds=3, seconds=3, idle_streams=2000, paced_streams=400, requests=100_000)
QUICK = Scale(rounds=1, spare_rounds=0, seconds=1, idle_streams=200, paced_streams=50, requests=3_000)


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
    measure: Callable[[Place, Proxy, Scale], Sample]
    proxies: Sequence[str] = NAMES
    fresh: bool = False  # a new proxy for each round
    rounds: int | None = None  # when other than the scale's


def _json(connections: int, body_bytes: int) -> Callable[[Place, Proxy, Scale], Sample]:
    def measure(place: Place, proxy: Proxy, scale: Scale) -> Sample:
        with watched(place, proxy) as spent:
            asked = ask(place, proxy, connections=connections, seconds=scale.seconds, body_bytes=body_bytes)
        cpu = spent.cpu / asked.requests * 1e6
        return saturated({"cpu": cpu, "requests": asked.requests / asked.seconds}, spent, asked.seconds)

    return measure


def _latency(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    asked = ask(place, proxy, connections=1, seconds=scale.seconds)
    return Sample({"p50": asked.p50, "p99": asked.p99})


PACE = 50
DELIVERED = 0.98
"""The share of the tokens of a paced load that must have come for the row to be of that load."""


def _paced(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    with Streams(place, proxy, f"paced {PACE}") as streams:
        streams.open(scale.paced_streams)
        time.sleep(0.5)
        before = streams.mark()
        with watched(place, proxy) as spent:
            time.sleep(scale.seconds + 1)
        after = streams.mark()
    settle(proxy.pid)
    came = after.tokens - before.tokens
    share = came / (PACE * scale.paced_streams * (after.at - before.at))
    void = "" if share >= DELIVERED else f"{share:.1%} of the tokens came"
    return Sample({"cpu": spent.cpu / came * 1e6}, spent.effort, void)


def _flooded(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    with Streams(place, proxy, "flooded") as streams:
        streams.open(16)
        time.sleep(0.3)
        before = streams.mark()
        with watched(place, proxy) as spent:
            time.sleep(scale.seconds)
        after = streams.mark()
    settle(proxy.pid)
    return saturated({"cpu": spent.cpu / (after.tokens - before.tokens) * 1e6}, spent, spent.seconds)


def _idle(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    with Streams(place, proxy, "idle") as streams:
        streams.open(100)  # what the first streams cost once is not what a stream costs
        settle(proxy.pid)
        before = rss_bytes(proxy.pid)
        streams.open(100 + scale.idle_streams)
        settle(proxy.pid)
        grown = rss_bytes(proxy.pid) - before
    return Sample({"rss": grown / MIB / scale.idle_streams * 1000})


def _growth(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    ask(place, proxy, connections=64, limit=1000)
    settle(proxy.pid)
    before = rss_bytes(proxy.pid)
    ask(place, proxy, connections=64, limit=scale.requests)
    settle(proxy.pid)
    return Sample({"rss": (rss_bytes(proxy.pid) - before) / MIB})


_CPU = ("cpu", "us of CPU per request")

ROWS = (
    Row(
        "json64",
        "JSON, 1 KiB in and out, 64 connections",
        (
            Figure(*_CPU, wanted=0.90, stretch=0.75),
            Figure("requests", "requests/s", wanted=1.1, stretch=1.3, more_is_better=True),
        ),
        _json(64, KIB),
    ),
    Row("json8", "JSON, 1 KiB in and out, 8 connections", (Figure(*_CPU, wanted=0.90, stretch=0.75),), _json(8, KIB)),
    Row(
        "latency",
        "JSON, one connection: latency added to that of the direct call",
        (
            Figure("p50", "us at p50", wanted=1.1, stretch=0.8, added=True),
            Figure("p99", "us at p99", wanted=1.1, stretch=0.8, added=True),
        ),
        _latency,
        proxies=(*NAMES, DIRECT),
    ),
    Row(
        "sse-paced",
        f"SSE, 400 streams with {PACE} chunks/s each",
        (Figure("cpu", "s of CPU per million chunks", wanted=1.05, stretch=0.9),),
        _paced,
    ),
    Row(
        "sse-flooded",
        "SSE, 16 streams as fast as they are read",
        (Figure("cpu", "s of CPU per million chunks", wanted=0.9, stretch=0.6),),
        _flooded,
    ),
    Row(
        "idle-streams",
        "SSE, streams that are open and silent",
        (Figure("rss", "MiB of RSS per 1,000 streams", wanted=12, stretch=5, relative=False),),
        _idle,
        fresh=True,
    ),
    Row("body64k", "JSON, 64 KiB in, 64 connections", (Figure(*_CPU, wanted=1.1, stretch=0.9),), _json(64, 64 * KIB)),
    Row("body1m", "JSON, 1 MiB in, 16 connections", (Figure(*_CPU, wanted=1.1, stretch=0.9),), _json(16, MIB)),
    Row(
        "rss-growth",
        "RSS after 100,000 requests, less that after 1,000",
        (Figure("rss", "MiB of RSS", wanted=1, stretch=None, relative=False),),
        _growth,
        proxies=(GATEWAY,),
        fresh=True,
        rounds=3,
    ),
)
