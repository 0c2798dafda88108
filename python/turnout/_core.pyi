"""The compiled part of turnout; import turnout instead."""

from typing import Literal, Never, TypeAlias, final

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
_ActionType: TypeAlias = Literal["read_state", "admit", "start_attempt", "wait", "commit", "settle", "finish", "none"]
_Verdict: TypeAlias = Literal["served", "failed", "no_candidate", "expired", "client_gone"]
_FrameClass: TypeAlias = Literal["metadata", "commits", "finished", "end", "error"]
_Anomaly: TypeAlias = Literal[
    "missing_done",
    "missing_finish_reason",
    "missing_message_stop",
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

def load(text: str | bytes) -> Configuration | list[tuple[str, str]]:
    """Parses YAML or JSON and checks it: a whole configuration, or every problem as (path, message)."""

@final
class Gateway(_Bound):
    """A gateway in this process. All calls may come from any thread; those that wait release the interpreter lock."""

    def __init__(
        self, settings: Configuration, *, port: int, workers: int, test_control: bool, seed: int | None
    ) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    @property
    def host(self) -> str: ...
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
class Begun(_Bound):
    """The request has arrived: the first event of every route."""

    def __init__(self) -> None: ...

@final
class SnapshotRead(_Bound):
    """After `read_state`."""

    def __init__(self) -> None: ...

@final
class Admitted(_Bound):
    """After `admit`: which candidate was taken, or None if none was eligible."""

    def __init__(self, target: int | None = None) -> None: ...
    @property
    def target(self) -> int | None: ...

@final
class AttemptCommitted(_Bound):
    """During an attempt: the first frame that commits was seen."""

    def __init__(self) -> None: ...

@final
class AttemptSucceeded(_Bound):
    """The attempt's answer is complete."""

    def __init__(self) -> None: ...

@final
class AttemptFailed(_Bound):
    """The attempt ended otherwise."""

    def __init__(self, report: FailureReport) -> None: ...
    @property
    def report(self) -> FailureReport: ...

@final
class Settled(_Bound):
    """After `settle`."""

    def __init__(self) -> None: ...

@final
class Waited(_Bound):
    """After `wait`."""

    def __init__(self) -> None: ...

@final
class TotalExpired(_Bound):
    """`totalMs` passed while no attempt was running."""

    def __init__(self) -> None: ...

@final
class ClientLeft(_Bound):
    """The client went away while no attempt was running."""

    def __init__(self) -> None: ...

_RouteEvent: TypeAlias = (
    Begun
    | SnapshotRead
    | Admitted
    | AttemptCommitted
    | AttemptSucceeded
    | AttemptFailed
    | Settled
    | Waited
    | TotalExpired
    | ClientLeft
)

@final
class RouteAction(_Bound):
    """What the driver must do next.

    type: `read_state`, then resume with SnapshotRead; `admit` the first eligible of `candidates`, then Admitted;
        `start_attempt` on `target`, then AttemptCommitted and, once, AttemptSucceeded or AttemptFailed; `commit`: show
        the client what was held and go on with the attempt; `settle`: record `attempts[-1]`, then Settled; `wait` until
        `until_ms`, then Waited; `finish`: `outcome` says how it ended.
    """

    @property
    def type(self) -> _ActionType: ...
    @property
    def target(self) -> int | None:
        """Index of the deployment, for `start_attempt`, `commit` and `settle`."""
    @property
    def until_ms(self) -> int | None:
        """For `wait`."""

@final
class AttemptRecord(_Bound):
    """One finished attempt."""

    @property
    def target(self) -> int: ...
    @property
    def ok(self) -> bool: ...
    @property
    def committed(self) -> bool: ...
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

@final
class RouteOutcome(_Bound):
    """How the logical request ended."""

    @property
    def verdict(self) -> _Verdict: ...
    @property
    def deciding(self) -> int | None:
        """Index of the attempt that speaks for all: the last that was no configuration failure."""
    @property
    def only_configuration(self) -> bool: ...
    @property
    def in_band(self) -> bool:
        """The client has already seen output, so a failure must be told inside the stream."""

@final
class RouteFsm(_Bound):
    """One logical request's way through a pool, without I/O.

    Call `resume`, do what it says, and call it again with what happened.

    weights: one per enabled deployment; a deployment is named by its index.
    max_attempts: at least 1.
    deadline_ms: when `totalMs` passes, on the same time line as `now_ms`; None: never.
    seed: of the draw. The server with this seed draws the same.
    """

    def __init__(
        self, weights: list[int], max_attempts: int = 3, deadline_ms: int | None = None, seed: int = 0
    ) -> None: ...
    def resume(self, event: _RouteEvent, now_ms: int) -> RouteAction:
        """RuntimeError if the event does not fit the last action."""
    @property
    def candidates(self) -> list[int]:
        """The order in which to ask, best first; empty unless the last action was `admit`."""
    @property
    def attempts(self) -> list[AttemptRecord]:
        """Finished attempts, oldest first."""
    @property
    def attempts_left(self) -> int: ...
    @property
    def committed(self) -> bool: ...
    @property
    def outcome(self) -> RouteOutcome | None:
        """None until `finish`."""

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
    """Watches one chat stream of one attempt and writes the client's bytes for it.

    public_model: the name that the client sees in every chunk.
    n: how many choices were asked for.
    client_wants_usage: whether usage that the upstream sends is shown.
    fallback_id, fallback_created: of chunks that are written before the upstream named its own.
    """

    def __init__(
        self,
        public_model: str,
        n: int = 1,
        client_wants_usage: bool = False,
        *,
        fallback_id: str = "chatcmpl-0",
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
    def metadata_frame(self, unified_routing_json: str | bytes) -> bytes:
        """A chunk of the gateway's own that carries `unified_routing`; goes before what `close` writes."""
    def close(self) -> bytes:
        """After completion: what the client still lacks, the end marker included."""
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
