"""A gateway inside this process."""

from __future__ import annotations

import asyncio
import atexit
import json
import threading
import warnings
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypedDict

from turnout import _configuration, _core


class Timer(TypedDict):
    """One armed deadline."""

    kind: str
    """`response`, `idle`, `total`, `client_write`, ..."""
    request: str | None
    """The `x-request-id` of the request that it belongs to."""
    due_ms: int


class Timers(TypedDict):
    """The gateway's time and its armed deadlines, the next one first."""

    now_ms: int
    timers: list[Timer]


class Gateway:
    """The same gateway as `turnout serve`, on a port of this process.

    config: a mapping in the shape of a configuration file, YAML or JSON text, or the path of such a file as a
        `pathlib.Path`. Raises `ConfigurationError` if anything is wrong with it, and gives a `ConfigurationWarning` for
        each fallback chain that some of its requests can never follow, which `turnout serve` logs.
    port: instead of `server.port`; 0 takes any free port, as does a gateway that is given neither.
    workers: threads that serve connections, instead of `server.workers`; 0 takes one per core. One if neither is given.
    test_control: time stands still until `advance` moves it; needs a loopback address in `server.host`.
    seed: of the draws among deployments, 0 to 2**64 - 1; random by default.
    data: directory of the operation log, made at `start` if it is missing. Without one the log is kept in memory, where
        it ends with the gateway. Relative paths count from the working directory at `start`.

    It is a context manager, sync and async: `with Gateway(config) as gateway: ... gateway.url ...`. The asynchronous
    one waits in a thread. A gateway serves once: it is not started again after `stop`. One that is still running at the
    end of the process is stopped then.

    Its threads never take the interpreter lock, so Python code of any length delays no request. They do not survive
    `os.fork`: in the child `stop` does nothing and the other calls raise `RuntimeError`; the child keeps the listening
    socket open, so start children before gateways, or by `spawn`.
    """

    def __init__(
        self,
        config: Mapping[str, Any] | str | Path,
        *,
        port: int | None = None,
        workers: int | None = None,
        test_control: bool = False,
        seed: int | None = None,
        data: str | Path | None = None,
    ) -> None:
        settings = _configuration.load(config)
        for path, message in settings.warnings:
            warnings.warn(f"{path}: {message}", _configuration.ConfigurationWarning, stacklevel=2)
        self._core = _core.Gateway(
            settings, port=port, workers=workers, test_control=test_control, seed=seed, data=data
        )

    @property
    def url(self) -> str:
        """Base URL without a trailing slash, e.g. `http://127.0.0.1:40123`, or https where `server.tls` is set.

        RuntimeError before `start`.
        """
        if self._core.port == 0:
            raise RuntimeError("the gateway has not been started")
        return self._core.url

    def start(self) -> None:
        """Binds and serves.

        RuntimeError if the address cannot be bound, if the operation log in `data` cannot be used, or if it was started
        before.
        """
        self._core.start()
        _running.add(self)

    def stop(self) -> None:
        """Accepts nothing more, finishes requests in flight within `server.shutdownGraceMs`, and ends the threads.

        May be called again, and on a gateway that never started.
        """
        self._core.stop()
        _running.discard(self)

    def timers(self) -> Timers:
        """The armed deadlines. RuntimeError without `test_control`, as for `advance`."""
        answer: Timers = json.loads(self._core.timers_json())
        return answer

    def advance(self, ms: int, until_armed: str | None = None) -> int:
        """Moves time by `ms` milliseconds, firing what falls due in its order, and returns the new time in ms.

        until_armed: first waits until a deadline of this kind is armed, however long that takes (Ctrl-C ends the wait).
            ValueError if there is no such kind.
        """
        return _interruptibly(lambda: self._core.advance(ms, until_armed))

    def seed(self, n: int) -> None:
        """Makes the draws that follow repeatable. RuntimeError without `test_control`."""
        self._core.seed(n)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.start)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.stop)

    def __del__(self) -> None:
        if hasattr(self, "_core"):  # absent if the configuration was refused
            self._core.stop()


def _interruptibly(call: Callable[[], int]) -> int:
    """Makes a call that may never return where a signal can still end the wait for it."""
    result: Future[int] = Future()

    def run() -> None:
        try:
            result.set_result(call())
        except Exception as error:  # noqa: BLE001 - raised where the result is asked for
            result.set_exception(error)

    threading.Thread(target=run, name="turnout-advance", daemon=True).start()
    return result.result()


_running: weakref.WeakSet[Gateway] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for gateway in list(_running):
        gateway.stop()
