"""Double checking: had + gained - used = now, for every account of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


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
