"""The operation log as an operator reads it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from conformance.http_bytes import Response
from conformance.session import Headers, Session

LOGS = "/admin/logs"

Row = dict[str, Any]


def ask(gateway: Session, path: str = "", headers: Headers = (), **parameters: Any) -> Response:
    """`GET /admin/logs` with `path` after it and these parameters."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    return gateway.call("GET", LOGS + path + query, headers=headers)


def rows(gateway: Session, headers: Headers = (), **parameters: Any) -> list[Row]:
    """The rows of a page, the last request first."""
    listed: list[Row] = ask(gateway, headers=headers, **parameters).json()["data"]
    return listed


def detail(gateway: Session, row: Row) -> Row:
    """A row together with its attempts."""
    shown: Row = ask(gateway, "/" + row["id"]).json()["data"]
    return shown


def last(gateway: Session) -> Row:
    """The last request's row with its attempts."""
    return detail(gateway, rows(gateway, limit=1)[0])


def milliseconds(timestamp: str) -> int:
    """Since 1970."""
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
