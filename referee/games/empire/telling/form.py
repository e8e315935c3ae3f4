"""The next order sheet, half filled in: what there is, what waits to be done, and lines to be edited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.games.empire.deeds.moving import LINES, PICKS, how_many
from referee.games.empire.deeds.works import idle_factories
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.arming import armings
from referee.games.empire.orders.attack import attacks, engagements
from referee.games.empire.orders.base import Interpret
from referee.games.empire.orders.feeding import where_food_lacks
from referee.games.empire.orders.giving import AcceptControl
from referee.games.empire.orders.industry import consumed, run
from referee.games.empire.orders.opening import TakePicks
from referee.games.empire.orders.petitions import Vote
from referee.games.empire.orders.raids import plunderings
from referee.games.empire.orders.units import idle_coolies
from referee.games.empire.orders.working import workplaces
from referee.games.empire.position.board import FOODS, Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.ownership import in_runs
from referee.games.empire.reckoning.routes import left_for
from referee.games.empire.reckoning.supply import eaters
from referee.games.empire.rulebook.figures import FOOD_YIELD
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS, in_bta, so_many
from referee.games.empire.telling.forecast import forecast
from referee.games.empire.telling.sheets.slots import petition_kind
from referee.games.empire.telling.steady import dying, steady
from referee.kit.wording import counted, in_a_row

_MOST_LINES, _WIDTH = 60, 64
"""Lines of a form, and letters of a line of advice."""

_JOBS, _MOST_JOBS = 3, 6
"""Coolies for whom work is proposed, and how many where food lacks."""

_STANDS = {"dock": "in dock", "beach": "on the beach", "air": "in the air", "submerged": "under water",
           "warehouse": "in a warehouse", "patrol": "on patrol"}  # fmt: skip


def order_form(empire: Empire, seat: Seat) -> tuple[str, ...]:
    """Lines to be edited and sent back; those that begin with # are only advice, and short enough for a telephone."""
    if empire.ended:
        return ()
    if empire.stage != "play":
        return tuple(_capital(empire, seat))
    sound = steady(empire, seat)[:-1]
    lines = [line for country in empire.owned(seat) for line in _country(empire, country, sound)]
    if not lines:
        return ()
    advice = [*_note("A sound turn: change what you like."), *_sound(empire, sound)]
    return (
        *lines[:_MOST_LINES],
        *(advice if sound else ()),
        *_waiting(empire, seat),
        "# EXECUTE",
        *_end(empire, seat, sound),
    )


def _sound(empire: Empire, sound: Sequence[Reasoned]) -> Iterator[str]:
    """Lines with their reason; what several in a row have in common stands above the first."""
    said = ""
    for one in sound:
        if one.why != said:
            yield from _note(one.why)
        yield BOOK.line(empire, one.order)
        said = one.why


def _end(empire: Empire, seat: Seat, sound: Sequence[Reasoned]) -> Iterator[str]:
    """ROLL OUT, live only where nobody would die of it."""
    if empire.active != seat or not dying(forecast(empire, seat, [one.order for one in sound])):
        yield "ROLL OUT"
        return
    yield from _note("People would die after these orders as they stand, so ROLL OUT is left to you:")
    yield "# ROLL OUT"


def _note(text: str) -> Iterator[str]:
    """Advice, in lines of an order sheet."""
    yield from wrap(
        text, _WIDTH, initial_indent="# ", subsequent_indent="#   ", break_long_words=False, break_on_hyphens=False
    )


# ---------------------------------------------------------------- the start


def _capital(empire: Empire, seat: Seat) -> Iterator[str]:
    yield from _note(
        f"Capitals are placed in the order of the cards, more than {in_bta(ALLOWANCE)} BTA apart: name squares, best first."
    )
    yield from _sound(empire, steady(empire, seat))


def _picks(empire: Empire, country: Country, sound: Sequence[Reasoned]) -> Iterator[str]:
    if empire.turn > 2 or empire.picks.get(country.name) or country.origin != "starting":
        return
    yield from _note(f"Take {how_many(empire)} picks by the end of turn 2: {', '.join((*PICKS, *LINES))}.")
    if not any(isinstance(one.order, TakePicks) for one in sound):
        yield from (BOOK.line(empire, order) for order in TakePicks.proposed(empire, country.owner))


# ---------------------------------------------------------------- a country


def _country(empire: Empire, country: Country, sound: Sequence[Reasoned]) -> Iterator[str]:
    food = empire.stock(country.name).get("food", 0)
    lacking = len(eaters(empire, country.name)) - food - _grows(empire, country)
    yield from _means(empire, country)
    # What the country has said of who eats; where food will lack, lines to say it.
    said = country.feeding
    for words, mouths in (("first", said.first), ("last", said.last)):
        if mouths:
            yield from _note(f"You feed {words}: {', '.join(part.words() for part in mouths)}.")
    for words, places in (("first out of", said.stores), ("nobody out of", said.spared)):
        if places:
            yield from _note(f"You feed {words} {', '.join(places)}.")
    if lacking > 0 and not sound:  # a sound turn feeds them
        yield from _note(
            f"As it stands {lacking} food will lack at the next turn. Who eats first, and out of which stores?"
        )
        yield from (f"# {BOOK.line(empire, order)}" for order in where_food_lacks(empire, country))
    yield from _picks(empire, country, sound)
    yield from _idle(empire, country, 0 if sound else max(_JOBS, min(_MOST_JOBS, -(-lacking // FOOD_YIELD))))
    yield from _factories(empire, country, [BOOK.line(empire, one.order) for one in sound])
    yield from _squares(empire, country)
    # Vehicles.
    alike: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in empire.units_of(country.name):
        if unit.kind != "coolie" and not unit.aboard:
            stands = f", {_STANDS[unit.status]}" if unit.status in _STANDS else ""
            how = "waits to be pulled" if KINDS[unit.kind].category == "hauled" else f"{_left(empire, unit)} BTA left"
            alike.setdefault((unit.kind, unit.at, f"{stands}, {how}"), []).append(unit)
    for (kind, at, how), units in alike.items():
        yield from _note(f"{in_runs(kind, [unit.number for unit in units])} in {at}{how}.")
    yield from _war(empire, country)


def _grows(empire: Empire, country: Country) -> int:
    return FOOD_YIELD * sum(worked.country == country.name and worked.kind in FOODS for worked in empire.worked)


def _means(empire: Empire, country: Country) -> Iterator[str]:
    stock = empire.stock(country.name)
    mouths, food = len(eaters(empire, country.name)), stock.pop("food", 0)
    grows = f"{_grows(empire, country)} more a turn from the squares worked"
    yield from _note(f"{country.name}: {counted(mouths, 'mouths')}, {food} food in store, {grows}.")
    yield from _note(f"Goods: {in_a_row([so_many(number, what) for what, number in stock.items()]) or 'none'}.")


def _idle(empire: Empire, country: Country, most: int) -> Iterator[str]:
    """Who has nothing to do, by square, and what the first of them could do."""
    squares: dict[tuple[str, str], list[Unit]] = {}
    for unit in idle_coolies(empire, country.name):
        squares.setdefault((unit.at, _left(empire, unit)), []).append(unit)
    for (at, left), units in squares.items():
        yield from _note(f"Idle in {at}, {left} BTA left: {in_runs('coolie', [unit.number for unit in units])}.")
    for orders in workplaces(empire, country, most):
        yield from (f"# {BOOK.line(empire, order)}" for order in orders if order is not None)


def _factories(empire: Empire, country: Country, ordered: Sequence[str]) -> Iterator[str]:
    """Factories without an order: lines that would run them, or what they lack; goods to consume. `ordered`: the sound turn."""
    running = {line.partition(" FOR ")[0] for line in ordered}
    for found in idle_factories(empire, country):
        if found.runs:
            line = BOOK.line(empire, run(empire, found.runs[0]))
            if line.partition(" FOR ")[0] in running:
                continue
            others = [f"{other.number} {other.product}" for other in found.runs[1:]]
            yield from _note(
                f"Idle: {found.factory} in {found.at}{f'; it could also make {in_a_row(others)}' if others else ''}."
            )
            yield f"# {line}"
        else:
            yield from _note(f"Idle: {found.factory} in {found.at}; it {found.lacks}.")
    left: dict[int, list[str]] = {}
    for order, edu in consumed(empire, country):
        if (line := BOOK.line(empire, order)) not in ordered:
            left.setdefault(edu, []).append(line)
    for edu, lines in left.items():
        yield from _note(f"Consumer goods, worth {edu} EDU when consumed:")
        yield from (f"# {line}" for line in lines)


def _squares(empire: Empire, country: Country) -> Iterator[str]:
    places: dict[str, list[str]] = {}
    for worked in empire.worked:
        if worked.country == country.name:
            places.setdefault(worked.kind, []).append(worked.at)
    if places:
        yield from _note(f"Worked: {'; '.join(f'{kind} in {in_a_row(where)}' for kind, where in places.items())}.")
    for work in empire.works:
        if work.country == country.name and work.left:
            yield from _note(f"Under way: {work.what} in {work.at}, {counted(work.left, 'turns')} left.")


def _war(empire: Empire, country: Country) -> Iterator[str]:
    """Who can be armed, and which attacks could be made; standing words on retreat."""
    yield from (f"# {BOOK.line(empire, order)}" for order in armings(empire, country))
    for order, odds in (*attacks(empire, country), *engagements(empire, country)):
        yield from _note(f"At odds {odds}:")
        yield f"# {BOOK.line(empire, order)}"
    for raid, odds in plunderings(empire, country):
        yield from _note(f"{odds}:")
        yield f"# {BOOK.line(empire, raid)}"
    for at, word in country.scramble.items():
        yield from _note(f"Fighters{f' in {at}' if at else ''} {word} scramble.")
    if country.retreat:
        yield from _note(f"Beaten formations go back towards {country.retreat}.")


def _left(empire: Empire, unit: Unit) -> str:
    return in_bta(left_for(empire, unit).bta)


def _waiting(empire: Empire, seat: Seat) -> Iterator[str]:
    for transfer in empire.transfers:
        if empire.accepts(transfer) == seat:
            yield f"# Transfer {transfer.number} from {transfer.giver} waits for you:"
            yield f"# {BOOK.line(empire, AcceptControl(transfer.number))}"
    for petition in empire.petitions:
        if not petition.result and seat not in petition.votes:
            yield from _note(f"Petition {petition.number} ({petition_kind(petition)}): {petition.text}")
            yield f"# {BOOK.line(empire, Vote(petition.number, 'yes'))}"
    # Lines of others that this seat may still read in another way.
    lines = {(order.slot, order.line): order for order in Interpret.proposed(empire, seat)}
    for doubtful in empire.doubtful:
        order = lines.get((doubtful.slot, doubtful.line))
        if order is not None:
            ways = "; ".join(f"{n}. {reading}" for n, reading in enumerate(doubtful.readings, 1))
            yield from _note(
                f"Line {doubtful.line} of {doubtful.seat} (slot {doubtful.slot}) was read as {doubtful.taken} of: {ways}."
            )
            yield f"# {BOOK.line(empire, order)}"
