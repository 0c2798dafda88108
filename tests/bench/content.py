"""What is asked: chat requests of a given size, whose text is such that a scan of it is not flattered."""

from __future__ import annotations

import json

from tests.bench.load import PUBLIC_MODEL

KIB = 1024
_TEXT = (
    'Which way does this train go? It \\"waits\\" at the turnout, says the sheet,\\n'
    "and the points are set for track 4 {see [the plan], p. 12}; caf\u00e9 and kiosk are open: \\t8\u201320 h.\\n"
)


def question(size: int) -> bytes:
    """The body of a chat request with exactly `size` bytes."""
    start = f'{{"model":"{PUBLIC_MODEL}","messages":[{{"role":"user","content":"'.encode()
    end = b'"}]}'
    text = _TEXT.encode()
    left = size - len(start) - len(end)
    body = start + text * (left // len(text)) + b"q" * (left % len(text)) + end
    assert len(body) == size
    assert json.loads(body)["model"] == PUBLIC_MODEL
    return body
