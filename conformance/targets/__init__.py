"""The ways to run a gateway under test: binary, module, url."""

from conformance.targets.base import ALL_FEATURES, Configuration, Gateway, Target, TargetError, Timer, Timers

__all__ = ["ALL_FEATURES", "Configuration", "Gateway", "Target", "TargetError", "Timer", "Timers"]
