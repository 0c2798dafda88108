"""Turnout, an AI gateway: start one in this process, or script the parts that decide.

`Gateway` serves; `check_config` tells what is wrong with a configuration; `RouteFsm`, `SseDecoder` and `StreamTracker`
are the very machines that the server runs, without any I/O, for tests and simulations.
"""

from turnout._configuration import ConfigurationError, Problem, check_config
from turnout._core import (
    Admitted,
    AttemptCommitted,
    AttemptFailed,
    AttemptRecord,
    AttemptSucceeded,
    Begun,
    ClientLeft,
    FailureReport,
    RouteAction,
    RouteFsm,
    RouteOutcome,
    Settled,
    SnapshotRead,
    SseDecoder,
    SseEvent,
    StreamTracker,
    TokenUsage,
    TotalExpired,
    Waited,
    __version__,
)
from turnout._gateway import Gateway, Timer, Timers

__all__ = [
    "Admitted",
    "AttemptCommitted",
    "AttemptFailed",
    "AttemptRecord",
    "AttemptSucceeded",
    "Begun",
    "ClientLeft",
    "ConfigurationError",
    "FailureReport",
    "Gateway",
    "Problem",
    "RouteAction",
    "RouteFsm",
    "RouteOutcome",
    "Settled",
    "SnapshotRead",
    "SseDecoder",
    "SseEvent",
    "StreamTracker",
    "Timer",
    "Timers",
    "TokenUsage",
    "TotalExpired",
    "Waited",
    "__version__",
    "check_config",
]
