"""Native markers and resource chits: drawn from their cups, seen, put back and replaced."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Reader, Role, Seat
from referee.games.war.events.base import OpenEvent, points
from referee.games.war.position.places import Army, Marker
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import CHIT_VALUES
from referee.games.war.rulebook.pieces import BRIGADES, pieces_in_words
from referee.kit.ledger import Flow
from referee.kit.wording import counted

UNSEEN = Marker(0)
"""What a reader knows of a marker he has not seen."""


def army_in_words(army: Army) -> str:
    """`5 infantry and 2 cavalry`."""
    return pieces_in_words((kind, army.count(kind)) for kind in BRIGADES)


def chit_in_words(chit: str) -> str:
    """`Coal (10)`, `a dot`, or `a chit` that this reader has not seen."""
    worth = CHIT_VALUES.get(chit)
    return "a chit" if worth is None else f"{chit} ({worth})" if worth else "a dot"


def put(cup: Mapping[str, int], name: str, change: int) -> dict[str, int]:
    """The cup with a piece more or fewer; what a reader has not seen changes nothing in his."""
    return {**cup, name: max(0, cup[name] + change)} if name in cup else dict(cup)


class MarkerDrawn(OpenEvent, frozen=True):
    """A region drew its native marker, face down; nobody sees it (R27-05)."""

    rule = "27.setup.9"
    says = "{region} draws a native marker, face down."
    hides = {"marker": UNSEEN}
    region: str
    marker: Marker

    def change(self, war: War) -> War:
        cup = put(war.markers, self.marker.name, -1)
        return replace(war, markers=cup).with_land(self.region, marker=self.marker)


class MarkerSeen(OpenEvent, frozen=True):
    """A marker was shown to some seats, or in a battle to all; it stays as it lies."""

    rule = "R27-05"
    says = "The native marker of {region} shows {marker}."
    region: str
    marker: Marker
    to: tuple[Seat, ...]
    public: bool = False

    def told_to(self, reader: Reader) -> Event | None:
        return self if reader is Role.REFEREE or self.public or reader in self.to else None

    def change(self, war: War) -> War:
        return war.with_land(self.region, marker=self.marker)


class ChitDrawn(OpenEvent, frozen=True):
    """A region drew its resource chit, face down; only its owner sees it (R27-65)."""

    rule = "R27-65"
    hides = {"chit": "?"}
    seat: Seat
    region: str
    chit: str

    def change(self, war: War) -> War:
        return replace(war, chits=put(war.chits, self.chit, -1)).with_land(self.region, chit=self.chit)

    def sentence(self) -> str:
        return f"{self.region} draws {chit_in_words(self.chit)}, face down."


class ChitReplaced(OpenEvent, frozen=True):
    """An engineer prospected: the old chit and those not kept went back into the cup (27.combat.prospect)."""

    rule = "27.combat.prospect.1"
    seat: Seat
    region: str
    old: str
    drawn: tuple[str, ...]
    kept: str
    pp: int

    def told_to(self, reader: Reader) -> Event | None:
        if reader in (Role.REFEREE, self.seat):
            return self
        return replace(self, old="?", drawn=("?",) * len(self.drawn), kept="?")

    def change(self, war: War) -> War:
        cup = put(put(war.chits, self.kept, -1), self.old, 1)
        share, times = war.lands[self.region].searched
        searched = (war.share, times + 1 if share == war.share else 1)
        return replace(super().change(war), chits=cup).with_land(self.region, chit=self.kept, searched=searched)

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp)

    def sentence(self) -> str:
        found = f": {self.seat} keeps {chit_in_words(self.kept)}" if self.kept != "?" else ""
        return f"{self.seat} prospects in {self.region} for {self.pp} PP and draws {counted(len(self.drawn), 'chits')}{found}."
