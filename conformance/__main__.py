"""`turnout-conformance`: runs the scenarios with pytest. Arguments are pytest's and those of README.md."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the suite; without a path among the arguments, all of it. Returns pytest's exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    chosen = [] if any(_is_path(argument) for argument in given) else [str(HERE / "scenarios"), str(HERE / "sdk")]
    own_plugin = ["-p", "conformance.plugin", "--import-mode=importlib"]
    return int(pytest.main([*own_plugin, *chosen, *given]))


def _is_path(argument: str) -> bool:
    return not argument.startswith("-") and Path(argument.partition("::")[0]).exists() and ".py" in argument


if __name__ == "__main__":
    sys.exit(main())
