"""What a process holds, as the kernel says."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

GUARD_SECONDS = 20.0
"""Real time after which something that should happen at once counts as missing."""


@dataclass(frozen=True)
class Holdings:
    """Of one process at one time."""

    descriptors: int
    resident_kib: int

    @classmethod
    def of(cls, process_id: int) -> Holdings:
        """Reads them from /proc."""
        folder = Path("/proc") / str(process_id)
        pages = int((folder / "statm").read_text(encoding="ascii").split()[1])
        return cls(sum(1 for _ in (folder / "fd").iterdir()), pages * os.sysconf("SC_PAGE_SIZE") // 1024)


def await_descriptors(process_id: int, wanted: Callable[[int], bool]) -> int:
    """Waits until the number of descriptors is as wanted, and returns it; also what it is when patience is over."""
    end = time.monotonic() + GUARD_SECONDS
    while True:
        there = Holdings.of(process_id).descriptors
        if wanted(there) or time.monotonic() > end:
            return there
        os.sched_yield()
