"""Upstreams for tests without an event loop: one thread runs the loop, every call waits for its result."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from .errors import UpstreamMismatch
from .parse import ReplyLike, ScriptLike
from .request import Request
from .upstream import PATIENCE, FakeUpstream

T = TypeVar("T")


class LoopThread:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fake-upstreams", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine on the loop and waits for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def call(self, work: Callable[[], T]) -> T:
        """Runs a function on the loop and waits for it, so that it never races with a connection."""

        async def wrapped() -> T:
            return work()

        return self.run(wrapped())

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class UpstreamHandle:
    """A FakeUpstream on another thread; every member means what it means there, and waits where that awaits."""

    def __init__(self, loop: LoopThread, script: ScriptLike, name: str) -> None:
        self._thread = loop
        self._upstream = loop.call(lambda: FakeUpstream(script, name=name))

    @property
    def name(self) -> str:
        return self._upstream.name

    @property
    def port(self) -> int:
        return self._upstream.port

    @property
    def url(self) -> str:
        return self._upstream.url

    @property
    def base_url(self) -> str:
        return self._upstream.base_url

    @property
    def tls_url(self) -> str:
        return self._upstream.tls_url

    @property
    def ca_file(self) -> Path:
        return self._upstream.ca_file

    @property
    def requests(self) -> list[Request]:
        """A copy of the requests so far."""
        return self._thread.call(lambda: list(self._upstream.requests))

    @property
    def resumed(self) -> list[bool]:
        """Of each TLS connection so far, whether its client resumed a session."""
        return self._thread.call(lambda: self._upstream.resumed)

    @property
    def open_connections(self) -> int:
        return self._thread.call(lambda: self._upstream.open_connections)

    @property
    def connections(self) -> int:
        return self._thread.call(lambda: self._upstream.connections)

    @property
    def problems(self) -> list[str]:
        return self._thread.call(lambda: self._upstream.problems)

    def sent(self, connection: int) -> int:
        return self._thread.call(lambda: self._upstream.sent(connection))

    def add(self, reply: ReplyLike) -> None:
        self._thread.call(lambda: self._upstream.add(reply))

    def release(self, gate: str, times: int | None = None) -> None:
        self._thread.run(self._upstream.release(gate, times))

    def wait_gate(self, gate: str, timeout: float = PATIENCE) -> None:
        self._thread.run(self._upstream.wait_gate(gate, timeout))

    def wait_request(self, number: int = 1, timeout: float = PATIENCE) -> Request:
        return self._thread.run(self._upstream.wait_request(number, timeout))

    def wait_closed(self, connection: int = 1, timeout: float = PATIENCE) -> str:
        return self._thread.run(self._upstream.wait_closed(connection, timeout))

    def refuse(self) -> None:
        self._thread.run(self._upstream.refuse())

    def listen(self) -> None:
        self._thread.run(self._upstream.listen())

    def verify(self) -> None:
        self._thread.call(self._upstream.verify)

    def report(self) -> str:
        return self._thread.call(self._upstream.report)

    def start(self) -> None:
        self._thread.run(self._upstream.start())

    def stop(self) -> None:
        self._thread.run(self._upstream.stop())


class FakeUpstreamThread(UpstreamHandle):
    """One upstream with a thread of its own: `with FakeUpstreamThread(script) as up:`."""

    def __init__(self, script: ScriptLike = (), *, name: str = "upstream") -> None:
        super().__init__(LoopThread(), script, name)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self.stop()
            self._thread.call(lambda: self._upstream.conclude(error))
        finally:
            self._thread.stop()


class Upstreams(Mapping[str, UpstreamHandle]):
    """Many upstreams in one thread: `with Upstreams({"a": script, "b": script}) as ups: ups["a"].url`."""

    def __init__(self, scripts: Mapping[str, ScriptLike] | None = None) -> None:
        self._thread = LoopThread()
        self._handles: dict[str, UpstreamHandle] = {}
        try:
            for name, script in (scripts or {}).items():
                self._handles[name] = UpstreamHandle(self._thread, script, name)
        except BaseException:
            self._thread.stop()
            raise

    def __enter__(self) -> Self:
        for handle in self._handles.values():
            handle.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            for handle in self._handles.values():
                handle.stop()
            if error is None:
                self.verify()
            else:
                error.add_note("\n".join(handle.report() for handle in self._handles.values()))
        finally:
            self._thread.stop()

    def start(self, name: str, script: ScriptLike) -> UpstreamHandle:
        """Starts one more upstream. Raises ValueError when the name is taken."""
        if name in self._handles:
            raise ValueError(f"there is an upstream {name!r} already")
        handle = UpstreamHandle(self._thread, script, name)
        handle.start()
        self._handles[name] = handle
        return handle

    def verify(self) -> None:
        """Verifies all of them. Raises one UpstreamMismatch with the reports of those that differ."""
        reports: list[str] = []
        for handle in self._handles.values():
            try:
                handle.verify()
            except UpstreamMismatch as mismatch:
                reports.append(str(mismatch))
        if reports:
            raise UpstreamMismatch("\n".join(reports))

    def __getitem__(self, name: str) -> UpstreamHandle:
        return self._handles[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._handles)

    def __len__(self) -> int:
        return len(self._handles)
