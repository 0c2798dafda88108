"""Encoded answers that break off, are none, or hold more than they should."""

from __future__ import annotations

from typing import Any

import brotli
import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents, payloads
from fake_upstreams import Body, Headers, Reply, Status, Step, chat, reply
from fake_upstreams.coding import CODINGS, Coding, encoded, header_value, make_encoder
from fake_upstreams.sse import SseStyle

METADATA = [("x-unified-routing-metadata", "true")]
JSON = chat.completion("a").data
CHECKED: tuple[Coding, ...] = ("gzip", "x-gzip", "deflate")
"""Codings that end with a digest of what they hold."""
LARGEST = 72 * 1024 * 1024


def sent(coding: Coding, body: bytes) -> list[Step]:
    """An answer with exactly this encoded body."""
    return [Headers({"content-encoding": header_value(coding)}), Body(body, "application/json")]


def streamed(coding: Coding, *chunks: bytes) -> Reply:
    """Likewise, as a stream of these chunks."""
    bodies = [Body(chunk, "text/event-stream") for chunk in chunks]
    return reply(Headers({"content-encoding": header_value(coding)}), bodies, framing="chunked")


def events(*steps: Step) -> bytes:
    return b"".join(step.payload(SseStyle()) for step in steps)


def flushed(coding: Coding, *steps: Step) -> bytes:
    """The beginning of an encoded stream: these events and no end."""
    return make_encoder(coding).encode(events(*steps))


def attempt_classes(answer: Any) -> list[str | None]:
    return [attempt.get("error_class") for attempt in answer.json()["unified_routing"]["attempts"]]


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-END-001")
def test_json_that_breaks_off(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding) -> None:
    """All of it came as far as HTTP knows."""
    whole = encoded(JSON, coding)
    for size in (1, 2, len(whole) // 2, len(whole) - 1):
        first, second = upstream(sent(coding, whole[:size])), upstream(chat.completion("b"))
        answer = gateway(*in_order(first, second)).chat(METADATA)
        with check("ENC-END-001"):
            assert answer.status == 200, size
            assert attempt_classes(answer) == ["transient", None], size
    answer = gateway(upstream(sent(coding, whole[:-1])), routerSettings=ONE_ATTEMPT).chat()
    with check("ENC-END-001"):
        assert (answer.status, answer.error()["code"]) == (502, "upstream_stream_truncated")


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-END-001")
def test_streams_that_break_off(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding
) -> None:
    early = streamed(coding, flushed(coding, chat.role()))
    answer = gateway(*in_order(upstream(early), upstream(chat.stream("b")))).chat(stream=True)
    with check("ENC-END-001"):
        assert contents(answer) == "b"
    late = streamed(coding, flushed(coding, chat.role(), chat.content("a")))
    answer = gateway(*in_order(upstream(late), upstream()), routerSettings=ONE_ATTEMPT).chat(stream=True)
    with check("ENC-END-001"):
        assert contents(answer) == "a"
        assert payloads(answer)[-1]["error"]["code"] == "upstream_stream_truncated"


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-END-002")
def test_json_that_is_not_in_its_coding(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding
) -> None:
    """Plain text, a byte that toppled over on the way, bytes behind the end."""
    whole = encoded(JSON, coding)
    wrong = {"plain": JSON, "beyond": whole + b"garbage", "garbage": b"\xff" * 100}
    if coding in CHECKED:
        wrong["digest"] = whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:]
    for case, body in wrong.items():
        first, second = upstream(sent(coding, body)), upstream(chat.completion("b"))
        answer = gateway(*in_order(first, second)).chat(METADATA)
        with check("ENC-END-002"):
            assert answer.status == 200, case
            assert attempt_classes(answer) == ["transient", None], case
        answer = gateway(upstream(sent(coding, body)), routerSettings=ONE_ATTEMPT).chat()
        with check("ENC-END-002"):
            assert (answer.status, answer.error()["code"]) == (502, "upstream_protocol_error"), case


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-END-002")
def test_streams_that_leave_their_coding(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding
) -> None:
    garbage = b"\xff" * 100
    early = streamed(coding, flushed(coding, chat.role()), garbage)
    answer = gateway(*in_order(upstream(early), upstream(chat.stream("b")))).chat(stream=True)
    with check("ENC-END-002"):
        assert contents(answer) == "b"
    late = streamed(coding, flushed(coding, chat.role(), chat.content("a")), garbage)
    answer = gateway(*in_order(upstream(late), upstream()), routerSettings=ONE_ATTEMPT).chat(stream=True)
    with check("ENC-END-002"):
        assert contents(answer) == "a"
        assert payloads(answer)[-1]["error"]["code"] == "upstream_protocol_error"


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.rule("ENC-END-003")
def test_what_follows_a_complete_stream_spoils_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, coding: Coding
) -> None:
    for rest in ([], [chat.DONE]):
        for behind in (b"", b"\xff" * 100):
            start = flushed(coding, chat.role(), chat.content("a"), chat.finish(), *rest)
            answer = gateway(upstream(streamed(coding, start, behind)), routerSettings=ONE_ATTEMPT).chat(stream=True)
            with check("ENC-END-003"):
                assert contents(answer) == "a"
                assert b'"error"' not in answer.body
                assert answer.events[-1].is_done


@pytest.mark.rule("ENC-ERROR-002")
def test_errors_whose_body_is_spoilt_keep_their_status(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for coding in CODINGS:
        body = encoded(b'{"error":{"message":"too warm"}}', coding)
        for spoilt in (body[:-1], body + b"garbage", b"\xff" * 100, b""):
            status, refusal = chat.failure(400)
            del refusal
            answer = gateway(upstream([status, *sent(coding, spoilt)])).chat()
            with check("ENC-ERROR-002"):
                assert answer.status == 400, coding
                assert b"\xef\xbf\xbd" not in answer.body, coding
                expected = "too warm" if spoilt.startswith(body[:-1]) else "The upstream answered with status 400."
                assert answer.error()["message"] == expected, coding


@pytest.mark.rule("ENC-BOUND-002")
def test_json_is_bounded_by_what_it_decodes_to(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    largest = chat.completion("x" * (LARGEST - len(chat.completion("").data))).data
    assert len(largest) == LARGEST
    small = encoded(largest, "br")
    assert len(small) < 64 * 1024
    gw = gateway(upstream(sent("br", small), sent("br", encoded(largest + b" ", "br"))), routerSettings=ONE_ATTEMPT)
    answers = [gw.chat(), gw.chat()]
    with check("ENC-BOUND-002"):
        assert answers[0].status == 200
        assert (answers[1].status, answers[1].error()["code"]) == (502, "upstream_protocol_error")


@pytest.mark.rule("ENC-BOUND-005")
def test_what_looks_back_too_far_is_refused(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Windows of 4 MiB and of 8, of answers that would fit into either, and of errors, whose status counts."""
    for window, outcome in ((22, None), (23, "transient"), (24, "transient")):
        first = upstream(sent("br", brotli.compress(JSON, lgwin=window)))
        second = upstream(*([chat.completion("b")] if outcome else []))
        answer = gateway(*in_order(first, second)).chat(METADATA)
        with check("ENC-BOUND-005"):
            assert answer.status == 200
            assert attempt_classes(answer)[0] == outcome, window
        frames = brotli.compress(events(*chat.stream("a")), lgwin=window)
        first, second = upstream(streamed("br", frames)), upstream(*([chat.stream("b")] if outcome else []))
        with check("ENC-BOUND-005"):
            assert contents(gateway(*in_order(first, second)).chat(stream=True)) == ("b" if outcome else "a"), window
    refused = brotli.compress(b'{"error":{"message":"no such parameter"}}', lgwin=24)
    answer = gateway(upstream([Status(400), *sent("br", refused)])).chat()
    with check("ENC-BOUND-005"):
        assert answer.status == 400
        assert "parameter" not in answer.error()["message"]
