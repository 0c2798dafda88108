"""The calls that move a gateway's time over HTTP: `/test/timers`, `/test/advance`, `/test/seed`."""

from __future__ import annotations

import http.client
import json
from typing import Any

from conformance.targets.base import TargetError, Timers, address
from conformance.tls import is_secure, trusting

GUARD_SECONDS = 20.0
"""Real time after which a call that should answer at once counts as hung."""


class TestControl:
    """Speaks to the test routes of the gateway at `url`."""

    __test__ = False  # not a test class, whatever its name says

    def __init__(self, url: str) -> None:
        self._host, self._port = address(url)
        self._secure = is_secure(url)

    def timers(self) -> Timers:
        """The armed deadlines."""
        return Timers.parse(self._call("GET", "/test/timers", None))

    def advance(self, ms: int, until_armed: str | None) -> int:
        """Moves time; returns the new now in ms."""
        body: dict[str, Any] = {"ms": ms}
        if until_armed is not None:
            body["until_armed"] = until_armed
        now = self._call("POST", "/test/advance", body)["now_ms"]
        if not isinstance(now, int):
            raise TargetError(f"/test/advance: now_ms is {now!r}")
        return now

    def seed(self, number: int) -> None:
        """Seeds the draws."""
        self._call("POST", "/test/seed", {"seed": number})

    def _connection(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._host, self._port, timeout=GUARD_SECONDS, context=trusting())
        return http.client.HTTPConnection(self._host, self._port, timeout=GUARD_SECONDS)

    def _call(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        connection = self._connection()
        try:
            payload = None if body is None else json.dumps(body)
            headers = {} if body is None else {"content-type": "application/json"}
            connection.request(method, path, payload, headers)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8")
        except OSError as error:
            raise TargetError(f"{method} {path}: {error}") from error
        finally:
            connection.close()
        if answer.status != 200:
            raise TargetError(f"{method} {path}: {answer.status} {text}")
        parsed = json.loads(text) if text else {}
        if not isinstance(parsed, dict):
            raise TargetError(f"{method} {path}: not an object: {text}")
        return parsed
