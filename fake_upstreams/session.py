"""Serves one connection: reads requests, plays the replies that the script has for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from .answer import Answer
from .errors import ClientGone
from .gates import Gates
from .queue import ReplyQueue
from .receive import BadRequest, receive
from .reply import Reply
from .request import Request
from .steps import Body, Headers, Status
from .websocket import BadFrame, receive_message
from .wire import Wire

MISMATCH = Reply(
    (
        Status(500, "Fake Upstream Mismatch"),
        Headers({"Connection": "close"}),
        Body.json({"error": {"message": "the fake upstream has no reply for this request", "type": "fake_upstream"}}),
    )
)
"""The answer to a request that is not in the script."""


class Home(Protocol):
    """What a session needs of the upstream that it belongs to."""

    gates: Gates
    queue: ReplyQueue
    requests: list[Request]

    async def settle(self) -> None: ...
    async def announce(self) -> None: ...


async def serve(home: Home, wire: Wire) -> None:
    """Runs until either side ends the connection."""
    wire.note("accepted")
    try:
        taken = home.queue.take_at_accept()
        if taken is not None:
            wire.idle = False
            await home.settle()
            if not await _play(Answer(wire, home.gates, taken[1], None), taken):
                await wire.close()
                return
            wire.idle = True
        upgraded = False
        while (request := await _next_request(home, wire, upgraded)) is not None:
            wire.idle = False
            taken = home.queue.take(request)
            await home.settle()
            await home.announce()
            answer = Answer(wire, home.gates, (taken or (0, MISMATCH))[1], request)
            answer.upgraded = upgraded
            if not await _play(answer, taken):
                break
            upgraded = answer.upgraded
            wire.idle = True
            if home.queue.refuses():
                break
    except ClientGone:
        wire.note("the reply ends early: the client has gone")
    except (BadRequest, BadFrame) as problem:
        home.queue.problems.append(f"connection {wire.number}: {problem}")
    await wire.close()


async def _next_request(home: Home, wire: Wire, upgraded: bool) -> Request | None:
    received, incomplete = (await receive_message(wire), "") if upgraded else await receive(wire)
    if received is None:
        if incomplete:
            wire.note(f"received {incomplete}")
        return None
    request = replace(received, number=len(home.requests) + 1)
    home.requests.append(request)
    wire.note(f"request {request.number}: {request}")
    return request


async def _play(answer: Answer, taken: tuple[int, Reply] | None) -> bool:
    """Plays a reply. Returns whether the connection carries on."""
    number, reply = taken or (0, MISMATCH)
    wire = answer.wire
    for place, step in enumerate(reply.steps, 1):
        wire.note(
            f"reply {number}, step {place}: {_shortened(step.describe())}" if number else "no reply for this request"
        )
        await step.play(answer)
        if wire.ended_by_upstream:
            return False
    await answer.finish()
    wire.read_on()
    wire.note(f"reply {number} complete" if number else "answered 500")
    if answer.after is not None:
        await answer.after()
    return answer.keeps_alive() and not wire.ended_by_upstream


def _shortened(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "..."
