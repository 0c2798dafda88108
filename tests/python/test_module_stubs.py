"""The stubs of the compiled module."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import turnout

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.rule("PY-TYPES-001")
def test_the_stubs_match_the_compiled_module() -> None:
    python = ROOT / "python"
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "turnout._core", "--mypy-config-file", str(ROOT / "pyproject.toml")],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(python), "PYTHONPATH": str(python)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (Path(turnout.__file__).parent / "py.typed").is_file()


def test_the_package_exports_what_it_lists() -> None:
    assert [name for name in turnout.__all__ if not hasattr(turnout, name)] == []
    assert turnout.__version__.count(".") == 2
