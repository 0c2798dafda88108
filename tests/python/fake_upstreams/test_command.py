"""`python -m fake_upstreams`, as its user runs it."""

from __future__ import annotations

import http.client
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SCRIPT = """
primary:
  replies:
    - {status: 503, body: {json: {error: {message: busy}}}}
backup:
  strict: false
  replies:
    - {stream: [hello], repeat: true}
"""


@contextmanager
def running(script: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "fake_upstreams", str(script), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def ask(url: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=10)
    connection.request("POST", "/v1/chat/completions", b"{}")
    response = connection.getresponse()
    status, body = response.status, response.read()
    connection.close()
    return status, body


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.yaml"
    path.write_text(SCRIPT)
    return path


@pytest.mark.rule("FAKE-RUN-001")
def test_serves_until_a_signal(script: Path, tmp_path: Path) -> None:
    ports = tmp_path / "ports"
    with running(script, "--port-file", str(ports)) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        assert ports.read_text() == "".join(lines)
        urls = dict(line.split() for line in lines)
        assert ask(urls["primary"]) == (503, b'{"error":{"message":"busy"}}')
        for _ in range(2):
            assert b'"content":"hello"' in ask(urls["backup"])[1]
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (0, "")


def test_a_script_that_was_not_followed_is_exit_1(script: Path) -> None:
    with running(script) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 1
        assert "reply 1 was used 0 times" in errors
        assert "backup" not in errors


def test_the_journal_on_request(script: Path) -> None:
    with running(script, "--journal") as process:
        assert process.stdout is not None
        urls = dict(process.stdout.readline().split() for _ in range(2))
        ask(urls["primary"])
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 0
        assert "request 1: POST /v1/chat/completions" in errors
        assert "backup (stopped)" in errors


def test_a_bad_script_is_exit_2(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("a: {replies: [{fault: none}]}")
    for file, message in [(path, "a.replies[0].fault: must be one of"), (tmp_path / "absent", "No such file")]:
        with running(file) as process:
            _, errors = process.communicate(timeout=20)
            assert process.returncode == 2
            assert message in errors
