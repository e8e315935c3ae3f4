"""Where labels and counters go: each as near to the middle of its place as can be without covering another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_ROUNDS = 160
_GAP = 2
_REACH = 200
"""Boxes whose middles are farther apart than this never meet."""


class Label(NamedTuple):
    """A box to be placed: where its middle would best be, and its size, in pixels."""

    x: int
    y: int
    width: int
    height: int


@lru_cache(64)
def placed(labels: tuple[Label, ...], width: int, height: int) -> tuple[tuple[int, int], ...]:
    """The upper left corner of each box: boxes that overlap push each other apart, as long as any do.

    The same sizes are placed alike, so that from letter to letter few labels move.
    """
    at = [[min(max(x - w / 2, 2), width - w - 2), min(max(y - h / 2, 2), height - h - 2)] for x, y, w, h in labels]
    near = [
        (one, other)
        for one in range(len(labels))
        for other in range(one)
        if abs(labels[one].x - labels[other].x) < _REACH and abs(labels[one].y - labels[other].y) < _REACH
    ]
    for _ in range(_ROUNDS):
        if not _pushed_apart(at, near, labels, width, height):
            break
    return tuple((round(x), round(y)) for x, y in at)


def _pushed_apart(
    at: list[list[float]], near: Sequence[tuple[int, int]], labels: Sequence[Label], width: int, height: int
) -> bool:
    """One round of pushing; whether any two overlapped."""
    moved = False
    for one, other in near:
        (x, y), (u, v) = at[one], at[other]
        if abs(x - u) >= _REACH or abs(y - v) >= _REACH:
            continue
        a, b = labels[one], labels[other]
        across = min(x + a.width - u, u + b.width - x) + _GAP
        down = min(y + a.height - v, v + b.height - y) + _GAP
        if across <= 0 or down <= 0:
            continue
        moved = True
        axis, push = (0, across) if across < down else (1, down)
        middle = (x + a.width / 2 - u - b.width / 2, y + a.height / 2 - v - b.height / 2)[axis]
        push = push / 2 + 0.5 if middle > 0 or (middle == 0 and one > other) else -push / 2 - 0.5
        for box, step in ((one, push), (other, -push)):
            most = (width - labels[box].width, height - labels[box].height)[axis] - 2
            at[box][axis] = min(max(at[box][axis] + step, 2), most)
    return moved
