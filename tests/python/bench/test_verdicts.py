"""Medians, ratios per round, targets and void rounds, from samples that are made up."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bench.measuring import SATURATED, Effort, Sample, Spent, saturated
from tests.bench.results import Measured, as_json, lines_of
from tests.bench.rows import ROWS, Figure, Row
from tests.bench.verdicts import Round, counts, judge


def _row(*figures: Figure) -> Row:
    return Row("row", "a row", figures, lambda *_: Sample({}))


def _rounds(nginx: Sequence[float], turnout: Sequence[float], direct: Sequence[float] = ()) -> list[Round]:
    rounds: list[Round] = []
    for at in range(len(nginx)):
        samples = {"nginx": Sample({"cpu": nginx[at]}), "turnout": Sample({"cpu": turnout[at]})}
        rounds.append(samples | ({"direct": Sample({"cpu": direct[at]})} if direct else {}))
    return rounds


CPU = Figure("cpu", "us", wanted=0.9, stretch=0.75)


def test_the_ratio_is_taken_within_each_round() -> None:
    # The machine was half as fast in the second round; the ratio of the medians would be 10 / 20.
    (verdict,) = judge(_row(CPU), _rounds([10, 20, 20], [9, 18, 10]), 3)
    assert verdict.medians == {"nginx": 20, "turnout": 10}
    assert verdict.judged == (0.9, 0.5, 0.9)


@pytest.mark.parametrize(
    ("turnout", "met", "stretch_met"),
    [(91, False, False), (90, True, False), (76, True, False), (75, True, True)],
)
def test_less_is_better(turnout: float, met: bool, stretch_met: bool) -> None:
    (verdict,) = judge(_row(CPU), _rounds([100], [turnout]), 1)
    assert (verdict.met, verdict.stretch_met) == (met, stretch_met)


@pytest.mark.parametrize(
    ("turnout", "met", "stretch_met"),
    [(109, False, False), (110, True, False), (129, True, False), (130, True, True)],
)
def test_more_is_better_where_it_is(turnout: float, met: bool, stretch_met: bool) -> None:
    figure = Figure("cpu", "requests/s", wanted=1.1, stretch=1.3, more_is_better=True)
    (verdict,) = judge(_row(figure), _rounds([100], [turnout]), 1)
    assert (verdict.met, verdict.stretch_met) == (met, stretch_met)


def test_an_absolute_target_has_no_yardstick() -> None:
    figure = Figure("cpu", "MiB", wanted=12, stretch=None, relative=False)
    (verdict,) = judge(_row(figure), [{"turnout": Sample({"cpu": 12.0})}], 1)
    assert (verdict.judged, verdict.met, verdict.stretch_met) == ((12, 12, 12), True, None)


def test_what_no_proxy_costs_is_taken_off() -> None:
    added = Figure("cpu", "us", wanted=1.1, stretch=0.8, added=True)
    (verdict,) = judge(_row(added), _rounds([30, 40], [35, 45], direct=[20, 30]), 2)
    assert verdict.medians == {"nginx": 10, "turnout": 15}
    assert verdict.judged == (1.5, 1.5, 1.5)
    (drowned,) = judge(_row(added), _rounds([20], [35], direct=[20]), 1)
    assert (drowned.judged, drowned.met) == (None, None)


def test_too_few_rounds_make_a_row_void() -> None:
    (verdict,) = judge(_row(CPU), _rounds([100] * 6, [50] * 6), 7)
    assert verdict.judged == (0.5, 0.5, 0.5)
    assert (verdict.met, verdict.stretch_met) == (None, None)


def test_a_proxy_below_saturation_voids_its_round() -> None:
    def sample(own: float) -> Sample:
        # Watched for longer than the load took, which its program spent with starting.
        return saturated({"cpu": 1.0}, Spent(cpu=2 * own, seconds=2.5, effort=Effort(0, 1.0, 1.0)), loaded_seconds=2)

    full, idle = sample(SATURATED), sample(SATURATED - 0.01)
    assert (full.void, idle.void) == ("", "the proxy used 84% of its core")
    assert full.effort == Effort(SATURATED, 1.0, 1.0)
    assert counts({"nginx": full, "haproxy": full, "turnout": full})
    assert counts({"nginx": full, "haproxy": idle, "turnout": full})
    assert not counts({"nginx": full, "haproxy": full, "turnout": idle})
    assert not counts({"nginx": idle, "haproxy": full, "turnout": full})
    (verdict,) = judge(_row(CPU), [{"nginx": full, "haproxy": idle, "turnout": full}], 1)
    assert verdict.medians == {"nginx": 1, "turnout": 1}


def test_what_is_printed_and_written_says_the_same() -> None:
    void = {"nginx": Sample({"cpu": 1}, void="asleep"), "turnout": Sample({"cpu": 1})}
    measured = Measured(_rounds([10, 20], [8, 16]), [void], 2)
    printed = "\n".join(lines_of(_row(CPU), measured))
    assert "0.80 (0.80 to 0.80), wanted <= 0.9 x nginx: met" in printed
    assert "1 rounds are void (nginx: asleep)" in printed
    assert "of its core" not in printed
    written = json.loads(json.dumps(as_json(_row(CPU), measured)))
    (figure,) = written["figures"]
    assert figure["judged"] == {"median": 0.8, "least": 0.8, "greatest": 0.8}
    assert (figure["met"], figure["stretch_met"]) == (True, False)
    assert [r["turnout"]["values"]["cpu"] for r in written["rounds"]] == [8, 16]
    assert written["void_rounds"][0]["nginx"]["void"] == "asleep"


def test_how_much_of_its_core_each_used_is_printed_where_it_was_measured() -> None:
    rounds = [{name: Sample({"cpu": 1}, Effort(own, 1, 1)) for name in ("nginx", "turnout")} for own in (0.9, 1, 0.95)]
    assert "    of its core each used: nginx 95%  turnout 95%" in lines_of(_row(CPU), Measured(rounds, [], 3))


def test_the_readme_has_a_line_for_each_row() -> None:
    readme = (Path(__file__).parents[3] / "tests/bench/README.md").read_text()
    for row in ROWS:
        assert re.search(rf"^\| .*`{row.name}`.* \|", readme, re.MULTILINE)
