"""Named faults, one per file. Each class says which condition it makes and what in production causes it."""

from __future__ import annotations

from ..steps import Fault
from .accept_then_silence import AcceptThenSilence
from .bad_content_length import BadContentLength
from .chunk_extensions_and_trailers import ChunkExtensionsAndTrailers
from .close import Close
from .close_before_reply import CloseBeforeReply
from .cut_mid_event import CutMidEvent
from .early_close_keepalive import EarlyCloseKeepalive
from .early_hints import EarlyHints
from .garbage import Garbage
from .html_page import HtmlPage
from .malformed_chunk import MalformedChunk
from .one_byte_writes import OneByteWrites
from .refuse import Refuse
from .reset import Reset
from .reset_after_headers import ResetAfterHeaders
from .short_content_length import ShortContentLength
from .slow_bytes import SlowBytes
from .split_at import SplitAt
from .stall_mid_stream import StallMidStream
from .stop_reading import StopReading
from .tls_failure import TlsFailure

__all__ = [
    "FAULTS",
    "AcceptThenSilence",
    "BadContentLength",
    "ChunkExtensionsAndTrailers",
    "Close",
    "CloseBeforeReply",
    "CutMidEvent",
    "EarlyCloseKeepalive",
    "EarlyHints",
    "Garbage",
    "HtmlPage",
    "MalformedChunk",
    "OneByteWrites",
    "Refuse",
    "Reset",
    "ResetAfterHeaders",
    "ShortContentLength",
    "SlowBytes",
    "SplitAt",
    "StallMidStream",
    "StopReading",
    "TlsFailure",
]

_CLASSES: tuple[type[Fault], ...] = (
    AcceptThenSilence,
    BadContentLength,
    ChunkExtensionsAndTrailers,
    Close,
    CloseBeforeReply,
    CutMidEvent,
    EarlyCloseKeepalive,
    EarlyHints,
    Garbage,
    HtmlPage,
    MalformedChunk,
    OneByteWrites,
    Refuse,
    Reset,
    ResetAfterHeaders,
    ShortContentLength,
    SlowBytes,
    SplitAt,
    StallMidStream,
    StopReading,
    TlsFailure,
)
FAULTS: dict[str, type[Fault]] = {kind.name: kind for kind in _CLASSES}
"""Every fault by the name that scripts use."""
