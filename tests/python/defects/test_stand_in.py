"""The executable that stands in for the gateway's, in front of a gateway in miniature."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conformance.client import Connection, call
from conformance.defects.suite import ROOT, write_stand_in
from conformance.targets.binary import BinaryGateway, BinaryTarget

FAKE = ROOT / "tests" / "python" / "conformance" / "fake_gateway.py"


@contextmanager
def running(directory: Path, change: dict[str, Any], **settings: Any) -> Iterator[BinaryGateway]:
    target = BinaryTarget(write_stand_in(directory / "stand-in", FAKE, change))
    gateway = target.start({"echo": "hello", **settings}, directory, seed=7)
    try:
        yield gateway
    finally:
        gateway.stop()


def test_without_a_change_nothing_is_different(tmp_path: Path) -> None:
    with running(tmp_path, {}) as gateway, Connection(gateway.url) as client:
        for _ in range(2):
            assert client.request("GET", "/").json() == {"echo": "hello", "seed": 7}
        gateway.seed(8)
        assert client.request("GET", "/").json()["seed"] == 8
    assert gateway.output == f"turnout: listening on {gateway.url}\n"
    assert "GET / HTTP/1.1" in gateway.log()


def test_only_the_answers_that_are_meant_are_changed(tmp_path: Path) -> None:
    change = {"where": {"body": "hello"}, "status": 500, "headers": {"x-more": "1"}, "body": {"hello": "good bye"}}
    with running(tmp_path, change) as gateway:
        answer = call(gateway.url, "GET", "/")
        assert (answer.status, answer.header("x-more"), answer.json()["echo"]) == (500, "1", "good bye")
        assert gateway.advance(250) == 250


def test_requests_are_changed_before_the_gateway_reads_them(tmp_path: Path) -> None:
    with running(tmp_path, {"request": {'"ms": 250': '"ms": 1000'}}) as gateway:
        assert gateway.advance(250) == 1000


def test_nothing_follows_an_answer_after_which_the_connection_is_closed(tmp_path: Path) -> None:
    change = {"where": {"body": "hello"}, "close": True}
    with running(tmp_path, change) as gateway, Connection(gateway.url) as client:
        assert client.request("GET", "/").status == 200
        client.send(b"GET / HTTP/1.1\r\n\r\n")
        assert client.is_closed()


def test_what_the_process_says_is_changed(tmp_path: Path) -> None:
    change = {"output": {"\n": "\nmore\n"}, "log": {"GET": "PUT"}, "exit_code": 0}
    with running(tmp_path, change, exit_code=3) as gateway:
        call(gateway.url, "GET", "/")
    assert gateway.output.endswith("\nmore\n")
    assert "PUT / HTTP/1.1" in gateway.log()


def test_other_commands_run_to_their_end(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text('{"problem": "port: is bad"}')
    stand_in = write_stand_in(tmp_path / "stand-in", FAKE, {"log": {"port": "host"}, "arguments": {"good": "bad"}})
    command = [str(stand_in), "validate", "--config", str(tmp_path / "good.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "host: is bad\n")
