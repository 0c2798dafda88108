"""TLS toward clients."""

from __future__ import annotations

import shutil
import socket
import ssl
import warnings
from pathlib import Path
from typing import Any

import pytest

from conformance import tls
from conformance.checks import Check
from conformance.client import GUARD_SECONDS, encode_request
from conformance.fixtures import GatewayFactory, UpstreamFactory, make_configuration
from conformance.http_bytes import Reader
from conformance.session import CHAT, chat_body, chat_request, contents
from conformance.targets import Target
from conformance.targets.base import address
from conformance.targets.binary import BinaryTarget, write_configuration
from fake_upstreams import certificates, chat

SERVED = {"tls": tls.served()}
HEALTH = encode_request("GET", "/health/live")


class Visitor(Reader):
    """A client with its own way of TLS."""

    def __init__(self, url: str, context: ssl.SSLContext | None = None, session: Any = None) -> None:
        self._socket = socket.create_connection(address(url), GUARD_SECONDS)
        try:
            self.stream = tls.TlsStream(self._socket, address(url)[0], context, session)
        except OSError:
            self._socket.close()
            raise
        super().__init__(lambda: self.stream.recv(65536))

    def is_served(self) -> bool:
        self.stream.sendall(HEALTH)
        return self.response("GET").status == 200

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *ended: object) -> None:
        self._socket.close()


def context_for(version: ssl.TLSVersion) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=certificates.issue().certificate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # which the old versions are meant to be
        context.minimum_version = version
        context.maximum_version = version
    context.set_ciphers("ALL:@SECLEVEL=0")
    return context


@pytest.mark.rule("HTTP-TLS-001", "HTTP-TLS-002")
def test_both_versions_are_spoken(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    versions = {ssl.TLSVersion.TLSv1_2: "TLSv1.2", ssl.TLSVersion.TLSv1_3: "TLSv1.3"}
    gw = gateway(upstream(*[chat.completion("a")] * 2), server=SERVED)
    with check("HTTP-TLS-002"):
        assert gw.url.startswith("https://127.0.0.1:")
    for version, name in versions.items():
        with check("HTTP-TLS-001"), Visitor(gw.url, context_for(version)) as visitor:
            assert visitor.stream.agreed.version() == name
            visitor.stream.sendall(chat_request())
            assert visitor.response("POST").json()["choices"][0]["message"]["content"] == "a"


@pytest.mark.rule("HTTP-TLS-003")
def test_older_versions_are_refused(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(), server=SERVED)
    for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        with check("HTTP-TLS-003"):
            with pytest.raises(ssl.SSLError) as refused, Visitor(gw.url, context_for(version)):
                pass
            assert "PROTOCOL_VERSION" in str(refused.value).upper().replace(" ", "_")


@pytest.mark.rule("HTTP-TLS-004")
def test_http_1_1_is_agreed_on(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(), server=SERVED)
    offering = context_for(ssl.TLSVersion.TLSv1_3)
    offering.set_alpn_protocols(["h2", "http/1.1"])
    with check("HTTP-TLS-004"), Visitor(gw.url, offering) as visitor:
        assert visitor.stream.agreed.selected_alpn_protocol() == "http/1.1"
        assert visitor.is_served()
    offering.set_alpn_protocols(["h2"])
    with check("HTTP-TLS-004"):
        with pytest.raises(ssl.SSLError) as refused, Visitor(gw.url, offering):
            pass
        assert "APPLICATION_PROTOCOL" in str(refused.value).upper().replace(" ", "_")


@pytest.mark.rule("HTTP-TLS-005")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
def test_sessions_are_resumed_by_every_worker(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, version: ssl.TLSVersion
) -> None:
    """Which worker takes a connection is up to the kernel: of sixteen, several come to another than the first did."""
    gw = gateway(upstream(), server={**SERVED, "workers": 4})
    context = context_for(version)
    with Visitor(gw.url, context) as first:
        served = first.is_served()
        session = first.stream.agreed.session
    with check("HTTP-TLS-005"):
        assert served
        for _ in range(16):
            with Visitor(gw.url, context, session) as again:
                assert again.is_served()
                assert again.stream.agreed.session_reused


@pytest.mark.rule("HTTP-TLS-006")
def test_large_bodies_and_streams(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    words = [f"{number} {'x' * (number % 300)}" for number in range(2000)]
    gw = gateway(upstream(chat.stream(*words), chat.completion("y" * 3_000_000)), server=SERVED)
    client = gw.connect(receive_buffer=4096)
    client.send(chat_request(stream=True, metadata={"padding": "z" * 2_000_000}))
    streamed = client.response("POST")
    client.send(chat_request())
    whole = client.response("POST")
    with check("HTTP-TLS-006"):
        assert contents(streamed) == "".join(words)
        assert whole.json()["choices"][0]["message"]["content"] == "y" * 3_000_000


@pytest.mark.rule("HTTP-TLS-007")
def test_plain_http_is_told_so(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(), server=SERVED)
    plain = socket.create_connection(address(gw.url), GUARD_SECONDS)
    with plain, check("HTTP-TLS-007"):
        plain.sendall(encode_request("POST", CHAT, chat_body(), [("authorization", "Bearer sk-secret")]))
        reader = Reader(lambda: plain.recv(65536))
        answer = reader.response("POST")
        assert answer.status == 400
        assert "https" in answer.error()["message"].lower()
        assert reader.rest() == b""


@pytest.mark.rule("HTTP-TLS-008")
@pytest.mark.parametrize("begun", [b"", b"\x16\x03\x01\x02\x00\x01"], ids=["silent", "half a message"])
def test_a_handshake_has_the_time_of_a_head(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, begun: bytes
) -> None:
    gw = gateway(upstream(), server=SERVED)
    slow = socket.create_connection(address(gw.url), GUARD_SECONDS)
    with slow, check("HTTP-TLS-008"):
        slow.sendall(begun)
        gw.advance(29_999, until_armed="client_head")
        assert not is_over(slow)
        gw.advance(1)
        assert is_over(slow)


@pytest.mark.rule("HTTP-TLS-009")
def test_an_orderly_end_is_announced(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """To a client of HTTP/1.0 the end of the connection is the end of the answer."""
    gw = gateway(upstream(chat.stream("a", "b")), server=SERVED)
    with Visitor(gw.url) as visitor:
        visitor.stream.sendall(chat_request(stream=True).replace(b"HTTP/1.1", b"HTTP/1.0"))
        with check("HTTP-TLS-009"):
            assert b"data: [DONE]" in visitor.rest()


@pytest.mark.needs("cli")
@pytest.mark.rule("HTTP-TLS-010", "HTTP-TLS-011")
def test_a_new_certificate_is_taken_over_by_sighup(
    check: Check, target: Target, upstream: UpstreamFactory, tmp_path: Path
) -> None:
    """The files are named by paths that count from the folder of the configuration."""
    assert isinstance(target, BinaryTarget)
    shown = tmp_path / "shown"
    shown.mkdir()
    replace(shown, certificates.issue())
    files = {"certificateFile": "shown/certificate.pem", "keyFile": "shown/key.pem"}
    file = write_configuration(make_configuration([upstream()], {"port": 0, "tls": files}, {}), tmp_path)
    gw = target.serve("--config", str(file))
    try:
        with Visitor(gw.url) as before:
            assert before.is_served()
            renewed = certificates.issue_by(certificates.authority())
            replace(shown, renewed)
            gw.hang_up("the certificate was replaced")
            trusting = ssl.create_default_context(cafile=certificates.authority().certificate)
            with check("HTTP-TLS-010"):
                assert before.is_served()
                with Visitor(gw.url, trusting) as after:
                    assert after.is_served()
            (shown / "key.pem").write_text("nothing")
            gw.hang_up("server.tls.keyFile: must hold a private key in PEM")
            with check("HTTP-TLS-011"), Visitor(gw.url, trusting) as still:
                assert still.is_served()
    finally:
        gw.stop()


def replace(folder: Path, certificate: certificates.Certificate) -> None:
    shutil.copy(certificate.certificate, folder / "certificate.pem")
    shutil.copy(certificate.key, folder / "key.pem")


def is_over(connection: socket.socket) -> bool:
    """Whether the gateway has closed a connection on which it has said nothing; does not wait."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        connection.settimeout(GUARD_SECONDS)
