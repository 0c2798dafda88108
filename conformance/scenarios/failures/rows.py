"""The table of failure classes as rows of scripted upstreams, named by status and what is said with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from fake_upstreams import Body, Bytes, Event, Headers, Status, chat, faults

Steps = list[Any]
INVALID = "invalid_request_error"
PAGE = Body(b"<html><body>secret page</body></html>", "text/html")
EVENTS = Headers({"Content-Type": "text/event-stream"})
TOO_LARGE = "Request too large for `m` on tokens per minute (TPM): Limit 6000, Requested 9000"
OVERFLOW = "This model's maximum context length is 8192 tokens. However, you requested 9000."


@dataclass(frozen=True)
class Moves:
    """The first deployment's failure has this class, and the second deployment answers."""

    failure: str
    steps: Steps
    stream: bool = False


@dataclass(frozen=True)
class Ends:
    """The first deployment's failure is the caller's answer, and nobody else is asked."""

    status: int
    code: str | None
    steps: Steps
    stream: bool = False


def said(status: int, body: Any, headers: dict[str, str] | None = None) -> Steps:
    return [Status(status), Headers(headers or {}), Body.json(body)]


def anthropic(kind: str, message: str, **details: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message, "details": details or None}}


def google(status: int, message: str, kind: str) -> list[Any]:
    return [{"error": {"code": status, "message": message, "status": kind}}]


def amazon(kind: str) -> dict[str, str]:
    return {"x-amzn-errortype": f"{kind}:http://internal.amazon.com/coral/"}


def router(code: int, message: str, **metadata: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "metadata": metadata}}


def provider_error(code: int | str, message: str = "x", kind: str = INVALID) -> str:
    return json.dumps({"error": {"code": code, "message": message, "type": kind}})


def frame(code: str | int | None, kind: str = "server_error", message: str = "x") -> Steps:
    return [chat.role(), chat.error(message, code, kind)]


ROWS: dict[str, Moves | Ends] = {
    "400 context": Ends(400, "context_length_exceeded", said(400, anthropic(INVALID, "prompt is too long: 9 tokens"))),
    "400 raw": Ends(
        400,
        "context_length_exceeded",
        said(400, router(400, "Provider returned error", raw=provider_error("x", OVERFLOW))),
    ),
    "policy": Ends(400, "content_filter", chat.failure(400, "x", "content_filter", INVALID)),
    "key": Moves("configuration", said(400, google(400, "API key not valid. Please pass one.", "INVALID_ARGUMENT"))),
    "key as a string": Moves("configuration", said(400, "Incorrect API key provided: xa***")),
    "credit": Moves("configuration", said(400, anthropic(INVALID, "Your credit balance is too low to go on."))),
    "on hold": Moves("configuration", said(400, anthropic(INVALID, "x", error_code="organization_on_hold"))),
    "expired": Moves("configuration", said(400, {"message": "x"}, amazon("RequestExpired"))),
    "service quota": Moves("throttle", said(400, {"message": "x"}, amazon("ServiceQuotaExceededException"))),
    "tool": Ends(400, "tool_use_failed", chat.failure(400, "x", "tool_use_failed", INVALID)),
    "encrypted": Ends(400, "invalid_encrypted_content", chat.failure(400, "x", "invalid_encrypted_content")),
    "parameter": Ends(400, "unsupported_parameter", chat.failure(400, "x", "unsupported_parameter", INVALID)),
    "401": Moves("configuration", said(401, {"error": "Unauthorized"})),
    "balance": Moves("configuration", chat.failure(402, "Insufficient Balance", None, "unknown_error")),
    "prepaid": Moves("configuration", said(402, google(402, "x", "RESOURCE_EXHAUSTED"))),
    "in flight": Moves("throttle", said(402, {"error": {"code": "in_flight_budget_exhausted", "message": "x"}})),
    "retry-after": Moves("throttle", said(402, {}, {"Retry-After": "2"})),
    "tokens": Moves("incompatible", said(402, router(402, "This requires more credits, or fewer max_tokens."))),
    "flagged": Ends(
        403, "content_policy_violation", said(403, router(403, "x", reasons=["violence"], flagged_input="y"))
    ),
    "403 context": Ends(403, "context_length_exceeded", chat.failure(403, OVERFLOW)),
    "agreement": Moves("configuration", said(403, {"message": "x"}, amazon("MPAgreementBeingCreated"))),
    "access": Moves("configuration", said(403, anthropic("permission_error", "x"))),
    "403 page": Moves("configuration", [Status(403), PAGE]),
    "model": Moves("configuration", said(404, anthropic("not_found_error", "model: claude-0"))),
    "deployment": Moves("configuration", chat.failure(404, "x", "DeploymentNotFound")),
    "response": Ends(404, None, chat.failure(404, "Response with id 'resp_1' not found.", None, INVALID)),
    "file": Ends(404, None, said(404, anthropic("not_found_error", "File not found: file_1"))),
    "404 page": Moves("configuration", [Status(404), PAGE]),
    **{f"{status}": Moves("configuration", [Status(status)]) for status in (405, 410)},
    **{f"{status}": Ends(status, None, [Status(status)]) for status in (411, 415, 416, 431)},
    "408": Moves("transient", chat.failure(408, "The operation was timeout", "Timeout")),
    "409": Ends(409, None, said(409, anthropic("conflict_error", "x"))),
    "413 tokens": Moves("incompatible", chat.failure(413, TOO_LARGE, "rate_limit_exceeded", "tokens")),
    "413": Ends(413, None, said(413, anthropic("request_too_large", "x"))),
    "422": Ends(422, None, said(422, {"detail": [{"loc": ["body", "n"], "msg": "required", "type": "missing"}]})),
    "424": Moves("transient", said(424, {"message": "x"}, amazon("ModelErrorException"))),
    **{f"{status}": Moves("transient", [Status(status)]) for status in (421, 425)},
    "426": Moves("configuration", [Status(426)]),
    "429": Moves("throttle", said(429, anthropic("rate_limit_error", "x"))),
    "429 page": Moves("throttle", [Status(429), PAGE]),
    "429 quota": Moves("throttle", chat.failure(429, "x", "project_spend_limit_exceeded", "insufficient_quota")),
    "too large": Moves("incompatible", chat.failure(429, TOO_LARGE, "rate_limit_exceeded", "tokens")),
    "not ready": Moves("transient", said(429, {"message": "x"}, amazon("ModelNotReadyException"))),
    "498 token": Moves("configuration", said(498, {"message": "invalid token"})),
    "498 capacity": Moves("throttle", chat.failure(498, "Flex tier capacity exceeded", "capacity_exceeded")),
    "499": Moves("transient", said(499, google(499, "x", "CANCELLED"))),
    "500 context": Ends(500, "context_length_exceeded", chat.failure(500, "Context size has been exceeded.")),
    "500 inner 429": Moves("throttle", said(500, {"error": {"code": 429, "message": "x"}})),
    "502 raw": Moves("throttle", said(502, router(502, "Provider returned error", raw=provider_error(429)))),
    "exhausted": Moves("throttle", said(503, google(503, "x", "RESOURCE_EXHAUSTED"))),
    "501": Moves("transient", [Status(501)]),
    "529 overloaded": Moves("transient", said(529, anthropic("overloaded_error", "Overloaded"))),
    "slow down": Moves("throttle", chat.failure(503, "x", "slow_down", "rate_limit_error")),
    **{f"{status}": Moves("transient", [Status(status), PAGE]) for status in (502, 504, 520, 524, 530)},
    "redirect": Moves("configuration", [Status(307), Headers({"Location": "http://127.0.0.1:9/v1"})]),
    "200 page": Moves("transient", [PAGE]),
    "200 nothing": Moves("transient", [Body(b"", "application/json")]),
    "200 inner 429": Moves("throttle", said(200, {"error": {"code": 429, "message": "x"}})),
    "200 inner 400": Ends(400, "400", said(200, {"error": {"code": 400, "message": "x"}})),
    "200 error": Moves("throttle", said(200, {"error": {"code": 429, "message": "x"}}), stream=True),
    "200 without choices": Moves("transient", said(200, {"id": "x"}), stream=True),
    "event 502": Moves("transient", [EVENTS, Event(router(502, "x"))], stream=True),
    "event 429": Moves("throttle", [EVENTS, Event(router(429, "x"))], stream=True),
    "event 403": Ends(
        403, "content_policy_violation", [EVENTS, Event(router(403, "x", reasons=["violence"]))], stream=True
    ),
    "event tool": Ends(
        400,
        "tool_use_failed",
        [chat.role(), Event({"error": {"message": "x", "code": "tool_use_failed", "status_code": 400}}, name="error")],
        stream=True,
    ),
    "event overloaded": Moves("transient", [EVENTS, Event(anthropic("overloaded_error", "x"))], stream=True),
    "billing": Moves("configuration", [EVENTS, Event(anthropic("billing_error", "x"))], stream=True),
    "groq": Moves("transient", [chat.role(extra={"x_groq": {"error": "over capacity"}})], stream=True),
    "finish": Moves("transient", [chat.role(), chat.finish("error")], stream=True),
    "attached": Moves(
        "throttle",
        [
            chat.role(),
            chat.chunk({"choices": [{"index": 0, "delta": {}, "finish_reason": "error", "error": {"code": 429}}]}),
        ],
        stream=True,
    ),
    "resources": Moves("transient", [chat.role(), chat.finish("insufficient_system_resource")], stream=True),
    "rate limit": Moves("throttle", frame("rate_limit_exceeded"), stream=True),
    "frame quota": Moves("throttle", frame("insufficient_quota"), stream=True),
    "frame context": Ends(400, "context_length_exceeded", frame("context_length_exceeded"), stream=True),
    **{
        f"{code}": Ends(400, code, frame(code, INVALID), stream=True)
        for code in ("bio_policy", "cyber_abuse", "image_content_policy_violation", "invalid_image", "image_too_large")
    },
    **{
        f"{code}": Ends(400, code, frame(code), stream=True)
        for code in ("failed_to_download_image", "data_residency_mismatch")
    },
    **{
        f"{code}": Moves("transient", frame(code), stream=True)
        for code in ("server_error", "vector_store_timeout", "server_is_overloaded", "unheard_of")
    },
    "end": Moves("transient", [chat.role()], stream=True),
    "json": Moves("transient", [chat.role(), Event('{"choices":[')], stream=True),
    "text": Moves("transient", [chat.role(), Bytes(b"data: \xff\xfe\n\n"), faults.Close()], stream=True),
}
