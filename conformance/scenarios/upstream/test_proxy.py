"""Upstreams behind an HTTP proxy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, Deployment, deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.targets import Target
from fake_upstreams import FakeDns, FakeProxy, UpstreamHandle, chat

REFUSALS = {
    "credentials": (b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", "it answered 407"),
    "no way": (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno", "it answered 502"),
    "garbage": (b"\x16\x03\x01 this is no HTTP\r\n\r\n", "is no HTTP"),
    "close": (b"", "closed the connection before it answered"),
    "half a head": (b"HTTP/1.1 200 OK\r\nVia: 1.1", "closed the connection before it answered"),
    "early bytes": (b"HTTP/1.1 200 OK\r\n\r\nhello", "sent bytes before"),
}


def trusted(up: UpstreamHandle, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Deployment:
    """A deployment on `up` by the name localhost, whose certificate the gateway trusts."""
    monkeypatch.setenv("SSL_CERT_FILE", str(up.ca_file))
    return deployment(up, credentials={"baseUrl": f"https://localhost:{up.port}/v1"}, **settings)


@pytest.mark.needs("lifecycle")
@pytest.mark.rule("UP-PROXY-001", "UP-PROXY-002")
def test_upstreams_with_tls_are_reached_through_the_proxy(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection through the tunnel is used again."""
    up = upstream(chat.completion("a"), chat.completion("b"), tls=True)
    with FakeProxy(up.port) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://us%65r:p%40ss@127.0.0.1:{proxy.port}/")
        gw = gateway(trusted(up, monkeypatch))
        answers = [gw.chat(), gw.chat()]
        with check("UP-PROXY-001"):
            assert [answer.status for answer in answers] == [200, 200]
            assert len(proxy.heads) == 1
            assert proxy.heads[0].startswith(f"CONNECT localhost:{up.port} HTTP/1.1\r\n")
            assert up.connections == 1
        with check("UP-PROXY-002"):
            assert "\r\nproxy-authorization: Basic dXNlcjpwQHNz\r\n" in proxy.heads[0]
            assert "proxy-authorization" not in up.requests[0].headers
        gw.end()


@pytest.mark.needs("lifecycle")
@pytest.mark.rule("UP-PROXY-001")
def test_the_proxy_resolves_the_name(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of the upstream leads to the proxy alone; that of the proxy is looked up here."""
    up = upstream(tls=True)
    with FakeDns() as dns, FakeProxy(up.port) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://localhost:{proxy.port}")
        hidden = deployment(up, credentials={"baseUrl": "https://only.the.proxy.test/v1"})
        gw = gateway(hidden, routerSettings=ONE_ATTEMPT, network={"dnsServers": [dns.address]})
        assert gw.chat().status == 502  # the certificate is for another name
        with check("UP-PROXY-001"):
            assert proxy.heads[0].startswith("CONNECT only.the.proxy.test:443 HTTP/1.1\r\n")
            assert dns.questions == []
        gw.end()


@pytest.mark.needs("lifecycle")
@pytest.mark.rule("UP-PROXY-003", "UP-PROXY-004")
def test_some_upstreams_are_reached_without_it(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProxy(refusal=b"HTTP/1.1 503 Unavailable\r\n\r\n") as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        for value in ("*", "other.test, LOCALHOST", ".localhost,other.test"):
            monkeypatch.setenv("no_proxy", value)
            up = upstream(chat.completion("a"), tls=True)
            gw = gateway(trusted(up, monkeypatch))
            with check("UP-PROXY-003"):
                assert gw.chat().status == 200, value
        monkeypatch.setenv("no_proxy", "calhost,localhost:1,other.test")
        up = upstream(tls=True)
        with check("UP-PROXY-003"):
            assert proxy.heads == []
            assert gateway(trusted(up, monkeypatch), routerSettings=ONE_ATTEMPT).chat().status == 502
            assert len(proxy.heads) == 1
        monkeypatch.delenv("no_proxy")
        plain, tls = upstream(chat.completion("a")), upstream(tls=True)
        first, second = in_order(plain, tls)
        with check("UP-PROXY-004"):
            assert gateway(first, second).chat().status == 200
            assert len(proxy.heads) == 1


@pytest.mark.needs("lifecycle")
@pytest.mark.rule("UP-PROXY-005", "UP-PROXY-002")
def test_a_refused_tunnel_is_a_transient_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, monkeypatch: pytest.MonkeyPatch, target: Target
) -> None:
    for case, (refusal, words) in REFUSALS.items():
        first, second = upstream(tls=True), upstream(chat.completion("b"))
        with FakeProxy(refusal=refusal) as proxy:
            monkeypatch.setenv("HTTPS_PROXY", f"http://user:hunter2@127.0.0.1:{proxy.port}")
            gw = gateway(*in_order(first, second))
            answer = gw.chat([("x-unified-routing-metadata", "true")])
            gw.stop()
        with check("UP-PROXY-005"):
            assert answer.status == 200, case
            attempts = answer.json()["unified_routing"]["attempts"]
            assert [attempt.get("error_class") for attempt in attempts] == ["transient", None], case
        told = gw.log() if "log" in target.features else None
        with check("UP-PROXY-005"):
            assert told is None or words in told, case
        with check("UP-PROXY-002"):
            assert b"hunter2" not in answer.body
            assert told is None or "hunter2" not in told


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("UP-PROXY-006")
def test_a_silent_proxy_has_connect_ms(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the connection, the tunnel and the handshake together."""
    first, second = upstream(tls=True), upstream(chat.completion("b"))
    with FakeProxy(refusal=b"HTTP/1.1 100 Continue\r\n\r\n", close=False) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        gw = gateway(*in_order(first, second), network={"connectMs": 400})
        client = gw.begin_chat()
        proxy.wait_head()
        gw.advance(399, until_armed="connect")
        with check("UP-PROXY-006"):
            assert second.requests == []
        gw.advance(1)
        with check("UP-PROXY-006"):
            assert client.response().status == 200
        gw.end()


@pytest.mark.needs("validate")
@pytest.mark.rule("CFG-PROXY-001")
def test_a_proxy_that_cannot_be_used_is_a_problem(
    check: Check, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = {"publicModel": "gpt", "adapterKey": "openaicompatible", "upstreamModel": "m"}
    tls, plain = (
        {"deployments": [{**usual, "credentials": {"baseUrl": url}}]} for url in ("https://h/v1", "http://h/v1")
    )
    for name in ("HTTPS_PROXY", "https_proxy"):
        for value in ("https://u:hunter2@h:1", "socks5://u:hunter2@h", "http://u:hunter2@h:0", "http://u:hunter2@h/x"):
            monkeypatch.setenv(name, value)
            problems = target.problems(tls, tmp_path)
            with check("CFG-PROXY-001"):
                assert [problem.partition(": ")[0] for problem in problems] == [name], value
                assert "hunter2" not in problems[0]
                assert target.problems(plain, tmp_path) == []
        for value in ("http://h", "http://u:p@h:8080/", "http://[::1]:1", "h:3128", ""):
            monkeypatch.setenv(name, value)
            with check("CFG-PROXY-001"):
                assert target.problems(tls, tmp_path) == [], value
        monkeypatch.delenv(name)
