"""Virtual time and seeds of a gateway in this process."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import turnout
from conformance.client import call
from conformance.deployments import MODEL, deployment
from conformance.http_bytes import Response
from fake_upstreams import FakeUpstreamThread, UpstreamHandle, Upstreams, chat, reply

ONCE = {"routerSettings": {"executionPolicies": {"chat": {"json": {"maxAttempts": 1}}}}}
SILENT = {"replies": [{"fault": "accept_then_silence"}]}


def config(*upstreams: UpstreamHandle, **settings: Any) -> dict[str, Any]:
    return {"deployments": [deployment(upstream, **settings) for upstream in upstreams]}


def ask(url: str) -> Response:
    body = {"model": MODEL, "messages": [{"role": "user", "content": "hi"}]}
    return call(url, "POST", "/v1/chat/completions", body, [("x-request-id", "req-1")])


@pytest.mark.rule("PY-GATEWAY-008")
def test_time_is_moved_by_hand() -> None:
    with (
        FakeUpstreamThread(SILENT) as upstream,
        turnout.Gateway(config(upstream) | ONCE, test_control=True) as gateway,
        ThreadPoolExecutor(1) as pool,
    ):
        start = gateway.timers()["now_ms"]
        answer = pool.submit(ask, gateway.url)
        upstream.wait_request()
        assert gateway.advance(599_999, until_armed="response") == start + 599_999
        armed = [timer for timer in gateway.timers()["timers"] if timer["kind"] == "response"]
        assert armed == [{"kind": "response", "request": "req-1", "due_ms": start + 600_000}]
        assert not answer.done()
        gateway.advance(1)
        assert answer.result(10).status == 504
        assert answer.result().error()["code"] == "timeout"


@pytest.mark.rule("PY-GATEWAY-008", "PY-ENGINE-002")
def test_a_seed_draws_what_a_script_with_the_seed_draws() -> None:
    seeds = range(12)
    names = ["a", "b", "c"]
    scripts = {name: [reply(chat.completion(name), times=None)] for name in names}
    with (
        Upstreams(scripts) as ups,
        turnout.Gateway(settings := config(*(ups[name] for name in names)), test_control=True) as gateway,
    ):
        for seed in seeds:
            gateway.seed(seed)
            served = ask(gateway.url).json()["choices"][0]["message"]["content"]
            scripted = turnout.Engine(settings, seed=seed).begin(MODEL)
            assert scripted.deployment == served


def test_an_unknown_kind_or_a_step_back_is_refused() -> None:
    with FakeUpstreamThread() as upstream, turnout.Gateway(config(upstream), test_control=True) as gateway:
        with pytest.raises(ValueError, match="until_armed"):
            gateway.advance(1, until_armed="weather")
        with pytest.raises(ValueError, match="ms must be"):
            gateway.advance(-1)


def test_a_wait_for_a_deadline_can_be_interrupted() -> None:
    def interrupt() -> None:
        while not any(thread.name == "turnout-advance" for thread in threading.enumerate()):
            pass
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    # A shell gives what it runs in the background SIGINT ignored, and Python then leaves it so.
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with FakeUpstreamThread() as upstream, turnout.Gateway(config(upstream), test_control=True) as gateway:
            helper = threading.Thread(target=interrupt)
            helper.start()
            with pytest.raises(KeyboardInterrupt):
                gateway.advance(1, until_armed="idle")
            helper.join()
    finally:
        signal.signal(signal.SIGINT, inherited)


def test_time_is_its_own_without_test_control() -> None:
    with FakeUpstreamThread() as upstream, turnout.Gateway(config(upstream)) as gateway:
        for refused in (gateway.timers, lambda: gateway.advance(1), lambda: gateway.seed(1)):
            with pytest.raises(RuntimeError, match="test control"):
                refused()


def test_test_control_keeps_to_loopback() -> None:
    with FakeUpstreamThread() as upstream:
        everywhere = {"server": {"host": "0.0.0.0", "masterKey": "k"}, **config(upstream)}
        with pytest.raises(ValueError, match="loopback"):
            turnout.Gateway(everywhere, test_control=True)
