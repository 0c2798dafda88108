"""The strict reading of answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.http_bytes import ConnectionEnded, ProtocolError, Reader

LENGTH = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n"


def pieces(data: bytes, size: int) -> Callable[[], bytes]:
    parts = [data[i : i + size] for i in range(0, len(data), size)]
    return lambda: parts.pop(0) if parts else b""


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_two_answers_on_one_connection_are_told_apart(size: int) -> None:
    reader = Reader(pieces(LENGTH + CHUNKED, size))
    first = reader.response()
    assert (first.status, first.json(), first.raw) == (200, {}, LENGTH)
    second = reader.response()
    assert second.chunks == (b"data: a\n\n", b"data: b\n\n")
    assert [event.data for event in second.events] == ["a", "b"]
    assert second.raw == CHUNKED
    assert reader.rest() == b""


def test_events_can_be_read_one_by_one() -> None:
    reader = Reader(pieces(CHUNKED, 5))
    reader.head()
    assert reader.event().data == "a"
    assert reader.event().data == "b"
    with pytest.raises(ConnectionEnded, match="where an event was expected"):
        reader.event()


def test_answers_without_a_body_are_known_by_status_and_method() -> None:
    assert Reader(pieces(b"HTTP/1.1 204 No Content\r\n\r\n", 9)).response().body == b""
    assert Reader(pieces(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n", 9)).response("HEAD").body == b""


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\ntransfer-encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nbad line\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
    ],
)
def test_lax_answers_are_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        Reader(pieces(data, 4096)).response()


def test_an_answer_that_is_cut_tells_what_came() -> None:
    with pytest.raises(ConnectionEnded, match="in the body") as caught:
        Reader(pieces(LENGTH[:-1], 4096)).response()
    assert caught.value.received == LENGTH[:-1]
