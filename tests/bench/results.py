"""What a run found, as lines for people and as JSON for the next run, which measures only what is missing."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.measures import Scale
from tests.bench.proxies import ROOT, YARDSTICK, installed
from tests.bench.rows import Row
from tests.bench.verdicts import Round, Verdict, judge


@dataclass(frozen=True)
class Measured:
    """A row's rounds: those that count, and those that are void."""

    rounds: Sequence[Round]
    void_rounds: Sequence[Round]
    wanted_rounds: int


def lines_of(row: Row, measured: Measured) -> list[str]:
    lines = [f"{row.name}: {row.title}"]
    for verdict in judge(row, measured.rounds, measured.wanted_rounds):
        figures = "  ".join(f"{name} {_number(value)}" for name, value in verdict.medians.items())
        lines += [f"    {verdict.figure.unit}: {figures}", f"        {_judgement(verdict)}"]
    if used := _used(measured.rounds):
        lines.append(f"    of its core each used: {'  '.join(f'{name} {share:.0%}' for name, share in used.items())}")
    if measured.void_rounds:
        void = [f"{name}: {s.void}" for samples in measured.void_rounds for name, s in samples.items() if s.void]
        lines.append(f"    {len(measured.void_rounds)} rounds are void ({'; '.join(void)})")
    return lines


def _used(rounds: Sequence[Round]) -> dict[str, float]:
    shares: dict[str, list[float]] = {}
    for samples in rounds:
        for name, sample in samples.items():
            if sample.effort is not None:
                shares.setdefault(name, []).append(sample.effort.own)
    return {name: median(of_name) for name, of_name in shares.items()}


def _judgement(verdict: Verdict) -> str:
    figure = verdict.figure
    wanted = (
        f"{'>=' if figure.more_is_better else '<='} {figure.wanted:g}{f' x {YARDSTICK}' if figure.relative else ''}"
    )
    if verdict.judged is None:
        return f"VOID: no round counts (wanted {wanted})"
    middle, least, greatest = verdict.judged
    outcome = {
        None: "VOID: too few rounds count",
        True: "met, and the stretch target" if verdict.stretch_met else "met",
        False: "MISSED",
    }[verdict.met]
    return f"{middle:.2f} ({least:.2f} to {greatest:.2f}), wanted {wanted}: {outcome}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 1 else f"{value:.1f}"


def as_json(row: Row, measured: Measured) -> dict[str, Any]:
    return {
        "title": row.title,
        "figures": [_figure(v) for v in judge(row, measured.rounds, measured.wanted_rounds)],
        "rounds": [_round(samples) for samples in measured.rounds],
        "void_rounds": [_round(samples) for samples in measured.void_rounds],
    }


def _figure(verdict: Verdict) -> dict[str, Any]:
    return asdict(verdict) | {
        "judged": verdict.judged and dict(zip(("median", "least", "greatest"), verdict.judged, strict=True))
    }


def _round(samples: Round) -> dict[str, Any]:
    return {name: asdict(sample) for name, sample in samples.items()}


class File:
    """The rows of earlier runs and of this one; written after each row, so that what ends a run costs one row."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._content: dict[str, Any] = {"rows": {}}
        if path is not None and path.exists():
            self._content = json.loads(path.read_text())

    def has(self, row: Row, scale: Scale) -> bool:
        """Whether it was measured at this scale: a try is no result."""
        return row.name in self._content["rows"] and self._content["rows"][row.name]["scale"] == asdict(scale)

    def add(self, row: Row, scale: Scale, result: Mapping[str, Any]) -> None:
        self._content["machine"] = machine()
        self._content["rows"][row.name] = {**result, "scale": asdict(scale)}
        if self._path is not None:
            whole = self._path.with_suffix(".part")
            whole.write_text(json.dumps(self._content, indent=2) + "\n")
            whole.replace(self._path)


def machine() -> dict[str, str]:
    """What the figures depend on."""
    cpu = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return {
        "cpu": f"{os.cpu_count()} x {cpu.group(1) if cpu else platform.machine()}",
        "kernel": platform.release(),
        "nginx": _said([installed("nginx"), "-v"]),
        "haproxy": _said([installed("haproxy"), "-v"]),
        "turnout": _said(["git", "-C", str(ROOT), "describe", "--always", "--dirty"]),
    }


def _said(command: Sequence[str]) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.partition("\n")[0]


COUNTED = ("instructions", "allocations", "system_calls")


def counted() -> list[str]:
    """What `make bench-counts` found last, which no noise of the machine changes."""
    counts = json.loads(Path(__file__).with_name("counts.json").read_text())
    return [
        "counts: one JSON request, as committed (`make bench-counts` counts anew)",
        *(f"    {name}: {counts['committed'][name]:,}, limit {counts['limits'][name]:,}" for name in COUNTED),
    ]
