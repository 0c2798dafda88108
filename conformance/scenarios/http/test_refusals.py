"""What a request that the gateway refuses leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.client import Connection
from conformance.contracts import ask, good_answer
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import ANTHROPIC, CHAT, RESPONSES, Session, states


def refused(gw: Session, path: str) -> list[int]:
    """The statuses of requests that are wrong in themselves, before their model is known and after."""
    wrong: list[dict[str, Any]] = [{"model": 7}, {"stream": "yes"}, {"messages": "hi", "input": 7, "max_tokens": "few"}]
    return [gw.post(b"{", path=path).status, *(ask(gw, path, **members).status for members in wrong)]


LARGE = 24_000_000


def all_sent(client: Connection, request: bytes) -> bool:
    try:
        client.send(request)
    except OSError:
        return False
    return True


@pytest.mark.rule("HTTP-REFUSE-003")
@pytest.mark.parametrize(
    "framing", [f"content-length: {2 * LARGE}\r\n\r\n", f"transfer-encoding: chunked\r\n\r\n{LARGE:x}\r\n"]
)
@pytest.mark.parametrize(("key", "status"), [("right", 413), ("wrong", 401)])
def test_a_client_that_sends_before_it_reads_learns_of_the_refusal(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, framing: str, key: str, status: int
) -> None:
    gw = gateway(upstream(), server={"masterKey": "right", "requestBodyBytes": LARGE // 2})
    client = gw.connect()
    head = f"POST {CHAT} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n{framing}"
    with check("HTTP-REFUSE-003"):
        assert all_sent(client, head.encode() + b" " * LARGE), "cut off"
        assert client.response().status == status


@pytest.mark.rule("HTTP-REFUSE-002")
@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize("path", [CHAT, ANTHROPIC, RESPONSES])
def test_refusals_count_against_nobody(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, path: str
) -> None:
    """Not even a deployment that one failure or one request a minute would take out of the pool."""
    up = upstream(good_answer(path))
    transports = {"text.generate": ["chat", "messages", "responses"]}
    gw = gateway(deployment(up, transportOverrides=transports, rpmLimit=1), routerSettings={"allowedFails": 0})
    untouched = gw.deployments()
    with check("HTTP-REFUSE-002"):
        assert refused(gw, path) == [400] * 4
        assert gw.deployments() == untouched
        assert states(gw) == [("available", None)]
        assert ask(gw, path).status == 200
