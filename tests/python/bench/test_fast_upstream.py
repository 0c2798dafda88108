"""The upstream of the benchmark answers what it was asked for, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.content import KIB, question
from tests.bench.load import ANSWER_BYTES, PUBLIC_MODEL, UPSTREAM_MODEL
from tests.bench.protocols import Protocol
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
        request("stepped 0"),
        request("hello", protocol=Protocol.MESSAGES),
        request("idle").replace(b"/v1/chat", b"/v2/chat"),
    ],
    ids=[
        "other model",
        "no pace",
        "other method",
        "no length",
        "pipelined",
        "no steps",
        "JSON of messages",
        "other path",
    ],
)
def test_refuses_what_no_row_sends(connection: Connection, refused: bytes) -> None:
    connection.send(refused)
    assert connection.head().startswith("HTTP/1.1 400 ")
    assert connection.read(1) == b""


@pytest.mark.parametrize("protocol", Protocol)
@pytest.mark.parametrize(("kind", "tokens"), [("idle", 1), ("paced 1000", 20), ("flooded", 5000)])
def test_a_stream_is_its_opening_and_then_one_token_for_ever(
    connection: Connection, protocol: Protocol, kind: str, tokens: int
) -> None:
    connection.send(request(kind, protocol=protocol))
    head = connection.head()
    assert head.startswith("HTTP/1.1 200 ")
    assert "content-type: text/event-stream\r\n" in head
    assert [_kind(_event(connection.chunk())) for _ in OPENING[protocol]] == OPENING[protocol]
    rest = [connection.chunk() for _ in range(tokens)]
    first = _event(rest[0])
    assert first.get("type") == TOKEN[protocol]
    assert _text(first) == " token"
    if protocol is Protocol.RESPONSES:
        # Each has its number, beside which they are the same.
        numbers = [_event(chunk)["sequence_number"] for chunk in rest]
        assert numbers == list(range(4, 4 + tokens))
        rest = [c.replace(b'"sequence_number":%d,' % n, b"") for c, n in zip(rest, numbers, strict=True)]
    assert set(rest) == {rest[0]}


@pytest.mark.parametrize("protocol", Protocol)
def test_a_stepped_stream_gives_a_token_at_each_step_and_ends(protocol: Protocol) -> None:
    with running(DIRECT, PLACE) as upstream, connected(upstream.port) as steps, connected(upstream.port) as connection:
        steps.send(b"POST /step HTTP/1.1\r\nhost: bench\r\n\r\n")
        for tokens in (1, 3, 12):  # on one connection
            connection.send(request(f"stepped {tokens}", protocol=protocol))
            connection.head()
            events = [_event(connection.chunk()) for _ in OPENING[protocol]]
            for left in range(tokens - 1, -1, -1):
                assert _text(_event(connection.chunk())) == " token"
                steps.send(b"." if left else b"")
            end = connection.chunk().decode()
            assert connection.chunk() == b""
            assert f'"{UPSTREAM_MODEL}"' in json.dumps(events)
            last = end.split("\n\n")
            assert last.pop() == ""
            if protocol is Protocol.CHAT:
                assert last.pop() == "data: [DONE]"
            ending = [_event(f"{event}\n\n".encode()) for event in last]
            assert [_kind(event) for event in ending] == ENDING[protocol]
            _assert_whole(protocol, ending, tokens)


OPENING = {
    Protocol.CHAT: ["chat.completion.chunk"],
    Protocol.MESSAGES: ["message_start", "content_block_start"],
    Protocol.RESPONSES: [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
    ],
}
TOKEN = {
    Protocol.CHAT: None,
    Protocol.MESSAGES: "content_block_delta",
    Protocol.RESPONSES: "response.output_text.delta",
}
ENDING = {
    Protocol.CHAT: ["chat.completion.chunk"],
    Protocol.MESSAGES: ["content_block_stop", "message_delta", "message_stop"],
    Protocol.RESPONSES: [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ],
}


def _assert_whole(protocol: Protocol, ending: list[dict[str, Any]], tokens: int) -> None:
    """The end says as much as came before it."""
    match protocol:
        case Protocol.CHAT:
            assert ending[0]["choices"][0]["finish_reason"] == "stop"
        case Protocol.MESSAGES:
            assert ending[1]["usage"]["output_tokens"] == tokens
            assert ending[1]["delta"]["stop_reason"] == "end_turn"
        case Protocol.RESPONSES:
            assert [event["sequence_number"] for event in ending] == list(range(4 + tokens, 8 + tokens))
            response = ending[3]["response"]
            assert (response["status"], response["usage"]["output_tokens"]) == ("completed", tokens)
            assert response["output"] == [ending[2]["item"]]
            assert response["output"][0]["content"] == [ending[1]["part"]]
            assert ending[1]["part"]["text"] == ending[0]["text"] == " token" * tokens


def _kind(event: dict[str, Any]) -> str:
    kind = event.get("type") or event["object"]
    assert isinstance(kind, str)
    return kind


def _text(event: dict[str, Any]) -> object:
    delta = event["choices"][0]["delta"] if "choices" in event else event["delta"]
    return delta if isinstance(delta, str) else delta.get("content", delta.get("text"))


def _event(chunk: bytes) -> dict[str, Any]:
    *name, data = chunk.decode().removesuffix("\n\n").split("\n")
    assert chunk.endswith(b"\n\n")
    assert data.startswith("data: ")
    event: dict[str, Any] = json.loads(data.removeprefix("data: "))
    assert name == ([f"event: {event['type']}"] if "type" in event else [])
    return event


def test_the_names_of_the_models_differ_in_length() -> None:
    assert len(UPSTREAM_MODEL) != len(PUBLIC_MODEL)
