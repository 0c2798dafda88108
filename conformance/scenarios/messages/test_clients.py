"""Clients of messages that leave, read slowly or not at all."""

from __future__ import annotations

import pytest

from conformance.anthropic import anthropic, in_order, text_in
from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import ConnectionEnded
from conformance.operation_log import last
from conformance.session import COUNT_TOKENS, messages_body
from fake_upstreams import Pause, Repeated, Step, faults, messages

GONE = ("client closed", "client reset")
TEXT = "x" * 48 * 1024
COUNT = 400
BEGIN = [messages.start(), messages.text_start()]
END = [messages.block_stop(), messages.finish(), messages.STOP]


@pytest.mark.rule("UP-CANCEL-001", "UP-CANCEL-003")
@pytest.mark.parametrize("how", ["close", "reset"])
def test_leaving_a_stream(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, how: str) -> None:
    """Before its head, before commit, and after commit."""
    cases: dict[str, list[Step]] = {
        "before the head": [faults.AcceptThenSilence()],
        "before commit": [*BEGIN, Pause(until="never")],
        "after commit": [*BEGIN, messages.text("a"), Pause(until="never")],
    }
    for case, steps in cases.items():
        first, second = upstream(steps), upstream()
        gw = gateway(*in_order(first, second))
        client = gw.begin_messages(stream=True)
        first.wait_request()
        if case != "before the head":
            first.wait_gate("never")
        if case == "after commit":
            client.head()
        client.close() if how == "close" else client.reset()
        with check("UP-CANCEL-001"):
            assert first.wait_closed() in GONE, case
        gw.stop()
        with check("UP-CANCEL-003"):
            assert second.requests == [], case


@pytest.mark.rule("UP-CANCEL-002", "UP-CANCEL-003")
def test_leaving_before_an_answer_in_json(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for path in ("/v1/messages", COUNT_TOKENS):
        first, second = upstream([faults.AcceptThenSilence()]), upstream()
        gw = gateway(*in_order(first, second))
        client = gw.begin(path, messages_body())
        first.wait_request()
        client.close()
        with check("UP-CANCEL-002"):
            assert first.wait_closed() in GONE, path
        gw.stop()
        with check("UP-CANCEL-003"):
            assert second.requests == [], path


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("UP-FLOW-003")
def test_a_slow_client_gets_everything(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([*BEGIN, Repeated(messages.text(TEXT), COUNT), *END])
    gw = gateway(anthropic(up))
    client = gw.begin_messages(receive_buffer=4096, stream=True)
    gw.advance(0, until_armed="client_write")
    gw.advance(60_000)
    client.set_receive_buffer(4 * 1024 * 1024)
    client.head()
    with check("UP-FLOW-003"):
        texts = [text_in(client.event()) for _ in range(COUNT + 2)]
        assert texts == ["", "", *[TEXT] * COUNT]
        assert client.rest_of_chunks().endswith(b'event: message_stop\ndata: {"type":"message_stop"}\n\n')


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("UP-FLOW-002")
def test_a_client_that_takes_nothing_is_left(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([*BEGIN, Repeated(messages.text(TEXT), COUNT), *END])
    gw = gateway(anthropic(up), server={"clientWriteStallMs": 120_000})
    client = gw.begin_messages(receive_buffer=4096, stream=True)
    gw.advance(0, until_armed="client_write")
    gw.advance(119_999)
    with check("UP-FLOW-002"):
        assert up.open_connections == 1
    gw.advance(1)
    with check("UP-FLOW-002"):
        assert up.wait_closed() in GONE
        assert last(gw)["outcome"] == "cancelled"
    with pytest.raises((ConnectionEnded, ConnectionResetError)):
        client.response()
