"""The orders of a steady player of Empire in his slot, and his reasons; the order sheet of a letter is that turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from textwrap import wrap

import msgspec
from msgspec.structs import replace

from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.bots.estate import Estate
from referee.games.empire.bots.strategies import BREWERY, Workshop, cart, haul
from referee.games.empire.deeds.moving import LINES, PICKS, how_many
from referee.games.empire.deeds.works import CONSUMABLE, edu_of_good, idle_factories
from referee.games.empire.events.supply import PersonDied
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.arming import armings
from referee.games.empire.orders.attack import attacks, engagements
from referee.games.empire.orders.base import Interpret, RollOut
from referee.games.empire.orders.building import Build
from referee.games.empire.orders.feeding import where_food_lacks
from referee.games.empire.orders.giving import AcceptControl
from referee.games.empire.orders.industry import Consume, Produce, consumed, run
from referee.games.empire.orders.loading import Load, Unload
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.petitions import Vote
from referee.games.empire.orders.raids import plunderings
from referee.games.empire.orders.standing import AllowBirths, SuppressBirths
from referee.games.empire.orders.units import idle_coolies
from referee.games.empire.orders.working import Abandon, Develop, Found, workplaces
from referee.games.empire.orders.zero_turn import PlaceCapital, TakePicks
from referee.games.empire.position import FOODS, Position, Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.budget import QUARTERS
from referee.games.empire.reckoning.conditions import default_capital, may_settle
from referee.games.empire.reckoning.ownership import confidence, in_runs
from referee.games.empire.reckoning.routes import left_for
from referee.games.empire.reckoning.supply import eaters
from referee.games.empire.reckoning.work import STATION
from referee.games.empire.rulebook import CITY_POINTS, FOOD_YIELD
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS, in_bta, so_many, word_for
from referee.games.empire.rulebook.plans import FACTORIES, STATION_POWER
from referee.games.empire.telling.forecast import Forecast, forecast
from referee.games.empire.telling.outlook import Outlook
from referee.games.empire.telling.sheets.slots import petition_kind
from referee.kit.wording import counted, in_a_row


class Habits(msgspec.Struct, frozen=True):
    """The habits in which steady players differ."""

    works: tuple[str, ...] = (
        "power station",
        BREWERY,
        "motor works",
        "steel mill",
        "building materials factory",
        "cargo shipyard",
        BREWERY,
    )
    begun: int = 2
    """So many of them are begun on the first turn, and one more in each later one."""
    used: tuple[str, ...] = ("C", "Fe", "O", "Rr")
    """The resources that these works use; squares of anything else are left as soon as they have given their EDU."""
    first: int = 5
    opened: int = 2
    """Squares opened on the first turn, and in each later one."""
    colonies: tuple[int, ...] = (2, 2, 3, 3)
    """The turns in which colonies are founded, one more in each third turn after them."""
    food: int = 6
    """Food a turn that is grown beyond what is eaten, and as much more for each distillery."""
    hands: int = 6
    """Births are allowed while fewer than so many coolies at home have nothing to do."""
    spared: int = 2
    """Food that births leave uneaten."""
    kept: int = 6
    """Food that is not made into beer, and one for each city founded, where somebody is born: not all reaches all mouths."""
    coal: int = 1
    """Coal that is not made into steel: stations burn it."""


STEADY = Habits()

_TRIES = 8
"""So often what would be refused, or would kill somebody, is left out: an order may hang on another."""


def steady(empire: Empire, seat: Seat, habits: Habits = STEADY) -> tuple[Reasoned, ...]:
    """The sheet of a seat's open slot; before the play the free starts, best first."""
    if empire.stage != "play":
        free = tuple(at for at in empire.board.starts if may_settle(empire, at))
        capital = PlaceCapital(free or (default_capital(empire),), f"{seat} City")
        return (Reasoned(capital, "Fields and resources lie around these."),)
    if empire.active != seat or empire.ended:
        return ()
    end = Reasoned(RollOut(), "Your slot ends, and confidence is rolled.")
    sheet = tuple(line for country in empire.owned(seat) for line in _planned(empire, country.name, habits))
    called = set[int]()
    for _ in range(_TRIES):
        seen = forecast(empire, seat, [line.order for line in sheet])
        refused, dead = [trouble.intent for trouble in seen.refused], dying(seen)
        kept = tuple(line for line in sheet if line.order not in refused and not dead.keys() & named(line.order))
        born = {at for number, at in dead.items() if number not in seen.before.units}
        closed = {line.order.city for line in kept if isinstance(line.order, SuppressBirths)}
        barren = [city.name for city in empire.cities.values() if city.at in born and city.name not in closed]
        kept = (
            *(line for line in kept if not (isinstance(line.order, AllowBirths) and line.order.city in barren)),
            *(Reasoned(SuppressBirths(city), "Coolies born there would starve.") for city in barren),
        )
        afar = _called(empire, kept, dead.keys() - called)
        called |= dead.keys()
        kept = (*afar, *kept)
        if kept == sheet:
            break
        sheet = kept
    return (*_thrifty(empire, seen, sheet), end)


def _called(empire: Empire, sheet: Sequence[Reasoned], dying: Collection[int]) -> Iterator[Reasoned]:
    """Idle units that would starve where they are come home."""
    homes = {city.country: city.at for city in empire.cities.values() if city.capital}
    idle = set(dying) - {number for line in sheet for number in named(line.order)}
    for number in sorted(idle):
        unit = empire.units.get(number)
        if unit is not None and unit.kind == "coolie" and unit.at != homes.get(unit.country, unit.at):
            yield Reasoned(MoveUnits((number,), homes[unit.country]), "Coolies with nothing to eat there come home.")


def _thrifty(empire: Empire, seen: Forecast, sheet: Sequence[Reasoned]) -> Iterator[Reasoned]:
    """Of consumer goods no more are consumed than lift confidence as far as a budget can; the others do so in later turns."""
    spare = {outlook.country: _spare(empire, outlook) for outlook in seen.outlooks}
    for line in sheet:
        order = line.order
        if isinstance(order, Consume) and order.units and empire.turn < int(empire.options["last_turn"]):
            country, kept = empire.units[order.units[0]].country, list(order.units)
            while kept and spare.get(country, 0) >= (edu := edu_of_good(empire, empire.units[kept[-1]].kind)):
                spare[country] -= edu
                kept.pop()
            if not (kept or order.goods):
                continue
            line = Reasoned(replace(order, units=tuple(kept)), line.why)
        yield line


def _spare(empire: Empire, outlook: Outlook) -> int:
    """EDU beyond what moves confidence most."""
    house, budget = confidence(empire), outlook.budget
    step = house.scale + Fraction(budget.fund, QUARTERS * house.fund)
    return int((budget.balance(outlook.share) - (house.black - 1) * step) * Fraction(4, 5)) - 2


def dying(seen: Forecast) -> dict[int, Position]:
    """The persons who would die at the end of the turn or at the beginning of the next, with their places."""
    return {event.number: event.at for event in (*seen.end, *seen.starts) if isinstance(event, PersonDied)}


def named(order: Intent) -> set[int]:
    """The units that an order sends somewhere or sets to work: a unit that would die of it stays."""
    return {*getattr(order, "units", ()), *(getattr(order, name, 0) for name in ("unit", "carrier"))} - {0}


# ---------------------------------------------------------------- a country


def _planned(empire: Empire, country: str, habits: Habits) -> Iterator[Reasoned]:
    if any(city.country == country for city in empire.cities.values()):
        estate = Estate(empire, country)
        _plan(estate, habits)
        yield from map(Reasoned, estate.sheet, _reasons(empire, estate.sheet))


def _plan(estate: Estate, habits: Habits) -> None:
    empire, shop, turn = estate.empire, Workshop(estate), estate.turn
    if turn <= 2 and not empire.picks.get(estate.country) and empire.countries[estate.country].origin == "starting":
        estate.sheet.append(TakePicks(("truck",) * how_many(empire)))
    estate.consume()
    estate.prune(habits.used)
    haul(estate)
    cart(estate)
    late = turn > max(habits.colonies, default=0) and turn % 3 == 0
    founded = habits.colonies.count(turn) + late
    food = habits.food * (1 + estate.coming(BREWERY)) + founded
    estate.feed(food if turn > 1 else 0, estate.hands < habits.hands, habits.spared)
    for _ in range(founded):
        estate.colony()
    estate.build(*estate.lacking(*habits.works[: habits.begun + turn - 1]))
    shop.goods(spared=habits.kept + founded)
    shop.steel(keep=habits.coal)
    shop.machines()
    estate.open_up(habits.opened if turn > 1 else habits.first, estate.scarce(*habits.used))


# ---------------------------------------------------------------- reasons


def _reasons(empire: Empire, sheet: Sequence[Intent]) -> Iterator[str]:
    """Of each order why; who goes somewhere goes for what he does next."""
    for at, order in enumerate(sheet):
        own = named(order)
        later = [then for then in sheet[at + 1 :] if own & named(then)] if isinstance(order, _GOINGS) else []
        yield _why(empire, next((then for then in later if not isinstance(then, _GOINGS)), order))


_GOINGS = (Load, MoveUnits)


def _why(empire: Empire, order: Intent) -> str:
    match order:
        case TakePicks():
            return "A truck brings home what lies in squares."
        case Consume():
            return "Consumer goods give EDU: fund and confidence."
        case Abandon():
            return f"More {word_for(order.kind)} is of no use, and the square weighs on."
        case Unload():
            return "Goods come home, where works use them."
        case Found():
            return f"A city is {CITY_POINTS} points, and a coolie a turn where fed."
        case Develop(kind=kind) if kind in FOODS:
            return f"A field gives {FOOD_YIELD} food a turn."
        case Develop():
            return f"A new square gives EDU once, {word_for(order.kind)} each turn."
        case AllowBirths():
            return "There is food for more, and work."
        case SuppressBirths():
            return "More mouths would only eat."
        case Build(what=what) if what == STATION:
            return f"A station gives {STATION_POWER} power; factories need it."
        case Build(what=what):
            made = [product for recipe in FACTORIES[what].recipes for product in recipe.makes]
            goods = (
                "consumer goods: EDU" if set(made).intersection(CONSUMABLE) else f"{word_for(made[0])} for other works"
            )
            return f"It makes {goods}."
        case Produce():
            edu = order.number * edu_of_good(empire, order.product) if order.product in CONSUMABLE else 0
            return f"Consumed they give {edu} EDU." if edu else f"Works use {word_for(order.product)}."
    return "He who has nothing more to do there goes home or back."


# ---------------------------------------------------------------- the next order sheet, half filled in
# The stocks, the work that waits, and lines to be edited.


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
    # The country's word on its eaters; where food will lack, lines to say it.
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
    """Idle units by square, and the work that the first of them could do."""
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
    """The units that can be armed, and the attacks that could be made; standing words on retreat."""
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
