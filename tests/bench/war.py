"""War! Version 27: a round of movement with 400 units, a whole game of bots, and the letters of a share to eight readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from referee.adapters.pages.picture import halves, part_drawn, png
from referee.adapters.pages.render import TemplateRenderer
from referee.core.position import Position, start
from referee.games.war.game import War27
from referee.games.war.position import Stack
from referee.games.war.position.state import War
from referee.games.war.telling import drawing, sheets
from tests.bench.botplay import BotTable, created, letters_of
from tests.bench.measure import Pair, Sample, Size, timed

UNITS = 400
"""Units that stand on the board in a round of movement."""

_PLAYERS = 8
_GAMES = 6
_GAME = War27()


# ---------------------------------------------------------------- the rules


@contextmanager
def movement_rounds(folder: Path, size: Size) -> Iterator[Pair]:
    """The eight movement shares of a round, by bots that march, sail and fight with 400 units; milliseconds for all."""
    position = _crowded(_to_movement())

    def own() -> Sample:
        with timed() as watch:
            table = BotTable(_GAME, position)
            table.play(_PLAYERS)
        note = f"{units_on(position.state)} units, {len(table.ended)} shares, {sum(len(e.events) for e in table.ended)} events"
        return Sample(watch.seconds * 1e3, watch.cpu * 1e6, abs(_PLAYERS - len(table.ended)), note)

    yield Pair(own)


def _to_movement() -> Position[War]:
    """Where the first round of movement begins."""
    table = BotTable(_GAME, start(_GAME, created(_GAME, _PLAYERS)))
    while table.outcome.state.stage != "movement":
        table.play(1)
    return table.outcome.position


def _crowded(position: Position[War]) -> Position[War]:
    """The same position with infantry for the owner of every region in turn until there are 400 units."""
    war = position.state
    owned = [land.name for land in war.lands.values() if land.owner]
    for number in range(UNITS - units_on(war)):
        land = war.lands[owned[number % len(owned)]]
        assert land.owner is not None  # chosen so
        war = war.with_land(land.name, stacks=(*land.stacks, Stack(land.owner, "infantry", 1)))
    return msgspec.structs.replace(position, state=war)


def units_on(war: War) -> int:
    """Units on the board."""
    return sum(war.units_of(seat) for seat in war.living)


@contextmanager
def bot_games(folder: Path, size: Size) -> Iterator[Pair]:
    """Games of eight bots, from the set-up to the end; seconds for the one that takes longest."""

    def own() -> Sample:
        longest = Sample(0)
        for game in range(1, 1 + _GAMES):
            with timed() as watch:
                table = BotTable(_GAME, start(_GAME, created(_GAME, _PLAYERS)), game)
                table.play(10_000)
            note = f"{_GAMES} games, the longest of {table.outcome.state.turn} turns and {len(table.ended)} phases"
            taken = Sample(watch.seconds, watch.cpu * 1e6, int(not table.outcome.over), note)
            longest = max(longest, taken, key=lambda sample: sample.value)
        return longest

    yield Pair(own)


# ---------------------------------------------------------------- the letters


@contextmanager
def letters_of_a_share(folder: Path, size: Size) -> Iterator[Pair]:
    """The letters of a movement share to eight readers, share after share; milliseconds for all eight.

    Pages, sheets, the map of each as SVG and one picture of the public map, text and HTML, MIME. What the letters of
    the share before left in memory may be used, as it can in a running service; nothing of an earlier run.
    """
    table = BotTable(_GAME, start(_GAME, created(_GAME, _PLAYERS)))
    table.play(40)
    shares = [number for number, ended in enumerate(table.ended) if "/M" in ended.phase.key][-1 - size.turns // 2 :]
    seats = created(_GAME, _PLAYERS).seats

    def own() -> Sample:
        renderer, weight = TemplateRenderer(), 0
        for kept in (
            png,
            halves,
            part_drawn,
            drawing._on_land,
            drawing._at_sea,
            drawing._drawn,
            sheets.sheets_with,
            sheets._realm,
        ):
            kept.cache_clear()
        letters_of(_GAME, renderer, table.ended, shares[0], seats)
        with timed() as watch:
            for share in shares[1:]:
                weight += sum(map(len, letters_of(_GAME, renderer, table.ended, share, seats)))
        count = len(shares) - 1
        note = f"{count} shares, {weight / count / len(seats) / 1e3:.0f} KB a letter"
        return Sample(watch.seconds / count * 1e3, watch.cpu / count * 1e6, 0, note)

    yield Pair(own)
