"""Where labels and counters go: each as near to the middle of its place as can be without covering another."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

_ROUNDS = 160
_GAP, _EDGE = 2.0, 2
_ACROSS, _DOWN = 170, 130
"""Boxes whose middles are farther apart than this hardly ever meet."""

Spot = tuple[int, int]
Pair = tuple[int, int]
Ground = tuple[int, int, int, int]
"""Left, top, right and lower end."""


class Label(NamedTuple):
    """A box to be placed: where its middle would best be, its size, and the ground it must stay on, in pixels."""

    x: int
    y: int
    width: int
    height: int
    ground: Ground


class Places(NamedTuple):
    """The upper left corner of each box, and whether none covers another."""

    spots: tuple[Spot, ...]
    fit: bool


def placed(labels: tuple[Label, ...]) -> Places:
    """Where boxes go: those that overlap push each other apart, as long as any do.

    The same sizes are placed alike, so that from letter to letter few labels move.
    """
    at = [[label.x - label.width / 2, label.y - label.height / 2] for label in labels]
    for here, label in zip(at, labels, strict=True):
        _keep_inside(here, label)
    near = _near(tuple((label.x, label.y) for label in labels))
    moved = set(range(len(labels)))
    for _ in range(_ROUNDS):
        if not moved:
            break
        pairs = sorted(set[Pair]().union(*(near[one] for one in moved)))
        moved = set()
        for one, other in pairs:
            if _pushed_apart(at[one], at[other], labels[one], labels[other]):
                moved |= {one, other}
                _keep_inside(at[one], labels[one])
                _keep_inside(at[other], labels[other])
    return Places(tuple((round(x), round(y)) for x, y in at), not moved)


@lru_cache(4)
def _near(middles: tuple[Spot, ...]) -> tuple[frozenset[Pair], ...]:
    """For each box the pairs that it makes with those that it may meet, the later of both first."""
    every = range(len(middles))
    return tuple(
        frozenset(
            (max(one, other), min(one, other))
            for other in every
            if other != one and _close(middles[one], middles[other])
        )
        for one in every
    )


def _close(one: Spot, other: Spot) -> bool:
    return abs(one[0] - other[0]) < _ACROSS and abs(one[1] - other[1]) < _DOWN


def _pushed_apart(here: list[float], there: list[float], one: Label, other: Label) -> bool:
    """Both move by half of the shorter way out; whether they overlapped."""
    across, down = here[0] - there[0], here[1] - there[1]
    wide = _GAP + (other.width - across if across > 0 else one.width + across)
    if wide <= 0:
        return False
    tall = _GAP + (other.height - down if down > 0 else one.height + down)
    if tall <= 0:
        return False
    axis, push = (0, wide) if wide < tall else (1, tall)
    apart = (across + (one.width - other.width) / 2, down + (one.height - other.height) / 2)[axis]
    step = (push / 2 + 0.5) * (1 if apart >= 0 else -1)
    here[axis] += step
    there[axis] -= step
    return True


def _keep_inside(at: list[float], label: Label) -> None:
    left, top, right, low = label.ground
    at[0] = min(max(at[0], left + _EDGE), right - label.width - _EDGE)
    at[1] = min(max(at[1], top + _EDGE), low - label.height - _EDGE)
