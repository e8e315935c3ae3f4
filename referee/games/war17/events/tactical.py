"""Tactical battles: how armies stood, what each group of brigades did, who was rallied, who retreated, who was pursued."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent
from referee.games.war.rulebook.pieces import pieces_in_words
from referee.games.war17.reckoning.tactical.blows import Blow
from referee.games.war17.reckoning.tactical.field import Force
from referee.kit.wording import capital


def _side(who: Seat | None) -> str:
    return who or "the natives"


def _whose(who: Seat | None) -> str:
    return f"{who}'s" if who else "the natives'"


class ArmyDeployed(OpenEvent, frozen=True):
    """Both plans are read; how an army stands (17.tactical.2)."""

    rule = "17.tactical.2"
    region: str
    who: Seat | None
    force: Force

    def sentence(self) -> str:
        posts = [f"{sector} {pieces_in_words(post.line.items())}" for sector, post in self.force.posts.items()]
        posts += [f"reserve {pieces_in_words(self.force.reserve.items())}"] if self.force.reserve else []
        posts += [f"retreat box {pieces_in_words(self.force.box.items())}"] if self.force.box else []
        return capital(f"{_whose(self.who)} army in {self.region}: {'; '.join(posts)}.")


class BlowsStruck(OpenEvent, frozen=True):
    """Brigades of one kind charged or fired in a sector, one after the other (17.tactical.5, 17.tactical.6)."""

    rule = "17.tactical.5"
    region: str
    turn: int
    who: Seat | None
    kind: str
    sector: str
    action: str
    blows: tuple[Blow, ...]

    def cites(self) -> str:
        return self.rule if self.action == "charge" else "17.tactical.6"

    def sentence(self) -> str:
        number, needed = len(self.blows), self.blows[0].needed
        verb = f"{self.action}s" if number == 1 else self.action
        does = f"{_whose(self.who)} {number} {self.kind} {verb} on {needed}+"
        return f"Turn {self.turn}, {self.sector}: {does}: {'; '.join(blow.words() for blow in self.blows)}."


class ReserveFed(OpenEvent, frozen=True):
    """A brigade of the reserve went to a line (17.tactical.7)."""

    rule = "17.tactical.7"
    region: str
    turn: int
    who: Seat | None
    kind: str
    sector: str

    def sentence(self) -> str:
        return f"Turn {self.turn}: {_side(self.who)} brings 1 {self.kind} of the reserve to the line, {self.sector}."


class UnitStepped(OpenEvent, frozen=True):
    """A brigade stepped to a neighbour line, or back from the middle (17.tactical.7)."""

    rule = "17.tactical.7"
    region: str
    turn: int
    who: Seat | None
    kind: str
    origin: str
    target: str

    def sentence(self) -> str:
        return f"Turn {self.turn}: 1 {self.kind} of {_side(self.who)} steps from {self.origin} to {self.target}."


class LeaderRallied(OpenEvent, frozen=True):
    """Leaders of a sector rolled; so many brigades came back from the box (17.tactical.9)."""

    rule = "17.tactical.9"
    region: str
    turn: int
    who: Seat | None
    sector: str
    faces: tuple[int, ...]
    back: dict[str, int]

    def sentence(self) -> str:
        faces = " ".join(map(str, self.faces))
        comes = f"{pieces_in_words(self.back.items())} back from the retreat box" if self.back else "nobody rallied"
        return f"Turn {self.turn}, {self.sector}: {_side(self.who)} rolls {faces} for leaders: {comes}."


class ArmyRetreated(OpenEvent, frozen=True):
    """An army gave up the field: forced, planned, for lack of fighting, or by nightfall (17.tactical.10, 17.tactical.11)."""

    rule = "17.tactical.10"
    region: str
    turn: int
    who: Seat | None
    why: str
    by_rule: str

    def sentence(self) -> str:
        return f"Turn {self.turn}: {_side(self.who)} must leave {self.region}: {self.why}."


class ArmyPursued(OpenEvent, frozen=True):
    """The winner's brigades of a kind pursued (17.tactical.12)."""

    rule = "17.tactical.12"
    region: str
    who: Seat | None
    kind: str
    blows: tuple[Blow, ...]

    def sentence(self) -> str:
        rolls = "; ".join(blow.words() for blow in self.blows)
        return f"Pursuit in {self.region}: {_whose(self.who)} {len(self.blows)} {self.kind} on {self.blows[0].needed}+: {rolls}."
