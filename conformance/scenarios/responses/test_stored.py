"""Responses that a client comes back to: read, deleted, cancelled, and their input."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import ONE_ATTEMPT, deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.responses import SEALED, output_text, speaking
from fake_upstreams import Body, Headers, Status, chat, responses

KEYS = [{"name": "a", "key": "key-a"}, {"name": "b", "key": "key-b"}]
STORED = "/v1/responses/"


def key(name: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {name}")]


def assert_not_found(answer: Response, shown_id: str) -> None:
    assert answer.status == 404
    error = answer.error()
    assert (error["type"], error["code"], error["param"]) == (
        "invalid_request_error", "response_not_found", "response_id",
    )  # fmt: skip
    assert shown_id[:20] in error["message"]


@pytest.mark.rule("RSP-STORED-001", "RSP-STORED-002")
def test_a_response_is_read_and_deleted_where_it_is_kept(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """At the deployment that is hardly ever drawn, since the other one failed when it began."""
    items: dict[str, Any] = {
        "object": "list", "data": [{"id": "msg_1", "type": "message"}], "first_id": "msg_1", "last_id": "msg_1",
        "has_more": False,
    }  # fmt: skip
    first = upstream(chat.failure(500, "down"))
    second = upstream(
        [responses.answer("one", id="resp/1?")],
        [responses.answer("one", id="resp/1?", previous_response_id="resp_0")],
        [Body.json(items)],
        [Body.json(items)],
        [responses.answer("one", id="resp/1?", status="cancelled")],
        [Body.json({"id": "resp/1?", "object": "response.deleted", "deleted": True})],
    )
    gw = gateway(*speaking(first, second))
    one = gw.responses().json()["id"]
    read = gw.call("GET", f"{STORED}{one}?include[]=reasoning.encrypted_content")
    listed = gw.call("GET", f"{STORED}{one}/input_items?limit=2&order=asc")
    looked_at = gw.call("HEAD", f"{STORED}{one}/input_items")
    cancelled = gw.call("POST", f"{STORED}{one}/cancel", b"{}")
    deleted = gw.call("DELETE", STORED + one)
    with check("RSP-STORED-001"):
        assert [(request.method, request.target) for request in second.requests[1:]] == [
            ("GET", "/v1/responses/resp%2F1%3F?include[]=reasoning.encrypted_content"),
            ("GET", "/v1/responses/resp%2F1%3F/input_items?limit=2&order=asc"),
            ("GET", "/v1/responses/resp%2F1%3F/input_items"),
            ("POST", "/v1/responses/resp%2F1%3F/cancel"),
            ("DELETE", "/v1/responses/resp%2F1%3F"),
        ]
        assert [request.body for request in second.requests[1:]] == [b""] * 5
        lengths = [request.headers.get("content-length") for request in second.requests[1:]]
        assert lengths == [None, None, None, "0", None]
        assert not any("content-type" in request.headers for request in second.requests[1:])
        assert len(first.requests) == 1
    with check("RSP-STORED-002"):
        assert [answer.status for answer in (read, listed, cancelled, deleted)] == [200] * 4
        told = read.json()
        assert (told["id"], told["model"], output_text(told)) == (one, "gpt", "one")
        assert SEALED.fullmatch(told["previous_response_id"])
        assert listed.json() == items
        assert (looked_at.status, looked_at.header("content-length"), looked_at.body) == (
            200, listed.header("content-length"), b"",
        )  # fmt: skip
        assert (cancelled.json()["id"], cancelled.json()["status"]) == (one, "cancelled")
        assert deleted.json() == {"id": one, "object": "response.deleted", "deleted": True}


@pytest.mark.rule("RSP-STORED-002")
def test_a_response_that_did_not_succeed_is_read_as_it_is(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    failed = responses.response("failed", error={"code": "server_error", "message": "it failed"})
    for document in (failed, responses.response("in_progress")):
        gw = gateway(*speaking(upstream([responses.answer("a")], [Body.json(document)])))
        one = gw.responses().json()["id"]
        read = gw.call("GET", STORED + one)
        with check("RSP-STORED-002"):
            assert read.status == 200
            assert read.json() == {**document, "id": one, "model": "gpt"}


@pytest.mark.rule("RSP-STORED-003")
def test_an_id_that_means_nothing_here_is_not_found(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up, other = upstream([responses.answer("a")]), upstream()
    pool = speaking(up, label="up")
    gw = gateway(*pool, keys=KEYS)
    one = gw.responses(key("key-a")).json()["id"]
    changed = one[:-1] + ("A" if one[-1] != "A" else "B")
    for method, below in (("GET", ""), ("DELETE", ""), ("POST", "/cancel"), ("GET", "/input_items")):
        for made_up in ("resp_", "resp_1", responses.ID, one + "A", changed, "resp_" + "x" * 5000):
            with check("RSP-STORED-003"):
                assert_not_found(gw.call(method, STORED + made_up + below, headers=key("key-a")), made_up)
        with check("RSP-STORED-003"):
            assert_not_found(gw.call(method, STORED + one + below, headers=key("key-b")), one)
            assert gw.call(method, STORED + one + below).status == 401
    stayed = deployment(other, label="stayed", adapterKey="openai")
    changes: list[dict[str, Any]] = [{"label": "renamed"}, {"enabled": False}]
    for change in changes:
        later = gateway({**pool[0], **change}, stayed, keys=KEYS)
        with check("RSP-STORED-003"):
            assert_not_found(later.call("GET", STORED + one, headers=key("key-a")), one)
    with check("RSP-STORED-003"):
        assert len(up.requests) == 1
        assert other.requests == []


@pytest.mark.rule("RSP-STORED-004")
def test_what_the_upstream_does_not_know_or_have_is_said_in_its_words(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    """And blames the deployment for nothing."""
    unknown = chat.failure(404, "Response with id 'resp_up' not found.", kind="invalid_request_error")
    nothing = [Status(404), Body(b"<html>", "text/html")]
    for failure in (unknown, nothing):
        up = upstream([responses.answer("a", id="resp_up")], failure, [responses.answer("b")])
        gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
        one = gw.responses().json()["id"]
        told = gw.call("GET", STORED + one)
        with check("RSP-STORED-004"):
            if failure is unknown:
                assert told.status == 404
                assert told.error()["message"] == f"Response with id '{one}' not found."
            else:
                assert (told.status, told.error()["code"]) == (400, "unsupported_model_capability")
            assert gw.responses().status == 200


NOTHING: list[list[Any]] = [
    [Status(204)],
    [Status(204), Headers({"content-encoding": "gzip"})],
    [Body(b"")],
    [Status(202), Body(b"\r\n", "text/plain")],
    [Body.json(None)],
]


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.rule("RSP-STORED-007")
def test_a_response_is_deleted_although_nobody_says_so(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, nothing: list[Any]
) -> None:
    up = upstream([responses.answer("a", id="resp_up")], nothing)
    gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
    one = gw.responses().json()["id"]
    deleted = gw.call("DELETE", STORED + one)
    with check("RSP-STORED-007"):
        assert (deleted.status, deleted.header("content-type")) == (200, "application/json")
        assert deleted.json() == {"id": one, "object": "response", "deleted": True}
        assert [request.method for request in up.requests] == ["POST", "DELETE"]


@pytest.mark.rule("RSP-STORED-007")
def test_nothing_is_no_answer_to_another_question(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for nothing in (NOTHING[0], NOTHING[-1]):
        for method, below in (("GET", ""), ("POST", "/cancel"), ("GET", "/input_items")):
            up = upstream([responses.answer("a")], nothing)
            gw = gateway(*speaking(up), routerSettings=ONE_ATTEMPT)
            answer = gw.call(method, STORED + gw.responses().json()["id"] + below)
            with check("RSP-STORED-007"):
                assert answer.status == 502, (method, below)


@pytest.mark.rule("RSP-STORED-008")
def test_an_id_may_be_percent_encoded(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([responses.answer("a", id="resp_up")], *[[Body.json({"id": "resp_up"})]] * 4)
    gw = gateway(*speaking(up))
    one = gw.responses().json()["id"]
    whole = "".join(f"%{ord(character):02X}" for character in one)
    for written, below, sent in (
        (one.replace("_", "%5F"), "", ""), (one.replace("resp_", "resp%5f"), "", ""),
        (whole, "/input%5Fitems?limit=1", "/input_items?limit=1"), (one, "/%69nput_items", "/input_items"),
    ):  # fmt: skip
        answer = gw.call("GET", STORED + written + below)
        with check("RSP-STORED-008"):
            assert answer.status == 200, written
            assert answer.json() == {"id": one}
            assert up.requests[-1].target == f"/v1/responses/resp_up{sent}"
    with check("RSP-STORED-008"):
        assert_not_found(gw.call("GET", f"{STORED}resp%5F1"), "resp_1")
        assert gw.call("GET", f"{STORED}resp%255F1").status == 404
        for broken in ("resp_%", one + "%4", one + "%zz", "resp_%-1"):
            answer = gw.call("GET", STORED + broken)
            error = answer.error()
            assert (answer.status, error["code"], error["param"]) == (400, "invalid_value", "response_id"), broken
        assert len(up.requests) == 5


@pytest.mark.rule("RSP-STORED-005", "RSP-STORED-006")
def test_what_stored_responses_cannot_be_asked(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([responses.answer("a")])
    gw = gateway(*speaking(up))
    one = STORED + gw.responses().json()["id"]
    with check("RSP-STORED-005"):
        for query in ("?stream=true", "?starting_after=3&stream=1", "?stream=%74rue"):
            answer = gw.call("GET", one + query)
            assert answer.status == 400
            assert (answer.error()["code"], answer.error()["param"]) == ("unsupported_parameter", "stream")
    for query in ("?limit=%zz", "?stream=true&after=%", "?%4=1"):
        broken = gw.call("GET", one + query)
        with check("RSP-STORED-006"):
            assert (broken.status, broken.error()["code"]) == (400, "invalid_value")
    for method, path, allowed in (
        ("POST", one, "GET, HEAD, DELETE"), ("PUT", one, "GET, HEAD, DELETE"), ("GET", one + "/cancel", "POST"),
        ("DELETE", one + "/input_items", "GET, HEAD"), ("POST", STORED + "compact", None), ("GET", one + "/more", None),
    ):  # fmt: skip
        refused = gw.call(method, path)
        with check("RSP-STORED-005"):
            assert refused.status == (405 if allowed else 404)
            assert refused.header("allow") == allowed
    with check("RSP-STORED-005", "RSP-STORED-006"):
        assert len(up.requests) == 1
