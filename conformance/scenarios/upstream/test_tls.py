"""TLS toward upstreams."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance import operation_log
from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import Session, contents
from fake_upstreams import UpstreamHandle, certificates, chat, faults, reply

AUTHORITY = certificates.authority().certificate
OTHER_HOST = certificates.issue("DNS:wrong.invalid").certificate

CERTIFICATES = {
    "expired": "has expired",
    "not_yet_valid": "is not valid yet",
    "wrong_name": "is for another host",
    "self_signed": "is signed by itself",
    "unknown_authority": "is from an authority that is not trusted",
}
HANDSHAKES = {
    "old_version": "speaks no TLS newer than 1.1",
    "no_shared_cipher": "has no cipher or parameters in common",
    "plain_text": "does not speak TLS on this port",
    "closed": "closed the connection during the TLS handshake",
    "reset": "closed the connection during the TLS handshake",
    "client_certificate": "wants a certificate from its clients",
}


def secure(upstream: UpstreamHandle, **settings: Any) -> dict[str, Any]:
    """A deployment that is reached by https whatever the upstream speaks."""
    return deployment(upstream, credentials={"apiKey": "k", "baseUrl": upstream.tls_url + "/v1"}, **settings)


def bundle(folder: Path, *certificates: Path) -> dict[str, str]:
    """A `network` section that trusts these and nobody else."""
    file = folder / "authorities.pem"
    file.write_text("".join(each.read_text() for each in certificates))
    return {"caFile": str(file)}


@pytest.mark.rule("UP-TLS-001", "UP-TLS-002")
def test_answers_come_through_tls(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, tmp_path: Path
) -> None:
    stream = reply(chat.stream("a", "b"), framing="length")
    up = upstream(chat.completion("x" * 1_000_000), stream, chat.completion("a"), tls=True)
    gw = gateway(up, network=bundle(tmp_path, AUTHORITY, up.ca_file))
    whole, streamed, last = gw.chat(padding="y" * 1_000_000), gw.chat(stream=True), gw.chat()
    with check("UP-TLS-001"):
        assert whole.json()["choices"][0]["message"]["content"] == "x" * 1_000_000
        assert len(up.requests[0].json["padding"]) == 1_000_000
        assert contents(streamed) == "ab"
        assert last.status == 200
        assert up.connections == 1
    untrusting = gateway(upstream(tls=True), network=bundle(tmp_path, AUTHORITY), routerSettings=ONE_ATTEMPT)
    with check("UP-TLS-002"):
        assert untrusting.chat().status == 502


@pytest.mark.rule("UP-TLS-003", "UP-TLS-005")
@pytest.mark.parametrize("kind", CERTIFICATES)
def test_a_bad_certificate_is_named(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, tmp_path: Path, kind: Any
) -> None:
    up = upstream([faults.TlsFailure(kind)])
    gw = gateway(secure(up), network=bundle(tmp_path, AUTHORITY, OTHER_HOST), routerSettings=ONE_ATTEMPT)
    assert_told(check, "UP-TLS-003", gw, gw.chat(), CERTIFICATES[kind])
    assert up.requests == []


@pytest.mark.rule("UP-TLS-004", "UP-TLS-005")
@pytest.mark.parametrize("kind", HANDSHAKES)
def test_a_failed_handshake_is_explained(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, tmp_path: Path, kind: Any
) -> None:
    up = upstream([faults.TlsFailure(kind)])
    gw = gateway(secure(up), network=bundle(tmp_path, AUTHORITY), routerSettings=ONE_ATTEMPT)
    assert_told(check, "UP-TLS-004", gw, gw.chat(), HANDSHAKES[kind])


def assert_told(check: Check, rule: str, gw: Session, answer: Response, sentence: str) -> None:
    """The operation log says what it was, and the caller is told nothing of it."""
    (attempt,) = operation_log.last(gw)["attempts"]
    with check(rule):
        assert attempt["failureKind"] == "transient"
        assert sentence in attempt["failureDetail"]
    with check("UP-TLS-005"):
        assert answer.status == 502
        assert answer.error()["message"] == "The upstream could not be reached."
        assert b"certificate" not in answer.raw
        assert b"TLS" not in answer.raw


@pytest.mark.needs("log")
@pytest.mark.rule("UP-TLS-006")
def test_the_log_says_it_too(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, tmp_path: Path) -> None:
    up = upstream([faults.TlsFailure("expired")])
    gw = gateway(secure(up), network=bundle(tmp_path, AUTHORITY), routerSettings=ONE_ATTEMPT)
    gw.chat()
    gw.stop()
    with check("UP-TLS-006"):
        assert "the upstream's certificate has expired" in gw.log()


@pytest.mark.rule("UP-TLS-007")
def test_sessions_are_resumed(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, tmp_path: Path) -> None:
    """Each answer ends its connection, so that the next request needs another."""
    up = upstream(*[reply([chat.completion("a")], framing="close")] * 3, tls=True)
    gw = gateway(up, network=bundle(tmp_path, up.ca_file))
    with check("UP-TLS-007"):
        assert [gw.chat().status for _ in range(3)] == [200] * 3
        assert up.resumed == [False, True, True]
