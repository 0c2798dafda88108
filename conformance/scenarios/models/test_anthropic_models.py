"""The list of public models for Anthropic's clients."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.contracts import is_in_its_shape
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import ANTHROPIC, Session

VERSION = [("anthropic-version", "2023-06-01")]


def listed(gateway: Session, query: str = "") -> Response:
    return gateway.call("GET", "/v1/models" + query, headers=VERSION)


def ids(page: dict[str, Any]) -> list[str]:
    return [entry["id"] for entry in page["data"]]


@pytest.mark.rule("MOD-ANTHROPIC-001", "MOD-ANTHROPIC-004")
def test_models_have_anthropics_shape_for_its_clients(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    gw = gateway(deployment(up), deployment(up, publicModel="org/model:x"), keys=[{"name": "k", "key": "sk-1"}])
    page = listed(gw).json()
    entry = {"type": "model", "display_name": "gpt", "id": "gpt", "created_at": "1970-01-01T00:00:00Z"}
    with check("MOD-ANTHROPIC-001"):
        assert set(page) == {"data", "has_more", "first_id", "last_id"}
        assert page["data"][0] == entry
        assert (ids(page), page["has_more"]) == (["gpt", "org/model:x"], False)
        assert (page["first_id"], page["last_id"]) == ("gpt", "org/model:x")
        assert gw.call("GET", "/v1/models").json()["object"] == "list"
    one = gw.call("GET", "/v1/models/org%2Fmodel:x", headers=[*VERSION, ("x-request-id", "mine")])
    with check("MOD-ANTHROPIC-004"):
        assert one.json() == {**entry, "id": "org/model:x", "display_name": "org/model:x"}
        assert one.header("request-id") == "mine"
        for answer in (
            gw.call("GET", "/v1/models/nobody", headers=VERSION),
            gw.call("DELETE", "/v1/models/gpt", headers=VERSION),
            gw.call("POST", "/v1/models", b"{}", headers=VERSION),
        ):
            assert answer.status in (404, 405)
            assert is_in_its_shape(ANTHROPIC, answer), answer.raw
        assert set(gw.call("GET", "/v1/models/nobody").json()) == {"error"}


@pytest.mark.rule("MOD-ANTHROPIC-002")
def test_models_come_in_pages(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream()
    names = [f"m{number:02}" for number in range(21)]
    gw = gateway(*(deployment(up, label=name, publicModel=name) for name in names))
    for query, shown, more in (
        ("", names[:20], True),
        ("?limit=21", names, False),
        ("?limit=20", names[:20], True),
        ("?limit=1000", names, False),
        ("?limit=1", names[:1], True),
        ("?after_id=m19", names[20:], False),
        ("?after_id=m20", [], False),
        ("?after_id=m00&limit=19", names[1:20], True),
        ("?after_id=m00&limit=20", names[1:], False),
        ("?before_id=m00", [], False),
        ("?before_id=m20", names[:20], False),
        ("?before_id=m20&limit=19", names[1:20], True),
        ("?before_id=m%300&limit=3&unknown=1", [], False),
    ):
        page = listed(gw, query).json()
        with check("MOD-ANTHROPIC-002"):
            assert (ids(page), page["has_more"]) == (shown, more), query
            ends = (shown[0], shown[-1]) if shown else (None, None)
            assert (page["first_id"], page["last_id"]) == ends, query


@pytest.mark.rule("MOD-ANTHROPIC-003")
def test_pages_that_cannot_be_meant_are_refused(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(upstream())
    for query, parameter in (
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=-1", "limit"),
        ("limit=two", "limit"),
        ("limit=", "limit"),
        ("limit=1&limit=2", "limit"),
        ("after_id=nobody", "after_id"),
        ("after_id=", "after_id"),
        ("before_id=nobody", "before_id"),
        ("after_id=gpt&before_id=gpt", "before_id"),
    ):
        answer = listed(gw, "?" + query)
        with check("MOD-ANTHROPIC-003"):
            assert answer.status == 400, query
            assert is_in_its_shape(ANTHROPIC, answer), answer.raw
            assert answer.error()["message"].startswith(parameter + ": "), query
    with check("MOD-ANTHROPIC-003"):
        assert listed(gw, "?limit=%zz").status == 400
