"""Where rows are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.checks import Check
from conformance.client import call
from conformance.fixtures import UpstreamFactory, make_configuration
from conformance.operation_log import LOGS
from conformance.session import CHAT, chat_body
from conformance.targets import Target
from conformance.targets.binary import BinaryTarget, write_configuration
from fake_upstreams import chat, reply

pytestmark = pytest.mark.needs("cli")


def file_for(upstream: UpstreamFactory, directory: Path) -> str:
    up = upstream(reply(chat.completion("a"), times=None))
    return str(write_configuration(make_configuration([up], {}, {}), directory))


@pytest.mark.rule("LOG-KEEP-005", "LOG-KEEP-006")
def test_restarts(check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path) -> None:
    assert isinstance(target, BinaryTarget)
    file, data = file_for(upstream, tmp_path), tmp_path / "a" / "data"
    ids: list[str] = []
    for number in (1, 2):
        gateway = target.serve("--config", file, "--port", "0", "--data", str(data))
        with check("LOG-KEEP-005"):
            assert call(gateway.url, "POST", CHAT, chat_body()).status == 200
            listed = call(gateway.url, "GET", LOGS).json()["data"]
            assert len(listed) == number
            assert [row["id"] for row in listed][1:] == ids
            ids = [row["id"] for row in listed]
        gateway.stop()
    with check("LOG-KEEP-005"):
        assert (data / "log.db").stat().st_mode & 0o777 == 0o600
        assert data.stat().st_mode & 0o777 == 0o700
    with check("LOG-KEEP-006"):
        memory = target.serve("--config", file, "--port", "0", "--no-data")
        assert call(memory.url, "POST", CHAT, chat_body()).status == 200
        listed = call(memory.url, "GET", LOGS).json()["data"]
        assert len(listed) == 1
        assert listed[0]["id"] not in ids
        memory.stop()


@pytest.mark.rule("LOG-KEEP-007")
def test_files_that_are_no_log(check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path) -> None:
    assert isinstance(target, BinaryTarget)
    file = str(write_configuration(make_configuration([upstream()], {}, {}), tmp_path))
    bad = tmp_path / "log.db"
    bad.write_bytes(b"not a database, however long it is " * 10)
    with check("LOG-KEEP-007"):
        done = target.run("serve", "--config", file, "--port", "0", "--data", str(tmp_path))
        assert done.returncode == 1
        assert str(bad) in done.stderr
        assert bad.read_bytes().startswith(b"not a database")
