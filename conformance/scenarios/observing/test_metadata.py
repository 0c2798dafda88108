"""unified_routing: what happened, for clients that ask."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents, payloads
from fake_upstreams import Body, chat, faults

ASK = [("x-unified-routing-metadata", "true")]
MEMBERS = {
    "served_model",
    "routing_strategy",
    "unsupported_parameter_strategy",
    "fallback_used",
    "attempt_count",
    "served_deployment",
    "attempts",
}
DEPLOYMENT = re.compile(r"dep_[0-9a-f]{12}")


def assert_metadata(check: Check, shown: dict[str, Any], errors: list[tuple[str, int | None]]) -> None:
    """Checks the metadata of a request whose attempts failed as `errors` say, and one more served."""
    with check("OBS-META-004"):
        assert set(shown) == MEMBERS
        assert shown["served_model"] == "gpt"
        assert shown["unsupported_parameter_strategy"] == "drop"
        assert shown["attempt_count"] == len(errors) + 1
    with check("OBS-META-005"):
        assert shown["routing_strategy"] == "simple-shuffle"
    with check("OBS-META-009"):
        assert shown["fallback_used"] is False
    attempts = shown["attempts"]
    with check("OBS-META-007"):
        assert len(attempts) == len(errors) + 1
        assert [row["ok"] for row in attempts] == [False] * len(errors) + [True]
        indexes = [row["index"] for row in attempts]
        assert indexes == list(range(indexes[0], indexes[0] + len(attempts)))
        assert all(isinstance(row["latency_ms"], int | float) and row["latency_ms"] >= 0 for row in attempts)
    with check("OBS-META-008"):
        assert [(row.get("error_class"), row.get("http_status")) for row in attempts[:-1]] == errors
        assert "error_class" not in attempts[-1]
    with check("OBS-META-006"):
        assert shown["served_deployment"] == attempts[-1]["deployment"]
    with check("OBS-META-010"):
        names = [row["deployment"] for row in attempts]
        assert all(DEPLOYMENT.fullmatch(name) for name in names)
        assert len(set(names)) == len(names)


RULES = [f"OBS-META-{number:03}" for number in (4, 5, 6, 7, 8, 9, 10)]
FAILURES: list[tuple[str, int | None]] = [("transient", 503), ("transient", None)]


@pytest.mark.rule(*RULES, "OBS-META-001", "OBS-META-003", "OBS-META-012")
def test_json_answers(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first = upstream(chat.failure(503), chat.failure(503))
    second = upstream([faults.CloseBeforeReply()], [faults.CloseBeforeReply()])
    third = upstream(chat.completion("b"), chat.completion("b"))
    gw = gateway(*in_order(first, second, third))
    plain, told = gw.chat(), gw.chat(ASK)
    with check("OBS-META-003"):
        assert b"unified_routing" not in plain.raw
    with check("OBS-META-001"):
        assert isinstance(told.json()["unified_routing"], dict)
    assert_metadata(check, told.json()["unified_routing"], FAILURES)
    with check("OBS-META-012"):
        rest = {name: value for name, value in told.json().items() if name != "unified_routing"}
        assert rest == plain.json()
        assert told.body.startswith(plain.body.rstrip(b"}\n")) or plain.body[1:] in told.body


@pytest.mark.rule(*RULES, "OBS-META-002", "OBS-META-003")
def test_streams(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first = upstream(chat.failure(503), chat.failure(503))
    second = upstream([faults.CloseBeforeReply()], [faults.CloseBeforeReply()])
    third = upstream(chat.stream("b"), chat.stream("b"))
    gw = gateway(*in_order(first, second, third))
    plain, told = gw.chat(stream=True), gw.chat(ASK, stream=True)
    with check("OBS-META-003"):
        assert b"unified_routing" not in plain.body
    with check("OBS-META-002"):
        extra = payloads(told)[-1]
        assert extra["choices"] == []
        assert told.events[-1].is_done
        assert told.events[-2].json() == extra
        assert told.events[:-2] == plain.events[:-1]
        assert contents(told) == "b"
    assert_metadata(check, payloads(told)[-1]["unified_routing"], FAILURES)


@pytest.mark.rule("OBS-META-012")
def test_an_odd_answer_stays_as_it_is(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    odd = b'{ "model":"gpt" , "choices":[], "x":1.00, "unified":"}" }'
    up = upstream([Body(odd, "application/json")], [Body(odd, "application/json")])
    gw = gateway(up)
    told = gw.chat(ASK)
    shown = json.dumps(told.json()["unified_routing"], separators=(",", ":")).encode()
    with check("OBS-META-012"):
        assert b'{ "model":"gpt" , "choices":[], "x":1.00, "unified":"}"' in told.body
        assert shown in told.body
        assert gw.chat().body == odd


@pytest.mark.rule("OBS-META-003", "OBS-META-011")
def test_errors_and_other_values_show_nothing(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.failure(500), chat.failure(400), chat.completion("a"), chat.completion("a"))
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    for answer in (gw.chat(ASK), gw.chat(ASK), gw.chat(ASK, model="nobody")):
        with check("OBS-META-011"):
            assert answer.status >= 400
            assert b"unified_routing" not in answer.raw
    for value in ("false", "0"):
        with check("OBS-META-003"):
            assert b"unified_routing" not in gw.chat([("x-unified-routing-metadata", value)]).raw, value


@pytest.mark.rule("OBS-META-010")
def test_deployments_keep_their_names(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The same for every request of one configuration, and nothing of the operator's labels in them."""
    up = upstream(*(chat.completion("a") for _ in range(3)), name="secret-label")
    gw = gateway(up)
    answers = [gw.chat(ASK) for _ in range(3)]
    with check("OBS-META-010"):
        assert len({answer.json()["unified_routing"]["served_deployment"] for answer in answers}) == 1
        assert b"secret-label" not in answers[0].raw
