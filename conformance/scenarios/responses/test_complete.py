"""What ends a stream, and what is written for the client where an upstream leaves it out."""

from __future__ import annotations

import json

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import kinds, numbers, output_text, shown, speaking, text_of
from fake_upstreams import Pause, Step, faults, responses

MESSAGE = responses.message_item("ab")
ASK = [("x-unified-routing-metadata", "true")]


@pytest.mark.rule("RSP-DONE-001", "RSP-DONE-002", "RSP-FORM-001", "RSP-FORM-004")
def test_a_whole_stream_reaches_the_client(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Text, reasoning and a call, completed or cut short."""
    thinking = [
        responses.item_added(responses.reasoning_item()),
        responses.summary("hm"),
        responses.item_done(responses.reasoning_item("hm")),
    ]
    items = [responses.reasoning_item("hm"), MESSAGE, responses.call_item("look_up", '{"a":1}')]
    middle = [*thinking, *responses.message("a", "b", index=1), *responses.call("look_up", '{"a"', ":1}", index=2)]
    for end, rule in (
        (responses.completed(*items), "RSP-DONE-001"),
        (responses.incomplete(*items), "RSP-DONE-002"),
    ):
        steps = responses.numbered(*responses.began(), *middle, end)
        answer = gateway(*speaking(upstream(steps))).responses(stream=True)
        with check(rule):
            assert answer.status == 200
            assert text_of(answer) == "ab"
            assert shown(answer)[-1]["type"] == end.name
            assert shown(answer)[-1]["response"]["output"] == items
        with check("RSP-FORM-001"):
            assert [event.name for event in answer.events] == [step.name for step in steps]  # type: ignore[attr-defined]
        with check("RSP-FORM-004"):
            assert numbers(answer) == list(range(len(steps)))


@pytest.mark.rule("RSP-DONE-003", "RSP-FORM-006")
def test_a_terminal_event_alone_is_an_answer(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Clients give up where anything comes before `response.created`, so that is written."""
    answer = gateway(*speaking(upstream(responses.numbered(responses.completed(MESSAGE))))).responses(stream=True)
    with check("RSP-DONE-003"):
        assert kinds(answer)[-1] == "completed"
        assert output_text(shown(answer)[-1]["response"]) == "ab"
    with check("RSP-FORM-006"):
        assert kinds(answer) == ["created", "completed"]
        first, last = (data["response"] for data in shown(answer))
        assert (first["id"], first["status"], first["output"]) == (last["id"], "in_progress", [])


@pytest.mark.rule("RSP-DONE-004")
def test_an_end_marker_after_every_item_is_an_end(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Servers that copy the end of chat streams: the terminal event is made of the items."""
    for case, steps in {
        "instead of it": [*responses.began(), *responses.message("a", "b"), responses.DONE],
        "after it": [*responses.began(), *responses.message("a", "b"), responses.completed(MESSAGE), responses.DONE],
    }.items():
        answer = gateway(*speaking(upstream(responses.numbered(*steps)))).responses(stream=True)
        with check("RSP-DONE-004"):
            assert kinds(answer)[-1] == "completed", case
            last = shown(answer)[-1]
            assert last["sequence_number"] == 9, case
            began = shown(answer)[0]["response"]["id"]
            assert (last["response"]["id"], last["response"]["status"]) == (began, "completed"), case
            assert last["response"]["model"] == "gpt", case
            assert last["response"]["output"] == [MESSAGE], case
            assert b"[DONE]" not in answer.body, case


@pytest.mark.rule("RSP-DONE-004")
def test_an_end_marker_alone_is_an_empty_answer(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    answer = gateway(*speaking(upstream([responses.DONE]))).responses(stream=True)
    with check("RSP-DONE-004"):
        assert kinds(answer) == ["created", "completed"]
        assert numbers(answer) == [0, 1]
        assert shown(answer)[-1]["response"]["output"] == []
        assert shown(answer)[0]["response"]["id"] == shown(answer)[-1]["response"]["id"]


@pytest.mark.rule("RSP-DONE-005")
def test_an_end_without_a_terminal_event_is_none(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    cases: dict[str, list[Step]] = {
        "nothing": [],
        "news only": responses.began(),
        "reset": [*responses.began(), faults.Reset()],
        "end marker within a message": [
            *responses.began(),
            responses.item_added(responses.message_item()),
            responses.DONE,
        ],
    }
    for case, steps in cases.items():
        first = upstream([*steps] or [responses.event("keepalive")])
        answer = gateway(*speaking(first, upstream(responses.stream("b")))).responses(stream=True)
        with check("RSP-DONE-005"):
            assert text_of(answer) == "b", case
            assert kinds(answer)[-1] == "completed", case


@pytest.mark.rule("RSP-DONE-005")
def test_an_end_within_or_after_an_item_is_none(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for case, tail in {"end": [], "end marker": [responses.DONE]}.items():
        cut = [*responses.began(), *responses.message("a", "b")[:-1], *tail]
        answer = gateway(*speaking(upstream(responses.numbered(*cut)))).responses(stream=True)
        with check("RSP-DONE-005"):
            assert text_of(answer) == "ab", case
            assert shown(answer)[-1]["code"] == "upstream_stream_truncated", case
    for case, items in {
        "message": responses.message("a", "b"),
        "half a call": responses.call("look_up", '{"path":"/a', 'b"}')[:2],
    }.items():
        answer = gateway(*speaking(upstream(responses.numbered(*responses.began(), *items)))).responses(stream=True)
        with check("RSP-DONE-005"):
            assert len(shown(answer)) == len(items) + 3, case
            assert shown(answer)[-1]["code"] == "upstream_stream_truncated", case


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("RSP-DONE-006")
def test_nothing_is_waited_for_after_the_terminal_event(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The upstream keeps its body open, then breaks it; the client has its whole stream at once."""
    up = upstream([*responses.stream("a"), Pause(until="never"), responses.error("too late")])
    gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
    answer = gw.responses(stream=True)
    with check("RSP-DONE-006"):
        assert kinds(answer)[-1] == "completed"
        assert text_of(answer) == "a"
        assert [row["metrics"]["inflight"] for row in gw.deployments()] == [0]


@pytest.mark.rule("RSP-META-001", "RSP-META-002", "RSP-META-003")
def test_metadata_has_its_place(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Beside the members of an answer, inside the response of a stream's terminal event, and nowhere else."""
    made: list[Step] = responses.numbered(*responses.began(), *responses.message("a", "b"), responses.DONE)
    for stream, rule, replies in (
        (False, "RSP-META-001", [[responses.answer("ab")]] * 2),
        (True, "RSP-META-002", [responses.stream("a", "b")] * 2 + [made]),
    ):
        first = upstream(*[[faults.CloseBeforeReply()] for _ in replies])
        gw = gateway(*speaking(first, upstream(*replies)))
        plain, *asked = (gw.responses(ASK if number else (), stream=stream) for number in range(len(replies)))
        with check("RSP-META-003"):
            assert b"unified_routing" not in plain.body
        added = b""
        for answer in asked:
            response = shown(answer)[-1]["response"] if stream else answer.json()
            metadata = response.pop("unified_routing")
            added = b',"unified_routing":' + json.dumps(metadata, separators=(",", ":")).encode()
            with check(rule):
                assert (metadata["served_model"], metadata["attempt_count"]) == ("gpt", 2)
                assert output_text(response) == "ab"
            with check("RSP-META-003"):
                assert added + b"}" in answer.body
        with check("RSP-META-003"):
            assert asked[0].body.replace(added, b"") == plain.body
