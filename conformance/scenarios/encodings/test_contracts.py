"""Encoded answers to requests of every contract: what clients get is what they get of plain ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import Session
from fake_upstreams import Step, chat, faults, messages, reply, responses
from fake_upstreams.coding import CODINGS, Coding

SAME_ID = [("x-request-id", "same")]


@dataclass(frozen=True)
class Contract:
    """How it is asked, and what its upstreams say."""

    ask: Callable[..., Response]
    answer: Step
    stream: Sequence[Step]
    begun: int
    """So many events of the stream have committed it."""


CONTRACTS = {
    "chat": Contract(Session.chat, chat.completion("hello"), chat.stream("hel", "lo"), 2),
    "messages": Contract(Session.messages, messages.completion("hello"), messages.stream("hel", "lo"), 4),
    "responses": Contract(
        Session.responses, responses.answer("hello"), responses.numbered(*responses.stream("hel", "lo")), 5
    ),
}


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("name", CONTRACTS)
@pytest.mark.rule("ENC-BODY-005")
def test_every_contract(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, name: str, coding: Coding
) -> None:
    """JSON, errors, streams whole, split everywhere, and broken off."""
    contract = CONTRACTS[name]
    refusal = chat.failure(400, "too warm", "bad_temperature")
    cases: dict[str, tuple[bool, Sequence[Step]]] = {
        "json": (False, [contract.answer]),
        "error": (False, refusal),
        "error for a stream": (True, refusal),
        "stream": (True, contract.stream),
        "split": (True, [faults.SplitAt(every=1), *contract.stream]),
        "json for a stream": (True, [contract.answer]),
        "broken off": (True, [*contract.stream[: contract.begun], faults.Close()]),
    }
    for case, (stream, steps) in cases.items():
        up = upstream(reply(*steps), reply(*steps, coding=coding), name=case)
        credentials = {"apiKey": "k", "baseUrl": up.base_url}
        gw = gateway(deployment(up, adapterKey="openrouter", credentials=credentials), routerSettings=ONE_ATTEMPT)
        plain, decoded = (contract.ask(gw, SAME_ID, stream=stream) for _ in range(2))
        with check("ENC-BODY-005"):
            assert (decoded.status, decoded.body) == (plain.status, plain.body), case
            assert (b"hel" in plain.body) == ("error" not in case), case
