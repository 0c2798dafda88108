"""The routing engine without sockets, for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from turnout import _configuration, _core


class Engine:
    """Pools, settings, a clock and a seed in; every decision out.

    config: what `Gateway` takes. Raises `ConfigurationError` if anything is wrong with it. Nothing is called: base URLs
        and keys need only be valid.
    seed: of all draws, 0 to 2**64 - 1; default 0. The same configuration, calls and seed give the same decisions.
    wall_ms: what the wall clock shows at the beginning, in milliseconds since the epoch; limits per minute follow it.
        Default 0. At most 100 years.

    Time begins at 0 and stands still until `advance` moves it. It counts whole milliseconds: what falls between two of
    them happens at the later one. A request's attempts go as the script says; requests may run side by side.

    >>> from turnout import Engine
    >>> upstream = {"adapterKey": "openaicompatible", "credentials": {"baseUrl": "http://127.0.0.1:9/v1"}}
    >>> pool = [{"id": name, "publicModel": "gpt", "upstreamModel": "m", **upstream} for name in ("a", "b")]
    >>> engine = Engine({"deployments": pool, "routerSettings": {"allowedFails": 0}})
    >>> request = engine.begin("gpt")
    >>> first = request.deployment
    >>> request.fail(status=503)
    >>> request.deployment == first
    False
    >>> request.succeed(total_tokens=7)
    >>> request.state
    'finished'
    >>> engine.snapshot(first).status, engine.snapshot(first).retry_after_ms
    ('cooldown', 5000)
    >>> engine.advance(5000)
    >>> engine.snapshot(first).status
    'half_open'
    """

    def __init__(self, config: Mapping[str, Any] | str | Path, *, seed: int = 0, wall_ms: int = 0) -> None:
        self._core = _core.Engine(_configuration.load(config), seed=seed, wall_ms=wall_ms)

    @property
    def now_ms(self) -> int:
        """Milliseconds since the beginning."""
        return self._core.now_ms

    @property
    def wall_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self._core.wall_ms

    def advance(self, ms: int) -> None:
        """Moves time by `ms` milliseconds. ValueError if that is negative, or beyond 100 years.

        What falls due meanwhile happens in order of time, and at one moment in the order in which the requests began:
        waits end, `totalMs` passes, and running attempts keep their slot every 20 s, a probe every third of
        `halfOpenProbeSeconds`. `responseMs` and `idleMs` are for the script: fail with origin `response_timeout` or
        `idle_timeout`.
        """
        self._core.advance(ms)

    def seed(self, n: int) -> None:
        """Makes the draws that follow repeatable."""
        self._core.seed(n)

    def begin(
        self, model: str, stream: bool = False, contract: Literal["chat", "messages", "responses"] = "chat"
    ) -> _core.LogicalRequest:
        """A request for a public model arrives.

        It is decided until an attempt must be made, a wait begins, or it is over. Candidates are those whose transports
        carry the contract. KeyError (a LookupError) if no enabled deployment serves the model, or none of them and of
        its general chain carries the contract; ValueError for another contract.
        """
        return self._core.begin(model, stream, contract)

    def snapshot(self, deployment: str) -> _core.DeploymentSnapshot:
        """Live state of a deployment now, by its id: `id`, or what stands for it where there is none.

        KeyError if no enabled deployment has it.
        """
        return self._core.snapshot(deployment)

    def snapshots(self, model: str) -> list[_core.DeploymentSnapshot]:
        """Live state of a public model's enabled deployments now, in the order of the configuration.

        KeyError if there is none.
        """
        return self._core.snapshots(model)
