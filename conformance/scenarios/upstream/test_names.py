"""How the names of upstreams become addresses, and which address is used."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, Deployment, deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import FakeDns, Headers, RawUpstream, Records, ReplyLike, UpstreamHandle, chat, reply

pytestmark = pytest.mark.needs("virtual_time")

NAME = "up.test"
NOBODY = "127.0.0.2"
"""A loopback address on which no upstream listens."""


def named(up: UpstreamHandle, name: str = NAME, **settings: Any) -> Deployment:
    """A deployment that knows its upstream by name."""
    return deployment(up, credentials={"baseUrl": f"http://{name}:{up.port}/v1"}, **settings)


def network(*servers: FakeDns, **more: Any) -> dict[str, Any]:
    return {"dnsServers": [server.address for server in servers], **more}


def once(content: str = "a") -> ReplyLike:
    """An answer after which the connection closes, so that the next attempt needs a new one."""
    return reply(Headers({"Connection": "close"}), chat.completion(content))


@contextmanager
def black_hole(port: int) -> Iterator[None]:
    """Takes connections to NOBODY at this port and never completes them: the queue of those to accept is full."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((NOBODY, port))
        listening.listen(0)
        with socket.create_connection((NOBODY, port)):
            yield


@pytest.mark.rule("UP-NAME-001", "UP-NAME-002")
def test_addresses_are_kept_for_their_ttl(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(once(), once(), once())
    with FakeDns({NAME: Records(["127.0.0.1"], ttl=10)}) as dns:
        gw = gateway(named(up), network=network(dns))
        with check("UP-NAME-001"):
            assert gw.chat().status == 200
            assert dns.questions == [NAME, NAME]
        gw.advance(9_999)
        with check("UP-NAME-002"):
            assert gw.chat().status == 200
            assert len(dns.questions) == 2
        gw.advance(1)
        with check("UP-NAME-002"):
            assert gw.chat().status == 200
            assert len(dns.questions) == 4


@pytest.mark.rule("UP-NAME-003")
def test_a_name_that_does_not_exist_is_a_transient_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first, second = upstream(), upstream(chat.completion("b"))
    with FakeDns() as dns:
        lost, found = in_order(first, second)
        gw = gateway({**lost, "credentials": {"baseUrl": "http://nowhere.test/v1"}}, found, network=network(dns))
        answer = gw.chat([("x-unified-routing-metadata", "true")])
    with check("UP-NAME-003"):
        assert answer.status == 200
        attempts = answer.json()["unified_routing"]["attempts"]
        assert [attempt.get("error_class") for attempt in attempts] == ["transient", None]


@pytest.mark.needs("log")
@pytest.mark.rule("UP-NAME-006")
def test_the_log_says_why_an_upstream_was_not_reached(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    refusing = upstream({"fault": "refuse"}, strict=False)
    with FakeDns() as dns:
        nowhere = named(refusing, "nowhere.test", label="nowhere")
        gw = gateway(nowhere, routerSettings=ONE_ATTEMPT, network=network(dns))
        assert gw.chat().status == 502
        gw.stop()
    with check("UP-NAME-006"):
        assert "ms: the host name was not resolved: it does not exist" in gw.log()
    gw = gateway(refusing, routerSettings=ONE_ATTEMPT)
    assert gw.chat().status == 502
    gw.stop()
    with check("UP-NAME-006"):
        assert "ms: the connection failed: Connection refused" in gw.log()


@pytest.mark.rule("UP-NAME-004")
def test_a_silent_dns_server_is_followed_by_the_next(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.completion("a"))
    with FakeDns({NAME: "silence"}) as silent, FakeDns({NAME: Records(["127.0.0.1"])}) as talking:
        gw = gateway(named(up), network=network(silent, talking))
        client = gw.begin_chat()
        silent.wait_questions(2)
        gw.advance(1_999, until_armed="resolve")
        with check("UP-NAME-004"):
            assert talking.questions == []
        gw.advance(1)
        with check("UP-NAME-004"):
            assert client.response().status == 200
            assert len(talking.questions) == 2


@pytest.mark.rule("UP-NAME-004")
def test_a_dns_server_that_fails_is_followed_by_the_next_at_once(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.completion("a"))
    with FakeDns({NAME: "failure"}) as failing, FakeDns({NAME: Records(["127.0.0.1"])}) as talking:
        gw = gateway(named(up), network=network(failing, talking))
        with check("UP-NAME-004"):
            assert gw.chat().status == 200


@pytest.mark.rule("UP-NAME-005")
def test_the_hosts_file_comes_first(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text(f"127.0.0.1 {NAME}\n")
    monkeypatch.setenv("CARES_HOSTS", str(hosts))
    up = upstream(chat.completion("a"))
    with FakeDns() as dns:
        gw = gateway(named(up), network=network(dns))
        with check("UP-NAME-005"):
            assert gw.chat().status == 200
            assert dns.questions == []


@pytest.mark.rule("UP-NAME-007")
def test_a_lookup_that_nobody_answers_does_not_hold_up_the_stop(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    with FakeDns({NAME: "silence"}) as dns:
        gw = gateway(named(up), network=network(dns), server={"shutdownGraceMs": 0})
        client = gw.begin_chat()
        dns.wait_questions(2)
        with check("UP-NAME-007"):
            gw.stop()
            assert client.response().error()["code"] == "shutting_down"
            assert client.is_closed()


@pytest.mark.rule("UP-ADDR-001")
def test_an_address_that_refuses_is_followed_by_the_next(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.completion("a"))
    with FakeDns({NAME: Records([NOBODY, "127.0.0.3", "127.0.0.1"])}) as dns:
        gw = gateway(named(up), network=network(dns))
        answer = gw.chat([("x-unified-routing-metadata", "true")])
        with check("UP-ADDR-001"):
            assert answer.status == 200
            assert answer.json()["unified_routing"]["attempt_count"] == 1


@pytest.mark.rule("UP-ADDR-002", "UP-ADDR-003")
def test_an_address_that_is_silent_is_followed_by_the_next_after_connect_ms(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """And the one that served is asked first from then on, also after its record has expired."""
    up = upstream(once(), once(), once())
    records = Records([NOBODY, "127.0.0.1"], ttl=60)
    with FakeDns({NAME: records}) as dns, black_hole(up.port):
        gw = gateway(named(up), network=network(dns, connectMs=300))
        client = gw.begin_chat()
        gw.advance(299, until_armed="connect")
        with check("UP-ADDR-002"):
            assert client.pending() == b""
            assert up.connections == 0
        gw.advance(1)
        with check("UP-ADDR-002"):
            assert client.response().status == 200
        with check("UP-ADDR-003"):
            assert gw.chat().status == 200
        gw.advance(60_000)
        with check("UP-ADDR-003"):
            assert gw.chat().status == 200
            assert len(dns.questions) == 4


@pytest.mark.rule("UP-ADDR-002")
def test_a_handshake_that_does_not_end_has_connect_ms(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    def listen(client: socket.socket) -> None:
        while client.recv(65536):
            pass

    usual, second = upstream(), upstream(chat.completion("b"))
    with RawUpstream(listen) as silent:
        first, last = in_order(usual, second)
        first = {**first, "credentials": {"baseUrl": f"https://127.0.0.1:{silent.port}/v1"}}
        gw = gateway(first, last, network={"connectMs": 400})
        client = gw.begin_chat()
        gw.advance(399, until_armed="connect")
        with check("UP-ADDR-002"):
            assert second.requests == []
        gw.advance(1)
        with check("UP-ADDR-002"):
            assert client.response().status == 200
        gw.end()


@pytest.mark.rule("UP-ADDR-004")
def test_when_all_addresses_fail_the_attempt_fails_once(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first, second = upstream(), upstream(chat.completion("b"))
    with FakeDns({NAME: Records([NOBODY, "127.0.0.3"])}) as dns:
        lost, found = in_order(first, second)
        lost = {**lost, "credentials": {"baseUrl": f"http://{NAME}:{first.port}/v1"}}
        answer = gateway(lost, found, network=network(dns)).chat([("x-unified-routing-metadata", "true")])
    with check("UP-ADDR-004"):
        assert answer.status == 200
        attempts = answer.json()["unified_routing"]["attempts"]
        assert [attempt.get("error_class") for attempt in attempts] == ["transient", None]


@pytest.mark.rule("UP-ADDR-005")
def test_connecting_lies_within_response_ms(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream()
    with FakeDns({NAME: Records([NOBODY])}) as dns, black_hole(up.port):
        gw = gateway(
            named(up, executionPolicyOverrides={"all": {"responseMs": 200}}),
            routerSettings=ONE_ATTEMPT,
            network=network(dns, connectMs=201),
        )
        client = gw.begin_chat()
        gw.advance(199, until_armed="connect")
        with check("UP-ADDR-005"):
            assert client.pending() == b""
        gw.advance(1)
        with check("UP-ADDR-005"):
            assert client.response().status == 504


@pytest.mark.rule("UP-ADDR-006", "CFG-HOST-001")
def test_both_sides_speak_ipv6(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """As a literal in the base URL, and by name, where an address of IPv4 is refused."""
    up = upstream(once("a"), once("b"), host="::1")
    with FakeDns({NAME: Records(["127.0.0.1", "::1"])}) as dns:
        gw = gateway(up, server={"host": "::1"})
        with check("CFG-HOST-001"):
            assert gw.url.startswith("http://[::1]:")
        with check("UP-ADDR-006"):
            answer = gw.chat()
            assert answer.status == 200
            assert up.requests[0].headers["host"] == f"[::1]:{up.port}"
        gw = gateway(named(up), network=network(dns))
        with check("UP-ADDR-006"):
            assert gw.chat().status == 200
