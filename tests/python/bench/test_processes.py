"""CPU time, memory and cores, as the kernel tells them."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.bench.processes import core_time, cpu_seconds, family, rss_bytes

MIB = 1024 * 1024
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(child.pid, child.stdout.readline(), flush=True)
sys.stdin.read()
child.communicate()
"""
CHILD = """
import sys, time
held = bytearray(b"x" * (64 << 20))
while time.process_time() < 0.2:
    pass
print("worked", flush=True)
sys.stdin.read()
"""


def test_a_child_counts_for_its_parent() -> None:
    command = [sys.executable, "-c", PARENT, CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline().split()[0])
        assert family(parent.pid) == [parent.pid, child]
        assert cpu_seconds(parent.pid) >= cpu_seconds(child) >= 0.2
        assert rss_bytes(parent.pid) > rss_bytes(child) > 64 * MIB
        parent.communicate()


def test_a_core_was_busy_for_a_part_of_the_time_that_it_is_there() -> None:
    now = core_time(min(os.sched_getaffinity(0)))
    assert 0 < now.busy <= now.whole
    assert now.share_since(now) == 0
