"""The upstream of the benchmark answers what it was asked for, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.content import KIB, question
from tests.bench.load import ANSWER_BYTES, PUBLIC_MODEL, UPSTREAM_MODEL
from tests.bench.proxies import DIRECT, running
from tests.python.bench.programs import PLACE, Connection, connected, request


@pytest.fixture
def connection() -> Iterator[Connection]:
    with running(DIRECT, PLACE) as upstream, connected(upstream.port) as connected_to_it:
        yield connected_to_it


def _sent(body: bytes) -> bytes:
    return b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def _assert_completion(connection: Connection) -> None:
    head = connection.head()
    assert head.startswith("HTTP/1.1 200 ")
    assert f"content-length: {ANSWER_BYTES}\r\n" in head
    assert json.loads(connection.read(ANSWER_BYTES))["model"] == UPSTREAM_MODEL


@pytest.mark.parametrize("size", [KIB, 64 * KIB, KIB * KIB])
def test_answers_a_body_of_any_size_with_a_completion_of_the_same_size(connection: Connection, size: int) -> None:
    for _ in range(2):
        connection.send(_sent(question(size)))
        _assert_completion(connection)


def test_a_request_may_come_in_pieces(connection: Connection) -> None:
    whole = _sent(question(KIB))
    for at in (1, 30, whole.index(b"\r\n\r\n") + 2, whole.index(b"model") + 2):
        connection.send(whole[:at])
        connection.send(whole[at:])
        _assert_completion(connection)


@pytest.mark.parametrize(
    "refused",
    [
        request("hello", model=UPSTREAM_MODEL),  # this upstream was told to expect the public name
        request("paced 0"),
        request("hello").replace(b"POST", b"GET"),
        request("hello").replace(b"content-length", b"x-length"),
        request("hello") + request("hello"),
    ],
    ids=["other model", "no pace", "other method", "no length", "pipelined"],
)
def test_refuses_what_no_row_sends(connection: Connection, refused: bytes) -> None:
    connection.send(refused)
    assert connection.head().startswith("HTTP/1.1 400 ")
    assert connection.read(1) == b""


@pytest.mark.parametrize(("kind", "tokens"), [("idle", 1), ("paced 1000", 20), ("flooded", 5000)])
def test_a_stream_is_a_role_and_then_one_token_for_ever(connection: Connection, kind: str, tokens: int) -> None:
    connection.send(request(kind))
    head = connection.head()
    assert head.startswith("HTTP/1.1 200 ")
    assert "content-type: text/event-stream\r\n" in head
    role, *rest = (connection.chunk() for _ in range(1 + tokens))
    assert _event(role)["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert _event(rest[0])["choices"][0]["delta"] == {"content": " token"}
    assert [_event(chunk)["model"] for chunk in (role, rest[0])] == [UPSTREAM_MODEL, UPSTREAM_MODEL]
    assert set(rest) == {rest[0]}


def _event(chunk: bytes) -> dict[str, Any]:
    text = chunk.decode()
    assert text.startswith("data: ")
    assert text.endswith("\n\n")
    event: dict[str, Any] = json.loads(text.removeprefix("data: "))
    return event


def test_the_names_of_the_models_differ_in_length() -> None:
    assert len(UPSTREAM_MODEL) != len(PUBLIC_MODEL)
