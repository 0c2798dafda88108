"""Named gates: a script waits at one, a test releases it. They replace every sleep."""

from __future__ import annotations

import asyncio


class Gates:
    """Gates exist as soon as somebody names them; a release before the wait is not lost."""

    def __init__(self) -> None:
        self._opened: set[str] = set()
        self._permits: dict[str, int] = {}
        self._waiting: dict[str, int] = {}
        self._changed = asyncio.Condition()

    async def release(self, name: str, times: int | None = None) -> None:
        """Opens the gate for good, or lets exactly `times` waits pass."""
        async with self._changed:
            if times is None:
                self._opened.add(name)
            else:
                self._permits[name] = self._permits.get(name, 0) + times
            self._changed.notify_all()

    async def wait(self, name: str) -> None:
        """Returns once the gate is open, using up one permit where it was released a number of times."""
        async with self._changed:
            self._waiting[name] = self._waiting.get(name, 0) + 1
            self._changed.notify_all()
            try:
                await self._changed.wait_for(lambda: name in self._opened or self._permits.get(name, 0) > 0)
            finally:
                self._waiting[name] -= 1
            if name not in self._opened:
                self._permits[name] -= 1

    async def arrived(self, name: str) -> None:
        """Returns once a script waits at the gate (and so has written all that comes before it)."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._waiting.get(name, 0) > 0)
