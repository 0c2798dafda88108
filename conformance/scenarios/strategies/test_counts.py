"""least-busy and usage-based: the fewest first.

Where two deployments are tied, 20 requests reach both of them but for one run in 500,000; a target with `seed` draws
the same every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from conformance.asking import ask, metrics, serving
from conformance.checks import Check
from conformance.client import Connection
from conformance.deployments import deployment, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import Session, contents
from fake_upstreams import Pause, UpstreamHandle, chat, faults, reply

TIED = 20


def busy_upstream(upstream: UpstreamFactory, name: str) -> UpstreamHandle:
    """Answers at once, unless the request's `user` says how it is to be held until the gate `go`."""
    held = Pause(until="go")
    start = (chat.role(), chat.content("held"))
    return upstream(
        reply(held, chat.completion("held"), expect={"json": {"user": "json"}}, optional=True),
        reply(*start, held, chat.finish(), chat.DONE, expect={"json": {"user": "stream"}}, optional=True),
        reply(*start, held, faults.Reset(), expect={"json": {"user": "failing"}}, optional=True),
        reply(chat.stream(name), expect={"json": {"stream": True}}, times=None, optional=True),
        reply(chat.completion(name), times=None, optional=True),
        name=name,
        ordered=False,
    )


def hold(
    gateway: Session, ups: Sequence[UpstreamHandle], how: str
) -> tuple[Connection, UpstreamHandle, UpstreamHandle]:
    """A request that is held: its client, the upstream that holds it, and the other one."""
    client = gateway.begin_chat(user=how, stream=how != "json")
    if how == "json":
        gateway.advance(0, until_armed="response")
    else:
        client.head()
        client.event()
    busy, idle = sorted(ups, key=lambda up: -len(up.requests))
    assert [len(busy.requests), len(idle.requests)] == [1, 0]
    return client, busy, idle


def release(client: Connection, busy: UpstreamHandle, how: str) -> None:
    """Lets a held request end, and reads its answer to the end."""
    busy.release("go")
    if how == "json":
        client.response()
    else:
        client.rest_of_chunks()


@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize("how", ["json", "stream"])
@pytest.mark.rule("STG-BUSY-001", "STG-BUSY-003")
def test_the_idle_deployment_is_chosen_while_a_request_is_held(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, how: str
) -> None:
    ups = [busy_upstream(upstream, name) for name in ("a", "b")]
    gw = gateway(*ups, routerSettings={"routingStrategy": "least-busy"})
    client, busy, idle = hold(gw, ups, how)
    served = ask(gw, TIED)
    with check("STG-BUSY-001"):
        assert served == [idle.name] * TIED
    answer = gw.chat(stream=True)
    with check("STG-BUSY-003"):
        assert contents(answer) == idle.name
    release(client, busy, how)


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("STG-BUSY-001")
def test_an_attempt_counts_as_long_as_it_lasts(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """An hour would be no matter; the minutes here are more than a slot is kept without being renewed."""
    ups = [busy_upstream(upstream, name) for name in ("a", "b")]
    settings = policies(stream={"idleMs": None})
    gw = gateway(*ups, routerSettings={**settings, "routingStrategy": "least-busy"})
    client, busy, idle = hold(gw, ups, "stream")
    for _ in range(30):
        gw.advance(10_000)
    served = ask(gw, TIED)
    with check("STG-BUSY-001"):
        assert served == [idle.name] * TIED
    release(client, busy, "stream")
    freed = ask(gw, TIED)
    with check("STG-BUSY-001"):
        assert set(freed) == {"a", "b"}
        assert [row["inflight"] for row in metrics(gw)] == [0, 0]


@pytest.mark.needs("virtual_time")
@pytest.mark.parametrize("how", ["stream", "failing", "left"])
@pytest.mark.rule("STG-BUSY-004", "STG-WEIGHT-001")
def test_an_attempt_that_has_ended_does_not_count(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, how: str
) -> None:
    """However it ended. Then both are tied again, whatever their weights."""
    ups = [busy_upstream(upstream, name) for name in ("a", "b")]
    gw = gateway(
        deployment(ups[0], weight=1_000_000_000),
        deployment(ups[1], weight=0),
        routerSettings={"routingStrategy": "least-busy"},
    )
    client, busy, _ = hold(gw, ups, "stream" if how == "left" else how)
    if how == "left":
        client.close()
        busy.wait_closed()
        gw.advance(0)
    else:
        release(client, busy, how)
    with check("STG-BUSY-004"):
        assert [row["inflight"] for row in metrics(gw)] == [0, 0]
    served = ask(gw, TIED)
    with check("STG-BUSY-004", "STG-WEIGHT-001"):
        assert set(served) == {"a", "b"}


@pytest.mark.rule("STG-USAGE-001", "STG-WEIGHT-001", "STG-ORDER-003")
def test_the_fewest_requests_of_the_minute(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Each request changes who is next, so that the two take turns."""
    ups = [upstream(serving(name), name=name) for name in ("a", "b")]
    gw = gateway(
        deployment(ups[0], weight=1_000_000_000),
        deployment(ups[1], weight=0),
        routerSettings={"routingStrategy": "usage-based-rpm"},
    )
    served = ask(gw, TIED)
    pairs = [set(served[at : at + 2]) for at in range(0, TIED, 2)]
    with check("STG-USAGE-001", "STG-WEIGHT-001", "STG-ORDER-003"):
        assert pairs == [{"a", "b"}] * (TIED // 2)


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("STG-USAGE-002", "STG-WEIGHT-001", "STG-USAGE-004")
def test_the_fewest_tokens_of_the_minute(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """One answer of `much` outweighs all others of a minute, so that it gets one request in each."""
    much = upstream(serving("much", tokens=1000), name="much")
    little = upstream(serving("little", tokens=10), name="little")
    gw = gateway(
        deployment(much, weight=1_000_000_000),
        deployment(little, weight=0),
        routerSettings={"routingStrategy": "usage-based-tpm"},
    )
    served = ask(gw, TIED)
    with check("STG-USAGE-002", "STG-WEIGHT-001"):
        assert served.count("much") == 1
    gw.advance(60_000)
    served = ask(gw, TIED)
    with check("STG-USAGE-004"):
        assert served.count("much") == 1


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("STG-USAGE-004")
def test_requests_of_earlier_minutes_do_not_count(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """One request a minute is a tie each time: if earlier minutes counted, the two would take turns."""
    ups = [upstream(serving(name), name=name) for name in ("a", "b")]
    gw = gateway(*ups, routerSettings={"routingStrategy": "usage-based-rpm"})
    served = []
    for _ in range(TIED):
        served += ask(gw, 1)
        gw.advance(60_000)
    with check("STG-USAGE-004"):
        assert set(served) == {"a", "b"}
        assert any(one == next_one for one, next_one in pairwise(served))
