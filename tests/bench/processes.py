"""What the kernel knows of processes and cores: CPU time, memory, how busy a core was."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """The process and its descendants: nginx serves from a child."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that ended meanwhile
            for child in (task / "children").read_text().split():
                found += family(int(child))
    return found


def cpu_seconds(pid: int) -> float:
    """CPU time of all threads of the process and its descendants, in user and kernel mode, to the nanosecond.

    What utime + stime of /proc/PID/stat have in ticks of 10 ms. Threads that ended count, processes that ended do not.
    """
    return sum(time.clock_gettime(_cpu_clock(member)) for member in family(pid))


def _cpu_clock(pid: int) -> int:
    # As clock_getcpuclockid(3) makes it, which Python has for threads of its own only.
    scheduled = 2
    return (~pid << 3) | scheduled


def rss_bytes(pid: int) -> int:
    """Resident memory of the process and its descendants. Pages that they share count once for each."""
    return sum(_rss(member) for member in family(pid))


def _rss(pid: int) -> int:
    # The figures of statm and status lag behind by some pages per thread.
    found = re.search(r"^Rss:\s+(\d+) kB$", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    assert found is not None
    return int(found.group(1)) * 1024


@dataclass(frozen=True)
class CoreTime:
    """How long a core has worked since the machine started, and how long it has been there, in seconds."""

    busy: float
    whole: float

    def share_since(self, earlier: CoreTime) -> float:
        """The share of the time since then in which the core worked: 0 to 1."""
        whole = self.whole - earlier.whole
        return (self.busy - earlier.busy) / whole if whole > 0 else 0.0


def core_time(core: int) -> CoreTime:
    for line in Path("/proc/stat").read_text().splitlines():
        name, *columns = line.split()
        if name == f"cpu{core}":
            # user nice system idle iowait irq softirq steal; guest time lies in the first two
            ticks = [int(column) for column in columns[:8]]
            whole = sum(ticks)
            return CoreTime((whole - ticks[3] - ticks[4]) / _TICK, whole / _TICK)
    raise RuntimeError(f"the machine has no core {core}")
