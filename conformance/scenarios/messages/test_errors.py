"""Error events inside a stream of messages whose status was 200."""

from __future__ import annotations

import pytest

from conformance.anthropic import anthropic, error_of, in_order, names, text_of, told
from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Event, messages

BEGIN = [messages.start(), messages.text_start(), messages.text("a")]
FORMS = {
    "usual": messages.error("worker died", "overloaded_error"),
    "without a name": Event(messages.error_body("overloaded_error", "worker died")),
    "by its name": Event({"message": "worker died"}, name="error"),
    "flat": Event({"type": "error", "message": "worker died"}),
    "of another protocol": Event({"error": {"message": "worker died", "type": "server_error", "code": 503}}),
    "text": Event({"error": "worker died"}),
}


@pytest.mark.rule("MSG-ERROR-004", "MSG-ERROR-005")
def test_an_error_event_before_commit_is_a_failure_whatever_follows(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for case, event in FORMS.items():
        first = upstream([messages.start(), messages.PING, event, messages.finish(), messages.STOP])
        second = upstream(messages.stream("b"))
        answer = gateway(*in_order(first, second)).messages(stream=True)
        with check("MSG-ERROR-005"):
            assert b"worker died" not in answer.body, case
            assert len(second.requests) == 1, case
        with check("MSG-ERROR-004"):
            assert text_of(answer) == "b", case
            assert names(answer)[-1] == "message_stop", case


@pytest.mark.rule("MSG-ERROR-001", "MSG-ERROR-002", "MSG-ERROR-003")
def test_an_error_event_after_commit_reaches_the_client(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for kind, told_kind in (
        ("overloaded_error", "overloaded_error"),
        ("api_error", "api_error"),
        ("rate_limit_error", "rate_limit_error"),
        ("timeout_error", "timeout_error"),
        ("invalid_request_error", "invalid_request_error"),
    ):
        event = messages.error("worker of upstream-model died", kind)
        answer = gateway(anthropic(upstream([*BEGIN, event, messages.STOP]))).messages(stream=True)
        last = told(answer)[-1]
        with check("MSG-ERROR-001"):
            assert last.name == "error", kind
            assert set(last.json()) == {"type", "error", "request_id"}, kind
        with check("MSG-ERROR-003"):
            assert error_of(answer)["type"] == told_kind
            assert "died" in error_of(answer)["message"], kind
            assert "upstream-model" not in error_of(answer)["message"], kind
        with check("MSG-ERROR-002"):
            assert "message_stop" not in names(answer), kind
            assert answer.raw.endswith(b"0\r\n\r\n"), kind


@pytest.mark.rule("MSG-ERROR-006")
def test_an_error_before_commit_has_its_status_where_nothing_else_is_tried(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for kind, status in (("overloaded_error", 503), ("rate_limit_error", 429), ("invalid_request_error", 400)):
        up = upstream([messages.start(), messages.error("no good", kind)])
        answer = gateway(anthropic(up), routerSettings=ONE_ATTEMPT).messages(stream=True)
        with check("MSG-ERROR-006"):
            assert answer.status == status
            assert error_of(answer) == {"type": kind, "message": "no good"}


@pytest.mark.rule("MSG-DONE-007", "MSG-ERROR-001", "MSG-ERROR-002")
def test_a_tool_s_input_that_is_cut_off_is_no_call(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The body ends cleanly in the middle of a tool's input: no stop reason is made up for it."""
    first = upstream([messages.start(), messages.tool_start(), messages.tool_input('{"path":"/a')])
    second = upstream()
    answer = gateway(*in_order(first, second)).messages(stream=True)
    with check("MSG-DONE-007"):
        assert names(answer)[-2:] == ["content_block_delta", "error"]
        assert second.requests == []
    with check("MSG-ERROR-001"):
        assert error_of(answer)["type"] == "api_error"
    with check("MSG-ERROR-002"):
        assert not {"content_block_stop", "message_delta", "message_stop"} & set(names(answer))


@pytest.mark.rule("MSG-ERROR-007")
@pytest.mark.parametrize("payload", ["{", "no json", "7", '{"type":"message_start"}', '{"choices":[]}'])
def test_a_payload_of_no_event_is_a_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, payload: str
) -> None:
    early = upstream([Event(payload), *messages.stream("x")])
    answer = gateway(*in_order(early, upstream(messages.stream("b")))).messages(stream=True)
    with check("MSG-ERROR-007"):
        assert text_of(answer) == "b"


@pytest.mark.rule("MSG-ERROR-007")
def test_a_payload_that_is_not_json_ends_a_stream_with_an_error(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    late = upstream([*BEGIN, Event("{"), messages.finish(), messages.STOP])
    answer = gateway(*in_order(late, upstream())).messages(stream=True)
    with check("MSG-ERROR-007"):
        assert text_of(answer) == "a"
        assert names(answer)[-1] == "error"
        assert error_of(answer)["type"] == "api_error"
