"""Failures that let another deployment answer, for JSON requests and for streams."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import Deployment, in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import contents
from fake_upstreams import Body, Bytes, Headers, Status, chat, faults

Steps = list[Any]

EVENT_STREAM = Headers({"Content-Type": "text/event-stream"})
HTML = [Body(b"<html><body>secret page</body></html>", "text/html")]
TOO_LARGE = "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000"

STATUSES: dict[str, tuple[str, Steps]] = {
    **{f"{code}": ("FAIL-TRANSIENT-003", chat.failure(code)) for code in (500, 501, 502, 503, 504, 520, 529)},
    **{f"{code}": ("FAIL-TRANSIENT-008", chat.failure(code)) for code in (408, 421, 424, 425, 499)},
    "429": ("FAIL-THROTTLE-001", chat.failure(429, code="rate_limit_exceeded", kind="rate_limit_error")),
    "429 quota": ("FAIL-THROTTLE-001", chat.failure(429, code="insufficient_quota", kind="insufficient_quota")),
    "401": ("FAIL-CONFIG-001", chat.failure(401, "Incorrect API key provided", "invalid_api_key")),
    "403": ("FAIL-CONFIG-001", chat.failure(403, "no access")),
    "404 model": ("FAIL-CONFIG-002", chat.failure(404, "The model `x` does not exist", "model_not_found")),
    "404 page": ("FAIL-CONFIG-002", [Status(404), *HTML]),
    **{f"{code}": ("FAIL-CONFIG-002", chat.failure(code)) for code in (405, 410, 426)},
    "redirect": ("FAIL-CONFIG-003", [Status(307), Headers({"Location": "http://127.0.0.1:9/v1/chat/completions"})]),
    "402": ("FAIL-CONFIG-004", chat.failure(402, "Insufficient Balance")),
    "400 account": ("FAIL-CONFIG-005", chat.failure(400, "Your credit balance is too low to access the API")),
    "413 account limit": ("FAIL-NEUTRAL-001", chat.failure(413, TOO_LARGE, "rate_limit_exceeded", "tokens")),
    "429 account limit": ("FAIL-NEUTRAL-001", chat.failure(429, TOO_LARGE, "rate_limit_exceeded", "tokens")),
    "200 with error": ("FAIL-INNER-001", [Body.json({"error": {"code": 502, "message": "provider is down"}})]),
}

ANSWERS: dict[str, tuple[str, Steps]] = {
    "html": ("FAIL-TRANSIENT-005", HTML),
    "text": ("FAIL-TRANSIENT-005", [Body.text("secret page")]),
    "empty": ("FAIL-TRANSIENT-005", [Body(b"", "application/json")]),
    "broken": ("FAIL-TRANSIENT-005", [Body(b'{"choices":[{"secret page"', "application/json")]),
    "list": ("FAIL-TRANSIENT-005", [Body(b'["secret page"]', "application/json")]),
    "no choices": ("FAIL-TRANSIENT-012", [Body.json({"id": "x", "model": "secret page"})]),
    "choices null": ("FAIL-TRANSIENT-012", [Body.json({"choices": None, "x": "secret page"})]),
    "short": ("FAIL-TRANSIENT-006", [faults.BadContentLength(), Body.json({"choices": [], "x": "secret page"})]),
    "chunk": ("FAIL-TRANSIENT-010", [Headers({"Transfer-Encoding": "chunked"}), faults.MalformedChunk()]),
}

FAULTS: dict[str, tuple[str, Steps]] = {
    "refuse": ("FAIL-TRANSIENT-001", [faults.Refuse()]),
    "reset": ("FAIL-TRANSIENT-002", [faults.Reset()]),
    "close_before_reply": ("FAIL-TRANSIENT-002", [faults.CloseBeforeReply()]),
    "half a head": ("FAIL-TRANSIENT-002", [Bytes(b"HTTP/1.1 200 OK\r\nContent-Le"), faults.Close()]),
    "garbage": ("FAIL-TRANSIENT-004", [faults.Garbage()]),
}

STREAMS: dict[str, tuple[str, Steps]] = {
    "reset_after_headers": ("FAIL-TRANSIENT-009", [EVENT_STREAM, faults.ResetAfterHeaders()]),
    "no bytes": ("FAIL-TRANSIENT-009", [EVENT_STREAM]),
    "cut_mid_event": ("FAIL-TRANSIENT-009", [chat.role(), faults.CutMidEvent()]),
    "malformed_chunk": ("FAIL-TRANSIENT-010", [chat.role(), faults.MalformedChunk()]),
    "error frame": ("FAIL-INNER-002", [chat.role(), chat.error("too many", "rate_limit_exceeded", "rate_limit_error")]),
    "numbered error frame": ("FAIL-INNER-002", [chat.error("provider is down", 502)]),
    "html": ("FAIL-TRANSIENT-005", HTML),
    "json error": ("STR-JSON-002", [Body.json({"error": {"code": 502, "message": "provider is down"}})]),
}


class Pair:
    """Two deployments, of which the first fails."""

    def __init__(self, upstream: UpstreamFactory, steps: Steps, stream: bool) -> None:
        self.first = upstream(steps)
        self.second = upstream(chat.stream("b") if stream else chat.completion("b"))

    def deployments(self) -> list[Deployment]:
        return in_order(self.first, self.second)


def served_by_second(answer: Response, stream: bool) -> None:
    """Asserts that the client has the second deployment's plain answer."""
    assert answer.status == 200, answer.raw
    text = contents(answer) if stream else answer.json()["choices"][0]["message"]["content"]
    assert text == "b"
    assert b"secret page" not in answer.raw


def rules_of(*tables: dict[str, tuple[str, Steps]]) -> list[str]:
    return sorted({rule for table in tables for rule, _ in table.values()})


def try_all(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, table: dict[str, tuple[str, Steps]], stream: bool
) -> None:
    for case, (rule, steps) in table.items():
        pair = Pair(upstream, steps, stream)
        answer = gateway(*pair.deployments()).chat(stream=stream)
        with check(rule):
            served_by_second(answer, stream)
            assert len(pair.first.requests) <= 1, case


@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule(*rules_of(STATUSES))
def test_error_answers(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool) -> None:
    try_all(check, upstream, gateway, STATUSES, stream)


@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule(*rules_of(FAULTS))
def test_faults_before_the_head(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool) -> None:
    try_all(check, upstream, gateway, FAULTS, stream)


@pytest.mark.rule(*rules_of(ANSWERS))
def test_json_answers_that_are_none(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    try_all(check, upstream, gateway, ANSWERS, stream=False)


@pytest.mark.rule(*rules_of(STREAMS))
def test_streams_that_fail_before_commit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    try_all(check, upstream, gateway, STREAMS, stream=True)


@pytest.mark.rule("FAIL-TRANSIENT-007")
def test_a_failed_tls_handshake(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """A handshake that breaks off, and a certificate that nobody vouches for."""
    broken = upstream([faults.TlsFailure()])
    address = f"https://127.0.0.1:{broken.port}/v1"
    untrusted = upstream(tls=True)
    third = upstream(chat.completion("b"))
    first, second, last = in_order(broken, untrusted, third)
    answer = gateway({**first, "credentials": {"baseUrl": address}}, second, last).chat()
    with check("FAIL-TRANSIENT-007"):
        served_by_second(answer, stream=False)


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("FAIL-TRANSIENT-011")
def test_silence_until_response_ms(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for stream in (False, True):
        pair = Pair(upstream, [faults.AcceptThenSilence()], stream)
        gw = gateway(*pair.deployments())
        client = gw.begin_chat(stream=stream)
        pair.first.wait_request()
        gw.advance(600_000, until_armed="response")
        with check("FAIL-TRANSIENT-011"):
            served_by_second(client.response(), stream)


@pytest.mark.rule("STR-FRAME-005", "CHAT-ANSWER-003")
def test_slow_and_split_answers_are_no_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """slow_bytes and one_byte_writes, head and framing included."""
    slow, split = faults.SlowBytes(until="gap", size=7), faults.OneByteWrites()
    for stream in (False, True):
        answer_steps = chat.stream("b") if stream else [chat.completion("b")]
        for fault in (slow, split):
            up = upstream([fault, *answer_steps])
            up.release("gap")
            with check("STR-FRAME-005" if stream else "CHAT-ANSWER-003"):
                served_by_second(gateway(up).chat(stream=stream), stream)


@pytest.mark.rule("FAIL-CALLER-012")
def test_the_answer_shows_nothing_of_earlier_attempts(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    alone = gateway(upstream(chat.completion("b"))).chat([("x-request-id", "same")])
    pair = Pair(upstream, chat.failure(500, "first is down"), stream=False)
    answer = gateway(*pair.deployments()).chat([("x-request-id", "same")])
    with check("FAIL-CALLER-012"):
        assert answer.body == alone.body
        assert [name for name, _ in answer.head.headers] == [name for name, _ in alone.head.headers]
