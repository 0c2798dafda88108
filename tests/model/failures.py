"""One way to fail for every class, as a script says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.model.circuit import Effect
from tests.model.route import FailureClass

EFFECTS: Mapping[FailureClass, Effect] = {
    "request": "request",
    "context_window": "request",
    "content_policy": "request",
    "throttle": "throttle",
    "transient": "transient",
    "configuration": "configuration",
    "incompatible": "neutral",
    "gateway": "neutral",
}


@dataclass(frozen=True)
class Failure:
    """`says` goes to `LogicalRequest.fail`."""

    kind: FailureClass
    says: Mapping[str, Any] = field(default_factory=dict)
    quota_exhausted: bool = False

    @property
    def retry_after(self) -> int | None:
        wait: int | None = self.says.get("retry_after_ms")
        return wait


def _throttle(retry_after_ms: int | None) -> Failure:
    return Failure("throttle", {"status": 429, "retry_after_ms": retry_after_ms})


FAILURES = (
    Failure("transient", {"status": 500}),
    Failure("transient", {"status": 503, "retry_after_ms": 3_000}),
    Failure("transient", {"origin": "connect_failed"}),
    Failure("transient", {"origin": "response_timeout"}),
    Failure("transient", {"status": 529, "retry_after_ms": 60_001}),
    Failure("configuration", {"status": 401}),
    _throttle(None),
    _throttle(2_000),
    _throttle(9_500),
    _throttle(61_000),
    Failure("throttle", {"status": 429, "code": "insufficient_quota"}, quota_exhausted=True),
    Failure("request", {"status": 422}),
    Failure("context_window", {"status": 400, "code": "context_length_exceeded"}),
    Failure("content_policy", {"status": 400, "code": "content_policy_violation"}),
    Failure("incompatible", {"status": 413, "type": "tokens", "code": "rate_limit_exceeded"}),
    Failure("gateway", {"origin": "gateway"}),
)
LEFT = Failure("gateway")
"""The client went."""
EXPIRED = Failure("transient")
"""`totalMs` passed while the attempt was running."""
