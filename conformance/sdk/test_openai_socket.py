"""The official openai SDK over a WebSocket, synchronous and asynchronous."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from openai import AsyncOpenAI, OpenAI

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import speaking
from conformance.sdk.clients import both
from conformance.session import Session
from conformance.websocket import LAST
from fake_upstreams import chat, responses

Members = Mapping[str, Any]


def turns(kind: str, gateway: Session, key: str, asked: Sequence[Members]) -> list[list[Any]]:
    """The events of one turn after the other on one connection."""
    options: dict[str, Any] = {"base_url": gateway.url + "/v1", "api_key": key, "max_retries": 0}
    return _in_turn(OpenAI(**options), asked) if kind == "sync" else asyncio.run(_awaited(options, asked))


def _in_turn(client: OpenAI, asked: Sequence[Members]) -> list[list[Any]]:
    answers: list[list[Any]] = []
    with client, client.responses.connect() as connection:
        for members in asked:
            connection.response.create(**members)
            answers.append([])
            for event in connection:
                answers[-1].append(event)
                if event.type in LAST:
                    break
    return answers


async def _awaited(options: dict[str, Any], asked: Sequence[Members]) -> list[list[Any]]:
    answers: list[list[Any]] = []
    async with AsyncOpenAI(**options) as client, client.responses.connect() as connection:
        for members in asked:
            await connection.response.create(**members)
            answers.append([])
            async for event in connection:
                answers[-1].append(event)
                if event.type in LAST:
                    break
    return answers


def text_of(events: list[Any]) -> str:
    """The text of a turn."""
    return "".join(event.delta for event in events if event.type == "response.output_text.delta")


@both
@pytest.mark.rule("WS-SDK-001")
def test_turns_on_one_connection(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, client_kind: str
) -> None:
    """One that fails leaves the connection open for the next."""
    failure = chat.failure(400, "no such parameter", kind="invalid_request_error", code="unknown_parameter")
    up = upstream(responses.stream("hel", "lo"), failure, responses.stream("b"))
    gw = gateway(*speaking(up), keys=[{"name": "demo", "key": "right"}])
    usual = {"model": "gpt", "input": "hi"}
    first, failed, last = turns(client_kind, gw, "right", [usual, usual, usual])
    with check("WS-SDK-001"):
        assert text_of(first) == "hello"
        assert (first[-1].type, first[-1].response.model) == ("response.completed", "gpt")
        assert first[-1].response.usage.total_tokens == 2
        assert (failed[-1].type, failed[-1].error.code) == ("error", "unknown_parameter")
        assert text_of(last) == "b"
