"""Battles, and forces raised and lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from referee.core.event import Audience
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.events import OpenEvent, WarEvent, units
from referee.games.war.position import Army, Load, Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook import pieces_in_words, units_in_words
from referee.kit.refused import Refused
from referee.kit.stock import Flow
from referee.kit.wording import counted, in_a_row, in_number

Lots = tuple[tuple[str, int], ...]


def _side(seat: Seat | None) -> str:
    return seat or "the natives"


class Volley(msgspec.Struct, frozen=True):
    """One side's dice in a round: the modifier with its lines, the faces, and the hits they score.

    `landed` is what the dice in `landed_faces` have less than the others; `who` None: the natives.
    """

    who: Seat | None
    drm: int
    lines: Lots
    faces: tuple[int, ...]
    hits: int
    landed: int = 0
    landed_faces: tuple[int, ...] = ()

    def words(self) -> str:
        """`Red +2 (general +1, more schools +1) scores 3 hits`."""
        lines = ", ".join(f"{why} {value:+d}" for why, value in self.lines)
        beach = f", its landed brigades {self.drm - self.landed:+d}" if self.landed else ""
        scores = "scores" if self.who else "score"
        return f"{_side(self.who)} {self.drm:+d}{f' ({lines})' if lines else ''}{beach} {scores} {counted(self.hits, 'hits')}"


class BattleBegan(OpenEvent, frozen=True):
    """Two sides met in a region; None stands for the natives, who attack in a revolt."""

    rule = "27.combat.land.1"
    region: str
    attacker: Seat | None
    attack: Lots
    defender: Seat | None
    defence: Lots

    def cites(self) -> str:
        return self.rule if self.attacker and self.defender else "27.combat.natives.1"

    def sentence(self) -> str:
        attack, defence = pieces_in_words(self.attack), pieces_in_words(self.defence)
        if self.attacker is None:
            return f"{self.defender} faces the revolt in {self.region}: {defence} against {attack}."
        whose = f"{self.defender}'s" if self.defender else "the natives'"
        return f"{self.attacker} attacks {self.region} with {attack} against {whose} {defence}."


class RoundFought(OpenEvent, frozen=True):
    """A round of battle was rolled; a side that only retreats onto its fleets has no volley (27.combat.retreat.4)."""

    rule = "27.combat.land.2"
    region: str
    round: int
    volleys: tuple[Volley, ...]

    def sentence(self) -> str:
        return f"{self.region}, round {self.round}: {'; '.join(volley.words() for volley in self.volleys)}."


class HitsFused(OpenEvent, frozen=True):
    """Hits were fused by threes, and their scorer picked what they strike (27.combat.losses.2)."""

    rule = "27.combat.losses.2"
    region: str
    scorer: Seat | None
    targets: Lots

    def sentence(self) -> str:
        number = sum(n for _, n in self.targets)
        start = f"{self.scorer} fuses" if self.scorer else "The natives fuse"
        chosen = counted(number, "chosen hits")
        return f"{start} {3 * number} hits in {self.region} into {chosen} on {pieces_in_words(self.targets)}."


class NativesLost(OpenEvent, frozen=True):
    """Native brigades fell in battle; `left` is what remains of their army."""

    rule = "27.combat.land.3"
    region: str
    lost: Lots
    left: Army

    def change(self, war: War) -> War:
        return war.with_land(self.region, revolt=self.left) if war.lands[self.region].revolt else war

    def sentence(self) -> str:
        return f"The natives of {self.region} lose {pieces_in_words(self.lost)}; {counted(self.left.brigades, 'brigades')} left."


class PartyConverted(OpenEvent, frozen=True):
    """The defender, with no brigade left on either side, turned a party into infantry (27.combat.results.3)."""

    rule = "27.combat.results.3"
    says = "{party.owner}'s {party.kind} in {region} becomes infantry and holds the region."
    region: str
    party: Stack

    def change(self, war: War) -> War:
        one = replace(self.party, number=1)
        gone = war.with_units(self.region, replace(one, number=-1))
        return gone.with_units(self.region, replace(one, kind="infantry"))

    def flows(self) -> tuple[Flow, ...]:
        return (*units(self.party.owner, self.party.kind, -1), *units(self.party.owner, "infantry", 1))


class BattleEnded(OpenEvent, frozen=True):
    """A battle is over; units that came too late for its first round are late no more."""

    rule = "27.combat.land.4"
    counted_in: ClassVar[str] = "rounds"
    region: str
    winner: Seat | None
    loser: Seat | None
    rounds: int

    def change(self, war: War) -> War:
        late = [stack for stack in war.lands[self.region].stacks if stack.late]
        for stack in late:
            war = war.with_units(self.region, replace(stack, number=-stack.number))
            war = war.with_units(self.region, replace(stack, late=False))
        return war

    def sentence(self) -> str:
        over = f"The battle of {self.region} ends after {counted(self.rounds, self.counted_in)}"
        if self.winner == self.loser:
            return f"{over} with no brigade left on either side."
        wins = f"{self.winner} beats {_side(self.loser)}" if self.winner else f"the natives beat {self.loser}"
        return f"{over}: {wins}."


# ---------------------------------------------------------------- forces
# Units and fleets that come, go and move, whatever the reason; used by every part of the game.


EXCHANGED = "an infantry brigade takes his place"
"""Why an explorer who won a region over is gone: no loss to speak of (R27-73)."""


class UnitsRaised(OpenEvent, frozen=True):
    """Land units appeared in a region: bought, placed, or an explorer who became infantry."""

    rule = "27.production.build.2"
    region: str
    owner: Seat
    kind: str
    number: int
    why: str = ""
    by_rule: str = ""

    def change(self, war: War) -> War:
        return war.with_units(self.region, Stack(self.owner, self.kind, self.number))

    def flows(self) -> tuple[Flow, ...]:
        return units(self.owner, self.kind, self.number)

    def sentence(self) -> str:
        return f"{self.owner} has {units_in_words(self.kind, self.number)} more in {self.region}{self.why and ': '}{self.why}."


class UnitsLost(OpenEvent, frozen=True):
    """Land units are gone. `lost` is the exact stack, `number` how many of it."""

    rule = "27.combat.losses.1"
    says = "{lost.owner} loses {lost} in {region}: {why}."
    region: str
    lost: Stack
    why: str
    by_rule: str = ""

    def change(self, war: War) -> War:
        return war.with_units(self.region, replace(self.lost, number=-self.lost.number))

    def flows(self) -> tuple[Flow, ...]:
        return units(self.lost.owner, self.lost.kind, -self.lost.number)


class UnitsMoved(OpenEvent, frozen=True):
    """Land units went from a region to another: `before` and `after` are the same units as stacks here and there.

    `how`: "march", "retreat", "reinforce", "leave".
    """

    rule = "27.move.land.2"
    origin: str
    before: Stack
    target: str
    after: Stack
    how: str = "march"
    by_rule: str = ""

    def change(self, war: War) -> War:
        gone = war.with_units(self.origin, replace(self.before, number=-self.before.number))
        return gone.with_units(self.target, self.after)

    def sentence(self) -> str:
        return moved_in_words(((self,),))


_DOES = {"march": "move", "retreat": "retreat", "reinforce": "go as reinforcement", "leave": "leave"}


def moved_in_words(parties: Sequence[Sequence[UnitsMoved]]) -> str:
    """Units of one owner that left a region alike, party by party with where it went.

    `Red: 5 infantry and 1 general move from Egypt to Sudan.`
    `Red, from Egypt: 1 explorer moves to Sudan; 1 explorer moves to Kenya.`
    """
    first = parties[0][0]
    if len(parties) == 1:
        return f"{first.before.owner}: {_goes(parties[0])} from {first.origin} to {first.target}."
    ways = "; ".join(f"{_goes(party)} to {party[0].target}" for party in parties)
    return f"{first.before.owner}, from {first.origin}: {ways}."


def _goes(party: Sequence[UnitsMoved]) -> str:
    """`1 explorer moves`, `5 infantry and 1 general retreat`."""
    who = in_a_row([str(event.before) for event in party])
    one, does = sum(event.before.number for event in party) == 1, _DOES[party[0].how]
    verb = does.replace("go ", "goes ", 1) if one and does.startswith("go") else f"{does}s" if one else does
    return f"{who} {verb}"


class UnitsEmbarked(OpenEvent, frozen=True):
    """Land units boarded a fleet."""

    rule = "27.move.carry.3"
    region: str
    before: Stack
    fleet: int
    load: Load
    how: str = "board"

    def change(self, war: War) -> War:
        gone = war.with_units(self.region, replace(self.before, number=-self.before.number))
        return gone.with_fleet(gone.fleets[self.fleet].loading(self.load))

    def sentence(self) -> str:
        boards = in_number(self.before.number, "board")
        return f"{self.before.owner}: {self.before} of {self.region} {boards} fleet {self.fleet}."


class UnitsLanded(OpenEvent, frozen=True):
    """Units were put ashore from a fleet. `spent` is what the fleet has spent after it."""

    rule = "27.move.carry.4"
    fleet: int
    load: Load
    region: str
    after: Stack
    spent: int

    def change(self, war: War) -> War:
        left = war.fleets[self.fleet].loading(replace(self.load, number=-self.load.number))
        return war.with_fleet(replace(left, spent=self.spent)).with_units(self.region, self.after)

    def sentence(self) -> str:
        return f"{self.load.owner}: {self.load} {in_number(self.load.number, 'land')} in {self.region} from fleet {self.fleet}."


class FleetsMoved(OpenEvent, frozen=True):
    """Fleets sailed one step, with what they carry."""

    rule = "27.move.naval.1"
    owner: Seat
    fleets: tuple[int, ...]
    origin: str
    target: str

    def change(self, war: War) -> War:
        for number in self.fleets:
            fleet = war.fleets[number]
            war = war.with_fleet(replace(fleet, sea=self.target, spent=fleet.spent + 1))
        return war

    def sentence(self) -> str:
        number = len(self.fleets)
        return f"{self.owner}: {units_in_words('fleet', number)} {in_number(number, 'sail')} to {self.target}."


class FleetLost(OpenEvent, frozen=True):
    """A fleet is gone, with what it carried."""

    rule = "27.combat.naval.2"
    number: int
    owner: Seat
    sea: str
    why: str
    cargo: tuple[Load, ...] = ()
    by_rule: str = ""

    def change(self, war: War) -> War:
        return war.with_fleet(None, self.number)

    def flows(self) -> tuple[Flow, ...]:
        aboard = tuple(Flow(f"{load.owner} {load.kind}", -load.number) for load in self.cargo)
        return (*units(self.owner, "fleet", -1), *aboard)

    def sentence(self) -> str:
        aboard = in_a_row([str(load) for load in self.cargo])
        return f"{self.owner} loses fleet {self.number} in {self.sea}{' with ' + aboard if aboard else ''}: {self.why}."


def fell_short(war: War, seat: Seat, order: Intent, why: Refused, partly: bool = False) -> OrderFellShort:
    """An order that was refused as it was carried out, or in part."""
    return OrderFellShort(seat, order.meaning(), why.illegal.sentence, war.cite(why.illegal.rule), partly)


class OrderFellShort(WarEvent, frozen=True):
    """An order that was lawful when written could not be done, or not wholly; its writer is told why."""

    audience = Audience.OWNER
    rule = "27.move.order.1"
    seat: Seat
    order: str
    why: str
    by_rule: str = ""
    partly: bool = False

    def sentence(self) -> str:
        return f"Not {'wholly ' if self.partly else ''}done: {self.order.rstrip('.')}. {self.why}"
