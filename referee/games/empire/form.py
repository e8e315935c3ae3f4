"""The next order sheet, half filled in: what there is, what waits to be done, and lines to be edited."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.names import Seat
from referee.games.empire.board import FOODS
from referee.games.empire.distance import reach, steps
from referee.games.empire.kinds import ALLOWANCE, KINDS
from referee.games.empire.state import Country, Empire, Unit
from referee.games.empire.steps.picks import LINES, PICKS, how_many
from referee.games.empire.steps.supply import eaters, hungry
from referee.games.empire.words import plural
from referee.kit.wording import counted, in_a_row

__all__ = ["order_form"]

_MOST_LINES, _NEAREST = 60, 6


def order_form(empire: Empire, seat: Seat) -> tuple[str, ...]:
    """Lines to be edited and sent back; those that begin with # are only advice."""
    if empire.ended:
        return ()
    if empire.stage != "play":
        return tuple(_capital(empire, seat))
    lines = [line for country in empire.owned(seat) for line in _country(empire, country)]
    return (*lines[:_MOST_LINES], *_waiting(empire, seat), "# EXECUTE", "ROLL OUT") if lines else ()


# ---------------------------------------------------------------- the start


def _capital(empire: Empire, seat: Seat) -> Iterator[str]:
    starts = ", ".join(empire.board.starts[: 2 * len(empire.seats)])
    yield "# Capitals are placed in the order of the cards, more than 12 BTA apart: name squares, best first."
    yield f'{"" if starts else "# "}PLACE CAPITAL {starts or "c12r7"} NAMED "{seat} City"'


def _picks(empire: Empire, country: Country) -> Iterator[str]:
    if empire.turn > 2 or empire.picks.get(country.name) or country.origin != "starting":
        return
    yield f"# Take {how_many(empire)} picks by the end of turn 2: {', '.join((*PICKS, *LINES))}."
    yield "PICK cargo ship, truck"


# ---------------------------------------------------------------- a country


def _country(empire: Empire, country: Country) -> Iterator[str]:
    yield from _means(empire, country)
    yield from _picks(empire, country)
    yield from _idle(empire, country)
    yield from _squares(empire, country)
    yield from _vehicles(empire, country)


def _means(empire: Empire, country: Country) -> Iterator[str]:
    stock = empire.stock(country.name)
    food = sum(5 for worked in empire.worked if worked.country == country.name and worked.kind in FOODS)
    mouths = len(eaters(empire, country.name))
    yield f"# {country.name}: {in_a_row([f'{number} {what}' for what, number in stock.items()]) or 'no goods'}."
    yield f"# {counted(mouths, 'mouths')} now; {counted(food, 'food')} a turn from the squares worked."
    yield from _feeding(empire, country)


def _feeding(empire: Empire, country: Country) -> Iterator[str]:
    """Who goes hungry as food lies now, with lines to say otherwise; and what the country has said of it (H-01)."""
    said = country.feeding
    for words, mouths in (("first", said.first), ("last", said.last)):
        if mouths:
            yield f"# You feed {words}: {', '.join(part.words() for part in mouths)}."
    for words, places in (("first out of", said.stores), ("nobody out of", said.spared)):
        if places:
            yield f"# You feed {words} {', '.join(places)}."
    starving = hungry(empire, country.name)
    if starving:
        named = ", ".join(f"{unit.kind} {unit.number} in {unit.at}" for unit in starving[:5])
        more = f" and {len(starving) - 5} more" if len(starving) > 5 else ""
        yield f"# As food lies now it does not suffice for {named}{more}. Say who eats first, who last, and from where:"
        yield f"# FEED FIRST {starving[0].kind} {starving[0].number}"
        stores = dict.fromkeys(lot.at for lot in empire.lots if lot.what == "food" and lot.country == country.name)
        yield from [f"# FEED FROM {', '.join(stores)}"] if stores else []


def _busy(empire: Empire) -> frozenset[int]:
    return frozenset([worked.unit for worked in empire.worked] + [work.unit for work in empire.works])


def _idle(empire: Empire, country: Country) -> Iterator[str]:
    """Who has nothing to do, by square."""
    squares: dict[str, list[Unit]] = {}
    busy = _busy(empire)
    for unit in empire.units_of(country.name, "coolie"):
        if unit.number not in busy and not unit.aboard:
            squares.setdefault(unit.at, []).append(unit)
    for at, units in squares.items():
        yield f"# Idle in {at}: {counted(len(units), 'coolies')}, the first is coolie {units[0].number}."
        near = _near(empire, units[0])
        if near:
            yield f"# Nearest to it: {', '.join(f'{kind} in {where}' for where, kind in near)}."
            where, kind = near[0]
            if where != at:
                yield f"# MOVE coolie {units[0].number} TO {where}"
            yield f"# WORK {kind} WITH coolie {units[0].number}"


def _near(empire: Empire, unit: Unit) -> list[tuple[str, str]]:
    """What nobody works yet, the nearest first."""
    taken = [(worked.at, worked.kind) for worked in empire.worked]
    found: list[tuple[str, str]] = []
    for at in reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent):
        square = empire.board.squares[at]
        kinds = [square.food, *(resource.kind for resource in square.resources)]
        found += [(at, kind) for kind in kinds if kind and (at, kind) not in taken]
        if len(found) >= _NEAREST:
            break
    return found[:_NEAREST]


def _squares(empire: Empire, country: Country) -> Iterator[str]:
    mine = [worked for worked in empire.worked if worked.country == country.name]
    if mine:
        yield f"# Worked, and going on: {', '.join(f'{worked.kind} in {worked.at}' for worked in mine)}."
    for work in empire.works:
        if work.country == country.name and work.left:
            yield f"# Under way: {work.what} in {work.at}, {counted(work.left, 'turns')} left."


def _vehicles(empire: Empire, country: Country) -> Iterator[str]:
    others = [unit for unit in empire.units_of(country.name) if not KINDS[unit.kind].person and not unit.aboard]
    alike: dict[tuple[str, str], list[int]] = {}
    for unit in others:
        alike.setdefault((unit.kind, unit.at), []).append(unit.number)
    for (kind, at), numbers in alike.items():
        yield f"# {kind if len(numbers) == 1 else plural(kind)} {', '.join(map(str, numbers))} in {at}."


def _waiting(empire: Empire, seat: Seat) -> Iterator[str]:
    mine = [country.name for country in empire.owned(seat)]
    for transfer in empire.transfers:
        if transfer.to in mine:
            yield f"# Transfer {transfer.number} from {transfer.giver} waits for you:"
            yield f"# ACCEPT {transfer.number}"
    for petition in empire.petitions:
        if not petition.result and seat not in petition.votes:
            yield f"# Petition {petition.number} ({petition.kind}): {petition.text}"
            yield f"# VOTE yes ON {petition.number}"
    yield from _doubtful(empire, seat)


def _doubtful(empire: Empire, seat: Seat) -> Iterator[str]:
    """Lines of others that this seat may still read in another way (P23)."""
    for doubtful in empire.doubtful:
        if doubtful.by is None and doubtful.seat != seat and seat not in doubtful.waived:
            ways = "; ".join(f"{n}. {reading}" for n, reading in enumerate(doubtful.readings, 1))
            yield f"# Line {doubtful.line} of {doubtful.seat} (slot {doubtful.slot}) was read as {doubtful.taken} of: {ways}."
            yield f"# INTERPRET LINE {doubtful.line} OF {doubtful.slot} AS {2 if doubtful.taken == 1 else 1}"
