"""What a logical request leaves in the operation log."""

from __future__ import annotations

import re

import pytest

from conformance.checks import Check
from conformance.deployments import UPSTREAM_KEY, UPSTREAM_MODEL, deployment, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import ask, last, milliseconds, rows
from conformance.session import chat_body
from fake_upstreams import Headers, Pause, Step, chat, faults, reply

OPERATION = re.compile(r"op_[0-9a-f]{16}")
DEPLOYMENT = re.compile(r"dep_[0-9a-f]{12}")
ONE_ATTEMPT = policies({"maxAttempts": 1}, {"maxAttempts": 1})


@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule("LOG-ROW-001", "LOG-ROW-002", "LOG-ROW-004")
def test_a_served_request(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool) -> None:
    whole = [chat.completion(usage=chat.tokens(3, 4))]
    frames = [chat.content("a"), chat.finish(), chat.usage(3, 4), chat.DONE]
    steps: list[Step] = [*frames] if stream else [*whole]
    up = upstream([Pause(until="go"), *steps], name="label-of-it")
    gw = gateway(up)
    client = gw.begin_chat([("x-request-id", "mine")], stream=stream)
    up.wait_request()
    gw.advance(250)
    up.release("go")
    client.response()
    listed = rows(gw)
    with check("LOG-ROW-001"):
        assert len(listed) == 1
    row = listed[0]
    with check("LOG-ROW-001"):
        assert OPERATION.fullmatch(row["id"])
        assert row["requestId"] == "mine"
        assert (row["publicModel"], row["servedModel"], row["callType"]) == ("gpt", "gpt", "chat")
        assert (row["lifecycleState"], row["outcome"], row["terminalVerified"]) == ("finished", "success", True)
        assert (row["httpStatus"], row["errorCode"]) == (200, None)
        assert row["stream"] is stream
        assert (row["degraded"], row["fallbackUsed"], row["fallbackReason"]) == (False, False, None)
        assert row["routingStrategy"] == "simple-shuffle"
        assert row["attemptCount"] == 1
        assert DEPLOYMENT.fullmatch(row["servedDeploymentId"])
        assert (row["virtualKeyId"], row["actor"], row["cacheHit"]) == (None, None, False)
    with check("LOG-ROW-004"):
        assert (row["promptTokens"], row["completionTokens"], row["totalTokens"]) == (3, 4, 7)
    with check("LOG-ROW-001"):
        assert row["durationMs"] == 250
    shown = last(gw)
    with check("LOG-ROW-002"):
        assert {name: value for name, value in shown.items() if name != "attempts"} == row
        assert shown["attempts"] == [
            {
                "index": 0,
                "deploymentId": row["servedDeploymentId"],
                "deploymentLabel": "label-of-it",
                "adapterKey": "openaicompatible",
                "publicModel": "gpt",
                "ok": True,
                "failureKind": None,
                "failureDetail": None,
                "httpStatus": None,
                "latencyMs": 250,
                "waitedMs": 0,
                "committed": stream,
                "anomalies": [],
                "circuit": None,
                "capacityUntil": None,
            }
        ]


@pytest.mark.rule("LOG-ROW-002", "LOG-ROW-003", "LOG-ROW-005")
def test_each_attempt_has_its_own_row(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first, second, third = (
        upstream(chat.failure(503)),
        upstream([faults.CloseBeforeReply()]),
        upstream(chat.completion("a")),
    )
    gw = gateway(*in_order(first, second, third))
    told = gw.chat([("x-unified-routing-metadata", "true")]).json()["unified_routing"]
    row = last(gw)
    with check("LOG-ROW-002"):
        assert [attempt["deploymentLabel"] for attempt in row["attempts"]] == [first.name, second.name, third.name]
        assert [attempt["deploymentId"] for attempt in row["attempts"]] == [
            attempt["deployment"] for attempt in told["attempts"]
        ]
        assert [attempt["index"] for attempt in row["attempts"]] == [0, 1, 2]
    with check("LOG-ROW-003"):
        assert [attempt["ok"] for attempt in row["attempts"]] == [False, False, True]
        assert [attempt["failureKind"] for attempt in row["attempts"]] == ["transient", "transient", None]
        assert [attempt["httpStatus"] for attempt in row["attempts"]] == [503, None, None]
    with check("LOG-ROW-005"):
        assert row["degraded"] is True
        assert row["attemptCount"] == 3
        assert row["servedDeploymentId"] == told["served_deployment"]


@pytest.mark.rule("LOG-CIRCUIT-001", "LOG-CIRCUIT-002")
def test_what_attempts_did_to_circuits(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    transient = upstream(chat.failure(503), chat.failure(503), chat.completion("a"))
    misconfigured = upstream(chat.failure(401))
    throttled = upstream([Headers({"retry-after": 7}), *chat.failure(429, "slow down")])
    gw = gateway(
        *(deployment(up, publicModel=name) for name, up in (("t", transient), ("c", misconfigured), ("q", throttled))),
        routerSettings={**ONE_ATTEMPT, "allowedFails": 1, "cooldownSeconds": 5, "configurationCooldownSeconds": 300},
    )
    gw.chat(model="t")
    with check("LOG-CIRCUIT-001"):
        assert last(gw)["attempts"][0]["circuit"] == {"effect": "counted", "cause": None, "until": None}
    gw.chat(model="t")
    row = last(gw)
    with check("LOG-CIRCUIT-001"):
        opened = row["attempts"][0]["circuit"]
        assert (opened["effect"], opened["cause"]) == ("opened", "transient")
        assert milliseconds(opened["until"]) - milliseconds(row["startedAt"]) == 5000
        assert row["attempts"][0]["capacityUntil"] is None
    gw.chat(model="c")
    row = last(gw)
    with check("LOG-CIRCUIT-001"):
        opened = row["attempts"][0]["circuit"]
        assert (opened["effect"], opened["cause"]) == ("opened", "configuration")
        assert milliseconds(opened["until"]) - milliseconds(row["startedAt"]) == 300_000
    gw.chat(model="q")
    row = last(gw)
    with check("LOG-CIRCUIT-002"):
        assert row["attempts"][0]["failureKind"] == "throttle"
        assert milliseconds(row["attempts"][0]["capacityUntil"]) - milliseconds(row["startedAt"]) == 7000
        assert row["attempts"][0]["circuit"] is None
    gw.advance(5000)
    gw.chat(model="t")
    with check("LOG-CIRCUIT-001"):
        assert last(gw)["attempts"][0]["circuit"] == {"effect": "closed", "cause": None, "until": None}


@pytest.mark.rule("LOG-ROW-006")
def test_failed_requests(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(
        chat.failure(400, code="bad_value", kind="invalid_request_error"),
        [chat.content("a"), faults.Close()],
    )
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    gw.chat()
    refused = last(gw)
    with check("LOG-ROW-006"):
        assert (refused["outcome"], refused["httpStatus"], refused["errorCode"]) == ("error", 400, "bad_value")
        assert (refused["servedModel"], refused["servedDeploymentId"], refused["totalTokens"]) == (None, None, None)
        assert refused["terminalVerified"] is False
        assert refused["attempts"][0]["failureKind"] == "request"
    gw.chat(stream=True)
    broken = last(gw)
    with check("LOG-ROW-006"):
        assert (broken["outcome"], broken["httpStatus"]) == ("error", 200)
        assert broken["errorCode"] == "upstream_stream_truncated"
        assert broken["attempts"][0]["committed"] is True


@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule("LOG-ROW-007")
def test_clients_that_leave(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool) -> None:
    up = upstream([faults.AcceptThenSilence()])
    gw = gateway(up)
    client = gw.begin_chat(stream=stream)
    up.wait_request()
    client.close()
    up.wait_closed()
    row = last(gw)
    with check("LOG-ROW-007"):
        assert (row["outcome"], row["httpStatus"]) == ("cancelled", 499)
        assert row["attempts"][0]["failureKind"] == "gateway"
        assert row["attempts"][0]["circuit"] is None


@pytest.mark.rule("LOG-ROW-008")
def test_requests_that_reach_no_deployment(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.failure(503))
    gw = gateway(up, routerSettings={**ONE_ATTEMPT, "allowedFails": 0})
    gw.chat()
    gw.chat([("x-request-id", "second")])
    row = last(gw)
    with check("LOG-ROW-008"):
        assert (row["requestId"], row["outcome"]) == ("second", "error")
        assert (row["httpStatus"], row["errorCode"]) == (503, "model_overloaded")
        assert row["attempts"] == []
        assert row["degraded"] is False


@pytest.mark.rule("LOG-ROW-009")
def test_what_is_no_logical_request_leaves_no_row(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(upstream())
    gw.post(b"{")
    gw.chat(model="unknown")
    gw.call("GET", "/v1/models")
    with check("LOG-ROW-009"):
        assert rows(gw) == []
        assert rows(gw) == []


@pytest.mark.rule("LOG-ROW-010")
def test_fallbacks(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    primary, spare = upstream(chat.failure(503)), upstream(chat.completion("a"))
    gw = gateway(
        primary,
        deployment(spare, publicModel="spare"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["spare"]}],
    )
    gw.chat()
    row = last(gw)
    with check("LOG-ROW-010"):
        assert (row["fallbackUsed"], row["fallbackReason"], row["degraded"]) == (True, "general", True)
        assert (row["publicModel"], row["servedModel"]) == ("gpt", "spare")
        assert [attempt["publicModel"] for attempt in row["attempts"]] == ["gpt", "spare"]


@pytest.mark.rule("LOG-ROW-011")
def test_waits_are_recorded(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.failure(503), chat.completion("a"))
    gw = gateway(up)
    client = gw.begin_chat()
    gw.advance(10_000, until_armed="wait")
    client.response()
    row = last(gw)
    with check("LOG-ROW-011"):
        first, second = (attempt["waitedMs"] for attempt in row["attempts"])
        assert first == 0
        assert 500 <= second <= 10_000


@pytest.mark.rule("LOG-ANOMALY-001")
def test_anomalies_are_on_the_attempt(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first, second = upstream(chat.failure(503)), upstream([chat.content("a"), chat.finish(), chat.usage()])
    gw = gateway(*in_order(first, second))
    gw.chat(stream=True)
    row = last(gw)
    with check("LOG-ANOMALY-001"):
        assert [attempt["anomalies"] for attempt in row["attempts"]] == [[], ["missing_done"]]
        assert row["outcome"] == "success"


@pytest.mark.rule("LOG-SECRET-001", "LOG-ROW-012")
def test_nothing_secret_is_in_a_row(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    texts = ["the-prompt", "the-answer", "the-message"]
    secrets = ["client-secret", "master-secret", UPSTREAM_KEY, UPSTREAM_MODEL, *texts]
    first = upstream(chat.failure(503, f"the-message {UPSTREAM_KEY}"))
    second = upstream(reply(chat.completion("the-answer")))
    gw = gateway(
        *in_order(first, second),
        keys=[{"name": "demo", "key": "client-secret"}],
        server={"masterKey": "master-secret"},
    )
    master = [("x-api-key", "master-secret")]
    client = [("authorization", "Bearer client-secret")]
    gw.post(chat_body(messages=[{"role": "user", "content": "the-prompt"}]), client)
    listed = ask(gw, headers=master)
    row = listed.json()["data"][0]
    shown = ask(gw, "/" + row["id"], headers=master)
    for secret in secrets:
        with check("LOG-SECRET-001"):
            assert secret.encode() not in listed.raw
            assert secret.encode() not in shown.raw
    with check("LOG-ROW-012"):
        assert row["actor"] == "demo"
