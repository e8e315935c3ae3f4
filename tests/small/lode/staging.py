"""The staging words of Lode."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Seat
from tests.small.lode.game import GAME, Field, Miner

_HAS = re.compile(r"(\w+) has (\d+) coins and (\d+) ore")


def stage(options: Mapping[str, str]) -> Field:
    """Two miners before the first day."""
    return GAME.setup((Seat("Ada"), Seat("Bert")), options)


def given(field: Field, fact: str) -> Field:
    """`Ada has 3 coins and 1 ore`, `2 days are over`. Raises ValueError."""
    if found := re.fullmatch(r"(\d+) days are over", fact):
        return replace(field, day=int(found[1]))
    found = _HAS.fullmatch(fact)
    if found is None:
        raise ValueError(f"Lode does not understand {fact!r}")
    return replace(field, miners={**field.miners, Seat(found[1]): Miner(int(found[2]), int(found[3]))})


def expect(before: Field, events: Sequence[Event], after: Field, fact: str) -> str | None:
    """`Ada has 3 coins and 1 ore`, `Ada leads`. Raises ValueError."""
    if found := _HAS.fullmatch(fact):
        miner = after.miners[Seat(found[1])]
        return None if miner == Miner(int(found[2]), int(found[3])) else f"{found[1]} has {miner}"
    if found := re.fullmatch(r"(\w+) leads", fact):
        return None if GAME.score(after).winners() == (found[1],) else f"{GAME.score(after).winners()} lead"
    raise ValueError(f"Lode does not understand {fact!r}")
