"""Money, buildings, markers, cards."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Reader, Role, Seat
from referee.games.war.events import OpenEvent, points, units
from referee.games.war.position import Army, Load, Marker, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import IncomeLine
from referee.games.war.reckoning.scoring import card_in_words
from referee.games.war.rulebook import BRIGADES, CHIT_VALUES, pieces_in_words, units_in_words
from referee.kit.stock import Flow
from referee.kit.wording import counted, in_a_row


class IncomeCollected(OpenEvent, frozen=True):
    """A player collected his income, source by source."""

    rule = "27.production.income.1"
    seat: Seat
    lines: tuple[IncomeLine, ...]
    pp: int
    dp: int

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, self.pp, self.dp)

    def sentence(self) -> str:
        sources = in_a_row([f"{line.what} {line.amount}" for line in self.lines])
        return f"{self.seat} collects {self.pp} PP{' (' + sources + ')' if sources else ''} and {self.dp} DP."


class DiplomacyBought(OpenEvent, frozen=True):
    """A player bought diplomacy points."""

    rule = "27.production.income.3"
    says = "{seat} buys {dp} DP for {pp} PP."
    seat: Seat
    dp: int
    pp: int

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp, self.dp)


class MaintenancePaid(OpenEvent, frozen=True):
    """A player paid for the units he keeps; `disbanded` is how many he could not."""

    rule = "27.production.maintain.1"
    seat: Seat
    units: int
    pp: int
    disbanded: int = 0

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp)

    def cites(self) -> str:
        return "27.production.maintain.2" if self.disbanded else self.rule

    def sentence(self) -> str:
        lost = f" and cannot pay for {self.disbanded} more" if self.disbanded else ""
        return f"{self.seat} pays {self.pp} PP to maintain {units_in_words('unit', self.units)}{lost}."


class LoadDisbanded(OpenEvent, frozen=True):
    """Units aboard a fleet are gone because nobody paid for them."""

    rule = "27.production.maintain.2"
    says = "{load.owner} loses {load} aboard fleet {fleet} in {sea}: maintenance is not paid."
    fleet: int
    sea: str
    load: Load

    def change(self, war: War) -> War:
        return war.with_fleet(war.fleets[self.fleet].loading(replace(self.load, number=-self.load.number)))

    def flows(self) -> tuple[Flow, ...]:
        return units(self.load.owner, self.load.kind, -self.load.number)


class UnitsBought(OpenEvent, frozen=True):
    """Land units were bought and stand in their region."""

    rule = "27.production.build.2"
    seat: Seat
    region: str
    kind: str
    number: int
    pp: int

    def change(self, war: War) -> War:
        return super().change(war).with_units(self.region, Stack(self.seat, self.kind, self.number))

    def flows(self) -> tuple[Flow, ...]:
        return (*points(self.seat, -self.pp), *units(self.seat, self.kind, self.number))

    def sentence(self) -> str:
        return f"{self.seat} buys {units_in_words(self.kind, self.number)} in {self.region} for {self.pp} PP."


class FleetsBought(OpenEvent, frozen=True):
    """Fleets were bought in a port and lie in a sea area beside it."""

    rule = "27.production.build.10"
    seat: Seat
    region: str
    sea: str
    number: int
    pp: int

    def change(self, war: War) -> War:
        war = super().change(war)
        for _ in range(self.number):
            war = war.launching(self.seat, self.sea)
        return war

    def flows(self) -> tuple[Flow, ...]:
        return (*points(self.seat, -self.pp), *units(self.seat, "fleet", self.number))

    def sentence(self) -> str:
        fleets = units_in_words("fleet", self.number)
        return f"{self.seat} buys {fleets} in {self.region} for {self.pp} PP, launched into {self.sea}."


def _helped(engineer: bool) -> str:
    return " with an engineer's help" if engineer else ""


class BuildingBuilt(OpenEvent, frozen=True):
    """A building was built."""

    rule = "27.production.build.1"
    seat: Seat
    region: str
    building: str
    pp: int
    engineer: bool = False

    def change(self, war: War) -> War:
        new = (*war.new_cities, self.region) if self.building == "city" else war.new_cities
        return replace(super().change(war).with_building(self.region, self.building), new_cities=new)

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp)

    def cites(self) -> str:
        return "27.production.build.3" if self.engineer else self.rule

    def sentence(self) -> str:
        return f"{self.seat} builds a {self.building} in {self.region} for {self.pp} PP{_helped(self.engineer)}."


class ResourceDeveloped(OpenEvent, frozen=True):
    """A resource was developed: its chit is turned up for all."""

    rule = "27.production.build.5"
    seat: Seat
    region: str
    resource: str
    pp: int
    engineer: bool = False

    def change(self, war: War) -> War:
        return super().change(war).with_land(self.region, chit=self.resource, developed=True)

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp)

    def sentence(self) -> str:
        return f"{self.seat} develops the {self.resource} of {self.region} for {self.pp} PP{_helped(self.engineer)}."


class CanalPaid(OpenEvent, frozen=True):
    """One of the two halves of the Suez Canal was paid for; with the second it is complete."""

    rule = "27.opt.suez.1"
    seat: Seat
    pp: int
    turn: int
    half: int
    engineer: bool = False

    def change(self, war: War) -> War:
        return replace(super().change(war), canal=(*war.canal, self.turn))

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp)

    def cites(self) -> str:
        return "27.opt.suez.3" if self.engineer else self.rule

    def sentence(self) -> str:
        what = ("begins", "completes")[self.half - 1]
        return f"{self.seat} {what} the Suez Canal for {self.pp} PP{_helped(self.engineer)}."


class MendingDecided(OpenEvent, frozen=True):
    """All agreed to the mending of an unlawful line, or somebody was against it and it is undone."""

    rule = "27.opt.simultaneous.2"
    seat: Seat
    was: str
    now: str
    against: tuple[Seat, ...] = ()

    def sentence(self) -> str:
        what = f"{self.seat}'s line cannot stand ({self.was.rstrip('.')})"
        if self.against:
            return f"{what} and is undone: {in_a_row(self.against)} will not have it mended."
        return f"{what}; all agree to the mending: {self.now}"


class WesternizingPutOff(OpenEvent, frozen=True):
    """A region that is being westernized rose this very turn: the strength falls if the revolt is suppressed."""

    rule = "27.opt.simultaneous.3"
    says = "{region} is in revolt: its natives lose {points} more only if the revolt is suppressed."
    region: str
    points: int

    def change(self, war: War) -> War:
        return replace(war, put_off={**war.put_off, self.region: war.put_off.get(self.region, 0) + self.points})


# ---------------------------------------------------------------- native markers and resource chits
# Drawn from their cups, seen, put back and replaced.


UNSEEN = Marker(0)
"""A reader's picture of a marker that he has not seen."""


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


# ---------------------------------------------------------------- hidden victory conditions
# Cards drawn in secret, and shown at the end (27.opt.hidden_victory).


class CardDrawn(OpenEvent, frozen=True):
    """A player drew his card; what it says is told to him alone."""

    rule = "27.opt.hidden_victory.1"
    hides = {"card": "?"}
    seat: Seat
    card: str

    def change(self, war: War) -> War:
        return replace(war, cards={**war.cards, self.seat: self.card})

    def sentence(self) -> str:
        return f"{self.seat} draws {'a secret card' if self.card == '?' else card_in_words(self.card)}."


class CardsShown(OpenEvent, frozen=True):
    """All cards are turned up on the final position: whose, which, and the points it brings (R27-93)."""

    rule = "27.opt.hidden_victory.3"
    cards: tuple[tuple[Seat, str, int], ...]

    def change(self, war: War) -> War:
        return replace(war, cards={seat: card for seat, card, _ in self.cards}, cards_shown=True)

    def sentence(self) -> str:
        told = [f"{seat} {card}, {points or 'no'} points" for seat, card, points in self.cards]
        return f"The cards are shown: {in_a_row(told)}."
