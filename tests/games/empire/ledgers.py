"""Words of Empire's cases about debts and bands: what is owed, what is left, how a turn was judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec.structs import replace

from referee.games.empire.position import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import band_of
from referee.games.empire.rulebook.kinds import DEBT, KINDS, in_parts

_FIELDS = {"O": "oil_due", "X": "chemicals_due", "of pay": "pay_due"}


def _parts(text: str) -> int:
    """`19/20`, `1 1/2` in parts of a unit."""
    return int(sum(Fraction(part) for part in text.split()) * DEBT)


def _owes(empire: Empire, name: str, number: str, what: str) -> Empire:
    return empire.with_country(replace(empire.countries[name], **{_FIELDS[what]: _parts(number)}))


def _judged(empire: Empire, name: str) -> Empire:
    country = empire.countries[name]
    return empire.with_country(replace(country, band=band_of(country.confidence)))


def _without(empire: Empire, name: str, what: str) -> Empire:
    return replace(empire, lots=tuple(lot for lot in empire.lots if (lot.country, lot.what) != (name, what)))


def _left_after_meal(empire: Empire, name: str, number: str) -> Empire:
    """So much food that this is left when everybody has eaten, less what the pay will not find."""
    mouths = sum(KINDS[unit.kind].person for unit in empire.units_of(name))
    home = empire.cities[f"{name} City"]
    bare = _without(empire, name, "food")
    return bare.with_lot(Lot("food", mouths + int(number), name, home.at, inside=home.name))


def _check_owes(empire: Empire, name: str, number: str, what: str) -> str | None:
    found = getattr(empire.countries[name], _FIELDS[what])
    return None if found == _parts(number) else f"{name} owes {in_parts(found)} {what}"


_SEAT = r"(Red|Blue|Green)"
_WHAT = r"(O|X|of pay)"

GIVEN: Mapping[str, Callable[..., Empire]] = {
    rf"{_SEAT} owes (\d[\d /]*) {_WHAT}": _owes,
    rf"{_SEAT} was judged at the start of its turn": _judged,
    rf"{_SEAT} has no (O|X)": _without,
    r"the distillery in (c\d+r\d+) ran last turn": lambda e, at: replace(e, watering={**e.watering, at: e.turn - 1}),
    rf"{_SEAT} has (\d+) food left after its meal": _left_after_meal,
}
"""What a case may set up."""

EXPECT: Mapping[str, Callable[..., str | None]] = {rf"{_SEAT} owes (\d[\d /]*) {_WHAT} after the turn": _check_owes}
"""What a case may claim."""
