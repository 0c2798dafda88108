"""What the operation log says of requests that are not about chat."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.contracts import PATHS, ask, good_answer
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last, rows
from conformance.session import ANTHROPIC, CHAT, COUNT_TOKENS, RESPONSES
from fake_upstreams import responses

CALL_TYPES = {CHAT: "chat", ANTHROPIC: "messages", COUNT_TOKENS: "count_tokens", RESPONSES: "responses"}


@pytest.mark.rule("LOG-ROW-014", "LOG-ROW-004")
def test_rows_name_the_contract_and_the_adapter(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for path in PATHS:
        up = upstream(good_answer(path))
        credentials = {"apiKey": "k", "baseUrl": up.url}
        gw = gateway(deployment(up, adapterKey="openrouter", credentials=credentials))
        assert ask(gw, path).status == 200
        row = last(gw)
        with check("LOG-ROW-014"):
            assert row["callType"] == CALL_TYPES[path]
            assert [attempt["adapterKey"] for attempt in row["attempts"]] == ["openrouter"]
        with check("LOG-ROW-004"):
            assert (row["totalTokens"] is None) is (path == COUNT_TOKENS), path


@pytest.mark.rule("LOG-ROW-014")
def test_rows_name_what_is_asked_of_a_stored_response(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(*[[responses.answer("a")]] * 6)
    gw = gateway(deployment(up, adapterKey="openai"))
    one = f"{RESPONSES}/{gw.responses().json()['id']}"
    for method, path, call_type in (
        ("GET", one, "retrieve"), ("HEAD", one, "retrieve"), ("GET", f"{one}/input_items", "input_items"),
        ("POST", f"{one}/cancel", "cancel"), ("DELETE", one, "delete"),
    ):  # fmt: skip
        gw.call(method, path, headers=[("x-request-id", f"{method}-{call_type}")])
        row = last(gw)
        with check("LOG-ROW-014"):
            assert row["requestId"] == f"{method}-{call_type}"
            assert row["callType"] == f"responses.{call_type}"
    with check("LOG-ROW-014"):
        assert len(rows(gw, callType="responses")) == 1
        assert len(rows(gw, callType="responses.retrieve")) == 2
