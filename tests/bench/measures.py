"""What a row does with one proxy in one round."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from tests.bench.content import KIB
from tests.bench.loads import Streams, ask, time_streams
from tests.bench.measuring import Sample, saturated, settle, watched
from tests.bench.processes import rss_bytes
from tests.bench.protocols import Protocol
from tests.bench.proxies import Place, Proxy

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
    unread_streams: int


FULL = Scale(
    rounds=7,
    spare_rounds=3,
    seconds=3,
    idle_streams=2000,
    paced_streams=400,
    requests=100_000,
    unread_streams=102,
)
QUICK = Scale(
    rounds=1,
    spare_rounds=0,
    seconds=1,
    idle_streams=200,
    paced_streams=50,
    requests=3_000,
    unread_streams=12,
)

Measure = Callable[[Place, Proxy, Scale], Sample]


def json_answers(connections: int, body_bytes: int) -> Measure:
    def measure(place: Place, proxy: Proxy, scale: Scale) -> Sample:
        with watched(place, proxy) as spent:
            asked = ask(place, proxy, connections=connections, seconds=scale.seconds, body_bytes=body_bytes)
        cpu = spent.cpu / asked.requests * 1e6
        return saturated({"cpu": cpu, "requests": asked.requests / asked.seconds}, spent, asked.seconds)

    return measure


def latency(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    asked = ask(place, proxy, connections=1, seconds=scale.seconds)
    return Sample({"p50": asked.p50, "p99": asked.p99})


PACE = 50
DELIVERED = 0.98
"""The share of the tokens of a paced load that must have come for the row to be of that load."""


def paced(protocol: Protocol) -> Measure:
    def measure(place: Place, proxy: Proxy, scale: Scale) -> Sample:
        with Streams(place, proxy, f"paced {PACE}", protocol) as streams:
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

    return measure


def flooded(protocol: Protocol) -> Measure:
    def measure(place: Place, proxy: Proxy, scale: Scale) -> Sample:
        with Streams(place, proxy, "flooded", protocol) as streams:
            streams.open(16)
            time.sleep(0.3)
            before = streams.mark()
            with watched(place, proxy) as spent:
                time.sleep(scale.seconds)
            after = streams.mark()
        settle(proxy.pid)
        return saturated({"cpu": spent.cpu / (after.tokens - before.tokens) * 1e6}, spent, spent.seconds)

    return measure


TOKENS = 20


def tokens(protocol: Protocol) -> Measure:
    def measure(place: Place, proxy: Proxy, scale: Scale) -> Sample:
        timed = time_streams(place, proxy, protocol, tokens=TOKENS, seconds=max(scale.seconds - 1, 1))
        return Sample({"first": timed.first["p50"], "gap": timed.gap["p50"]})

    return measure


def unread(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    """What one flood that nobody reads costs, the dearest of all protocols; what each of many does, and to others."""
    one = 0.0
    with ExitStack() as stack:
        left = [stack.enter_context(Streams(place, proxy, "flooded", protocol)) for protocol in Protocol]
        for streams in left:
            streams.open(4)  # what the first streams cost once is not what a stream costs
            streams.close()
        undisturbed = ask(place, proxy, connections=8, seconds=scale.seconds)
        settle(proxy.pid)
        began = rss_bytes(proxy.pid)
        for streams in left:
            before = rss_bytes(proxy.pid)
            streams.leave(1)
            settle(proxy.pid)
            one = max(one, rss_bytes(proxy.pid) - before)
        each = scale.unread_streams // len(left)
        for streams in left:
            streams.leave(each)
        settle(proxy.pid)
        many = (rss_bytes(proxy.pid) - began) / (each * len(left))
        disturbed = ask(place, proxy, connections=8, seconds=scale.seconds)
    return Sample({"one": one / MIB, "many": many / MIB, "p99": disturbed.p99 / undisturbed.p99})


def idle(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    with Streams(place, proxy, "idle") as streams:
        streams.open(100)  # what the first streams cost once is not what a stream costs
        settle(proxy.pid)
        before = rss_bytes(proxy.pid)
        streams.open(100 + scale.idle_streams)
        settle(proxy.pid)
        grown = rss_bytes(proxy.pid) - before
    return Sample({"rss": grown / MIB / scale.idle_streams * 1000})


def growth(place: Place, proxy: Proxy, scale: Scale) -> Sample:
    ask(place, proxy, connections=64, limit=1000)
    settle(proxy.pid)
    before = rss_bytes(proxy.pid)
    ask(place, proxy, connections=64, limit=scale.requests)
    settle(proxy.pid)
    return Sample({"rss": (rss_bytes(proxy.pid) - before) / MIB})
