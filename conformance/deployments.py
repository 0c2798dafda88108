"""Deployments and configurations, as short as a scenario wants to write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fake_upstreams import UpstreamHandle

MODEL = "gpt"
"""The public model of deployments that name no other."""
UPSTREAM_MODEL = "upstream-model"
UPSTREAM_KEY = "sk-upstream-secret"

Deployment = dict[str, Any]
Deployable = UpstreamHandle | Mapping[str, Any]
"""An upstream, for a deployment with the usual settings, or a whole deployment."""

_DESCENDING = (1_000_000_000, 30_000, 1)


def deployment(upstream: UpstreamHandle, **settings: Any) -> Deployment:
    """A deployment on a scripted upstream; `settings` are members that differ from the usual ones."""
    usual = {
        "label": upstream.name,
        "publicModel": MODEL,
        "adapterKey": "openaicompatible",
        "upstreamModel": UPSTREAM_MODEL,
        "credentials": {"apiKey": UPSTREAM_KEY, "baseUrl": upstream.base_url},
    }
    return {**usual, **settings}


def in_order(*upstreams: UpstreamHandle, **settings: Any) -> list[Deployment]:
    """Up to three deployments of one pool that are drawn in this order.

    Their weights differ so much that another order is less likely than 1 to 10,000, and a target with `seed` draws the
    same every time.
    """
    weights = _DESCENDING[: len(upstreams)]
    return [deployment(up, weight=weight, **settings) for up, weight in zip(upstreams, weights, strict=True)]


def as_deployment(given: Deployable) -> Deployment:
    """The deployment that `given` stands for."""
    return deployment(given) if isinstance(given, UpstreamHandle) else dict(given)


def policies(json: Mapping[str, Any] | None = None, stream: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """`routerSettings` with the defaults of `executionPolicies.chat`, apart from the members that are given."""
    usual_json = {"responseMs": 600_000, "idleMs": None, "totalMs": 1_800_000, "maxAttempts": 3}
    usual_stream = {"responseMs": 600_000, "idleMs": 600_000, "totalMs": 3_600_000, "maxAttempts": 3}
    chat = {"json": {**usual_json, **(json or {})}, "stream": {**usual_stream, **(stream or {})}}
    return {"executionPolicies": {"chat": chat}}


def one_attempt(**router_settings: Any) -> dict[str, Any]:
    """`routerSettings` under which a logical request makes one attempt, so that it never waits."""
    return {**policies(json={"maxAttempts": 1}, stream={"maxAttempts": 1}), **router_settings}


ONE_ATTEMPT = one_attempt()
"""`routerSettings` for scenarios that are about one attempt, since a failure would otherwise be followed by others."""
