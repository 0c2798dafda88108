"""Streams of every text contract, for scenarios in which it matters only that one is a stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import conformance.anthropic
import conformance.responses
import conformance.session
from conformance.contracts import ask
from conformance.deployments import Deployment, in_order
from conformance.http_bytes import Response
from conformance.session import ANTHROPIC, CHAT, RESPONSES, Session, chat_body, messages_body, responses_body
from fake_upstreams import Event, Step, UpstreamHandle, chat, messages, responses

EVERY = {"text.generate": ["chat", "messages", "responses"]}
"""`transportOverrides` of a deployment that carries every contract."""


@dataclass(frozen=True)
class Streaming:
    """One contract's streams."""

    path: str
    body: Callable[..., bytes]
    text_of: Callable[[Response], str]
    begin: Sequence[Step]
    """What comes before the commit."""
    shown: Event
    """What commits, after it."""
    end: Sequence[Step]
    """What follows, of a whole answer `a`."""
    tool: Sequence[Step]
    """A tool's call that breaks off within its arguments."""
    error: Event
    """An error whose status was 200."""

    @property
    def whole(self) -> list[Step]:
        """A whole answer `a`."""
        return [*self.begin, self.shown, *self.end]

    def ask(self, gateway: Session) -> Response:
        """A usual streamed request."""
        return ask(gateway, self.path, stream=True)


_MESSAGE = responses.message("a")

STREAMING = {
    "chat": Streaming(
        CHAT,
        chat_body,
        conformance.session.contents,
        begin=[chat.role()],
        shown=chat.content("a"),
        end=[chat.finish(), chat.DONE],
        tool=[chat.role(), chat.tool_call("look_up", '{"path":"/a', "call_0")],
        error=chat.error("worker died"),
    ),
    "messages": Streaming(
        ANTHROPIC,
        messages_body,
        conformance.anthropic.text_of,
        begin=[messages.start(), messages.text_start()],
        shown=messages.text("a"),
        end=[messages.block_stop(), messages.finish(), messages.STOP],
        tool=[messages.start(), messages.tool_start(), messages.tool_input('{"path":"/a')],
        error=messages.error("worker died"),
    ),
    "responses": Streaming(
        RESPONSES,
        responses_body,
        conformance.responses.text_of,
        begin=[*responses.began(), *_MESSAGE[:2]],
        shown=responses.text("a"),
        end=[*_MESSAGE[3:], responses.completed(responses.message_item("a"))],
        tool=[*responses.began(), *responses.call("look_up", '{"path":"/a', '"}')[:2]],
        error=responses.error("worker died"),
    ),
}


def carrying_all(*upstreams: UpstreamHandle, **settings: object) -> list[Deployment]:
    """Up to three deployments of one pool that carry every contract and are drawn in this order."""
    return in_order(*upstreams, transportOverrides=EVERY, **settings)
