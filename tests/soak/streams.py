"""`python -m tests.soak.streams`: 9,000 idle streams at once are held, served and closed cleanly.

They end in three ways: their upstream ends them, all clients leave at once, and the gateway is told to stop while they
are open. Each time every descriptor is given back. Exits with 1 if one of that does not hold.
"""

from __future__ import annotations

import argparse
import json
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conformance.client import Connection
from conformance.deployments import UPSTREAM_KEY, one_attempt
from conformance.targets.binary import BinaryGateway, BinaryTarget, write_configuration
from tests.bench.load import UPSTREAM_MODEL
from tests.soak.majority import STREAM_MODEL, dechunked, stream_question
from tests.soak.process import GUARD_SECONDS, Holdings, await_descriptors

ROOT = Path(__file__).resolve().parent.parent.parent
PER_STREAM_KIB = 12
"""What a stream that is open and idle may cost in resident memory."""
_UNUSED_MS = 600_000
_AT_A_TIME = 500


class StreamUpstream:
    """The process that the streams come from."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.stream_upstream"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.port = self._answer()

    def ask(self, command: str) -> int:
        """Gives a command and returns its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        return self._answer()

    def await_count(self, command: str, wanted: int) -> None:
        """Waits until a count is what is wanted."""
        end = time.monotonic() + GUARD_SECONDS
        while (there := self.ask(command)) != wanted:
            assert time.monotonic() < end, f"upstream: {there} {command}, and not {wanted}"

    def stop(self) -> None:
        self._process.communicate()

    def _answer(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())


class Streams:
    """The clients of so many streams."""

    def __init__(self, port: int, count: int) -> None:
        self._sockets: list[socket.socket] = []
        request = stream_question()
        while len(self._sockets) < count:
            fresh = [
                socket.create_connection(("127.0.0.1", port))
                for _ in range(min(_AT_A_TIME, count - len(self._sockets)))
            ]
            for one in fresh:
                one.settimeout(GUARD_SECONDS)
                one.sendall(request)
            self._sockets += fresh
            for one in fresh:
                self._begin(one)

    def read_to_end(self) -> None:
        """Every stream gets its second text, its finish and its end marker, in that order."""
        for one in self._sockets:
            data = b""
            while not data.endswith(b"\r\n0\r\n\r\n"):
                data += _received(one)
            *frames, last, rest = dechunked(data).split(b"\n\n")
            choices = [json.loads(frame.removeprefix(b"data: "))["choices"][0] for frame in frames]
            assert [choice["delta"].get("content") for choice in choices] == ["second", None]
            assert choices[-1]["finish_reason"] == "stop"
            assert (last, rest) == (b"data: [DONE]", b"")

    def leave(self) -> None:
        """All of them, one right after the other."""
        for one in self._sockets:
            one.close()

    @staticmethod
    def _begin(one: socket.socket) -> None:
        data = b""
        while not data.endswith(b"\n\n\r\n"):
            data += _received(one)
        head, _, body = data.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), data
        frame = json.loads(dechunked(body + b"0\r\n\r\n").removeprefix(b"data: "))
        assert (frame["model"], frame["choices"][0]["delta"]["content"]) == (STREAM_MODEL, "first")


def _received(one: socket.socket) -> bytes:
    data = one.recv(65536)
    assert data, "the gateway ended a connection"
    return data


@contextmanager
def serving(binary: Path, directory: Path, upstream: StreamUpstream) -> Iterator[BinaryGateway]:
    """A gateway of one worker in front of the upstream."""
    deployment = {
        "label": "streams",
        "publicModel": STREAM_MODEL,
        "adapterKey": "openaicompatible",
        "upstreamModel": UPSTREAM_MODEL,
        "credentials": {"apiKey": UPSTREAM_KEY, "baseUrl": f"http://127.0.0.1:{upstream.port}/v1"},
    }
    configuration = {"server": {"workers": 1}, "deployments": [deployment], "routerSettings": one_attempt()}
    file = write_configuration(configuration, directory)
    gateway = BinaryTarget(binary).serve("--config", str(file), "--port", "0", "--test-control")
    try:
        yield gateway
    finally:
        gateway.stop()


def _in_flight(gateway: BinaryGateway) -> int:
    with Connection(gateway.url) as connection:
        view = connection.request("GET", f"/v1/models/{STREAM_MODEL}/deployments").json()
    return sum(deployment["metrics"]["inflight"] for deployment in view["data"])


def _holding(gateway: BinaryGateway, upstream: StreamUpstream, count: int) -> Streams:
    """Opens the streams and asserts that they are held, at the price of two descriptors and little memory each."""
    before = Holdings.of(gateway.process_id)
    streams = Streams(int(gateway.url.rpartition(":")[2]), count)
    there = Holdings.of(gateway.process_id)
    assert there.descriptors == before.descriptors + 2 * count, f"{there.descriptors} descriptors"
    assert _in_flight(gateway) == count
    assert upstream.ask("open") == count
    grown = there.resident_kib - before.resident_kib
    print(f"{count:,} streams are open: {there.descriptors:,} descriptors, {grown / count:.1f} KiB each")
    assert grown <= PER_STREAM_KIB * count, f"{grown} KiB for {count} streams"
    return streams


def _at_rest(gateway: BinaryGateway, descriptors: int) -> None:
    gateway.advance(_UNUSED_MS, None)
    there = await_descriptors(gateway.process_id, lambda open_now: open_now <= descriptors)
    assert there == descriptors, f"{there} descriptors are open, and {descriptors} were before"
    assert _in_flight(gateway) == 0


def ended_by_the_upstream(gateway: BinaryGateway, upstream: StreamUpstream, count: int) -> None:
    """Every stream gets what its upstream sends at last, and its end marker."""
    before = Holdings.of(gateway.process_id).descriptors
    streams = _holding(gateway, upstream, count)
    assert upstream.ask("end") == count
    streams.read_to_end()
    streams.leave()
    _at_rest(gateway, before)
    upstream.await_count("open", 0)


def left_by_the_clients(gateway: BinaryGateway, upstream: StreamUpstream, count: int) -> None:
    """Every connection to the upstream is closed without any time passing."""
    before = Holdings.of(gateway.process_id).descriptors
    streams = _holding(gateway, upstream, count)
    started = time.monotonic()
    streams.leave()
    upstream.await_count("open", 0)
    print(f"all clients left, and the upstream was told within {time.monotonic() - started:.2f} s")
    _at_rest(gateway, before)


def stopped_meanwhile(gateway: BinaryGateway, upstream: StreamUpstream, count: int) -> None:
    """A gateway that is told to stop serves its streams to their ends, then ends by itself."""
    streams = _holding(gateway, upstream, count)
    gateway.begin_stop()
    assert upstream.ask("end") == count
    streams.read_to_end()
    streams.leave()
    gateway.stop()
    upstream.await_count("open", 0)


WAYS: tuple[Callable[[BinaryGateway, StreamUpstream, int], None], ...] = (
    ended_by_the_upstream,
    left_by_the_clients,
    stopped_meanwhile,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    options = _parse(arguments)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    failed = 0
    for way in WAYS:
        upstream = StreamUpstream()
        try:
            with (
                tempfile.TemporaryDirectory(prefix="turnout-streams-") as directory,
                serving(options.binary, Path(directory), upstream) as gateway,
            ):
                way(gateway, upstream, options.streams)
            print(f"passed {way.__name__}", flush=True)
        except AssertionError as failure:
            failed = 1
            print(f"FAILED {way.__name__}: {failure}", flush=True)
        finally:
            upstream.stop()
    return failed


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.soak.streams", description="holds many idle streams at once")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "release" / "turnout")
    parser.add_argument("--streams", type=int, default=9000)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
