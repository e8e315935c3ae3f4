"""A country's own order of feeding (emp.H-01): who eats before others, who after them, and out of which stores."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace


class Mouths(msgspec.Struct, frozen=True):
    """Persons meant: one by its number, or so many of a kind (0: all), in one square or everywhere."""

    unit: int = 0
    kind: str = ""
    at: str = ""
    number: int = 0

    def words(self) -> str:
        """As it is said: `unit 14`, `coolie in c4r4`, `3 of kind coolie in c4r4`."""
        if self.unit:
            return f"unit {self.unit}"
        how_many = f"{self.number} of" if self.number else "all of"
        return f"{how_many} kind {self.kind}{f' in {self.at}' if self.at else ''}"


class Feeding(msgspec.Struct, frozen=True):
    """Who eats first and who last, each in the order named; stores to be emptied first, and those not to be touched."""

    first: tuple[Mouths, ...] = ()
    last: tuple[Mouths, ...] = ()
    stores: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()

    def eats_first(self, who: tuple[Mouths, ...]) -> Feeding:
        """With these before the others; the last word on a person holds."""
        return replace(self, first=(*_without(self.first, who), *dict.fromkeys(who)), last=_without(self.last, who))

    def eats_last(self, who: tuple[Mouths, ...]) -> Feeding:
        """With these after the others."""
        return replace(self, last=(*_without(self.last, who), *dict.fromkeys(who)), first=_without(self.first, who))

    def out_of(self, places: tuple[str, ...]) -> Feeding:
        """With these stores before all others; the last word on a place holds."""
        return replace(self, stores=places, spared=tuple(at for at in self.spared if at not in places))

    def sparing(self, places: tuple[str, ...]) -> Feeding:
        """With these places, too, not to be touched."""
        stores = tuple(at for at in self.stores if at not in places)
        return replace(self, stores=stores, spared=tuple(dict.fromkeys((*self.spared, *places))))


def _without(old: tuple[Mouths, ...], new: Iterable[Mouths]) -> tuple[Mouths, ...]:
    gone = [(part.unit, part.kind, part.at) for part in new]
    return tuple(part for part in old if (part.unit, part.kind, part.at) not in gone)
