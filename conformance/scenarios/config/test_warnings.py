"""What is allowed and probably not meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.checks import Check
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.targets import Target
from conformance.targets.binary import BinaryTarget

CHAINS = [
    {"primaryModel": "gpt", "fallbackModels": ["spoken"]},
    {"primaryModel": "gpt", "reason": "context_window", "fallbackModels": ["spoken", "written"]},
]
SAID = "fallbacks[0].fallbackModels: no enabled deployment of these models carries chat requests"


@pytest.mark.needs("log")
@pytest.mark.rule("CFG-CHAIN-007")
def test_a_chain_that_fits_nothing_is_told_at_start(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    gw = gateway(
        up,
        deployment(up, publicModel="spoken", transportOverrides={"text.generate": "messages"}),
        deployment(up, publicModel="written"),
        fallbacks=CHAINS,
    )
    gw.stop()
    with check("CFG-CHAIN-007"):
        told = [line for line in gw.log().splitlines() if "fallbacks[" in line]
        assert len(told) == 1
        assert SAID in told[0]


@pytest.mark.needs("cli")
@pytest.mark.rule("CFG-CHAIN-008")
def test_validate_tells_it_of_a_file_that_is_valid(check: Check, target: Target, tmp_path: Path) -> None:
    assert isinstance(target, BinaryTarget)
    served = {"adapterKey": "openaicompatible", "upstreamModel": "m", "credentials": {"baseUrl": "http://127.0.0.1:9"}}
    spoken = {"publicModel": "spoken", "transportOverrides": {"text.generate": "messages"}, **served}
    file = tmp_path / "file.yaml"
    for fits in (False, True):
        written = {"publicModel": "written", **served}
        chain = {"primaryModel": "gpt", "fallbackModels": ["written" if fits else "spoken"]}
        deployments = [{"publicModel": "gpt", **served}, spoken, written]
        file.write_text(json.dumps({"deployments": deployments, "fallbacks": [chain]}))
        run = target.run("validate", "--config", str(file))
        with check("CFG-CHAIN-008"):
            assert run.returncode == 0
            assert (SAID in run.stderr) is not fits
