"""Every named fault in a deployment of its own, and what a client must be told.

Two public models stand for each: `NAME` has nothing but the faulty deployment, `NAME+spare` asks another one next. A
logical request makes two attempts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fake_upstreams import chat, faults, reply
from fake_upstreams.parse import ReplyLike
from fake_upstreams.steps import Fault, Step

SPARE = "+spare"


@dataclass(frozen=True)
class Case:
    """One fault in one shape."""

    name: str
    fault: Fault
    answer: ReplyLike  # what the upstream does with every request
    stream: bool
    alone: int  # the status that a client gets when nobody else is left
    in_band: bool = False  # the stream has begun: the error is an event in it, and no other deployment is asked
    over_tls: bool = False


def _json(name: str, fault: Fault, alone: int = 502, *, over_tls: bool = False, after: Sequence[Step] = ()) -> Case:
    steps = after or [fault, chat.completion("hi")]
    return Case(name, fault, reply(*steps, times=None), stream=False, alone=alone, over_tls=over_tls)


def _stream(name: str, fault: Fault, *before: Step, alone: int = 502, rest: Sequence[Step] = ()) -> Case:
    committed = any(step == chat.content("hi") for step in before)
    steps = reply(*before, fault, *rest, times=None)
    return Case(name, fault, steps, stream=True, alone=200 if committed else alone, in_band=committed and not rest)


_WHOLE = chat.stream("hi")
_BEGUN = (chat.role(), chat.content("hi"))

CASES: tuple[Case, ...] = (
    _json("refuse", faults.Refuse(), after=[faults.Refuse()]),
    _json("reset", faults.Reset(), after=[faults.Reset()]),
    _json("accept_then_silence", faults.AcceptThenSilence(), alone=504, after=[faults.AcceptThenSilence()]),
    _json("close_before_reply", faults.CloseBeforeReply(), after=[faults.CloseBeforeReply()]),
    _json("reset_after_headers", faults.ResetAfterHeaders(), after=[faults.ResetAfterHeaders()]),
    _stream("close", faults.Close(), *_BEGUN),
    _stream("stall_mid_stream", faults.StallMidStream(), *_BEGUN),
    _stream("stall_at_the_start", faults.StallMidStream(), alone=504),
    _stream("cut_mid_event", faults.CutMidEvent(), *_BEGUN),
    _stream("malformed_chunk", faults.MalformedChunk(), *_BEGUN),
    _json("garbage", faults.Garbage(), after=[faults.Garbage()]),
    _json("html_page", faults.HtmlPage(), after=[faults.HtmlPage()]),
    _json("bad_content_length", faults.BadContentLength()),
    _json("short_content_length", faults.ShortContentLength(), alone=502),
    _json("one_byte_writes", faults.OneByteWrites(), alone=200),
    _stream("slow_bytes", faults.SlowBytes(gap_ms=0, size=16), alone=200, rest=_WHOLE),
    _stream("split_at", faults.SplitAt(every=7), alone=200, rest=_WHOLE),
    _json("early_close_keepalive", faults.EarlyCloseKeepalive("idle"), alone=200),
    _json("close_at_next_request", faults.EarlyCloseKeepalive("next_request"), alone=200),
    _stream("chunk_extensions_and_trailers", faults.ChunkExtensionsAndTrailers(), alone=200, rest=_WHOLE),
    _json("early_hints", faults.EarlyHints(), alone=200),
    _json("stop_reading", faults.StopReading(), alone=200),
    *(
        _json(f"tls_{kind}", faults.TlsFailure(kind), over_tls=True, after=[faults.TlsFailure(kind)])
        for kind in ("self_signed", "wrong_name", "plain_text", "reset")
    ),
)
"""Every fault at least once; `tests/python/soak` holds the list against `fake_upstreams.faults.FAULTS`."""
