"""A gateway that somebody else runs, reached by its URL."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from conformance.targets.base import ALL_FEATURES, Configuration, TargetError, Timers
from conformance.targets.binary import write_configuration
from conformance.targets.test_control import GUARD_SECONDS, TestControl


@dataclass(frozen=True)
class Declaration:
    """What the owner of the gateway says about it."""

    features: frozenset[str]
    apply: tuple[str, ...] = ()  # command that puts a configuration in force; `{config}` is the file's path

    @classmethod
    def read(cls, file: Path) -> Declaration:
        """Reads `features: [...]` and `apply: [...]`. Raises TargetError for anything else in the file."""
        document: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
        if not isinstance(document, dict) or set(document) - {"features", "apply"}:
            raise TargetError(f"{file}: expected the members features and apply")
        features = frozenset(document.get("features") or ())
        unknown = sorted(features - ALL_FEATURES)
        if unknown:
            raise TargetError(f"{file}: unknown features: {', '.join(unknown)}")
        apply = tuple(str(word) for word in document.get("apply") or ())
        if bool(apply) != ("configure" in features):
            raise TargetError(f"{file}: the feature configure and the command apply need each other")
        return cls(features, apply)


class UrlGateway:
    """The gateway at a URL. Whoever owns it starts and stops it."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._control = TestControl(self.url)

    def timers(self) -> Timers:
        return self._control.timers()

    def advance(self, ms: int, until_armed: str | None = None) -> int:
        return self._control.advance(ms, until_armed)

    def seed(self, number: int) -> None:
        self._control.seed(number)

    def begin_stop(self) -> None:
        raise TargetError("the url target lacks the feature lifecycle")

    def stop(self) -> None:
        """Leaves the gateway running."""

    def log(self) -> str:
        raise TargetError("the url target lacks the feature log")


class UrlTarget:
    """Configures and uses a gateway that is already running."""

    name = "url"

    def __init__(self, url: str, declaration: Declaration) -> None:
        self.features = declaration.features - {"lifecycle", "validate", "cli", "log"}
        self._url = url
        self._apply = declaration.apply

    def start(
        self, configuration: Configuration, directory: Path, seed: int | None = None, *, test_control: bool = True
    ) -> UrlGateway:
        if not test_control:
            raise TargetError("the url target lacks the feature lifecycle")
        if self._apply:
            file = write_configuration(configuration, directory)
            command = [word.replace("{config}", str(file)) for word in self._apply]
            done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_SECONDS, check=False)
            if done.returncode != 0:
                raise TargetError(f"{command[0]} ended with code {done.returncode}: {done.stderr or done.stdout}")
        gateway = UrlGateway(self._url)
        if seed is not None:
            gateway.seed(seed)
        return gateway

    def problems(self, configuration: Configuration | str, directory: Path) -> list[str]:
        raise TargetError("the url target lacks the feature validate")
