"""Turnout, an AI gateway: start one in this process, or script the parts that decide.

`Gateway` serves; `check_config` tells what is wrong with a configuration; `Engine`, `SseDecoder` and `StreamTracker`
are the very machines that the server runs, without any I/O, for tests and simulations.
"""

from turnout._configuration import ConfigurationError, ConfigurationWarning, Problem, check_config
from turnout._core import (
    AttemptRecord,
    CallerAnswer,
    Decision,
    DeploymentSnapshot,
    FailureReport,
    LogicalRequest,
    Refusal,
    SseDecoder,
    SseEvent,
    StreamTracker,
    TokenUsage,
    __version__,
)
from turnout._engine import Engine
from turnout._gateway import Gateway, Timer, Timers

__all__ = [
    "AttemptRecord",
    "CallerAnswer",
    "ConfigurationError",
    "ConfigurationWarning",
    "Decision",
    "DeploymentSnapshot",
    "Engine",
    "FailureReport",
    "Gateway",
    "LogicalRequest",
    "Problem",
    "Refusal",
    "SseDecoder",
    "SseEvent",
    "StreamTracker",
    "Timer",
    "Timers",
    "TokenUsage",
    "__version__",
    "check_config",
]
