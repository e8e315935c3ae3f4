"""What a sheet would do if nobody else did anything, found by playing the rules themselves on a scratch table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Doubt, Illegal, Intent, Under, bare
from referee.core.table import Table
from referee.games.empire.deeds.picks import end_of_picks, show_picks
from referee.games.empire.deeds.work.works import end_turn
from referee.games.empire.events import evolve
from referee.games.empire.events.cargo import GoodsSpoiled
from referee.games.empire.events.course import SlotOpened
from referee.games.empire.events.moving import AircraftCrashed
from referee.games.empire.events.opening import PicksAppeared
from referee.games.empire.events.supply import CooliesBorn, PersonDied, SquareGivenUp
from referee.games.empire.events.work.building import WorkDropped
from referee.games.empire.events.work.producing import GoodsMade, RunFellShort, StationRan
from referee.games.empire.orders.dealing.giving import GiveControl, GiveCountry, GiveGoods
from referee.games.empire.orders.dispatch import foresee
from referee.games.empire.orders.movement.move import MoveUnits, RollWind
from referee.games.empire.orders.opening import PlaceCapital
from referee.games.empire.orders.slot import Execute, RollOut
from referee.games.empire.orders.war.arming import arm_the_waiting
from referee.games.empire.orders.work.scrapping import Destroy
from referee.games.empire.phases.ending import end_moves
from referee.games.empire.phases.supply import begin_turn
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.conditions import coming
from referee.games.empire.reckoning.movement.routes import left_for
from referee.games.empire.reckoning.naming import in_runs, with_kinds
from referee.games.empire.reckoning.supply import Siege, eaters, sieges
from referee.games.empire.rulebook.kinds import KINDS, in_bta
from referee.games.empire.telling.outlook import Outlook, band_doubts, look_ahead, outlook_lines
from referee.kit.refused import Refused
from referee.kit.stock import gathered
from referee.kit.wording import capital, counted, in_a_row

_AT_MOST, _MOST_LINES = 20, 60

_DISAPPOINTS = WorkDropped | SquareGivenUp | AircraftCrashed | GoodsSpoiled | RunFellShort | PersonDied
"""What the end of a turn may bring that nobody has ordered."""


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
        _open(table, seat, _next_turn_of(table.state, seat))


def starving(empire: Empire, country: str) -> tuple[PersonDied, ...]:
    """Whom of a country hunger would kill at the beginning of its next slot, as things stand."""
    table, heard = _scratch(empire)
    seat = empire.countries[country].owner
    _open(table, seat, _next_turn_of(empire, seat))
    return tuple(event for event in heard if isinstance(event, PersonDied) and event.country == country)


def besieged_eat(empire: Empire, siege: Siege) -> str:
    """What food is left to people who are besieged, and whether it lasts over the beginning of their next turn."""
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
    """The beginning of a slot (emp.H-01, steps 1 to 3)."""
    table.state = replace(table.state, active=seat, turn=turn)
    table.emit(SlotOpened(seat))
    for country in table.state.owned(seat):
        show_picks(table, country.name)
        begin_turn(table, country.name)


def _tried(
    table: Table[Empire], seat: Seat, sheet: Sequence[Intent], chances: list[str], empire: Empire
) -> Iterator[Trouble]:
    """The orders one after the other. What hangs on a wind not rolled yet is passed over: nobody knows.

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
    """What is lawful in a sheet but will probably disappoint, as things stand."""
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
    # What a step beside others does to those there: food from outside is cut.
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
    """What factories would make, and where they would fall short."""
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
    """What is where it was, square by square."""
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
    """Who would die, where and of what."""
    if not died:
        return "all are fed"
    places = gathered(f"in {event.at} {event.why}" for event in died)
    return f"{len(died)} of them would die, {in_a_row([f'{number} {where}' for where, number in places.items()])}"
