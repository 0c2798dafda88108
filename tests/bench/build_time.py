"""How long a clean release build takes on two cores, without a compiler cache.

make bench-build
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WANTED = 180
STRETCH = 90
CORES = {0, 1}


def main() -> int:
    os.sched_setaffinity(0, CORES)
    os.environ["CCACHE_DISABLE"] = "1"
    with tempfile.TemporaryDirectory(prefix="turnout-build-") as folder:
        configure = ["cmake", "-S", str(ROOT), "--preset", "release", "-B", folder]
        began = time.monotonic()
        subprocess.run([*configure, "-DTURNOUT_CCACHE=OFF"], check=True, stdout=subprocess.DEVNULL)
        configured = time.monotonic()
        if "ccache" in (Path(folder) / "build.ninja").read_text():
            raise SystemExit("bench-build: the build would use ccache")
        subprocess.run(["cmake", "--build", folder, "--parallel", str(len(CORES))], check=True)
        ended = time.monotonic()
    seconds = ended - began
    outcome = "met, and the stretch target" if seconds <= STRETCH else "met" if seconds <= WANTED else "MISSED"
    print(f"clean release build: {seconds:.0f} s, of which {configured - began:.0f} s configuring")
    print(f"    wanted <= {WANTED} s, stretch {STRETCH} s: {outcome}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
