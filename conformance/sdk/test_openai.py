"""The official openai SDK as the client, synchronous and asynchronous."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.sdk.clients import both
from conformance.sdk.errors import RAISED
from conformance.sdk.messages_cases import advance_silently
from conformance.sdk.openai_client import openai_clients
from conformance.session import Session
from conformance.tls import served
from fake_upstreams import Event, Pause, SseStyle, Step, chat, faults

MESSAGES: Any = [{"role": "user", "content": "hi"}]
TOOLS: Any = [{"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}]
CALL = {"id": "call_0", "type": "function", "function": {"name": "look_up", "arguments": '{"a":1}'}}


class Sdk:
    """Chat completions."""

    def __init__(self, kind: str, gateway: Session, key: str = "none", **client: Any) -> None:
        self._clients = openai_clients(kind, gateway, key, **client)

    def create(self, **members: Any) -> Any:
        """chat.completions.create without stream."""
        return self._clients.run(lambda client: client.chat.completions.create(messages=MESSAGES, **members))

    def chunks(self, leave_after: int | None = None, **members: Any) -> tuple[list[Any], openai.APIError | None]:
        """The chunks of a stream, and the error that ended it; `leave_after` so many it is left."""
        return self._clients.read(
            lambda client: client.chat.completions.create(messages=MESSAGES, stream=True, **members), leave_after
        )

    def helper(self, **members: Any) -> Any:
        """The final completion of the stream helper."""
        return self._clients.help(
            lambda client: client.chat.completions.stream(messages=MESSAGES, **members),
            lambda stream: stream.get_final_completion(),
        )


def joined(chunks: list[Any]) -> str:
    """The content of the first choice."""
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)


@both
@pytest.mark.rule("SDK-OPENAI-001", "SDK-OPENAI-002")
def test_completion_and_stream(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    sdk = Sdk(client_kind, gateway(upstream(chat.completion("hello"), chat.stream("hel", "lo"))))
    completion = sdk.create(model="gpt")
    with check("SDK-OPENAI-001"):
        assert completion.choices[0].message.content == "hello"
        assert completion.model == "gpt"
        assert completion.usage.total_tokens == 2
    chunks, error = sdk.chunks(model="gpt", stream_options={"include_usage": True})
    with check("SDK-OPENAI-002"):
        assert error is None
        assert joined(chunks) == "hello"
        assert {chunk.model for chunk in chunks} == {"gpt"}
        assert chunks[-1].usage.total_tokens == 2


@both
@pytest.mark.rule("SDK-OPENAI-003")
def test_the_stream_helper(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    """Whole, and without the parts that the helper cannot do without."""
    streams: dict[str, list[Step]] = {
        "whole": chat.stream("hel", "lo"),
        "no role": chat.stream("hel", "lo")[1:],
        "no finish reason": [chat.role(), chat.content("hello"), chat.DONE],
        "no end marker": [chat.role(), chat.content("hello"), chat.finish()],
        "finish only": [chat.content("hello"), chat.finish()],
    }
    sdk = Sdk(client_kind, gateway(upstream(*streams.values())))
    for case in streams:
        completion = sdk.helper(model="gpt")
        with check("SDK-OPENAI-003"):
            assert completion.choices[0].message.content == "hello", case
            assert completion.choices[0].finish_reason == "stop", case


@both
@pytest.mark.rule("SDK-OPENAI-004")
def test_tools(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    fragments = [chat.tool_call("look_up"), chat.tool_call(arguments='{"a"'), chat.tool_call(arguments=":1}")]
    streamed = [chat.role(), *fragments, chat.finish("tool_calls"), chat.DONE]
    up = upstream(chat.completion(None, "tool_calls", tool_calls=[CALL]), streamed, [*streamed[:-2], chat.DONE])
    sdk = Sdk(client_kind, gateway(up))
    answers = [sdk.create(model="gpt", tools=TOOLS), *(sdk.helper(model="gpt", tools=TOOLS) for _ in range(2))]
    for completion in answers:
        with check("SDK-OPENAI-004"):
            (call,) = completion.choices[0].message.tool_calls
            assert call.function.name == "look_up"
            assert json.loads(call.function.arguments) == {"a": 1}
            assert completion.choices[0].finish_reason == "tool_calls"
    with check("SDK-OPENAI-004"):
        assert up.requests[0].json["tools"] == TOOLS


@both
@pytest.mark.rule("SDK-OPENAI-005", "SDK-OPENAI-006")
def test_errors_are_the_ones_that_users_catch(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    gw = gateway(upstream(), keys=[{"name": "demo", "key": "right"}])
    right, wrong = Sdk(client_kind, gw, "right"), Sdk(client_kind, gw, "wrong")
    for stream in (False, True):
        with check("SDK-OPENAI-005"):
            with pytest.raises(openai.NotFoundError) as missing:
                right.chunks(model="nobody") if stream else right.create(model="nobody")
            assert missing.value.code == "model_not_found"
            assert missing.value.request_id
        with check("SDK-OPENAI-006"):
            with pytest.raises(openai.AuthenticationError) as refused:
                wrong.chunks(model="gpt") if stream else wrong.create(model="gpt")
            assert refused.value.code == "invalid_api_key"


@both
@pytest.mark.rule("SDK-OPENAI-007", "SDK-OPENAI-008")
def test_an_upstream_that_dies(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """Before commit nobody notices; after it the caller has what came, and an error with a code."""
    first = upstream([faults.CloseBeforeReply()], [chat.role(), faults.Reset()])
    second = upstream(chat.completion("hello"), chat.stream("hel", "lo"))
    sdk = Sdk(client_kind, gateway(*in_order(first, second)))
    completion = sdk.create(model="gpt")
    chunks, error = sdk.chunks(model="gpt")
    with check("SDK-OPENAI-007"):
        assert completion.choices[0].message.content == "hello"
        assert error is None
        assert joined(chunks) == "hello"
    dying = upstream([chat.role(), chat.content("hel"), faults.Reset()])
    chunks, error = Sdk(client_kind, gateway(*in_order(dying, upstream()))).chunks(model="gpt")
    with check("SDK-OPENAI-008"):
        assert joined(chunks) == "hel"
        assert error is not None
        assert error.code == "upstream_stream_truncated"


@both
@pytest.mark.rule("SDK-OPENAI-009")
def test_tls_changes_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    gw = gateway(upstream(chat.completion("hello"), chat.stream("hel", "lo")), server={"tls": served()})
    with check("SDK-OPENAI-009"):
        assert Sdk(client_kind, gw).create(model="gpt").choices[0].message.content == "hello"
        chunks, error = Sdk(client_kind, gw).chunks(model="gpt")
        assert error is None
        assert joined(chunks) == "hello"
        with pytest.raises(openai.NotFoundError):
            Sdk(client_kind, gw).create(model="nobody")


@both
@pytest.mark.rule("SDK-OPENAI-010")
def test_each_failure_has_its_exception(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    asked = [deployment(upstream(case.answer, name=case.name), publicModel=case.name) for case in RAISED if case.answer]
    gw = gateway(*asked, keys=[{"name": "demo", "key": "right"}], routerSettings=ONE_ATTEMPT)
    for case in RAISED:
        with check("SDK-OPENAI-010"):
            with pytest.raises(openai.APIStatusError) as raised:
                Sdk(client_kind, gw, case.key).create(model=case.name)
            assert type(raised.value).__name__ == case.raises, case
            assert raised.value.status_code == case.status, case
            assert raised.value.code == case.code, case
            assert raised.value.request_id, case


@both
@pytest.mark.rule("SDK-OPENAI-011")
def test_its_retries_follow_what_the_gateway_says(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """A wrong upstream key cannot be repaired by asking again; an overload can."""
    hopeless = upstream(chat.failure(401))
    passing = upstream(chat.failure(500), chat.completion("a"))
    asked = [deployment(hopeless, publicModel="hopeless"), deployment(passing, publicModel="passing")]
    gw = gateway(*asked, routerSettings=ONE_ATTEMPT)
    with check("SDK-OPENAI-011"):
        with pytest.raises(openai.InternalServerError):
            Sdk(client_kind, gw, max_retries=2).create(model="hopeless")
        assert len(hopeless.requests) == 1
        assert Sdk(client_kind, gw, max_retries=2).create(model="passing").choices[0].message.content == "a"


@both
@pytest.mark.rule("SDK-OPENAI-012", "SDK-OPENAI-013")
def test_a_caller_that_gives_up(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """By its own deadline, and in the midst of a stream: the upstream's connection ends with it."""
    up = upstream([Pause(until="answer")], [chat.role(), chat.content("hel"), Pause(until="rest")])
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    with check("SDK-OPENAI-012"):
        with pytest.raises(openai.APITimeoutError):
            Sdk(client_kind, gw, timeout=0.5).create(model="gpt")
        assert up.wait_closed(1) in ("client closed", "client reset")
    with check("SDK-OPENAI-013"):
        assert joined(Sdk(client_kind, gw).chunks(leave_after=2, model="gpt")[0]) == "hel"
        assert up.wait_closed(2) in ("client closed", "client reset")


@both
@pytest.mark.needs("virtual_time")
@pytest.mark.rule("SDK-OPENAI-014")
def test_long_silence(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str) -> None:
    """Before the first chunk and between two, each longer than two keepalives are apart; and chunks that carry ids."""
    first, *rest = chat.stream("hel", "lo")
    odd = Event(raw=b"id: 7\nretry: 1\n" + rest[0].payload(SseStyle()))
    up = upstream([Pause(until="begin"), first, odd, Pause(until="go on"), *rest[1:]])
    gw = gateway(up)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(Sdk(client_kind, gw).helper, model="gpt")
        advance_silently(gw, up, "begin", "go on")
        with check("SDK-OPENAI-014"):
            assert answer.result().choices[0].message.content == "hello"
