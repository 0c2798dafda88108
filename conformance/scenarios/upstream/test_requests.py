"""What the gateway sends to an upstream beside the body."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import UPSTREAM_KEY, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
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
