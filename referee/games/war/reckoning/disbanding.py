"""Which units go when maintenance cannot be paid (27.production.maintain.2, ruling R27-17). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from referee.core.names import Seat
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BRIGADES, KINDS, PARTIES
from referee.kit.fields import Most, meant


class Berth(msgspec.Struct, frozen=True):
    """Where equal units are: a kind in a region, aboard a fleet (`fleet` its number), or that fleet itself."""

    kind: str
    place: str
    fleet: int = 0

    @property
    def garrison(self) -> bool:
        """Whether these are brigades in a region, and so may hold it."""
        return self.kind in BRIGADES and not self.fleet

    def words(self) -> str:
        """`infantry in Egypt`, `general aboard fleet 3`, `fleet 3 in Red Sea`."""
        if self.kind == "fleet":
            return f"fleet {self.fleet} in {self.place}"
        return f"{self.kind} aboard fleet {self.fleet}" if self.fleet else f"{self.kind} in {self.place}"


Kept = dict[Berth, int]
"""How many units a player has in every berth."""

_DEFAULT: tuple[str, str, Most] = ("", "", 0)
"""The end of every list: whatever is left, by the default of R27-17."""

_KINDS = {kind: number for number, kind in enumerate((*PARTIES, *BRIGADES, "fleet"))}
"""At the same price parties go before brigades, and fleets last."""


def kept(war: War, seat: Seat) -> Kept:
    """Everything a player must maintain."""
    ashore = [
        (Berth(s.kind, land.name), s.number) for land in war.lands.values() for s in land.stacks if s.owner == seat
    ]
    aboard = [
        (Berth(load.kind, fleet.sea, fleet.number), load.number)
        for fleet in war.fleets.values()
        for load in fleet.cargo
        if load.owner == seat
    ]
    fleets = [(Berth("fleet", fleet.sea, fleet.number), 1) for fleet in war.fleets_of(seat)]
    counts: Kept = {}
    for berth, number in (*ashore, *aboard, *fleets):
        counts[berth] = counts.get(berth, 0) + number
    return counts


def disbanded(
    counts: Kept, named: Iterable[Berth], listed: Sequence[tuple[str, str, Most]], short: int
) -> tuple[Berth, ...]:
    """So many units, an entry each: those named, then by the list, then by default (R27-17).

    The list names kinds and places, and how many at most of those that are then there.
    """
    left, gone = dict(counts), list[Berth]()
    for berth in named:
        if len(gone) < short and berth in left:
            gone += _struck(left, berth)
    for kind, place, most in (*listed, _DEFAULT):
        there = sum(number for berth, number in left.items() if kind in ("", berth.kind) and place in ("", berth.place))
        for _ in range(meant(most, there)):
            if len(gone) < short and (first := _next(left, kind, place)):
                gone += _struck(left, first)
    return tuple(gone)


def _next(left: Kept, kind: str, place: str) -> Berth | None:
    """R27-17: the first to go of a kind (any: "") in a place (any: "")."""
    strength = _strengths(left)
    spared = bool(kind) and not place
    berths = [
        berth
        for berth in left
        if kind in ("", berth.kind) and place in ("", berth.place) and not (spared and _last(berth, strength))
    ]
    return min(berths, key=lambda berth: _rank(left, strength, berth), default=None)


def _strengths(left: Kept) -> dict[str, int]:
    """Brigades by region."""
    found: dict[str, int] = {}
    for berth, number in left.items():
        if berth.garrison:
            found[berth.place] = found.get(berth.place, 0) + number
    return found


def _last(berth: Berth, strength: dict[str, int]) -> bool:
    return berth.garrison and strength[berth.place] == 1


def _rank(left: Kept, strength: dict[str, int], berth: Berth) -> tuple[int, ...]:
    """R27-17"""
    load = sum(number for b, number in left.items() if b.fleet == berth.fleet) if berth.kind == "fleet" else 0
    crowd = 0 if berth.fleet else -strength.get(berth.place, 0)
    price, kind, place = KINDS[berth.kind].price, _KINDS[berth.kind], BOARD.position(berth.place)
    young = -berth.fleet if berth.kind == "fleet" else 0
    return int(_last(berth, strength)), price, kind, crowd, load, young, place, berth.fleet


def _struck(left: Kept, berth: Berth) -> list[Berth]:
    """Take one unit off, or a fleet with all aboard; returns what went."""
    if berth.kind == "fleet":
        sunk = [berth, *(b for b in left if b.fleet == berth.fleet and b != berth)]
        return [b for b in sunk for _ in range(left.pop(b))]
    left[berth] -= 1
    if not left[berth]:
        del left[berth]
    return [berth]
