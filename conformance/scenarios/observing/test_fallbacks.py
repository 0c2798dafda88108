"""What unified_routing says of a request that a fallback served."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.contracts import ask, good_answer
from conformance.deployments import deployment, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import ANTHROPIC, CHAT, RESPONSES
from fake_upstreams import chat, messages, responses

ASK = [("x-unified-routing-metadata", "true")]
STREAMS = {CHAT: chat.stream("a"), ANTHROPIC: messages.stream("a"), RESPONSES: responses.stream("a")}


def shown(answer: Response) -> dict[str, Any]:
    """The metadata of an answer of whichever contract, at its place."""
    if not (answer.header("content-type") or "").startswith("text/event-stream"):
        bodies = [answer.json()]
    else:
        events = [event.json() for event in answer.events if event.comment is None and not event.is_done]
        bodies = [data.get("response", data) for data in events]
    found: list[dict[str, Any]] = [body["unified_routing"] for body in bodies if "unified_routing" in body]
    (metadata,) = found
    return metadata


@pytest.mark.rule("OBS-META-013")
@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.parametrize("path", STREAMS)
def test_a_fallback_is_named(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, path: str, stream: bool
) -> None:
    transports = {"text.generate": ["chat", "messages", "responses"]}
    first, second = upstream(chat.failure(500)), upstream(STREAMS[path] if stream else good_answer(path))
    gw = gateway(
        deployment(first, transportOverrides=transports),
        deployment(second, transportOverrides=transports, publicModel="near"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["near"]}],
        routerSettings=policies(json={"maxAttempts": 2}, stream={"maxAttempts": 2}),
    )
    answer = ask(gw, path, ASK, stream=stream)
    with check("OBS-META-013"):
        assert answer.status == 200, answer.raw
        metadata = shown(answer)
        assert metadata["fallback_used"] is True
        assert metadata["served_model"] == "near"
        assert [attempt["ok"] for attempt in metadata["attempts"]] == [False, True]
        assert metadata["served_deployment"] == metadata["attempts"][1]["deployment"]
