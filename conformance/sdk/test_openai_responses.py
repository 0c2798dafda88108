"""The official openai SDK as the client of the Responses protocol, synchronous and asynchronous."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter
from typing import Any

import openai
import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import speaking
from conformance.sdk.clients import both
from conformance.sdk.errors import RAISED
from conformance.sdk.openai_client import openai_clients
from conformance.session import Session
from fake_upstreams import Body, Pause, Step, chat, faults, responses

MESSAGE = responses.message_item("hello")
CALL = responses.call_item("look_up", '{"a":1}')
TOOLS: Any = [{"type": "function", "name": "look_up", "parameters": {"type": "object", "properties": {}}}]


class Sdk:
    """Responses."""

    def __init__(self, kind: str, gateway: Session, key: str = "none", **client: Any) -> None:
        self._clients = openai_clients(kind, gateway, key, **client)

    def create(self, **members: Any) -> Any:
        """responses.create without stream."""
        return self._clients.run(lambda client: client.responses.create(input="hi", **members))

    def stored(self, call: str, response_id: str) -> Any:
        """responses.CALL of one response."""
        return self._clients.run(lambda client: attrgetter(call)(client.responses)(response_id))

    def events(self, **members: Any) -> tuple[list[Any], openai.APIError | None]:
        """The events of a stream, and the error that ended it."""
        return self._clients.read(lambda client: client.responses.create(input="hi", stream=True, **members))

    def helper(self, **members: Any) -> Any:
        """The final response of the stream helper."""
        return self._clients.help(
            lambda client: client.responses.stream(input="hi", **members), lambda stream: stream.get_final_response()
        )


def joined(events: list[Any]) -> str:
    """The text of a stream."""
    return "".join(event.delta for event in events if event.type == "response.output_text.delta")


@both
@pytest.mark.rule("RSP-SDK-001", "RSP-SDK-002")
def test_responses_and_streams(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    sdk = Sdk(client_kind, gateway(*speaking(upstream([responses.answer("hello")], responses.stream("hel", "lo")))))
    response = sdk.create(model="gpt")
    with check("RSP-SDK-001"):
        assert response.output_text == "hello"
        assert response.model == "gpt"
        assert response.usage.total_tokens == 2
    events, error = sdk.events(model="gpt")
    with check("RSP-SDK-002"):
        assert error is None
        assert joined(events) == "hello"
        assert events[-1].type == "response.completed"
        assert events[-1].response.model == "gpt"
        assert events[-1].response.usage.total_tokens == 2


@both
@pytest.mark.rule("RSP-SDK-008")
def test_conversations(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    """The second turn is streamed, the third names an id that nobody gave out."""
    first, second = upstream(chat.failure(500)), upstream([responses.answer("one")], responses.stream("two"))
    sdk = Sdk(client_kind, gateway(*speaking(first, second)), max_retries=0)
    one = sdk.create(model="gpt")
    events, error = sdk.events(model="gpt", previous_response_id=one.id)
    with check("RSP-SDK-008"):
        assert error is None
        assert joined(events) == "two"
        assert second.requests[1].json["previous_response_id"] == responses.ID
        assert len(first.requests) == 1
        with pytest.raises(openai.BadRequestError) as lost:
            sdk.create(model="gpt", previous_response_id="resp_lost")
        assert (lost.value.code, lost.value.param) == ("previous_response_not_found", "previous_response_id")


@both
@pytest.mark.rule("RSP-SDK-009")
def test_stored_responses(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    items = {"object": "list", "data": [MESSAGE], "first_id": "msg_1", "last_id": "msg_1", "has_more": False}
    gone = {"id": responses.ID, "object": "response.deleted", "deleted": True}
    up = upstream(*([body] for body in (*[responses.answer("one")] * 3, Body.json(items), Body.json(gone))))
    sdk = Sdk(client_kind, gateway(*speaking(up)), max_retries=0)
    one = sdk.create(model="gpt").id
    with check("RSP-SDK-009"):
        for asked in (sdk.stored("retrieve", one), sdk.stored("cancel", one)):
            assert (asked.id, asked.model, asked.output_text) == (one, "gpt", "one")
        assert [item.id for item in sdk.stored("input_items.list", one).data] == [MESSAGE["id"]]
        assert sdk.stored("delete", one) is None
        assert [request.method for request in up.requests] == ["POST", "GET", "POST", "GET", "DELETE"]
        for call in ("retrieve", "input_items.list", "cancel", "delete"):
            with pytest.raises(openai.NotFoundError) as lost:
                sdk.stored(call, "resp_lost")
            assert (lost.value.code, lost.value.param) == ("response_not_found", "response_id")


STREAMS: dict[str, list[Step]] = {
    "whole": responses.stream("hel", "lo"),
    "keepalives": responses.numbered(
        responses.keepalive(),
        *responses.began(),
        responses.keepalive(),
        *responses.message("hello"),
        responses.keepalive(),
        responses.completed(MESSAGE),
    ),
    "no beginning": responses.numbered(
        responses.in_progress(), *responses.message("hello"), responses.completed(MESSAGE)
    ),
    "terminal event only": responses.numbered(responses.completed(MESSAGE)),
    "end marker for the terminal event": responses.numbered(
        *responses.began(), *responses.message("hello"), responses.DONE
    ),
    "end marker after it": [*responses.stream("hello"), responses.DONE],
    "JSON": [responses.answer("hello")],
}


@both
@pytest.mark.rule("RSP-SDK-003")
def test_the_stream_helper(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    """Whole, and without the parts that the helper cannot do without."""
    sdk = Sdk(client_kind, gateway(*speaking(upstream(*STREAMS.values()))))
    for case in STREAMS:
        with check("RSP-SDK-003"):
            response = sdk.helper(model="gpt")
            assert response.output_text == "hello", case
            assert (response.status, response.model) == ("completed", "gpt"), case


@both
@pytest.mark.rule("RSP-SDK-004")
def test_tools(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    """Reasoning, then a call."""
    thinking = [
        responses.item_added(responses.reasoning_item()),
        responses.summary("hm"),
        responses.item_done(responses.reasoning_item("hm")),
    ]
    items = [responses.reasoning_item("hm"), CALL]
    middle = [*responses.began(), *thinking, *responses.call("look_up", '{"a"', ":1}", index=1)]
    up = upstream(
        [responses.answer("", output=items)],
        responses.numbered(*middle, responses.completed(*items)),
        responses.numbered(*middle, responses.DONE),
        [responses.answer("", output=items)],
    )
    sdk = Sdk(client_kind, gateway(*speaking(up)))
    answers = [sdk.create(model="gpt", tools=TOOLS), *(sdk.helper(model="gpt", tools=TOOLS) for _ in range(3))]
    for response in answers:
        with check("RSP-SDK-004"):
            reasoning, call = response.output
            assert reasoning.summary[0].text == "hm"
            assert (call.type, call.name, call.arguments) == ("function_call", "look_up", '{"a":1}')
    with check("RSP-SDK-004"):
        assert [request.json["tools"] for request in up.requests] == [TOOLS] * 4


@both
@pytest.mark.rule("RSP-SDK-005")
def test_each_failure_has_its_exception(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    asked = [
        deployment(upstream(case.answer, name=case.name), publicModel=case.name, adapterKey="openai")
        for case in RAISED
        if case.answer
    ]
    gw = gateway(*asked, keys=[{"name": "demo", "key": "right"}], routerSettings=ONE_ATTEMPT)
    for case in RAISED:
        with check("RSP-SDK-005"):
            with pytest.raises(openai.APIStatusError) as raised:
                Sdk(client_kind, gw, case.key).create(model=case.name)
            assert type(raised.value).__name__ == case.raises, case
            assert raised.value.status_code == case.status, case
            assert raised.value.code == case.code, case
            assert raised.value.request_id, case


@both
@pytest.mark.rule("RSP-SDK-005", "RSP-SDK-006")
def test_an_upstream_that_fails_in_a_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """Before commit nobody notices; after it the caller has what came, and an error with a code."""
    early = [*responses.numbered(*responses.began()), faults.Reset()]
    began = [*responses.began(), *responses.message("hel")[:3]]
    ends: list[tuple[Step, str]] = [
        (faults.Reset(), "upstream_stream_truncated"),
        (responses.error("worker died", "gpu_lost"), "gpu_lost"),
        (responses.failed("gpu_lost", "worker died"), "gpu_lost"),
    ]
    first = upstream(early, *(responses.numbered(*began, end) for end, _ in ends))
    sdk = Sdk(client_kind, gateway(*speaking(first, upstream(responses.stream("hel", "lo")))))
    events, error = sdk.events(model="gpt")
    with check("RSP-SDK-006"):
        assert error is None
        assert joined(events) == "hello"
    for _, code in ends:
        events, error = sdk.events(model="gpt")
        with check("RSP-SDK-006"):
            assert joined(events) == "hel", code
            assert error is not None, code
            assert error.code == code
    refused = upstream(responses.numbered(*responses.began(), responses.failed("context_length_exceeded", "too long")))
    with check("RSP-SDK-005"):
        with pytest.raises(openai.BadRequestError) as raised:
            Sdk(client_kind, gateway(*speaking(refused))).events(model="gpt")
        assert raised.value.code == "context_length_exceeded"


@both
@pytest.mark.needs("virtual_time")
@pytest.mark.rule("RSP-SDK-007")
def test_a_long_silence(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    """25 s before the first event and 25 s within the stream: only comments come meanwhile."""
    whole = responses.stream("hel", "lo")
    up = upstream([Pause(until="begin"), *whole[:5], Pause(until="go"), *whole[5:]])
    gw = gateway(*speaking(up))
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(Sdk(client_kind, gw).helper, model="gpt")
        for gate in ("begin", "go"):
            up.wait_gate(gate)
            gw.advance(25_000, until_armed="keepalive")
            up.release(gate)
        with check("RSP-SDK-007"):
            assert asked.result().output_text == "hello"
