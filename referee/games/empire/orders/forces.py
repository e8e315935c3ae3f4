"""Several units that go into a fight together, as choices: any of those that can, so many that the attack can be made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.core.choices import Asking, Choice, most_that, number, one, several
from referee.core.names import Seat
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.rates import keeps
from referee.games.empire.reckoning.ownership import named
from referee.games.empire.rulebook.kinds import KINDS, so_many
from referee.kit.stock import gathered
from referee.kit.wording import in_a_row

Fits = Callable[[tuple[int, ...]], bool]
"""Whether an attack of these units can be made."""

_ENOUGH = Choice("nobody else", 0, "it can be made so")


def of_seat(empire: Empire, seat: Seat) -> Iterator[Unit]:
    """Every unit that a seat commands."""
    return (unit for country in empire.owned(seat) for unit in empire.units_of(country.name))


def single(unit: Unit) -> Choice[int]:
    """One unit by its number."""
    return Choice(named(unit), unit.number, f"in {unit.at}", unit.at)


def carriers(empire: Empire) -> set[int]:
    """The numbers of units that have something aboard."""
    return {unit.aboard for unit in empire.units.values()} | {lot.aboard for lot in empire.lots}


def alike(empire: Empire, units: Iterable[Unit]) -> list[list[Unit]]:
    """Units that differ in nothing but their number; who carries something or is at work is alike to nobody."""
    apart = carriers(empire) | _busy(empire)
    same: dict[object, list[Unit]] = {}
    for unit in units:
        own = unit.number if unit.number in apart else 0
        like = (unit.kind, unit.country, unit.at, unit.aboard, unit.status, unit.spent, unit.parts, own)
        same.setdefault(like, []).append(unit)
    return list(same.values())


def group(same: Sequence[Unit], more: str = "") -> Choice[tuple[int, ...]]:
    """Units alike as one choice, by the first of them."""
    meaning = f"{so_many(len(same), same[0].kind)} in {same[0].at}{more}"
    return Choice(named(same[0]), tuple(unit.number for unit in same), meaning, same[0].at)


def first_of(same: Sequence[Unit]) -> Choice[int]:
    """Of units alike the first, who stands for all."""
    return Choice(named(same[0]), same[0].number, group(same).meaning, same[0].at)


def _busy(empire: Empire) -> set[int]:
    return {worked.unit for worked in empire.worked} | {work.unit for work in empire.works}


def idle_coolies(empire: Empire, country: str) -> tuple[Unit, ...]:
    """Coolies ashore that neither work nor build."""
    busy = _busy(empire)
    return tuple(u for u in empire.units_of(country, "coolie") if u.number not in busy and not u.aboard)


def hands(
    empire: Empire, seat: Seat, able: Callable[[Unit], bool], kinds: Sequence[str] = ("coolie",)
) -> Iterator[Choice[int]]:
    """Who could do a piece of work; of those alike the first stands for all, and who has nothing else to do comes first."""
    busy = _busy(empire)
    mine = [unit for unit in of_seat(empire, seat) if unit.kind in kinds]
    for some in ([u for u in mine if u.number not in busy], [u for u in mine if u.number in busy]):
        for same in alike(empire, some):
            unit = next((u for u in same if not keeps(empire, u)), same[0])
            if able(unit):
                yield first_of([unit, *same[1:]])


def how_many(noun: str, fits: Callable[[int], bool], most: int, usual: int = 1) -> Asking[int]:
    """Ask for a number up to the greatest that fits, where whatever is less fits too. Raises Nothing where 1 does not."""
    most = most_that(fits, most)
    return (yield from number("how many", noun, 1, most, min(usual, most)))


def told(units: Iterable[Unit]) -> str:
    """Units in words: `2 SACs and 1 coolie`."""
    return in_a_row([so_many(number, kind) for kind, number in gathered(unit.kind for unit in units).items()])


def beside(empire: Empire, units: Iterable[Unit]) -> tuple[Position, ...]:
    """The squares of units and those around them."""
    here = dict.fromkeys(unit.at for unit in units)
    return tuple(dict.fromkeys(at for home in here for at in (home, *(to for _, to in empire.board.grid.around(home)))))


def fighters(empire: Empire, seat: Seat) -> tuple[Unit, ...]:
    """A seat's units that may have arms: formations, ships and planes."""
    return tuple(
        u for u in of_seat(empire, seat) if KINDS[u.kind].category in ("naval", "air") or KINDS[u.kind].military
    )


def force(able: Sequence[Unit], fits: Fits, usual: Sequence[Unit]) -> Asking[tuple[int, ...]]:
    """Ask who goes together, those of one country: at once where all of them can, else one by one while the attack lacks some."""
    lands = tuple(dict.fromkeys(unit.country for unit in able))
    may = [land for land in lands if completes((), [unit for unit in able if unit.country == land], fits)]
    country = (yield from one("country", [Choice(land, land) for land in may])) if len(lands) > 1 else lands[0]
    mine = [unit for unit in able if unit.country == country]
    return (yield from _together(mine, fits, [unit for unit in usual if unit.country == country]))


def _together(able: Sequence[Unit], fits: Fits, usual: Sequence[Unit]) -> Asking[tuple[int, ...]]:
    free = fits(tuple(unit.number for unit in able))
    first = [unit for unit in able if free or completes((unit.number,), able, fits)]
    words = tuple(named(unit) for unit in usual) if free else ()
    chosen = yield from several("units", map(single, first), 1, None if free else 1, words)
    while True:
        enough = fits(chosen)
        others = [unit for unit in able if unit.number not in chosen]
        more = (
            [single(u) for u in others if completes((*chosen, u.number), able, fits)] if not (enough and free) else []
        )
        if enough and not more:
            return chosen
        another = yield from one("and with", [*([_ENOUGH] if enough else []), *more])
        if not another:
            return chosen
        chosen = (*chosen, another)


def completes(chosen: tuple[int, ...], able: Sequence[Unit], fits: Fits) -> bool:
    """Whether these make an attack together with some of the others, who are named the strongest first."""
    others = tuple(unit.number for unit in able if unit.number not in chosen)
    return any(fits((*chosen, *others[:number])) for number in range(len(others), -1, -1))
