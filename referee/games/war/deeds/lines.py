"""Intents -> lines of a sheet: the mirror of the binder. What is written here reads and binds to the same intent."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from referee.core.order import Intent, Portion, Quantity
from referee.core.printing import Singulars, write
from referee.games.war.rulebook.pieces import BUILDINGS, KINDS, LEADERS, plural
from referee.kit.declared import Declared

SINGULARS: Singulars = {
    **{("unit", plural(kind)): kind for kind in (*KINDS, *LEADERS)},
    **{("building", plural(kind)): kind for kind in BUILDINGS},
    ("sphere", "spheres"): "sphere",
}
"""What stands after a 1."""


def line_of(intent: Intent) -> str:
    """The line of a sheet that means this intent. Raises KeyError for what is not of this game."""
    if isinstance(intent, Declared):
        return _written(intent)
    raise KeyError(type(intent))


@lru_cache(maxsize=4096)
def _written(intent: Declared[Any]) -> str:
    """A line that does not hang on the position; refusals and choices ask for the same again and again."""
    return write(intent.order(None), SINGULARS)


def lot_words(kind: str, quantity: Quantity) -> str:
    """So many of a kind, as a player writes it: `3 infantry`, `up to 1 general`, `all fleets`."""
    n = quantity.number
    match quantity.portion:
        case Portion.EXACTLY:
            return f"{n} {kind if n == 1 else plural(kind)}"
        case Portion.UP_TO | Portion.ALL_BUT:
            return f"{quantity.portion.value} {n} {kind if n == 1 else plural(kind)}"
        case Portion.ALL | Portion.HALF:
            return f"{quantity.portion.value} {plural(kind)}"
