"""What is said of figures: ratios pair by pair, floors, goals, noise, faults, and what is written and compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.bench.catalogue import GROUPS, Group
from tests.bench.figures import read_figures
from tests.bench.measure import Case, Measured, Pair, Sample, Size, measure
from tests.bench.runner import run


def _case(own: tuple[float, ...], base: tuple[float, ...] = (), faults: int = 0, **said: Any) -> Case:
    """A case whose figures are given."""
    mine, others = iter(own), iter(base)

    @contextmanager
    def prepare(folder: Path, size: Size) -> Iterator[Pair]:
        yield Pair(lambda: Sample(next(mine), 1.0, faults, "counted"), (lambda: Sample(next(others))) if base else None)

    return Case("X", "a case", "a second", prepare, "something plain" if base else "", **said)


def _measured(tmp_path: Path, case: Case, runs: int = 3) -> Measured:
    return measure(case, tmp_path, Size(), runs)


def test_the_ratio_is_the_median_of_neighbouring_runs(tmp_path: Path) -> None:
    found = _measured(tmp_path, _case((10.0, 30.0, 20.0), (100.0, 100.0, 100.0)))
    assert found.ratios == (0.1, 0.3, 0.2)
    assert found.judged == 0.2


def test_a_time_is_turned_round_so_that_more_is_better(tmp_path: Path) -> None:
    found = _measured(tmp_path, _case((4.0,), (1.0,), lower_is_better=True), 1)
    assert found.judged == 0.25


@pytest.mark.parametrize(
    ("value", "verdict"), [(0.2, "UNDER FLOOR"), (0.3, "ok"), (0.49, "ok"), (0.5, "goal"), (0.9, "goal")]
)
def test_floor_and_goal_of_a_ratio(tmp_path: Path, value: float, verdict: str) -> None:
    assert _measured(tmp_path, _case((value,), (1.0,), floor=0.3, goal=0.5), 1).verdict == verdict


@pytest.mark.parametrize(("value", "verdict"), [(21.0, "UNDER FLOOR"), (20.0, "ok"), (10.0, "goal")])
def test_floor_and_goal_of_a_figure_alone(tmp_path: Path, value: float, verdict: str) -> None:
    case = _case((value,), floor=20, goal=10, lower_is_better=True)
    assert _measured(tmp_path, case, 1).verdict == verdict


def test_without_a_floor_it_is_only_measured(tmp_path: Path) -> None:
    assert _measured(tmp_path, _case((1.0,)), 1).verdict == "measured"


def test_a_fault_outweighs_every_goal(tmp_path: Path) -> None:
    assert _measured(tmp_path, _case((9.0,), (1.0,), faults=1, floor=0.3), 1).verdict == "FAULTY"


def test_a_spread_of_more_than_a_quarter_is_noisy(tmp_path: Path) -> None:
    assert _measured(tmp_path, _case((1.0, 1.0, 1.26))).noisy
    assert not _measured(tmp_path, _case((1.0, 1.0, 1.25))).noisy


def test_a_proof_is_measured_once(tmp_path: Path) -> None:
    assert len(_measured(tmp_path, _case((1.0,), once=True), 5).own) == 1


def _alone(monkeypatch: pytest.MonkeyPatch, case: Case) -> None:
    monkeypatch.setitem(GROUPS, "quick", Group((case,), GROUPS["quick"].size))


def test_a_run_prints_writes_and_compares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    _alone(monkeypatch, _case((0.4, 0.4), (1.0, 1.0), floor=0.3, goal=0.5))
    assert run("quick", 2, file, None, True) == 0
    (figure,) = read_figures(file).figures
    assert (figure.own, figure.base, figure.judged, figure.verdict) == ((0.4, 0.4), (1.0, 1.0), 0.4, "ok")
    _alone(monkeypatch, _case((0.2,), (1.0,), floor=0.3, goal=0.5))
    assert run("quick", 1, None, file, False) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "UNDER FLOOR" in line)
    assert line.split()[-1] == "0.4"


def test_only_with_floor_a_case_under_it_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for floor, code in ((False, 0), (True, 1)):
        _alone(monkeypatch, _case((0.2,), (1.0,), floor=0.3))
        assert run("quick", 1, None, None, floor) == code


def test_a_fault_always_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    _alone(monkeypatch, _case((9.0,), (1.0,), faults=1, floor=0.3))
    assert run("quick", 1, None, None, False) == 1


def test_a_case_that_cannot_be_measured_here_is_left_out_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _alone(monkeypatch, _case((), (1.0,), lacks=lambda: "not installed: dovecot"))
    assert run("quick", 1, None, None, True) == 0
    assert "X a case: left out, not installed: dovecot" in capsys.readouterr().out


def test_an_unknown_group_or_file_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fast", 1, None, None, False) == 1
    assert "I know the groups quick, full" in capsys.readouterr().out
    assert run("quick", 1, None, tmp_path / "none.json", False) == 1
    assert "no figures of an earlier run" in " ".join(capsys.readouterr().out.split())


def test_what_is_about_the_file_of_sqlite_is_left_out_on_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.bench.runner.described", lambda url: "15.18, fsync on")
    _alone(monkeypatch, _case((), of_a_file=True))
    assert run("quick", 1, None, None, True, "postgresql+psycopg://db.example/referee") == 0
    said = capsys.readouterr().out
    assert "X a case: left out, it is about the file of SQLite" in said and "on PostgreSQL 15.18, fsync on" in said


@pytest.mark.parametrize("url", ["sqlite:///x.sqlite", "postgresql+psycopg://nobody@127.0.0.1:1/x"])
def test_a_database_on_which_nothing_can_be_measured_is_refused_in_a_sentence(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("quick", 1, None, None, False, url) == 1
    assert capsys.readouterr().out.startswith("--database ")
