"""Many clients that ask for streams and take nothing of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from conformance.checks import Check
from conformance.client import Connection
from conformance.contracts import ask, good_answer
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory, make_configuration
from conformance.session import ANTHROPIC, CHAT, RESPONSES, Session, chat_body, messages_body, responses_body
from conformance.targets import Target
from conformance.targets.binary import BinaryTarget
from fake_upstreams import Body, Headers, Status, Step, UpstreamHandle, chat, messages, reply, responses
from fake_upstreams.coding import encoded, header_value
from fake_upstreams.sse import SseStyle

pytestmark = pytest.mark.needs("virtual_time")

EACH = 34
STALLED = 3 * EACH
OTHERS = 10
TEXT = "x" * 48 * 1024
FRAMES = 200
"""More than the sockets on the way to a client take."""
TRANSPORTS = {"text.generate": ["chat", "messages", "responses"]}
BODIES = {CHAT: chat_body, ANTHROPIC: messages_body, RESPONSES: responses_body}
MIB = 1024 * 1024


def stream(path: str, frames: int) -> list[Step]:
    """A whole answer to a client of this path, so small while it is encoded that its upstream is rid of it at once."""
    text = {CHAT: chat.content, ANTHROPIC: messages.text, RESPONSES: responses.text}[path](TEXT)
    ends: Mapping[str, tuple[Sequence[Step], Sequence[Step]]] = {
        CHAT: ([chat.role()], [chat.finish(), chat.DONE]),
        ANTHROPIC: (
            [messages.start(), messages.text_start()],
            [messages.block_stop(), messages.finish(), messages.STOP],
        ),
        RESPONSES: (responses.began(), [responses.completed()]),
    }
    begin, end = ends[path]
    style = SseStyle()
    body = b"".join(step.payload(style) for step in (*begin, *[text] * frames, *end))
    coded = Body(encoded(body, "gzip"), "text/event-stream")
    return [Status(200), Headers({"content-encoding": header_value("gzip")}), coded]


def begin_stalled(gw: Session) -> Sequence[Connection]:
    """Clients of every contract, of which each has asked, and has room for no more than its stream's first bytes."""
    clients = [
        gw.begin(path, body(model=path, stream=True), receive_buffer=4096)
        for path, body in BODIES.items()
        for _ in range(EACH)
    ]
    _until(gw, lambda: len(gw.timers().of("client_write")) == STALLED)
    return clients


def _until(gw: Session, holds: Callable[[], bool]) -> None:
    for _ in range(2000):
        if holds():
            return
        gw.advance(0)
    raise AssertionError("it does not come to that")


@pytest.mark.rule("HTTP-STALL-001", "HTTP-STALL-002")
def test_clients_that_take_nothing_are_no_matter_to_others(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    floods = [upstream(reply(stream(path, FRAMES), times=EACH)) for path in BODIES]
    answers = [answer for path in BODIES for answer in (good_answer(path), stream(path, 1))]
    other = upstream(*[answer for _ in range(OTHERS) for answer in answers])
    gw = gateway(*serving(floods), deployment(other, transportOverrides=TRANSPORTS))
    clients = begin_stalled(gw)
    with check("HTTP-STALL-001"):
        assert in_flight(gw) == [EACH] * 3
        for _ in range(OTHERS):
            for path, body in BODIES.items():
                assert ask(gw, path).status == 200
                whole = gw.post(body(stream=True), path=path)
                assert (whole.status, whole.body.count(TEXT.encode())) == (200, 1)
        assert in_flight(gw) == [EACH] * 3
    for client in clients:
        client.close()
    with check("HTTP-STALL-002"):
        _until(gw, lambda: in_flight(gw) == [0] * 3)
        assert gw.timers().of("client_write") == []


@pytest.mark.needs("cli")
@pytest.mark.rule("HTTP-MEM-005")
def test_clients_that_take_nothing_cost_little(
    check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path
) -> None:
    """An earlier stream of the same frames has had its memory already."""
    assert isinstance(target, BinaryTarget)
    floods = [upstream(stream(path, 20), reply(stream(path, FRAMES), times=EACH)) for path in BODIES]
    running = target.start(make_configuration(serving(floods), {}, {}), tmp_path)
    gw = Session(running)
    for path, body in BODIES.items():
        assert gw.post(body(model=path, stream=True), path=path).status == 200
    before = running.resident()
    begin_stalled(gw)
    with check("HTTP-MEM-005"):
        assert running.resident() - before <= STALLED * MIB * 3 / 4
    gw.end()


def serving(floods: Sequence[UpstreamHandle]) -> list[dict[str, object]]:
    """A public model for each contract, named after its path."""
    return [
        deployment(flood, publicModel=path, transportOverrides=TRANSPORTS)
        for path, flood in zip(BODIES, floods, strict=True)
    ]


def in_flight(gw: Session) -> list[int]:
    return [gw.deployments(path)[0]["metrics"]["inflight"] for path in BODIES]
