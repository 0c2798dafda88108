"""A copy of the sources in which one place can be broken and built again quickly."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from conformance.defects.declaration import Patch

_SOURCES = ("CMakeLists.txt", "cmake", "cpp")


class BuildError(Exception):
    """The copy does not build; the message ends with what the compiler said."""


class Scratch:
    """Sources in `directory/tree`, copied from `root`, built without optimisation in `directory/build`."""

    def __init__(self, root: Path, directory: Path, jobs: int) -> None:
        self._root = root
        self._tree = directory / "tree"
        self._build = directory / "build"
        self._jobs = jobs
        self._sources: dict[str, bytes] = {}

    @property
    def executable(self) -> Path:
        """The server that `build` makes."""
        return self._build / "turnout"

    def build(self, patches: Sequence[Patch] = ()) -> None:
        """Builds the sources as they are in `root`, patched. Raises BuildError, or DeclarationError."""
        self._synchronise(patches)
        if not (self._build / "build.ninja").exists():
            settings = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DCMAKE_C_FLAGS_DEBUG=-O0"]
            settings.append("-DTURNOUT_DEVELOPER_MODE=OFF")
            _run(["cmake", "-S", str(self._tree), "-B", str(self._build), "-G", "Ninja", *settings, *_ccache()])
        _run(["cmake", "--build", str(self._build), "--target", "turnout", "--parallel", str(self._jobs)])

    def _synchronise(self, patches: Sequence[Patch]) -> None:
        """Makes the copy equal to the sources. Files that are equal keep their time, so that little is built again."""
        if not self._sources:  # once, so that a patched build differs from the whole one by its patch alone
            self._sources = {name: (self._root / name).read_bytes() for name in self._names()}
        wanted = dict(self._sources)
        for patch in patches:
            wanted[patch.file] = patch.apply(wanted.get(patch.file, b"").decode()).encode()
        for name, content in wanted.items():
            copy = self._tree / name
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
        for copy in self._tree.rglob("*"):
            if copy.is_file() and copy.relative_to(self._tree).as_posix() not in wanted:
                copy.unlink()

    def _names(self) -> list[str]:
        listed = _run(["git", "-C", str(self._root), "ls-files", "-co", "--exclude-standard", "--", *_SOURCES])
        return [name for name in sorted(set(listed.splitlines())) if (self._root / name).exists()]


def _ccache() -> list[str]:
    if shutil.which("ccache") is None:
        return []
    return ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"]


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(
            f"{' '.join(command)} ended with code {done.returncode}:\n{(done.stdout + done.stderr)[-4000:]}"
        )
    return done.stdout
