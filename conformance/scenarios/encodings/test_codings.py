"""Answers in a content coding, which nobody asked for and some upstreams send all the same."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents, finish_reasons
from fake_upstreams import Body, Headers, Pause, Status, Step, chat, faults, reply
from fake_upstreams.coding import CODINGS, Coding

METADATA = [("x-unified-routing-metadata", "true")]
ACCEPTED = "gzip, deflate, br, zstd"


@pytest.mark.rule("ENC-REQ-001")
def test_no_coding_is_asked_for(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Whatever the client accepts: it gets none either."""
    for stream in (False, True):
        up = upstream(chat.stream("a") if stream else chat.completion("a"))
        answer = gateway(up).chat([("accept-encoding", ACCEPTED)], stream=stream)
        with check("ENC-REQ-001"):
            assert up.requests[0].raw.lower().count(b"accept-encoding") == 1
            assert up.requests[0].headers["accept-encoding"] == "identity"
            assert answer.header("content-encoding") is None


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-BODY-001")
def test_json_answers(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding) -> None:
    plain = chat.completion("a" * 100_000)
    up = upstream(
        reply(plain, coding=coding),
        reply(plain, coding=coding, framing="close"),
        reply(faults.SplitAt(every=1), chat.completion("a"), coding=coding, framing="chunked"),
    )
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    for size in (100_000, 100_000, 1):
        answer = gw.chat([("accept-encoding", coding)])
        with check("ENC-BODY-001"):
            assert answer.status == 200
            assert answer.json()["choices"][0]["message"]["content"] == "a" * size
            assert answer.header("content-encoding") is None
            assert answer.header("content-length") == str(len(answer.body))


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-BODY-002")
def test_streams(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding) -> None:
    """Whole, split at every byte, with a mark, until the close, and as JSON in place of events."""
    up = upstream(
        reply(chat.stream("a" * 100_000, "b"), coding=coding),
        reply(faults.SplitAt(every=1), chat.stream("a", "b"), coding=coding),
        reply(chat.stream("a", "b"), coding=coding, framing="close"),
        reply(chat.completion("ab"), coding=coding),
    )
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    for size in (100_000, 1, 1, 1):
        answer = gw.chat([("accept-encoding", coding)], stream=True)
        with check("ENC-BODY-002"):
            assert contents(answer) == "a" * size + "b"
            assert finish_reasons(answer) == ["stop"]
            assert answer.events[-1].is_done
            assert answer.header("content-encoding") is None


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-STREAM-001")
def test_events_are_relayed_at_once(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding
) -> None:
    """Each comes flushed, and the next waits until it has arrived."""
    rest: list[Step] = [chat.finish(), chat.DONE]
    steps = [chat.role(), chat.content("a"), Pause(until="a"), chat.content("b"), Pause(until="b"), *rest]
    up = upstream(reply(*steps, coding=coding))
    client = gateway(up, routerSettings=ONE_ATTEMPT).begin_chat(stream=True)
    with check("ENC-STREAM-001"):
        client.head()
        assert client.event().json()["choices"][0]["delta"]["role"] == "assistant"
        for text in "ab":
            assert client.event().json()["choices"][0]["delta"] == {"content": text}
            up.release(text)
        assert client.rest_of_chunks().endswith(b"data: [DONE]\n\n")


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-ERROR-001")
def test_errors_are_read(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding) -> None:
    """What failed stands in the body: a wrong request goes no further, one whose key is bad does."""
    for stream in (False, True):
        first = upstream(reply(chat.failure(400, "too warm", "bad_temperature", param="temperature"), coding=coding))
        answer = gateway(*in_order(first, upstream())).chat(stream=stream)
        with check("ENC-ERROR-001"):
            assert answer.status == 400
            assert answer.header("content-encoding") is None
            error = answer.error()
            assert (error["message"], error["code"], error["param"]) == ("too warm", "bad_temperature", "temperature")
        rejected = reply(chat.failure(400, "Incorrect API key provided: sk-x"), coding=coding)
        second = reply(chat.stream("b") if stream else chat.completion("b"))
        gw = gateway(*in_order(upstream(rejected), upstream(second)))
        answer = gw.chat(METADATA, stream=stream)
        with check("ENC-ERROR-001"):
            assert answer.status == 200
            assert b'"error_class":"configuration"' in answer.body


OTHERS = ("zstd", "compress", "gzip, br", "gzip, gzip", "aes128gcm")


@pytest.mark.parametrize("coding", OTHERS)
@pytest.mark.rule("ENC-NAME-003", "ENC-NAME-004")
def test_other_codings_are_failures(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: str
) -> None:
    for stream in (False, True):
        good = chat.stream("a") if stream else [chat.completion("a")]
        first, second = upstream([Headers({"content-encoding": coding}), *good]), upstream(good)
        answer = gateway(*in_order(first, second)).chat(METADATA, stream=stream)
        with check("ENC-NAME-003"):
            assert answer.status == 200
            assert len(second.requests) == 1
            assert b'"error_class":"transient"' in answer.body
        refusal = [Status(400), Headers({"content-encoding": coding}), Body(b"\x28\xb5\x2f\xfd{wholly unreadable}")]
        answer = gateway(*in_order(upstream(refusal), upstream())).chat(stream=stream)
        with check("ENC-NAME-004"):
            assert answer.status == 400
            assert answer.error()["message"] == "The upstream answered with status 400."
            assert b"wholly unreadable" not in answer.body


@pytest.mark.rule("ENC-NAME-005")
def test_no_coding_may_be_named(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for coding in ("identity", "Identity", "", ","):
        up = upstream([Headers({"content-encoding": coding}), chat.completion("a")])
        answer = gateway(up).chat()
        with check("ENC-NAME-005"):
            assert answer.status == 200, coding
            assert answer.header("content-encoding") is None
