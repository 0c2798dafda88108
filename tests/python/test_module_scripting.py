"""The deciding parts as scripts use them."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from turnout import FailureReport, SseDecoder, SseEvent, StreamTracker


def test_a_report_refuses_what_it_cannot_mean() -> None:
    assert FailureReport("upstream_answer", 429, retry_after_ms=86_400_000).retry_after_ms == 86_400_000
    for wait in (-1, 86_400_001):
        with pytest.raises(ValueError, match="retry_after_ms must be"):
            FailureReport("upstream_answer", 429, retry_after_ms=wait)
    with pytest.raises(ValueError, match="no failure origin has the name weather"):
        FailureReport("weather")  # type: ignore[arg-type]


STREAM = b": hello\r\n\r\nevent: a\ndata: 1\ndata: 2\n\ndata: \xff\r\rid: 7\n\ndata: tail"


def facts(events: list[SseEvent]) -> list[tuple[bytes, bytes, bool]]:
    return [(event.name, event.data, event.has_data) for event in events]


@pytest.mark.rule("PY-SCRIPT-002")
def test_events_are_the_same_however_the_bytes_are_split() -> None:
    whole = SseDecoder()
    expected = facts(whole.feed(STREAM))
    assert expected == [(b"a", b"1\n2", True), (b"", b"\xff", True)]
    last = whole.finish()
    assert last is not None
    assert (last.name, last.data) == (b"", b"tail")
    for cut in range(len(STREAM) + 1):
        decoder = SseDecoder()
        assert facts(decoder.feed(STREAM[:cut]) + decoder.feed(STREAM[cut:])) == expected
    single = SseDecoder()
    bounds = [*range(len(STREAM) + 1)]
    assert [fact for a, b in pairwise(bounds) for fact in facts(single.feed(STREAM[a:b]))] == expected


def test_an_event_beyond_the_bound_ends_decoding() -> None:
    decoder = SseDecoder(max_event_bytes=8)
    assert decoder.at_boundary
    assert decoder.error is None
    assert decoder.feed(b"data: 0123456789\n\n") == []
    assert decoder.error == "event_too_large"


def chunk(delta: dict[str, object], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return json.dumps({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "up", "choices": [choice]})


@pytest.mark.rule("PY-SCRIPT-003")
def test_a_tracker_judges_and_writes_a_stream() -> None:
    tracker = StreamTracker("gpt")
    kind, written = tracker.on_event("", chunk({"role": "assistant"}))
    assert kind == "metadata"
    assert b'"model": "gpt"' in written
    assert written.endswith(b"\n\n")
    kind, written = tracker.on_event(b"", chunk({"content": "hi"}).encode())
    assert kind == "commits"
    assert b'"hi"' in written
    assert tracker.on_event("", chunk({}, "stop"))[0] == "finished"
    assert tracker.complete
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    kind, written = tracker.on_event("", json.dumps({"id": "c", "choices": [], "usage": usage}))
    assert (kind, written) == ("metadata", b"")
    assert tracker.usage is not None
    assert (tracker.usage.prompt, tracker.usage.completion, tracker.usage.total) == (3, 4, 7)
    assert tracker.on_end(clean=True) is None
    assert tracker.close().endswith(b"data: [DONE]\n\n")
    assert tracker.anomalies == ["missing_done"]
    assert tracker.failure is None


def test_a_tracker_tells_a_cut_stream_from_a_failed_one() -> None:
    cut = StreamTracker("gpt")
    cut.on_event("", chunk({"content": "hi"}))
    failure = cut.on_end(clean=False)
    assert failure is not None
    assert failure.origin == "stream_truncated"
    failed = StreamTracker("gpt")
    kind, written = failed.on_event("", json.dumps({"error": {"message": "no", "type": "t", "code": "c"}}))
    assert (kind, written) == ("error", b"")
    assert failed.failure is not None
    assert (failed.failure.origin, failed.failure.message, failed.failure.code) == ("error_event", "no", "c")


def test_a_tracker_converts_an_answer() -> None:
    tracker = StreamTracker("gpt", client_wants_usage=True, fallback_id="9", fallback_created=5)
    answer = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "up",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
    }
    failure, written = tracker.on_answer(json.dumps(answer))
    assert failure is None
    assert b"chat.completion.chunk" in written
    assert tracker.close('{"a":1}').endswith(b'"unified_routing":{"a":1}}\n\ndata: [DONE]\n\n')
    assert tracker.anomalies == ["non_stream_answer"]
    assert StreamTracker("gpt").is_whole('{"a":1}')
    assert not StreamTracker("gpt").is_whole('{"a":')
    failure, _ = StreamTracker("gpt").on_answer("<html>")
    assert failure is not None
    assert failure.origin == "malformed_body"


@pytest.mark.rule("PY-SCRIPT-004")
def test_a_tracker_speaks_the_contract_that_is_asked_for() -> None:
    message = {"id": "m", "type": "message", "role": "assistant", "model": "up", "content": [], "usage": {}}
    tracker = StreamTracker("gpt", contract="messages")
    kind, written = tracker.on_event("message_start", json.dumps({"type": "message_start", "message": message}))
    assert (kind, written.startswith(b"event: message_start\n")) == ("metadata", True)
    assert tracker.on_event("message_stop", '{"type":"message_stop"}')[0] == "end"
    assert tracker.next_sequence == 0

    tracker = StreamTracker("gpt", contract="responses")
    created = {"type": "response.created", "sequence_number": 0, "response": {"id": "r", "model": "up"}}
    kind, written = tracker.on_event("response.created", json.dumps(created))
    assert (kind, written.startswith(b"event: response.created\n")) == ("metadata", True)
    assert tracker.next_sequence == 1

    with pytest.raises(ValueError, match="chat, messages or responses"):
        StreamTracker("gpt", contract="count_tokens")  # type: ignore[arg-type]
