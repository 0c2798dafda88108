"""Who may ask."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import UPSTREAM_KEY
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import CHAT, chat_body
from fake_upstreams import chat, reply

KEYS = [{"name": "demo", "key": "client-key-1"}, {"name": "other", "key": "client-key-2"}]
MASTER = "master-key-0"
SECRETS = ("client-key-1", "client-key-2", MASTER, UPSTREAM_KEY)


def bearer(key: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {key}")]


def assert_unauthorized(answer: Response) -> None:
    assert answer.status == 401
    assert answer.error()["code"] == "invalid_api_key"


@pytest.mark.rule(
    "KEY-AUTH-001",
    "KEY-AUTH-002",
    "KEY-AUTH-003",
    "KEY-AUTH-004",
    "KEY-AUTH-005",
    "KEY-AUTH-006",
    "KEY-AUTH-008",
    "HTTP-REFUSE-001",
)
def test_keys_are_asked_for(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(reply(chat.completion("a"), times=None))
    gw = gateway(up, keys=KEYS, server={"masterKey": MASTER})
    with check("KEY-AUTH-001"):
        assert [gw.chat(bearer(key["key"])).status for key in KEYS] == [200, 200]
        assert gw.chat([("authorization", "bearer client-key-1")]).status == 200
    with check("KEY-AUTH-002"):
        assert gw.chat([("x-api-key", "client-key-2")]).status == 200
        assert gw.chat([*bearer("placeholder"), ("x-api-key", "client-key-2")]).status == 200
        assert gw.chat([*bearer("client-key-1"), ("x-api-key", "placeholder")]).status == 200
    with check("KEY-AUTH-003"):
        assert gw.chat(bearer(MASTER)).status == 200
        assert gw.chat([("x-api-key", MASTER)]).status == 200
    served = len(up.requests)
    for wrong in ("wrong", "client-key-", "client-key-11", "CLIENT-KEY-1", "", UPSTREAM_KEY):
        with check("KEY-AUTH-004"):
            assert_unauthorized(gw.chat(bearer(wrong)))
            assert_unauthorized(gw.chat([("x-api-key", wrong)]))
    with check("KEY-AUTH-004"):
        assert_unauthorized(gw.chat([("authorization", "Basic client-key-1")]))
    with check("KEY-AUTH-005"):
        assert_unauthorized(gw.chat())
    with check("KEY-AUTH-006"):
        assert_unauthorized(gw.call("POST", CHAT + "?key=client-key-1&api_key=client-key-1", chat_body()))
    for twice in ("client-key-1", "wrong"):
        with check("KEY-AUTH-008"):
            assert_unauthorized(gw.chat([*bearer("client-key-1"), *bearer(twice)]))
            assert_unauthorized(gw.chat([("x-api-key", "client-key-1"), ("x-api-key", twice)]))
    with check("HTTP-REFUSE-001"):
        assert len(up.requests) == served


@pytest.mark.rule("KEY-AUTH-005", "KEY-AUTH-003")
def test_a_master_key_alone_closes_the_gateway(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(upstream(chat.completion("a")), server={"masterKey": MASTER})
    with check("KEY-AUTH-005"):
        assert_unauthorized(gw.chat())
    with check("KEY-AUTH-003"):
        assert gw.chat(bearer(MASTER)).status == 200


@pytest.mark.rule("KEY-AUTH-007", "UP-REQ-004")
def test_without_keys_everybody_on_the_machine_may_ask(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.completion("a"), chat.completion("a"))
    gw = gateway(up)
    with check("KEY-AUTH-007"):
        assert gw.chat().status == 200
        assert gw.chat(bearer("whatever")).status == 200
    with check("UP-REQ-004"):
        assert up.requests[1].headers["authorization"] == f"Bearer {UPSTREAM_KEY}"


@pytest.mark.rule("KEY-OPEN-001", "MOD-OPEN-001")
def test_some_routes_are_open(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(upstream(), keys=KEYS, server={"masterKey": MASTER})
    with check("KEY-OPEN-001"):
        assert [gw.call("GET", f"/health/{name}").status for name in ("live", "ready")] == [200, 200]
    with check("MOD-OPEN-001"):
        assert [gw.call("GET", f"/v1/models{name}").status for name in ("", "/gpt")] == [200, 200]


@pytest.mark.rule("KEY-SECRET-001")
def test_no_answer_shows_a_key(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    leak = chat.failure(400, f"bad key {UPSTREAM_KEY}")
    gw = gateway(upstream(chat.completion("a"), leak), keys=KEYS, server={"masterKey": MASTER})
    answers = [gw.chat(bearer("client-key-1")), gw.chat(bearer("client-key-1")), gw.chat(bearer("wrong")), gw.chat()]
    answers += [gw.call("GET", path) for path in ("/v1/models", "/health/ready", "/nothing?key=client-key-1")]
    for answer in answers:
        with check("KEY-SECRET-001"):
            assert [key for key in SECRETS if key.encode() in answer.raw] == []


@pytest.mark.needs("log")
@pytest.mark.rule("KEY-SECRET-002")
def test_the_log_shows_no_key(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    leak = chat.failure(400, f"bad key {UPSTREAM_KEY}")
    gw = gateway(upstream(chat.completion("a"), leak), keys=KEYS, server={"masterKey": MASTER})
    for headers in (bearer("client-key-1"), [("x-api-key", "client-key-2")], bearer(MASTER + "x")):
        gw.chat(headers)
    gw.stop()
    with check("KEY-SECRET-002"):
        assert gw.log() != ""
        assert [key for key in SECRETS if key in gw.log()] == []
