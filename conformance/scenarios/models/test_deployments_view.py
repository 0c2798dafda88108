"""How the deployments behind a public model are doing."""

from __future__ import annotations

import json

import pytest

from conformance.checks import Check
from conformance.deployments import UPSTREAM_KEY, UPSTREAM_MODEL, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Pause, chat


@pytest.mark.rule("MOD-VIEW-001", "MOD-VIEW-002", "MOD-VIEW-003", "MOD-VIEW-004", "MOD-VIEW-005", "MOD-VIEW-008")
def test_the_view_shows_every_enabled_deployment(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    prices = {"inputCentsPerMTokens": 500, "outputCentsPerMTokens": 0}
    gw = gateway(
        deployment(up, label="secret-label", weight=3, rpmLimit=10, tpmLimit=2000, pricing=prices),
        deployment(up, label="off", enabled=False),
        deployment(up, label="other", weight=0),
        deployment(up, label="elsewhere", publicModel="another"),
    )
    answer = gw.call("GET", "/v1/models/gpt/deployments")
    rows = answer.json()["data"]
    with check("MOD-VIEW-001"):
        assert answer.status == 200
        assert answer.json()["object"] == "list"
        assert [row["weight"] for row in rows] == [3, 0]
    with check("MOD-VIEW-002"):
        assert {row["object"] for row in rows} == {"model.deployment"}
        assert {row["model"] for row in rows} == {"gpt"}
        assert {row["provider"] for row in rows} == {"openaicompatible"}
        assert [row["limits"] for row in rows] == [{"rpm": 10, "tpm": 2000}, {"rpm": None, "tpm": None}]
        assert all(row["id"].startswith("dep_") and len(row["id"]) == 16 for row in rows)
        assert rows[0]["id"] != rows[1]["id"]
    with check("MOD-VIEW-003"):
        assert [(row["status"], row["retry_after_ms"]) for row in rows] == [("available", None)] * 2
    fresh = {"inflight": 0, "rpm": 0, "tpm": 0, "health_score": 0.5, "latency_ms": None, "throughput_tps": None}
    with check("MOD-VIEW-004"):
        assert [row["metrics"] for row in rows] == [fresh, fresh]
    with check("MOD-VIEW-005"):
        assert rows[0]["pricing"] == {"prompt": "0.000005", "completion": "0"}
        assert rows[1]["pricing"] == {"prompt": None, "completion": None}
    with check("MOD-VIEW-008"):
        for secret in (UPSTREAM_KEY, UPSTREAM_MODEL, "secret-label", up.base_url):
            assert secret not in json.dumps(answer.json())


@pytest.mark.rule("MOD-VIEW-004")
@pytest.mark.needs("virtual_time")
def test_the_view_shows_what_routing_has_measured(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """One answer of 15 tokens that takes two seconds, while nothing else is under way."""
    up = upstream([Pause(until="two seconds"), chat.completion("a", usage=chat.tokens(10, 5))])
    gw = gateway(up)
    client = gw.begin_chat()
    up.wait_request()
    with check("MOD-VIEW-004"):
        assert gw.deployments()[0]["metrics"]["inflight"] == 1
    gw.advance(2000, until_armed="response")
    up.release("two seconds")
    client.response()
    metrics = gw.deployments()[0]["metrics"]
    with check("MOD-VIEW-004"):
        assert (metrics["inflight"], metrics["rpm"], metrics["tpm"]) == (0, 1, 15)
        assert metrics["health_score"] == 1.0
        assert metrics["latency_ms"] == 2000
        assert metrics["throughput_tps"] == 2.5


@pytest.mark.rule("MOD-VIEW-006", "MOD-VIEW-007")
def test_the_view_is_for_key_holders_and_known_models(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    gw = gateway(up, deployment(up, publicModel="off", enabled=False), keys=[{"name": "k", "key": "client-key"}])
    with check("MOD-VIEW-006"):
        assert gw.call("GET", "/v1/models/gpt/deployments").status == 401
        assert gw.call("GET", "/v1/models/gpt/deployments", headers=[("x-api-key", "client-key")]).status == 200
    for path in ("nobody", "off"):
        missing = gw.call("GET", f"/v1/models/{path}/deployments", headers=[("x-api-key", "client-key")])
        with check("MOD-VIEW-007"):
            assert missing.status == 404, path
            assert missing.error()["code"] == "model_not_found", path
