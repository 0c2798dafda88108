"""What a request may say, and what of it reaches the upstream."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import speaking
from conformance.session import RESPONSES, compact, responses_body
from fake_upstreams import responses


@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
@pytest.mark.rule("RSP-REQ-005")
def test_the_body_passes_but_for_the_model(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, stream: bool
) -> None:
    body = (
        '{"input" : [ {"role":"user","content":"h\\u00e9"} ], "model":"gpt", "previous_response_id":null,'
        ' "store":false, "background":false, "tools":[{"type":"web_search"}], "reasoning":{"effort":"low"},'
        f' "conversation":null, "prompt":null, "stream":{str(stream).lower()}, "made_up":1.00 }}'
    )
    up = upstream(responses.stream("a") if stream else [responses.answer("a")])
    answer = gateway(*speaking(up)).post(body.encode(), path=RESPONSES)
    with check("RSP-REQ-005"):
        assert answer.status == 200
        (sent,) = up.requests
        assert (sent.method, sent.target) == ("POST", "/v1/responses")
        assert sent.body == body.replace('"gpt"', '"upstream-model"').encode()


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "background": ({"background": True}, "background", "unsupported_parameter"),
    "conversation": ({"conversation": "conv_1"}, "conversation", "unsupported_parameter"),
    "prompt": ({"prompt": {"id": "pmpt_1"}}, "prompt", "unsupported_parameter"),
    "input": ({"input": 1}, "input", "invalid_type"),
    "no input": ({"input": None}, "input", "invalid_type"),
    "previous": ({"previous_response_id": 1}, "previous_response_id", "invalid_type"),
    "stream": ({"stream": "yes"}, "stream", "invalid_type"),
    "model": ({"model": 7}, "model", "invalid_type"),
}


RULES = {"background": "RSP-REQ-002", "conversation": "RSP-REQ-006", "prompt": "RSP-REQ-006"}


@pytest.mark.rule("RSP-REQ-002", "RSP-REQ-003", "RSP-REQ-006")
def test_what_is_refused_before_any_call(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream()
    gw = gateway(*speaking(up))
    for case, (members, param, code) in REFUSED.items():
        answer = gw.responses(**members)
        with check(RULES.get(case, "RSP-REQ-003")):
            assert answer.status == 400, case
            error = answer.error()
            assert (error["type"], error["param"], error["code"]) == ("invalid_request_error", param, code), case
            assert f"'{param}'" in error["message"], case
    with check("RSP-REQ-002"):
        assert "not supported" in gw.responses(background=True).error()["message"]
        assert up.requests == []


@pytest.mark.rule("RSP-REQ-003", "RSP-REQ-004")
def test_what_may_be_left_out_and_what_may_not_be_doubled(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream([responses.answer("a")])
    gw = gateway(*speaking(up))
    with check("RSP-REQ-003"):
        assert gw.post(compact({"model": "gpt"}), path=RESPONSES).status == 200
        missing = gw.post(b'{"input":"hi"}', path=RESPONSES).error()
        assert (missing["param"], missing["code"]) == ("model", "missing_required_parameter")
    for name, value in (
        ("input", "x"), ("background", False), ("stream", False), ("model", "gpt"), ("previous_response_id", None),
    ):  # fmt: skip
        twice = (
            responses_body(background=False, stream=False, previous_response_id=None)[:-1]
            + f',"{name}":{json.dumps(value)}}}'.encode()
        )
        error = gw.post(twice, path=RESPONSES).error()
        with check("RSP-REQ-004"):
            assert (error["param"], error["code"]) == (name, "duplicate_member")
