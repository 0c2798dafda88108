"""A running gateway together with the clients that a scenario has on it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from conformance.client import Connection, encode_request
from conformance.deployments import MODEL
from conformance.http_bytes import Response
from conformance.targets import Gateway, Timers

CHAT = "/v1/chat/completions"
ANTHROPIC = "/v1/messages"
COUNT_TOKENS = "/v1/messages/count_tokens"
RESPONSES = "/v1/responses"
MESSAGES = [{"role": "user", "content": "hi"}]

Headers = Iterable[tuple[str, str]]


def compact(members: Mapping[str, Any]) -> bytes:
    """A body as compact JSON."""
    return json.dumps(members, separators=(",", ":")).encode()


def chat_body(**members: Any) -> bytes:
    """A chat request as compact JSON: the usual model and messages, and `members`."""
    return compact({"model": MODEL, "messages": MESSAGES, **members})


def messages_body(**members: Any) -> bytes:
    """Likewise a request of the messages contract, for at most 100 tokens."""
    return compact({"model": MODEL, "max_tokens": 100, "messages": MESSAGES, **members})


def responses_body(**members: Any) -> bytes:
    """Likewise a request of the responses contract, whose input is a string."""
    return compact({"model": MODEL, "input": "hi", **members})


def padded(size: int, **members: Any) -> bytes:
    """Likewise, of exactly `size` bytes."""
    return chat_body(x="x" * (size - len(chat_body(x="", **members))), **members)


def chat_request(headers: Headers = (), **members: Any) -> bytes:
    """A whole chat request as it goes over the wire."""
    return encode_request("POST", CHAT, chat_body(**members), headers)


class Session:
    """What the fixture `gateway` returns."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._connections: list[Connection] = []
        self.url = gateway.url

    def connect(self, receive_buffer: int | None = None) -> Connection:
        """A TCP connection, closed at the end of the scenario if not before."""
        connection = Connection(self.url, receive_buffer)
        self._connections.append(connection)
        return connection

    def call(self, method: str, path: str, body: bytes | None = None, headers: Headers = ()) -> Response:
        """One request on a connection of its own."""
        connection = self.connect()
        try:
            return connection.request(method, path, body, headers)
        finally:
            connection.close()

    def begin(self, path: str, body: bytes, headers: Headers = (), receive_buffer: int | None = None) -> Connection:
        """Posts a body and leaves the answer to be read from the connection."""
        connection = self.connect(receive_buffer)
        connection.send(encode_request("POST", path, body, headers))
        return connection

    def post(self, body: bytes, headers: Headers = (), path: str = CHAT) -> Response:
        """A request with exactly this body, for chat unless `path` says otherwise."""
        return self.call("POST", path, body, headers)

    def chat(self, headers: Headers = (), **members: Any) -> Response:
        """A chat request with the usual model and messages, and its whole answer."""
        return self.post(chat_body(**members), headers)

    def messages(self, headers: Headers = (), **members: Any) -> Response:
        """Likewise a request of the messages contract."""
        return self.post(messages_body(**members), headers, ANTHROPIC)

    def responses(self, headers: Headers = (), **members: Any) -> Response:
        """Likewise a request of the responses contract."""
        return self.post(responses_body(**members), headers, RESPONSES)

    def deployments(self, model: str = MODEL, headers: Headers = ()) -> list[dict[str, Any]]:
        """The live view of the model's deployments, in the order of the configuration."""
        answer = self.call("GET", f"/v1/models/{quote(model, safe='')}/deployments", headers=headers)
        if answer.status != 200:
            raise AssertionError(f"the view of {model} is answered {answer.status}")
        rows: list[dict[str, Any]] = answer.json()["data"]
        return rows

    def begin_chat(self, headers: Headers = (), receive_buffer: int | None = None, **members: Any) -> Connection:
        """Sends a chat request and leaves the answer to be read from the connection."""
        return self.begin(CHAT, chat_body(**members), headers, receive_buffer)

    def begin_messages(self, headers: Headers = (), receive_buffer: int | None = None, **members: Any) -> Connection:
        """Likewise a request of the messages contract."""
        return self.begin(ANTHROPIC, messages_body(**members), headers, receive_buffer)

    def begin_responses(self, headers: Headers = (), receive_buffer: int | None = None, **members: Any) -> Connection:
        """Likewise a request of the responses contract."""
        return self.begin(RESPONSES, responses_body(**members), headers, receive_buffer)

    def timers(self) -> Timers:
        """The armed deadlines."""
        return self._gateway.timers()

    def advance(self, ms: int, until_armed: str | None = None) -> int:
        """Moves time by `ms`, once a deadline of the kind `until_armed` is armed."""
        return self._gateway.advance(ms, until_armed)

    def seed(self, number: int) -> None:
        """Seeds the draws."""
        self._gateway.seed(number)

    def begin_stop(self) -> None:
        """Asks for a graceful stop and returns at once."""
        self._gateway.begin_stop()

    def stop(self) -> None:
        """Ends the gateway and asserts that it ended well."""
        self._gateway.stop()

    def log(self) -> str:
        """What the gateway has logged, complete once it has been stopped."""
        return self._gateway.log()

    def end(self) -> None:
        """Leaves with every connection, so that nothing holds up the stop; then stops."""
        for connection in self._connections:
            connection.close()
        self._gateway.stop()


def states(gateway: Session) -> list[tuple[str, int | None]]:
    """Status and remaining milliseconds of each deployment of the usual model, as the view says them."""
    return [(row["status"], row["retry_after_ms"]) for row in gateway.deployments()]


def payloads(response: Response) -> list[dict[str, Any]]:
    """The JSON payloads of a stream, without end marker and comments."""
    return [event.json() for event in response.events if event.comment is None and not event.is_done]


def contents(response: Response, index: int = 0) -> str:
    """The content of one choice of a stream, joined."""
    return "".join(delta.get("content") or "" for delta in deltas(response, index))


def deltas(response: Response, index: int = 0) -> list[dict[str, Any]]:
    """The deltas of one choice of a stream."""
    return [choice["delta"] for choice in choices(response, index)]


def finish_reasons(response: Response, index: int = 0) -> list[str]:
    """The finish reasons that one choice of a stream got."""
    return [choice["finish_reason"] for choice in choices(response, index) if choice.get("finish_reason")]


def choices(response: Response, index: int = 0) -> list[Mapping[str, Any]]:
    """One choice of a stream, frame by frame."""
    frames = [frame for frame in payloads(response) if "error" not in frame]
    return [choice for frame in frames for choice in frame["choices"] if choice["index"] == index]


def done_count(response: Response) -> int:
    """How many end markers a stream has."""
    return sum(event.is_done for event in response.events)
