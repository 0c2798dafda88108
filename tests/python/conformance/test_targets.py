"""The targets, on a gateway in miniature."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.client import call
from conformance.targets import TargetError, Timer
from conformance.targets.binary import BinaryTarget
from conformance.targets.url import Declaration, UrlTarget
from tests.python.conformance.fake_gateway import State, make_server

FAKE = Path(__file__).with_name("fake_gateway.py")
APPLY = """
import sys, urllib.request
urllib.request.urlopen(urllib.request.Request(sys.argv[1] + "/configure", open(sys.argv[2], "rb").read()))
"""


@pytest.fixture
def binary() -> BinaryTarget:
    return BinaryTarget(FAKE)


def test_binary_starts_with_its_configuration_and_ends_well(binary: BinaryTarget, tmp_path: Path) -> None:
    gateway = binary.start({"echo": "hello"}, tmp_path, seed=7)
    assert call(gateway.url, "GET", "/").json() == {"echo": "hello", "seed": 7}
    assert gateway.timers().of("response") == [Timer("response", "r1", 600_000)]
    assert gateway.advance(250) == 250
    gateway.seed(8)
    assert call(gateway.url, "GET", "/").json()["seed"] == 8
    gateway.stop()
    gateway.stop()
    assert "GET / HTTP/1.1" in gateway.log()


def test_binary_that_ends_badly_is_a_failure(binary: BinaryTarget, tmp_path: Path) -> None:
    gateway = binary.start({"exit_code": 3}, tmp_path)
    gateway.begin_stop()
    with pytest.raises(TargetError, match="ended with code 3"):
        gateway.stop()


def test_binary_that_does_not_start_shows_its_log(binary: BinaryTarget, tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="deployments: at least one is needed"):
        binary.start({"problem": "deployments: at least one is needed"}, tmp_path)


def test_binary_that_is_missing_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="no executable"):
        BinaryTarget(tmp_path / "turnout").start({}, tmp_path)


def test_binary_runs_other_commands(binary: BinaryTarget, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"problem": "x: wrong"}')
    done = binary.run("validate", "--config", str(tmp_path / "bad.json"))
    assert (done.returncode, done.stderr) == (2, "x: wrong\n")


@pytest.fixture
def running_url() -> Iterator[str]:
    server = make_server(State({}))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_url_applies_the_configuration_by_the_declared_command(running_url: str, tmp_path: Path) -> None:
    command = (sys.executable, "-c", APPLY, running_url, "{config}")
    target = UrlTarget(running_url, Declaration(frozenset({"configure", "seed", "lifecycle"}), command))
    assert target.features == {"configure", "seed"}
    gateway = target.start({"echo": "applied"}, tmp_path, seed=3)
    assert call(gateway.url, "GET", "/").json() == {"echo": "applied", "seed": 3}
    gateway.stop()
    assert call(gateway.url, "GET", "/").status == 200


def test_url_whose_command_fails_is_a_failure(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "import sys; sys.exit('refused')")
    target = UrlTarget("http://127.0.0.1:1", Declaration(frozenset({"configure"}), command))
    with pytest.raises(TargetError, match="refused"):
        target.start({}, tmp_path)


@pytest.mark.parametrize("text", ["features: [flying]", "features: [configure]", "apply: [x]", "other: 1", "[]"])
def test_declarations_that_make_no_sense_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "features.yaml"
    file.write_text(text)
    with pytest.raises(TargetError):
        Declaration.read(file)
