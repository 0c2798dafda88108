"""The proxies that are compared, configured as `configs/` says, each between the load and an upstream of its own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.load import ANSWER_BYTES, PUBLIC_MODEL, UPSTREAM_MODEL

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIGS = Path(__file__).with_name("configs")
SYSTEM_FOLDERS = "/usr/local/sbin:/usr/sbin:/sbin"  # not on everybody's PATH, and Debian's servers lie there
DESCRIPTORS = 20_000
START_SECONDS = 20.0

GATEWAY = "turnout"
YARDSTICK = "nginx"
NAMES = (YARDSTICK, "haproxy", GATEWAY)
DIRECT = "direct"
"""No proxy at all: what its latency is compared with."""


@dataclass(frozen=True)
class Place:
    """Where everything runs, and the programs that were built for it."""

    build: Path
    load_core: int
    proxy_core: int

    def program(self, name: str) -> str:
        built = self.build / name
        if not built.exists():
            raise SystemExit(f"bench: {built} is missing; `make bench` builds it")
        return str(built)


@dataclass(frozen=True)
class Proxy:
    """A proxy that serves. `answered` is the model that its answers must name, `length` that of its JSON answers."""

    name: str
    port: int
    pid: int
    answered: str
    length: int
    upstream_port: int = 0


def installed(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path=SYSTEM_FOLDERS)
    if found is None:
        raise SystemExit(f"bench: {name} is not installed; `tools/bootstrap --bench` installs it")
    return found


def pinned(core: int, command: Sequence[str]) -> list[str]:
    return ["taskset", "--cpu-list", str(core), *command]


@contextmanager
def running(name: str, place: Place) -> Iterator[Proxy]:
    """Starts the proxy and its upstream, which accepts the requests of this proxy only."""
    rewrites = name == GATEWAY
    with (
        tempfile.TemporaryDirectory(prefix="turnout-bench-") as folder,
        _upstream(place, UPSTREAM_MODEL if rewrites else PUBLIC_MODEL, Path(folder)) as upstream,
    ):
        length = ANSWER_BYTES - (len(UPSTREAM_MODEL) - len(PUBLIC_MODEL) if rewrites else 0)
        answered = PUBLIC_MODEL if rewrites else UPSTREAM_MODEL
        if name == DIRECT:
            yield Proxy(name, upstream.port, upstream.pid, answered, length, upstream.port)
            return
        with _started(name, upstream.port, place, Path(folder)) as (port, pid):
            yield Proxy(name, port, pid, answered, length, upstream.port)


@dataclass(frozen=True)
class _Upstream:
    port: int
    pid: int


@contextmanager
def _upstream(place: Place, asked: str, folder: Path) -> Iterator[_Upstream]:
    command = [place.program("fake_upstreams/fast/fast_upstream"), "--model", UPSTREAM_MODEL, "--asked", asked]
    command += ["--completion-bytes", str(ANSWER_BYTES)]
    with _child(pinned(place.load_core, command), folder / "upstream.log", announces=True) as process:
        yield _Upstream(_announced_port(process, folder / "upstream.log"), process.pid)


@contextmanager
def _started(name: str, upstream_port: int, place: Place, folder: Path) -> Iterator[tuple[int, int]]:
    port = 0 if name == GATEWAY else _free_port()
    config = _configured(name, folder, {"PORT": port, "UPSTREAM": upstream_port})
    commands = {
        "nginx": lambda: [installed("nginx"), "-p", str(folder), "-c", str(config), "-e", "stderr"],
        "haproxy": lambda: [installed("haproxy"), "-db", "-f", str(config)],
        # The defaults of `serve`, which include the operation log.
        GATEWAY: lambda: [
            *(place.program("turnout"), "serve", "--config", str(config), "--port", "0"),
            *("--workers", "1", "--data", str(folder / "data")),
        ],
    }
    log = folder / f"{name}.log"
    with _child(pinned(place.proxy_core, commands[name]()), log, announces=name == GATEWAY) as process:
        if name == GATEWAY:
            port = _announced_port(process, log)
        else:
            _await_listening(process, port, log)
        yield port, process.pid


def _configured(name: str, folder: Path, values: Mapping[str, object]) -> Path:
    template = next(CONFIGS.glob(f"{name}.*"))
    text = template.read_text()
    everywhere = {"FOLDER": folder, "DESCRIPTORS": DESCRIPTORS, "PUBLIC": PUBLIC_MODEL, "MODEL": UPSTREAM_MODEL}
    for key, value in {**everywhere, **values}.items():
        text = text.replace(f"@{key}@", str(value))
    config = folder / template.name
    config.write_text(text)
    return config


@contextmanager
def _child(command: Sequence[str], log: Path, *, announces: bool) -> Iterator[subprocess.Popen[str]]:
    with (
        log.open("wb") as stderr,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if announces else stderr,
            stderr=stderr,
            text=True,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def _announced_port(process: subprocess.Popen[str], log: Path) -> int:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"bench: {process.args!r} did not start:\n{log.read_text()}")
    return int(line.rsplit(":", 1)[1])


def _await_listening(process: subprocess.Popen[str], port: int, log: Path) -> None:
    give_up = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < give_up:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.01)
        else:
            return
    raise SystemExit(f"bench: {process.args!r} did not start:\n{log.read_text()}")


def _free_port() -> int:
    """One that nobody listens on now; the two that need it cannot be asked for the port that they chose."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert isinstance(port, int)
        return port
