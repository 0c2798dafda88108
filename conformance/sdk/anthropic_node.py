"""The official anthropic SDKs for Node, one process for some calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conformance.sdk.node import run
from conformance.session import MESSAGES, Session

PACKAGES = {"1": "@anthropic-ai/sdk", "0": "anthropic-before-1"}
"""By major; those before 1 send their key in x-api-key instead of as a bearer token."""


@dataclass(frozen=True)
class Outcome:
    """What came of a call."""

    result: Any
    """The message, of `create` and `helper`, or the count."""
    events: list[Any]
    """What was iterated over, of `stream` and `models`; also before an error."""
    error: Mapping[str, Any] | None
    """`name` of its class, status, type, message, request_id."""

    @property
    def text(self) -> str:
        """Of all blocks."""
        if self.result is not None:
            return "".join(block["text"] for block in self.result["content"])
        deltas = [event["delta"] for event in self.events if event["type"] == "content_block_delta"]
        return "".join(delta.get("text", "") for delta in deltas)


class NodeAnthropic:
    """Calls through the SDK with its retries off, unless `client` says otherwise."""

    def __init__(self, major: str, gateway: Session, key: str = "none", **client: Any) -> None:
        self._package = PACKAGES[major]
        self._client = {"baseURL": gateway.url, "apiKey": key, "authToken": None, "maxRetries": 0, **client}

    def call(self, kind: str, **body: Any) -> Outcome:
        """`create`, `stream`, `helper`, `count` or `models`."""
        (outcome,) = self.calls((kind, body))
        return outcome

    def calls(self, *wanted: tuple[str, Mapping[str, Any]]) -> list[Outcome]:
        """Several, one after the other; the body of each is told by its members that are not the usual ones."""
        calls = [
            {"call": kind, "body": {"messages": MESSAGES, "max_tokens": 100, "model": "claude", **body}}
            for kind, body in wanted
        ]
        made = run("anthropic.mjs", {"package": self._package, "client": self._client, "calls": calls})
        return [Outcome(each.get("result"), each["events"], each.get("error")) for each in made["outcomes"]]
