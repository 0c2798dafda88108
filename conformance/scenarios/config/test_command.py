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
@pytest.mark.rule("CFG-VALIDATE-001", "CFG-VALIDATE-002", "CFG-VALIDATE-003", "CFG-PROBLEM-002")
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
    cases = ((tmp_path / "missing.yaml", "No such file or directory"), (tmp_path, "Is a directory"))
    for command in ("validate", "serve"):
        for file, reason in cases:
            unread = target.run(command, "--config", str(file))
            with check("CFG-VALIDATE-003"):
                said = f"turnout: cannot read the configuration file {file}: {reason}\n"
                assert (unread.returncode, unread.stdout, unread.stderr) == (2, "", said)
