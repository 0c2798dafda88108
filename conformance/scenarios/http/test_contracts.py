"""The routes of the text contracts, and the shape in which each refuses."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.contracts import PATHS, ask, good_answer, is_in_its_shape
from conformance.deployments import deployment
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.http_bytes import Response
from conformance.session import ANTHROPIC, CHAT, COUNT_TOKENS, Session, messages_body

ALL = ["chat", "messages", "responses"]
BELOW_MESSAGES = (ANTHROPIC, COUNT_TOKENS, "/v1" + ANTHROPIC, "/v1" + COUNT_TOKENS)


@pytest.mark.rule("HTTP-ROUTE-006", "HTTP-ROUTE-007", "HTTP-ID-005")
def test_each_contract_has_its_path(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for path in (*PATHS, *BELOW_MESSAGES[2:]):
        plain = path.removeprefix("/v1") if path.startswith("/v1/v1") else path
        up = upstream(good_answer(plain))
        gw = gateway(deployment(up, transportOverrides={"text.generate": ALL}), keys=[{"name": "k", "key": "sk-1"}])
        with check("HTTP-ROUTE-006" if plain == path else "HTTP-ROUTE-007"):
            assert ask(gw, path).status == 401, path
            answer = ask(gw, path, [("x-api-key", "sk-1"), ("x-request-id", "mine")])
            assert answer.status == 200, path
        with check("HTTP-ID-005"):
            assert answer.header("x-request-id") == "mine"
            assert answer.header("request-id") == ("mine" if "messages" in path else None)


def refusals(gw: Session, path: str) -> list[tuple[int, Response]]:
    """Everything that a request can be refused for before an upstream is asked, with the status that it should get."""
    key = ("x-api-key", "sk-1")
    body = messages_body()
    return [
        (401, gw.post(body, [], path)),
        (404, gw.post(body, [key], path + "/nothing")),
        (404, gw.post(messages_body(model="nobody"), [key], path)),
        (405, gw.call("PUT", path, body, [key])),
        (426 if path.endswith("/responses") else 405, gw.call("GET", path, headers=[key])),
        (415, gw.post(body, [key, ("content-encoding", "gzip")], path)),
        (413, gw.post(messages_body(x="x" * 4096), [key], path)),
        (400, gw.post(b"{", [key], path)),
        (400, gw.post(b"{}", [key], path)),
    ]


@pytest.mark.rule("HTTP-ERROR-003", "HTTP-ERROR-001", "HTTP-ID-005")
def test_what_is_refused_has_the_shape_of_its_path(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(
        deployment(upstream(), transportOverrides={"text.generate": ALL}),
        keys=[{"name": "k", "key": "sk-1"}],
        server={"requestBodyBytes": 2048},
    )
    for path in (*PATHS, *BELOW_MESSAGES[2:]):
        anthropic = "messages" in path
        for status, answer in refusals(gw, path):
            with check("HTTP-ERROR-003" if anthropic else "HTTP-ERROR-001"):
                assert answer.status == status, (path, answer.raw)
                assert is_in_its_shape(path.replace("/v1/v1", "/v1"), answer), answer.raw
            with check("HTTP-ID-005"):
                assert (answer.header("request-id") is not None) is anthropic, path


@pytest.mark.rule("HTTP-ERROR-003")
def test_there_is_no_shape_for_paths_that_only_look_alike(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(upstream())
    for path in ("/v1/messagesx", "/v1/v1/v1/messages", "/v1/v1/responses", "/messages"):
        answer = gw.post(b"{}", path=path)
        with check("HTTP-ERROR-003"):
            assert answer.status == 404, path
            assert set(answer.json()) == {"error"}, path


@pytest.mark.rule("HTTP-ERROR-003", "HTTP-ERROR-004", "HTTP-ID-005")
@pytest.mark.needs("virtual_time")
def test_what_breaks_on_its_way_has_the_shape_of_its_path(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(upstream())
    head = f"POST {ANTHROPIC} HTTP/1.1\r\nhost: h\r\nx-request-id: mine\r\n"
    stuck, wrong, headless, lineless = (gw.connect() for _ in range(4))
    wrong.send(head.encode() + b"transfer-encoding: chunked\r\n\r\nno size\r\n")
    stuck.send(head.encode() + b"content-length: 10\r\n\r\n{")
    headless.send(head.encode())
    lineless.send(b"POST /v1/messages HTTP/1.1")
    gw.advance(0)
    gw.advance(30_000)
    for client, status in ((stuck, 408), (wrong, 400), (headless, 408)):
        answer = client.response()
        with check("HTTP-ERROR-004" if client is headless else "HTTP-ERROR-003"):
            assert answer.status == status
            assert is_in_its_shape(ANTHROPIC, answer), answer.raw
        with check("HTTP-ID-005"):
            assert answer.header("request-id") == "mine"
    with check("HTTP-ERROR-004"):
        assert set(lineless.response().json()) == {"error"}


BAD_HEADS = {
    "both lengths": (b"host: h\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n", 400),
    "no host": (b"accept: */*\r\n", 400),
    "two hosts": (b"host: h\r\nhost: h\r\n", 400),
    "folded": (b"host: h\r\na: b\r\n c\r\n", 400),
    "too many fields": (b"host: h\r\n" + b"a: b\r\n" * 100, 431),
    "too long": (b"host: h\r\na: " + b"b" * 70_000 + b"\r\n", 431),
}


@pytest.mark.rule("HTTP-ERROR-004")
@pytest.mark.parametrize("case", BAD_HEADS)
def test_a_head_that_is_refused_has_named_its_path(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, case: str
) -> None:
    """However its bytes come."""
    fields, status = BAD_HEADS[case]
    gw = gateway(upstream())
    for line, anthropic in (
        (f"POST {ANTHROPIC} HTTP/1.1\r\n", True),
        ("GET /v1/models HTTP/1.1\r\nanthropic-version: 2023-06-01\r\n", True),
        ("GET /v1/models HTTP/1.1\r\n", False),
        (f"POST {CHAT} HTTP/1.1\r\n", False),
    ):
        whole = line.encode() + b"x-request-id: mine\r\n" + fields + b"\r\n"
        for pieces in ([whole], [whole[:10], whole[10:]], [whole[: len(line) + 25], whole[len(line) + 25 :]]):
            client = gw.connect()
            for piece in pieces:
                client.send(piece)
            answer = client.response()
            with check("HTTP-ERROR-004"):
                assert answer.status == status, line
                assert is_in_its_shape(ANTHROPIC if anthropic else CHAT, answer), answer.raw
                assert answer.header("x-request-id") == "mine"


@pytest.mark.rule("HTTP-ROUTE-008")
def test_models_are_listed_below_a_base_url_with_a_version(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(deployment(upstream(), publicModel="org/gpt"))
    for path in ("/v1/models", "/v1/models/org%2Fgpt", "/v1/models/org%2Fgpt/deployments"):
        for version in ([], [("anthropic-version", "2023-06-01")]):
            plain, doubled = (gw.call("GET", prefix + path, headers=version) for prefix in ("", "/v1"))
            with check("HTTP-ROUTE-008"):
                assert (doubled.status, doubled.body) == (200, plain.body), path
