"""The official anthropic SDK as the client, synchronous or asynchronous: the same few calls through either."""

from __future__ import annotations

from typing import Any

import anthropic
from anthropic import Anthropic, AsyncAnthropic

from conformance.sdk.clients import SdkClients
from conformance.session import Session

MESSAGES: Any = [{"role": "user", "content": "hi"}]
TOOLS: Any = [{"name": "look_up", "input_schema": {"type": "object", "properties": {}}}]


class AnthropicSdk:
    """Retries are off unless asked for: the gateway's answers are what is looked at."""

    def __init__(self, kind: str, gateway: Session, key: str = "none", **client: Any) -> None:
        options: dict[str, Any] = {"base_url": gateway.url, "api_key": key, "max_retries": 0, **client}
        self._clients = SdkClients(kind, Anthropic, AsyncAnthropic, anthropic.APIError, **options)

    def create(self, **members: Any) -> Any:
        """messages.create without stream."""
        return self._clients.run(lambda client: client.messages.create(messages=MESSAGES, max_tokens=100, **members))

    def count(self, **members: Any) -> int:
        """The number that messages.count_tokens answers."""
        counted = self._clients.run(lambda client: client.messages.count_tokens(messages=MESSAGES, **members))
        return int(counted.input_tokens)

    def models(self) -> list[Any]:
        """All that models.list iterates over."""
        return self._clients.everything(lambda client: client.models.list())

    def events(self, leave_after: int | None = None, **members: Any) -> tuple[list[Any], anthropic.APIError | None]:
        """The events of a stream and the error that ended it; `leave_after` so many it is left."""
        return self._clients.read(
            lambda client: client.messages.create(messages=MESSAGES, max_tokens=100, stream=True, **members),
            leave_after,
        )

    def helper(self, **members: Any) -> Any:
        """The final message of the stream helper."""
        return self._clients.help(
            lambda client: client.messages.stream(messages=MESSAGES, max_tokens=100, **members),
            lambda stream: stream.get_final_message(),
        )


def texts(events: list[Any]) -> str:
    """The text of a stream, joined."""
    deltas = [event.delta for event in events if event.type == "content_block_delta"]
    return "".join(delta.text for delta in deltas if delta.type == "text_delta")
