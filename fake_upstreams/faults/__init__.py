"""Named faults, one per file. Each class says which condition it makes and what in production causes it."""

from __future__ import annotations

from ._parse import FAULTS, parse_fault
from .close import Close
from .close_before_reply import CloseBeforeReply
from .cut_mid_event import CutMidEvent
from .refuse import Refuse
from .reset import Reset
from .reset_after_headers import ResetAfterHeaders
from .silence import AcceptThenSilence

__all__ = [
    "FAULTS",
    "AcceptThenSilence",
    "Close",
    "CloseBeforeReply",
    "CutMidEvent",
    "Refuse",
    "Reset",
    "ResetAfterHeaders",
    "parse_fault",
]
