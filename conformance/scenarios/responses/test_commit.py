"""Which event commits a stream, and what that means for the client."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import ERROR, kinds, numbers, shown, speaking, told
from conformance.sse_bytes import parse_events
from fake_upstreams import Event, Pause, faults, responses

ENCRYPTED = responses.reasoning_item(encrypted_content="gAAA")
SEARCH = {"id": "ws_1", "type": "web_search_call", "status": "in_progress"}

COMMITTING: dict[str, tuple[str, Event]] = {
    "text": ("RSP-COMMIT-001", responses.text("a")),
    "blank text": ("RSP-COMMIT-001", responses.text("\n")),
    "refusal": ("RSP-COMMIT-001", responses.event("response.refusal.delta", delta="no")),
    "reasoning": ("RSP-COMMIT-001", responses.event("response.reasoning_text.delta", delta="hm")),
    "summary": ("RSP-COMMIT-001", responses.summary("hm")),
    "arguments": ("RSP-COMMIT-001", responses.arguments("{")),
    "what nobody knows": ("RSP-COMMIT-001", responses.event("response.brand_new", delta="x")),
    "call": ("RSP-COMMIT-002", responses.item_added(responses.call_item())),
    "search": ("RSP-COMMIT-002", responses.item_added(SEARCH)),
    "progress of a search": ("RSP-COMMIT-002", responses.event("response.web_search_call.searching", item_id="ws_1")),
    "image": ("RSP-COMMIT-002", responses.event("response.image_generation_call.partial_image", partial_image_b64="A")),
    "encrypted reasoning": ("RSP-COMMIT-003", responses.item_added(ENCRYPTED)),
    "whole summary": ("RSP-COMMIT-003", responses.item_added(responses.reasoning_item("hm"))),
    "whole text": ("RSP-COMMIT-003", responses.event("response.output_text.done", text="a")),
    "whole message": ("RSP-COMMIT-003", responses.item_done(responses.message_item("a"))),
}

METADATA = {
    "queued": responses.life("queued", "queued"),
    "message": responses.item_added(responses.message_item()),
    "reasoning": responses.item_added(responses.reasoning_item(encrypted_content=None)),
    "part": responses.event("response.content_part.added", part=responses.output_text()),
    "empty text": responses.text(""),
    "empty summary": responses.item_done(responses.reasoning_item()),
    "keepalive": responses.keepalive(),
    "list of tools": responses.event("response.mcp_list_tools.in_progress", item_id="mcpl_1"),
    "what nobody knows": responses.event("response.brand_new", text="x"),
    "comment": Event(comment="keep-alive"),
}


@pytest.mark.rule("RSP-COMMIT-001", "RSP-COMMIT-002", "RSP-COMMIT-003")
def test_output_of_every_kind_commits(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream dies after one event; the client has seen it, and nothing is tried again."""
    for case, (rule, event) in COMMITTING.items():
        first = upstream([*responses.numbered(*responses.began(), event), faults.Reset()])
        second = upstream()
        answer = gateway(*speaking(first, second)).responses(stream=True)
        with check(rule):
            assert answer.status == 200, case
            assert shown(answer)[2] == {"sequence_number": 2, **event.data}, case
            assert shown(answer)[-1]["code"] == "upstream_stream_truncated", case
            assert second.requests == [], case


@pytest.mark.rule("RSP-COMMIT-004", "RSP-COMMIT-005")
def test_news_of_the_response_does_not_commit(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The client sees the second attempt, and it alone: one beginning, numbered from its own first event."""
    for case, event in METADATA.items():
        first = upstream(responses.numbered(*responses.began(), event))
        second = upstream(responses.stream("b"))
        answer = gateway(*speaking(first, second)).responses(stream=True)
        with check("RSP-COMMIT-004"):
            assert answer.status == 200, case
            assert kinds(answer)[-1] == "completed", case
            assert len(second.requests) == 1, case
        with check("RSP-COMMIT-005"):
            assert kinds(answer).count("created") == 1, case
            assert numbers(answer) == list(range(9)), case


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("RSP-COMMIT-004", "RSP-COMMIT-006")
def test_what_is_held_is_shown_in_order_at_commit(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Keepalives and an item without output wait; the first word shows them, but for the keepalives."""
    whole = responses.numbered(
        *responses.began(), responses.keepalive(), responses.keepalive(), *responses.message("a", "b"),
        responses.completed(responses.message_item("ab")),
    )  # fmt: skip
    up = upstream([*whole[:6], Pause(until="held"), whole[6], Pause(until="shown"), *whole[7:]])
    gw = gateway(*speaking(up))
    client = gw.begin_responses(stream=True)
    up.wait_gate("held")
    gw.advance(0)  # answers once all that came has been worked on
    with check("RSP-COMMIT-004"):
        assert client.pending() == b""
    up.release("held")
    up.wait_gate("shown")
    client.head()
    first = told([client.event() for _ in range(5)])
    with check("RSP-COMMIT-006"):
        assert [data["type"].removeprefix("response.") for data in first] == [
            "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta",
        ]  # fmt: skip
        assert [data["sequence_number"] for data in first] == [0, 1, 4, 5, 6]
    up.release("shown")
    rest = told(parse_events(client.rest_of_chunks()))
    with check("RSP-COMMIT-006"):
        assert rest[-1]["type"] == "response.completed"
        assert ERROR not in [data["type"] for data in rest]
