"""How a binder or a rule of any game breaks off: an order that is understood and not allowed."""

from __future__ import annotations

from referee.core.order import Illegal


class Refused(Exception):
    """An order is not allowed; `illegal` says why, where, and what would be."""

    def __init__(self, sentence: str, rule: str, at: str = "", instead: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.illegal = Illegal(sentence, rule, at, instead)
