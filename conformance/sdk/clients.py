"""What calls of official Python SDKs have in common, synchronous or asynchronous."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import pytest

E = TypeVar("E", bound=Exception)

both = pytest.mark.parametrize("client_kind", ["sync", "async"])


class SdkClients(Generic[E]):
    """The same few calls through either client, each with a client of its own; `error` ends a stream."""

    def __init__(self, kind: str, sync: type[Any], asynchronous: type[Any], error: type[E], **options: Any) -> None:
        self._is_sync = kind == "sync"
        self._made = sync if self._is_sync else asynchronous
        self._error = error
        self._options = options

    def run(self, call: Callable[[Any], Any]) -> Any:
        """The answer to `call(client)`."""
        if self._is_sync:
            with self._client() as client:
                return call(client)
        return asyncio.run(self._async_run(call))

    def read(self, call: Callable[[Any], Any], leave_after: int | None = None) -> tuple[list[Any], E | None]:
        """What the stream of `call(client)` gives and the error that ended it; `leave_after` so many it is left.

        A call that is refused before there is a stream raises.
        """
        if not self._is_sync:
            return asyncio.run(self._async_read(call, leave_after))
        read: list[Any] = []
        with self._client() as client, call(client) as stream:
            try:
                while len(read) != leave_after and (each := next(stream, None)) is not None:
                    read += [each]
            except self._error as error:
                return read, error
        return read, None

    def help(self, helper: Callable[[Any], Any], final: Callable[[Any], Any]) -> Any:
        """What `final` takes of the stream helper that `helper(client)` opens."""
        if self._is_sync:
            with self._client() as client, helper(client) as stream:
                return final(stream)
        return asyncio.run(self._async_help(helper, final))

    def everything(self, pages: Callable[[Any], Any]) -> list[Any]:
        """All that `pages(client)` iterates over."""
        if self._is_sync:
            with self._client() as client:
                return list(pages(client))
        return asyncio.run(self._async_everything(pages))

    def _client(self) -> Any:
        return self._made(**self._options)

    async def _async_run(self, call: Callable[[Any], Any]) -> Any:
        async with self._client() as client:
            return await call(client)

    async def _async_read(self, call: Callable[[Any], Any], leave_after: int | None) -> tuple[list[Any], E | None]:
        read: list[Any] = []
        async with self._client() as client, await call(client) as stream:
            try:
                while len(read) != leave_after and (each := await anext(stream, None)) is not None:
                    read += [each]
            except self._error as error:
                return read, error
        return read, None

    async def _async_help(self, helper: Callable[[Any], Any], final: Callable[[Any], Any]) -> Any:
        async with self._client() as client, helper(client) as stream:
            return await final(stream)

    async def _async_everything(self, pages: Callable[[Any], Any]) -> list[Any]:
        async with self._client() as client:
            return [each async for each in pages(client)]
