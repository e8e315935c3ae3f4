"""Single actions: charges, fire and what the dice do (17.tactical.4 to 17.tactical.8). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from referee.games.war.rulebook.pieces import BRIGADES
from referee.games.war17.reckoning.tactical.field import Force, moved

CHARGE = 8
"""The number that a charge needs (17.tactical.4)."""
FIRE_AT_MIDDLE, FIRE_AT_LINE = 7, 8
"""The number that fire needs, by where the enemy stands; only artillery fires at a line."""
PURSUIT = {"infantry": 10, "cavalry": 8}
"""The number that a pursuing brigade needs."""
MISS, REPULSE = 2, 4
"""A natural roll that always misses; the highest natural roll that throws a charger back (17.tactical.5)."""
_KILL = 2

Action = Literal["charge", "fire"]
Deed = Literal["", "box", "lost", "repulsed"]


class Blow(msgspec.Struct, frozen=True):
    """One brigade's roll: natural faces, the modifier, the number it needed, what came of it and for which kind."""

    faces: tuple[int, int]
    modifier: int
    needed: int
    deed: Deed = ""
    struck: str = ""

    @property
    def total(self) -> int:
        """Both dice and the modifier."""
        return sum(self.faces) + self.modifier

    def words(self) -> str:
        """`9 +1 = 10, an infantry is eliminated`."""
        rolled = f"{sum(self.faces)} {self.modifier:+d} = {self.total}" if self.modifier else str(self.total)
        nobody = self.needed <= self.total and sum(self.faces) != MISS
        ends = {
            "": "finds nobody left to hit" if nobody else "misses",
            "box": f"sends {self.struck} to the retreat box",
            "lost": f"eliminates {self.struck}",
            "repulsed": "is repulsed",
        }
        return f"{rolled} {ends[self.deed]}"


def deed_of(natural: int, modifier: int, needed: int, action: Action) -> Deed:
    """17.tactical.4, 17.tactical.5: what a roll does."""
    if action == "charge" and natural <= REPULSE:
        return "repulsed"
    if natural == MISS or natural + modifier < needed:
        return ""
    return "lost" if natural + modifier >= needed + _KILL else "box"


def _needed_for(kind: str, action: Action, enemy: Force, sector: str) -> int:
    """17.tactical.4, 17.tactical.6: by what stands in the sector now."""
    if action == "charge":
        return CHARGE
    return FIRE_AT_MIDDLE if enemy.posts[sector].middle else FIRE_AT_LINE


def strike(
    own: Force, enemy: Force, kind: str, sector: str, action: Action, faces: tuple[int, int], modifier: int,
    lose: Sequence[str],
) -> tuple[Force, Force, Blow]:  # fmt: skip
    """One brigade acts; the enemy's `lose` says whom the blow takes (17.tactical.7). A charger stands in the middle already."""
    needed = _needed_for(kind, action, enemy, sector)
    deed = deed_of(sum(faces), modifier, needed, action)
    if deed == "repulsed":
        return moved(own, kind, ("middle", sector), ("box", "")), enemy, Blow(faces, modifier, needed, deed)
    if not deed:
        return own, enemy, Blow(faces, modifier, needed)
    post = enemy.posts[sector]
    struck = next(name for name in (*lose, *BRIGADES) if post.reached.get(name))
    place = ("middle" if post.middle else "line", sector)
    goal = ("box", "") if deed == "box" else ("gone", "")
    return own, moved(enemy, struck, place, goal), Blow(faces, modifier, needed, deed, struck)
