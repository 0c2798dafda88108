"""`turnout.Gateway` as a server."""

from __future__ import annotations

import asyncio
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import turnout
from conformance.client import call
from conformance.deployments import MODEL, deployment
from conformance.http_bytes import Response
from conformance.targets.base import address
from fake_upstreams import FakeUpstreamThread, UpstreamHandle, Upstreams, chat, reply

ASK = {"model": MODEL, "messages": [{"role": "user", "content": "hi"}]}


def config(*upstreams: UpstreamHandle, **sections: Any) -> dict[str, Any]:
    return {**sections, "deployments": [deployment(upstream) for upstream in upstreams]}


def ask(url: str) -> Response:
    return call(url, "POST", "/v1/chat/completions", ASK)


def answering(text: str = "hello", times: int = 1) -> list[Any]:
    return [reply(chat.completion(text), times=times)]


def is_refused(url: str) -> bool:
    """Whether nothing listens there."""
    with socket.socket() as attempt:
        return attempt.connect_ex(address(url)) != 0


@pytest.mark.rule("PY-GATEWAY-001", "PY-GATEWAY-003")
def test_serves_inside_the_block_and_nowhere_else() -> None:
    with FakeUpstreamThread(answering()) as upstream:
        with turnout.Gateway(config(upstream)) as gateway:
            url = gateway.url
            assert url.startswith("http://127.0.0.1:")
            answer = ask(url)
            assert answer.status == 200
            assert answer.json()["choices"][0]["message"]["content"] == "hello"
        assert is_refused(url)


@pytest.mark.rule("PY-GATEWAY-002", "PY-GATEWAY-003")
def test_serves_inside_the_asynchronous_block() -> None:
    async def run(upstream: UpstreamHandle) -> str:
        async with turnout.Gateway(config(upstream)) as gateway:
            answer = await asyncio.to_thread(ask, gateway.url)
            assert answer.status == 200
            return gateway.url

    with FakeUpstreamThread(answering()) as upstream:
        assert is_refused(asyncio.run(run(upstream)))


@pytest.mark.rule("PY-GATEWAY-004")
def test_several_gateways_run_at_once() -> None:
    with (
        Upstreams({"a": answering("from a"), "b": answering("from b")}) as ups,
        turnout.Gateway(config(ups["a"])) as first,
        turnout.Gateway(config(ups["b"]), workers=2) as second,
    ):
        assert first.url != second.url
        texts = [ask(gateway.url).json()["choices"][0]["message"]["content"] for gateway in (first, second)]
    assert texts == ["from a", "from b"]


@pytest.mark.rule("PY-GATEWAY-009")
def test_stop_may_be_called_at_any_time() -> None:
    unstarted = turnout.Gateway(config_without_upstream())
    unstarted.stop()
    gateway = turnout.Gateway(config_without_upstream())
    gateway.start()
    gateway.stop()
    gateway.stop()


def test_has_no_url_before_it_starts() -> None:
    gateway = turnout.Gateway(config_without_upstream())
    with pytest.raises(RuntimeError, match="not been started"):
        _ = gateway.url


def test_starts_only_once() -> None:
    with turnout.Gateway(config_without_upstream()) as gateway, pytest.raises(RuntimeError, match="started before"):
        gateway.start()


def test_a_port_in_use_is_an_error_that_names_it() -> None:
    with turnout.Gateway(config_without_upstream()) as gateway:
        port = int(gateway.url.rpartition(":")[2])
        second = turnout.Gateway(config_without_upstream(), port=port)
        with pytest.raises(RuntimeError, match=f"127.0.0.1:{port}"):
            second.start()


@pytest.mark.rule("PY-GATEWAY-013")
def test_listens_where_the_configuration_says() -> None:
    with turnout.Gateway(config_without_upstream()) as gateway:
        port = int(gateway.url.rpartition(":")[2])
        server = {"host": "127.0.0.1", "port": port}
        with pytest.raises(RuntimeError, match=f"127.0.0.1:{port}"):
            turnout.Gateway(config_without_upstream(server=server)).start()
        with turnout.Gateway(config_without_upstream(server=server), port=0) as second:
            assert second.url != gateway.url


@pytest.mark.rule("PY-GATEWAY-013")
def test_has_as_many_workers_as_the_configuration_says() -> None:
    def threads(server: dict[str, int], workers: int | None = None) -> int:
        before = set(Path("/proc/self/task").iterdir())
        with turnout.Gateway(config_without_upstream(server=server), workers=workers):
            return len(set(Path("/proc/self/task").iterdir()) - before)

    one = threads({})
    assert threads({"workers": 3}) == one + 2
    assert threads({"workers": 3}, workers=2) == one + 1
    assert threads({}, workers=2) == one + 1


@pytest.mark.rule("PY-GATEWAY-010")
def test_stop_finishes_requests_in_flight() -> None:
    script = [reply({"pause": {"until": "go"}}, chat.completion("late"))]
    with FakeUpstreamThread(script) as upstream, ThreadPoolExecutor(2) as pool:
        gateway = turnout.Gateway(config(upstream))
        gateway.start()
        url = gateway.url
        answer = pool.submit(ask, url)
        upstream.wait_gate("go")
        stopped = pool.submit(gateway.stop)
        while not is_refused(url):
            pass
        assert not stopped.done()
        upstream.release("go")
        assert answer.result(10).status == 200
        stopped.result(10)


def test_stop_waits_no_longer_than_the_grace() -> None:
    script = {"replies": [{"fault": "accept_then_silence"}]}
    with FakeUpstreamThread(script) as upstream, ThreadPoolExecutor(1) as pool:
        gateway = turnout.Gateway(config(upstream, server={"shutdownGraceMs": 0}))
        gateway.start()
        answer = pool.submit(ask, gateway.url)
        upstream.wait_request(1)
        gateway.stop()
        assert answer.exception(10) is not None or answer.result().status >= 500


def test_calls_may_come_from_any_thread() -> None:
    gateway = turnout.Gateway(config_without_upstream())
    gateway.start()
    stoppers = [threading.Thread(target=gateway.stop) for _ in range(4)]
    for stopper in stoppers:
        stopper.start()
    for stopper in stoppers:
        stopper.join()
    assert is_refused(gateway.url)


def config_without_upstream(**sections: Any) -> dict[str, Any]:
    """A deployment that no test asks."""
    return {
        **sections,
        "deployments": [
            {
                "publicModel": MODEL,
                "adapterKey": "openaicompatible",
                "upstreamModel": "up",
                "credentials": {"baseUrl": "http://127.0.0.1:9/v1"},
            }
        ],
    }
