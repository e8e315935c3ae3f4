"""Units and goods that pass from one country to another: where they then stand, what they count, and in words."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.empire.position.pieces import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.ledger import Flow
from referee.kit.wording import in_a_row


def handed(empire: Empire, to: str, numbers: tuple[int, ...], lots: tuple[Lot, ...], held: int | None = None) -> Empire:
    """Units and lots under another country; works and worked squares follow the unit that does them."""
    units = dict(empire.units)
    for number in numbers:
        unit = units[number]
        units[number] = replace(unit, country=to, held=unit.held if held is None else held)
    worked = tuple(replace(w, country=to) if w.unit in numbers else w for w in empire.worked)
    works = tuple(replace(w, country=to) if w.unit in numbers else w for w in empire.works)
    empire = replace(empire, units=units, worked=worked, works=works)
    for lot in lots:
        city = next((c.name for c in empire.cities.values() if c.at == lot.at and c.country == to), "")
        passed = replace(lot, country=to, inside="" if lot.aboard else city, held=lot.held if held is None else held)
        empire = empire.with_lot(replace(lot, number=-lot.number)).with_lot(passed)
    return empire


def both_ways(giver: str, to: str, counts: tuple[tuple[str, int], ...]) -> tuple[Flow, ...]:
    """The flows of units and goods from one country to another."""
    lost = tuple(Flow(f"{giver} {what}", -number) for what, number in counts)
    return (*lost, *(Flow(f"{to} {what}", number) for what, number in counts))


def listed(counts: tuple[tuple[str, int], ...]) -> str:
    """Units and goods in words: `2 coolies and 3 food`, or `nothing`."""
    return in_a_row([f"{number} {what if number == 1 else _many(what)}" for what, number in counts]) or "nothing"


def _many(what: str) -> str:
    """The plural of a kind of unit; goods have none."""
    return f"{what}s" if what in KINDS and what not in ("rolling stock", "artillery", "armour") else what
