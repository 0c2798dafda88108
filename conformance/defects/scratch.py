"""A copy of the repository in which something can be broken and built again quickly."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from conformance.defects.declaration import Patch

_BUILT = ("python/turnout/_core*.so", "python/turnout/bin")
"""What Git does not know and the Python package needs. It is taken as it was built."""

_UNOPTIMISED = [
    "-DCMAKE_BUILD_TYPE=Debug",
    "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
    "-DCMAKE_C_FLAGS_DEBUG=-O0",
    "-DTURNOUT_DEVELOPER_MODE=ON",
]


class BuildError(Exception):
    """The copy does not build; the message ends with what the compiler said."""


class Scratch:
    """The working tree of `root` in `directory/tree`, built without optimisation in `directory/build`.

    Of the C++ tests it has the files `cpp_tests` alone, since compiling the others would take longer than all defects.
    `preset` configures the build instead, if something else than the server and its tests is to be built.
    """

    def __init__(
        self, root: Path, directory: Path, jobs: int, cpp_tests: Iterable[str] = (), preset: str | None = None
    ) -> None:
        self._root = root
        self._jobs = jobs
        self._cpp_tests = frozenset(cpp_tests)
        self._settings = [f"--preset={preset}"] if preset else _UNOPTIMISED
        self._sources: dict[str, bytes] = {}
        self.tree = directory / "tree"
        self.build_directory = directory / "build"

    @property
    def server(self) -> Path:
        """The server that the target `turnout` makes."""
        return self.build_directory / "turnout"

    def patch(self, patches: Sequence[Patch]) -> None:
        """Makes the copy equal to the working tree, apart from the patches. Raises DeclarationError.

        Files that are equal keep their time, so that little is built again.
        """
        if not self._sources:  # once, so that a patched build differs from the whole one by its patch alone
            self._sources = {name: (self._root / name).read_bytes() for name in self._names()}
        wanted = dict(self._sources)
        for patch in patches:
            wanted[patch.file] = patch.apply(wanted.get(patch.file, b"").decode()).encode()
        for name, content in wanted.items():
            copy = self.tree / name
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
        links = self._link_built()
        for copy in self.tree.rglob("*"):
            name = copy.relative_to(self.tree).as_posix()
            if copy.is_file() and name not in wanted and name not in links and "__pycache__" not in name:
                copy.unlink()

    def build(self, targets: Iterable[str]) -> None:
        """Builds targets of the copy. Raises BuildError."""
        if not (self.build_directory / "build.ninja").exists():
            _run(["cmake", "-S", str(self.tree), "-B", str(self.build_directory), "-G", "Ninja", *self._settings])
        names = sorted(set(targets))
        _run(["cmake", "--build", str(self.build_directory), "--parallel", str(self._jobs), "--target", *names])

    def _names(self) -> list[str]:
        listed = _run(["git", "-C", str(self._root), "ls-files", "-co", "--exclude-standard"])
        return [name for name in sorted(set(listed.splitlines())) if self._is_wanted(name)]

    def _is_wanted(self, name: str) -> bool:
        is_cpp_test = name.startswith("tests/cpp/") and name.endswith(".cpp")
        return (self._root / name).is_file() and (not is_cpp_test or name in self._cpp_tests)

    def _link_built(self) -> set[str]:
        names = {path.relative_to(self._root).as_posix() for glob in _BUILT for path in self._root.glob(glob)}
        for name in names:
            link = self.tree / name
            if not link.is_symlink():
                link.symlink_to(self._root / name)
        return names


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-4000:]
        raise BuildError(f"{' '.join(command)} ended with code {done.returncode}:\n{said}")
    return done.stdout
