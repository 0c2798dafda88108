"""A stream means the same however its bytes are split, in every contract that has streams."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_upstreams import Event, SseStyle, Step, chat, messages, responses
from turnout import SseDecoder, StreamTracker

Contract = Literal["chat", "messages", "responses"]

NOISE: list[Step] = [
    Event(raw=b": comment\n\n"),
    Event(raw=b"event: ping\n\n"),
    Event(raw=b"id: 7\nretry: 3\n\n"),
    Event("{"),
    Event('{"type":"new.event",\n"text":"\u00e9 \u20ac \U0001f600"}'),
    Event('{"error":{"message":"m"}}'),
    Event("[DONE]"),
]
WHOLE: dict[Contract, list[Step]] = {
    "chat": chat.stream("h\u00e9", "\u20ac\U0001f600"),
    "messages": messages.stream("h\u00e9", "\u20ac\U0001f600"),
    "responses": responses.stream("h\u00e9", "\u20ac\U0001f600"),
}
FURTHER: dict[Contract, list[Step]] = {
    "chat": [chat.reasoning("hm"), chat.tool_call("f", "{}"), chat.finish("length"), chat.error("m")],
    "messages": [messages.tool_start(), messages.tool_input('{"a":1}'), messages.finish(None), messages.error()],
    "responses": [*responses.call("f", "{}"), responses.incomplete(), responses.keepalive(), responses.error("m")],
}
STYLES = st.builds(SseStyle, newline=st.sampled_from(["\n", "\r\n", "\r"]), space=st.booleans(), bom=st.booleans())


def streams(contract: Contract) -> st.SearchStrategy[list[Step]]:
    """A whole stream of which some events are missing, and others come between."""
    usual = WHOLE[contract]
    anything = st.sampled_from([*usual, *FURTHER[contract], *NOISE])
    kept = st.lists(st.booleans(), min_size=len(usual), max_size=len(usual))
    between = st.lists(st.tuples(st.integers(0, len(usual)), anything), max_size=4)

    def put_together(keep: list[bool], more: list[tuple[int, Step]]) -> list[Step]:
        steps = [step for step, stays in zip(usual, keep, strict=True) if stays]
        for place, step in more:
            steps.insert(place, step)
        return steps

    return st.builds(put_together, kept | st.just([True] * len(usual)), between)


def read(contract: Contract, pieces: Sequence[bytes]) -> tuple[bytes, list[object]]:
    """What the client gets, and all that the tracker says, of a stream that comes in these pieces and ends cleanly."""
    decoder, tracker = SseDecoder(), StreamTracker("gpt", contract=contract, fallback_id="own")
    written, said = b"", list[object]()

    def take(name: bytes, data: bytes, has_data: bool) -> bool:
        nonlocal written
        kind, out = tracker.on_event(name, data if has_data else None)
        written += out
        said.append(kind)
        return kind not in ("end", "error")

    going = all(take(e.name, e.data, e.has_data) for piece in pieces for e in decoder.feed(piece))
    last = decoder.finish() if going else None
    if last is not None and tracker.is_whole(last.data):
        going = take(last.name, last.data, last.has_data)
    failure = tracker.on_end(clean=True) if going else tracker.failure
    if failure is None:
        written += tracker.close('{"attempts":[]}')
    usage = tracker.usage
    said += [failure and (failure.origin, failure.status, failure.type, failure.code, failure.message)]
    said += [usage and (usage.prompt, usage.completion, usage.total), tracker.anomalies, tracker.complete]
    return written, said


@pytest.mark.parametrize("contract", WHOLE)
@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_a_stream_split_anywhere_is_the_same_stream(contract: Contract, data: st.DataObject) -> None:
    style = data.draw(STYLES)
    cut_off = data.draw(st.integers(0, 3))
    body = (b"\xef\xbb\xbf" if style.bom else b"") + b"".join(
        step.payload(style) for step in data.draw(streams(contract))
    )
    body = body[: len(body) - cut_off]
    places = sorted(data.draw(st.sets(st.integers(0, len(body)), max_size=12)))
    pieces = [body[begin:end] for begin, end in pairwise([0, *places, len(body)])]
    whole = read(contract, [body])
    assert read(contract, pieces) == whole
    assert read(contract, [body[at : at + 1] for at in range(len(body))]) == whole


@pytest.mark.parametrize("contract", WHOLE)
def test_a_whole_stream_is_complete(contract: Contract) -> None:
    written, said = read(contract, [b"".join(step.payload(SseStyle()) for step in WHOLE[contract])])
    failure, usage, anomalies, complete = said[-4:]
    assert (failure, anomalies, complete) == (None, [], True)
    assert usage is not None
    assert "h\u00e9".encode() in written
    assert b'"attempts":[]' in written
