"""A menu for dividing a number among kinds: which units are lost, which are hit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from referee.core.choices import Pick
from referee.games.war.rulebook.pieces import plural
from referee.kit.wording import counted, in_a_row

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
        self._default = self.lots(default)

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
            return self.lots(named)
        except ValueError:
            return None

    def lots(self, counts: Mapping[str, int]) -> Lots:
        """So many of each, in the order of the pool. Raises ValueError for what is not on the menu."""
        if any(not 0 <= number <= self.pool.get(kind, 0) for kind, number in counts.items()):
            raise ValueError(f"{counts!r} is more than there is")
        if not self.least <= sum(counts.values()) <= self.most:
            raise ValueError(f"{counts!r} is not the number asked for")
        return tuple((kind, counts[kind]) for kind in self.pool if counts.get(kind))

    def encode(self, value: Any) -> bytes:
        """The lots as words in JSON, as they are typed. Raises ValueError for what is not on the menu."""
        return msgspec.json.encode([f"{n} {kind if n == 1 else plural(kind)}" for kind, n in self.lots(dict(value))])

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
        return self.lots(taken)


_Fitting = Callable[[Sequence[tuple[str, int]]], Lots]
"""What of kinds in order, with how many of each at most (0: any number), can go along."""


class Company(Split):
    """Brigades that go along with a general: by number, or by kind as far as the points go; one brigade stays behind."""

    def __init__(self, pool: Mapping[str, int], costs: Mapping[str, int], points: int, fitting: _Fitting) -> None:
        self._costs, self._points, self._fitting = dict(costs), points, fitting
        first = dict(fitting([(kind, 0) for kind in pool]))
        super().__init__(pool, 0, sum(pool.values()) - 1, first)

    def words(self) -> tuple[str, ...]:
        """What each costs, what is there, and an example."""
        costs = in_a_row([f"{plural(kind)} {counted(cost, 'points')} each" for kind, cost in self._costs.items()])
        return (
            f"as many as {counted(self._points, 'points')} pay for ({costs}) out of {lots_named(tuple(self.pool.items()))}, "
            f"one brigade staying; write for instance: {self._example()}; or none",
        )

    def read(self, text: str) -> Lots | None:
        """`1 infantry, 2 cavalry`; a kind without a number is as many as fit, in the order written; `none` for nobody."""
        parts = [part.split() for part in text.casefold().replace(" and ", ",").split(",") if part.strip()]
        if any(part[0].isdigit() for part in parts):
            return super().read(text)
        named = [self._kind(" ".join(part)) for part in parts if part not in (["none"], ["nothing"])]
        kinds = [(kind, 0) for kind in named if kind]
        return self.lots(dict(self._fitting(kinds))) if parts and len(kinds) == len(named) else None

    def _kind(self, word: str) -> str:
        fits = [kind for kind in self.pool if kind.startswith(word) or plural(kind).startswith(word)]
        return fits[0] if len(fits) == 1 else ""

    def lots(self, counts: Mapping[str, int]) -> Lots:
        """So many of each, in the order of the menu. Raises ValueError for what the points do not pay for."""
        if sum(self._costs.get(kind, 0) * number for kind, number in counts.items()) > self._points:
            raise ValueError(f"{counts!r} costs too many points")
        return super().lots(counts)

    def sample(self, pick: Pick) -> Lots:
        """Some of the kinds, as many as fit."""
        kinds = [kind for kind in self.pool if pick(2)]
        return self.lots(dict(self._fitting([(kind, 0) for kind in kinds])))
