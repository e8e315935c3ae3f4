"""Counted things by name, as plain mappings that are copied and never changed; and how accounts are checked twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


def more(held: Mapping[str, int], gained: Mapping[str, int]) -> dict[str, int]:
    """Both stocks together; a name new to `held` is added at its end."""
    together = dict(held)
    for name, number in gained.items():
        together[name] = together.get(name, 0) + number
    return together


def fewer(held: Mapping[str, int], used: Mapping[str, int]) -> dict[str, int]:
    """The rest of `held`; it may go below nothing, which is for the caller to prevent."""
    return more(held, {name: -number for name, number in used.items()})


def covers(held: Mapping[str, int], price: Mapping[str, int]) -> bool:
    """Whether `held` pays `price`."""
    return all(held.get(name, 0) >= number for name, number in price.items())


def times_covered(held: Mapping[str, int], price: Mapping[str, int]) -> int:
    """How often `held` pays `price`, which must name at least one thing above nothing."""
    return max(0, min(held.get(name, 0) // number for name, number in price.items() if number > 0))


def gathered(names: Iterable[str]) -> dict[str, int]:
    """Names counted, in order of first appearance."""
    counted: dict[str, int] = {}
    for name in names:
        counted[name] = counted.get(name, 0) + 1
    return counted


# ---------------------------------------------------------------- double checking
# Had + gained - used = now, for every account of a game.


class Flow(NamedTuple):
    """So much went into an account (below 0: out of it)."""

    account: str
    amount: int


def unbalanced(before: Mapping[str, int], flows: Iterable[Flow], after: Mapping[str, int]) -> tuple[str, ...]:
    """One sentence for each account whose flows do not explain how it changed. A missing account holds nothing."""
    due = dict(before)
    for account, amount in flows:
        due[account] = due.get(account, 0) + amount
    names = sorted({*due, *after})
    return tuple(
        f"{name}: had {before.get(name, 0)}, should now be {due.get(name, 0)}, is {after.get(name, 0)}."
        for name in names
        if due.get(name, 0) != after.get(name, 0)
    )
