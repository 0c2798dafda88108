"""Encoded streams whose clients are slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.checks import Check
from conformance.client import Connection, call
from conformance.deployments import policies
from conformance.fixtures import GatewayFactory, UpstreamFactory, make_configuration
from conformance.session import CHAT, chat_body, chat_request
from conformance.targets import Target
from conformance.targets.binary import BinaryTarget, write_configuration
from fake_upstreams import Body, Headers, Status, Step, chat
from fake_upstreams.coding import Coding, encoded, header_value
from fake_upstreams.sse import SseStyle

pytestmark = pytest.mark.needs("virtual_time")

TEXT = "x" * 48 * 1024
MIB = 1024 * 1024
WINDOWS: dict[Coding, int] = {"gzip": 32 * 1024, "br": 4 * MIB}
"""How far the senders look back, which a decoder has to hold."""


def sent(coding: Coding, frames: int) -> list[Step]:
    """A whole stream of 48 KiB frames, so small once it is encoded that its upstream is rid of it at once."""
    style = SseStyle()
    start, frame = chat.role().payload(style), chat.content(TEXT).payload(style)
    body = encoded(start + frame * frames + chat.finish().payload(style) + chat.DONE.payload(style), coding)
    assert len(body) < frames * 500
    return [Status(200), Headers({"content-encoding": header_value(coding)}), Body(body, "text/event-stream")]


@pytest.mark.parametrize("coding", WINDOWS)
@pytest.mark.rule("ENC-STREAM-002", "MET-LATENCY-003")
def test_a_client_that_pauses_has_lost_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding
) -> None:
    frames = 1000
    up = upstream(sent(coding, frames))
    gw = gateway(up, routerSettings=policies(stream={"idleMs": 1000}), server={"clientWriteStallMs": 120_000})
    client = gw.begin_chat(stream=True, receive_buffer=4096)
    gw.advance(60_000, until_armed="client_write")
    with check("ENC-STREAM-002"):
        client.set_receive_buffer(4 * MIB)
        client.head()
        texts = [client.event().json()["choices"][0]["delta"]["content"] for _ in range(frames + 1)]
        assert texts == ["", *[TEXT] * frames]
        assert client.rest_of_chunks().endswith(b"data: [DONE]\n\n")
    with check("MET-LATENCY-003"):
        assert gw.deployments()[0]["metrics"]["latency_ms"] == 0


@pytest.mark.needs("cli")
@pytest.mark.parametrize("coding", WINDOWS)
@pytest.mark.rule("ENC-BOUND-003")
def test_a_stream_that_nobody_takes_stays_encoded(
    check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path, coding: Coding
) -> None:
    """An earlier stream of the same frames has had its memory already."""
    assert isinstance(target, BinaryTarget)
    up = upstream(sent(coding, 20), sent(coding, 4300))
    file = str(write_configuration(make_configuration([up], {"port": 0}, {}), tmp_path))
    gateway = target.serve("--config", file, "--test-control")
    assert call(gateway.url, "POST", CHAT, chat_body(stream=True)).status == 200
    before = gateway.resident()
    with Connection(gateway.url, receive_buffer=4096) as client:
        client.send(chat_request(stream=True))
        gateway.advance(0, until_armed="client_write")
        for _ in range(50):
            gateway.advance(0)
        with check("ENC-BOUND-003"):
            assert gateway.resident() - before <= WINDOWS[coding] + 2 * MIB
    gateway.stop()
