"""The Python module: the same gateway inside this process."""

from __future__ import annotations

import importlib
import warnings
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from conformance.targets.base import Configuration, TargetError, Timers
from conformance.targets.test_control import GUARD_SECONDS


class ModuleGateway:
    """One `turnout.Gateway`."""

    def __init__(self, gateway: Any) -> None:
        self._gateway = gateway
        self._gateway.start()
        self.url: str = self._gateway.url
        self._stopper = ThreadPoolExecutor(max_workers=1, thread_name_prefix="stop")
        self._stopped: Future[None] | None = None

    def timers(self) -> Timers:
        return Timers.parse(self._gateway.timers())

    def advance(self, ms: int, until_armed: str | None = None) -> int:
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="advance") as waiter:
            moved: Future[int] = waiter.submit(self._gateway.advance, ms, until_armed=until_armed)
            try:
                return int(moved.result(GUARD_SECONDS))
            except TimeoutError as error:
                self.begin_stop()  # which ends the wait
                what = f"a timer of kind {until_armed}" if until_armed else "the loops to be idle"
                raise TargetError(f"advance({ms}) waited {GUARD_SECONDS:.0f} s for {what}") from error

    def seed(self, number: int) -> None:
        self._gateway.seed(number)

    def begin_stop(self) -> None:
        if self._stopped is None:
            self._stopped = self._stopper.submit(self._gateway.stop)
            self._stopper.shutdown(wait=False)

    def stop(self) -> None:
        self.begin_stop()
        assert self._stopped is not None
        try:
            self._stopped.result(GUARD_SECONDS)
        except TimeoutError as error:
            raise TargetError(f"stop() did not return within {GUARD_SECONDS:.0f} s") from error

    def log(self) -> str:
        raise TargetError("the module target lacks the feature log")


class ModuleTarget:
    """Runs gateways through `import turnout`."""

    name = "module"
    features = frozenset({"configure", "validate", "virtual_time", "seed", "lifecycle"})

    def start(
        self, configuration: Configuration, directory: Path, seed: int | None = None, *, test_control: bool = True
    ) -> ModuleGateway:
        del directory
        turnout = _import()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", turnout.ConfigurationWarning)
            gateway = turnout.Gateway(dict(configuration), port=0, test_control=test_control, seed=seed)
        return ModuleGateway(gateway)

    def problems(self, configuration: Configuration | str, directory: Path) -> list[str]:
        del directory
        given = configuration if isinstance(configuration, str) else dict(configuration)
        return [str(problem) for problem in _import().check_config(given)]


def _import() -> Any:
    try:
        return importlib.import_module("turnout")
    except ImportError as error:
        raise TargetError(f"the turnout module cannot be used: {error}") from error
