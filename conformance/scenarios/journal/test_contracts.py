"""What the operation log says of requests that are not about chat."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.contracts import PATHS, ask, good_answer
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last
from conformance.session import ANTHROPIC, CHAT, COUNT_TOKENS, RESPONSES

CALL_TYPES = {CHAT: "chat", ANTHROPIC: "messages", COUNT_TOKENS: "count_tokens", RESPONSES: "responses"}


@pytest.mark.rule("LOG-ROW-013", "LOG-ROW-004")
def test_rows_name_the_contract_and_the_adapter(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for path in PATHS:
        up = upstream(good_answer(path))
        credentials = {"apiKey": "k", "baseUrl": up.url}
        gw = gateway(deployment(up, adapterKey="openrouter", credentials=credentials))
        assert ask(gw, path).status == 200
        row = last(gw)
        with check("LOG-ROW-013"):
            assert row["callType"] == CALL_TYPES[path]
            assert [attempt["adapterKey"] for attempt in row["attempts"]] == ["openrouter"]
        with check("LOG-ROW-004"):
            assert (row["totalTokens"] is None) is (path == COUNT_TOKENS), path
