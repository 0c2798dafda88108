"""The two errors of this package: a script that cannot be read, and a run that differs from its script."""

from __future__ import annotations


class ScriptError(ValueError):
    """A script is wrong. `path` says where, as in `primary.replies[0].steps[2].pause`."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


class UpstreamMismatch(AssertionError):
    """What came differs from the script; the text lists the problems and the journal."""


class ClientGone(Exception):
    """The client closed the connection while the script waited. Ends the reply, and is no mismatch."""
