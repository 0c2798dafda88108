"""Compares the gateway with nginx and HAProxy on this machine. README.md, beside this file, says how and why.

make bench
.venv/bin/python -m tests.bench [--rows json64,sse-paced] [--json FILE [--resume]] [--rounds N] [--quick]
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from tests.bench.loads import ask
from tests.bench.measuring import Sample
from tests.bench.processes import core_time
from tests.bench.proxies import ROOT, Place, Proxy, running
from tests.bench.results import File, Measured, as_json, counted, lines_of
from tests.bench.rows import FULL, QUICK, ROWS, Row, Scale
from tests.bench.verdicts import Round, counts

SPARE_ROUNDS = 3
"""So many void rounds are made up for by others."""
QUIET = 0.1
"""A machine with a busier core than this, before anything is started, is not one to measure on."""


def main() -> int:
    options = _options()
    scale = dataclasses.replace(
        QUICK if options.quick else FULL, **({"rounds": options.rounds} if options.rounds else {})
    )
    place = Place(options.build.resolve(), options.load_core, options.proxy_core)
    os.sched_setaffinity(0, {place.load_core})
    file = File(options.json)
    _warn_unless_quiet(place)
    for row in options.rows:
        if options.resume and file.has(row):
            print(f"{row.name}: is in {options.json}")
            continue
        began = time.monotonic()
        measured = _measure(row, place, scale)
        file.add(row, as_json(row, measured))
        print("\n".join(lines_of(row, measured)), f"    ({time.monotonic() - began:.0f} s)", sep="\n", flush=True)
    print("\n".join(counted()))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Compares the gateway with nginx and HAProxy."
    )
    parser.add_argument("--rows", type=_rows, default=ROWS, help=f"some of {','.join(row.name for row in ROWS)}")
    parser.add_argument("--rounds", type=int, help=f"how often each row is measured (default: {FULL.rounds})")
    parser.add_argument(
        "--quick", action="store_true", help="one short round, to try the harness; its figures mean nothing"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="where results go; rows of earlier runs stay in it")
    parser.add_argument("--resume", action="store_true", help="measure only rows that FILE does not have")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="the folder of a release build")
    parser.add_argument("--load-core", type=int, default=0, help="of the load and the upstream (default: 0)")
    parser.add_argument("--proxy-core", type=int, default=1, help="default: 1")
    options = parser.parse_args()
    if options.resume and options.json is None:
        parser.error("--resume needs --json FILE")
    return options


def _rows(names: str) -> list[Row]:
    known = {row.name: row for row in ROWS}
    unknown = [name for name in names.split(",") if name not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"no row {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in names.split(",")]


def _warn_unless_quiet(place: Place) -> None:
    cores = (place.load_core, place.proxy_core)
    before = [core_time(core) for core in cores]
    time.sleep(1)
    shares = [core_time(core).share_since(earlier) for core, earlier in zip(cores, before, strict=True)]
    if max(shares) > QUIET:
        busy = ", ".join(f"core {core}: {share:.0%}" for core, share in zip(cores, shares, strict=True))
        print(f"bench: the machine is not quiet ({busy} busy before anything was started): the figures are noise")


def _measure(row: Row, place: Place, scale: Scale) -> Measured:
    wanted = min(row.rounds or scale.rounds, scale.rounds)
    good: list[Round] = []
    void: list[Round] = []
    with ExitStack() as stack:
        proxies: dict[str, Proxy] = {}
        if not row.fresh:
            proxies = {name: stack.enter_context(running(name, place)) for name in row.proxies}
            for proxy in proxies.values():
                ask(place, proxy, connections=64, limit=2000)
        while len(good) < wanted and len(void) < SPARE_ROUNDS:
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


if __name__ == "__main__":
    sys.exit(main())
