"""What clients may speak, as the benchmark names it."""

from __future__ import annotations

from enum import StrEnum


class Protocol(StrEnum):
    """The values are what `--protocol` of the programs in fake_upstreams/fast takes."""

    CHAT = "chat"
    MESSAGES = "messages"
    RESPONSES = "responses"
