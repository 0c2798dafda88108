"""The capacity circuit, which all deployments of a failure domain share."""

from __future__ import annotations

from dataclasses import dataclass

from tests.model.settings import Settings


@dataclass
class Capacity:
    """Open until `until`. A throttle makes it longer or leaves it; nothing makes it shorter."""

    settings: Settings
    until: int = 0

    def open(self, now: int) -> bool:
        return now < self.until

    def throttle(self, now: int, retry_after: int | None, *, quota_exhausted: bool) -> bool:
        """True if it got longer."""
        most = max(self.settings.max_cooldown, self.settings.throttle_cooldown)
        if retry_after is not None:
            length = min(max(self.settings.throttle_cooldown, retry_after), most)
        else:
            length = most if quota_exhausted else self.settings.throttle_cooldown
        if now + length <= max(self.until, now):
            return False
        self.until = now + length
        return True
