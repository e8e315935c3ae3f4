"""The effects of a sheet, played out without dice, and told with their chances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.game import Fortune
from referee.core.names import Seat
from referee.core.order import Doubt, Illegal, Intent, Under, bare
from referee.core.table import Script, Table
from referee.games.empire.deeds.moving import end_of_picks, show_picks
from referee.games.empire.deeds.works import end_turn
from referee.games.empire.events import evolve
from referee.games.empire.events.air_and_sea import FlakFired, PlanesIntercepted, ShipPlundered, ShipsSunk, SquareBombed
from referee.games.empire.events.course import OrderRefused, PicksAppeared, SlotOpened
from referee.games.empire.events.economy import Named
from referee.games.empire.events.fighting import (
    BattleFought,
    CityFell,
    CooliesCaptured,
    CooliesKilled,
    FormationsDestroyed,
)
from referee.games.empire.events.moving import AircraftCrashed, GoodsSpoiled
from referee.games.empire.events.supply import CooliesBorn, PersonDied, SquareGivenUp
from referee.games.empire.events.work import GoodsMade, RunFellShort, StationRan, WorkDropped
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.arming import arm_the_waiting
from referee.games.empire.orders.base import Execute, RollOut
from referee.games.empire.orders.binding import attempt, foresee
from referee.games.empire.orders.giving import GiveControl, GiveCountry, GiveGoods
from referee.games.empire.orders.moving import MoveUnits, RollWind
from referee.games.empire.orders.scrapping import Destroy
from referee.games.empire.orders.zero_turn import PlaceCapital
from referee.games.empire.phases.supply import begin_turn
from referee.games.empire.phases.turn_end import end_moves
from referee.games.empire.position import Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.combat import RESULTS
from referee.games.empire.reckoning.conditions import coming
from referee.games.empire.reckoning.ownership import in_runs, with_kinds
from referee.games.empire.reckoning.routes import left_for
from referee.games.empire.reckoning.supply import Siege, eaters, sieges
from referee.games.empire.rulebook.kinds import KINDS, in_bta
from referee.games.empire.telling.outlook import Outlook, band_doubts, look_ahead, outlook_lines
from referee.kit.declared import AT_ONCE, Ahead, once_a_position
from referee.kit.refused import Refused
from referee.kit.stock import gathered
from referee.kit.wording import capital, counted, in_a_row

_AT_MOST, _MOST_LINES = 20, 60

_DISAPPOINTS = WorkDropped | SquareGivenUp | AircraftCrashed | GoodsSpoiled | RunFellShort | PersonDied
"""Unwelcome events at the end of a turn that nobody has ordered."""


class Trouble(msgspec.Struct, frozen=True):
    """A line of the sheet that could not be carried out as things stand."""

    intent: Intent
    why: Illegal


class Forecast(msgspec.Struct, frozen=True):
    """The positions before and after the orders, before the end-of-turn work; what was refused; what follows till the next.

    `chances` are those of attacks, `outlooks` what the end of the turn makes of budget and confidence, `picks` what of them
    the orders bring at once.
    """

    before: Empire
    after: Empire
    refused: tuple[Trouble, ...]
    end: tuple[Event, ...]
    next_turn: Empire
    starts: tuple[Event, ...]
    chances: tuple[str, ...] = ()
    outlooks: tuple[Outlook, ...] = ()
    picks: tuple[PicksAppeared, ...] = ()


# ---------------------------------------------------------------- playing ahead


def forecast(empire: Empire, seat: Seat, sheet: Sequence[Intent]) -> Forecast:
    """Carry a sheet out alone: in the open slot, or in the seat's next one."""
    table, heard = _scratch(empire)
    open_next(table, seat)
    before = table.state
    chances: list[str] = []
    refused = tuple(_tried(table, seat, sheet, chances, empire))
    after = table.state
    picks = tuple(event for event in heard if isinstance(event, PicksAppeared))
    del heard[:]
    for country in after.owned(seat):
        end_moves(table, country.name)
        end_turn(table, country.name)
        arm_the_waiting(table, country.name)
        end_of_picks(table, country.name)
    outlooks = tuple(look_ahead(table, country.name) for country in after.owned(seat))
    end = tuple(heard)
    del heard[:]
    _open(table, seat, table.state.turn + 1)
    return Forecast(before, after, refused, end, table.state, tuple(heard), tuple(chances), outlooks, picks)


def open_next(table: Table[Empire], seat: Seat) -> None:
    """The beginning of a seat's next slot; nothing where its slot is open."""
    if table.state.active != seat:
        _open_again(table, seat)


def _open_again(table: Table[Empire], seat: Seat) -> None:
    known = _openings(table.state)
    if seat not in known:
        ahead, heard = _scratch(table.state)
        _open(ahead, seat, _next_turn_of(table.state, seat))
        known[seat] = ahead.state, heard
    table.state, heard = known[seat]
    for event in heard:
        table.heard(event)


@once_a_position(4)
def _openings(empire: Empire) -> dict[Seat, tuple[Empire, list[Event]]]:
    """How the next slots open, seat by seat: whatever looks ahead from a position begins with that."""
    return {}


def starving(empire: Empire, country: str) -> tuple[PersonDied, ...]:
    """The persons of a country whom hunger would kill at the beginning of its next slot, as things stand."""
    table, heard = _scratch(empire)
    seat = empire.countries[country].owner
    _open_again(table, seat)
    return tuple(event for event in heard if isinstance(event, PersonDied) and event.country == country)


def besieged_eat(empire: Empire, siege: Siege) -> str:
    """The food left to besieged people, and whether it lasts over the beginning of their next turn."""
    dying = len(starving(empire, siege.country))
    fate = f"{dying} of {siege.country} would die" if dying else "nobody would die"
    left = "No food from outside reaches them, and theirs feeds nobody outside"
    return f"{siege.larders()}. {left}; as things stand {fate} at {siege.country}'s next turn."


def _scratch(empire: Empire) -> tuple[Table[Empire], list[Event]]:
    table: Table[Empire] = Table("forecast", empire, Keyed(b"forecast", 0), evolve)
    heard: list[Event] = []
    table.heard = heard.append
    return table, heard


def _next_turn_of(empire: Empire, seat: Seat) -> int:
    order = list(empire.order)
    past = empire.active is not None and order.index(seat) < order.index(empire.active)
    return max(1, empire.turn + past)


def _open(table: Table[Empire], seat: Seat, turn: int) -> None:
    """The beginning of a slot: its steps 1 to 3."""
    table.state = replace(table.state, active=seat, turn=turn)
    table.emit(SlotOpened(seat))
    for country in table.state.owned(seat):
        show_picks(table, country.name)
        begin_turn(table, country.name)


def _tried(
    table: Table[Empire], seat: Seat, sheet: Sequence[Intent], chances: list[str], empire: Empire
) -> Iterator[Trouble]:
    """The orders one after the other. An order that hangs on a wind not rolled yet is passed over: nobody knows.

    `chances` gathers those of the attacks.
    """
    known = bool(table.state.wind)
    for _, intent in coming(table, seat, sheet):
        if isinstance(intent, RollOut):
            return
        if isinstance(intent, Execute | PlaceCapital) or (not known and _sails(table.state, intent)):
            continue
        try:
            chances += foresee(table, seat, intent)
        except Refused as refused:
            yield Trouble(intent, _in_time(empire, table.state, refused.illegal))


def _in_time(now: Empire, then: Empire, why: Illegal) -> Illegal:
    """Why an order fails: of a unit that is there now and will have died by then it says so."""
    number = int(why.at) if why.at.isdecimal() else 0
    lost = then.gone.get(number)
    if lost is None or not lost.died or number not in now.units:
        return why
    return replace(why, sentence=f"by then {lost.kind} {number} would have died {lost.died}.")


def _sails(empire: Empire, intent: Intent) -> bool:
    """Whether an order is the die of the wind itself, or moves what hangs on it."""
    units = intent.units if isinstance(intent, MoveUnits) else ()
    windy = any(number in empire.units and KINDS[empire.units[number].kind].wind for number in units)
    return isinstance(intent, RollWind) or windy


# ---------------------------------------------------------------- doubts


def doubts(empire: Empire, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """Lawful lines of a sheet that will probably disappoint, as things stand."""
    if empire.stage != "play" or empire.ended or not sheet or not empire.owned(seat):
        return ()
    found: dict[Doubt, None] = {}
    for doubt in chain(_told_first(empire, seat, sheet), _found(forecast(empire, seat, sheet))):
        found[doubt] = None
        if len(found) == _AT_MOST:
            break
    return tuple(found)


def _told_first(empire: Empire, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """Readings nobody may expect: no condition goes with a gift, people die in their player's slot (IV.C)."""
    for intent in sheet:
        order = bare(intent)
        if isinstance(intent, Under) and isinstance(order, GiveControl | GiveGoods | GiveCountry):
            accepted = f"once {order.to} has accepted it is his, without condition"
            yield Doubt(f"The IF says only when it is offered: {accepted}.", "emp.P12")
        if isinstance(order, Destroy) and order.what == "itself" and empire.active != seat:
            yield Doubt(f"{order.meaning().rstrip('.')}: done in your own slot, for nobody acts out of turn.", _RAZING)


_RAZING = "emp.board.destruction"


def _found(seen: Forecast) -> Iterator[Doubt]:
    for trouble in seen.refused:
        why = trouble.why
        order = with_kinds(seen.before, trouble.intent.meaning()).rstrip(".")
        yield Doubt(f'"{order}", as things stand: {why.sentence}', why.rule, True, instead=why.instead)
    for picks in seen.picks:
        if picks.lost:
            yield Doubt(f"As things stand: {picks.sentence()}", picks.rule, True)
    for event in seen.end:
        if isinstance(event, _DISAPPOINTS):
            yield Doubt(f"As things stand: {event.sentence()}", event.cites())
    # The effect of a step beside others on those there: food from outside is cut.
    seat = seen.after.active
    stood = {(siege.country, at) for siege in _sieges_of(seen.before, seat) for at, *_ in siege.places}
    for siege in _sieges_of(seen.after, seat):
        if {(siege.country, at) for at, *_ in siege.places} - stood:
            step = f"{capital(siege.besiegers())} would besiege people of {siege.country}"
            end = f"If you mean no siege, TREAT {siege.country} AS friendly."
            yield Doubt(f"{step}: {besieged_eat(seen.after, siege)} {end}", "emp.F2")
    for outlook in seen.outlooks:
        yield from band_doubts(outlook)
    for event in seen.starts:
        if isinstance(event, PicksAppeared) and event.lost:
            yield Doubt(f"As things stand, at your next turn: {event.sentence()}", event.rule)
    starved = [event for event in seen.starts if isinstance(event, PersonDied)]
    if starved:
        kinds = dict.fromkeys(event.kind for event in starved)
        who = in_a_row([in_runs(kind, [event.number for event in starved if event.kind == kind]) for kind in kinds])
        yield Doubt(f"At the start of your next turn {who} would die {starved[0].why}.", starved[0].by_rule, loss=True)


def _sieges_of(empire: Empire, seat: Seat | None) -> Iterator[Siege]:
    """Sieges of others by a seat's formations, named for these alone."""
    for siege in sieges(empire):
        own = tuple(unit for unit in siege.by if empire.countries[unit.country].owner == seat)
        if own:
            yield replace(siege, by=own)


# ---------------------------------------------------------------- PREVIEW


def preview(empire: Empire, seat: Seat, sheet: Sequence[Intent]) -> tuple[str, ...]:
    """Where everything stands after the sheet, the BTA left of what moved, what factories make, the mouths to feed, the budget."""
    if empire.stage != "play" or empire.ended or not empire.owned(seat):
        return ()
    seen = forecast(empire, seat, sheet)
    lines = [*_moved(seen, seat), *_stayed(seen, seat)]
    more = [f"... and {counted(len(lines) - _MOST_LINES, 'more')}."] if len(lines) > _MOST_LINES else []
    ends = [line for outlook in seen.outlooks for line in outlook_lines(outlook)]
    return (*seen.chances, *lines[:_MOST_LINES], *more, *_made(seen), *_mouths(seen, seat), *ends)


def _made(seen: Forecast) -> Iterator[str]:
    """The products of factories, and the goods of which they would fall short."""
    for event in seen.end:
        if isinstance(event, GoodsMade | RunFellShort | StationRan):
            yield event.sentence()


def _own(seen: Forecast, seat: Seat) -> Iterator[tuple[Unit, bool]]:
    """Every unit, and whether the orders did anything to it."""
    for country in seen.after.owned(seat):
        for unit in seen.after.units_of(country.name):
            yield unit, seen.before.units.get(unit.number) != unit


def _moved(seen: Forecast, seat: Seat) -> Iterator[str]:
    """Units alike in one place and with as much left stand in one line."""
    alike: dict[tuple[str, str, str], list[int]] = {}
    for unit, moved in _own(seen, seat):
        if moved:
            left = in_bta(left_for(seen.after, unit).bta)
            alike.setdefault((unit.kind, f"{unit.at}{_where(seen.after, unit)}", left), []).append(unit.number)
    for (kind, where, left), numbers in alike.items():
        yield f"{in_runs(kind, numbers)}: {where}, {left} BTA left."


def _stayed(seen: Forecast, seat: Seat) -> Iterator[str]:
    """The units that are where they were, square by square."""
    squares: dict[str, dict[str, list[int]]] = {}
    for unit, moved in _own(seen, seat):
        if not moved:
            squares.setdefault(unit.at, {}).setdefault(unit.kind, []).append(unit.number)
    for at, kinds in squares.items():
        yield f"As before in {at}: {'; '.join(in_runs(kind, numbers) for kind, numbers in kinds.items())}."


def _where(after: Empire, unit: Unit) -> str:
    if unit.aboard:
        return f" aboard {after.units[unit.aboard].kind} {unit.aboard}"
    return {"dock": " in dock", "beach": " on the beach", "air": " in the air", "submerged": " under water"}.get(
        unit.status, ""
    )


def _mouths(seen: Forecast, seat: Seat) -> Iterator[str]:
    for country in seen.next_turn.owned(seat):
        name = country.name
        born = sum(isinstance(event, CooliesBorn) and event.country == name for event in seen.starts)
        died = [event for event in seen.starts if isinstance(event, PersonDied) and event.country == name]
        mouths = len(eaters(seen.next_turn, name)) + len(died)
        births = f", {born} of them new-born" if born else ""
        yield f"{name} has {counted(mouths, 'mouths')} to feed at its next turn{births}: {_fate(died)}."


def _fate(died: Sequence[PersonDied]) -> str:
    """The persons who would die, with place and cause."""
    if not died:
        return "all are fed"
    places = gathered(f"in {event.at} {event.why}" for event in died)
    return f"{len(died)} of them would die, {in_a_row([f'{number} {where}' for where, number in places.items()])}"


# ---------------------------------------------------------------- rehearsal
# The orders of a slot carried out with dice for PREVIEW: who is lost, what falls and what is hit, and how often.


def rehearse(table: Table[Empire], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
    """The orders one after the other, up to ROLL OUT; the end of the turn has no die but that of confidence."""
    if table.state.stage != "play" or table.state.ended or not table.state.owned(seat):
        return
    open_next(table, seat)
    for line, intent in coming(table, seat, sheet):
        if isinstance(intent, RollOut):
            break
        if not isinstance(intent, Execute | PlaceCapital):
            attempt(table, seat, line, intent)
    yield from ()


# ---------------------------------------------------------------- what came of it


def fortunes(seat: Seat, before: Empire, events: Sequence[Event], after: Empire) -> Iterator[Fortune]:
    """Attacks, raids and boardings, who is lost in them on both sides, what falls, and orders that then cannot be done."""
    own = {country.name for country in before.owned(seat)}
    for event in events:
        match event:
            case BattleFought():
                yield Fortune(f"Attack on {event.at}", RESULTS.get(event.result, event.result))
            case SquareBombed():
                yield Fortune(
                    f"Bombs on the {event.what} in {event.at}", f"{event.gone} destroyed" if event.gone else "it stands"
                )
            case ShipPlundered():
                taken = f"{event.to} takes it" if event.taken else f"{event.to} does not take it"
                yield Fortune(f"Plundering {event.kind} {event.unit}", taken)
            case CityFell():
                yield Fortune(f"City {event.city}", f"it falls to {event.to}")
            case CooliesCaptured():
                numbers = "coolie" if len(event.units) == 1 else f"{len(event.units)} coolies"
                yield Fortune(f"Captured from {event.giver}", f"{numbers} in {event.at}")
    yield from _losses(own, before, events)
    for event in events:
        if isinstance(event, OrderRefused) and event.seat == seat:
            yield Fortune(f"Line {event.line}", f"not carried out ({event.why.rstrip('.')})", event.sentence())


def _losses(own: set[str], before: Empire, events: Sequence[Event]) -> Iterator[Fortune]:
    """Units by name, of those that were there before the orders."""
    for event in events:
        for number, kind in _lost(event):
            unit = before.units.get(number)
            if unit is not None:
                yield Fortune("Lost of yours" if unit.country in own else f"Lost of {unit.country}", f"{kind} {number}")


def _lost(event: Event) -> Named:
    match event:
        case FormationsDestroyed() | CooliesKilled():
            return event.units
        case ShipsSunk():
            return event.ships
        case CityFell():
            return event.lost
        case PlanesIntercepted() | FlakFired():
            return event.downed
        case SquareBombed() | ShipPlundered():
            return tuple((number, kind) for number, kind, _ in event.losses.units)
    return ()


_AT_ONCE = BOOK.verbs_of(AT_ONCE)


def ahead(empire: Empire, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[Empire]:
    """The position in the seat's slot after this sheet, as far as it is certain."""
    if empire.stage != "play" or empire.ended or not empire.owned(seat) or (empire.active == seat and not sheet):
        return lambda _: empire
    orders = tuple(sheet)
    return lambda verb: empire if verb in _AT_ONCE else _in_slot(empire, seat, orders)


class _Slot(NamedTuple):
    """A slot that was played ahead, from a position that never changes, and what came of it."""

    empire: Empire
    seat: Seat
    sheet: tuple[Intent, ...]
    then: Empire


_LAST: list[_Slot] = []
"""The slot that was asked for last, at most one: each step of each order asks for the same."""


def _in_slot(empire: Empire, seat: Seat, sheet: tuple[Intent, ...]) -> Empire:
    for last in _LAST:
        if last.empire is empire and (last.seat, last.sheet) == (seat, sheet):
            return last.then
    table: Table[Empire] = Table("ahead", empire, Keyed(b"ahead", 0), evolve)
    open_next(table, seat)
    for intent in sheet:
        with suppress(Refused):
            foresee(table, seat, bare(intent))
    _LAST[:] = [_Slot(empire, seat, sheet, table.state)]
    return table.state


def as_if_at(empire: Empire, piece: str, place: str) -> Empire | None:
    """The position if a unit, by its kind and number, stood in a square and were its country's only one."""
    unit = empire.units.get(int(piece.rpartition(" ")[2])) if piece.rpartition(" ")[2].isdecimal() else None
    if unit is None or place not in empire.board.squares:
        return None
    others = {number: one for number, one in empire.units.items() if one.country != unit.country}
    return replace(empire, units={**others, unit.number: replace(unit, at=place)})


def examples(empire: Empire, seat: Seat) -> Mapping[str, str]:
    """A line for every verb and test that this position has one for, by the word."""
    if empire.ended:
        return {}
    then = ahead(empire, seat)
    found = ((verb, next(iter(kind.proposed(then(verb), seat)), None)) for verb, kind in BOOK.orders.items())
    said = {verb: BOOK.line(then(verb), order) for verb, order in found if order is not None}
    for country in empire.owned(seat):
        said = dict(_tests(empire, country)) | said
    return said


def _tests(empire: Empire, country: Country) -> Iterator[tuple[str, str]]:
    home = next((city.at for city in empire.cities.values() if city.country == country.name), "")
    other = next((c.name for c in empire.countries.values() if not c.dead and c.owner != country.owner), "")
    if other:
        yield "TREATS", f"{other} TREATS {country.name} AS hostile"
    if other and home:
        yield "OWNS", f"{other} OWNS {home}"
    if home:
        yield "food", f"food IN {home} >= 10"
        yield "coolies", f"coolies IN {home} >= 10"
