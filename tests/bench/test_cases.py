"""Every case runs once, small, with its baseline: it does what it measures, and nothing is lost on the way."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from sqlalchemy import create_engine, text

from referee.adapters.files import keep_to_ourselves
from tests.bench.catalogue import GROUPS
from tests.bench.empire import MOUTHS, ORDERS, a_turn, food_traced
from tests.bench.measure import Case, Size
from tests.bench.runner import take
from tests.postgresql import Postgresql

TINY = Size(
    letters=6,
    matches=2,
    connections=2,
    lines=80,
    commits=3,
    alarms=60,
    herd=25,
    noon=8,
    turns=2,
    receipts=3,
    open_matches=5,
    standing=5,
    soak=40,
)
NOTES = {
    "P10": "60 due in one second, kill -9 in the middle: 0 lost, 0 twice, 0 left over",
    "P10b": "25 turns, kill -9 in the middle: 0 lost, 0 twice, 0 logs broken",
}
CASES = (*GROUPS["full"].cases, *GROUPS["soak"].cases)
ON_A_SERVER = [
    case for group in ("ingest", "deadlines", "turns", "reports") for case in GROUPS[group].cases if case.key != "T1"
]
GREAT = (
    "C2",
    "C2b",
    "C3",
    "E1",
    "E3",
    "E4b",
    "E5",
    "E6",
    "E6b",
    "E7",
    "N1",
    "N2",
    "P1c",
    "P1d",
    "P10",
    "P10b",
    "P11",
    "P11b",
    "S1",
    "W2",
    "W3",
)
"""However small the size they take seconds: they play great matches, or what a case beside them measures otherwise."""


@pytest.fixture(autouse=True)
def as_the_command_does() -> Iterator[None]:
    """`referee bench` makes files that nobody else may read, as every command; the mail servers it starts are others."""
    before = os.umask(0o022)
    keep_to_ourselves()
    yield
    os.umask(before)


def _each(cases: Iterable[Case], great: Container[str] = GREAT) -> list[ParameterSet]:
    return [pytest.param(case, id=case.key, marks=[pytest.mark.slow] if case.key in great else []) for case in cases]


@pytest.mark.parametrize("case", _each(CASES))
def test_a_case_runs_and_finds_no_fault(case: Case) -> None:
    if why := case.lacks():
        pytest.skip(why)
    measured = take(case, TINY, 1)
    assert len(measured.own) == 1
    assert len(measured.base) == (1 if case.baseline else 0)
    assert all(sample.value > 0 for sample in measured.base)
    assert all(sample.value >= 0 for sample in measured.own)
    assert measured.faults == 0, measured.own[0].note
    assert measured.own[0].note == NOTES.get(case.key, measured.own[0].note)


@pytest.mark.real
@pytest.mark.parametrize("case", _each(ON_A_SERVER, great=[case.key for case in ON_A_SERVER[1:]]))
def test_a_case_runs_on_a_server_and_leaves_no_database_there(case: Case, postgresql: Postgresql) -> None:
    measured = take(case, TINY, 1, postgresql.url())
    assert measured.faults == 0, measured.own[0].note
    engine = create_engine(postgresql.url())
    with engine.connect() as db:
        assert db.execute(text("SELECT datname FROM pg_database WHERE datname LIKE 'referee-bench%'")).all() == []
    engine.dispose()


def test_every_group_but_the_soak_has_cases_of_the_full_one() -> None:
    for name in GROUPS.keys() - {"soak"}:
        assert {case.key for case in GROUPS[name].cases} <= {case.key for case in GROUPS["full"].cases}
    quick, full = GROUPS["quick"].cases, GROUPS["full"].cases
    assert [case.key for case in quick] == [case.key for case in full]
    assert {case.key for case, whole in zip(quick, full, strict=True) if case != whole} == {"N1", "N2"}
    assert all(case.floor is None and case.goal is None for case in quick if case.key in ("N1", "N2"))


# ---------------------------------------------------------------- what is measured of Empire


SIZE = Size(turns=4)


def test_every_mouth_is_fed_and_fed_again(tmp_path: Path) -> None:
    with food_traced(tmp_path, SIZE) as pair:
        sample = pair.own()
    assert sample.faults == 0
    assert sample.note.startswith(f"{MOUTHS} fed of {MOUTHS}, ")


@pytest.mark.parametrize("new", [True, False])
def test_every_order_of_the_sheet_is_carried_out(tmp_path: Path, new: bool) -> None:
    with a_turn(new)(tmp_path, SIZE) as pair:
        sample = pair.own()
    assert sample.faults == 0
    assert sample.note.startswith(f"{ORDERS} orders, 0 refused, ")


def test_the_group_names_every_case_once() -> None:
    keys = Counter(case.key for case in GROUPS["empire"].cases)
    assert list(keys) == ["E1", "E2", "E2b", "E3", "E4", "E4b", "E5", "E6", "E6b", "E7"] and max(keys.values()) == 1
