"""The official openai SDK for Node as the client of the Responses protocol."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import joined, output_text, speaking
from conformance.sdk.errors import RAISED
from conformance.sdk.messages_cases import advance_silently
from conformance.sdk.node import GUARD_SECONDS, NodeSdk
from conformance.sdk.test_openai_responses import CALL, MESSAGE, STREAMS
from fake_upstreams import Body, Pause, Step, chat, faults, responses

STORED_CALLS = ("retrieve", "inputItems.list", "cancel", "delete")


@pytest.mark.rule("RSP-NODE-001")
def test_responses_and_streams(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    calls = responses.numbered(*responses.began(), *responses.call("look_up", '{"a"', ":1}"), responses.completed(CALL))
    up = upstream([responses.answer("hello")], responses.stream("hel", "lo"), calls)
    sdk = NodeSdk(gateway(*speaking(up)))
    answered = sdk.call("responses.create", model="gpt")
    streamed = sdk.call("responses.stream", model="gpt")
    called = sdk.call("responses.helper", model="gpt")
    with check("RSP-NODE-001"):
        assert answered.error is None
        assert (answered.result["output_text"], answered.result["model"]) == ("hello", "gpt")
        assert streamed.error is None
        assert joined(streamed.chunks) == "hello"
        assert streamed.chunks[-1]["response"]["usage"]["total_tokens"] == 2
        assert called.error is None
        assert (called.result["output"][0]["name"], called.result["output"][0]["arguments"]) == ("look_up", '{"a":1}')


@pytest.mark.rule("RSP-NODE-005")
def test_conversations(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    first, second = upstream(chat.failure(500)), upstream([responses.answer("one")], responses.stream("two"))
    sdk = NodeSdk(gateway(*speaking(first, second)))
    one = sdk.call("responses.create", model="gpt")
    two = sdk.call("responses.helper", model="gpt", previous_response_id=one.result["id"])
    lost = sdk.call("responses.create", model="gpt", previous_response_id="resp_lost")
    with check("RSP-NODE-005"):
        assert two.error is None
        assert output_text(two.result) == "two"
        assert second.requests[1].json["previous_response_id"] == responses.ID
        assert len(first.requests) == 1
        assert lost.error is not None
        assert (lost.error["status"], lost.error["code"]) == (400, "previous_response_not_found")


@pytest.mark.rule("RSP-NODE-007", "RSP-STORED-001", "RSP-STORED-002", "RSP-STORED-003", "RSP-STORED-004")
def test_stored_responses(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Found ones, then ids that lead nowhere, then one that the upstream has forgotten."""
    items = {"object": "list", "data": [MESSAGE], "first_id": "msg_1", "last_id": "msg_1", "has_more": False}
    gone = {"id": responses.ID, "object": "response.deleted", "deleted": True}
    forgotten = chat.failure(404, f"Response with id '{responses.ID}' not found.", kind="invalid_request_error")
    found = ([body] for body in (*[responses.answer("one")] * 3, Body.json(items), Body.json(gone)))
    up, other = upstream(*found, *[forgotten] * len(STORED_CALLS)), upstream(chat.failure(500))
    sdk = NodeSdk(gateway(*speaking(other, up)))
    one = sdk.call("responses.create", model="gpt").result["id"]
    read, cancelled = sdk.stored("retrieve", one), sdk.stored("cancel", one)
    listed, deleted = sdk.stored("inputItems.list", one), sdk.stored("delete", one)
    path = f"/v1/responses/{responses.ID}"
    with check("RSP-NODE-007"):
        assert [outcome.error for outcome in (read, cancelled, listed, deleted)] == [None] * 4
        assert deleted.result == {**gone, "id": one}
    with check("RSP-STORED-001"):
        assert [(request.method, request.target, request.body) for request in up.requests[1:]] == [
            ("GET", path, b""), ("POST", f"{path}/cancel", b""), ("GET", f"{path}/input_items", b""),
            ("DELETE", path, b""),
        ]  # fmt: skip
        assert len(other.requests) == 1
    with check("RSP-STORED-002"):
        for answered in (read.result, cancelled.result):
            assert (answered["id"], answered["model"], output_text(answered)) == (one, "gpt", "one")
        assert [item["id"] for item in listed.chunks] == [MESSAGE["id"]]
    for call in STORED_CALLS:
        lost = sdk.stored(call, "resp_lost")
        with check("RSP-NODE-007", "RSP-STORED-003"):
            assert lost.error is not None, call
            assert (lost.error["name"], lost.error["status"]) == ("NotFoundError", 404), call
            assert (lost.error["code"], lost.error["param"]) == ("response_not_found", "response_id"), call
            assert lost.error["request_id"], call
    for call in STORED_CALLS:
        unknown = sdk.stored(call, one)
        with check("RSP-NODE-007", "RSP-STORED-004"):
            assert unknown.error is not None, call
            assert (unknown.error["name"], unknown.error["type"]) == ("NotFoundError", "invalid_request_error"), call
            assert unknown.error["message"] == f"404 Response with id '{one}' not found.", call


@pytest.mark.rule("RSP-NODE-002")
def test_the_stream_helper(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Whole, and without the parts that the helper cannot do without."""
    sdk = NodeSdk(gateway(*speaking(upstream(*STREAMS.values()))))
    for case in STREAMS:
        helped = sdk.call("responses.helper", model="gpt")
        with check("RSP-NODE-002"):
            assert helped.error is None, case
            assert output_text(helped.result) == "hello", case
            assert helped.result["status"] == "completed", case


@pytest.mark.rule("RSP-NODE-003")
def test_each_failure_has_its_exception(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    asked = [
        deployment(upstream(case.answer, name=case.name), publicModel=case.name, adapterKey="openai")
        for case in RAISED
        if case.answer
    ]
    gw = gateway(*asked, keys=[{"name": "demo", "key": "right"}], routerSettings=ONE_ATTEMPT)
    for case in RAISED:
        outcome = NodeSdk(gw, case.key).call("responses.create", model=case.name)
        with check("RSP-NODE-003"):
            assert outcome.error is not None, case
            assert outcome.error["name"] == case.raises, case
            assert outcome.error["status"] == case.status, case
            assert outcome.error["code"] == case.code, case
            assert outcome.error["request_id"], case


@pytest.mark.rule("RSP-NODE-004")
def test_an_upstream_that_fails_in_a_stream(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Before commit nobody notices; after it the caller has what came, and an error with a code."""
    began = [*responses.began(), *responses.message("hel")[:3]]
    ends: list[tuple[Step, str]] = [
        (faults.Reset(), "upstream_stream_truncated"),
        (responses.error("worker died", "gpu_lost"), "gpu_lost"),
        (responses.failed("gpu_lost", "worker died"), "gpu_lost"),
    ]
    early = [*responses.numbered(*responses.began()), faults.Reset()]
    first = upstream(early, *(responses.numbered(*began, end) for end, _ in ends))
    sdk = NodeSdk(gateway(*speaking(first, upstream(responses.stream("hel", "lo")))))
    whole = sdk.call("responses.stream", model="gpt")
    with check("RSP-NODE-004"):
        assert whole.error is None
        assert joined(whole.chunks) == "hello"
    for _, code in ends:
        cut = sdk.call("responses.stream", model="gpt")
        with check("RSP-NODE-004"):
            assert joined(cut.chunks) == "hel", code
            assert cut.error is not None, code
            assert cut.error["code"] == code


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("RSP-NODE-006")
def test_a_long_silence(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """25 s before the first event and 25 s within the stream: only comments come meanwhile."""
    whole = responses.stream("hel", "lo")
    up = upstream([Pause(until="begin"), *whole[:5], Pause(until="go on"), *whole[5:]])
    gw = gateway(*speaking(up))
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(NodeSdk(gw).call, "responses.helper", model="gpt")
        advance_silently(gw, up, "begin", "go on")
        outcome = answer.result(GUARD_SECONDS)
    with check("RSP-NODE-006"):
        assert outcome.error is None
        assert output_text(outcome.result) == "hello"
