"""The server as a process: start, log, signals."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from conformance.checks import Check
from conformance.client import call
from conformance.deployments import ONE_ATTEMPT, deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory, make_configuration
from conformance.session import CHAT, chat_body
from conformance.targets import Target
from conformance.targets.base import TargetError, address
from conformance.targets.binary import BinaryGateway, BinaryTarget, write_configuration
from fake_upstreams import Pause, chat

pytestmark = pytest.mark.needs("cli")


def file_for(upstream: UpstreamFactory, directory: Path, port: int) -> str:
    up = upstream(chat.completion("a"))
    return str(write_configuration(make_configuration([up], {"port": port}, {}), directory))


@pytest.mark.rule("LIFE-START-001", "LIFE-START-002", "LIFE-STOP-004", "LIFE-LOG-002")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_one_line_says_where_it_listens(
    check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path, by: signal.Signals
) -> None:
    assert isinstance(target, BinaryTarget)
    gateway = target.serve("--config", file_for(upstream, tmp_path, port=0))
    with check("LIFE-START-001"):
        assert call(gateway.url, "POST", CHAT, chat_body()).status == 200
    with check("LIFE-START-002"):
        assert address(gateway.url)[1] > 0
    with check("LIFE-STOP-004"):
        gateway.stop_by(by)
    with check("LIFE-LOG-002"):
        assert gateway.output == f"turnout: listening on {gateway.url}\n"


def survives_hangup(gateway: BinaryGateway) -> bool:
    try:
        gateway.hang_up("without server.tls there is no certificate")
    except TargetError:
        return False
    return True


@pytest.mark.rule("LIFE-HUP-001")
def test_a_hangup_ends_nothing(check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path) -> None:
    assert isinstance(target, BinaryTarget)
    gateway = target.serve("--config", file_for(upstream, tmp_path, port=0))
    with check("LIFE-HUP-001"):
        assert survives_hangup(gateway)
        assert call(gateway.url, "POST", CHAT, chat_body()).status == 200
    gateway.stop()


@pytest.mark.rule("LIFE-START-003")
def test_options_override_the_file(check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path) -> None:
    """The file's port is taken by somebody else, so only the option can have been used."""
    assert isinstance(target, BinaryTarget)
    taken = upstream(name="taken")
    file = file_for(upstream, tmp_path, port=taken.port)
    gateway = target.serve("--config", file, "--host", "127.0.0.2", "--port", "0", "--workers", "2")
    with check("LIFE-START-003"):
        host, port = address(gateway.url)
        assert host == "127.0.0.2"
        assert port != taken.port
        assert call(gateway.url, "POST", CHAT, chat_body()).status == 200
    gateway.stop()


@pytest.mark.rule("LIFE-CLI-001")
def test_the_version(check: Check, target: Target) -> None:
    assert isinstance(target, BinaryTarget)
    done = target.run("--version")
    with check("LIFE-CLI-001"):
        assert done.returncode == 0
        assert done.stdout.strip() != ""
        assert any(character.isdigit() for character in done.stdout)


@pytest.mark.rule("CTL-GUARD-002")
def test_test_control_stays_on_the_machine(
    check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path
) -> None:
    assert isinstance(target, BinaryTarget)
    server = {"port": 0, "host": "0.0.0.0", "masterKey": "k"}
    file = write_configuration(make_configuration([upstream()], server, {}), tmp_path)
    done = target.run("serve", "--config", str(file), "--test-control")
    with check("CTL-GUARD-002"):
        assert done.returncode != 0
        assert done.stdout == ""
        assert "test-control" in done.stderr


@pytest.mark.rule("LIFE-LOG-001", "LIFE-LOG-002")
def test_each_request_is_logged_once(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Served as JSON and as a stream, failed, and left by its client."""
    left = [Pause(until="never")]
    up = upstream(chat.completion("a"), chat.stream("a"), chat.failure(500), left)
    gw = gateway(deployment(up), routerSettings=ONE_ATTEMPT)
    gw.chat([("x-request-id", "served-json")])
    gw.chat([("x-request-id", "served-stream")], stream=True)
    gw.chat([("x-request-id", "failed")])
    client = gw.begin_chat([("x-request-id", "left")])
    up.wait_gate("never")
    client.close()
    up.wait_closed(up.requests[-1].connection)
    gw.stop()
    for name in ("served-json", "served-stream", "failed", "left"):
        with check("LIFE-LOG-001"):
            assert sum(name in line for line in gw.log().splitlines()) == 1, name
    with check("LIFE-LOG-002"):
        assert gw.log().count("listening on") <= 1


@pytest.mark.rule("LIFE-LOG-003")
def test_the_line_says_what_happened(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """One attempt fails with 503, the next is served without an end marker."""
    first, second = upstream(chat.failure(503)), upstream([chat.role(), chat.content("a"), chat.finish()])
    gw = gateway(*in_order(first, second))
    gw.chat([("x-request-id", "watched")], stream=True)
    gw.stop()
    (line,) = (line for line in gw.log().splitlines() if "watched" in line)
    with check("LIFE-LOG-003"):
        for word in ("200", "transient", "503", "missing_done"):
            assert word in line
