"""Content codings of bodies, each flushed after every step so that a reader can decode what has been written."""

from __future__ import annotations

import zlib
from typing import Literal, Protocol

Coding = Literal["gzip", "x-gzip", "deflate", "raw-deflate", "br"]
CODINGS: tuple[Coding, ...] = ("gzip", "x-gzip", "deflate", "raw-deflate", "br")


class Encoder(Protocol):
    """One body being encoded."""

    def encode(self, data: bytes) -> bytes:
        """What is written for these bytes, complete as far as they go."""

    def finish(self) -> bytes:
        """What is written at the body's end."""


def make_encoder(coding: Coding) -> Encoder:
    """`deflate` is in the format of zlib, as its standard wants; `raw-deflate` lacks that, as some servers send it."""
    if coding == "br":
        return _Brotli()
    windows = {"deflate": zlib.MAX_WBITS, "raw-deflate": -zlib.MAX_WBITS}
    return _Deflate(windows.get(coding, 16 + zlib.MAX_WBITS))


def header_value(coding: Coding) -> str:
    """The coding's name in Content-Encoding."""
    return "deflate" if coding == "raw-deflate" else coding


def encoded(data: bytes, coding: Coding) -> bytes:
    """A whole body."""
    encoder = make_encoder(coding)
    return encoder.encode(data) + encoder.finish()


class _Deflate:
    def __init__(self, window: int) -> None:
        self._compressor = zlib.compressobj(wbits=window)

    def encode(self, data: bytes) -> bytes:
        return self._compressor.compress(data) + self._compressor.flush(zlib.Z_SYNC_FLUSH)

    def finish(self) -> bytes:
        return self._compressor.flush()


class _Brotli:
    def __init__(self) -> None:
        import brotli  # here, so that scripts without it need no such package

        self._compressor = brotli.Compressor(quality=5)

    def encode(self, data: bytes) -> bytes:
        compressed: bytes = self._compressor.process(data) + self._compressor.flush()
        return compressed

    def finish(self) -> bytes:
        finished: bytes = self._compressor.finish()
        return finished
