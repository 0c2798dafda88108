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
from pathlib import Path

from tests.bench.interleaving import measure_row
from tests.bench.measures import FULL, QUICK
from tests.bench.processes import core_time
from tests.bench.proxies import ROOT, Place
from tests.bench.results import File, as_json, counted, lines_of
from tests.bench.rows import ROWS, Row

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
        if options.resume and file.has(row, scale):
            print(f"{row.name}: is in {options.json}")
            continue
        began = time.monotonic()
        measured = measure_row(row, place, scale)
        file.add(row, scale, as_json(row, measured))
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


if __name__ == "__main__":
    sys.exit(main())
