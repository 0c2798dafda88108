"""The order of a row's rounds, and what a file of results remembers."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.bench.interleaving import measure_row
from tests.bench.measures import QUICK, Scale
from tests.bench.measuring import Sample
from tests.bench.proxies import DIRECT, GATEWAY, Place, Proxy
from tests.bench.results import File
from tests.bench.rows import ROWS, Row
from tests.python.bench.programs import PLACE

SCALE = dataclasses.replace(QUICK, rounds=3, spare_rounds=2)


class Recorder:
    """A row of the direct call and the gateway, whose samples are made up: those of some turns are void."""

    def __init__(self, *, fresh: bool, void_turns: frozenset[int] = frozenset()) -> None:
        self.turns: list[Proxy] = []
        self._void_turns = void_turns
        self.row = Row("row", "a row", (), self._measure, proxies=(DIRECT, GATEWAY), fresh=fresh)

    def _measure(self, _place: Place, proxy: Proxy, _scale: Scale) -> Sample:
        self.turns.append(proxy)
        return Sample({}, void="asleep" if len(self.turns) in self._void_turns else "")


@pytest.mark.parametrize(("fresh", "processes"), [(False, 1), (True, 3)])
def test_rounds_are_interleaved_and_begin_with_another_proxy_each(fresh: bool, processes: int) -> None:
    recorder = Recorder(fresh=fresh)
    measured = measure_row(recorder.row, PLACE, SCALE)
    names = [proxy.name for proxy in recorder.turns]
    assert names == [DIRECT, GATEWAY, GATEWAY, DIRECT, DIRECT, GATEWAY]
    assert (len(measured.rounds), len(measured.void_rounds), measured.wanted_rounds) == (3, 0, 3)
    assert len({proxy.pid for proxy in recorder.turns if proxy.name == GATEWAY}) == processes


@pytest.mark.parametrize(
    ("void_turns", "good", "void"),
    [
        (frozenset({1, 3}), 3, 2),  # the first two rounds: both are made up for
        (frozenset({1, 3, 5}), 2, 3),  # one more is not
    ],
)
def test_void_rounds_are_made_up_for_within_limits(void_turns: frozenset[int], good: int, void: int) -> None:
    measured = measure_row(Recorder(fresh=False, void_turns=void_turns).row, PLACE, SCALE)
    assert (len(measured.rounds), len(measured.void_rounds)) == (good, void)


def test_a_file_keeps_the_rows_of_earlier_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bench.results.machine", lambda: {"cpu": "one"})
    path = tmp_path / "bench.json"
    File(path).add(ROWS[0], SCALE, {"title": "first"})
    second = File(path)
    assert (second.has(ROWS[0], SCALE), second.has(ROWS[1], SCALE)) == (True, False)
    second.add(ROWS[1], SCALE, {"title": "second"})
    third = File(path)
    assert (third.has(ROWS[0], SCALE), third.has(ROWS[1], SCALE)) == (True, True)
    assert not third.has(ROWS[0], QUICK)
    assert [file.name for file in tmp_path.iterdir()] == ["bench.json"]


def test_without_a_file_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bench.results.machine", lambda: {"cpu": "one"})
    file = File(None)
    assert not file.has(ROWS[0], SCALE)
    file.add(ROWS[0], SCALE, {})
    assert file.has(ROWS[0], SCALE)
