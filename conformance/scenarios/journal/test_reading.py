"""Reading the operation log."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import LOGS, ask, last, milliseconds, rows
from conformance.session import Session
from fake_upstreams import chat, reply


def served(upstream: UpstreamFactory, gateway: GatewayFactory, count: int) -> Session:
    """A gateway that has served requests with the ids "0", "1" and so on."""
    gw = gateway(upstream(reply(chat.completion("a"), times=None)))
    for number in range(count):
        gw.chat([("x-request-id", str(number))])
    return gw


def request_ids(gateway: Session, **parameters: Any) -> list[str]:
    return [row["requestId"] for row in rows(gateway, **parameters)]


@pytest.mark.rule("LOG-READ-001", "LOG-READ-002", "LOG-READ-003")
def test_pages(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = served(upstream, gateway, 51)
    with check("LOG-READ-001"):
        answer = ask(gw)
        assert answer.status == 200
        assert answer.header("content-type") == "application/json"
        assert set(answer.json()) == {"data", "pagination"}
        assert answer.json()["pagination"] == {"limit": 50, "offset": 0, "total": 51, "nextOffset": 50}
    with check("LOG-READ-002"):
        assert request_ids(gw) == [str(number) for number in range(50, 0, -1)]
        assert request_ids(gw, offset=50) == ["0"]
    for offset, found, following in ((49, ["1"], 50), (50, ["0"], None), (51, [], None)):
        with check("LOG-READ-003"):
            page = ask(gw, limit=1, offset=offset).json()
            assert [row["requestId"] for row in page["data"]] == found
            assert page["pagination"] == {"limit": 1, "offset": offset, "total": 51, "nextOffset": following}
    with check("LOG-READ-003"):
        assert len(rows(gw, limit=500)) == 51


@pytest.mark.rule("LOG-READ-004")
def test_one_row(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = served(upstream, gateway, 2)
    with check("LOG-READ-004"):
        for row in rows(gw):
            assert ask(gw, "/" + row["id"]).json()["data"]["requestId"] == row["requestId"]
    for other in ("op_0000000000000001", "op_7fffffffffffffff", "nothing", "0"):
        with check("LOG-READ-004"):
            answer = ask(gw, "/" + other)
            assert (answer.status, answer.error()["code"]) == (404, "not_found"), other


@pytest.mark.rule("LOG-READ-005")
def test_bad_parameters_are_named(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream())
    for name, value in (
        ("limit", "0"),
        ("limit", "501"),
        ("offset", "-1"),
        ("outcome", "fine"),
        ("stream", "1"),
        ("degraded", ""),
        ("failureKind", "timeout"),
        ("deploymentId", "upstream-1"),
        ("minDurationMs", "fast"),
        ("maxDurationMs", "1.5"),
        ("start", "today"),
        ("end", "2026-02-30T00:00:00Z"),
        ("virtualKeyId", "x"),
        ("Limit", "1"),
    ):
        with check("LOG-READ-005"):
            answer = gw.call("GET", f"{LOGS}?{name}={value}")
            assert (answer.status, answer.error()["param"]) == (400, name), value
    for path in (LOGS, f"{LOGS}/op_0000000000000001"):
        with check("LOG-READ-005"):
            answer = gw.call("GET", f"{path}?limit=%zz")
            assert answer.status == 400
            assert "encoding of the query" in answer.error()["message"]


@pytest.mark.rule("LOG-READ-006")
def test_filters(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first = upstream(chat.failure(503), reply(chat.completion("a"), times=None))
    second = upstream(chat.completion("b"))
    third = upstream(chat.stream("c"))
    gw = gateway(*in_order(first, second), deployment(third, publicModel="other"))
    gw.chat([("x-request-id", "degraded")])
    gw.advance(1000)
    gw.chat([("x-request-id", "plain")])
    gw.advance(1000)
    gw.chat([("x-request-id", "stream")], model="other", stream=True)
    plain = next(row for row in rows(gw) if row["requestId"] == "plain")
    began = milliseconds(plain["startedAt"])
    for parameters, found in (
        ({"requestId": "plain"}, ["plain"]),
        ({"publicModel": "other"}, ["stream"]),
        ({"publicModel": "gpt"}, ["plain", "degraded"]),
        ({"deploymentId": plain["servedDeploymentId"]}, ["plain", "degraded"]),
        ({"deploymentId": last(gw)["servedDeploymentId"]}, ["stream"]),
        ({"adapterKey": "openaicompatible"}, ["stream", "plain", "degraded"]),
        ({"adapterKey": "openai"}, []),
        ({"callType": "chat"}, ["stream", "plain", "degraded"]),
        ({"callType": "embeddings"}, []),
        ({"outcome": "success"}, ["stream", "plain", "degraded"]),
        ({"outcome": "error"}, []),
        ({"degraded": "true"}, ["degraded"]),
        ({"degraded": "false"}, ["stream", "plain"]),
        ({"stream": "true"}, ["stream"]),
        ({"failureKind": "transient"}, ["degraded"]),
        ({"failureKind": "throttle"}, []),
        ({"start": began}, ["stream", "plain"]),
        ({"start": began + 1}, ["stream"]),
        ({"start": plain["startedAt"]}, ["stream", "plain"]),
        ({"end": began}, ["degraded"]),
        ({"end": began + 1}, ["plain", "degraded"]),
        ({"minDurationMs": 0, "maxDurationMs": 0}, ["stream", "plain", "degraded"]),
        ({"minDurationMs": 1}, []),
        ({"publicModel": "gpt", "degraded": "false"}, ["plain"]),
    ):
        with check("LOG-READ-006"):
            assert request_ids(gw, **parameters) == found, parameters


KEYS = [{"name": "demo", "key": "client-key"}]


@pytest.mark.rule("LOG-AUTH-001", "LOG-AUTH-002")
def test_keys(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(), keys=KEYS, server={"masterKey": "master-key"})
    for path in ("", "/op_0000000000000001"):
        for header in (("authorization", "Bearer master-key"), ("x-api-key", "master-key")):
            with check("LOG-AUTH-001"):
                assert ask(gw, path, [header]).status in (200, 404)
        for headers in (
            [],
            [("authorization", "Bearer client-key")],
            [("x-api-key", "client-key")],
            [("x-api-key", "wrong")],
        ):
            with check("LOG-AUTH-002"):
                answer = ask(gw, path, headers)
                assert (answer.status, answer.error()["code"]) == (401, "invalid_api_key")
    with check("LOG-AUTH-002"):
        assert ask(gw, key="master-key").status == 401


@pytest.mark.rule("LOG-AUTH-002", "LOG-AUTH-003")
def test_without_a_master_key(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    with check("LOG-AUTH-002"):
        assert ask(gateway(upstream(), keys=KEYS), headers=[("x-api-key", "client-key")]).status == 401
    with check("LOG-AUTH-003"):
        assert ask(gateway(upstream())).status == 200


@pytest.mark.rule("LOG-READ-007")
def test_other_methods(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream())
    for method in ("POST", "DELETE", "PUT", "PATCH"):
        for path in (LOGS, LOGS + "/op_0000000000000001"):
            with check("LOG-READ-007"):
                answer = gw.call(method, path, b"{}")
                assert answer.status == 405
                assert answer.header("allow") == "GET, HEAD"
    with check("LOG-READ-007"):
        assert gw.call("HEAD", LOGS).status == 200
