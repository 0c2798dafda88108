"""What of a client's chat request reaches the upstream, and which requests are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.checks import Check
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import MESSAGES, chat_body
from fake_upstreams import chat

ODD = (
    b'{ "messages" : [ {"role":"user","content":"a \\"model\\": \\u00e9 \xc3\xa9"} ] ,\n\t'
    b'"vendor":{"model":"gpt","x":1.00},"model"\t:  "gpt", "temperature":0.50 , '
    b'"top_k":4e1,"seed":12345678901234567890 }\n'
)


@pytest.mark.rule("CHAT-EDIT-001", "CHAT-EDIT-002", "CHAT-EDIT-003", "CHAT-EDIT-007")
def test_only_the_model_of_a_request_changes(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.completion("hi"))
    answer = gateway(up).post(ODD)
    sent = up.requests[0].body
    with check("CHAT-EDIT-001"):
        assert answer.status == 200
        assert up.requests[0].model == "upstream-model"
    with check("CHAT-EDIT-002"):
        assert sent.strip() == ODD.replace(b'"model"\t:  "gpt"', b'"model"\t:  "upstream-model"').strip()
    with check("CHAT-EDIT-003"):
        assert up.requests[0].json["vendor"] == {"model": "gpt", "x": 1.0}
        assert up.requests[0].json["top_k"] == 40.0
    with check("CHAT-EDIT-007"):
        assert "stream_options" not in up.requests[0].json


@pytest.mark.rule("CHAT-EDIT-001")
def test_a_model_name_that_needs_escapes_is_read_and_written(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.completion("hi"))
    gw = gateway(deployment(up, publicModel="g/p\u00e9", upstreamModel='quote " and \\'))
    answer = gw.post(b'{"model":"g\\/p\\u00e9","messages":[]}')
    with check("CHAT-EDIT-001"):
        assert answer.status == 200
        assert up.requests[0].model == 'quote " and \\'


@pytest.mark.rule("CHAT-EDIT-004", "CHAT-EDIT-006", "CHAT-EDIT-002")
def test_streams_are_asked_for_usage(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    given: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, {"include_usage": True}),
        ({"stream_options": None}, {"include_usage": True}),
        ({"stream_options": {}}, {"include_usage": True}),
        ({"stream_options": {"include_usage": False}}, {"include_usage": True}),
        ({"stream_options": {"include_usage": True}}, {"include_usage": True}),
        (
            {"stream_options": {"include_obfuscation": False, "include_usage": None, "x": [1]}},
            {"include_obfuscation": False, "include_usage": True, "x": [1]},
        ),
        ({"stream_options": {"include_obfuscation": False}}, {"include_obfuscation": False, "include_usage": True}),
    ]
    up = upstream(*(chat.stream("a") for _ in given))
    gw = gateway(up)
    for members, wanted in given:
        assert gw.chat(stream=True, **members).status == 200
        sent = up.requests[-1].json
        with check("CHAT-EDIT-004" if len(wanted) == 1 else "CHAT-EDIT-006"):
            assert sent["stream_options"] == wanted, members
        with check("CHAT-EDIT-002"):
            rest = {name: value for name, value in sent.items() if name != "stream_options"}
            assert rest == {"model": "upstream-model", "messages": MESSAGES, "stream": True}, members


@pytest.mark.rule("CHAT-EDIT-005")
def test_a_deployment_may_decline_to_be_asked_for_usage(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream(chat.stream("a"), chat.stream("a"))
    gw = gateway(deployment(up, streamUsage=False))
    gw.chat(stream=True)
    gw.chat(stream=True, stream_options={"include_usage": False, "x": 1})
    with check("CHAT-EDIT-005"):
        assert "stream_options" not in up.requests[0].json
        assert up.requests[1].json["stream_options"] == {"include_usage": False, "x": 1}


@pytest.mark.rule("CHAT-REQ-004")
def test_the_body_decides_whether_to_stream(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(chat.stream("a"), chat.completion("a"), chat.completion("a"), chat.completion("a"))
    gw = gateway(up)
    asked_for_json = gw.chat([("accept", "application/json")], stream=True)
    asked_for_events = [gw.chat([("accept", "text/event-stream")], **more) for more in ({}, {"stream": False})]
    asked_for_events.append(gw.chat([("accept", "text/event-stream")], stream=None))
    with check("CHAT-REQ-004"):
        assert (asked_for_json.header("content-type") or "").startswith("text/event-stream")
        assert [answer.header("content-type") for answer in asked_for_events] == ["application/json"] * 3


BAD: list[tuple[str, str, bytes]] = [
    ("CHAT-REQ-001", "model", b'{"messages":[]}'),
    ("CHAT-REQ-001", "model", b'{"messages":[],"model":""}'),
    ("CHAT-REQ-001", "model", b'{"messages":[],"model":null}'),
    ("CHAT-REQ-001", "model", b'{"messages":[],"model":7}'),
    ("CHAT-REQ-001", "model", b'{"messages":[],"model":["gpt"]}'),
    ("CHAT-REQ-005", "messages", b'{"model":"gpt"}'),
    ("CHAT-REQ-005", "messages", chat_body(messages=None)),
    ("CHAT-REQ-005", "messages", chat_body(messages="hi")),
    ("CHAT-REQ-005", "messages", chat_body(messages={"role": "user"})),
    ("CHAT-REQ-002", "stream", chat_body(stream="true")),
    ("CHAT-REQ-002", "stream", chat_body(stream=1)),
    ("CHAT-REQ-002", "stream", chat_body(stream={})),
    ("CHAT-REQ-003", "n", chat_body(n=0)),
    ("CHAT-REQ-003", "n", chat_body(n=129)),
    ("CHAT-REQ-003", "n", chat_body(n=-1)),
    ("CHAT-REQ-003", "n", chat_body(n=1.5)),
    ("CHAT-REQ-003", "n", chat_body(n="2")),
    ("HTTP-BODY-001", "", b""),
    ("HTTP-BODY-001", "", b"{"),
    ("HTTP-BODY-001", "", b"[]"),
    ("HTTP-BODY-001", "", b'"gpt"'),
    ("HTTP-BODY-001", "", b"model=gpt"),
    ("HTTP-BODY-001", "", chat_body() + b"{}"),
    ("HTTP-BODY-001", "", chat_body()[:-1]),
    ("HTTP-BODY-001", "", chat_body().replace(b",", b",,", 1)),
    ("HTTP-BODY-002", "", chat_body().replace(b"hi", b"\xff")),
    ("HTTP-BODY-002", "", chat_body().replace(b"hi", b"\xed\xa0\x80")),
    ("HTTP-BODY-003", "", b'{"model":"gpt","messages":[],"model":"other"}'),
    ("HTTP-BODY-003", "", b'{"model":"gpt","messages":[],"stream":false,"stream":true}'),
    ("HTTP-BODY-003", "", b'{"model":"gpt","messages":[],"mod\\u0065l":"other"}'),
    ("HTTP-BODY-003", "", b'{"model":"gpt","messages":[],"stream":true,"stream_options":{},"stream_options":{}}'),
    (
        "HTTP-BODY-003",
        "",
        b'{"model":"gpt","messages":[],"stream":true,"stream_options":{"include_usage":true,"include_usage":false}}',
    ),
]


@pytest.mark.rule("HTTP-REFUSE-001", *sorted({rule for rule, _, _ in BAD}))
def test_bad_bodies_are_refused_before_any_upstream_is_asked(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    up = upstream()
    gw = gateway(up)
    client = gw.connect()
    for rule, param, body in BAD:
        answer = client.request("POST", "/v1/chat/completions", body)
        with check(rule):
            assert answer.status == 400, body
            assert answer.error()["type"] == "invalid_request_error", body
            if param:
                assert answer.error()["param"] == param, body
    with check("HTTP-REFUSE-001"):
        assert up.requests == []


@pytest.mark.rule("HTTP-BODY-004")
def test_nesting_is_accepted_up_to_128_levels(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """The body's own object is the first level."""
    up = upstream(chat.completion("a"))
    gw = gateway(up)
    for levels, status in ((128, 200), (129, 400)):
        deep = "[" * (levels - 1) + "]" * (levels - 1)
        with check("HTTP-BODY-004"):
            assert gw.post(b'{"model":"gpt","messages":[],"x":' + deep.encode() + b"}").status == status, levels


@pytest.mark.rule("CHAT-REQ-003")
def test_the_edges_of_n_are_accepted(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(*(chat.completion("a") for _ in range(3)))
    gw = gateway(up)
    for number in (1, 128, None):
        with check("CHAT-REQ-003"):
            assert gw.chat(n=number).status == 200, number
            assert json.loads(up.requests[-1].body)["n"] == number
