"""How units, goods, places and numbers are named on the sheets."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import in_city
from referee.games.empire.rulebook.kinds import DEBT, KINDS, so_many
from referee.kit.wording import in_a_row

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
