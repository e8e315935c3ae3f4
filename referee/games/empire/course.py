"""The course of a match: the board, the zero turn, then slot after slot in movement order (emp.P3, emp.P6 to emp.P10, emp.H-01)."""

from __future__ import annotations

from functools import partial, reduce
from operator import or_
from typing import Any

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.game import Phase
from referee.core.names import Seat
from referee.core.order import Intent, due
from referee.core.question import Answer, Orders, Pace, Question, Source
from referee.core.table import Script, Table
from referee.games.empire.bots import suggest
from referee.games.empire.deeds.debts import (
    bona_fide,
    change_house_rules,
    ends_the_game,
    judge_band,
    settle_dues,
    settle_petitions,
    vote_quorum,
)
from referee.games.empire.deeds.fighting import cities_fall
from referee.games.empire.deeds.moving import end_of_picks, show_picks
from referee.games.empire.deeds.works import end_turn
from referee.games.empire.events.course import (
    ConfidenceRolled,
    CountryDissolved,
    GameEnded,
    GovernmentLost,
    GovernmentNamed,
    OrderRefused,
    RolledOut,
    SlotCame,
    SlotOpened,
)
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.arming import arm_the_waiting
from referee.games.empire.orders.base import SLOT, AsideOrder, Assault, Execute, RollOut, SlotOrder
from referee.games.empire.orders.binding import attempt
from referee.games.empire.orders.lasting import BIRTHS
from referee.games.empire.phases import begin_turn, close_budget, end_moves, lay_board, move_confidence, zero_turn
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.conditions import coming, holds, tally
from referee.games.empire.reckoning.ownership import with_kinds
from referee.games.empire.rulebook.kinds import KINDS

_IN_SLOT = tuple(
    kind
    for kind in BOOK.intents
    if issubclass(kind, SlotOrder) and (kind in BIRTHS or not issubclass(kind, AsideOrder))
)
"""What a sheet may hold. A bot, who has no other place for a word on births, may have it in his."""

_SHEET: Any = reduce(or_, _IN_SLOT)

VERBS = BOOK.verbs_of(SLOT)
"""What may be ordered in one's own slot."""


def next_phase(empire: Empire) -> Phase[Empire] | None:
    """The board, the capitals, then a phase for each slot; None when the game is over."""
    if empire.ended:
        return None
    match empire.stage:
        case "board":
            return Phase("T0/board", 0, "The board", lay_board)
        case "capitals":
            return Phase("T0/capitals", 1, "Zero turn: capitals", partial(zero_turn, suggest=suggest))
    assert empire.active is not None  # in play a slot is always somebody's
    title = f"Turn {empire.turn}: {empire.active}"
    return Phase(f"T{empire.turn}/{empire.active}", empire.slot, title, partial(play_slot, seat=empire.active))


def living(empire: Empire) -> tuple[Seat, ...]:
    """Seats that run a country, in movement order; before capitals stand, everybody."""
    if empire.stage != "play":
        return empire.order
    return tuple(seat for seat in empire.order if empire.owned(seat))


def slots(empire: Empire, turn: int) -> tuple[Seat, ...]:
    """emp.P2: who has a slot in a turn, in movement order: bona fide players; everybody who runs a country where none is one."""
    return bona_fide(replace(empire, turn=turn)) or living(empire)


# ---------------------------------------------------------------- a slot


def play_slot(table: Table[Empire], seat: Seat) -> Script[None]:
    """emp.H-01: what appears, births, food; orders in parts until the roll; end-of-turn work; the roll of confidence."""
    table.emit(SlotOpened(seat))
    for country in _moving(table.state):
        _begin(table, country.name)
    cities_fall(table)
    last, rolls = yield from _orders(table, seat)
    for country in _moving(table.state):
        end_moves(table, country.name)
        end_turn(table, country.name)
        arm_the_waiting(table, country.name)
        end_of_picks(table, country.name)
    cities_fall(table)
    _roll_out(table, seat, last, rolls)
    _pass_on(table)


def _moving(empire: Empire) -> tuple[Country, ...]:
    """Countries whose turn this slot is, also those split off or handed on in it; not who has moved already (emp.P17)."""
    return tuple(country for country in empire.countries.values() if country.slot == empire.slot and not country.dead)


def _begin(table: Table[Empire], country: str) -> None:
    judge_band(table, country)
    _name_government(table, country)
    show_picks(table, country)
    begin_turn(table, country)


def _name_government(table: Table[Empire], country: str) -> None:
    """emp.H-07: at its own next turn a country without a government makes a coolie in a city its government."""
    empire = table.state
    if not empire.countries[country].leaderless:
        return
    cities = [city.at for city in empire.cities.values() if city.country == country]
    found = next((unit for unit in empire.units_of(country, "coolie") if unit.at in cities), None)
    if found is not None:
        table.emit(GovernmentNamed(country, found.number))


def _orders(table: Table[Empire], seat: Seat) -> Script[tuple[Answer[tuple[Intent, ...]], bool]]:
    """Sheet after sheet, each carried out as far as it goes, until one rolls out (True) or the time is over."""
    part, before = 1, 0
    while True:
        answer = yield from table.ask(_sheet(table, seat, part))
        own = _own_word(table.state, seat, answer)
        for line, intent in coming(table, seat, answer.value):
            if isinstance(intent, RollOut):
                return answer, True
            if isinstance(intent, Assault) and not own:
                order = with_kinds(table.state, intent.meaning())
                table.emit(OrderRefused(seat, before + line, order, _NOT_IMPLIED, "emp.P9"))
            elif not isinstance(intent, Execute):
                attempt(table, seat, before + line, intent)
        # A sheet without ROLL OUT ends the slot where somebody rolled out, where nobody wrote it, or with nothing in it.
        if answer.by or answer.source is not Source.PLAYER or not answer.value:
            return answer, False
        part, before = part + 1, before + len(answer.value)


def _own_word(empire: Empire, seat: Seat, answer: Answer[tuple[Intent, ...]]) -> bool:
    """Whether the player himself has the orders carried out: by ROLL OUT or EXECUTE in them, or a later letter (emp.P9)."""
    if answer.by:
        return False
    said = due(answer.value, lambda condition: holds(empire, seat, condition))
    return answer.source is Source.PLAYER or any(isinstance(intent, RollOut | Execute) for intent in said)


_NOT_IMPLIED = "An attack is never implied: only who rolls out himself, or writes EXECUTE, makes it."


def _sheet(table: Table[Empire], seat: Seat, part: int) -> Question[tuple[Intent, ...]]:
    empire = table.state

    def suggested(pick: Pick) -> tuple[Intent, ...]:
        return tuple(intent for intent in suggest(empire, seat, pick) if isinstance(intent, _IN_SLOT))

    more = f" {part}" if part > 1 else ""
    text = f"Your orders for turn {empire.turn}{f', part {part}' if part > 1 else ''}; ROLL OUT ends your slot."
    menu = Orders(VERBS, _SHEET, suggested)
    return Question(f"{table.phase}/orders{more}", seat, text, menu, Pace.SLOT, "emp.P6")


# ---------------------------------------------------------------- rolling out


def modified_roll(roll: int, late: int) -> int:
    """emp.P8: one less for every full day late, never below 2."""
    return max(2, roll - late)


def _roll_out(table: Table[Empire], seat: Seat, last: Answer[tuple[Intent, ...]], rolls: bool) -> None:
    """emp.P6 to emp.P10: the note, then each country's own roll; all of them are late alike."""
    by = last.by or (str(seat) if rolls or last.source is Source.PLAYER else "the referee")
    table.emit(RolledOut(seat, table.state.turn, by, last.late_by, table.at))
    for country in _moving(table.state):
        settle_dues(table, country.name)
        budget, losses = close_budget(table, country.name)
        first, second = table.roll(2, 6, f"Confidence of {country.name}", "emp.P6")
        roll = first + second
        modified = modified_roll(roll, last.late_by)
        table.emit(ConfidenceRolled(country.name, roll, last.late_by, modified))
        move_confidence(table, country.name, modified, budget, losses)
    vote_quorum(table, seat)
    settle_petitions(table)


def _losses(table: Table[Empire]) -> None:
    """emp.H-07: governments that died, and countries of which nothing is left."""
    for country in table.state.countries.values():
        empire = table.state
        people = [unit for unit in empire.units_of(country.name) if KINDS[unit.kind].person]
        if country.dead:
            continue
        if not people and all(city.country != country.name for city in empire.cities.values()):
            table.emit(CountryDissolved(country.name))
        elif not country.leaderless and not empire.units_of(country.name, "government coolie"):
            table.emit(GovernmentLost(country.name))


# ---------------------------------------------------------------- what comes next


def _pass_on(table: Table[Empire]) -> None:
    """The next slot of the turn, the next turn, or the end (emp.H-36)."""
    _losses(table)
    settle_petitions(table)  # who has lost his last country is no longer waited for
    empire = table.state
    assert empire.active is not None
    order = empire.order
    after = [seat for seat in order[order.index(empire.active) + 1 :] if seat in slots(empire, empire.turn)]
    why = _ending(empire, bool(after))
    if why:
        first = tally(empire)
        winners = first.winners()
        table.emit(GameEnded(why, winners, first.standings[0].score))
    elif after:
        table.emit(SlotCame(after[0], empire.turn, empire.slot + 1))
    else:
        table.emit(SlotCame(slots(empire, empire.turn + 1)[0], empire.turn + 1, empire.slot + 1))
        change_house_rules(table)


def _ending(empire: Empire, turn_goes_on: bool) -> str:
    """Why the game is over, empty when it goes on."""
    if not living(empire):
        return "no country is left"
    if ends_the_game(empire):
        return "the players have petitioned for it"
    last = int(empire.options["last_turn"])
    if not turn_goes_on and empire.turn >= last:
        return f"turn {last}, the last that was agreed, is over"
    return ""
