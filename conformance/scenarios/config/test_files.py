"""How configurations are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.checks import Check
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.targets import Target
from fake_upstreams import chat

YAML = """
server: {port: 0}
deployments:
  - label: primary           # a comment
    publicModel: gpt
    adapterKey: openaicompatible
    upstreamModel: "m"
    credentials:
      baseUrl: http://127.0.0.1:9/v1
"""
JSON = json.dumps(
    {
        "deployments": [
            {
                "publicModel": "gpt",
                "adapterKey": "openai",
                "upstreamModel": "m",
                "credentials": {"apiKey": "sk-not-to-be-shown"},
            }
        ]
    }
)


@pytest.mark.needs("validate")
@pytest.mark.rule("CFG-FILE-001", "CFG-PROBLEM-001", "CFG-PROBLEM-005")
def test_files_are_yaml(check: Check, target: Target, tmp_path: Path) -> None:
    for text in (YAML, JSON):
        with check("CFG-FILE-001"):
            assert target.problems(text, tmp_path) == []
    for text in ("deployments: [\n", "\tx: sk-not-to-be-shown\n", "just words\n", "- a\n"):
        problems = target.problems(text, tmp_path)
        with check("CFG-PROBLEM-001"):
            assert problems != [], text
        with check("CFG-PROBLEM-005"):
            assert "sk-not-to-be-shown" not in "".join(problems)


@pytest.mark.needs("validate")
@pytest.mark.rule("CFG-FILE-002")
def test_quotations_are_closed(check: Check, target: Target, tmp_path: Path) -> None:
    for quote in "\"'":
        problems = target.problems(f"{YAML}keys: {quote}sk-not-to-be-shown\n\n", tmp_path)
        with check("CFG-FILE-002"):
            assert len(problems) == 1, problems
            assert problems[0].startswith("(document): is not valid YAML at line 10, column 26: "), problems
        with check("CFG-FILE-002"):
            closed = YAML.replace('"m"', f"{quote}m\n      n{quote}")
            assert target.problems(f"{closed}\n\n", tmp_path) == []


@pytest.mark.needs("lifecycle")
@pytest.mark.rule("CFG-ENV-001", "UP-REQ-002")
def test_references_to_the_environment(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    up = upstream(chat.completion("a"))
    monkeypatch.setenv("TURNOUT_TEST_KEY", "sk-from-the-environment")
    monkeypatch.setenv("TURNOUT_TEST_URL", up.base_url)
    monkeypatch.setenv("TURNOUT_TEST_CLIENT", "client-from-the-environment")
    credentials = {"apiKey": "${TURNOUT_TEST_KEY}", "baseUrl": "${TURNOUT_TEST_URL}"}
    gw = gateway(deployment(up, credentials=credentials), keys=[{"name": "a", "key": "${TURNOUT_TEST_CLIENT}"}])
    answer = gw.chat([("authorization", "Bearer client-from-the-environment")])
    with check("CFG-ENV-001"):
        assert answer.status == 200
        assert gw.chat([("authorization", "Bearer ${TURNOUT_TEST_CLIENT}")]).status == 401
    with check("UP-REQ-002"):
        assert up.requests[0].headers["authorization"] == "Bearer sk-from-the-environment"
