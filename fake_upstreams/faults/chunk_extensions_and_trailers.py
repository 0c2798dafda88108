from __future__ import annotations

from dataclasses import dataclass

from ..answer import Answer
from ..steps import Fault


@dataclass(frozen=True)
class ChunkExtensionsAndTrailers(Fault):
    """Every chunk from here on has an extension, and trailer fields end the body. The reply must be chunked.

    No failure: readers must ignore both. In production: servers and proxies that sign chunks or add checksums.
    """

    name = "chunk_extensions_and_trailers"
    extension: str = ';sig="1"'
    trailer: str = "x-checksum"
    """Name of the trailer field; its value is `1`."""

    def streams(self) -> bool:
        return True

    async def play(self, answer: Answer) -> None:
        answer.chunk_extension = self.extension
        answer.trailers.append((self.trailer, "1"))
