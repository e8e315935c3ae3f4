"""How a binder or a rule of any game breaks off: an order that is understood and not allowed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from referee.core.order import Illegal


class Refused(Exception):
    """An order is not allowed; `illegal` says why, where, and what would be: lines that are looked for only when they are read."""

    def __init__(self, sentence: str, rule: str, at: str = "", instead: Iterable[str] = ()) -> None:
        super().__init__(sentence)
        self._about = sentence, rule, at, instead

    @cached_property
    def illegal(self) -> Illegal:
        sentence, rule, at, instead = self._about
        return Illegal(sentence, rule, at, tuple(instead))


class ForGood(Refused):
    """Refused whatever the position will be, so that no earlier line of a sheet mends it."""
