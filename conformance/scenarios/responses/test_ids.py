"""Ids of responses: clients see their own, and go on from a response where it is kept."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.responses import SEALED, kinds, output_text, shown, speaking
from conformance.waiting import assert_waits
from fake_upstreams import Body, chat, responses

KEYS = [{"name": "a", "key": "key-a"}, {"name": "b", "key": "key-b"}]
MASTER = {"masterKey": "master-key"}


def key(name: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {name}")]


def assert_not_found(answer: Response, shown_id: str) -> None:
    assert answer.status == 400
    error = answer.error()
    assert (error["type"], error["code"], error["param"]) == (
        "invalid_request_error", "previous_response_not_found", "previous_response_id",
    )  # fmt: skip
    assert shown_id[:20] in error["message"]


@pytest.mark.rule("RSP-ID-001")
def test_the_id_of_a_response_is_the_same_wherever_it_stands(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """In an answer, in every event, and in what the gateway writes itself; ids of items are the upstream's."""
    odd = responses.event("response.made_up", response_id=responses.ID, delta="x")
    usual = responses.numbered(
        *responses.began(), odd, *responses.message("a"), responses.completed(responses.message_item("a"))
    )
    unbegun = responses.numbered(responses.in_progress(), *responses.message("a"), responses.DONE)
    up = upstream([responses.answer("a")], usual, unbegun, [responses.answer("a")])
    gw = gateway(*speaking(up))
    answer = gw.responses()
    sealed = answer.json()["id"]
    with check("RSP-ID-001"):
        assert SEALED.fullmatch(sealed)
        assert answer.json()["output"][0]["id"] == responses.MESSAGE_ID
    for stream in (gw.responses(stream=True), gw.responses(stream=True), gw.responses(stream=True)):
        with check("RSP-ID-001"):
            assert {data["response"]["id"] for data in shown(stream) if "response" in data} == {sealed}
            assert {data["response_id"] for data in shown(stream) if "response_id" in data} <= {sealed}
            assert {data["item_id"] for data in shown(stream) if "item_id" in data} == {responses.MESSAGE_ID}
            assert responses.ID.encode() not in stream.body
            assert kinds(stream)[-1] == "completed"


@pytest.mark.rule("RSP-ID-001")
def test_what_has_no_id_gets_none(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for given in ("", None, 7):
        document = responses.response(output=[responses.message_item("a")], id=given)
        answer = gateway(*speaking(upstream([Body.json(document)]))).responses()
        with check("RSP-ID-001"):
            assert answer.json()["id"] == given


@pytest.mark.rule("RSP-ID-002")
@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
def test_a_conversation_goes_on_where_it_began(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool
) -> None:
    """At the deployment that is hardly ever drawn, since the other one failed when it began."""
    first = upstream(chat.failure(500, "down"))
    second = upstream(
        [responses.answer("one", id="resp_one")],
        [responses.answer("two", id="resp_two", previous_response_id="resp_one")],
    )
    gw = gateway(*speaking(first, second))
    one = gw.responses().json()["id"]
    two = gw.responses(previous_response_id=one, stream=stream)
    told = shown(two)[-1]["response"] if stream else two.json()
    with check("RSP-ID-002"):
        assert output_text(told) == "two"
        assert told["previous_response_id"] == one
        assert SEALED.fullmatch(told["id"])
        assert told["id"] != one
        assert second.requests[-1].json["previous_response_id"] == "resp_one"
        assert len(first.requests) == 1


@pytest.mark.rule("RSP-ID-003")
def test_nobody_takes_the_place_of_who_is_full(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Neither the pool nor the chain."""
    first, far = upstream(chat.failure(500, "down"), strict=False), upstream(strict=False)
    second = upstream([responses.answer("one")], [responses.answer("two")], strict=False)
    one = gateway(*speaking(first, second)).responses().json()
    gw = gateway(
        *speaking(first, second, rpmLimit=1),
        deployment(far, publicModel="far", adapterKey="openai"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["far"]}],
        routerSettings=ONE_ATTEMPT,
    )
    served, refused = (gw.responses(previous_response_id=one["id"]) for _ in range(2))
    with check("RSP-ID-003"):
        assert [served.status, refused.status] == [200, 429]
        assert [len(up.requests) for up in (first, second, far)] == [1, 2, 0]


@pytest.mark.rule("RSP-ID-003")
@pytest.mark.needs("virtual_time")
def test_who_has_the_response_is_asked_again(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """As far as the budget goes."""
    first = upstream(chat.failure(500, "down"))
    second = upstream([responses.answer("one")], *[chat.failure(500, "down")] * 3)
    gw = gateway(*speaking(first, second))
    one = gw.responses().json()["id"]
    pending = gw.begin_responses(previous_response_id=one)
    for _ in range(2):
        assert_waits(gw)
    with check("RSP-ID-003"):
        assert pending.response("POST").status == 500
        assert [len(up.requests) for up in (first, second)] == [1, 4]


@pytest.mark.rule("RSP-ID-002")
def test_a_conversation_that_began_in_a_chain_goes_on_there(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    near, far = upstream(chat.failure(500, "down")), upstream([responses.answer("a")], [responses.answer("b")])
    gw = gateway(
        *speaking(near),
        deployment(far, publicModel="far", adapterKey="openai"),
        fallbacks=[{"primaryModel": "gpt", "fallbackModels": ["far"]}],
    )
    one = gw.responses().json()
    two = gw.responses(previous_response_id=one["id"])
    with check("RSP-ID-002"):
        assert one["model"] == "far"
        assert output_text(two.json()) == "b"
        assert len(near.requests) == 1


@pytest.mark.rule("RSP-ID-004")
def test_an_id_that_means_nothing_here_is_refused_before_any_call(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Made up, an upstream's own, changed, somebody else's, for another model, or of a deployment that has gone."""
    up, other = upstream([responses.answer("a")], name="up"), upstream(name="other")
    pool = [*speaking(up), deployment(other, publicModel="other", adapterKey="openai")]
    gw = gateway(*pool, keys=KEYS, server=MASTER)
    one = gw.responses(key("key-a")).json()["id"]
    changed = one[:-1] + ("A" if one[-1] != "A" else "B")
    unknown = ["", "resp_", "resp_1", responses.ID, one + "A", one[:-4], changed, one.upper(), "x" * 5000, f" {one}"]
    for stream in (False, True):
        for made_up in unknown:
            with check("RSP-ID-004"):
                assert_not_found(gw.responses(key("key-a"), previous_response_id=made_up, stream=stream), made_up)
    with check("RSP-ID-004"):
        for somebody in ("key-b", "master-key"):
            assert_not_found(gw.responses(key(somebody), previous_response_id=one), one)
        assert_not_found(gw.responses(key("key-a"), previous_response_id=one, model="other"), one)
    changes: list[dict[str, Any]] = [{"label": "renamed"}, {"enabled": False}, {"publicModel": "former"}]
    for change in changes:
        stayed = deployment(other, label="stayed", adapterKey="openai")
        later = gateway({**pool[0], **change}, stayed, keys=KEYS, server=MASTER)
        with check("RSP-ID-004"):
            assert_not_found(later.responses(key("key-a"), previous_response_id=one), one)
    with check("RSP-ID-004"):
        assert len(up.requests) == 1
        assert other.requests == []


@pytest.mark.rule("RSP-ID-007")
def test_a_client_whose_key_is_named_like_the_master_key_is_another_client(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(*[[responses.answer("a")]] * 8)
    gw = gateway(*speaking(up), keys=[*KEYS, {"name": "master", "key": "key-m"}], server=MASTER)
    for owner, another in (("master-key", "key-m"), ("key-m", "master-key")):
        one = gw.responses(key(owner)).json()["id"]
        with check("RSP-ID-007"):
            assert_not_found(gw.responses(key(another), previous_response_id=one), one)
        with check("RSP-ID-007"):
            assert gw.responses(key(owner), previous_response_id=one).status == 200
            assert gw.responses(key(owner)).json()["id"] == one
            assert gw.responses(key(another)).json()["id"] != one


@pytest.mark.rule("RSP-ID-005")
def test_upstreams_words_name_the_ids_that_the_client_has(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """Also where the upstream's id looks like no id, and for responses that the client did not name."""
    for upstream_id in ("resp_0ab", "gen-7:x.y"):
        up = upstream([responses.answer("a", id=upstream_id)])
        gw = gateway(*speaking(up))
        one = gw.responses().json()["id"]
        message = f"Previous response with id '{upstream_id}' not found; see resp_other, not resp_ or the resp."
        up.add(chat.failure(400, message, code="previous_response_not_found"))
        told = gw.responses(previous_response_id=one).error()
        with check("RSP-ID-005"):
            assert told["code"] == "previous_response_not_found"
            seen = told["message"].split("'")
            assert seen[:2] == ["Previous response with id ", one]
            rest = SEALED.sub("ID", seen[2])
            assert rest == " not found; see ID, not resp_ or the resp."


@pytest.mark.rule("RSP-ID-006")
@pytest.mark.parametrize("master", [True, False], ids=["master key", "client keys"])
def test_gateways_that_share_their_keys_know_each_others_ids(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, master: bool
) -> None:
    up = upstream([responses.answer("a")])
    settings: dict[str, Any] = {"keys": KEYS, "server": MASTER if master else {}}
    one = gateway(*speaking(up), **settings).responses(key("key-a")).json()["id"]
    up.add([responses.answer("b")])
    settings["keys"] = KEYS[::-1]
    with check("RSP-ID-006"):
        answer = gateway(*speaking(up), **settings).responses(key("key-a"), previous_response_id=one)
        assert output_text(answer.json()) == "b"
    settings["server"] = {"masterKey": "another"}
    with check("RSP-ID-006"):
        assert_not_found(gateway(*speaking(up), **settings).responses(key("key-a"), previous_response_id=one), one)
