"""Which streams are complete, and what the client gets for the parts that the upstream left out."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import choices, contents, deltas, done_count, finish_reasons, payloads
from fake_upstreams import Event, Pause, chat


@pytest.mark.rule("STR-HEAD-001", "STR-HEAD-002", "STR-FRAME-010", "STR-DONE-001", "STR-USAGE-001")
def test_a_whole_stream_reaches_the_client(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Role, content, finish, usage, end marker."""
    answer = gateway(upstream(chat.stream("Hel", "lo"))).chat(stream=True)
    with check("STR-HEAD-001"):
        assert answer.status == 200
        assert (answer.header("content-type") or "").split(";")[0] == "text/event-stream"
    with check("STR-HEAD-002"):
        assert answer.header("cache-control") == "no-cache"
        assert answer.header("x-accel-buffering") == "no"
        assert answer.header("content-length") is None
    with check("STR-DONE-001"):
        assert contents(answer) == "Hello"
        assert finish_reasons(answer) == ["stop"]
        assert done_count(answer) == 1
        assert answer.events[-1].is_done
    with check("STR-USAGE-001"):
        assert len(payloads(answer)) == 4
    with check("STR-FRAME-010"):
        assert [frame["model"] for frame in payloads(answer)] == ["gpt"] * len(payloads(answer))


@pytest.mark.rule("STR-DONE-002")
def test_a_missing_end_marker_is_written(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    answer = gateway(upstream([chat.role(), chat.content("a"), chat.finish()])).chat(stream=True)
    with check("STR-DONE-002"):
        assert contents(answer) == "a"
        assert finish_reasons(answer) == ["stop"]
        assert answer.events[-1].is_done
        assert done_count(answer) == 1


@pytest.mark.rule("STR-DONE-003")
def test_a_missing_finish_reason_is_written(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    answer = gateway(upstream([chat.role(), chat.content("a"), chat.DONE])).chat(stream=True)
    with check("STR-DONE-003"):
        assert contents(answer) == "a"
        assert finish_reasons(answer) == ["stop"]
        assert choices(answer)[-1]["finish_reason"] == "stop"
        assert answer.events[-1].is_done


@pytest.mark.rule("STR-DONE-004")
def test_a_missing_finish_reason_after_tools_says_tool_calls(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    call = chat.tool_call("look_up", '{"a":1}')
    answer = gateway(upstream([chat.role(), call, chat.DONE])).chat(stream=True)
    with check("STR-DONE-004"):
        assert finish_reasons(answer) == ["tool_calls"]
        assert answer.events[-1].is_done


@pytest.mark.rule("STR-DONE-005", "STR-COMMIT-007")
def test_an_empty_answer_is_an_answer(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Nothing between role and finish. The second upstream's script is empty, so a retry would fail there."""
    empty = upstream([chat.role(), chat.finish(), chat.DONE])
    answer = gateway(empty).chat(stream=True)
    with check("STR-DONE-005"):
        assert answer.status == 200
        assert contents(answer) == ""
        assert finish_reasons(answer) == ["stop"]
        assert answer.events[-1].is_done
    with check("STR-COMMIT-007"):
        assert deltas(answer)[0].get("role") == "assistant"
        assert len(empty.requests) == 1


@pytest.mark.rule("STR-DONE-006")
def test_an_end_marker_alone_is_an_answer(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    answer = gateway(upstream([chat.DONE])).chat(stream=True)
    with check("STR-DONE-006"):
        assert answer.status == 200
        assert deltas(answer)[0].get("role") == "assistant"
        assert finish_reasons(answer) == ["stop"]
        assert answer.events[-1].is_done
        assert [frame["object"] for frame in payloads(answer)] == ["chat.completion.chunk"] * len(payloads(answer))


@pytest.mark.rule("STR-DONE-010")
@pytest.mark.parametrize("fault", ["reset", "close"])
def test_a_break_after_the_finish_is_no_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, fault: str
) -> None:
    answer = gateway(upstream([chat.role(), chat.content("a"), chat.finish(), {"fault": fault}])).chat(stream=True)
    with check("STR-DONE-010"):
        assert contents(answer) == "a"
        assert finish_reasons(answer) == ["stop"]
        assert answer.events[-1].is_done


@pytest.mark.rule("STR-DONE-011")
def test_an_error_after_the_finish_is_dropped(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    steps = [chat.role(), chat.content("a"), chat.finish(), chat.error("too late"), chat.DONE]
    answer = gateway(upstream(steps)).chat(stream=True)
    with check("STR-DONE-011"):
        assert b"too late" not in answer.body
        assert contents(answer) == "a"
        assert answer.events[-1].is_done


@pytest.mark.rule("STR-DONE-012")
def test_a_missing_role_is_written(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    answer = gateway(upstream([chat.content("a"), chat.content("b"), chat.finish(), chat.DONE])).chat(stream=True)
    with check("STR-DONE-012"):
        assert deltas(answer)[0] == {"role": "assistant", "content": "a"}
        assert deltas(answer)[1] == {"content": "b"}


@pytest.mark.rule("STR-DONE-013")
def test_nothing_follows_the_end_marker(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    steps = [*chat.stream("a"), chat.content("more"), chat.finish("length"), chat.DONE]
    answer = gateway(upstream(steps)).chat(stream=True)
    with check("STR-DONE-013"):
        assert b"more" not in answer.body
        assert finish_reasons(answer) == ["stop"]
        assert done_count(answer) == 1


@pytest.mark.rule("STR-DONE-016")
def test_annotations_after_the_finish_do_not_disturb(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Filter results first, in a frame of their own, and once more after the finish, as Azure sends them."""
    prompt = chat.chunk({"id": "", "model": "", "object": "", "prompt_filter_results": [{"prompt_index": 0}]})
    offsets = {"check_offset": 0, "start_offset": 0, "end_offset": 1}
    late = {"index": 0, "finish_reason": None, "content_filter_offsets": offsets}
    steps = [prompt, chat.role(), chat.content("a"), chat.finish(), chat.chunk({"choices": [late]}), chat.DONE]
    answer = gateway(upstream(steps)).chat(stream=True)
    with check("STR-DONE-016"):
        assert b'"error"' not in answer.body
        assert answer.body.count(b'"content":"a"') == 1
        assert finish_reasons(answer) == ["stop"]
        assert answer.body.count(b"content_filter_offsets") == 1
        assert answer.events[-1].is_done


@pytest.mark.rule("STR-FRAME-008")
@pytest.mark.parametrize("raw", [b": comment\n\n", b"id: 7\n\n", b"retry: 3000\n\n", b"\n\n", b"event: ping\n\n"])
def test_a_block_without_data_gives_no_event(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, raw: bytes
) -> None:
    steps = [chat.role(), Event(raw=raw), chat.content("a"), Event(raw=raw), chat.finish(), chat.DONE]
    answer = gateway(upstream(steps)).chat(stream=True)
    with check("STR-FRAME-008"):
        assert [event.comment for event in answer.events] == [None] * 4
        assert contents(answer) == "a"


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("STR-DONE-017")
def test_nobody_waits_long_for_an_end_marker(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The upstream goes on with comments, and never ends."""
    steps = [chat.role(), chat.content("a"), chat.finish(), Pause(until="1"), chat.comment(), Pause(until="2")]
    up = upstream(steps)
    gw = gateway(up)
    client = gw.begin_chat(stream=True)
    client.head()
    events = [client.event() for _ in range(3)]
    up.wait_gate("1")
    gw.advance(0)
    gw.advance(4000)
    up.release("1")
    up.wait_gate("2")
    gw.advance(0)
    gw.advance(999)
    with check("STR-DONE-017"):
        assert events[2].json()["choices"][0]["finish_reason"] == "stop"
        assert b"[DONE]" not in client.pending()
    gw.advance(1)
    with check("STR-DONE-017"):
        assert client.rest_of_chunks() == b"data: [DONE]\n\n"
    gw.advance(10_000)
    with check("STR-DONE-017"):
        assert up.wait_closed() in ("client closed", "client reset")


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("STR-DONE-017")
@pytest.mark.parametrize("limit", ["idleMs", "totalMs"])
def test_no_deadline_spoils_what_is_finished(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, limit: str
) -> None:
    """The deadline passes while the end marker is waited for."""
    up = upstream([chat.role(), chat.content("a"), chat.finish(), Pause(until="never")])
    gw = gateway(up, routerSettings={"executionPolicies": {"chat": {"stream": {limit: 1000}}}})
    client = gw.begin_chat(stream=True)
    client.head()
    events = [client.event() for _ in range(3)]
    gw.advance(5000, until_armed="grace")
    with check("STR-DONE-017"):
        assert events[2].json()["choices"][0]["finish_reason"] == "stop"
        assert client.rest_of_chunks() == b"data: [DONE]\n\n"
        assert len(up.requests) == 1


@pytest.mark.rule("STR-JSON-001")
def test_a_json_answer_to_a_stream_request_is_converted(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    texts = gateway(upstream(chat.completion("hello"))).chat(stream=True)
    tools = gateway(upstream(chat.completion(None, "tool_calls", tool_calls=[call]))).chat(stream=True)
    with check("STR-JSON-001"):
        assert (texts.header("content-type") or "").startswith("text/event-stream")
        assert contents(texts) == "hello"
        assert deltas(texts)[0]["role"] == "assistant"
        assert {frame["object"] for frame in payloads(texts)} == {"chat.completion.chunk"}
        assert {frame["model"] for frame in payloads(texts)} == {"gpt"}
    for answer, reason in ((texts, "stop"), (tools, "tool_calls")):
        with check("STR-JSON-001"):
            assert finish_reasons(answer) == [reason]
            assert answer.events[-1].is_done
            assert b"_tokens" not in answer.body
    with check("STR-JSON-001"):
        (fragment,) = [delta["tool_calls"][0] for delta in deltas(tools) if "tool_calls" in delta]
        assert fragment["function"] == {"name": "f", "arguments": "{}"}
