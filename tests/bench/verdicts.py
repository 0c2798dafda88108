"""From samples to what a row says: medians, ratios per round, and whether the target is met. No measuring here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from tests.bench.measuring import Sample
from tests.bench.proxies import DIRECT, GATEWAY, YARDSTICK
from tests.bench.rows import Figure, Row

Round = Mapping[str, Sample]


@dataclass(frozen=True)
class Verdict:
    """What one figure came to. `judged` is what the target is compared with: its median, least and greatest round."""

    figure: Figure
    medians: Mapping[str, float]
    judged: tuple[float, float, float] | None
    met: bool | None  # None: void
    stretch_met: bool | None


def counts(samples: Round) -> bool:
    """Whether the round may be judged: that of another proxy than these two is only left out."""
    needed = {GATEWAY, YARDSTICK, DIRECT} & samples.keys()
    return all(not samples[name].void for name in needed)


def judge(row: Row, rounds: Sequence[Round], wanted_rounds: int) -> list[Verdict]:
    """`rounds` are those that count; with fewer than `wanted_rounds` of them the row is void."""
    return [_verdict(figure, rounds, wanted_rounds) for figure in row.figures]


def _verdict(figure: Figure, rounds: Sequence[Round], wanted_rounds: int) -> Verdict:
    values = [_values(figure, samples) for samples in rounds]
    names = dict.fromkeys(name for of_round in values for name in of_round)
    medians = {name: median(v[name] for v in values if name in v) for name in names}
    judged = [value for v in values if (value := _judged(figure, v)) is not None]
    if not judged:
        return Verdict(figure, medians, None, None, None)
    middle = median(judged)
    void = len(judged) < wanted_rounds
    return Verdict(
        figure,
        medians,
        (middle, min(judged), max(judged)),
        None if void else _reaches(figure, middle, figure.wanted),
        None if void or figure.stretch is None else _reaches(figure, middle, figure.stretch),
    )


def _judged(figure: Figure, values: Mapping[str, float]) -> float | None:
    if not figure.relative:
        return values[GATEWAY]
    # A latency that a proxy adds can drown in the noise of the direct call, and then nothing is a multiple of it.
    return values[GATEWAY] / values[YARDSTICK] if values[YARDSTICK] > 0 else None


def _values(figure: Figure, samples: Round) -> dict[str, float]:
    direct = samples[DIRECT].values[figure.name] if figure.added else 0.0
    return {
        name: sample.values[figure.name] - direct
        for name, sample in samples.items()
        if not sample.void and name != DIRECT
    }


def _reaches(figure: Figure, value: float, target: float) -> bool:
    return value >= target if figure.more_is_better else value <= target
