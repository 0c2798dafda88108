"""One measurement: what a proxy spent while it was under a load."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from tests.bench.processes import core_time, cpu_seconds
from tests.bench.proxies import Place, Proxy

SATURATED = 0.85
"""The share of its core that a proxy must have used for a figure of a saturated proxy to count."""


@dataclass(frozen=True)
class Effort:
    """What it says in a sample beside the figures: whether they can be believed. All are shares of the time."""

    own: float  # of its core, that the proxy itself used
    proxy_core: float  # in which anything ran on the proxy's core
    load_core: float


@dataclass(frozen=True)
class Sample:
    """The figures of one proxy in one round, and the reason when they do not count."""

    values: Mapping[str, float]
    effort: Effort | None = None
    void: str = ""


@dataclass
class Spent:
    """Filled when the watched time ends."""

    cpu: float = 0.0
    seconds: float = 0.0
    effort: Effort = field(default_factory=lambda: Effort(0.0, 0.0, 0.0))


@contextmanager
def watched(place: Place, proxy: Proxy) -> Iterator[Spent]:
    spent = Spent()
    cores = (place.proxy_core, place.load_core)
    before = [core_time(core) for core in cores]
    cpu, began = cpu_seconds(proxy.pid), time.perf_counter()
    yield spent
    spent.cpu, spent.seconds = cpu_seconds(proxy.pid) - cpu, time.perf_counter() - began
    shares = [core_time(core).share_since(earlier) for core, earlier in zip(cores, before, strict=True)]
    spent.effort = Effort(spent.cpu / spent.seconds, *shares)


def saturated(values: Mapping[str, float], spent: Spent, loaded_seconds: float) -> Sample:
    """Void when the proxy had time to spare while it was under load: then the load was measured, and not the proxy.

    `loaded_seconds`: a load may be part of the time that was watched, since its program has to start.
    """
    own = spent.cpu / loaded_seconds
    void = "" if own >= SATURATED else f"the proxy used {own:.0%} of its core"
    return Sample(values, replace(spent.effort, own=own), void)


def settle(pid: int) -> None:
    """Waits until the process has had nothing to do for 0.1 s, and no longer than 5 s."""
    for _ in range(50):
        before = cpu_seconds(pid)
        time.sleep(0.1)
        if cpu_seconds(pid) - before < 0.001:
            return
