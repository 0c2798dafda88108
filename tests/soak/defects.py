"""`python -m tests.soak.defects`: gateways that leave something behind on purpose, which the soak must notice.

Exits with 0 if it noticed every one of them by the number that it is about. Takes about two minutes for each.
"""

from __future__ import annotations

import os
import subprocess
import sys

import yaml

from conformance.defects.declaration import Patch
from conformance.defects.scratch import Scratch
from tests.soak.__main__ import ROOT


def main() -> int:
    """Returns the exit code."""
    directory = ROOT / "build" / "soak-defects"
    directory.mkdir(parents=True, exist_ok=True)
    scratch = Scratch(ROOT, directory, os.cpu_count() or 1)
    missed = 0
    for row in yaml.safe_load((ROOT / "tests" / "soak" / "defects.yaml").read_text(encoding="utf-8")):
        scratch.patch([Patch(**place) for place in row["patch"]])
        scratch.build(["turnout"])
        command = [sys.executable, "-m", "tests.soak", "--binary", str(scratch.server)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        last = done.stdout.strip().rpartition("\n")[2]
        found = done.returncode == 1 and row["finds"] in last
        missed += not found
        print(f"{'found' if found else 'RED':6} {row['says']}  ({last or done.stderr[-400:]})", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
