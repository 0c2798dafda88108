"""What a declared change does to answers."""

from __future__ import annotations

import pytest

from conformance.defects.change import Change, ChangeError, substitute
from conformance.defects.message import Answer, Head, chunk, split_events

HEAD = b"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n"


def test_substitutions_replace_in_their_order() -> None:
    change = Change.parse({"body": {r'"(\w+)":1': r'"\1":2', "2": "3"}})
    assert substitute(b'{"a":1,"b":1}', change.body) == b'{"a":3,"b":3}'


@pytest.mark.parametrize(
    ("where", "fits"),
    [
        ({}, True),
        ({"status": 404}, True),
        ({"status": 500}, False),
        ({"head": "application/json"}, True),
        ({"head": "^HTTP/1.1 5"}, False),
        ({"body": "not_found"}, True),
        ({"body": "invalid"}, False),
    ],
)
def test_where_says_which_answers_are_meant(where: dict[str, object], fits: bool) -> None:
    change = Change.parse({"where": where})
    assert change.where.fits(Answer(HEAD), b'{"code":"not_found"}') is fits


def test_a_stream_fits_no_body() -> None:
    assert not Change.parse({"where": {"body": ""}}).where.fits(Answer(HEAD), None)


@pytest.mark.parametrize(
    "declared",
    [[], {"stauts": 500}, {"declaration": {}}, {"where": {"path": "/"}}, {"body": "x"}, {"body": {"(": ""}}],
)
def test_a_change_that_makes_no_sense_is_refused(declared: object) -> None:
    with pytest.raises(ChangeError):
        Change.parse(declared)


def test_a_head_is_changed_where_it_is_said() -> None:
    changed = Answer(HEAD).changed(500, [("content-type", None), ("Allow", "GET")], 13)
    assert changed == b"HTTP/1.1 500 Not Found\r\ncontent-length: 13\r\nAllow: GET\r\n\r\n"
    assert Answer(HEAD).changed(None, [], None) == HEAD


def test_a_head_knows_its_body() -> None:
    answer = Answer(HEAD)
    assert (answer.status, answer.length, answer.chunked, answer.bodiless) == (404, 12, False, False)
    assert Head(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").chunked
    assert Answer(b"HTTP/1.1 100 Continue\r\n\r\n").bodiless


def test_events_are_split_at_their_blank_lines() -> None:
    assert split_events(b"data: a\n\ndata: b\n\ndata") == ([b"data: a\n\n", b"data: b\n\n"], b"data")
    assert split_events(b"") == ([], b"")


def test_no_chunk_ends_the_body_by_accident() -> None:
    assert chunk(b"") == b""
    assert chunk(b"0123456789") == b"a\r\n0123456789\r\n"
