"""Units moved, and works destroyed behind them."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events import OpenEvent, points
from referee.games.war.position import DONE, Coalition, Feud, Stack
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning import gate_between, gate_rule, trimmed
from referee.games.war.rulebook import WAR_PRICE, units_in_words
from referee.kit.stock import Flow
from referee.kit.wording import counted, in_number


class WarDeclared(OpenEvent, frozen=True):
    """War was declared, for a price; nobody is ready to attack yet (27.war.4, 27.war.5)."""

    rule = "27.war.3"
    says = f"{{declarer}} declares war on {{victim}} for {WAR_PRICE} DP."
    declarer: Seat
    victim: Seat

    def change(self, war: War) -> War:
        war = replace(super().change(war), feuds=(*war.feuds, Feud(self.declarer, self.victim)))
        if not plays(war, "alliances"):
            return war
        number = 1 + max((coalition.number for coalition in war.coalitions), default=0)
        coalition = Coalition(number, war.turn, ((self.declarer,), (self.victim,)))
        return replace(war, coalitions=(*war.coalitions, coalition))

    def flows(self) -> tuple[Flow, ...]:
        return points(self.declarer, dp=-WAR_PRICE)


class PeaceMade(OpenEvent, frozen=True):
    """A war ended by the public word of both (27.war.6)."""

    rule = "27.war.6"
    says = "{one} and {other} make peace."
    one: Seat
    other: Seat

    def change(self, war: War) -> War:
        war = replace(war, feuds=tuple(feud for feud in war.feuds if not feud.between(self.one, self.other)))
        return replace(war, coalitions=trimmed(war)) if war.coalitions else war


class PassageRefused(OpenEvent, frozen=True):
    """The owner of a strait or of the canal did not let fleets through (27.board.5, 27.opt.suez.4, R27-03)."""

    rule = "27.board.5"
    says = "{owner} does not let {mover}'s fleets pass from {origin} to {target}."
    owner: Seat
    mover: Seat
    origin: str
    target: str

    def cites(self) -> str:
        gate = gate_between(self.origin, self.target)
        return gate_rule(gate) if gate else self.rule


class FleetsIntercepted(OpenEvent, frozen=True):
    """Enemy fleets intercepted before an announced action (27.move.naval.3, R27-34)."""

    rule = "27.move.naval.3"
    says = "{interceptor} intercepts {mover}'s fleets in {sea} before they {action}."
    interceptor: Seat
    mover: Seat
    sea: str
    action: str


class InterceptionTried(OpenEvent, frozen=True):
    """Fleets tried to meet an enemy's: 2d6 against the interception number, which `made_of` explains (27.opt.interception.1)."""

    rule = "27.opt.interception.1"
    interceptor: Seat
    enemy: Seat
    sea: str
    dice: int
    made_of: tuple[tuple[str, int], ...]

    @property
    def number(self) -> int:
        """The number that the dice must not exceed."""
        return sum(value for _, value in self.made_of)

    def sentence(self) -> str:
        parts = ", ".join(f"{why} {value}" for why, value in self.made_of if value)
        does = "meets" if self.dice <= self.number else "misses"
        return f"{self.interceptor} {does} {self.enemy}'s fleets in {self.sea}: {self.dice} against {self.number} ({parts})."


class NavalBattleJoined(OpenEvent, frozen=True):
    """Two players' fleets began to fight; `mover` announces first whether he breaks off."""

    rule = "27.combat.naval.1"
    sea: str
    mover: Seat
    fleets: tuple[int, ...]
    enemy: Seat
    enemies: tuple[int, ...]

    def sentence(self) -> str:
        ours, theirs = counted(len(self.fleets), "fleets"), counted(len(self.enemies), "fleets")
        return f"Naval battle in {self.sea}: {self.mover} with {ours} against {self.enemy} with {theirs}."


class NavalRoundFought(OpenEvent, frozen=True):
    """One side's dice of one round: natural faces, the modifier of each, and the hits (27.combat.naval.1)."""

    rule = "27.combat.naval.1"
    sea: str
    round: int
    side: Seat
    fleets: tuple[int, ...]
    faces: tuple[int, ...]
    modifiers: tuple[int, ...]
    hits: int
    reasons: tuple[tuple[str, int], ...] = ()

    def sentence(self) -> str:
        dice = ", ".join(map(_die, self.faces, self.modifiers))
        made = f" ({', '.join(f'{why} {value:+d}' for why, value in self.reasons)})" if self.reasons else ""
        return f"{self.sea}, round {self.round}: {self.side} throws {dice}: {counted(self.hits, 'hits')}{made}."


def _die(face: int, modifier: int) -> str:
    """`5`, `6 - 2 = 4`, `4 + 1 = 5`."""
    return f"{face} {'+' if modifier > 0 else '-'} {abs(modifier)} = {face + modifier}" if modifier else str(face)


class NavalBattleBrokenOff(OpenEvent, frozen=True):
    """A naval battle was broken off; all fleets stay (27.combat.naval.3, 27.combat.naval.4). `by` None: nobody can hit."""

    rule = "27.combat.naval.3"
    sea: str
    round: int
    by: Seat | None

    def sentence(self) -> str:
        if self.by is None:
            return f"The naval battle in {self.sea} ends: neither side can hit."
        return f"{self.by} breaks off the naval battle in {self.sea} after round {self.round}."


class NavalBattleEnded(OpenEvent, frozen=True):
    """A naval battle ended because a side has no fleet left; `winner` None: both are gone."""

    rule = "27.combat.naval.2"
    sea: str
    winner: Seat | None

    def sentence(self) -> str:
        won = f"{self.winner} wins the naval battle" if self.winner else "No fleet survives the naval battle"
        return f"{won} in {self.sea}."


class FleetsHeld(OpenEvent, frozen=True):
    """Fleets that broke off a battle move no more in this phase (27.combat.naval.4)."""

    rule = "27.combat.naval.4"
    owner: Seat
    fleets: tuple[int, ...]
    sea: str

    def change(self, war: War) -> War:
        for number in self.fleets:
            war = war.with_fleet(replace(war.fleets[number], spent=DONE))
        return war

    def sentence(self) -> str:
        number = len(self.fleets)
        return f"{self.owner}: {units_in_words('fleet', number)} {in_number(number, 'stay')} in {self.sea}, the move is over."


class CessionTaken(OpenEvent, frozen=True):
    """A ceded region was taken by a brigade moved into it; the offer is used up (27.move.cede.2)."""

    rule = "27.move.cede.2"
    says = "{maker} cedes {region} to {to}."
    maker: Seat
    to: Seat
    region: str

    def change(self, war: War) -> War:
        left = tuple(o for o in war.offers if o.kind != "cede" or o.region != self.region)
        return replace(war, offers=left)


class ReinforcementAnnounced(OpenEvent, frozen=True):
    """A general goes to the help of a region, with so many reinforcement points (27.move.reinforce.2, .4)."""

    rule = "27.move.reinforce.4"
    seat: Seat
    region: str
    origin: str
    points: int

    def sentence(self) -> str:
        points = counted(self.points, "reinforcement points")
        return f"{self.seat} reinforces {self.region} from {self.origin} with {points}."


# ---------------------------------------------------------------- scorched earth
# A unit destroys a building or a resource where it stands (27.opt.scorched).


RESOURCE = "resource"
"""The thing destroyed when it is no building."""


class WorksDestroyed(OpenEvent, frozen=True):
    """A brigade or an engineer destroyed a building, or undeveloped the resource; `unit` as it stood before."""

    rule = "27.opt.scorched.1"
    seat: Seat
    region: str
    what: str
    unit: Stack

    def change(self, war: War) -> War:
        war = war.with_units(self.region, replace(self.unit, number=-1))
        war = war.with_units(self.region, replace(self.unit, number=1, spent=DONE, idle=True))
        if self.what == RESOURCE:
            return war.with_land(self.region, developed=False)
        left = list(war.lands[self.region].buildings)
        left.remove(self.what)
        return war.with_land(self.region, buildings=tuple(left))

    def cites(self) -> str:
        return "27.opt.scorched.2" if self.what == RESOURCE else self.rule

    def sentence(self) -> str:
        does = "undevelops its resource" if self.what == RESOURCE else f"destroys its {self.what}"
        return f"{self.seat} {does} in {self.region} with 1 {self.unit.kind}."
