"""What ships are worth in battle at sea, and what guns and planes add (emp.H-31, emp.H-32)."""

from __future__ import annotations

from collections.abc import Mapping

SHIPS: Mapping[str, tuple[int, int]] = {
    "battleship": (6, 6),
    "carrier": (1, 4),
    "cruiser": (4, 3),
    "destroyer": (2, 2),
    "submarine": (3, 1),
    "pirate ship": (2, 2),
}
"""Attack and defence of ships that fight; every other ship does not attack and defends with 1."""

_OTHERS = (0, 1)

SHORE_FIRE: Mapping[str, int] = {"battleship": 3, "cruiser": 2}
"""What the guns of a ship add to one attack on a coastal square next to it."""

GUN = 4
"""What an installed naval gun adds to the defence of its own square and those next to it, against ships."""

TAC_STRIKE = 2
"""What a TAC with a light bomb adds to one attack."""

BOMBS: Mapping[str, int] = {"bomb": 4, "light bomb": 6}
"""The least die with which a bomber destroys a minor square, by what it drops."""

HUNTS = ("destroyer", "TAC")
"""What attacks submarines under water."""


def attack_of(kind: str) -> int:
    """The attack of a kind of ship; 0: it never attacks."""
    return SHIPS.get(kind, _OTHERS)[0]


def defence_of(kind: str) -> int:
    """The defence of a kind of ship."""
    return SHIPS.get(kind, _OTHERS)[1]
