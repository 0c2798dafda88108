"""Fixtures of scenarios: `upstream` scripts the far side, `gateway` starts the gateway between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from conformance.deployments import Deployable, as_deployment
from conformance.session import Session
from conformance.targets import Target
from fake_upstreams import ReplyLike, UpstreamHandle, Upstreams

SEED = 1
"""Every gateway starts with this seed unless a scenario says otherwise, so that no scenario depends on chance."""


class UpstreamFactory(Protocol):
    """Starts a scripted upstream that answers with `replies`, one per request, in order."""

    def __call__(
        self,
        *replies: ReplyLike,
        name: str | None = None,
        strict: bool = True,
        ordered: bool = True,
        tls: bool = False,
        host: str = "127.0.0.1",
    ) -> UpstreamHandle: ...


class GatewayFactory(Protocol):
    """Starts a gateway with these deployments; `settings` are further members of the configuration."""

    def __call__(
        self,
        *deployments: Deployable,
        server: Mapping[str, Any] | None = None,
        seed: int = SEED,
        test_control: bool = True,
        **settings: Any,
    ) -> Session: ...


@pytest.fixture(autouse=True)
def no_proxy_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenarios reach their upstreams directly, wherever they run, unless they set a proxy themselves."""
    for name in ("https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def upstreams() -> Iterator[Upstreams]:
    """All upstreams of the scenario. At its end an unexpected request or an unused reply is a failure."""
    with Upstreams() as running:
        yield running


@pytest.fixture
def upstream(upstreams: Upstreams) -> UpstreamFactory:
    """Starts scripted upstreams."""

    def start(
        *replies: ReplyLike,
        name: str | None = None,
        strict: bool = True,
        ordered: bool = True,
        tls: bool = False,
        host: str = "127.0.0.1",
    ) -> UpstreamHandle:
        script = {"replies": list(replies), "strict": strict, "ordered": ordered, "tls": tls, "host": host}
        return upstreams.start(name or f"upstream-{len(upstreams) + 1}", script)

    return start


@pytest.fixture
def gateway(target: Target, upstreams: Upstreams, tmp_path: Path) -> Iterator[GatewayFactory]:
    """Starts gateways; all of them are stopped at the end of the scenario and must end well."""
    del upstreams  # named so that gateways end before their upstreams are verified
    sessions: list[Session] = []

    def start(
        *deployments: Deployable,
        server: Mapping[str, Any] | None = None,
        seed: int = SEED,
        test_control: bool = True,
        **settings: Any,
    ) -> Session:
        configuration = make_configuration(deployments, server, settings)
        started = target.start(
            configuration, tmp_path, seed if "seed" in target.features else None, test_control=test_control
        )
        sessions.append(Session(started))
        return sessions[-1]

    yield start
    end_all(sessions)


def make_configuration(
    deployments: Sequence[Deployable], server: Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """A whole configuration. One worker, unless `server` says otherwise, since most scenarios need no more."""
    return {
        "server": {"workers": 1, **(server or {})},
        "deployments": [as_deployment(given) for given in deployments],
        **settings,
    }


def end_all(sessions: Sequence[Session]) -> None:
    """Ends every session, also if one of them fails to."""
    failures = []
    for session in sessions:
        try:
            session.end()
        except Exception as failure:  # noqa: BLE001 - the others must end too; raised below
            failures.append(failure)
    if failures:
        raise failures[0]
