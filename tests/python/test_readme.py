"""The README's example is run as it stands there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import turnout
from fake_upstreams import FakeUpstreamThread, chat

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


@pytest.mark.rule("PY-README-002")
def test_the_request_after_serve_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a fake upstream in place of those that the configuration names."""
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    (configuration,) = re.findall(r"```yaml\n(.*?)```", readme, re.DOTALL)
    (request,) = re.findall(r"```sh\n(curl .*?)```", readme, re.DOTALL)
    for variable in ("PRIMARY_KEY", "OPENAI_API_KEY", "CLIENT_KEY"):
        monkeypatch.setenv(variable, f"the {variable}".replace(" ", "-"))
    with FakeUpstreamThread([chat.completion("Hello")]) as upstream:
        configuration, addresses = re.subn('baseUrl: "[^"]*", ', "", configuration)
        configuration, keys = re.subn("apiKey:", f"baseUrl: {upstream.base_url}, apiKey:", configuration)
        assert (addresses, keys) == (1, 3)
        with turnout.Gateway(configuration, port=0) as gateway:
            assert "http://127.0.0.1:4000/" in request
            command = request.replace("http://127.0.0.1:4000", gateway.url)
            run = subprocess.run(
                ["bash", "-c", f"{command.strip()} -sS"], capture_output=True, text=True, timeout=60, check=False
            )
    assert run.stderr == ""
    assert json.loads(run.stdout)["choices"][0]["message"]["content"] == "Hello"


def test_the_links_lead_somewhere() -> None:
    for document in ("README.md", "HACKING.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", (REPOSITORY / document).read_text(encoding="utf-8")):
            assert (REPOSITORY / link).exists(), f"{document} points to {link}"
