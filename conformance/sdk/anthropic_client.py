"""The official anthropic SDK as the client, synchronous or asynchronous: the same few calls through either."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import anthropic
from anthropic import Anthropic, AsyncAnthropic

from conformance.session import Session

MESSAGES: Any = [{"role": "user", "content": "hi"}]
TOOLS: Any = [{"name": "look_up", "input_schema": {"type": "object", "properties": {}}}]


class AnthropicSdk:
    """Retries are off: the gateway's answers are what is looked at."""

    def __init__(self, kind: str, gateway: Session, key: str = "none", **client: Any) -> None:
        self._kind = kind
        self._options: dict[str, Any] = {"base_url": gateway.url, "api_key": key, "max_retries": 0, **client}

    def create(self, **members: Any) -> Any:
        """messages.create without stream."""
        return self._run(lambda client: client.messages.create(messages=MESSAGES, max_tokens=100, **members))

    def count(self, **members: Any) -> int:
        """The number that messages.count_tokens answers."""
        return int(self._run(lambda client: client.messages.count_tokens(messages=MESSAGES, **members)).input_tokens)

    def models(self) -> list[Any]:
        """All that models.list iterates over."""
        if self._kind == "sync":
            with Anthropic(**self._options) as client:
                return list(client.models.list())
        return asyncio.run(self._async_models())

    def events(self, leave_after: int | None = None, **members: Any) -> tuple[list[Any], anthropic.APIError | None]:
        """The events of a stream and the error that ended it; `leave_after` so many it is left."""
        if self._kind == "async":
            return asyncio.run(self._async_events(leave_after, members))
        events: list[Any] = []
        with Anthropic(**self._options) as client:
            try:
                with client.messages.create(messages=MESSAGES, max_tokens=100, stream=True, **members) as stream:
                    while len(events) != leave_after and (event := next(stream, None)) is not None:
                        events += [event]
            except anthropic.APIError as error:
                return events, error
        return events, None

    def helper(self, **members: Any) -> Any:
        """The final message of the stream helper."""
        if self._kind == "sync":
            with (
                Anthropic(**self._options) as client,
                client.messages.stream(messages=MESSAGES, max_tokens=100, **members) as stream,
            ):
                return stream.get_final_message()
        return asyncio.run(self._async_helper(members))

    def _run(self, call: Callable[[Any], Any]) -> Any:
        if self._kind == "sync":
            with Anthropic(**self._options) as client:
                return call(client)
        return asyncio.run(self._async_run(call))

    async def _async_run(self, call: Callable[[Any], Any]) -> Any:
        async with AsyncAnthropic(**self._options) as client:
            return await call(client)

    async def _async_models(self) -> list[Any]:
        async with AsyncAnthropic(**self._options) as client:
            return [model async for model in client.models.list()]

    async def _async_events(
        self, leave_after: int | None, members: dict[str, Any]
    ) -> tuple[list[Any], anthropic.APIError | None]:
        events: list[Any] = []
        async with AsyncAnthropic(**self._options) as client:
            try:
                async with await client.messages.create(
                    messages=MESSAGES, max_tokens=100, stream=True, **members
                ) as stream:
                    while len(events) != leave_after and (event := await anext(stream, None)) is not None:
                        events += [event]
            except anthropic.APIError as error:
                return events, error
        return events, None

    async def _async_helper(self, members: dict[str, Any]) -> Any:
        async with (
            AsyncAnthropic(**self._options) as client,
            client.messages.stream(messages=MESSAGES, max_tokens=100, **members) as stream,
        ):
            return await stream.get_final_message()


def texts(events: list[Any]) -> str:
    """The text of a stream, joined."""
    deltas = [event.delta for event in events if event.type == "content_block_delta"]
    return "".join(delta.text for delta in deltas if delta.type == "text_delta")
