"""Record sheets of slots, of the table and of trade (sheet e: what changed hands), and what columns are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import msgspec

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.deeds.moving import doubts_that_matter
from referee.games.empire.events import OpenEvent, evolve
from referee.games.empire.events.air_and_sea import ShipPlundered
from referee.games.empire.events.course import ConfidenceRolled, RolledOut, SlotOpened
from referee.games.empire.events.dealing import ControlPassed, CountryPassed, CountrySplit, GoodsTaken, UnitSeized
from referee.games.empire.events.economy import ExchangeSent
from referee.games.empire.events.fighting import CityFell, CooliesCaptured
from referee.games.empire.position import Board, Lot, Unit
from referee.games.empire.position.state import Country, Empire, Petition, first_position
from referee.games.empire.reckoning.conditions import tally
from referee.games.empire.reckoning.ownership import held, in_city
from referee.games.empire.rulebook.kinds import DEBT, GOODS, KINDS, so_many
from referee.kit.reports import chance_sheet, events_sheet
from referee.kit.stock import Flow
from referee.kit.wording import in_a_row, in_utc

# ---------------------------------------------------------------- naming
# How units, goods, places and numbers are named on the sheets.


ARMS = ("SAU", "HAU", "HAU third", "T&S", "tank", "bomb", "light bomb", "torpedo", "drop tank", "naval gun", "ack-ack")
"""Goods that belong on the military location sheet: weapons, munitions, uninstalled guns (rulebook I.I a)."""

_STATUS = {
    "": "in the square",
    "dock": "in dock",
    "beach": "beached",
    "air": "in the air",
    "patrol": "on patrol in the air",
    "submerged": "submerged",
    "city": "in the city",
    "warehouse": "in a warehouse",
    "unconsumed": "not yet consumed",
}


def is_military(unit: Unit) -> bool:
    """Whether a unit belongs on the military location sheet."""
    return KINDS[unit.kind].military


def where_of(empire: Empire, thing: Unit | Lot) -> str:
    """How it is there: `aboard truck 41`, `in dock`, `in the city`, `at sea`."""
    carrier = empire.units.get(thing.aboard)
    if carrier is not None:
        return f"aboard {carrier.kind} {carrier.number}"
    city = in_city(empire, thing)
    if isinstance(thing, Lot):
        if not city:
            return "in the square"
        return f"in {city}" if thing.inside in (city, "city") else f"in the {thing.inside} of {city}"
    if thing.status == "" and KINDS[thing.kind].category == "naval":
        return "at sea"
    return f"in {city}" if city and thing.status in ("", "city") else _STATUS.get(thing.status, thing.status)


def numbers_in_words(numbers: Iterable[int]) -> str:
    """Numbers in order, runs of them shortened: `3, 7 to 12, 20`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def counts_in_words(counts: Iterable[tuple[str, int]]) -> str:
    """`2 food and 1 cmx`."""
    return in_a_row([so_many(number, what) for what, number in counts])


def exact(number: Fraction) -> str:
    """A number as the records write it: `0`, `0.02`, `1.5`; as a mixed fraction where decimals do not end."""
    whole, rest = divmod(number, 1)
    if not rest:
        return str(whole)
    thousandths = rest * 1000
    if thousandths.denominator == 1:
        return f"{whole}.{thousandths.numerator:03d}".rstrip("0")
    return f"{whole} {rest}" if whole else str(rest)


def in_debt(parts: int) -> str:
    """A debt kept in parts of a unit (kinds.DEBT), in units."""
    return exact(Fraction(parts, DEBT))


def in_quarters(parts: int) -> str:
    """A fund kept in quarters, in units."""
    return ("-" if parts < 0 else "") + exact(Fraction(abs(parts), 4))


class Trade(NamedTuple):
    """Units and goods that went from one country to another, counted by kind."""

    giver: str
    to: str
    at: str
    counts: tuple[tuple[str, int], ...]
    how: str


def trade_of(event: OpenEvent) -> Trade | None:
    """The exchange that an event makes between two countries; None for one that is no transfer of control."""
    match event:
        case ControlPassed():
            return Trade(event.giver, event.to, event.at, event.counts, "given and accepted")
        case CountryPassed():
            how = f"the whole country, from {event.giver} to {event.seat}"
            return Trade(event.country, event.country, "", (), how)
        case UnitSeized():
            return Trade(event.giver, event.to, event.at, event.counts, f"seized by unit {event.by}")
        case GoodsTaken():
            return Trade(event.giver, event.to, event.at, event.counts, f"taken by force by unit {event.by}")
        case CooliesCaptured():
            return Trade(event.giver, event.to, event.at, event.counts, "captured in an attack")
        case CityFell():
            return Trade(event.giver, event.to, event.at, event.counts, f"taken with the city {event.city}")
        case ShipPlundered() if event.taken:
            how = f"plundered by pirate ship {event.by}"
            return Trade(event.giver, event.to, event.at, event.counts, how)
        case CountrySplit():
            return Trade(event.parent, event.country.name, "", event.counts, "Balkanization")
        case ExchangeSent():
            aid = (("foreign exchange", event.points),)
            return Trade(event.country, event.to, "", aid, "foreign aid")
        case _:
            return None


class Slot(msgspec.Struct, frozen=True, dict=True):
    """One player-turn: whose, of which turn, what happened in it in order, and the positions around it.

    The first one, of turn 0 and nobody, is the zero turn.
    """

    seat: Seat
    turn: int
    number: int
    before: Empire
    events: tuple[OpenEvent, ...]
    after: Empire

    @cached_property
    def trades(self) -> tuple[tuple[int, OpenEvent, Trade], ...]:
        """Transfers of control in it, each with the number of events before it."""
        found = ((time, event, trade_of(event)) for time, event in enumerate(self.events))
        return tuple((time, event, trade) for time, event, trade in found if trade)


def slots_of(history: Sequence[Event], empire: Empire) -> tuple[Slot, ...]:
    """Every slot so far, the one that is going on included; the zero turn first.

    A letter needs them all, so where a history goes on from one that was cut before, only what is new is cut.
    """
    whole = tuple(history)
    known = next((cut for cut in _CUT if cut.begins(whole, empire)), None)
    cut = _cut_on(known or _nothing_cut(empire), whole)
    _CUT[:] = [cut, *(other for other in _CUT if other is not known)][:_MOST_CUT]
    return (*cut.over, _slot(cut.seat, cut.before, cut.gathered, cut.now))


class _Cut(msgspec.Struct, frozen=True):
    """A history cut so far: slots that are over, and what is known of the one that goes on."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    history: tuple[Event, ...]
    over: tuple[Slot, ...]
    seat: Seat
    before: Empire
    gathered: tuple[OpenEvent, ...]
    now: Empire

    def begins(self, history: tuple[Event, ...], empire: Empire) -> bool:
        """Whether this is the beginning of that history, of a match of the same seats and options."""
        same = (self.seats, self.options) == (empire.seats, empire.options)
        return same and history[: len(self.history)] == self.history


_CUT: list[_Cut] = []
"""The histories cut into slots, the latest first."""

_MOST_CUT = 4
"""Of so many histories the slots are kept; each holds the positions between its slots."""


def _nothing_cut(empire: Empire) -> _Cut:
    first = first_position(empire.seats, empire.options, _BARE)
    return _Cut(empire.seats, empire.options, (), (), Seat(""), first, (), first)


def _cut_on(cut: _Cut, history: tuple[Event, ...]) -> _Cut:
    """The whole of a history that begins with one that was cut."""
    over, seat, before, gathered, now = list(cut.over), cut.seat, cut.before, list(cut.gathered), cut.now
    for event in history[len(cut.history) :]:
        if not isinstance(event, OpenEvent):
            continue
        if isinstance(event, SlotOpened):
            over.append(_slot(seat, before, gathered, now))
            seat, before, gathered = event.seat, now, []
        gathered.append(event)
        now = evolve(now, event)
    return _Cut(cut.seats, cut.options, history, tuple(over), seat, before, tuple(gathered), now)


_BARE = Board("none yet", 2, 1, True, {})
"""Before the board is laid."""


def _slot(seat: Seat, before: Empire, events: Sequence[OpenEvent], after: Empire) -> Slot:
    turn, number = (before.turn, before.slot) if seat else (0, 0)
    return Slot(seat, turn, number, before, tuple(events), after)


def slots_by_turn(slots: Sequence[Slot], country: Country) -> tuple[Slot, ...]:
    """The player-turns in which a country moved, oldest first, whoever ran it then."""
    return tuple(slot for slot in slots if _moved(slot, country.name))


def _moved(slot: Slot, name: str) -> bool:
    country = slot.after.countries.get(name)
    return bool(slot.seat) and country is not None and country.slot == slot.number


def latest_of(slots: Sequence[Slot], country: Country) -> tuple[Slot, ...]:
    """A country's latest player-turn and what others did since; before its first one, everything so far."""
    for start in range(len(slots) - 1, -1, -1):
        if _moved(slots[start], country.name):
            return tuple(slots[start:])
    return tuple(slots)


# ---------------------------------------------------------------- table
# Sheet i of each player, the sheets of the table, and the logs that grow with the match.


def balkanization_sheet(empire: Empire, seat: Seat) -> Sheet:
    """Rulebook I.I i and G: all countries of a player, in the order in which they move in his slot."""
    living = [country.name for country in empire.owned(seat)]
    rows = tuple(
        (living.index(c.name) + 1 if c.name in living else "-", c.name, c.origin, c.parent, c.owned_since,
         "dissolved" if c.dead else "")
        for c in empire.countries.values()
        if c.owner == seat
    )  # fmt: skip
    grid = Grid(("Moves as number", "Country", "Origin", "Split from", "His since turn", "State"), rows, "Countries")
    return Sheet("i", f"{seat}: i. Balkanization", (grid,), seat, on_request=len(rows) == 1)


def order_sheet(slots: Sequence[Slot], empire: Empire) -> Sheet:
    """The move-order sheet: who moves when, and the rolls of this turn and the last with their notes."""
    order = tuple((place, seat, _standing(empire, seat)) for place, seat in enumerate(empire.order, 1))
    late = [slot for slot in slots if slot.turn >= empire.turn - 1]
    whole = "Rolled out" if len(late) == len(slots) else f"Rolled out since turn {empire.turn - 1}"
    grids = (Grid(("Place", "Player", "Now"), order, "Movement order"), _rolled_out(late, whole))
    where = f"Turn {empire.turn}, slot {empire.slot}." if empire.stage == "play" else "The zero turn."
    past = "SEND sheets OF a player TURN and the number of a slot brings his sheets as they stood after that slot."
    return Sheet("order", "Move order", grids, None, (where, past), on_request=True)


def rolls_sheet(slots: Sequence[Slot]) -> Sheet:
    """Every roll of the match with its note."""
    return Sheet("rolls", "Rolls", (_rolled_out(slots, "Rolled out"),), on_request=True)


def _rolled_out(slots: Sequence[Slot], caption: str) -> Grid:
    rolls = tuple(row for slot in slots for row in _rolls(slot))
    return Grid(("Turn", "Slot", "Player", "Time and date", "By", "Days late", "Rolls"), rolls, caption)


def _standing(empire: Empire, seat: Seat) -> str:
    if empire.stage == "play" and not empire.owned(seat):
        return "runs no country"
    return "has his slot" if seat == empire.active else ""


def _rolls(slot: Slot) -> Iterator[tuple[Cell, ...]]:
    rolls = [f"{e.country} {e.entry()}" for e in slot.events if isinstance(e, ConfidenceRolled)]
    for event in slot.events:
        if isinstance(event, RolledOut):
            yield slot.turn, slot.number, event.seat, in_utc(event.at), event.by, event.late, ", ".join(rolls)


def petitions_sheet(empire: Empire) -> Sheet:
    """Petitions with their votes, and orders that could be read in several ways (H of the procedure)."""
    petitions = tuple(
        (p.number, p.turn, in_utc(p.posted), p.by, petition_kind(p), p.text,
         ", ".join(f"{seat} {vote}" for seat, vote in p.votes.items()), _result(p))
        for p in empire.petitions
    )  # fmt: skip
    doubtful = tuple(
        (d.slot, d.seat, d.line, d.readings[d.taken - 1] if d.taken <= len(d.readings) else "",
         d.by or "the referee")
        for d in doubts_that_matter(empire)
    )  # fmt: skip
    grids = (
        Grid(("Petition", "Turn", "Posted", "By", "Kind", "Text", "Votes", "Result"), petitions, "Petitions"),
        Grid(("Slot", "Of", "Line", "Read as", "By"), doubtful, "Interpretations"),
    )
    return Sheet("petitions", "Petitions and interpretations", grids, on_request=not _pending(empire))


def _pending(empire: Empire) -> bool:
    """Whether something may still be voted on or read in another way; what is settled was told."""
    open_doubts = (doubt for doubt in doubts_that_matter(empire) if doubt.by is None)
    doubtful = any(seat not in (doubt.seat, *doubt.waived) for doubt in open_doubts for seat in empire.order)
    return doubtful or any(not petition.result for petition in empire.petitions)


def petition_kind(petition: Petition) -> str:
    """`change`, `change of combat to mild`."""
    return f"{petition.kind} of {petition.house} to {petition.choice}" if petition.house else petition.kind


def _result(petition: Petition) -> str:
    return f"in force since turn {petition.since}" if petition.since else petition.result or "open"


def standings_sheet(empire: Empire) -> Sheet:
    """The place of each player."""
    return Sheet("standings", "Standings", (standings_grid(empire, "Standings"),), on_request=True)


def standings_grid(empire: Empire, caption: str) -> Grid:
    """Places and points with what they are made of; where nobody is ranked, what everybody has."""
    found = tally(empire)
    if not found.ranked:
        return Grid(("Player", "Has"), tuple((s.seat, s.how) for s in found.standings), caption)
    rows = tuple((s.rank, s.seat, s.score, s.how) for s in found.standings)
    return Grid(("Place", "Player", "Points", "Made of"), rows, caption)


# ---------------------------------------------------------------- the logs


def logs(history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
    """Every event and every die and card, with the phase it fell in."""
    return (events_sheet(history, "Slot"), chance_sheet(history, "Slot", "cards"))


# ---------------------------------------------------------------- sheet e, Trade
# Every transfer of control, willing or not, with its place and its time within the turn.
#
# Sheet f, Had-Used-Produced: had + produced + traded - used = now, for every kind of unit and of goods, and the proof.


def trade_sheet(slots: Sequence[Slot], empire: Empire, country: str) -> Sheet:
    """Rulebook I.I e."""
    open_now = tuple(
        (t.number, t.giver, t.seat or t.to, t.at, "the whole country" if t.whole else _offered(t.units, t.goods))
        for t in empire.transfers
        if country in (t.giver, t.to)
    )
    grids = (
        Grid(("Turn", "Slot", "Time in slot", "Place", "From", "To", "What", "How", "Rule"),
             tuple(_rows(slots, country)), "Transfers of control"),
        Grid(("Transfer", "Given up by", "To", "Place", "What"), open_now, "Given up and not yet accepted"),
    )  # fmt: skip
    note = "Time in slot counts everything that happened since the slot opened."
    return Sheet("e", f"{country}: e. Trade", grids, None, (note,))


def _offered(units: Sequence[int], goods: Sequence[tuple[str, int]]) -> str:
    parts = [f"units {numbers_in_words(units)}"] if units else []
    return ", ".join([*parts, *([counts_in_words(goods)] if goods else [])])


def _rows(slots: Sequence[Slot], country: str) -> Iterator[tuple[Cell, ...]]:
    for slot in slots:
        for time, event, trade in slot.trades:
            if country in (trade.giver, trade.to):
                when = (slot.turn, f"{slot.number} ({slot.seat})", time)
                what = counts_in_words(trade.counts) or "nothing besides"
                yield (*when, trade.at, trade.giver, trade.to, what, trade.how, event.cites())


class Line(msgspec.Struct, frozen=True):
    """One kind in one turn. `had` and `now` are counted in the positions, the others come from the events between."""

    what: str
    had: int
    produced: int
    traded: int
    used: int
    now: int

    @property
    def balances(self) -> bool:
        """Whether the events explain the change of the position."""
        return self.had + self.produced + self.traded - self.used == self.now


def produced_sheet(slots: Sequence[Slot], empire: Empire, country: Country) -> Sheet:
    """Rulebook I.I f, from the opening of the country's latest turn until now."""
    mine = latest_of(slots, country)
    lines = tuple(lines_of(mine[0].before, (e for slot in mine for e in slot.events), empire, country.name))
    rows = tuple((line.what, line.had, line.produced, line.traded, line.used, line.now) for line in lines)
    grid = Grid(("What", "Had", "Produced", "Traded", "Used", "Now"), rows, f"Since the opening of turn {mine[0].turn}")
    return Sheet("f", f"{country.name}: f. Had-Used-Produced", (grid,), None, (_proof(lines),))


def _proof(lines: Sequence[Line]) -> str:
    wrong = [line.what for line in lines if not line.balances]
    if wrong:
        return f"DOES NOT BALANCE: {in_a_row(wrong)}. Tell the game master."
    return f"Had + produced + traded - used = now, checked for {'each' if len(lines) != 1 else 'the one'} line."


def lines_of(before: Empire, events: Iterable[OpenEvent], after: Empire, country: str) -> Iterator[Line]:
    """A line for each kind that the country had, has, gained or lost; goods first, in the order of the kinds."""
    had, now = held(before), held(after)
    gained: dict[str, int] = {}
    lost: dict[str, int] = {}
    traded: dict[str, int] = {}
    for event in events:
        made = list(event.flows())
        for flow in _exchanged(event):
            made.remove(flow)
            traded[flow.account] = traded.get(flow.account, 0) + flow.amount
        for account, amount in made:
            side = gained if amount > 0 else lost
            side[account] = side.get(account, 0) + abs(amount)
    for what in (*GOODS, *KINDS):
        name = f"{country} {what}"
        line = Line(what, *(side.get(name, 0) for side in (had, gained, traded, lost, now)))
        if any((line.had, line.produced, line.traded, line.used, line.now)):
            yield line


def _exchanged(event: OpenEvent) -> Iterator[Flow]:
    """The exchange of a trade between two countries; a split also makes a coolie its government."""
    trade = trade_of(event)
    if trade is None or isinstance(event, ExchangeSent):  # foreign exchange is points, not goods
        return
    for what, number in trade.counts:
        yield Flow(f"{trade.giver} {what}", -number)
        yield Flow(f"{trade.to} {what}", number)
