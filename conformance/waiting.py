"""The waits of a request between its attempts, on virtual time."""

from __future__ import annotations

from conformance.session import Session
from conformance.targets.base import Timer


def armed_wait(gateway: Session) -> tuple[Timer, int]:
    """The wait that is armed, or will be presently, and how many whole ms are left of it."""
    gateway.advance(0, until_armed="wait")
    timers = gateway.timers()
    timer = timers.of("wait")[0]
    return timer, timer.due_ms - timers.now_ms


def assert_waits(gateway: Session, least_ms: int = 0, most_ms: int | None = None) -> int:
    """Lets one wait pass, and no more time than that, so that nothing else ends meanwhile; returns its whole ms.

    Asserts that a millisecond before the least nothing has happened yet. An answer may come a part of a millisecond
    before time stands still again, and its wait begins with it.
    """
    timer, length = armed_wait(gateway)
    if least_ms:
        gateway.advance(least_ms - 1)
        assert gateway.timers().of("wait") == [timer], f"it does not last {least_ms} ms"
    assert length >= least_ms - 1
    assert most_ms is None or length <= most_ms
    gateway.advance(length + 1 - max(least_ms - 1, 0))
    assert timer not in gateway.timers().of("wait"), f"it lasts longer than {length} ms"
    return length
