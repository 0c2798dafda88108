"""The settings of the routing engine: what they may be, and what is said otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
Case = tuple[str, list[str], Configuration]
"""A rule, the paths of all problems, and the configuration."""


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


def each(parent: str, names: Iterable[str], rest: str = "") -> list[str]:
    """The paths of members, or of what `rest` names below them."""
    return [named(parent, name) + rest for name in names]


POLICIES = "routerSettings.executionPolicies"
OVERRIDES = "deployments[0].executionPolicyOverrides"
PRICING = "deployments[0].pricing"
CHAIN = "fallbacks[0]"
STRATEGY = ["routerSettings.routingStrategy"]
LIMITS = ("rpmLimit", "tpmLimit")
DEADLINES = ("responseMs", "idleMs", "totalMs")

REFUSED: list[Case] = [
    *(("CFG-STRATEGY-003", STRATEGY, router(routingStrategy=name)) for name in ("round-robin", "least_busy")),
    *(("CFG-CIRCUIT-001", ["routerSettings.allowedFails"], router(allowedFails=n)) for n in (-1, 1_000_001, "3")),
    *(
        ("CFG-CIRCUIT-002", each("routerSettings", FROM_ZERO), router(**dict.fromkeys(FROM_ZERO, n)))
        for n in (-1, DAY + 1, 0.5)
    ),
    *(
        ("CFG-CIRCUIT-003", each("routerSettings", FROM_ONE), router(**dict.fromkeys(FROM_ONE, n)))
        for n in (0, DAY + 1, None)
    ),
    ("CFG-POLICY-004", each(POLICIES, ("speech", "all")), router(executionPolicies={"speech": {}, "all": {}})),
    (
        "CFG-POLICY-004",
        each(POLICIES, OPERATIONS, ".json.totalMs"),
        router(executionPolicies={o: {"json": {"totalMs": 0}} for o in OPERATIONS}),
    ),
    (
        "CFG-POLICY-007",
        each(f"{POLICIES}.chat.stream", REPLACED),
        router(executionPolicies={"chat": {"stream": dict.fromkeys(REPLACED, 1)}}),
    ),
    ("CFG-POLICY-007", each(f"{OVERRIDES}.all", REPLACED), override("all", **dict.fromkeys(REPLACED, 1))),
    *(
        ("CFG-OVERRIDE-001", each(f"{OVERRIDES}.chat", DEADLINES), override("chat", **dict.fromkeys(DEADLINES, n)))
        for n in (0, HOUR_MS + 1, None)
    ),
    ("CFG-OVERRIDE-001", [f"{OVERRIDES}.speech"], override("speech")),
    ("CFG-OVERRIDE-001", [f"{OVERRIDES}.chat.stream"], override("chat", stream={})),
    ("CFG-OVERRIDE-002", [f"{OVERRIDES}.all.maxAttempts"], override("all", maxAttempts=1)),
    *(
        ("CFG-LIMIT-001", each("deployments[0]", LIMITS), one(**dict.fromkeys(LIMITS, n)))
        for n in (0, PER_MINUTE + 1, 1.5, "60")
    ),
    *(("CFG-DOMAIN-001", ["deployments[0].failureDomain"], one(failureDomain=v)) for v in ("", 7, ["a"])),
    *(
        ("CFG-PRICE-001", each(PRICING, PRICES), one(pricing=dict.fromkeys(PRICES, n)))
        for n in (-0.001, CENTS + 0.5, "1", None)
    ),
    ("CFG-PRICE-002", each(PRICING, LATER_PRICES), one(pricing=dict.fromkeys(LATER_PRICES, 1))),
    (
        "CFG-CHAIN-001",
        [f"{CHAIN}.primaryModel", f"{CHAIN}.fallbackModels[1]"],
        chains(chain("a", "unknown", primary="missing")),
    ),
    ("CFG-CHAIN-002", [f"{CHAIN}.fallbackModels"], chains(chain())),
    ("CFG-CHAIN-002", [f"{CHAIN}.fallbackModels"], chains(chain(*"abcdef"))),
    ("CFG-CHAIN-002", [f"{CHAIN}.fallbackModels"], chains({"primaryModel": "gpt"})),
    ("CFG-CHAIN-003", [f"{CHAIN}.fallbackModels[1]", f"{CHAIN}.fallbackModels[2]"], chains(chain("a", "gpt", "a"))),
    ("CFG-CHAIN-004", ["fallbacks[1]"], chains(chain("a"), chain("b", reason="general"))),
    ("CFG-CHAIN-005", [f"{CHAIN}.reason"], chains(chain("a", reason="timeout"))),
]

ACCEPTED: list[tuple[str, Configuration]] = [
    *(("CFG-CIRCUIT-001", router(allowedFails=n)) for n in (0, 1_000_000)),
    *(("CFG-CIRCUIT-002", router(**dict.fromkeys(FROM_ZERO, n))) for n in (0, DAY)),
    *(("CFG-CIRCUIT-003", router(**dict.fromkeys(FROM_ONE, n))) for n in (1, DAY)),
    ("CFG-POLICY-004", router(executionPolicies={o: {"json": {}, "stream": {}} for o in OPERATIONS})),
    *(
        (
            "CFG-OVERRIDE-001",
            one(executionPolicyOverrides={o: dict.fromkeys(DEADLINES, n) for o in (*OPERATIONS, "all")}),
        )
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
    for rule, expected, configuration in REFUSED:
        problems = target.problems(configuration, tmp_path)
        with check(rule):
            assert [problem.partition(": ")[0] for problem in problems] == expected, problems
            for problem in problems:
                assert ("responseMs and idleMs" in problem) == (rule == "CFG-POLICY-007"), problem
                assert (UNSUPPORTED in problem) == (rule == "CFG-PRICE-002"), problem


@pytest.mark.rule("CFG-STRATEGY-001", *sorted({rule for rule, _ in ACCEPTED}))
def test_the_edges_of_each_setting_are_accepted(check: Check, target: Target, tmp_path: Path) -> None:
    with check("CFG-STRATEGY-001"):
        assert target.problems(router(routingStrategy="simple-shuffle"), tmp_path) == []
    for rule, configuration in ACCEPTED:
        problems = target.problems(configuration, tmp_path)
        with check(rule):
            assert problems == [], configuration
