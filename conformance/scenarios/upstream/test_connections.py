"""Which connections to an upstream are used again."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Body, Bytes, Headers, chat, faults, reply

# In one write with the answer, so that the gateway cannot use the connection again before it has seen them.
MORE = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


def answer_and_more(body: Body) -> Bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body.data)}\r\n\r\n"
    return Bytes(head.encode() + body.data + MORE)


@pytest.mark.rule("UP-CONN-001")
def test_connections_are_kept_alive(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """After JSON, after a stream, and after an error that has a body."""
    # Framed by length, the stream ends with its end marker; a last chunk might still be under way.
    stream = reply(chat.stream("a"), framing="length")
    up = upstream(chat.completion("a"), stream, chat.failure(500), chat.completion("a"))
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    answers = [gw.chat(), gw.chat(stream=True), gw.chat(), gw.chat()]
    with check("UP-CONN-001"):
        assert [answer.status for answer in answers] == [200, 200, 500, 200]
        assert up.connections == 1


@pytest.mark.rule("UP-CONN-002")
@pytest.mark.parametrize("when", ["idle", "next_request"])
def test_a_connection_that_closed_meanwhile_is_replaced(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, when: str
) -> None:
    up = upstream([{"fault": {"early_close_keepalive": {"when": when}}}, chat.completion("a")], chat.completion("b"))
    gw = gateway(up)
    first = gw.chat()
    second = gw.chat([("x-unified-routing-metadata", "true")])
    with check("UP-CONN-002"):
        assert first.status == 200
        assert second.status == 200
        assert second.json()["unified_routing"]["attempt_count"] == 1
        assert up.connections == 2


@pytest.mark.rule("UP-CONN-002")
def test_a_connection_is_replaced_only_once(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The fresh connection closes as well: that is a failure of the attempt."""
    up = upstream(chat.completion("a"), [faults.CloseBeforeReply()], [faults.CloseBeforeReply()])
    gw = gateway(up, routerSettings=ONE_ATTEMPT)
    gw.chat()
    with check("UP-CONN-002"):
        assert gw.chat().status == 502
        assert len(up.requests) == 3


@pytest.mark.rule("UP-CONN-003")
def test_connections_with_loose_ends_are_not_used_again(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """An answer framed by close, one that says close, and one with bytes beyond its length."""
    answers = [
        reply(chat.completion("a"), framing="close"),
        reply(Headers({"Connection": "close"}), chat.completion("a")),
        reply(answer_and_more(chat.completion("a"))),
    ]
    for answer in answers:
        up = upstream(answer, chat.completion("b"))
        gw = gateway(up)
        served = [gw.chat() for _ in range(2)]
        with check("UP-CONN-003"):
            assert [one.status for one in served] == [200, 200]
            assert served[1].json()["choices"][0]["message"]["content"] == "b"
            assert up.connections == 2


@pytest.mark.rule("UP-CONN-004")
@pytest.mark.parametrize("status", [100, 103])
def test_interim_answers_are_skipped(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, status: int
) -> None:
    up = upstream([faults.EarlyHints(status), chat.completion("a")], [faults.EarlyHints(status), *chat.stream("a")])
    gw = gateway(up)
    with check("UP-CONN-004"):
        assert gw.chat().status == 200
        assert gw.chat(stream=True).events[-1].is_done
