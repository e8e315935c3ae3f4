"""Prices move after a match was played: its archive stays sound, and a payment that was forged in it is still found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import force_setattr

from referee.games import GAMES
from referee.games.newworld.rulebook.tables import TABLES
from referee.service.records.archive import verify_archive
from tests.lifetimes.kept import archives, versions
from tests.verify.forging import Folder
from tests.verify.matches import Archived

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


@cache
def kept() -> Archived:
    """A finished match of the last version that was released, with everything bought in it that can be."""
    archive = next(archive for archive in archives(versions()[-1]) if archive.name == "newworld")
    secret = bytes.fromhex(json.loads(archive.manifest)["secret"])
    return Archived(archive.manifest.encode(), archive.log.encode(), archive.reports.encode(), secret)


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
