"""Where a configuration comes from, and what may be wrong with it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from turnout import _core


class Problem(NamedTuple):
    """One fault of a configuration."""

    path: str
    """Where it is, e.g. `deployments[1].weight`."""
    message: str
    """What is wanted there, e.g. `must be true or false`. Never shows a credential."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


WHOLE = "(document)"
"""The path of what is wrong with a configuration as a whole."""


class ConfigurationError(ValueError):
    """A configuration that cannot be used. `problems` holds everything that is wrong with it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class ConfigurationWarning(UserWarning):
    """What of a configuration is allowed and probably not meant, with its path, e.g. a chain that fits nothing."""


def load(config: Mapping[str, Any] | str | Path) -> _core.Configuration:
    """Reads and checks a configuration; raises `ConfigurationError` with every problem."""
    folder = config.parent if isinstance(config, Path) else ""
    loaded = _core.load(_text(config), folder)
    if isinstance(loaded, _core.Configuration):
        return loaded
    hint = _hint(config) if isinstance(config, str) else ""
    raise ConfigurationError([Problem(path, message + hint if path == WHOLE else message) for path, message in loaded])


def check_config(config: Mapping[str, Any] | str | Path) -> list[Problem]:
    """Everything that is wrong with a configuration, in the order of the document; empty if nothing is.

    `config` is what `Gateway` takes. Relative paths in it count from its folder if it is a file's path, else from the
    working directory. `${NAME}` references are looked up in the environment of this process.
    """
    try:
        load(config)
    except ConfigurationError as error:
        return error.problems
    return []


def _text(config: Mapping[str, Any] | str | Path) -> str | bytes:
    if isinstance(config, Path):
        return config.read_bytes()
    if isinstance(config, str):
        return config
    return json.dumps(dict(config), allow_nan=False)


def _hint(text: str) -> str:
    """For text that is no configuration and was probably meant as the name of one."""
    named_so = text.lower().endswith((".yaml", ".yml", ".json")) and "\n" not in text
    if not named_so and not os.path.isfile(text):  # noqa: PTH113 - Path.is_file raises for what can be no name
        return ""
    return f"; this is text, and a file is given as pathlib.Path({text!r})"
