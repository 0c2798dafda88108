"""A stop lets requests in flight finish, and waits for nothing else."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import Connection
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import ConnectionEnded
from conformance.session import contents
from fake_upstreams import Pause, chat

pytestmark = pytest.mark.needs("lifecycle")


@pytest.mark.needs("cli")
@pytest.mark.rule("LIFE-STOP-001", "LIFE-STOP-002", "LIFE-STOP-004", "LIFE-STOP-005")
def test_requests_in_flight_are_finished(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """One JSON request and one stream; time stands still, so nothing ends because the grace is over."""
    json_up = upstream([Pause(until="json"), chat.completion("a")])
    stream_up = upstream([chat.role(), chat.content("b"), Pause(until="stream"), chat.content("c"), chat.finish()])
    gw = gateway(json_up, {**as_other(stream_up.base_url)})
    idle = gw.connect()
    assert idle.request("GET", "/health/live").status == 200
    json_client, stream_client = gw.begin_chat(), gw.begin_chat(stream=True, model="other")
    json_up.wait_gate("json")
    stream_up.wait_gate("stream")
    gw.begin_stop()
    with check("LIFE-STOP-005"):
        assert idle.is_closed()
    with check("LIFE-STOP-001"):
        assert refuses(gw.url)
    json_up.release("json")
    stream_up.release("stream")
    with check("LIFE-STOP-002"):
        assert json_client.response().status == 200
        answer = stream_client.response()
        assert contents(answer) == "bc"
        assert answer.events[-1].is_done
    for client in (json_client, stream_client):
        client.close()
    with check("LIFE-STOP-004"):
        gw.stop()


@pytest.mark.needs("cli", "virtual_time")
@pytest.mark.rule("LIFE-STOP-003", "LIFE-STOP-004")
def test_the_grace_has_an_end(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Real time here: a gateway that stops accepts no calls that could move its clock."""
    up = upstream([chat.role(), chat.content("a"), Pause(until="never")])
    gw = gateway(up, server={"shutdownGraceMs": 50}, test_control=False)
    client = gw.begin_chat(stream=True)
    client.head()
    up.wait_gate("never")
    gw.begin_stop()
    with check("LIFE-STOP-003"):
        assert ended_short(client)
        assert up.wait_closed() in ("client closed", "client reset")
    with check("LIFE-STOP-004"):
        gw.stop()


@pytest.mark.rule("LIFE-STOP-006")
def test_what_the_grace_did_not_suffice_for_is_answered(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """As long as nothing of an answer was sent; after that the stream ends with the error. Real time, as above."""
    up = upstream(
        [Pause(until="never")],
        [chat.role(), Pause(until="never")],
        [chat.role(), chat.content("a"), Pause(until="never")],
    )
    gw = gateway(up, server={"shutdownGraceMs": 50}, test_control=False)
    silent = gw.begin_chat()
    up.wait_request(1)
    held = gw.begin_chat(stream=True)
    up.wait_request(2)
    committed = gw.begin_chat(stream=True)
    committed.head()
    gw.begin_stop()
    for client in (silent, held):
        with check("LIFE-STOP-006"):
            answer = client.response()
            assert answer.status == 503
            assert answer.error()["code"] == "shutting_down"
            assert int(answer.header("retry-after") or 0) >= 1
    with check("LIFE-STOP-006"):
        assert b"shutting_down" in committed.rest_of_chunks()
    gw.stop()


@pytest.mark.needs("cli", "log")
@pytest.mark.rule("LIFE-STOP-007")
def test_what_is_cut_off_is_logged_as_such(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([Pause(until="never")])
    gw = gateway(up, server={"shutdownGraceMs": 0}, test_control=False)
    client = gw.begin_chat([("x-request-id", "cut-off")])
    up.wait_request()
    gw.begin_stop()
    with check("LIFE-STOP-007"):
        assert client.response().status == 503
    gw.stop()
    with check("LIFE-STOP-007"):
        (line,) = (line for line in gw.log().splitlines() if "cut-off" in line)
        assert "status=503" in line


@pytest.mark.needs("cli")
@pytest.mark.rule("LIFE-STOP-008")
def test_a_second_signal_ends_the_grace(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The grace is longer than a target waits for the end of its process."""
    up = upstream([Pause(until="never")])
    gw = gateway(up, server={"shutdownGraceMs": 600_000}, test_control=False)
    client = gw.begin_chat()
    up.wait_request()
    gw.begin_stop()
    while not refuses(gw.url):
        pass
    gw.stop()
    with check("LIFE-STOP-008"):
        assert client.response().status == 503


def as_other(base_url: str) -> dict[str, object]:
    """A deployment of the public model `other`."""
    credentials = {"baseUrl": base_url}
    return {"publicModel": "other", "adapterKey": "openaicompatible", "upstreamModel": "m", "credentials": credentials}


def refuses(url: str) -> bool:
    """Whether nothing accepts connections at `url`."""
    try:
        with Connection(url) as late:
            return late.is_closed()
    except ConnectionError:
        return True


def ended_short(client: Connection) -> bool:
    """Whether the body ends, with an error in it or without its end."""
    try:
        return b'"error"' in client.rest_of_chunks()
    except (ConnectionEnded, ConnectionResetError):
        return True
