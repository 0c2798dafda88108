"""The settings of the routing engine: what they may be, and what is said otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from conformance.checks import Check
from conformance.targets import Target

pytestmark = pytest.mark.needs("validate")

UNSUPPORTED = "not supported by this version"
DAY = 86_400
HOUR_MS = 3_600_000
PER_MINUTE = 1_000_000_000_000
CENTS = 1_000_000_000
FROM_ZERO = ("cooldownSeconds", "retryAfterSeconds")
FROM_ONE = (
    "failureWindowSeconds",
    "maxCooldownSeconds",
    "halfOpenProbeSeconds",
    "configurationCooldownSeconds",
    "throttleCooldownSeconds",
)
OPERATIONS = (
    "chat",
    "images.generations",
    "images.edits",
    "videos.generations",
    "audio.transcriptions",
    "audio.speech",
    "embeddings",
    "rerank",
)
REPLACED = ("firstOutputMs", "reasoningOnlyMs", "preCommitMs")
PRICES = ("inputCentsPerMTokens", "outputCentsPerMTokens", "searchUnitCents")
LATER_PRICES = ("cacheReadCentsPerMTokens", "cacheWriteCentsPerMTokens", "cacheWriteCentsPerMTokensByTtl", "tiers")

Configuration = dict[str, Any]
Case = tuple[str, str, Configuration]
"""A rule, the path of the only problem or nothing, and the configuration."""


def pool(model: str = "gpt", **members: Any) -> dict[str, Any]:
    """A deployment of `model`."""
    return {
        "publicModel": model,
        "adapterKey": "openaicompatible",
        "upstreamModel": "m",
        "credentials": {"baseUrl": "http://127.0.0.1:9/v1"},
        **members,
    }


def one(**members: Any) -> Configuration:
    """A configuration with one deployment that has these members."""
    return {"deployments": [pool(**members)]}


def router(**members: Any) -> Configuration:
    """A configuration with these `routerSettings`."""
    return {"routerSettings": members, "deployments": [pool()]}


def policy(operation: str, mode: str, **members: Any) -> Configuration:
    """A configuration in which one policy has these members."""
    return router(executionPolicies={operation: {mode: members}})


def override(operation: str, **members: Any) -> Configuration:
    """A configuration whose deployment has this override."""
    return one(executionPolicyOverrides={operation: members})


def chains(*given: Mapping[str, Any]) -> Configuration:
    """A configuration of the models `gpt`, `a` to `f`, and `off`, which is disabled, with these chains."""
    deployments = [pool(), pool("off", enabled=False), *(pool(name) for name in "abcdef")]
    return {"deployments": deployments, "fallbacks": list(given)}


def chain(*models: str, primary: str = "gpt", **members: Any) -> dict[str, Any]:
    """A chain from `primary` to `models`."""
    return {"primaryModel": primary, "fallbackModels": list(models), **members}


def named(parent: str, name: str) -> str:
    """The path of a member."""
    return f'{parent}["{name}"]' if "." in name else f"{parent}.{name}"


POLICIES = "routerSettings.executionPolicies"
OVERRIDES = "deployments[0].executionPolicyOverrides"
PRICING = "deployments[0].pricing"
CHAIN = "fallbacks[0]"

REFUSED: list[Case] = [
    ("CFG-STRATEGY-003", "routerSettings.routingStrategy", router(routingStrategy="round-robin")),
    ("CFG-STRATEGY-003", "routerSettings.routingStrategy", router(routingStrategy="least_busy")),
    *(("CFG-CIRCUIT-001", "routerSettings.allowedFails", router(allowedFails=n)) for n in (-1, 1_000_001, 0.5, "3")),
    *(("CFG-CIRCUIT-002", f"routerSettings.{s}", router(**{s: n})) for s in FROM_ZERO for n in (-1, DAY + 1, 0.5)),
    *(("CFG-CIRCUIT-003", f"routerSettings.{s}", router(**{s: n})) for s in FROM_ONE for n in (0, DAY + 1, None)),
    ("CFG-POLICY-004", f"{POLICIES}.speech", router(executionPolicies={"speech": {}})),
    ("CFG-POLICY-004", f"{POLICIES}.all", router(executionPolicies={"all": {}})),
    *(("CFG-POLICY-004", named(POLICIES, o) + ".json.totalMs", policy(o, "json", totalMs=0)) for o in OPERATIONS),
    *(("CFG-POLICY-007", f"{POLICIES}.chat.stream.{d}", policy("chat", "stream", **{d: 1})) for d in REPLACED),
    *(("CFG-POLICY-007", f"{OVERRIDES}.all.{d}", override("all", **{d: 1})) for d in REPLACED),
    *(
        ("CFG-OVERRIDE-001", f"{OVERRIDES}.chat.{d}", override("chat", **{d: n}))
        for d in ("responseMs", "idleMs", "totalMs")
        for n in (0, HOUR_MS + 1, None)
    ),
    ("CFG-OVERRIDE-001", f"{OVERRIDES}.speech", override("speech")),
    ("CFG-OVERRIDE-001", f"{OVERRIDES}.chat.stream", override("chat", stream={})),
    ("CFG-OVERRIDE-002", f"{OVERRIDES}.all.maxAttempts", override("all", maxAttempts=1)),
    *(
        ("CFG-LIMIT-001", f"deployments[0].{limit}", one(**{limit: n}))
        for limit in ("rpmLimit", "tpmLimit")
        for n in (0, -1, PER_MINUTE + 1, 1.5, "60")
    ),
    *(("CFG-DOMAIN-001", "deployments[0].failureDomain", one(failureDomain=v)) for v in ("", 7, True, ["a"])),
    *(
        ("CFG-PRICE-001", f"{PRICING}.{price}", one(pricing={price: n}))
        for price in PRICES
        for n in (-0.001, CENTS + 0.5, "1", None)
    ),
    *(("CFG-PRICE-002", f"{PRICING}.{price}", one(pricing={price: 1})) for price in LATER_PRICES),
    ("CFG-CHAIN-001", f"{CHAIN}.primaryModel", chains(chain("a", primary="unknown"))),
    ("CFG-CHAIN-001", f"{CHAIN}.fallbackModels[1]", chains(chain("a", "unknown"))),
    ("CFG-CHAIN-002", f"{CHAIN}.fallbackModels", chains(chain())),
    ("CFG-CHAIN-002", f"{CHAIN}.fallbackModels", chains(chain(*"abcdef"))),
    ("CFG-CHAIN-002", f"{CHAIN}.fallbackModels", chains({"primaryModel": "gpt"})),
    ("CFG-CHAIN-003", f"{CHAIN}.fallbackModels[1]", chains(chain("a", "gpt"))),
    ("CFG-CHAIN-003", f"{CHAIN}.fallbackModels[2]", chains(chain("a", "b", "a"))),
    ("CFG-CHAIN-004", "fallbacks[1]", chains(chain("a"), chain("b", reason="general"))),
    ("CFG-CHAIN-005", f"{CHAIN}.reason", chains(chain("a", reason="timeout"))),
]

ACCEPTED: list[tuple[str, Configuration]] = [
    *(("CFG-CIRCUIT-001", router(allowedFails=n)) for n in (0, 1_000_000)),
    *(("CFG-CIRCUIT-002", router(**dict.fromkeys(FROM_ZERO, n))) for n in (0, DAY)),
    *(("CFG-CIRCUIT-003", router(**dict.fromkeys(FROM_ONE, n))) for n in (1, DAY)),
    ("CFG-POLICY-004", router(executionPolicies={o: {"json": {}, "stream": {}} for o in OPERATIONS})),
    *(
        ("CFG-OVERRIDE-001", override(operation, responseMs=n, idleMs=n, totalMs=n))
        for operation in ("all", *OPERATIONS)
        for n in (1, HOUR_MS)
    ),
    *(("CFG-LIMIT-001", one(rpmLimit=n, tpmLimit=n)) for n in (None, 1, PER_MINUTE)),
    *(("CFG-DOMAIN-001", one(failureDomain=v)) for v in (None, "account")),
    *(("CFG-PRICE-001", one(pricing=dict.fromkeys(PRICES, n))) for n in (0, 0.25, 1e-7, CENTS)),
    ("CFG-CHAIN-001", chains(chain("off"), chain("gpt", primary="off"))),
    *(("CFG-CHAIN-002", chains(chain(*models))) for models in ("a", "abcde")),
    ("CFG-CHAIN-004", chains(chain("a"), chain("a", primary="b"), chain("a", reason="context_window"))),
    *(("CFG-CHAIN-005", chains(chain("a", reason=r))) for r in ("general", "context_window", "content_policy")),
]


@pytest.mark.rule(*sorted({rule for rule, _, _ in REFUSED}))
def test_each_wrong_setting_is_named_by_its_path(check: Check, target: Target, tmp_path: Path) -> None:
    for rule, path, configuration in REFUSED:
        problems = target.problems(configuration, tmp_path)
        with check(rule):
            assert [problem.partition(": ")[0] for problem in problems] == [path], problems
            if rule == "CFG-POLICY-007":
                assert "responseMs and idleMs" in problems[0]
            assert (UNSUPPORTED in problems[0]) == (rule == "CFG-PRICE-002"), problems


@pytest.mark.rule("CFG-STRATEGY-001", *sorted({rule for rule, _ in ACCEPTED}))
def test_the_edges_of_each_setting_are_accepted(check: Check, target: Target, tmp_path: Path) -> None:
    with check("CFG-STRATEGY-001"):
        assert target.problems(router(routingStrategy="simple-shuffle"), tmp_path) == []
    for rule, configuration in ACCEPTED:
        problems = target.problems(configuration, tmp_path)
        with check(rule):
            assert problems == [], configuration
