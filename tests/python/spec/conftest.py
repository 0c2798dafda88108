"""A small spec/ of its own for each test, and the checker run on it."""

from pathlib import Path

import pytest

from tests.python.spec.support import Run, Spec
from tools import check_rules


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    folder = tmp_path / "spec"
    folder.mkdir()
    return Spec(folder)


@pytest.fixture
def run(spec: Spec, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_checker(*arguments: str) -> tuple[int, str, str]:
        code = check_rules.main([*arguments, "--spec", str(spec.folder)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run_checker
