"""The README's example is run as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"<!-- example: begin -->\n```python\n(.*?)```\n<!-- example: end -->", re.DOTALL)


@pytest.mark.rule("PY-README-001")
def test_the_example_starts_a_gateway_and_asks_it_something(tmp_path: Path) -> None:
    (example,) = EXAMPLE.findall((REPOSITORY / "README.md").read_text(encoding="utf-8"))
    assert len([line for line in example.splitlines() if line]) <= 12
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert run.stderr == ""
    assert run.returncode == 0
    assert run.stdout == "Hello from upstream\n"


def test_the_links_lead_somewhere() -> None:
    for document in ("README.md", "HACKING.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", (REPOSITORY / document).read_text(encoding="utf-8")):
            assert (REPOSITORY / link).exists(), f"{document} points to {link}"
