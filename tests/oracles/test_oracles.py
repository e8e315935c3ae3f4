"""The auditor's oracles over bot games of all four games: a few in every run of the tests, as many as one likes in the slow ones.

    ORACLE_GAMES=2000 python -m pytest -m slow tests/oracles -s

plays so many games of each (250 unless told) and prints how many numbers were looked at; with ORACLE_FROM=1000 the first
thousand are left out.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from referee.core.game import Game
from referee.games import GAMES
from tests.contract.bots import GameRecord, Plan, plans, play_bots
from tests.oracles.audit import Audit, Oracle, audit, plant
from tests.oracles.empire import EMPIRE
from tests.oracles.faults import FAULTS, Fault
from tests.oracles.newworld import NEWWORLD
from tests.oracles.war17 import WAR17
from tests.oracles.war27 import WAR27

ORACLES: dict[str, tuple[Oracle, ...]] = {"newworld": NEWWORLD, "war27": WAR27, "war17": WAR17, "empire": EMPIRE}

ASKED = (("decisions", "interactive"), ("production", "in_order"), ("force_pool", "yes"))

SHORT: dict[str, tuple[Plan, ...]] = {
    "newworld": (
        Plan(2, (("coal", "nothing"), ("last_round", "100")), 47),
        Plan(2, (("nationalities", "yes"), ("coal", "nothing"), ("finish_round", "yes"), ("last_round", "40")), 57),
    ),
    "war27": (
        Plan(2, (("force_pool", "yes"), ("last_turn", "2"), ("random_regions", "yes"), ("multiple_buildings", "2")), 318),
        Plan(
            2,
            (
                ("native_landing", "yes"), ("last_turn", "2"), ("multiple_buildings", "2"), ("capital_only", "yes"),
                ("hidden_victory", "yes"), ("simultaneous", "yes"), ("historical", "yes"), ("auction", "yes"), ("suez", "yes"),
                ("scorched", "yes"), ("interception", "yes"), ("alliances", "yes"),
            ),
            226,
        ),
        Plan(2, (*ASKED, ("native_landing", "yes"), ("last_turn", "3"), ("multiple_buildings", "each")), 367),
        Plan(5, (*ASKED, ("last_turn", "2"), ("random_regions", "yes"), ("multiple_buildings", "each")), 156),
    ),
    "war17": (
        Plan(3, (("decisions", "interactive"), ("end", "hour"), ("last_turn", "2")), 29),
        Plan(6, (("decisions", "interactive"), ("end", "hour"), ("last_turn", "3"), ("net_schools", "yes")), 25),
    ),
    "empire": (
        Plan(4, (("fiat", "third_pick"), ("last_turn", "3")), 2),
        Plan(
            2,
            (
                ("board", "drawn:two-isthmuses"), ("last_turn", "6"), ("ranking", "no"), ("confidence", "stern"),
                ("goods", "rich"), ("exchange", "none"), ("pollution", "lasting"), ("zones", "close"), ("combat", "mild"),
                ("start", "armed"),
            ),
            3,
        ),
        Plan(2, (("board", "drawn:two-isthmuses"), ("last_turn", "6"), ("start", "armed")), 28),
    ),
}  # fmt: skip
"""Games that are soon over, in which nearly every oracle has something to look at."""

MORE = 40
"""In so many games more a planted fault is looked for, where the short ones hold no event in which it could be."""

LONGEST = 3000
"""Phases after which a game is given up."""


def play(name: str, plan: Plan) -> GameRecord:
    game: Game[Any] = next(game for game in GAMES if game.name == name)
    return play_bots(game, plan.players, dict(plan.options), plan.seed, LONGEST)


def played(name: str, first: int, number: int) -> Iterator[GameRecord]:
    game: Game[Any] = next(game for game in GAMES if game.name == name)
    return (play(name, plan) for plan in itertools.islice(plans(game, first + number, long=number > MORE), first, None))


@cache
def short(name: str) -> tuple[GameRecord, ...]:
    return tuple(play(name, plan) for plan in SHORT[name])


@pytest.mark.parametrize("name", ORACLES)
def test_a_few_games_have_no_wrong_number(name: str) -> None:
    found = audit(short(name), ORACLES[name])
    assert found.differences == []
    assert found.checks.total() > 1000


@pytest.mark.parametrize("name", ORACLES)
def test_every_oracle_finds_a_planted_fault(name: str) -> None:
    assert set(FAULTS[name]) == {oracle.__name__ for oracle in ORACLES[name]}
    missed = [oracle.__name__ for oracle in ORACLES[name] if not finds(name, oracle, FAULTS[name][oracle.__name__])]
    assert missed == []


def finds(name: str, oracle: Oracle, fault: Fault) -> bool:
    """Whether an oracle tells a record in which one event was forged from the true one."""
    for record in itertools.chain(short(name), played(name, 0, MORE)):
        for stretch in plant(record, fault.kind, fault.forge):
            found = Audit()
            found.note(name, stretch, oracle)
            if found.differences:
                return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", ORACLES)
def test_many_games_have_no_wrong_number(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = Audit()
    first, number = int(os.environ.get("ORACLE_FROM", "0")), int(os.environ.get("ORACLE_GAMES", "250"))
    for record in played(name, first, number):
        found.read(record, ORACLES[name])
    with capsys.disabled():
        print(f"\n{name}: {found}")
    assert found.differences == []
    assert number < MORE or set(found.checks) == {oracle.__name__ for oracle in ORACLES[name]}
