"""`turnout validate` and `turnout serve` with good and bad files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.checks import Check
from conformance.targets import Target
from conformance.targets.binary import BinaryTarget

BAD = json.dumps(
    {"server": {"port": -1}, "deployments": [{"publicModel": "gpt", "adapterKey": "openai", "credentials": {}}]}
)
GOOD = json.dumps(
    {
        "deployments": [
            {"publicModel": "gpt", "adapterKey": "openai", "upstreamModel": "m", "credentials": {"apiKey": "k"}}
        ]
    }
)


@pytest.mark.needs("cli")
@pytest.mark.rule("CFG-VALIDATE-001", "CFG-VALIDATE-002", "CFG-PROBLEM-002")
def test_files_are_checked_before_anything_else(check: Check, target: Target, tmp_path: Path) -> None:
    assert isinstance(target, BinaryTarget)
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(GOOD)
    bad.write_text(BAD)
    with check("CFG-VALIDATE-001"):
        assert target.run("validate", "--config", str(good)).returncode == 0
    validated, served = (target.run(command, "--config", str(bad)) for command in ("validate", "serve"))
    with check("CFG-PROBLEM-002"):
        assert served.returncode == 2
        assert served.stdout == ""
        paths = [line.partition(": ")[0] for line in served.stderr.splitlines()]
        assert {"server.port", "deployments[0].upstreamModel", "deployments[0].credentials.apiKey"} <= set(paths)
    with check("CFG-VALIDATE-002"):
        assert validated.returncode == 2
        assert validated.stderr == served.stderr
    missing = target.run("validate", "--config", str(tmp_path / "missing.yaml"))
    with check("CFG-VALIDATE-002"):
        assert missing.returncode == 2
        assert "missing.yaml" in missing.stderr
