"""How a request walks along its chain."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import deployment, in_order, policies
from conformance.fixtures import GatewayFactory, UpstreamFactory
from fake_upstreams import Pause, chat, faults, reply

TOO_LONG = chat.failure(400, "too many tokens", "context_length_exceeded", "invalid_request_error")


@pytest.mark.rule("FBK-HOP-001", "FBK-HOP-003")
def test_hops_are_asked_in_order_each_with_its_pool(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Each upstream sees its own model id and key, and the body that the client sent otherwise."""
    first, second, third = upstream(chat.failure(500)), upstream(chat.failure(502)), upstream(chat.failure(401))
    last = upstream(chat.completion("d"))
    gw = gateway(
        deployment(
            last,
            publicModel="far",
            upstreamModel="its-own-id",
            credentials={"apiKey": "its-own-key", "baseUrl": last.base_url},
        ),
        *in_order(second, third, publicModel="near"),
        first,
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["near", "far"]}],
        routerSettings=policies(json={"maxAttempts": 4}),
    )
    answer = gw.chat(temperature=0.5)
    with check("FBK-HOP-001"):
        assert answer.status == 200
        assert [len(up.requests) for up in (first, second, third, last)] == [1, 1, 1, 1]
    sent = last.requests[0]
    with check("FBK-HOP-003"):
        assert sent.json["model"] == "its-own-id"
        assert sent.json["temperature"] == 0.5
        assert sent.headers["authorization"] == "Bearer its-own-key"


@pytest.mark.rule("FBK-HOP-002", "FBK-HOP-007")
def test_hops_without_anybody_eligible_cost_nothing(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    full, off, served = upstream(chat.completion("x")), upstream(), upstream(chat.completion("b"))
    gw = gateway(
        upstream(chat.failure(500)),
        deployment(full, publicModel="full", rpmLimit=1),
        deployment(off, publicModel="off", enabled=False),
        deployment(served, publicModel="served"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["full", "off", "served"]}],
        routerSettings=policies(json={"maxAttempts": 2}),
    )
    assert gw.chat(model="full").status == 200
    answer = gw.chat()
    with check("FBK-HOP-002"):
        assert answer.status == 200
        assert len(full.requests) == 1
    with check("FBK-HOP-007"):
        assert off.requests == []
        assert len(served.requests) == 1


@pytest.mark.rule("FBK-HOP-004")
def test_a_request_failure_on_a_hop_ends_everything(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    hop, twin, next_hop = upstream(chat.failure(422, "bad value")), upstream(), upstream()
    gw = gateway(
        upstream(chat.failure(500)),
        *in_order(hop, twin, publicModel="hop"),
        deployment(next_hop, publicModel="next"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["hop", "next"]}],
        routerSettings=policies(json={"maxAttempts": 9}),
    )
    answer = gw.chat()
    with check("FBK-HOP-004"):
        assert answer.status == 422
        assert answer.error()["message"] == "bad value"
        assert [len(twin.requests), len(next_hop.requests)] == [0, 0]


@pytest.mark.rule("FBK-HOP-005")
def test_chains_do_not_nest(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Two models that stand in for each other, and a third behind the second."""
    first, hop, behind = upstream(chat.failure(401)), upstream(chat.failure(401)), upstream()
    gw = gateway(
        first,
        deployment(hop, publicModel="hop"),
        deployment(behind, publicModel="behind"),
        fallbacks=[
            {"primaryModel": "gpt", "fallbackModels": ["hop"]},
            {"primaryModel": "hop", "fallbackModels": ["gpt", "behind"]},
        ],
        routerSettings=policies(json={"maxAttempts": 9}),
    )
    answer = gw.chat()
    with check("FBK-HOP-005"):
        assert answer.status == 503
        assert [len(up.requests) for up in (first, hop, behind)] == [1, 1, 0]


@pytest.mark.rule("FBK-HOP-006", "FBK-ANSWER-002")
def test_after_a_context_chain_nobody_is_asked_again(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first, hop = upstream(TOO_LONG), upstream(chat.failure(503, "busy"))
    gw = gateway(
        first,
        deployment(hop, publicModel="hop"),
        fallbacks=[{"primaryModel": "gpt", "reason": "context_window", "fallbackModels": ["hop"]}],
        routerSettings=policies(json={"maxAttempts": 9}),
    )
    answer = gw.chat()
    with check("FBK-HOP-006"):
        assert [len(first.requests), len(hop.requests)] == [1, 1]
    with check("FBK-ANSWER-002"):
        assert answer.status == 503
        assert answer.error()["message"] == "busy"


@pytest.mark.rule("FBK-BUDGET-001")
def test_the_budget_is_one_for_the_whole_chain(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first, near, far = upstream(chat.failure(500)), upstream(chat.failure(502)), upstream()
    gw = gateway(
        first,
        deployment(near, publicModel="near"),
        deployment(far, publicModel="far"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["near", "far"]}],
        routerSettings=policies(json={"maxAttempts": 2}),
    )
    answer = gw.chat()
    with check("FBK-BUDGET-001"):
        assert answer.status == 502
        assert far.requests == []


@pytest.mark.needs("virtual_time")
@pytest.mark.rule("FBK-BUDGET-002", "DLN-TOTAL-001", "DLN-TOTAL-002")
def test_total_ms_ends_the_attempt_of_a_hop(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The pool fails after 20 of 25 s, and the hop would need 10."""
    first, hop = upstream([Pause(until="20 s"), *chat.failure(503)]), upstream([faults.AcceptThenSilence()])
    gw = gateway(
        first,
        deployment(hop, publicModel="hop"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["hop"]}],
        routerSettings=policies(json={"totalMs": 25_000}),
    )
    client = gw.begin_chat()
    first.wait_gate("20 s")
    gw.advance(20_000, until_armed="response")
    first.release("20 s")
    hop.wait_request()
    gw.advance(4999)
    with check("FBK-BUDGET-002", "DLN-TOTAL-001"):
        assert hop.open_connections == 1
        assert client.pending() == b""
    gw.advance(1)
    answer = client.response()
    with check("FBK-BUDGET-002", "DLN-TOTAL-001"):
        assert hop.wait_closed() in ("client closed", "client reset")
    with check("DLN-TOTAL-002"):
        assert answer.status == 504
        assert answer.error()["code"] == "timeout"


@pytest.mark.needs("virtual_time")
@pytest.mark.needs("virtual_time")
@pytest.mark.rule("FBK-ANSWER-001")
def test_without_anybody_eligible_the_pool_speaks(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """The pool's circuit is open for 5 s and the hop at its limit until the minute ends, and the other way round.

    Both say when the first of the two may be asked, and the minute may end sooner than the circuit.
    """
    broken, full = upstream(chat.failure(500)), upstream(reply(chat.completion("x"), optional=True))
    rows = [deployment(broken, publicModel="broken"), deployment(full, publicModel="full", rpmLimit=1)]
    chains = [
        {"primaryModel": "broken", "fallbackModels": ["full"]},
        {"primaryModel": "full", "fallbackModels": ["broken"]},
    ]
    gw = gateway(*rows, fallbacks=chains, routerSettings={"allowedFails": 0})
    assert gw.chat(model="broken").status == 200
    of_circuit, of_limit = gw.chat(model="broken"), gw.chat(model="full")
    soonest = min(row["retry_after_ms"] for model in ("broken", "full") for row in gw.deployments(model))
    with check("FBK-ANSWER-001"):
        assert (of_circuit.status, of_circuit.error()["code"]) == (503, "model_overloaded")
        assert (of_limit.status, of_limit.error()["code"]) == (429, "rate_limit_exceeded")
        assert of_circuit.header("retry-after") == of_limit.header("retry-after") == str(-(-soonest // 1000))
