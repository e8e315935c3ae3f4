"""Revolts of natives: the rolls for and against them, how they begin and how they are put down."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent
from referee.games.war.events.markers import army_in_words
from referee.games.war.position.places import Army, Side
from referee.games.war.position.state import War


class RevoltRolled(OpenEvent, frozen=True):
    """A roll for a revolt: 2d6 and its modifier against the native strength (27.production.revolt.3).

    `inciter` None: natives next door have won theirs (27.combat.natives.10).
    """

    rule = "27.production.revolt.3"
    region: str
    owner: Seat
    inciter: Seat | None
    dice: int
    modifier: int
    strength: int

    @property
    def total(self) -> int:
        """The roll with its modifier."""
        return self.dice + self.modifier

    @property
    def rises(self) -> bool:
        """Whether the natives revolt."""
        return self.total <= self.strength

    def change(self, war: War) -> War:
        return war if self.inciter is None else war.with_land(self.region, tried=war.turn)

    def cites(self) -> str:
        return self.rule if self.inciter else "27.combat.natives.10"

    def sentence(self) -> str:
        who = f"{self.inciter} incites the natives of {self.region} ({self.owner})"
        start = who if self.inciter else f"The natives of {self.region} ({self.owner}) hear of the revolt next door"
        verdict = "revolt" if self.rises else "no revolt"
        sum_ = f"{self.dice}{self.modifier:+d} = {self.total}" if self.modifier else str(self.dice)
        return f"{start}: {sum_} against {self.strength}, {verdict}."


class RevoltBegan(OpenEvent, frozen=True):
    """A native army stands in a player's region; every sphere there has taken a side (27.production.revolt.7)."""

    rule = "27.production.revolt.7"
    region: str
    owner: Seat
    army: Army
    sides: dict[Seat, Side]

    def change(self, war: War) -> War:
        return war.with_land(self.region, revolt=self.army, sides=self.sides)

    def sentence(self) -> str:
        spheres = "; ".join(f"{seat}'s spheres {side}" for seat, side in self.sides.items())
        return f"{self.region} ({self.owner}) revolts with {army_in_words(self.army)}{spheres and f' ({spheres})'}."


class RevoltSuppressed(OpenEvent, frozen=True):
    """The owner defeated the revolt in his region (27.combat.natives.7)."""

    rule = "27.combat.natives.7"
    says = "{owner} puts down the revolt in {region}."
    region: str
    owner: Seat

    def change(self, war: War) -> War:
        return war.settled(self.region).with_land(self.region, revolt=None, sides={}, won_in=war.share)
