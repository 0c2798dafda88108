"""A DNS server on loopback whose answers are data, for gateways that are told to ask it."""

from __future__ import annotations

import ipaddress
import socket
import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Self

from .upstream import PATIENCE

_TYPES = {1: 4, 28: 6}
"""The record types A and AAAA, and the version of IP that each is about."""
_SERVER_FAILURE = 2
_NO_SUCH_NAME = 3
_LONGEST_MESSAGE = 4096


@dataclass(frozen=True)
class Records:
    """What the server knows about a name: addresses of both versions of IP, in order, for `ttl` seconds."""

    addresses: Sequence[str]
    ttl: int = 60


Answer = Records | Literal["silence", "failure"]
"""Records, no answer at all, or the answer that the server failed."""


class FakeDns:
    """`with FakeDns({"up.test": Records(["127.0.0.1"])}) as dns: dns.address`. Names without an entry do not exist."""

    def __init__(self, answers: Mapping[str, Answer] | None = None) -> None:
        self._answers = dict(answers or {})
        self._questions: list[str] = []
        self._changed = threading.Condition()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, name="fake-dns", daemon=True)

    @property
    def address(self) -> str:
        """`127.0.0.1:PORT`."""
        return f"127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def questions(self) -> list[str]:
        """The name of every question so far; a lookup asks for A and for AAAA."""
        with self._changed:
            return list(self._questions)

    def set(self, name: str, answer: Answer) -> None:
        """Answers questions for `name` like this from now on."""
        with self._changed:
            self._answers[name] = answer

    def wait_questions(self, number: int, timeout: float = PATIENCE) -> None:
        """Waits until `number` questions have come. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._questions) >= number, timeout):
                raise TimeoutError(f"{len(self._questions)} questions, not {number}")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # An empty datagram ends the thread, since closing a socket does not wake whoever reads from it.
        self._socket.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            message, sender = self._socket.recvfrom(_LONGEST_MESSAGE)
            if not message:
                return
            reply = self._reply(message)
            if reply is not None:
                self._socket.sendto(reply, sender)

    def _reply(self, message: bytes) -> bytes | None:
        name, end = _name_at(message, 12)
        kind = int.from_bytes(message[end : end + 2], "big")
        question = message[12 : end + 4]
        with self._changed:
            self._questions.append(name)
            self._changed.notify_all()
            answer = self._answers.get(name)
        if answer == "silence":
            return None
        if isinstance(answer, Records):
            records = [_record(address, kind, answer.ttl) for address in answer.addresses if _is_of(address, kind)]
            return _head(message, 0, len(records)) + question + b"".join(records)
        return _head(message, _SERVER_FAILURE if answer == "failure" else _NO_SUCH_NAME, 0) + question


def _name_at(message: bytes, at: int) -> tuple[str, int]:
    labels = []
    while message[at]:
        labels.append(message[at + 1 : at + 1 + message[at]].decode())
        at += 1 + message[at]
    return ".".join(labels), at + 1


def _is_of(address: str, kind: int) -> bool:
    return ipaddress.ip_address(address).version == _TYPES.get(kind)


def _head(message: bytes, code: int, answers: int) -> bytes:
    return message[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, answers, 0, 0)


def _record(address: str, kind: int, ttl: int) -> bytes:
    data = ipaddress.ip_address(address).packed
    return struct.pack(">HHHIH", 0xC00C, kind, 1, ttl, len(data)) + data
