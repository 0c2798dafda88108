"""The order in which a row's proxies are measured, and which rounds count."""

from __future__ import annotations

from contextlib import ExitStack

from tests.bench.loads import ask
from tests.bench.measures import Scale
from tests.bench.measuring import Sample
from tests.bench.proxies import Place, Proxy, running
from tests.bench.results import Measured
from tests.bench.rows import Row
from tests.bench.verdicts import Round, counts


def measure_row(row: Row, place: Place, scale: Scale) -> Measured:
    wanted = min(row.rounds or scale.rounds, scale.rounds)
    good: list[Round] = []
    void: list[Round] = []
    with ExitStack() as stack:
        proxies: dict[str, Proxy] = {}
        if not row.fresh:
            proxies = {name: stack.enter_context(running(name, place)) for name in row.proxies}
            for proxy in proxies.values():
                ask(place, proxy, connections=64, limit=2000)
        while len(good) < wanted and len(good) + len(void) < wanted + scale.spare_rounds:
            # Interleaved, and another one first each time: the machine's moods must not meet one proxy only.
            first = (len(good) + len(void)) % len(row.proxies)
            samples: dict[str, Sample] = {}
            for name in (*row.proxies[first:], *row.proxies[:first]):
                if row.fresh:
                    with running(name, place) as proxy:
                        samples[name] = row.measure(place, proxy, scale)
                else:
                    samples[name] = row.measure(place, proxies[name], scale)
            in_order = {name: samples[name] for name in row.proxies}
            (good if counts(in_order) else void).append(in_order)
    return Measured(good, void, wanted)
