"""The `turnout` command of the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PYTHON = Path(__file__).resolve().parent.parent.parent / "python"


def command(*arguments: str, binary: Path) -> subprocess.CompletedProcess[str]:
    """Runs the console script's function with `TURNOUT_BINARY` naming `binary`."""
    return subprocess.run(
        [sys.executable, "-c", "from turnout._cli import main; main()", *arguments],
        env={**os.environ, "TURNOUT_BINARY": str(binary), "PYTHONPATH": str(PYTHON)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_becomes_the_binary_with_the_same_arguments(tmp_path: Path) -> None:
    binary = tmp_path / "fake"
    binary.write_text('#!/bin/sh\necho "$@"\nexit 3\n', encoding="utf-8")
    binary.chmod(0o755)
    done = command("serve", "--config", "a b", binary=binary)
    assert (done.returncode, done.stdout) == (3, "serve --config a b\n")


def test_says_which_binary_is_missing(tmp_path: Path) -> None:
    done = command("serve", binary=tmp_path / "absent")
    assert done.returncode == 127
    assert done.stderr == (
        f"turnout: cannot run the server binary {tmp_path / 'absent'}: No such file or directory"
        " (TURNOUT_BINARY names it)\n"
    )
