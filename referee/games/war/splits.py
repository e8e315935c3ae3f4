"""A menu for dividing a number among kinds: which units are lost, which are hit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from referee.core.question import Pick
from referee.games.war.pieces import plural
from referee.kit.wording import in_a_row

__all__ = ["Lots", "Split", "lots_named"]

Lots = tuple[tuple[str, int], ...]
"""Kinds with how many of each, none of them zero."""

_LOT = re.compile(r"(\d+)\s+([a-z]+)", re.IGNORECASE)


def lots_named(lots: Lots) -> str:
    """`2 infantry and 1 general`; `nothing` for none."""
    return in_a_row([f"{n} {kind if n == 1 else plural(kind)}" for kind, n in lots]) or "nothing"


class Split:
    """From `least` to `most` units in all out of a pool of kinds; what is not lawful by number is not on the menu."""

    def __init__(self, pool: Mapping[str, int], least: int, most: int, default: Mapping[str, int]) -> None:
        self.pool = {kind: number for kind, number in pool.items() if number > 0}
        self.least, self.most = least, most
        self._default = self._lots(default)

    @property
    def default(self) -> Lots:
        """What is taken when nobody answers."""
        return self._default

    def words(self) -> tuple[str, ...]:
        """What to write, the pool, and the default as an example."""
        number = str(self.most) if self.least == self.most else f"{self.least} to {self.most}"
        return (
            f"{number} in all out of {lots_named(tuple(self.pool.items()))}; write for instance: {self._example()}",
        )

    def _example(self) -> str:
        lots = self._default or ((next(iter(self.pool)), 1),)
        return ", ".join(f"{n} {kind if n == 1 else plural(kind)}" for kind, n in lots)

    def read(self, text: str) -> Lots | None:
        """`2 infantry, 1 cavalry`; kinds may be cut short; `none` for nothing."""
        named: dict[str, int] = {}
        for number, word in _LOT.findall(text):
            fits = [k for k in self.pool if k.startswith(word.casefold()) or plural(k).startswith(word.casefold())]
            if len(fits) != 1 or len(number) > 4:
                return None
            named[fits[0]] = named.get(fits[0], 0) + int(number)
        rest = _LOT.sub("", text).replace(",", " ").replace(" and ", " ").strip().casefold()
        if rest not in ("", "none", "nothing", "and") or not (named or rest):
            return None
        try:
            return self._lots(named)
        except ValueError:
            return None

    def _lots(self, counts: Mapping[str, int]) -> Lots:
        if any(not 0 <= number <= self.pool.get(kind, 0) for kind, number in counts.items()):
            raise ValueError(f"{counts!r} is more than there is")
        if not self.least <= sum(counts.values()) <= self.most:
            raise ValueError(f"{counts!r} is not the number asked for")
        return tuple((kind, counts[kind]) for kind in self.pool if counts.get(kind))

    def encode(self, value: Any) -> bytes:
        """The lots as words in JSON, as they are typed. Raises ValueError for what is not on the menu."""
        return msgspec.json.encode([f"{n} {kind if n == 1 else plural(kind)}" for kind, n in self._lots(dict(value))])

    def decode(self, raw: bytes) -> Lots:
        """The lots from the log. Raises ValueError for what is not on the menu."""
        words = msgspec.json.decode(raw, type=list[str])
        found = self.read(", ".join(words) or "none")
        if found is None:
            raise ValueError(f"{words!r} is not on the menu")
        return found

    def sample(self, pick: Pick) -> Lots:
        """A lawful division, unit by unit."""
        left, taken = dict(self.pool), dict.fromkeys(self.pool, 0)
        for _ in range(self.least + pick(self.most - self.least + 1)):
            kind = [k for k in left if left[k] > taken[k]]
            taken[kind[pick(len(kind))]] += 1
        return self._lots(taken)
