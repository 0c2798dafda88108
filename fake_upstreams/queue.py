"""The replies of a script that are left, and what went against it."""

from __future__ import annotations

from .faults import Refuse
from .match import differences
from .reply import Reply, Script
from .request import Request


class _Left:
    """A reply with the number of its place in the script and how often it was taken."""

    def __init__(self, number: int, reply: Reply) -> None:
        self.number = number
        self.reply = reply
        self.taken = 0

    @property
    def spent(self) -> bool:
        return self.reply.times is not None and self.taken >= self.reply.times

    @property
    def owed(self) -> bool:
        if self.reply.optional:
            return False
        return self.taken == 0 if self.reply.times is None else not self.spent


class ReplyQueue:
    """Hands out replies in order (or by expectation) and keeps the problems that strictness reports."""

    def __init__(self, script: Script) -> None:
        self._ordered = script.ordered
        self._entries = [_Left(number, reply) for number, reply in enumerate(script.replies, 1)]
        self.problems: list[str] = []

    def add(self, reply: Reply) -> None:
        self._entries.append(_Left(len(self._entries) + 1, reply))

    def take(self, request: Request) -> tuple[int, Reply] | None:
        """The number and the reply for a request. None, and a problem, when there is none or it expects another."""
        candidates = [entry for entry in self._entries if not entry.spent]
        if not self._ordered:
            fitting = [entry for entry in candidates if not differences(entry.reply.expect, request)]
            candidates = fitting or candidates
        if not candidates:
            self.problems.append(f"request {request.number} is unexpected, no reply is left: {request}")
            return None
        entry = candidates[0]
        if isinstance(entry.reply.first_fault, Refuse):
            return entry.number, entry.reply
        entry.taken += 1
        found = differences(entry.reply.expect, request)
        if found:
            self.problems += [f"request {request.number} for reply {entry.number}: {line}" for line in found]
            return None
        return entry.number, entry.reply

    def take_at_accept(self) -> tuple[int, Reply] | None:
        """The next reply when it begins with a fault that strikes a new connection."""
        entry = self._head()
        fault = entry.reply.first_fault if entry else None
        if entry is None or fault is None or not fault.at_accept:
            return None
        entry.taken += 1
        return entry.number, entry.reply

    def refuses(self) -> bool:
        """Whether the next reply is that nothing listens."""
        entry = self._head()
        return entry is not None and isinstance(entry.reply.first_fault, Refuse)

    def end_refusal(self) -> None:
        """Takes the refusals that are next in the script as done."""
        while (entry := self._head()) is not None and isinstance(entry.reply.first_fault, Refuse):
            entry.taken = entry.reply.times or 1
            if entry.reply.times is None:
                self._entries.remove(entry)

    def unused(self) -> list[str]:
        """A line for every reply that is still owed. A refusal that is in force has been used."""
        reached = self._head()
        lines: list[str] = []
        for entry in self._entries:
            in_force = entry is reached and isinstance(entry.reply.first_fault, Refuse)
            if entry.owed and not in_force:
                wanted = "at least once" if entry.reply.times is None else f"{entry.reply.times} times"
                lines.append(f"reply {entry.number} was used {entry.taken} times, expected {wanted}")
        return lines

    def _head(self) -> _Left | None:
        return next((entry for entry in self._entries if not entry.spent), None)
