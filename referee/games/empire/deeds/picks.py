"""The two picks of the start: chosen on turn 1 or 2, there at the start of turn 2 or as soon as named in it (emp.P5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from referee.core.table import Table
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.opening import PicksAppeared, PicksLapsed, WaysWalked
from referee.games.empire.position.board import Board, edge
from referee.games.empire.position.countries import Doubtful
from referee.games.empire.position.state import Empire

PICKS: Mapping[str, tuple[str, ...]] = {
    "cargo ship": ("cargo ship",),
    "cargo plane": ("cargo plane",),
    "oil tankers": ("oil tanker",) * 3,
    "truck": ("truck",),
    "locomotive": ("locomotive",),
    "rolling stock": ("rolling stock",) * 2,
}
"""Picks that are units, and which units they are."""

LINES: Mapping[str, tuple[str, int]] = {
    "road": ("road", 6),
    "railroad": ("rail", 6),
    "power line": ("power line", 6),
    "canal": ("canal", 1),
}
"""Picks that lie still: the kind of line and for how many borders (canal: squares)."""

TAKEN = ("taken",)


def how_many(empire: Empire) -> int:
    """Two picks; three where the Head's fiat says so."""
    return 3 if empire.options.get("fiat") == "third_pick" else 2


def show_picks(stage: Stage, country: str) -> None:
    """The picks chosen appear, from turn 2 on."""
    empire = stage.state
    chosen = empire.picks.get(country, ())
    if not chosen or chosen == TAKEN or empire.turn != 2:
        return
    capital = next((city.at for city in empire.cities.values() if city.country == country and city.capital), "")
    units = tuple(unit for pick in chosen if capital for unit in PICKS.get(pick, ()))
    wanted = [LINES[pick] for pick in chosen if pick in LINES]
    lines = tuple(_lines(empire, country, wanted))
    stage.emit(PicksAppeared(country, capital, units, lines, tuple(_nowhere(wanted, lines))))


def wholly(empire: Empire, country: str, picks: Sequence[str], path: tuple[str, ...] = ()) -> bool:
    """Whether every line of these picks finds a place; before turn 2 nobody knows."""
    wanted = [LINES[pick] for pick in picks if pick in LINES]
    named = replace(empire, pick_paths={**empire.pick_paths, country: path})
    return empire.turn < 2 or not any(_nowhere(wanted, tuple(_lines(named, country, wanted))))


def _nowhere(wanted: Sequence[tuple[str, int]], lines: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """Of what was picked as much as found no place along the ways that were walked."""
    for what in dict.fromkeys(what for what, _ in wanted):
        missing = sum(count for kind, count in wanted if kind == what) - sum(kind == what for _, kind in lines)
        if missing > 0:
            yield what, missing


def end_of_picks(table: Table[Empire], country: str) -> None:
    """At the end of a slot: the ways walked on turn 1 are noted, picks not named by the end of turn 2 are lost."""
    empire = table.state
    if empire.turn == 1:
        ways = [empire.trails.get(unit.number, ()) for unit in empire.units_of(country, "coolie")]
        table.emit(WaysWalked(country, tuple(square for way in ways for square in way)))
    elif empire.turn == 2 and empire.countries[country].origin == "starting" and not empire.picks.get(country):
        table.emit(PicksLapsed(country))


# ---------------------------------------------------------------- where lines lie


def lines_lie_ahead(empire: Empire, country: str) -> bool:
    """Whether it still matters which squares a country's coolies walk: it may yet pick what lies still (emp.P5)."""
    starting = empire.countries[country].origin == "starting"
    return empire.turn == 1 and starting and (not empire.picks.get(country) or _lines_picked(empire, country))


def doubts_that_matter(empire: Empire) -> tuple[Doubtful, ...]:
    """Orders worth putting before others: which way somebody went only matters where a line picked lies along it."""
    return tuple(d for d in empire.doubtful if not d.ways or d.by is not None or _lines_picked(empire, str(d.seat)))


def _lines_picked(empire: Empire, country: str) -> bool:
    return any(pick in LINES for pick in empire.picks.get(country, ()))


def longest_walk(empire: Empire, country: str) -> tuple[str, ...]:
    """The longest unbroken way over land that a coolie of a country went on turn 1."""
    walks: list[list[str]] = [[]]
    for square in empire.walked.get(country, ()):
        last = walks[-1][-1] if walks[-1] else ""
        if last and empire.board.grid.direction(last, square) is None:
            walks.append([])
        if not walks[-1] or last != square:
            walks[-1].append(square)
    longest: list[str] = max(walks, key=len)
    return tuple(longest)


def _lines(empire: Empire, country: str, wanted: Sequence[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """Where the lines lie: along the path named, as far as it was walked, else along the longest walk; none twice."""
    walked = empire.walked.get(country, ())
    named = tuple(square for square in empire.pick_paths.get(country, ()) if square in walked)
    path = named or longest_walk(empire, country)
    lying = {place: list(kinds) for place, kinds in empire.lines.items()}
    for what, count in wanted:
        coast = filter(empire.board.coastal, path)  # a canal touches natural water
        places = coast if what == "canal" else _borders(empire.board, path)
        free = [place for place in dict.fromkeys(places) if what not in lying.get(place, [])]
        for place in free[:count]:
            lying.setdefault(place, []).append(what)
            yield place, what


def _borders(board: Board, path: Sequence[str]) -> Iterator[str]:
    for here, there in pairwise(path):
        way = board.grid.direction(here, there)
        if way is not None and not board.squares[here].water and not board.squares[there].water:
            yield edge(board.grid, here, way)
