"""What the gateway sends to an upstream beside the body."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.client import encode_request
from conformance.contracts import PATHS, body_at, good_answer
from conformance.deployments import UPSTREAM_KEY, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.streaming import carrying_all
from fake_upstreams import chat


@pytest.mark.rule("UP-REQ-001", "UP-REQ-002", "UP-REQ-004", "UP-REQ-005")
def test_the_head_of_an_attempt(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    keys = [{"name": "demo", "key": "client-key"}]
    for stream in (False, True):
        for header in (("authorization", "Bearer client-key"), ("x-api-key", "client-key")):
            up = upstream(chat.stream("a") if stream else chat.completion("a"))
            assert gateway(up, keys=keys).chat([header], stream=stream).status == 200
            sent = up.requests[0]
            with check("UP-REQ-001"):
                assert (sent.method, sent.target) == ("POST", "/v1/chat/completions")
                assert sent.headers["host"] == f"127.0.0.1:{up.port}"
            with check("UP-REQ-002"):
                assert sent.headers["authorization"] == f"Bearer {UPSTREAM_KEY}"
            with check("UP-REQ-004"):
                assert b"client-key" not in sent.raw
                assert "x-api-key" not in sent.headers
            with check("UP-REQ-005"):
                assert sent.headers["content-type"] == "application/json"
                assert sent.headers["content-length"] == str(len(sent.body))
                assert "transfer-encoding" not in sent.headers


@pytest.mark.rule("UP-REQ-001", "UP-REQ-002", "UP-REQ-003")
def test_base_urls_and_keys_are_the_deployments(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    cases = [("", "/chat/completions"), ("/v1/", "/v1/chat/completions"), ("/a/b", "/a/b/chat/completions")]
    for base, target in cases:
        up = upstream(chat.completion("a"))
        gateway(deployment(up, credentials={"baseUrl": up.url + base})).chat()
        with check("UP-REQ-001"):
            assert up.requests[0].target == target
        with check("UP-REQ-003"):
            assert "authorization" not in up.requests[0].headers
    up = upstream(chat.completion("a"))
    credentials = {"apiKey": "sk-openai", "baseUrl": up.base_url}
    gateway(deployment(up, adapterKey="openai", credentials=credentials)).chat()
    with check("UP-REQ-002"):
        assert up.requests[0].headers["authorization"] == "Bearer sk-openai"


@pytest.mark.rule("UP-REQ-005")
def test_bodies_have_a_length_however_they_came(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Some upstreams refuse chunks."""
    for path in PATHS:
        up = upstream(good_answer(path), good_answer(path))
        client = gateway(*carrying_all(up)).connect()
        body = body_at(path)
        chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        assert client.request("POST", path, body).status == 200
        client.send(encode_request("POST", path, None, [("transfer-encoding", "chunked")]) + chunks)
        assert client.response().status == 200
        for sent in up.requests:
            with check("UP-REQ-005"):
                assert sent.headers["content-length"] == str(len(sent.body)), path
                assert "transfer-encoding" not in sent.headers, path
