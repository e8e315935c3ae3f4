"""A country's own order of feeding (H-01): who eats before others, who after them, and out of which stores."""

from __future__ import annotations

import msgspec

__all__ = ["Feeding", "Mouths"]


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
