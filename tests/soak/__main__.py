"""`python -m tests.soak`: 100,000 requests with every named fault leave the gateway as it was.

Every answer is checked. At the end, once clients have left and unused connections have timed out, the gateway holds as
many descriptors as before the first request, nothing is in flight, and it has not grown by more than 2 MiB since it was
warm: since another 30,000 requests had filled the operation log's cache and the allocator's arenas. What grows after
that are high-water marks, in steps; a leak of 21 bytes per request is more. Exits with 1 if one
of that does not hold.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from fake_upstreams.faults import FAULTS
from tests.soak.faults import CASES
from tests.soak.process import Holdings, await_descriptors
from tests.soak.rounds import CONNECTIONS, Soak, soaking

ROOT = Path(__file__).resolve().parent.parent.parent
ROUNDS = 30
WARM_UP = 9
"""Rounds before those."""
FIRED_AT_LEAST = 20
GROWTH_KIB = 2048
"""Of resident memory, over all rounds."""
_UNUSED_MS = 600_000
"""Virtual time after which no connection is kept that nobody uses."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    options = _parse(arguments)
    with tempfile.TemporaryDirectory(prefix="turnout-soak-") as directory:
        try:
            _soak(options.binary, Path(directory), options.requests)
        except AssertionError as failure:
            print(f"FAILED {failure}")
            return 1
    return 0


def _soak(binary: Path, directory: Path, requests: int) -> None:
    plain, streams = _per_round(requests)
    started = time.monotonic()
    with soaking(binary, directory) as soak:
        before = Holdings.of(soak.gateway.process_id)
        for _ in range(WARM_UP):
            soak.run_round(plain, streams)
        warm, told_warm, fired_warm = _at_rest(soak, before), soak.told.total(), soak.fired()
        for _ in range(ROUNDS):
            soak.run_round(plain, streams)
        after, told, fired = _at_rest(soak, before), soak.told.total() - told_warm, soak.fired()
        fired.subtract(fired_warm)
        print(f"{told:,} requests in {time.monotonic() - started:.0f} s, every answer as expected")
        print(f"faults fired: {', '.join(f'{name} {count}' for name, count in sorted(fired.items()))}")
        print(f"descriptors: {before.descriptors} before, {after.descriptors} after")
        resident = [holdings.resident_kib for holdings in (before, warm, after)]
        print("resident: {} KiB before, {} warm, {} after all".format(*resident))
        assert told >= requests, f"only {told} requests were made"
        rare = [name for name in FAULTS if fired[name] < FIRED_AT_LEAST]
        assert not rare, f"fired less than {FIRED_AT_LEAST} times: {rare}"
        grown = after.resident_kib - warm.resident_kib
        assert grown <= GROWTH_KIB, f"grew by {grown} KiB"


def _at_rest(soak: Soak, before: Holdings) -> Holdings:
    """What the gateway holds when nobody wants anything of it."""
    in_flight = soak.in_flight()
    assert in_flight == 0, f"{in_flight} attempts are in flight, and nobody waits for an answer"
    soak.gateway.advance(_UNUSED_MS, None)
    process = soak.gateway.process_id
    there = await_descriptors(process, lambda count: count <= before.descriptors)
    assert there == before.descriptors, f"{there} descriptors are open, and {before.descriptors} were before"
    return Holdings.of(process)


def _per_round(requests: int) -> tuple[int, int]:
    """Plain requests and streams, each a multiple of the connections, so that all rounds make `requests` at least."""
    rest = -(-requests // ROUNDS) - 2 * len(CASES)
    streams = max(rest // 5 // CONNECTIONS, 1) * CONNECTIONS
    plain = max(-(-(rest - streams) // CONNECTIONS), 1) * CONNECTIONS
    return plain, streams


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.soak", description="drives a gateway until leaks would show")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "release" / "turnout")
    parser.add_argument("--requests", type=int, default=100_000)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
