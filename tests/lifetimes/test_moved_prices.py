"""Prices and starts move after a match was played: its archive stays sound, and what was forged in it is still found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import force_setattr

from referee.games import GAMES
from referee.games.newworld.rulebook import TABLES
from referee.service.house.verification import verify_archive
from tests.lifetimes.kept import archives, versions
from tests.verify.forging import Folder
from tests.verify.matches import Archived, table, terminated

MOVES = {
    "bank": 4,
    "advance_base": 4,
    "advance_per_level": 1,
    "worker food": 3,
    "fleet metal": 2,
    "army horses": 3,
    "colony workers": 2,
}
FORGED: dict[str, Callable[[Any], object]] = {
    "ResourcesBought": lambda event: event.update(gold=event["gold"] - event["amount"]),
    "WorkersHired": lambda event: event["paid"].update(food=event["amount"]),
    "FleetsBuilt": lambda event: event["paid"].update(wood=0),
    "ArmiesRaised": lambda event: event["paid"].pop("horses"),
    "ColonyClaimed": lambda event: event.update(paid={}),
    "TechnologyAdvanced": lambda event: event.update(gold=event["gold"] - 1),
}


STARTS: dict[str, Any] = {"resources": {}, "fleets": 0, "armies": 0, "technologies": ()}


@cache
def kept(game: str = "newworld") -> Archived:
    """A finished match of the last version that was released, with everything bought in it that can be."""
    archive = next(archive for archive in archives(versions()[-1]) if archive.name == game)
    secret = bytes.fromhex(json.loads(archive.manifest)["secret"])
    return Archived(archive.manifest.encode(), archive.log.encode(), archive.reports.encode(), secret)


@cache
def begun() -> Archived:
    """A match that a program of these days and of other rules began; it has ended at once."""
    with table("newworld") as world:
        folder = Folder.of(terminated(world))
    for at in folder.events("PhaseBegan"):
        record = folder.record(at)
        record["event"].update(build="0123456789abcdef")
        folder.put(at, record)
    return folder.rebuilt().archived()


@pytest.fixture
def moved(request: pytest.FixtureRequest) -> Iterator[None]:
    """A price of MOVES in place of the printed one."""
    name, _, resource = request.param.partition(" ")
    was = getattr(TABLES.prices, name)
    if resource:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(was, resource, MOVES[request.param])
            yield
    else:
        force_setattr(TABLES.prices, name, MOVES[request.param])
        yield
        force_setattr(TABLES.prices, name, was)


def trouble(archive: Archived) -> str:
    games = {game.name: game for game in GAMES}
    return verify_archive(games, archive.manifest, archive.log, archive.reports).trouble


@pytest.mark.parametrize("moved", MOVES, indirect=True)
def test_an_archive_of_other_prices_is_sound(moved: None) -> None:
    assert trouble(kept()) == ""


@pytest.mark.parametrize("kind", FORGED)
@pytest.mark.parametrize("moved", ["bank"], indirect=True)
def test_a_payment_that_was_forged_is_found_where_prices_have_moved_since(moved: None, kind: str) -> None:
    """One of them costs less than it does elsewhere in the match; all hashes and dice fit again."""
    folder = Folder.of(kept())
    at = folder.events(kind)[-1]
    record = folder.record(at)
    FORGED[kind](record["event"])
    folder.put(at, record)
    assert trouble(folder.rebuilt().archived())


@pytest.mark.parametrize("figure", STARTS)
@pytest.mark.parametrize("archive", [kept, begun])
def test_an_archive_whose_seats_started_with_more_than_today_is_sound(
    figure: str, archive: Callable[[], Archived]
) -> None:
    archive()
    was = getattr(TABLES.set_up, figure)
    force_setattr(TABLES.set_up, figure, STARTS[figure])
    try:
        assert trouble(archive()) == ""
    finally:
        force_setattr(TABLES.set_up, figure, was)


def test_a_start_that_was_forged_is_found_under_other_rules() -> None:
    folder = Folder.of(begun())
    at = folder.events("TerritoriesSettled")[0]
    record = folder.record(at)
    record["event"]["start"]["resources"]["gold"] += 5
    folder.put(at, record)
    assert "Not everybody starts with the same" in trouble(folder.rebuilt().archived())


def figures(value: Any, seen: set[int], path: str = "") -> Iterator[tuple[str, int, Callable[[int], None]]]:
    """Every whole number of the tables of New World: where it stands, what it is, and what sets it."""
    if id(value) in seen:
        return
    seen.add(id(value))
    inner: list[tuple[str, Any, Callable[[int], Any]]]
    if isinstance(value, Struct):
        inner = [
            (f"{path}.{name}", getattr(value, name), partial(force_setattr, value, name)) for name in fields_of(value)
        ]
    elif isinstance(value, dict):
        inner = [(f"{path}[{key}]", found, partial(value.__setitem__, key)) for key, found in value.items()]
    else:
        items = value if isinstance(value, list | tuple) else ()
        inner = [(f"{path}[{at}]", found, lambda _: None) for at, found in enumerate(items)]
    for where, found, put in inner:
        if type(found) is int and not isinstance(value, list | tuple):
            yield where, found, put
        else:
            yield from figures(found, seen, where)


def fields_of(value: Struct) -> tuple[str, ...]:
    return type(value).__struct_fields__


RULEBOOKS = {
    "newworld": ("referee.games.newworld.rulebook",),
    "war27": ("referee.games.war.rulebook",),
    "war17": ("referee.games.war17.rulebook",),
    "empire": ("referee.games.empire.rulebook.kinds", "referee.games.empire.rulebook.plans"),
}
"""The modules of each game that have its figures."""


@pytest.mark.slow
@pytest.mark.parametrize("game", RULEBOOKS)
def test_fifty_figures_that_move_make_no_archive_unsound(game: str) -> None:
    kept(game)
    seen, all = set[int](), list[tuple[str, int, Callable[[int], None]]]()
    for name in RULEBOOKS[game]:
        tables = {name: value for name, value in vars(import_module(name)).items() if name.isupper()}
        for table_name, value in tables.items():
            all += figures(value, seen, table_name)
    # How many cards there are is reckoned once, when the program starts.
    tried = [figure for figure in all if ".names" not in figure[0]]
    tried = tried[:: max(1, len(tried) // 50)][:50]
    assert len(tried) == 50
    for where, was, put in tried:
        put(was + 1)
        try:
            assert trouble(kept(game)) == "", where
        finally:
            put(was)
