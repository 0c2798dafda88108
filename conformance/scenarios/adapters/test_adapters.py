"""How each adapter reaches its provider: the path, the key, and the headers that belong to its protocol."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.contracts import ask, good_answer
from conformance.deployments import Deployment, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import ANTHROPIC, CHAT, COUNT_TOKENS, RESPONSES
from fake_upstreams import Body, Request, Status, UpstreamHandle, reply

KEY = "sk-provider"
CLIENT_KEY = "sk-client-1234"
AZURE_VERSION = "2024-10-21"


def adapted(up: UpstreamHandle, adapter: str, base: str = "", **credentials: Any) -> Deployment:
    """A deployment of this adapter, whose base URL is the upstream's origin and `base`."""
    credentials = {"apiKey": KEY, "baseUrl": up.url + base, **credentials}
    return deployment(up, adapterKey=adapter, upstreamModel="my gpt/4", credentials=credentials)


def lines(sent: Request, name: str) -> list[str]:
    """The values of every header of this name, in order."""
    return [value for header, value in sent.headers.pairs if header.lower() == name]


CASES = [
    ("ADP-PATH-001", "openai", "/v1", {}, CHAT, "/v1/chat/completions"),
    ("ADP-PATH-001", "openai", "/v1", {}, RESPONSES, "/v1/responses"),
    ("ADP-PATH-001", "openaicompatible", "/a", {}, CHAT, "/a/chat/completions"),
    ("ADP-PATH-002", "anthropic", "", {}, ANTHROPIC, "/v1/messages"),
    ("ADP-PATH-002", "anthropic", "/proxy", {}, COUNT_TOKENS, "/proxy/v1/messages/count_tokens"),
    ("ADP-PATH-003", "azureopenai", "", {}, CHAT, "/openai/v1/chat/completions"),
    ("ADP-PATH-003", "azureopenai", "", {}, RESPONSES, "/openai/v1/responses"),
    (
        "ADP-PATH-004",
        "azureopenai",
        "",
        {"version": AZURE_VERSION},
        CHAT,
        f"/openai/deployments/my%20gpt%2F4/chat/completions?api-version={AZURE_VERSION}",
    ),
    ("ADP-PATH-001", "openrouter", "/api/v1", {}, CHAT, "/api/v1/chat/completions"),
    ("ADP-PATH-001", "openrouter", "/api/v1", {}, RESPONSES, "/api/v1/responses"),
    ("ADP-PATH-001", "openrouter", "/api/v1", {}, ANTHROPIC, "/api/v1/messages"),
]
KEYS = {"anthropic": ("x-api-key", KEY), "azureopenai": ("api-key", KEY)}
KEY_HEADERS = {"authorization", "x-api-key", "api-key"}


@pytest.mark.rule(
    "ADP-PATH-001",
    "ADP-PATH-002",
    "ADP-PATH-003",
    "ADP-PATH-004",
    "ADP-KEY-001",
    "ADP-KEY-002",
    "ADP-KEY-003",
    "ADP-KEY-004",
)
def test_each_adapter_has_its_paths_and_its_key(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    key_rules = {"anthropic": "ADP-KEY-002", "azureopenai": "ADP-KEY-003"}
    for rule, adapter, base, credentials, path, target in CASES:
        for shown in (("authorization", f"Bearer {CLIENT_KEY}"), ("x-api-key", CLIENT_KEY)):
            up = upstream(good_answer(path))
            gw = gateway(adapted(up, adapter, base, **credentials), keys=[{"name": "demo", "key": CLIENT_KEY}])
            answer = ask(gw, path, [shown, ("api-key", CLIENT_KEY)])
            assert answer.status == 200, (adapter, path, answer.raw)
            sent = up.requests[0]
            with check(rule):
                assert (sent.method, sent.target) == ("POST", target)
                assert sent.json["model"] == "my gpt/4"
            name, value = KEYS.get(adapter, ("authorization", f"Bearer {KEY}"))
            with check(key_rules.get(adapter, "ADP-KEY-001")):
                assert sent.headers.get(name) == value
                assert {header for header in KEY_HEADERS if header in sent.headers} == {name}
            with check("ADP-KEY-004"):
                assert CLIENT_KEY.encode() not in sent.raw


PASTED = [
    ("anthropic", "/v1", {}, ANTHROPIC, "/v1/messages"),
    ("anthropic", "/proxy/v1/", {}, COUNT_TOKENS, "/proxy/v1/messages/count_tokens"),
    ("azureopenai", "/openai/v1/", {}, CHAT, "/openai/v1/chat/completions"),
    ("azureopenai", "/openai", {}, RESPONSES, "/openai/v1/responses"),
    (
        "azureopenai",
        "/openai/v1",
        {"version": AZURE_VERSION},
        CHAT,
        f"/openai/deployments/my%20gpt%2F4/chat/completions?api-version={AZURE_VERSION}",
    ),
    ("openai", "/openai/v1", {}, CHAT, "/openai/v1/chat/completions"),
]


@pytest.mark.rule("CFG-URL-001")
def test_what_the_adapter_appends_may_be_there_already(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for adapter, base, credentials, path, target in PASTED:
        up = upstream(good_answer(path))
        with check("CFG-URL-001"):
            assert ask(gateway(adapted(up, adapter, base, **credentials)), path).status == 200, base
            assert up.requests[0].target == target


@pytest.mark.rule("ADP-HEADER-001", "ADP-HEADER-002", "ADP-HEADER-003")
def test_anthropics_version_and_betas_are_the_clients(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for adapter, base, configured, default in (
        ("anthropic", "", {}, "2023-06-01"),
        ("anthropic", "", {"version": "2024-02-02"}, "2024-02-02"),
        ("openrouter", "/api/v1", {}, None),
    ):
        for path in (ANTHROPIC, COUNT_TOKENS):
            up = upstream(*[good_answer(path)] * 3)
            gw = gateway(adapted(up, adapter, base, **configured))
            ask(gw, path)
            ask(gw, path, [("anthropic-version", "")])
            ask(gw, path, [("Anthropic-Version", "2026-10-21"), ("anthropic-beta", "a,b"), ("Anthropic-Beta", "c")])
            plain, empty, asked = up.requests
            with check("ADP-HEADER-001"):
                assert lines(asked, "anthropic-version") == ["2026-10-21"]
            with check("ADP-HEADER-002"):
                assert [each.headers.get("anthropic-version") for each in (plain, empty)] == [default] * 2
            with check("ADP-HEADER-003"):
                assert lines(asked, "anthropic-beta") == ["a,b", "c"]
                assert "anthropic-beta" not in plain.headers
    up = upstream(good_answer(CHAT))
    ask(gateway(up), CHAT, [("anthropic-version", "2026-10-21"), ("anthropic-beta", "a")])
    with check("ADP-HEADER-001"):
        assert "anthropic-version" not in up.requests[0].headers
        assert "anthropic-beta" not in up.requests[0].headers


@pytest.mark.rule("ADP-EXTRA-001", "ADP-EXTRA-002")
def test_extra_headers_reach_the_upstream_and_nobody_else(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    secret = "tenant-secret-77"
    headers = {"X-Tenant": secret, "api-key": "other-way-in"}
    echo = {"error": {"message": f"tenant {secret} is unknown", "type": "invalid_request_error"}}
    up = upstream(good_answer(CHAT), reply(Status(400), Body.json(echo)))
    gw = gateway(adapted(up, "openaicompatible", "/v1", headers=headers))
    ask(gw, CHAT, [("x-tenant", "the client's")])
    with check("ADP-EXTRA-001"):
        assert lines(up.requests[0], "x-tenant") == [secret]
        assert up.requests[0].headers["api-key"] == "other-way-in"
    refused = ask(gw, CHAT)
    view = gw.call("GET", "/v1/models/gpt/deployments")
    with check("ADP-EXTRA-002"):
        assert refused.status == 400
        assert secret.encode() not in refused.raw
        assert secret.encode() not in view.raw
