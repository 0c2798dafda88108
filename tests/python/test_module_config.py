"""Configurations as the module takes them, and the schema that editors use."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import turnout

SCHEMA = Path(__file__).resolve().parent.parent.parent / "spec" / "schemas" / "config.schema.json"

DEPLOYMENT: dict[str, Any] = {
    "publicModel": "gpt",
    "adapterKey": "openaicompatible",
    "upstreamModel": "up",
    "credentials": {"baseUrl": "http://127.0.0.1:9/v1"},
}


def with_deployment(**members: Any) -> dict[str, Any]:
    return {"deployments": [{**DEPLOYMENT, **members}]}


def with_adapter(name: str, more: Mapping[str, Any] | None = None, **credentials: Any) -> dict[str, Any]:
    return with_deployment(adapterKey=name, credentials=credentials, **(more or {}))


def speaking(*transports: str) -> dict[str, Any]:
    return with_deployment(transportOverrides={"text.generate": list(transports)})


def with_section(**sections: Any) -> dict[str, Any]:
    return {**sections, "deployments": [DEPLOYMENT]}


@pytest.mark.rule("PY-GATEWAY-005")
def test_takes_a_mapping_text_or_a_path(tmp_path: Path) -> None:
    yaml = "deployments: [{publicModel: gpt, adapterKey: openai, upstreamModel: up, credentials: {apiKey: k}}]"
    file = tmp_path / "turnout.yaml"
    file.write_text(yaml, encoding="utf-8")
    assert turnout.check_config(with_deployment()) == []
    assert turnout.check_config(yaml) == []
    assert turnout.check_config(json.dumps(with_deployment())) == []
    assert turnout.check_config(file) == []


@pytest.mark.rule("PY-GATEWAY-011")
def test_a_chain_that_fits_nothing_is_a_warning_where_the_gateway_is_made() -> None:
    spoken = {**speaking("messages")["deployments"][0], "publicModel": "spoken"}
    deployments = [DEPLOYMENT, spoken, {**DEPLOYMENT, "publicModel": "written"}]
    chain = {"primaryModel": "gpt", "fallbackModels": ["spoken"]}
    with pytest.warns(turnout.ConfigurationWarning) as told:
        turnout.Gateway({"deployments": deployments, "fallbacks": [chain, {**chain, "reason": "context_window"}]})
    assert [str(warning.message).partition(": no enabled deployment")[0] for warning in told] == [
        "fallbacks[0].fallbackModels",
        "fallbacks[1].fallbackModels",
    ]
    assert {warning.filename for warning in told} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        turnout.Gateway({"deployments": deployments, "fallbacks": [{**chain, "fallbackModels": ["written"]}]})


def test_a_path_without_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        turnout.check_config(tmp_path / "absent.yaml")


@pytest.mark.rule("PY-GATEWAY-012")
def test_text_that_names_a_file_asks_for_a_path(tmp_path: Path) -> None:
    """It is still text: nothing is read."""
    there, absent = tmp_path / "turnout", tmp_path / "absent"
    there.write_text(json.dumps(with_deployment()), encoding="utf-8")
    for name in (str(there), "turnout.yaml", "a b.YML", f"{absent}.json"):
        (problem,) = turnout.check_config(name)
        assert problem == ("(document)", f"must be a map; this is text, and a file is given as pathlib.Path({name!r})")
    with pytest.raises(turnout.ConfigurationError, match=r"pathlib\.Path\('turnout\.yaml'\)"):
        turnout.Gateway("turnout.yaml")
    for text in (str(absent), "", "turnout", "one\ntwo.yaml", str(tmp_path), "turnout.yaml.old", "x" * 5000, "\0"):
        assert not [problem for problem in turnout.check_config(text) if "pathlib" in problem.message], text
    assert turnout.check_config("deployments: x.yaml") == [("deployments", "must be a list")]


def test_a_file_in_another_encoding_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "turnout.yaml"
    file.write_bytes(b"\xff")
    assert turnout.check_config(file) == [("(document)", "must be UTF-8")]


KNOWN_SECTIONS = "known here are server, network, routerSettings, deployments, keys, fallbacks"


@pytest.mark.rule("PY-GATEWAY-006")
def test_an_error_holds_every_problem() -> None:
    config = with_section(server={"port": 65536}, logging={})
    with pytest.raises(turnout.ConfigurationError) as raised:
        turnout.Gateway(config)
    assert raised.value.problems == [
        turnout.Problem("server.port", "must be an integer from 0 to 65535"),
        turnout.Problem("logging", f"unknown field; {KNOWN_SECTIONS}"),
    ]
    assert str(raised.value) == "\n".join(map(str, raised.value.problems))
    assert [str(problem) for problem in turnout.check_config(config)] == str(raised.value).splitlines()


def test_references_are_looked_up_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURNOUT_TEST_KEY", "k")
    assert turnout.check_config(with_section(server={"masterKey": "${TURNOUT_TEST_KEY}"})) == []
    monkeypatch.delenv("TURNOUT_TEST_KEY")
    assert turnout.check_config(with_section(server={"masterKey": "${TURNOUT_TEST_KEY}"})) == [
        ("server.masterKey", "refers to the environment variable TURNOUT_TEST_KEY, which is not set")
    ]


@pytest.mark.parametrize("name", ["\N{GRINNING FACE} \u00e9", 'a"b\\c', "\u2028"])
def test_any_character_survives_the_way_through_json(name: str) -> None:
    assert turnout.check_config(with_deployment(label=name)) == []


def test_a_number_that_json_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        turnout.check_config(with_deployment(weight=float("nan")))


@pytest.mark.parametrize(
    "config",
    [
        with_deployment(),
        with_deployment(weight=0, enabled=False, streamUsage=False, label="a", id="b"),
        with_deployment(weight=4_294_967_295),
        with_deployment(rpmLimit=1, tpmLimit=None, failureDomain="account", pricing={"searchUnitCents": 0.5}),
        with_deployment(executionPolicyOverrides={"all": {"idleMs": 1}, "images.edits": {"totalMs": 3_600_000}}),
        with_adapter("anthropic", apiKey="k", version="2023-06-01"),
        with_adapter("azureopenai", apiKey="k", baseUrl="http://h", version="2024-10-21"),
        with_adapter("openrouter", apiKey="k"),
        with_adapter("openaicompatible", baseUrl="http://h", headers={"X-Org": "a b"}),
        speaking("chat", "messages"),
        with_deployment(transportOverrides={"text.generate": "responses"}),
        with_deployment(transportOverrides={"text.generate": "responses"}, webSocket=True),
        with_deployment(webSocket=False),
        with_section(fallbacks=[]),
        with_section(routerSettings={"routingStrategy": "least-busy", "allowedFails": 0, "maxCooldownSeconds": 86_400}),
        with_section(routerSettings={"executionPolicies": {"rerank": {"stream": {"idleMs": None}}}}),
        with_section(server={"port": 0, "masterKey": "k"}, keys=[{"name": "a", "key": "k2"}]),
        with_section(
            routerSettings={"executionPolicies": {"chat": {"json": {"idleMs": None}, "stream": {"idleMs": 1}}}}
        ),
    ],
)
def test_the_schema_accepts_what_the_loader_accepts(config: Mapping[str, Any]) -> None:
    assert turnout.check_config(config) == []
    validator().validate(config)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"deployments": []},
        with_adapter("anthropic"),
        with_adapter("azureopenai", apiKey="k"),
        with_adapter("azureopenai", baseUrl="http://h"),
        with_adapter("openrouter", apiKey="k", version="v"),
        with_adapter("openai", apiKey="k", headers={}),
        with_adapter("openaicompatible", baseUrl="http://h", headers={"a b": "c"}),
        with_adapter("openaicompatible", baseUrl="http://h", headers={"a": ""}),
        with_adapter("vercel", apiKey="k"),
        speaking(),
        speaking("chat", "chat"),
        speaking("grpc"),
        with_deployment(transportOverrides={}),
        with_section(fallbacks={}),
        with_section(fallbacks=[{"primaryModel": "gpt", "fallbackModels": []}]),
        with_section(fallbacks=[{"primaryModel": "gpt", "reason": "bored", "fallbackModels": ["gpt"]}]),
        with_section(server={"port": 65536}),
        with_section(server={"masterKey": "a b"}),
        with_section(server={"tls": {}}),
        with_section(routerSettings={"routingStrategy": "round-robin"}),
        with_section(routerSettings={"allowedFails": -1}),
        with_section(routerSettings={"failureWindowSeconds": 0}),
        with_section(routerSettings={"cooldownSeconds": 86_401}),
        with_section(routerSettings={"executionPolicies": {"all": {}}}),
        with_section(routerSettings={"executionPolicies": {"chat": {"json": {"idleMs": 1}}}}),
        with_section(routerSettings={"executionPolicies": {"chat": {"json": {"maxAttempts": 21}}}}),
        with_section(keys=[{"name": "a"}]),
        with_deployment(weight=-1),
        with_deployment(rpmLimit=0),
        with_deployment(failureDomain=""),
        with_deployment(pricing={"inputCentsPerMTokens": -1}),
        with_deployment(pricing={"tiers": []}),
        with_deployment(executionPolicyOverrides={"chat": {"maxAttempts": 1}}),
        with_deployment(adapterKey="anthropic"),
        with_deployment(adapterKey="openai"),
        with_deployment(credentials={}),
        with_deployment(credentials={"baseUrl": "ftp://h"}),
        with_deployment(credentials={"baseUrl": "http://user@h"}),
        with_deployment(label=""),
        with_deployment(label="a\nb"),
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(config: Mapping[str, Any]) -> None:
    assert turnout.check_config(config) != []
    assert not validator().is_valid(config)


def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
