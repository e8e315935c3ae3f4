"""The staging words of the toy game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from referee.core.event import Event
from referee.core.names import Seat
from tests.toy import SEATS, TOY, Purse, Standoff


def stage(options: Mapping[str, str]) -> Standoff:
    """Three bidders with empty hands; the deal is over."""
    return msgspec.structs.replace(TOY.setup(SEATS, options), begun=0)


def given(state: Standoff, fact: str) -> Standoff:
    """`Ann has 5 coins`, `Ann holds clay clay`, `nothing is dealt`, `round 1 is over`. Raises ValueError."""
    if fact == "nothing is dealt":
        return msgspec.structs.replace(state, begun=-1)
    if found := re.fullmatch(r"round (\d) is over", fact):
        return msgspec.structs.replace(state, begun=int(found[1]))
    found = re.fullmatch(r"(\w+) (?:has (\d+) coins|holds (.+))", fact)
    if found is None:
        raise ValueError(f"the toy does not understand {fact!r}")
    purse = state.purses[Seat(found[1])]
    new = Purse(int(found[2]), purse.cards) if found[2] else Purse(purse.coins, tuple(found[3].split()))
    return msgspec.structs.replace(state, purses={**state.purses, Seat(found[1]): new})


def expect(before: Standoff, events: Sequence[Event], after: Standoff, fact: str) -> str | None:
    """`Ann has 5 coins`, `Ann holds clay`, `Ann leads`, `the game is over`. Raises ValueError."""
    if fact == "the game is over":
        return None if TOY.next_phase(after) is None else f"round {after.begun} was not the last"
    seat, word, rest = fact.split(" ", 2) if fact.count(" ") > 1 else (*fact.split(), "")
    match word:
        case "has":
            coins = after.purses[Seat(seat)].coins
            return None if rest == f"{coins} coins" else f"{seat} has {coins} coins"
        case "holds":
            cards = " ".join(after.purses[Seat(seat)].cards)
            return None if rest == cards else f"{seat} holds {cards}"
        case "leads":
            winners = TOY.score(after).winners()
            return None if winners == (seat,) else f"{winners} lead"
    raise ValueError(f"the toy does not understand {fact!r}")
