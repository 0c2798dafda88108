"""The compiled part of turnout; import turnout instead."""

from pathlib import Path
from typing import Literal, Never, TypeAlias, final, overload

__version__: str

_FailureOrigin: TypeAlias = Literal[
    "upstream_answer",
    "error_in_answer",
    "error_event",
    "connect_failed",
    "tls_failed",
    "connection_lost",
    "malformed_http",
    "malformed_body",
    "body_truncated",
    "websocket_closed",
    "not_carried",
    "stream_truncated",
    "response_timeout",
    "idle_timeout",
    "total_timeout",
    "paused_timeout",
    "client_gone",
    "client_stalled",
    "gateway",
]
_FailureClass: TypeAlias = Literal[
    "request",
    "context_window",
    "content_policy",
    "throttle",
    "transient",
    "configuration",
    "incompatible",
    "gateway",
]
_Obstacle: TypeAlias = Literal["circuit", "probe", "limit", "capacity"]
_Verdict: TypeAlias = Literal[
    "served", "failed", "no_candidate", "expired", "client_gone", "server_ending", "state_unavailable"
]
_Contract: TypeAlias = Literal["chat", "messages", "responses"]
_FrameClass: TypeAlias = Literal["metadata", "commits", "finished", "end", "error"]
_Anomaly: TypeAlias = Literal[
    "missing_done",
    "missing_finish_reason",
    "missing_message_stop",
    "missing_content_block_stop",
    "empty_output",
    "unclean_close",
    "unmet_n",
    "non_stream_answer",
    "error_after_finish",
    "malformed_keepalive",
]

class _BoundType(type):
    """What makes pybind11's classes."""

class _Bound(metaclass=_BoundType):
    """pybind11's base. A class that declares no constructor comes from the module only: calling it is a TypeError."""

    def __init__(self, *args: Never, **kwargs: Never) -> None: ...

@final
class Configuration(_Bound):
    """A configuration without problems."""

    @property
    def warnings(self) -> list[tuple[str, str]]:
        """What is allowed and probably not meant, as (path, message)."""

def load(text: str | bytes, folder: str | Path) -> Configuration | list[tuple[str, str]]:
    """Parses YAML or JSON and checks it: a whole configuration, or every problem as (path, message).

    folder: where relative paths of files count from; "" is the working directory.
    """

@final
class Gateway(_Bound):
    """A gateway in this process. All calls may come from any thread; those that wait release the interpreter lock."""

    def __init__(
        self,
        settings: Configuration,
        *,
        port: int | None,
        workers: int | None,
        test_control: bool,
        seed: int | None,
        data: str | Path | None,
    ) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    @property
    def url(self) -> str: ...
    @property
    def port(self) -> int:
        """The bound port; 0 before `start`."""
    def timers_json(self) -> str: ...
    def advance(self, ms: int, until_armed: str | None = None) -> int: ...
    def seed(self, value: int) -> None: ...

@final
class FailureReport(_Bound):
    """How an attempt ended, as facts; `RouteFsm` gives it a class.

    origin: who or what ended it. ValueError if there is no such name.
    status: the HTTP status of the answer, or a numeric status inside it; 0 if there is none.
    code, type, param, message: the provider's words; empty if there are none.
    retry_after_ms: how long the provider asked to wait.
    """

    def __init__(
        self,
        origin: _FailureOrigin,
        status: int = 0,
        *,
        code: str = "",
        type: str = "",  # noqa: A002 - the provider's own word
        param: str = "",
        message: str = "",
        retry_after_ms: int | None = None,
    ) -> None: ...
    @property
    def origin(self) -> _FailureOrigin: ...
    @property
    def status(self) -> int: ...
    @property
    def code(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def param(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def retry_after_ms(self) -> int | None: ...

@final
class DeploymentSnapshot(_Bound):
    """Live state of one deployment at one moment. What is in milliseconds is rounded up."""

    @property
    def deployment(self) -> str:
        """Its id."""
    @property
    def status(self) -> Literal["available", "cooldown", "half_open", "rate_limited"]:
        """As `GET /v1/models/{model}/deployments` says it."""
    @property
    def retry_after_ms(self) -> int | None:
        """Until the status may change; None if `available`, 0 if `half_open` and nobody is probing."""
    @property
    def admissible(self) -> bool:
        """Whether a request would be admitted now."""
    @property
    def obstacle(self) -> _Obstacle | None:
        """What is in the way, the first in the order of these names; None if `admissible`."""
    @property
    def blocked_ms(self) -> int | None:
        """Until nothing of it need be in the way any more; None if `admissible`."""
    @property
    def circuit(self) -> Literal["closed", "open", "half_open"]: ...
    @property
    def cause(self) -> Literal["transient", "configuration"] | None:
        """Why the circuit opened last; None if `closed`."""
    @property
    def failures(self) -> int:
        """Counted towards the circuit in the window that runs."""
    @property
    def openings(self) -> int:
        """Of the circuit since it was last closed."""
    @property
    def in_flight(self) -> int: ...
    @property
    def rpm(self) -> int:
        """Attempts that began in this minute of the wall clock."""
    @property
    def tpm(self) -> int:
        """Tokens of attempts that succeeded in this minute of the wall clock."""
    @property
    def latency_ms(self) -> float | None:
        """Moving average over successes; None before the first."""
    @property
    def throughput_tps(self) -> float | None:
        """Moving average of completion tokens per second; None before the first."""
    @property
    def health(self) -> float:
        """`successes_10min / (successes_10min + failures_10min)`; 0.5 without a record."""
    @property
    def successes_10min(self) -> int: ...
    @property
    def failures_10min(self) -> int: ...

@final
class Refusal(_Bound):
    """Why a deployment was asked and not admitted."""

    @property
    def deployment(self) -> str: ...
    @property
    def obstacle(self) -> _Obstacle: ...
    @property
    def until_ms(self) -> int:
        """The earliest moment at which nothing of it need be in the way any more."""

@final
class Decision(_Bound):
    """One decision about a logical request. What its kind does not have is empty or None.

    kind: `asked`: `candidates` were asked in this order, those in `refused` had something in the way, and `chosen` was
        admitted, or nobody was; `wait`: the one in `candidates` is asked at `until_ms`, and `reason` says whether it is
        asked `again` or its `capacity` circuit has to end first; `chain`: the primary pool was left for `models`, the
        fallback chain for `reason` (`general`, `context_window` or `content_policy`).
    """

    @property
    def at_ms(self) -> int: ...
    @property
    def kind(self) -> Literal["asked", "wait", "chain"]: ...
    @property
    def candidates(self) -> list[str]: ...
    @property
    def refused(self) -> list[Refusal]: ...
    @property
    def chosen(self) -> str | None: ...
    @property
    def until_ms(self) -> int | None: ...
    @property
    def reason(self) -> Literal["again", "capacity", "general", "context_window", "content_policy"] | None: ...
    @property
    def models(self) -> list[str]: ...

@final
class AttemptRecord(_Bound):
    """One finished attempt."""

    @property
    def deployment(self) -> str: ...
    @property
    def ok(self) -> bool: ...
    @property
    def committed(self) -> bool: ...
    @property
    def probe(self) -> bool:
        """It was its half-open circuit's probe."""
    @property
    def failure(self) -> _FailureClass | None:
        """None if `ok`."""
    @property
    def quota_exhausted(self) -> bool: ...
    @property
    def report(self) -> FailureReport | None:
        """None if `ok`."""
    @property
    def started_ms(self) -> int: ...
    @property
    def ended_ms(self) -> int: ...
    @property
    def circuit_change(self) -> Literal["none", "counted", "opened", "reopened", "closed", "released"]:
        """What its end did to the deployment's circuit. A stream's probe may have closed it before, at its commit."""
    @property
    def capacity_opened(self) -> bool:
        """Its end opened the capacity circuit of the failure domain, or made it longer."""
    @property
    def opened_until_ms(self) -> int | None:
        """When what was opened or made longer ends."""

@final
class CallerAnswer(_Bound):
    """What the caller of a request that was not served is told."""

    @property
    def status(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def code(self) -> str | None: ...
    @property
    def retry_after(self) -> int | None:
        """Whole seconds, at least 1."""
    @property
    def should_retry(self) -> Literal[False] | None:
        """False where official SDKs are told that repeating is pointless; None where nothing is said."""

@final
class LogicalRequest(_Bound):
    """One logical request of an engine, whose attempts go as the script says.

    state: `attempt`: `deployment` is being called, and one of `succeed`, `fail`, `leave` and `abandon` says how that
        goes; `waiting`: time has to move to `until_ms`, unless the client leaves; `finished`; `abandoned`.
    """

    @property
    def state(self) -> Literal["attempt", "waiting", "finished", "abandoned"]: ...
    @property
    def deployment(self) -> str | None:
        """The id of the deployment that is being called; None outside an attempt."""
    @property
    def until_ms(self) -> int | None:
        """When the wait is over, on the engine's time line; None outside a wait."""
    def commit(self) -> None:
        """The stream shows its first output: from here nothing is retried. RuntimeError unless a stream's attempt runs
        and has not committed."""
    def succeed(
        self, *, total_tokens: int | None = None, completion_tokens: int | None = None, paused_ms: int = 0
    ) -> None:
        """The answer is complete. RuntimeError outside an attempt.

        total_tokens: counted towards `tpmLimit`. completion_tokens: for the throughput; None if the upstream did not
        say. paused_ms: how long the gateway itself did not read, which is no part of the latency.
        """
    @overload
    def fail(self, report: FailureReport) -> None:
        """The attempt failed in this way. RuntimeError outside an attempt."""
    @overload
    def fail(
        self,
        *,
        origin: _FailureOrigin | None = None,
        status: int = 0,
        code: str = "",
        type: str = "",
        param: str = "",
        message: str = "",
        retry_after_ms: int | None = None,
    ) -> None:
        """Likewise, with the members of a report; origin: `upstream_answer` if only a status is given."""
    def leave(self) -> None:
        """The client goes. RuntimeError if the request is over."""
    def abandon(self) -> None:
        """The process that handles the request dies: its slot and probe are neither kept nor given back, and free
        themselves when their time is over. RuntimeError if the request is over."""
    @property
    def attempts(self) -> list[AttemptRecord]:
        """Finished attempts, oldest first."""
    @property
    def attempts_left(self) -> int:
        """What `maxAttempts` still allows."""
    @property
    def committed(self) -> bool: ...
    @property
    def decisions(self) -> list[Decision]:
        """Every decision so far, oldest first."""
    @property
    def verdict(self) -> _Verdict | None:
        """None until `finished`."""
    @property
    def answer(self) -> CallerAnswer | None:
        """What the caller is told; None until `finished`, or if it was served."""

@final
class Engine(_Bound):
    """What `turnout.Engine` wraps."""

    def __init__(self, settings: Configuration, *, seed: int, wall_ms: int) -> None: ...
    @property
    def now_ms(self) -> int: ...
    @property
    def wall_ms(self) -> int: ...
    def advance(self, ms: int) -> None: ...
    def seed(self, value: int) -> None: ...
    def begin(self, model: str, stream: bool = False, contract: _Contract = "chat") -> LogicalRequest: ...
    def snapshot(self, deployment: str) -> DeploymentSnapshot: ...
    def snapshots(self, model: str) -> list[DeploymentSnapshot]: ...

@final
class SseEvent(_Bound):
    """One server-sent event."""

    @property
    def name(self) -> bytes:
        """Of its `event` line; empty if it has none."""
    @property
    def data(self) -> bytes:
        """Its `data` lines, joined by LF."""
    @property
    def has_data(self) -> bool: ...

@final
class SseDecoder(_Bound):
    """Turns bytes, split anywhere, into server-sent events.

    max_event_bytes: bound of one event; default 16 MiB. Beyond it, `error` is set and no further event comes.
    """

    def __init__(self, max_event_bytes: int = 16777216) -> None: ...
    def feed(self, data: bytes) -> list[SseEvent]:
        """The events that these bytes complete."""
    def finish(self) -> SseEvent | None:
        """At the end of the body: the last event, if no blank line ended it."""
    @property
    def error(self) -> Literal["event_too_large"] | None: ...
    @property
    def at_boundary(self) -> bool:
        """True when no part of an event is pending."""

@final
class TokenUsage(_Bound):
    """Tokens, as the upstream counted them."""

    @property
    def prompt(self) -> int: ...
    @property
    def completion(self) -> int: ...
    @property
    def total(self) -> int: ...

@final
class StreamTracker(_Bound):
    """Watches one stream of one attempt and writes the client's bytes for it.

    public_model: the name that the client sees in every event that names one.
    n: how many choices were asked for; chat only.
    client_wants_usage: whether usage that the upstream sends is shown; chat only.
    contract: the protocol that client and upstream speak. Raises ValueError for another name.
    fallback_id, fallback_created: of events that are written before the upstream named its own; the id follows the
        protocol's prefix, such as `chatcmpl-`.
    """

    def __init__(
        self,
        public_model: str,
        n: int = 1,
        client_wants_usage: bool = False,
        *,
        contract: _Contract = "chat",
        fallback_id: str = "0",
        fallback_created: int = 0,
    ) -> None: ...
    def on_event(self, name: str | bytes, data: str | bytes | None) -> tuple[_FrameClass, bytes]:
        """Judges one event and frames it for the client (no bytes for what is dropped). data: None if it has none."""
    def is_whole(self, data: str | bytes) -> bool:
        """Whether the data of an event that the end of the body cut off counts all the same."""
    def on_answer(self, body: str | bytes) -> tuple[FailureReport | None, bytes]:
        """Instead of events: one JSON answer, framed as a stream, or why it is none."""
    def on_end(self, clean: bool) -> FailureReport | None:
        """The body ended, by its framing if `clean`. None if the stream is complete."""
    def close(self, unified_routing: str | bytes = "") -> bytes:
        """After completion: what the client still lacks, end marker and `unified_routing` (JSON, if given) included."""
    @property
    def failure(self) -> FailureReport | None:
        """After `on_event` said `error`."""
    @property
    def usage(self) -> TokenUsage | None: ...
    @property
    def anomalies(self) -> list[_Anomaly]: ...
    @property
    def complete(self) -> bool:
        """Every choice is finished, or the end marker came."""
    @property
    def next_sequence(self) -> int:
        """The number of the next event, in protocols that number them; else 0."""
