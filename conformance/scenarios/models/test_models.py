"""The list of public models."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory


@pytest.mark.rule(
    "MOD-LIST-001", "MOD-LIST-002", "MOD-LIST-003", "MOD-LIST-004", "MOD-GET-001", "MOD-GET-002", "MOD-GET-003"
)
def test_public_models_are_listed(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream()
    gw = gateway(
        deployment(up),
        deployment(up, label="b", enabled=False),
        deployment(up, label="c", weight=0),
        deployment(up, publicModel="org/model:x"),
        deployment(up, publicModel="off", enabled=False),
        deployment(up, publicModel="a b?c"),
    )
    answer = gw.call("GET", "/v1/models")
    rows = answer.json()["data"]
    names = [row["id"] for row in rows]
    with check("MOD-LIST-001"):
        assert answer.status == 200
        assert answer.header("content-type") == "application/json"
        assert answer.json()["object"] == "list"
        assert sorted(names) == ["a b?c", "gpt", "org/model:x"]
    with check("MOD-LIST-002"):
        for row in rows:
            assert row["object"] == "model"
            assert isinstance(row["created"], int)
            assert isinstance(row["owned_by"], str)
    with check("MOD-LIST-003"):
        assert names.count("gpt") == 1
    with check("MOD-LIST-004"):
        assert "off" not in names
    with check("MOD-GET-001"):
        one = gw.call("GET", "/v1/models/gpt")
        assert one.status == 200
        assert one.json() == rows[names.index("gpt")]
    for path in ("nobody", "off", "gpt%2Fx", "gp"):
        missing = gw.call("GET", f"/v1/models/{path}")
        with check("MOD-GET-002"):
            assert missing.status == 404, path
            assert missing.error()["code"] == "model_not_found", path
    for path, name in (("org%2Fmodel:x", "org/model:x"), ("org%2fmodel%3Ax", "org/model:x"), ("a%20b%3Fc", "a b?c")):
        with check("MOD-GET-003"):
            assert gw.call("GET", f"/v1/models/{path}").json()["id"] == name, path


@pytest.mark.rule("MOD-GET-004")
def test_a_broken_encoding_names_no_model(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(deployment(upstream()))
    for name in ("%zz", "gpt%", "gpt%4", "%g1x", "org%2Fgpt%2"):
        for below in ("", "/deployments"):
            broken = gw.call("GET", f"/v1/models/{name}{below}")
            with check("MOD-GET-004"):
                assert broken.status == 400, name
                assert (broken.error()["code"], broken.error()["param"]) == ("invalid_value", "model"), name
                assert name not in broken.error()["message"], name
        told = gw.call("GET", f"/v1/models/{name}", headers=[("anthropic-version", "2023-06-01")])
        with check("MOD-GET-004"):
            assert told.status == 400, name
            assert told.json()["type"] == "error", name
            assert told.json()["error"]["type"] == "invalid_request_error", name
    for name in ("%67pt", "gpt"):
        with check("MOD-GET-004"):
            assert gw.call("GET", f"/v1/models/{name}").status == 200, name
