"""Scripted HTTP/1.1 upstreams for tests and demos: byte-exact, strict, and with every fault that has a name.

`FakeUpstream` is for asyncio, `FakeUpstreamThread` and `Upstreams` for tests without a loop; scripts are data (see
README.md) or made with `reply` and the builders of `chat`, `messages` and `responses`. `python -m fake_upstreams FILE`
runs a file alone.
"""

from __future__ import annotations

from . import chat, faults, messages, responses
from .dns import FakeDns, Records
from .errors import ScriptError, UpstreamMismatch
from .parse import ReplyLike, ScriptLike, load_file, parse_script, reply
from .proxy import FakeProxy
from .raw import RawUpstream
from .reply import Expect, Reply, Script
from .request import Fields, Request
from .sse import SseStyle
from .steps import Body, Bytes, Event, Fault, Headers, Pause, Repeated, Status, Step
from .threads import FakeUpstreamThread, UpstreamHandle, Upstreams
from .upstream import FakeUpstream
from .websocket import Leave, Upgrade

__all__ = [
    "Body",
    "Bytes",
    "Event",
    "Expect",
    "FakeDns",
    "FakeProxy",
    "FakeUpstream",
    "FakeUpstreamThread",
    "Fault",
    "Fields",
    "Headers",
    "Leave",
    "Pause",
    "RawUpstream",
    "Records",
    "Repeated",
    "Reply",
    "ReplyLike",
    "Request",
    "Script",
    "ScriptError",
    "ScriptLike",
    "SseStyle",
    "Status",
    "Step",
    "Upgrade",
    "UpstreamHandle",
    "UpstreamMismatch",
    "Upstreams",
    "chat",
    "faults",
    "load_file",
    "messages",
    "parse_script",
    "reply",
    "responses",
]
