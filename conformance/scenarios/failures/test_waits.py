"""How long a failed answer asks to wait, in every form that providers have, as the caller is told it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Body, Headers, Status, chat

ONCE = policies(json={"maxAttempts": 1})
DATE = {"Date": "Sun, 06 Nov 1994 08:49:37 GMT"}
"""The answer's own, so that the dates beside it mean the same at any time."""


def google(delay: str, quota: str = "GenerateRequestsPerMinutePerProjectPerModel") -> dict[str, Any]:
    details = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
    ]
    return {"error": {"code": 429, "message": "x", "status": "RESOURCE_EXHAUSTED", "details": details}}


def sentence(message: str) -> dict[str, Any]:
    return {"error": chat.error_object(message, "rate_limit_exceeded")}


def bucket(remaining: str, reset: str) -> dict[str, str]:
    return {"x-ratelimit-remaining-requests": remaining, "x-ratelimit-reset-requests": reset}


NOTHING: dict[str, Any] = {}
Waits = dict[str, tuple[dict[str, str], Any, str | None]]
"""By rule and case: the headers and the JSON body of a 429, and the caller's Retry-After."""

WAITS: Waits = {
    "WAIT-FORM-001 ms": ({"retry-after-ms": "1500", "Retry-After": "9"}, NOTHING, "2"),
    "WAIT-FORM-002 seconds": ({"Retry-After": "2"}, NOTHING, "2"),
    "WAIT-FORM-002 fraction": ({"Retry-After": "2.1"}, NOTHING, "3"),
    "WAIT-FORM-002 long": ({"Retry-After": "3600"}, NOTHING, "3600"),
    "WAIT-FORM-003 date": ({**DATE, "Retry-After": "Sun, 06 Nov 1994 08:49:39 GMT"}, NOTHING, "2"),
    "WAIT-FORM-003 RFC 850": ({**DATE, "Retry-After": "Sunday, 06-Nov-94 08:49:39 GMT"}, NOTHING, "2"),
    "WAIT-FORM-003 asctime": ({**DATE, "Retry-After": "Sun Nov  6 08:49:39 1994"}, NOTHING, "2"),
    **{
        f"WAIT-FORM-004 {value}": ({**DATE, "Retry-After": value}, NOTHING, None)
        for value in ("soon", "", "-1", "NaN", "inf", "Fri, 01 Jan 99999 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:36 GMT")
    },
    "WAIT-FORM-004 ms": ({"retry-after-ms": "-5", "Retry-After": "3"}, NOTHING, "3"),
    "WAIT-FORM-004 bucket": ({**bucket("-1", "9s")}, NOTHING, None),
    "WAIT-FORM-005 body": ({}, google("34.4s"), "35"),
    "WAIT-FORM-005 header first": ({"Retry-After": "2"}, google("34.4s"), "2"),
    "WAIT-FORM-005 garbage": ({}, google("soon"), None),
    "WAIT-FORM-006 minutes": (bucket("0", "6m0s"), NOTHING, "360"),
    "WAIT-FORM-006 ms": (bucket("0", "12ms"), NOTHING, "1"),
    "WAIT-FORM-006 date": (
        {
            **DATE,
            "anthropic-ratelimit-tokens-remaining": "0",
            "anthropic-ratelimit-tokens-reset": "1994-11-06T08:49:47Z",
        },
        NOTHING,
        "10",
    ),
    "WAIT-FORM-006 epoch": (
        {
            **DATE,
            "anthropic-ratelimit-unified-5h-status": "rejected",
            "anthropic-ratelimit-unified-5h-reset": "784111787",
        },
        NOTHING,
        "10",
    ),
    "WAIT-FORM-006 single": ({**DATE, "x-ratelimit-reset": "784111787"}, NOTHING, "10"),
    "WAIT-FORM-006 last": (
        {**bucket("0", "2s"), "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "7s"},
        NOTHING,
        "7",
    ),
    "WAIT-FORM-006 not empty": (bucket("1", "9s"), NOTHING, None),
    "WAIT-FORM-006 RetryInfo first": (bucket("0", "9s"), google("2s"), "2"),
    "WAIT-FORM-007 try again": ({}, sentence("Please try again in 9m38.016s. See x"), "579"),
    "WAIT-FORM-007 ms": ({}, sentence("Please try again in 150ms."), "1"),
    "WAIT-FORM-007 retry after": ({}, sentence("Please retry after 30 seconds."), "30"),
    "WAIT-FORM-007 bucket first": (bucket("0", "4s"), sentence("Please try again in 9s."), "4"),
    "WAIT-FORM-007 no time": ({}, sentence("Please try again in a while."), None),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.rule(name.split()[0]), id=name) for name in WAITS]
)
def test_a_form(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, name: str) -> None:
    headers, body, told = WAITS[name]
    up = upstream([Status(429), Headers(headers), Body.json(body)])
    answer = gateway(up, routerSettings=ONCE).chat()
    with check(name.split()[0]):
        assert answer.status == 429
        assert answer.header("retry-after") == told


@pytest.mark.rule("WAIT-FORM-008", "FAIL-ORDER-009")
def test_what_is_not_waited_for(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Neither a server's trouble nor an exhausted quota passes when a bucket is refilled or a sentence says so."""
    server = [Status(503), Headers(bucket("0", "9s")), Body.json({"error": {"message": "try again in 20s"}})]
    quota = [Headers(bucket("0", "9s")), *chat.failure(429, "try again in 20s", "insufficient_quota")]
    daily = [Status(429), Body.json(google("34s", "GenerateRequestsPerDayPerProjectPerModel-FreeTier"))]
    answer = gateway(upstream(server), routerSettings=ONCE).chat()
    with check("WAIT-FORM-008"):
        assert answer.status == 503
        assert answer.header("retry-after") is None
    for rule, steps in (("WAIT-FORM-008", quota), ("FAIL-ORDER-009", daily)):
        answer = gateway(upstream(steps), routerSettings=ONCE).chat()
        with check(rule):
            assert answer.status == 429
            assert answer.header("retry-after") is None
            assert answer.header("x-should-retry") == "false"
