"""The field of a tactical battle: sectors with lines and middles, reserves and retreat boxes (17.tactical.1, 17.tactical.2)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from referee.games.war.rulebook.pieces import BRIGADES

Counts = dict[str, int]
"""So many of each kind; kinds of which there are none are left out."""

SECTORS = ("left", "centre", "right")
"""The sectors of a major battle; a minor one has the centre alone."""

MAJOR = 6
"""Brigades that both sides need for a major battle (17.tactical.1)."""


def sectors_of(attackers: int, defenders: int) -> tuple[str, ...]:
    """17.tactical.1: three sectors with six or more brigades on both sides, else one."""
    return SECTORS if min(attackers, defenders) >= MAJOR else ("centre",)


def brigades_in(counts: Mapping[str, int]) -> int:
    """How many brigades among them."""
    return sum(counts.get(kind, 0) for kind in BRIGADES)


def changed(counts: Counts, kind: str, number: int) -> Counts:
    """With so many more of a kind (below 0: fewer)."""
    total = counts.get(kind, 0) + number
    return {name: n for name, n in {**counts, kind: total}.items() if n > 0}


class Post(msgspec.Struct, frozen=True):
    """What an army has in one sector: on its line, leaders included, and in the middle."""

    line: Counts = {}
    middle: Counts = {}

    @property
    def brigades(self) -> int:
        """Brigades on the line and in the middle: without any the army must retreat (17.tactical.10)."""
        return brigades_in(self.line) + brigades_in(self.middle)

    @property
    def reached(self) -> Counts:
        """Where the enemy's blows fall: on those in the middle, else on the line (17.tactical.5)."""
        return self.middle or {kind: n for kind, n in self.line.items() if kind in BRIGADES}


class Force(msgspec.Struct, frozen=True):
    """An army on the field. `box`: its retreat box."""

    posts: dict[str, Post]
    reserve: Counts = {}
    box: Counts = {}

    @property
    def broken(self) -> bool:
        """17.tactical.10: a sector without a brigade."""
        return any(not post.brigades for post in self.posts.values())

    @property
    def in_action(self) -> Counts:
        """Brigades on lines, in middles and in reserve, by kind."""
        groups = [*(g for post in self.posts.values() for g in (post.line, post.middle)), self.reserve]
        totals = {kind: sum(group.get(kind, 0) for group in groups) for kind in BRIGADES}
        return {kind: n for kind, n in totals.items() if n}

    @property
    def forward(self) -> Counts:
        """Brigades on lines and in middles, which alone pursue (17.tactical.12)."""
        groups = [group for post in self.posts.values() for group in (post.line, post.middle)]
        return {kind: n for kind in BRIGADES if (n := sum(group.get(kind, 0) for group in groups))}

    @property
    def all(self) -> Counts:
        """Everybody who is left, the box included."""
        groups = [*(g for post in self.posts.values() for g in (post.line, post.middle)), self.reserve, self.box]
        kinds = dict.fromkeys(kind for group in groups for kind in group)
        return {kind: sum(group.get(kind, 0) for group in groups) for kind in kinds}

    def with_post(self, sector: str, post: Post) -> Force:
        """A copy with a sector changed."""
        return replace(self, posts={**self.posts, sector: post})


def moved(force: Force, kind: str, origin: tuple[str, str], target: tuple[str, str], number: int = 1) -> Force:
    """Units from a place to another; a place is ("line" or "middle", sector), ("reserve", ""), ("box", ""), ("gone", "")."""
    return _put(_put(force, kind, origin, -number), kind, target, number)


def _put(force: Force, kind: str, place: tuple[str, str], number: int) -> Force:
    where, sector = place
    if where in ("line", "middle"):
        post = force.posts[sector]
        return force.with_post(sector, replace(post, **{where: changed(getattr(post, where), kind, number)}))
    if where in ("reserve", "box"):
        return replace(force, **{where: changed(getattr(force, where), kind, number)})
    return force
