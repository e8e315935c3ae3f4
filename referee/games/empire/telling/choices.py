"""What a seat may order now, step by step, with examples for HELP and refusals; the audit of all that was told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.core.table import Table
from referee.games.empire.events import OpenEvent, evolve
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.binding import foresee
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.rulebook.kinds import ALLOWANCE
from referee.games.empire.telling.forecast import open_next
from referee.kit.declared import AT_ONCE, Ahead
from referee.kit.refused import Refused
from referee.kit.stock import unbalanced

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


# ---------------------------------------------------------------- the audit
# Every country's units and goods recomputed from the events alone, and what can never be so.


def audit(before: Empire, happened: Sequence[Event], after: Empire) -> tuple[str, ...]:
    """One sentence for each account that does not balance, and for each thing that cannot be."""
    flows = [flow for event in happened if isinstance(event, OpenEvent) for flow in event.flows()]
    return (*unbalanced(held(before), flows, held(after)), *_impossible(after))


def held(empire: Empire) -> dict[str, int]:
    """Every account: "Arcadia food", "Arcadia coolie" and so on."""
    accounts: dict[str, int] = {}
    for lot in empire.lots:
        name = f"{lot.country} {lot.what}"
        accounts[name] = accounts.get(name, 0) + lot.number
    for unit in empire.units.values():
        name = f"{unit.country} {unit.kind}"
        accounts[name] = accounts.get(name, 0) + 1
    return accounts


def _impossible(empire: Empire) -> Iterator[str]:
    for lot in empire.lots:
        if lot.number <= 0:
            yield f"{lot.country} has {lot.number} {lot.what} in {lot.at}."
        if lot.aboard and (lot.aboard not in empire.units or empire.units[lot.aboard].at != lot.at):
            yield f"{lot.number} {lot.what} in {lot.at} are aboard unit {lot.aboard}, which is not there."
        if not 0 <= lot.spent <= ALLOWANCE:
            yield f"{lot.what} in {lot.at} has spent {lot.spent} thirtieths of a BTA."
    for unit in empire.units.values():
        carrier = empire.units.get(unit.aboard)
        if unit.aboard and (carrier is None or carrier.at != unit.at):
            yield f"{unit.kind} {unit.number} in {unit.at} is aboard unit {unit.aboard}, which is not there."
        if not 0 <= unit.spent <= ALLOWANCE:
            yield f"{unit.kind} {unit.number} has spent {unit.spent} thirtieths of a BTA."
        if unit.at not in empire.board.squares:
            yield f"{unit.kind} {unit.number} is off the board."
        if unit.country not in empire.countries:
            yield f"{unit.kind} {unit.number} belongs to {unit.country}, which is no country."
    for city in empire.cities.values():
        if empire.board.squares[city.at].water:
            yield f"{city.name} stands on water."
    for country in empire.countries.values():
        if not 0 <= country.confidence <= 20:
            yield f"{country.name} has confidence {country.confidence}."
