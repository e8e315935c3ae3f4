"""The audit: every country's units and goods recomputed from the events alone, and what can never be so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Event
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import ALLOWANCE
from referee.kit.ledger import unbalanced


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
