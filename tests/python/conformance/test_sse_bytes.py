"""The strict reading of events."""

from __future__ import annotations

import pytest

from conformance.sse_bytes import Event, FramingError, parse_events


def test_data_events_and_comments_are_read() -> None:
    events = parse_events(b'data: {"a":\ndata: 1}\n\n: keepalive\n\ndata: [DONE]\n\n')
    assert events == [Event(data='{"a":\n1}'), Event(comment="keepalive"), Event(data="[DONE]")]
    assert events[0].json() == {"a": 1}
    assert events[2].is_done
    assert parse_events(b"") == []
    assert parse_events(b"event: ping\ndata: {}\n\n") == [Event(data="{}", name="ping")]


@pytest.mark.parametrize(
    "body",
    [
        b"data: x",
        b"data: x\n",
        b"data: x\r\n\r\n",
        b"data:x\n\n",
        b"data: x\n: y\n\n",
        b"id: 1\n\n",
        b"event: ping\n\n",
        b"event: ping\nevent: ping\ndata: x\n\n",
        b"event:ping\ndata: x\n\n",
        b"data: x\nevent: ping\n\n",
        b"event: ping\n: x\n\n",
        b"\n\ndata: x\n\n",
        b"\xef\xbb\xbfdata: x\n\n",
    ],
)
def test_framing_that_some_client_cannot_read_is_refused(body: bytes) -> None:
    with pytest.raises(FramingError):
        parse_events(body)
