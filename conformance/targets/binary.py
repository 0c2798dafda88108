"""The server binary in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from conformance.targets.base import ALL_FEATURES, Configuration, TargetError, Timers
from conformance.targets.test_control import GUARD_SECONDS, TestControl

_LISTENING = re.compile(r"^turnout: listening on (https?://\S+)$")


class BinaryGateway:
    """One `turnout serve --test-control` process."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._log: list[str] = []
        self._logged = threading.Condition()
        self._reader = threading.Thread(target=self._collect_log, daemon=True)
        self._reader.start()
        self._ended = False
        self.output = ""
        self.url = self._await_listening()
        self._control = TestControl(self.url)

    @property
    def process_id(self) -> int:
        """The id of the process."""
        return self._process.pid

    def resident(self) -> int:
        """Bytes of the process that are in memory."""
        status = Path(f"/proc/{self.process_id}/status").read_text(encoding="ascii")
        (kilobytes,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(kilobytes) * 1024

    def timers(self) -> Timers:
        return self._control.timers()

    def advance(self, ms: int, until_armed: str | None = None) -> int:
        return self._control.advance(ms, until_armed)

    def seed(self, number: int) -> None:
        self._control.seed(number)

    def begin_stop(self) -> None:
        self._process.terminate()

    def stop(self) -> None:
        if self._ended:
            return
        self._ended = True
        self._process.terminate()
        self._wait()

    def stop_by(self, signal_number: int) -> None:
        """Like `stop`, by another signal than SIGTERM."""
        self._ended = True
        self._process.send_signal(signal_number)
        self._wait()

    def hang_up(self, awaited: str) -> None:
        """Sends SIGHUP and waits until a line of the log says `awaited`."""
        self._process.send_signal(signal.SIGHUP)
        with self._logged:
            if not self._logged.wait_for(lambda: awaited in self.log(), GUARD_SECONDS):
                raise TargetError(f"no line of the log says {awaited!r}:\n{self.log()}")

    def _wait(self) -> None:
        try:
            code = self._process.wait(GUARD_SECONDS)
        except subprocess.TimeoutExpired as error:
            self._process.kill()
            self._process.wait()
            raise TargetError(f"still running {GUARD_SECONDS:.0f} s after SIGTERM; its log:\n{self.log()}") from error
        finally:
            self._reader.join(GUARD_SECONDS)
            self._drain()
        if code != 0:
            raise TargetError(f"ended with code {code} after SIGTERM; its log:\n{self.log()}")

    def log(self) -> str:
        return "".join(self._log)

    def _await_listening(self) -> str:
        assert self._process.stdout is not None
        watchdog = threading.Timer(GUARD_SECONDS, self._process.kill)
        watchdog.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watchdog.cancel()
        self.output = line
        match = _LISTENING.match(line.rstrip("\n"))
        if match is None:
            self._ended = True
            self._process.kill()
            code = self._process.wait()
            self._reader.join(GUARD_SECONDS)
            self._drain()
            raise TargetError(f"did not start: stdout {line!r}, code {code}; its log:\n{self.log()}")
        return match.group(1)

    def _collect_log(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            with self._logged:
                self._log.append(line)
                self._logged.notify_all()

    def _drain(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        with self._process.stdout, self._process.stderr:
            self.output += self._process.stdout.read()


class BinaryTarget:
    """Runs the `turnout` executable."""

    name = "binary"
    features = ALL_FEATURES

    def __init__(self, executable: Path) -> None:
        self._executable = executable

    def start(
        self, configuration: Configuration, directory: Path, seed: int | None = None, *, test_control: bool = True
    ) -> BinaryGateway:
        arguments = ["--config", str(write_configuration(configuration, directory)), "--port", "0"]
        if test_control:
            arguments.append("--test-control")
        if seed is not None:
            arguments += ["--seed", str(seed)]
        return self.serve(*arguments)

    def serve(self, *arguments: str, descriptors: tuple[int, int] | None = None) -> BinaryGateway:
        """Starts `turnout serve` with these arguments, and `--no-data` unless they name a directory. Feature `cli`.

        `descriptors` are the soft and the hard limit of open files that it starts with, else those of this process.
        """
        self._require_executable()
        kept = () if "--data" in arguments else ("--no-data",)
        return BinaryGateway([*self._command(descriptors), "serve", *arguments, *kept])

    def problems(self, configuration: Configuration | str, directory: Path) -> list[str]:
        done = self.run("validate", "--config", str(write_configuration(configuration, directory)))
        if done.returncode not in (0, 2):
            raise TargetError(f"validate ended with code {done.returncode}: {done.stderr}")
        problems = [line for line in done.stderr.splitlines() if not line.startswith("turnout: fallbacks[")]  # warnings
        if bool(problems) != (done.returncode == 2):
            raise TargetError(f"validate ended with code {done.returncode} and said {done.stderr!r}")
        return problems

    def run(self, *arguments: str, descriptors: tuple[int, int] | None = None) -> subprocess.CompletedProcess[str]:
        """Runs another command of the executable to its end. Feature `cli`. `descriptors` as in `serve`."""
        self._require_executable()
        command = [*self._command(descriptors), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=GUARD_SECONDS, check=False)

    def _command(self, descriptors: tuple[int, int] | None) -> list[str]:
        limited = [] if descriptors is None else ["prlimit", f"--nofile={descriptors[0]}:{descriptors[1]}"]
        return [*limited, str(self._executable)]

    def _require_executable(self) -> None:
        if not os.access(self._executable, os.X_OK):
            raise TargetError(f"no executable at {self._executable}; build it or name it with --turnout-binary")


def write_configuration(configuration: Configuration | str, directory: Path) -> Path:
    """Writes the configuration, text as it is and data as JSON, under a fresh name in `directory`; returns the file."""
    number = sum(1 for _ in directory.glob("turnout-*.yaml"))
    file = directory / f"turnout-{number}.yaml"
    file.write_text(configuration if isinstance(configuration, str) else json.dumps(configuration), encoding="utf-8")
    return file
