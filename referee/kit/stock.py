"""Counted things by name ("gold": 5), as plain mappings that are copied and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def more(held: Mapping[str, int], gained: Mapping[str, int]) -> dict[str, int]:
    """Both stocks together; a name new to `held` is added at its end."""
    together = dict(held)
    for name, number in gained.items():
        together[name] = together.get(name, 0) + number
    return together


def fewer(held: Mapping[str, int], used: Mapping[str, int]) -> dict[str, int]:
    """What is left of `held`; it may go below nothing, which is for the caller to prevent."""
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
