"""Compares a request with what a reply expects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .reply import Expect
from .request import Request


def differences(expect: Expect, request: Request) -> list[str]:
    """Every way in which the request is not as expected; empty when it is."""
    found: list[str] = []
    if expect.method is not None and request.method != expect.method:
        found.append(f"method is {request.method}, expected {expect.method}")
    if expect.path is not None:
        seen = request.target if "?" in expect.path else request.path
        if seen != expect.path:
            found.append(f"path is {seen}, expected {expect.path}")
    for name, wanted in expect.headers.items():
        value = request.headers.get(name)
        if value != wanted:
            found.append(f"header {name} is {value!r}, expected {wanted!r}")
    if expect.model is not None and request.model != expect.model:
        found.append(f"model is {request.model!r}, expected {expect.model!r}")
    if expect.body is not None and request.body != expect.body:
        found.append(f"body is {request.body!r}, expected {expect.body!r}")
    if expect.json is not None:
        found += _json_differences(expect.json, request)
    return found


def _json_differences(wanted: Any, request: Request) -> list[str]:
    try:
        document = request.json
    except ValueError:
        return [f"body is no JSON: {request.body[:200]!r}"]
    return _subset(wanted, document, "json")


def _subset(wanted: Any, seen: Any, path: str) -> list[str]:
    if isinstance(wanted, Mapping) and isinstance(seen, Mapping):
        missing = [f"{path}.{name} is missing" for name in wanted if name not in seen]
        return missing + [
            line for name in wanted if name in seen for line in _subset(wanted[name], seen[name], f"{path}.{name}")
        ]
    if isinstance(wanted, list) and isinstance(seen, list):
        if len(wanted) != len(seen):
            return [f"{path} has {len(seen)} elements, expected {len(wanted)}"]
        pairs = enumerate(zip(wanted, seen, strict=True))
        return [line for index, (one, other) in pairs for line in _subset(one, other, f"{path}[{index}]")]
    # Python takes true for 1; JSON does not.
    if wanted != seen or isinstance(wanted, bool) != isinstance(seen, bool):
        return [f"{path} is {seen!r}, expected {wanted!r}"]
    return []
