"""The `turnout` command: becomes the server binary that the package carries."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def binary() -> Path:
    """The server binary: what `TURNOUT_BINARY` names, for development, or the one inside the package."""
    if override := os.environ.get("TURNOUT_BINARY"):
        return Path(override)
    return Path(__file__).resolve().parent / "bin" / "turnout"


def main() -> NoReturn:
    """Replaces this process by the server binary with the same arguments; exit status 127 if it cannot be run."""
    path = binary()
    try:
        os.execv(path, [str(path), *sys.argv[1:]])
    except OSError as error:
        sys.exit(_cannot_run(path, error))


def _cannot_run(path: Path, error: OSError) -> int:
    origin = "TURNOUT_BINARY names it" if os.environ.get("TURNOUT_BINARY") else "this package was built without it"
    sys.stderr.write(f"turnout: cannot run the server binary {path}: {error.strerror} ({origin})\n")
    return 127
