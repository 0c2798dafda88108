"""Configurations that are refused, each problem with its path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import policies
from conformance.targets import Target

pytestmark = pytest.mark.needs("validate")

UNSUPPORTED = "not supported by this version"
GOOD: dict[str, Any] = {
    "publicModel": "gpt",
    "adapterKey": "openaicompatible",
    "upstreamModel": "m",
    "credentials": {"baseUrl": "http://127.0.0.1:9/v1"},
}


def one(**members: Any) -> dict[str, Any]:
    """A configuration with one deployment that differs from a good one; None takes a member away."""
    merged = {**GOOD, **members}
    return {"deployments": [{name: value for name, value in merged.items() if value is not None}]}


def settings(**members: Any) -> dict[str, Any]:
    """A configuration with a good deployment and these members."""
    return {"deployments": [GOOD], **members}


def keyed(adapter: str, **credentials: Any) -> dict[str, Any]:
    """Likewise with a deployment of this adapter, which has a key."""
    return one(adapterKey=adapter, credentials={**KEYED, **credentials})


def with_headers(headers: dict[str, str]) -> dict[str, Any]:
    """Likewise with a deployment that sends these."""
    return one(credentials={**GOOD["credentials"], "headers": headers})


def overriding(transports: dict[str, Any]) -> dict[str, Any]:
    """Likewise with a deployment that has these transports."""
    return one(transportOverrides=transports)


def with_keys(*keys: str) -> dict[str, Any]:
    """A configuration whose clients have these keys, and whose master key is `sk-very-secret`."""
    return settings(
        keys=[{"name": f"client {number}", "key": key} for number, key in enumerate(keys)],
        server={"masterKey": "sk-very-secret"},
    )


CHAT = "routerSettings.executionPolicies.chat"
OVERRIDES = "deployments[0].transportOverrides"
KEYED = {"apiKey": "k"}
VERSIONED = {"apiKey": "k", "version": "v"}

CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("CFG-DEPLOY-001", "deployments", {}),
    ("CFG-DEPLOY-001", "deployments", {"deployments": []}),
    ("CFG-DEPLOY-002", "deployments[0].publicModel", one(publicModel=None)),
    ("CFG-DEPLOY-002", "deployments[0].adapterKey", one(adapterKey=None)),
    ("CFG-DEPLOY-002", "deployments[0].upstreamModel", one(upstreamModel=None)),
    ("CFG-DEPLOY-003", "deployments[0].credentials.baseUrl", one(credentials={"apiKey": "k"})),
    ("CFG-DEPLOY-004", "deployments[0].credentials.apiKey", one(adapterKey="openai")),
    ("CFG-URL-002", "deployments[0].credentials.baseUrl", keyed("openai", baseUrl="http://h/v1/chat/completions")),
    ("CFG-URL-002", "deployments[0].credentials.baseUrl", keyed("anthropic", baseUrl="http://h/v1/messages/")),
    ("CFG-URL-002", "deployments[0].credentials.baseUrl", keyed("azureopenai", baseUrl="http://h/openai/responses")),
    ("CFG-ADAPTER-002", "deployments[0].credentials.apiKey", one(adapterKey="anthropic")),
    ("CFG-ADAPTER-002", "deployments[0].credentials.apiKey", one(adapterKey="azureopenai")),
    ("CFG-ADAPTER-002", "deployments[0].credentials.apiKey", one(adapterKey="openrouter", credentials={})),
    ("CFG-ADAPTER-002", "deployments[0].credentials.baseUrl", one(adapterKey="azureopenai", credentials=KEYED)),
    ("CFG-ADAPTER-003", "deployments[0].credentials.version", one(credentials={**GOOD["credentials"], "version": "v"})),
    ("CFG-ADAPTER-003", "deployments[0].credentials.version", one(adapterKey="openai", credentials=VERSIONED)),
    ("CFG-HEADERS-001", "deployments[0].credentials.headers", keyed("openai", headers={"x-a": "b"})),
    ("CFG-HEADERS-001", "deployments[0].credentials.headers", keyed("anthropic", headers={"x-a": "b"})),
    ("CFG-HEADERS-002", "deployments[0].credentials.headers.host", with_headers({"Host": "sk-very-secret"})),
    ("CFG-HEADERS-002", "deployments[0].credentials.headers.authorization", with_headers({"AUTHORIZATION": "s"})),
    ("CFG-HEADERS-002", "deployments[0].credentials.headers.x-a", with_headers({"x-a": "b", "X-A": "sk-very-secret"})),
    ("CFG-HEADERS-002", "deployments[0].credentials.headers.x-a", with_headers({"x-a": "sk-very-secret\r\nhost: h"})),
    ("CFG-HEADERS-002", "deployments[0].credentials.headers", with_headers({"x a": "sk-very-secret"})),
    (
        "CFG-TRANSPORT-001",
        f'{OVERRIDES}["image.generate"]',
        overriding({"text.generate": "chat", "image.generate": "chat"}),
    ),
    ("CFG-TRANSPORT-001", f'{OVERRIDES}["text.generate"]', overriding({})),
    ("CFG-TRANSPORT-001", f'{OVERRIDES}["text.generate"]', overriding({"text.generate": []})),
    ("CFG-TRANSPORT-001", f'{OVERRIDES}["text.generate"]', overriding({"text.generate": "grpc"})),
    ("CFG-TRANSPORT-001", f'{OVERRIDES}["text.generate"][1]', overriding({"text.generate": ["chat", "chat"]})),
    (
        "CFG-TRANSPORT-001",
        OVERRIDES,
        one(
            adapterKey="azureopenai",
            credentials={**VERSIONED, "baseUrl": "http://127.0.0.1:9"},
            transportOverrides={"text.generate": "responses"},
        ),
    ),
    ("CFG-SOCKET-001", "deployments[0].webSocket", one(webSocket=True)),
    (
        "CFG-SOCKET-001",
        "deployments[0].webSocket",
        one(webSocket="yes", transportOverrides={"text.generate": "responses"}),
    ),
    ("CFG-DEPLOY-006", "deployments[0].weight", one(weight=-1)),
    ("CFG-DEPLOY-006", "deployments[0].weight", one(weight=1.5)),
    ("CFG-DEPLOY-006", "deployments[0].weight", one(weight="2")),
    ("CFG-PROBLEM-003", "deployments[0].wieght", one(wieght=2)),
    ("CFG-PROBLEM-003", "deployments[0].credentials.baseURL", one(credentials={**GOOD["credentials"], "baseURL": "x"})),
    ("CFG-PROBLEM-003", "sevrer", settings(sevrer={})),
    ("CFG-PROBLEM-003", "server.prot", settings(server={"prot": 1})),
    ("CFG-PROBLEM-003", "keys[0].kye", settings(keys=[{"name": "a", "key": "b", "kye": "c"}])),
    ("CFG-PROBLEM-006", "server.port", settings(server={"port": 65536})),
    ("CFG-PROBLEM-006", "server.port", settings(server={"port": "4000x"})),
    ("CFG-PROBLEM-006", "server.workers", settings(server={"workers": -1})),
    ("CFG-PROBLEM-006", "server.requestBodyBytes", settings(server={"requestBodyBytes": 0})),
    ("CFG-PROBLEM-006", "deployments[0].enabled", one(enabled="perhaps")),
    ("CFG-PROBLEM-006", "deployments[0].adapterKey", one(adapterKey="telepathy")),
    ("CFG-PROBLEM-006", "deployments", {"deployments": {"a": GOOD}}),
    ("CFG-POLICY-001", f"{CHAT}.json.responseMs", settings(routerSettings=policies(json={"responseMs": 0}))),
    ("CFG-POLICY-001", f"{CHAT}.json.totalMs", settings(routerSettings=policies(json={"totalMs": 3_600_001}))),
    ("CFG-POLICY-001", f"{CHAT}.stream.idleMs", settings(routerSettings=policies(stream={"idleMs": 1.5}))),
    ("CFG-POLICY-001", f"{CHAT}.stream.responseMs", settings(routerSettings=policies(stream={"responseMs": "1s"}))),
    ("CFG-POLICY-002", f"{CHAT}.json.maxAttempts", settings(routerSettings=policies(json={"maxAttempts": 0}))),
    ("CFG-POLICY-002", f"{CHAT}.stream.maxAttempts", settings(routerSettings=policies(stream={"maxAttempts": 21}))),
    ("CFG-POLICY-003", f"{CHAT}.json.idleMs", settings(routerSettings=policies(json={"idleMs": 1000}))),
    ("CFG-NETWORK-001", "network.connectMs", settings(network={"connectMs": 0})),
    ("CFG-NETWORK-001", "network.connectMs", settings(network={"connectMs": 60_001})),
    ("CFG-NETWORK-002", "network.dnsServers", settings(network={"dnsServers": []})),
    ("CFG-NETWORK-002", "network.dnsServers[1]", settings(network={"dnsServers": ["192.0.2.1", "dns.example.org"]})),
    ("CFG-NETWORK-002", "network.dnsServers[0]", settings(network={"dnsServers": ["[::1]:65536"]})),
    ("CFG-NETWORK-003", "network.caFile", settings(network={"caFile": ""})),
    ("CFG-OPEN-001", "server.host", settings(server={"host": "0.0.0.0"})),
    (
        "CFG-KEYS-001",
        "keys[1].name",
        settings(keys=[{"name": "a", "key": "b"}, {"name": "a", "key": "sk-very-secret"}]),
    ),
    ("CFG-KEYS-001", "keys[1].key", settings(keys=[{"name": n, "key": "sk-very-secret"} for n in ("a", "b")])),
    ("CFG-KEYS-002", "keys[0].key", with_keys("sk-very-secret", "k")),
    ("CFG-KEYS-002", "keys[1].key", with_keys("k", "sk-very-secret")),
    ("CFG-ENV-002", "deployments[0].credentials.apiKey", one(credentials={**GOOD["credentials"], "apiKey": "${NOPE}"})),
    ("CFG-ENV-002", "keys[0].key", settings(keys=[{"name": "a", "key": "${NOPE}"}])),
]


def paths(problems: list[str]) -> list[str]:
    return [problem.partition(": ")[0] for problem in problems]


@pytest.mark.rule(*sorted({rule for rule, _, _ in CASES}))
def test_each_problem_is_named_by_its_path(
    check: Check, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOPE", raising=False)
    for rule, path, configuration in CASES:
        with check(rule):
            problems = target.problems(configuration, tmp_path)
            assert path in paths(problems), (configuration, problems)
            assert len(problems) == 1, (configuration, problems)
            assert problems[0].partition(": ")[2] != "", problems
            assert "sk-very-secret" not in problems[0], problems


@pytest.mark.rule("CFG-PROBLEM-007")
def test_an_unknown_field_is_told_with_those_that_are_known(check: Check, target: Target, tmp_path: Path) -> None:
    cases: list[tuple[str, dict[str, Any]]] = [
        ("deployments[0].wieght: unknown field; did you mean `weight`?", one(wieght=2)),
        ("server.requestbodybytes: unknown field; did you mean `requestBodyBytes`?",
         settings(server={"requestbodybytes": 1})),
        ("network.proxy: unknown field; known here are caFile, dnsServers, connectMs", settings(network={"proxy": 1})),
    ]  # fmt: skip
    for problem, configuration in cases:
        with check("CFG-PROBLEM-007"):
            assert target.problems(configuration, tmp_path) == [problem]


@pytest.mark.rule("CFG-PROBLEM-004")
def test_what_has_no_effect_yet_is_refused(check: Check, target: Target, tmp_path: Path) -> None:
    configuration = settings(routerSettings={"unsupportedParameterStrategy": "drop"})
    with check("CFG-PROBLEM-004"):
        problems = target.problems(configuration, tmp_path)
        assert paths(problems) == ["routerSettings.unsupportedParameterStrategy"], problems
        assert UNSUPPORTED in problems[0]


@pytest.mark.rule("CFG-PROBLEM-001", "CFG-PROBLEM-005")
def test_all_problems_are_told_at_once(check: Check, target: Target, tmp_path: Path) -> None:
    configuration = {
        "server": {"port": -1},
        "deployments": [
            {**GOOD, "weight": -1, "credentials": {"apiKey": "sk-very-secret", "baseUrl": "no url"}},
            {**GOOD, "publicModel": "", "extra": "sk-very-secret"},
        ],
        "keys": [{"name": "a", "key": "sk-very-secret"}, {"name": "a", "key": ""}],
    }
    problems = target.problems(configuration, tmp_path)
    with check("CFG-PROBLEM-001"):
        expected = {
            "server.port",
            "deployments[0].weight",
            "deployments[0].credentials.baseUrl",
            "deployments[1].publicModel",
            "deployments[1].extra",
            "keys[1].key",
        }
        assert expected <= set(paths(problems)), problems
    with check("CFG-PROBLEM-005"):
        assert [problem for problem in problems if "sk-very-secret" in problem] == []


@pytest.mark.rule(
    "CFG-POLICY-001",
    "CFG-POLICY-002",
    "CFG-POLICY-003",
    "CFG-OPEN-001",
    "CFG-DEPLOY-006",
    "CFG-KEYS-002",
    "CFG-NETWORK-001",
    "CFG-NETWORK-002",
)
def test_the_edges_are_accepted(check: Check, target: Target, tmp_path: Path) -> None:
    smallest = {"responseMs": 1, "totalMs": 1, "maxAttempts": 1}
    largest = {"responseMs": 3_600_000, "totalMs": 3_600_000, "maxAttempts": 20}
    for policy in (smallest, largest):
        router = policies(json=policy, stream={**policy, "idleMs": policy["totalMs"]})
        with check("CFG-POLICY-001", "CFG-POLICY-002"):
            assert target.problems(settings(routerSettings=router), tmp_path) == []
    with check("CFG-POLICY-003"):
        router = policies(json={"idleMs": None}, stream={"idleMs": None})
        assert target.problems(settings(routerSettings=router), tmp_path) == []
    with check("CFG-OPEN-001"):
        assert target.problems(settings(server={"host": "0.0.0.0", "port": 0, "masterKey": "k"}), tmp_path) == []
        for loopback in ("127.0.0.1", "127.0.0.9"):
            assert target.problems(settings(server={"host": loopback, "port": 0}), tmp_path) == []
    with check("CFG-KEYS-002"):
        assert target.problems(with_keys("sk-very-secre", "sk-very-secret2", "SK-very-secret"), tmp_path) == []
    for connect in (1, 60_000):
        with check("CFG-NETWORK-001"):
            assert target.problems(settings(network={"connectMs": connect}), tmp_path) == []
    with check("CFG-NETWORK-002"):
        servers = ["192.0.2.1", "192.0.2.1:1", "::1", "[::1]", "[::1]:65535"]
        assert target.problems(settings(network={"dnsServers": servers}), tmp_path) == []
    with check("CFG-DEPLOY-006"):
        assert target.problems(one(weight=0), tmp_path) == []
