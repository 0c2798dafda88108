"""Configurations to try: few deployments, short times, everything on edge."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

STRATEGIES = (
    "simple-shuffle",
    "least-busy",
    "usage-based-rpm",
    "usage-based-tpm",
    "latency-based",
    "throughput-based",
    "price-based",
    "health-aware",
)


@st.composite
def deployments(draw: st.DrawFn, model: str, names: str, least: int) -> list[dict[str, Any]]:
    priced = draw(st.booleans())
    made = []
    for name in names[: draw(st.sampled_from([*range(least, len(names) + 1), least]))]:
        one: dict[str, Any] = {
            "id": name,
            "publicModel": model,
            "adapterKey": "openaicompatible",
            "upstreamModel": "m",
            "credentials": {"baseUrl": "http://127.0.0.1:9/v1"},
            "weight": draw(st.sampled_from([1, 1, 2, 0])),
        }
        optional = {
            "rpmLimit": st.integers(1, 4),
            "tpmLimit": st.integers(1, 30),
            "failureDomain": st.sampled_from(["north", "south"]),
        }
        for member, values in optional.items():
            if draw(st.integers(0, 3)) == 0:
                one[member] = draw(values)
        if priced:
            one["pricing"] = {"inputCentsPerMTokens": draw(st.integers(0, 2)), "outputCentsPerMTokens": 1}
        made.append(one)
    return made


@st.composite
def routers(draw: st.DrawFn) -> dict[str, Any]:
    def policy(idle: int | None) -> dict[str, Any]:
        total = draw(st.sampled_from([2_000, 20_000, 600_000, 3_600_000]))
        return {
            "responseMs": total,
            "idleMs": idle,
            "totalMs": total,
            "maxAttempts": draw(st.sampled_from([3, 1, 2, 4, 8])),
        }

    return {
        "routingStrategy": draw(st.sampled_from(STRATEGIES)),
        "allowedFails": draw(st.integers(0, 3)),
        "cooldownSeconds": draw(st.sampled_from([5, 1, 20, 0])),
        "failureWindowSeconds": draw(st.sampled_from([60, 5, 1])),
        "maxCooldownSeconds": draw(st.sampled_from([300, 60, 1])),
        "halfOpenProbeSeconds": draw(st.sampled_from([30, 1, 70])),
        "configurationCooldownSeconds": draw(st.sampled_from([300, 10, 1])),
        "throttleCooldownSeconds": draw(st.sampled_from([5, 1, 60])),
        "retryAfterSeconds": draw(st.sampled_from([0, 0, 3])),
        "executionPolicies": {"chat": {"json": policy(None), "stream": policy(1_000)}},
    }


@st.composite
def configurations(draw: st.DrawFn) -> dict[str, Any]:
    reasons = draw(st.lists(st.sampled_from(["general", "context_window", "content_policy"]), unique=True))
    pools = [draw(deployments("A", "abcd", 1)), draw(deployments("B", "xy", 0)), draw(deployments("C", "z", 0))]
    served = {pool[0]["publicModel"] for pool in pools if pool}
    hops = st.lists(st.sampled_from(["B", "C"]), min_size=1, max_size=2, unique=True)
    chains = [{"primaryModel": "A", "reason": reason, "fallbackModels": draw(hops)} for reason in reasons]
    return {
        "deployments": [one for pool in pools for one in pool],
        "routerSettings": draw(routers()),
        "fallbacks": [chain for chain in chains if served.issuperset(chain["fallbackModels"])],
    }
