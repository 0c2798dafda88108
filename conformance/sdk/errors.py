"""What callers of an SDK catch, by the class that it has for it; the classes of both SDKs have the same names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fake_upstreams import Step, chat


@dataclass(frozen=True)
class Raised:
    """A request that fails, and the exception that tells it."""

    name: str
    """Of the case, and of the public model that is asked for."""
    raises: str
    status: int
    code: str | None
    answer: Sequence[Step] = ()
    """The upstream's; without one it has no deployment."""
    key: str = "right"


RAISED = (
    Raised("bad request", "BadRequestError", 400, "unsupported_value", chat.failure(400, "no", "unsupported_value")),
    Raised("wrong key", "AuthenticationError", 401, "invalid_api_key", key="wrong"),
    Raised("unknown model", "NotFoundError", 404, "model_not_found"),
    Raised("throttled", "RateLimitError", 429, "rate_limit_exceeded", chat.failure(429, "slow", "rate_limit_exceeded")),
    Raised("out of order", "InternalServerError", 503, "model_unavailable", chat.failure(401)),
    Raised("broken", "InternalServerError", 500, None, chat.failure(500)),
)
