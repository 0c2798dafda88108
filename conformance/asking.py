"""Chat requests as scenarios about choices make them: many, or one that takes a given time."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any

from conformance.http_bytes import Response
from conformance.session import Session, chat_request
from fake_upstreams import Pause, Reply, ReplyLike, UpstreamHandle, chat, reply

GATE = "answer"


def ask(gateway: Session, times: int, **members: Any) -> list[str]:
    """Who served each of so many requests: the contents of their answers."""
    client = gateway.connect()
    served = []
    for _ in range(times):
        client.send(chat_request(**members))
        answer = client.response()
        assert answer.status == 200, answer.raw
        served.append(answer.json()["choices"][0]["message"]["content"])
    return served


def serving(name: str, tokens: int = 1, times: int | None = None, optional: bool = False) -> Reply:
    """An answer at once whose content is `name`, with so many completion tokens and no others."""
    return reply(chat.completion(name, usage=chat.tokens(0, tokens)), times=times, optional=optional)


def timed(name: str, tokens: int = 1) -> ReplyLike:
    """Such an answer, for `ask_timed`."""
    return reply(Pause(until=GATE), chat.completion(name, usage=chat.tokens(0, tokens)))


def ask_timed(gateway: Session, upstream: UpstreamHandle, ms: int) -> Response:
    """One request, of which `upstream` takes so many milliseconds of virtual time for the answer."""
    number = len(upstream.requests) + 1
    client = gateway.begin_chat()
    upstream.wait_request(number)
    gateway.advance(ms, until_armed="response")
    upstream.release(GATE, times=1)
    answer = client.response()
    client.close()
    return answer


def begin_minute(gateway: Session) -> None:
    """Moves virtual time to the first second of a minute of the wall clock, to which counts of requests belong."""

    def second() -> int:
        return parsedate_to_datetime(gateway.call("GET", "/health/live").header("date") or "").second

    gateway.advance((60 - second()) * 1_000)
    assert second() == 0


def metrics(gateway: Session, model: str = "gpt") -> list[dict[str, Any]]:
    """`metrics` of each deployment of the model, in the order of the view."""
    view = gateway.call("GET", f"/v1/models/{model}/deployments")
    assert view.status == 200, view.raw
    return [row["metrics"] for row in view.json()["data"]]
