"""The circuit controls of `routerSettings`, in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Defaults are the documented ones."""

    allowed_fails: int = 3
    cooldown: int = 5_000
    failure_window: int = 60_000
    max_cooldown: int = 300_000
    half_open_probe: int = 30_000
    configuration_cooldown: int = 300_000
    throttle_cooldown: int = 5_000
    retry_after: int = 0

    @staticmethod
    def of(router: Mapping[str, object]) -> Settings:
        """From the members of `routerSettings`; what is absent keeps its default."""
        names = {
            "cooldownSeconds": "cooldown",
            "failureWindowSeconds": "failure_window",
            "maxCooldownSeconds": "max_cooldown",
            "halfOpenProbeSeconds": "half_open_probe",
            "configurationCooldownSeconds": "configuration_cooldown",
            "throttleCooldownSeconds": "throttle_cooldown",
            "retryAfterSeconds": "retry_after",
        }
        given = {ours: _whole(router[theirs]) * 1000 for theirs, ours in names.items() if theirs in router}
        if "allowedFails" in router:
            given["allowed_fails"] = _whole(router["allowedFails"])
        return Settings(**given)


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value
