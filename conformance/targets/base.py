"""What a scenario may ask of a gateway, whichever way it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

Configuration = Mapping[str, Any]
"""A gateway's configuration in Turnout's shape: `deployments` and, if need be, `server`, `routerSettings`, `keys`."""

ALL_FEATURES = frozenset({"configure", "validate", "virtual_time", "seed", "lifecycle", "cli", "log"})
"""What targets may lack. README.md says what each one means."""


class TargetError(Exception):
    """The gateway did not start, or did not end as it must."""


@dataclass(frozen=True)
class Timer:
    """One armed deadline."""

    kind: str  # response, idle, total, client_write, ...
    request: str | None  # x-request-id of the request that it belongs to
    due_ms: int


@dataclass(frozen=True)
class Timers:
    """What `GET /test/timers` answers."""

    now_ms: int
    timers: tuple[Timer, ...]

    def of(self, kind: str) -> list[Timer]:
        """The armed deadlines of one kind, earliest first."""
        return sorted((timer for timer in self.timers if timer.kind == kind), key=lambda timer: timer.due_ms)

    @classmethod
    def parse(cls, answer: Mapping[str, Any]) -> Timers:
        """Reads `{"now_ms", "timers": [{"kind", "request", "due_ms"}]}`."""
        rows = (Timer(row["kind"], row.get("request"), row["due_ms"]) for row in answer["timers"])
        return cls(answer["now_ms"], tuple(rows))


class Gateway(Protocol):
    """A running gateway."""

    @property
    def url(self) -> str:
        """Base without a trailing slash, e.g. http://127.0.0.1:4000."""

    def timers(self) -> Timers:
        """The armed deadlines. Needs `virtual_time`."""

    def advance(self, ms: int, until_armed: str | None = None) -> int:
        """Moves time by `ms` once a deadline of that kind is armed; returns the new now in ms. Needs `virtual_time`."""

    def seed(self, number: int) -> None:
        """Seeds the draws. Needs `seed`."""

    def begin_stop(self) -> None:
        """Asks for a graceful stop and returns at once. Needs `lifecycle`."""

    def stop(self) -> None:
        """Ends the gateway and asserts that it ended well. May be called again, also after `begin_stop`."""

    def log(self) -> str:
        """What it has logged so far. Needs `log`."""


class Target(Protocol):
    """A way to run gateways."""

    @property
    def name(self) -> str:
        """binary, module or url."""

    @property
    def features(self) -> frozenset[str]:
        """What it can do, out of ALL_FEATURES."""

    def start(
        self, configuration: Configuration, directory: Path, seed: int | None = None, *, test_control: bool = True
    ) -> Gateway:
        """Starts a gateway with `configuration`; files that it needs go to `directory`."""

    def problems(self, configuration: Configuration | str, directory: Path) -> list[str]:
        """What is wrong with a configuration (data, or a file's text), as `PATH: message`. Needs `validate`."""


def address(url: str) -> tuple[str, int]:
    """Host and port of a base URL."""
    parts = urlsplit(url)
    if parts.hostname is None:
        raise TargetError(f"not a base URL: {url!r}")
    return parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
