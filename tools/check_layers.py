"""Checks that each folder of cpp/ includes only what its layer may, and that pure modules touch nothing outside.

The tables below are the law; HACKING.md explains it. Run it without arguments; exit status 1 means offences.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE_SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".ipp"}


@dataclass(frozen=True)
class Layer:
    """What one module may include: our modules, and families of others' headers. Pure ones are told time and chance."""

    ours: frozenset[str]
    others: frozenset[str]
    pure: bool = False


def _layer(ours: str, others: str, *, pure: bool = False) -> Layer:
    return Layer(frozenset(ours.split()), frozenset(others.split()), pure)


_CODECS = "intrinsics llhttp hiredis simdjson nlohmann zlib brotli wslay"
_BELOW_GATEWAY = "base routing policy codec config net state catalog journal"
_EVERYTHING = f"{_BELOW_GATEWAY} gateway admin"
_SHELL = "boost asio openssl nlohmann addresses system"

LAYERS: dict[str, Layer] = {
    "base": _layer("", "boost", pure=True),
    "routing": _layer("base", "", pure=True),
    "policy": _layer("base", "", pure=True),
    "codec": _layer("base", _CODECS, pure=True),
    "config": _layer("base routing policy codec", "yaml nlohmann addresses"),
    "net": _layer("base codec", "boost asio openssl cares addresses system"),
    "state": _layer("base routing codec net", "boost asio"),
    "catalog": _layer("base config codec net", "boost asio sqlite openssl"),
    "journal": _layer("base codec", "sqlite spdlog"),
    "gateway": _layer(_BELOW_GATEWAY, _SHELL),
    "admin": _layer(f"{_BELOW_GATEWAY} gateway", _SHELL),
    "server": _layer(_EVERYTHING, f"{_SHELL} cli11"),
    "bindings": _layer(f"{_EVERYTHING} server", f"{_SHELL} pybind11"),
}

# The first match names the family of an angle include. Plain names without a suffix are the standard library.
FAMILIES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (family, re.compile(pattern))
    for family, pattern in (
        ("asio", r"boost/asio(/|\.hpp$)"),
        ("boost", r"boost/"),
        ("openssl", r"openssl/"),
        ("cares", r"ares\.h$"),
        ("llhttp", r"llhttp\.h$"),
        ("hiredis", r"hiredis/"),
        ("simdjson", r"simdjson\.h$"),
        ("nlohmann", r"nlohmann/"),
        ("zlib", r"zlib\.h$"),
        ("brotli", r"brotli/"),
        ("wslay", r"wslay/"),
        ("yaml", r"yaml-cpp/"),
        ("sqlite", r"sqlite3\.h$"),
        ("spdlog", r"spdlog/"),
        ("cli11", r"CLI/"),
        ("pybind11", r"(pybind11/|Python\.h$)"),
        ("intrinsics", r"([a-z]mmintrin|arm_neon)\.h$"),
        ("addresses", r"arpa/inet\.h$"),
        ("system", r"((sys|netinet|arpa|net|linux)/\w+\.h|(unistd|fcntl|poll|netdb|signal|pthread|sched|errno)\.h)$"),
        ("std", r"[a-z0-9_]+$"),
    )
)

# Families that a pure module's sources may include and its headers may not: whoever includes the header pays for them.
NOT_IN_PURE_HEADERS = frozenset({"asio", "nlohmann"})

IMPURE_HEADERS: dict[str, str] = {
    **dict.fromkeys(("random",), "randomness"),
    **dict.fromkeys(
        (
            "thread",
            "mutex",
            "shared_mutex",
            "condition_variable",
            "future",
            "semaphore",
            "latch",
            "barrier",
            "stop_token",
        ),
        "threads",
    ),
    **dict.fromkeys(("iostream", "ostream", "syncstream", "print"), "output"),
    **dict.fromkeys(("fstream", "filesystem"), "files"),
    **dict.fromkeys(("csignal",), "signals"),
}

IMPURE_CODE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (what, re.compile(pattern))
    for what, pattern in (
        ("a clock", r"\b\w+_clock\s*::\s*now\b|\b(clock_gettime|gettimeofday)\s*\("),
        ("a clock", r"\bstd::(time|clock)\s*\(|(?<![\w.:>])time\s*\(\s*(nullptr|NULL|0|&)"),
        (
            "randomness",
            r"\b(random_device|getrandom|getentropy)\b|(?<![\w.:>])s?rand\s*\(|\bstd::s?rand\b|\bRAND_\w+\s*\(",
        ),
        ("the environment", r"\b(secure_getenv|getenv|setenv|putenv|environ)\b"),
        ("threads", r"\bstd::(this_thread|j?thread|async)\b|\bpthread_\w+"),
        ("output", r"\bstd::(cout|cerr|clog)\b|\b(v?f?printf|f?puts|putchar|perror|syslog)\s*\("),
        ("files", r"\b(fopen|freopen|fwrite|fread)\s*\("),
    )
)

_INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<ours>[^"]+)"|<(?P<others>[^>]+)>)')
_LINK = re.compile(r"^turnout_module\((?P<name>\w+)(?P<rest>[^)]*)\)")
_NOISE = re.compile(
    r"""
    //[^\n]*
    | /\*.*?\*/
    | R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
    | "(?:\\.|[^"\\\n])*"
    | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'  # but not the separator of digits
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, order=True)
class Offence:
    """One breach, where it is (line 0 = the file or folder as a whole)."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}" if self.line else f"{self.path}: {self.text}"


def code_only(text: str) -> str:
    """The text with comments and the insides of literals removed, and every line where it was."""

    def blank(found: re.Match[str]) -> str:
        return "\n" * found.group().count("\n") or " "

    return _NOISE.sub(blank, text)


def family_of(header: str) -> str | None:
    """The family of an angle include; None if the table does not know it."""
    return next((family for family, pattern in FAMILIES if pattern.match(header)), None)


def _names(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _check_ours(module: str, layer: Layer, header: str) -> str | None:
    target = header.split("/", 1)[0]
    if "/" not in header or target not in LAYERS:
        return f'"{header}" is not written from cpp/ (module/file.hpp)'
    if target != module and target not in layer.ours:
        return f"{module} may not include {target} ({header}); of ours it may include {_names(layer.ours)}"
    return None


def _check_others(module: str, layer: Layer, header: str, *, in_header: bool) -> str | None:
    family = family_of(header)
    if family is None:
        return f"<{header}> is in no family of tools/check_layers.py (ours are written with quotes)"
    if layer.pure and header in IMPURE_HEADERS:
        return f"{module} is pure and may not use {IMPURE_HEADERS[header]} (<{header}>)"
    if family not in layer.others | {"std"}:
        allowed = _names(layer.others)
        return f"{module} may not include {family} (<{header}>); besides the standard library it may include {allowed}"
    if layer.pure and in_header and family in NOT_IN_PURE_HEADERS:
        return f"a header of {module} may not include {family} (<{header}>): include it in the source"
    return None


def check_file(path: Path, module: str, shown: str) -> Iterator[Offence]:
    """The offences of one source file of a module."""
    layer = LAYERS[module]
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if found := _INCLUDE.match(line):
            if found["ours"] is not None:
                offence = _check_ours(module, layer, found["ours"])
            else:
                offence = _check_others(module, layer, found["others"], in_header=path.suffix in {".hpp", ".h"})
            if offence:
                yield Offence(shown, number, offence)
    if layer.pure:
        for number, line in enumerate(code_only(text).splitlines(), 1):
            for what, pattern in IMPURE_CODE:
                if used := pattern.search(line):
                    yield Offence(
                        shown,
                        number,
                        f"{module} is pure and may not use {what} (`{used.group().strip()}`): take it as an argument",
                    )


def check_links(cmake: Path) -> Iterator[Offence]:
    """The offences of the turnout_module() lines: a module links only to those that it may include."""
    for number, line in enumerate(cmake.read_text(encoding="utf-8").splitlines(), 1):
        if (found := _LINK.match(line)) is None:
            continue
        name = found["name"]
        if name not in LAYERS:
            yield Offence(cmake.name, number, f"module {name} is not in the table of tools/check_layers.py")
            continue
        for target in re.findall(r"turnout::(\w+)", found["rest"]):
            if target not in LAYERS[name].ours:
                yield Offence(
                    cmake.name,
                    number,
                    f"{name} may not link to {target}; of ours it may link to {_names(LAYERS[name].ours)}",
                )


def check_tree(root: Path) -> tuple[list[Offence], int]:
    """All offences of a checkout in order of place, and how many files were read."""
    offences: list[Offence] = []
    files = 0
    for folder in sorted(path for path in (root / "cpp").iterdir() if path.is_dir()):
        sources = sorted(path for path in folder.rglob("*") if path.suffix in SOURCE_SUFFIXES)
        if sources and folder.name not in LAYERS:
            offences.append(Offence(f"cpp/{folder.name}", 0, "is not in the table of tools/check_layers.py"))
            continue
        for path in sources:
            offences += check_file(path, folder.name, path.relative_to(root).as_posix())
        files += len(sources)
    if (cmake := root / "CMakeLists.txt").exists():
        offences += check_links(cmake)
    return sorted(offences), files


def main(arguments: list[str] | None = None) -> int:
    """Prints the offences, or one line that says what was checked."""
    parser = argparse.ArgumentParser(prog="check_layers", description=__doc__)
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).resolve().parent.parent, help="the checkout (default: this one)"
    )
    offences, files = check_tree(parser.parse_args(arguments).root)
    for offence in offences:
        print(offence, file=sys.stderr)
    if offences:
        print(f"check_layers: {len(offences)} offences in {files} files", file=sys.stderr)
        return 1
    print(f"check_layers: {files} files keep to their layers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
