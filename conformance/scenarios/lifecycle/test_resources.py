"""What the process takes from the system: descriptors, and memory."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from conformance.checks import Check
from conformance.client import Connection, call
from conformance.fixtures import UpstreamFactory, make_configuration
from conformance.session import CHAT, chat_body, chat_request
from conformance.targets import Target
from conformance.targets.binary import BinaryTarget, write_configuration
from fake_upstreams import Repeated, chat

pytestmark = pytest.mark.needs("cli")

TEXT = "x" * 48 * 1024
FRAMES = 4300
QUIET = 50
"""So many looks in a row at which nothing had moved count as the end of all movement."""
MIB = 1024 * 1024


@pytest.mark.rule("LIFE-LIMIT-001", "LIFE-LIMIT-002")
def test_descriptors(check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path) -> None:
    assert isinstance(target, BinaryTarget)
    for most, warned in ((100, False), (1000, True)):
        server = {"port": 0, "workers": 1, "maxConnections": most}
        file = str(write_configuration(make_configuration([upstream()], server, {}), tmp_path))
        gateway = target.serve("--config", file, descriptors=(256, 1024))
        with check("LIFE-LIMIT-001"):
            assert resource.prlimit(gateway.process_id, resource.RLIMIT_NOFILE) == (1024, 1024)
        gateway.stop()
        with check("LIFE-LIMIT-002"):
            said = [line for line in gateway.log().splitlines() if "server.maxConnections 1000" in line]
            assert len(said) == warned
            assert all("1024 open descriptors" in line for line in said)


@pytest.mark.rule("LIFE-LIMIT-002", "LIFE-LIMIT-003")
def test_few_descriptors(check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path) -> None:
    assert isinstance(target, BinaryTarget)
    configuration = make_configuration([upstream(chat.completion("a"))], {"port": 0, "workers": 1}, {})
    file = str(write_configuration(configuration, tmp_path))
    gateway = target.serve("--config", file, descriptors=(200, 200))
    with check("LIFE-LIMIT-002"):
        assert call(gateway.url, "POST", CHAT, chat_body()).status == 200
        gateway.stop()
        assert "the limit of 200 open descriptors is low" in gateway.log()
    with check("LIFE-LIMIT-003"):
        done = target.run("serve", "--config", file, descriptors=(12, 12))
        assert done.returncode != 0
        assert done.stderr == "turnout: the limit of 12 open descriptors is too low to serve anybody (ulimit -n)\n"


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("HTTP-MEM-004")
def test_a_stream_that_nobody_takes_costs_little(
    check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path
) -> None:
    """An earlier stream of the same frames has had its memory already."""
    assert isinstance(target, BinaryTarget)
    short = upstream([chat.role(), Repeated(chat.content(TEXT), 20), chat.finish(), chat.DONE], name="short")
    long = upstream([chat.role(), Repeated(chat.content(TEXT), FRAMES), chat.finish(), chat.DONE], name="long")
    configuration = make_configuration([short, as_other(long.base_url)], {"port": 0}, {})
    file = str(write_configuration(configuration, tmp_path))
    gateway = target.serve("--config", file, "--test-control")
    assert call(gateway.url, "POST", CHAT, chat_body(stream=True)).status == 200
    before = gateway.resident()
    with Connection(gateway.url, receive_buffer=4096) as client:
        client.send(chat_request(model="other", stream=True))
        gateway.advance(0, until_armed="client_write")
        sent, quiet = -1, 0
        while quiet < QUIET:
            gateway.advance(0)
            now = long.sent(1)
            quiet = quiet + 1 if now == sent else 0
            sent = now
        with check("HTTP-MEM-004"):
            assert sent < FRAMES * len(TEXT) / 2
            assert gateway.resident() - before <= MIB
    gateway.stop()


def as_other(base_url: str) -> dict[str, object]:
    """A deployment of the public model `other`."""
    credentials = {"baseUrl": base_url}
    return {"publicModel": "other", "adapterKey": "openaicompatible", "upstreamModel": "m", "credentials": credentials}
