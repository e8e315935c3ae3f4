"""The seats that an applicant wished for, matched with those the game has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.core.normal import fold
from referee.kit.wording import in_a_row
from referee.orders.spelling import did_you_mean, shortens

_PLEASE = re.compile(
    r"(^|\s)(please|pls|thanks|thank you|if possible|if i may|if (it is |it's |still )?free|bitte|danke|wenn möglich|wenn frei|"
    r"s'il vous plaît|s'il te plaît|si possible|merci|por favor|si es posible|gracias)[\s.!]*$",
    re.IGNORECASE,
)
_OR = re.compile(r"\s+(?:or|oder|ou|o|else)\s+", re.IGNORECASE)


def read_wishes(names: Sequence[str], written: Sequence[str], again: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The seats meant, best first, and a sentence for each wish that names none; `again` is how one wishes anew."""
    each = (wish for several in written for wish in _OR.split(several))
    wishes = filter(None, (_PLEASE.sub("", wish).strip() for wish in each))
    meant = [(wish, _meant(names, wish)) for wish in wishes]
    return (
        tuple(dict.fromkeys(name for _, name in meant if name)),
        tuple(_unknown(names, wish, again) for wish, name in meant if not name),
    )


def _meant(names: Sequence[str], wish: str) -> str:
    """The seat of this name, or the only one that it shortens; "" where there is none."""
    whole = [name for name in names if fold(name) == fold(wish)]
    begun = [name for name in names if shortens(fold(wish), fold(name))]
    return next(iter(whole), begun[0] if len(begun) == 1 else "")


def _unknown(names: Sequence[str], wish: str, again: str) -> str:
    near = did_you_mean(wish, names, 1)
    hint = f"did you mean {near[0]}? Write {again} {near[0]}" if near else f"to wish for one, write {again} {names[0]}"
    return f'Nobody plays "{wish}" there, so you have not wished for it; the seats are {in_a_row(names)}; {hint}.'
