"""A scripted upstream for one event loop. `FakeUpstreamThread` offers the same to tests without one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from . import certificates
from .errors import ScriptError, UpstreamMismatch
from .faults import Refuse
from .gates import Gates
from .journal import Journal
from .listener import Listener
from .parse import ReplyLike, ScriptLike, parse_reply, parse_script
from .queue import ReplyQueue
from .request import Request
from .session import serve
from .wire import Wire

PATIENCE = 10.0
"""Default seconds for every wait: a guard against hanging, never part of what a test measures."""

T = TypeVar("T")


class FakeUpstream:
    """Listens on a port of its own and answers as its script says.

    `async with FakeUpstream(script) as up:` starts it, and on the way out stops it and, when the script is strict
    (the default), raises UpstreamMismatch for any unexpected request or unused reply.
    """

    def __init__(self, script: ScriptLike = (), *, name: str = "upstream") -> None:
        self.name = name
        self.script = parse_script(script, name)
        self.requests: list[Request] = []
        """Every whole request so far, in order."""
        self.gates = Gates()
        self.queue = ReplyQueue(self.script)
        self.journal = Journal()
        self._certificate = certificates.issue() if self.script.tls else None
        tls = certificates.server_context(self._certificate) if self._certificate else None
        self._listener = Listener(self._accepted, tls, self.script.host)
        self._wires: list[Wire] = []
        self._sessions: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Condition()

    async def start(self) -> Self:
        """Takes its port and listens, unless the script begins with `refuse`. Raises OSError."""
        self._listener.reserve(self.script.port)
        if not self.queue.refuses():
            await self._listener.listen()
        self.journal.note(0, "listening" if self._listener.listening else "refusing")
        return self

    async def stop(self) -> None:
        """Closes the port and every connection. What the script still owed stays owed."""
        await self._listener.close()
        sessions = list(self._sessions)
        for session in sessions:
            session.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)
        for wire in self._wires:
            await wire.finished()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.stop()
        self.conclude(error)

    def conclude(self, error: BaseException | None) -> None:
        """Verifies when nothing else went wrong; otherwise adds the journal to that error."""
        if error is None:
            self.verify()
        else:
            error.add_note(self.report())

    @property
    def port(self) -> int:
        return self._listener.port

    @property
    def url(self) -> str:
        """`http://127.0.0.1:PORT`, with another host or https when the script says so."""
        host = f"[{self.script.host}]" if ":" in self.script.host else self.script.host
        return f"{'https' if self.script.tls else 'http'}://{host}:{self.port}"

    @property
    def base_url(self) -> str:
        """The url with `/v1`, as SDKs and deployments want it."""
        return self.url + "/v1"

    @property
    def tls_url(self) -> str:
        """The url with https whatever the script says, for a client that shall meet `tls_failure`."""
        return f"https://127.0.0.1:{self.port}"

    @property
    def ca_file(self) -> Path:
        """The certificate that a client must trust when the script says tls."""
        if self._certificate is None:
            raise ValueError(f"{self.name} does not speak TLS")
        return self._certificate.certificate

    @property
    def open_connections(self) -> int:
        return sum(wire.ended is None for wire in self._wires)

    @property
    def connections(self) -> int:
        """How many connections were accepted so far."""
        return len(self._wires)

    @property
    def resumed(self) -> list[bool]:
        """Of each TLS connection so far, whether its client resumed a session."""
        return [wire.resumed for wire in self._wires]

    def sent(self, connection: int) -> int:
        """Bytes that the kernel took for this connection so far."""
        return self._wires[connection - 1].sent

    def add(self, reply: ReplyLike) -> None:
        """Appends a reply to the script. Raises ScriptError."""
        parsed = parse_reply(reply, f"{self.name}.add")
        if isinstance(parsed.first_fault, Refuse):
            raise ScriptError(f"{self.name}.add", "refuse cannot be added, call refuse()")
        self.queue.add(parsed)

    async def release(self, gate: str, times: int | None = None) -> None:
        """Opens a gate for good, or for `times` waits."""
        await self.gates.release(gate, times)

    async def wait_gate(self, gate: str, timeout: float = PATIENCE) -> None:
        """Waits until the script waits at a gate, so that all steps before it are done. Raises TimeoutError."""
        await self._patiently(self.gates.arrived(gate), timeout, f"the script waits at gate {gate!r}")

    async def wait_request(self, number: int = 1, timeout: float = PATIENCE) -> Request:
        """Waits for the request with this number, from 1. Raises TimeoutError."""
        async with self._changed:
            enough = self._changed.wait_for(lambda: len(self.requests) >= number)
            await self._patiently(enough, timeout, f"request {number} arrives")
        return self.requests[number - 1]

    async def wait_closed(self, connection: int = 1, timeout: float = PATIENCE) -> str:
        """Waits until a connection has ended and says how: `client closed`, `client reset`, `upstream closed`,
        `upstream reset`. Raises TimeoutError."""
        async with self._changed:
            accepted = self._changed.wait_for(lambda: len(self._wires) >= connection)
            await self._patiently(accepted, timeout, f"connection {connection} is accepted")
        wire = self._wires[connection - 1]
        await self._patiently(wire.gone(), timeout, f"connection {connection} ends")
        return wire.ended or ""

    async def refuse(self) -> None:
        """Stops listening and closes idle connections, until `listen`."""
        if self._listener.listening:
            self.journal.note(0, "refusing")
        await self._listener.refuse()
        for wire in self._wires:
            if wire.idle and wire.ended is None:
                await wire.close()

    async def listen(self) -> None:
        """Listens again after `refuse`, whether the script or the test said so."""
        self.queue.end_refusal()
        await self._listener.listen()
        self.journal.note(0, "listening")

    @property
    def problems(self) -> list[str]:
        """What differs from the script by now; also where the script is not strict."""
        return self.queue.problems + self.queue.unused()

    def verify(self) -> None:
        """Raises UpstreamMismatch when the script is strict and there are problems."""
        if self.script.strict and self.problems:
            raise UpstreamMismatch(self.report())

    def report(self) -> str:
        """The problems and the journal, for people."""
        problems = "".join(f"  {line}\n" for line in self.problems)
        return f"{self.name} ({self._place()}):\n{problems}journal:\n{self.journal.render()}"

    def _place(self) -> str:
        return self.url if self._listener.open else "stopped"

    async def settle(self) -> None:
        """Stops listening as soon as the script comes to `refuse`."""
        if self.queue.refuses() and self._listener.listening:
            await self.refuse()

    async def announce(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(len(self._wires) + 1, reader, writer, self.journal)
        self._wires.append(wire)
        session = asyncio.get_running_loop().create_task(self._serve(wire))
        self._sessions.add(session)
        session.add_done_callback(self._session_ended)

    def _session_ended(self, session: asyncio.Task[None]) -> None:
        self._sessions.discard(session)
        # A test must see a broken step as its own failure, not as a line on stderr.
        if not session.cancelled() and (problem := session.exception()) is not None:
            self.queue.problems.append(f"a connection ended with {problem!r}")

    async def _serve(self, wire: Wire) -> None:
        await self.announce()
        try:
            await serve(self, wire)
        finally:
            wire.abandon()

    async def _patiently(self, waiting: Awaitable[T], timeout: float, what: str) -> T:
        try:
            return await asyncio.wait_for(waiting, timeout)
        except TimeoutError:
            raise TimeoutError(f"gave up waiting until {what}\n{self.report()}") from None
