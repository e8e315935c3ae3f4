"""Battles on land: who meets whom, what each round brings, who is left."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent, units
from referee.games.war.position.places import Army, Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import pieces_in_words
from referee.kit.ledger import Flow
from referee.kit.wording import counted

Lots = tuple[tuple[str, int], ...]


def _side(seat: Seat | None) -> str:
    return seat or "the natives"


class Volley(msgspec.Struct, frozen=True):
    """What one side rolled in a round: the modifier with its lines, the faces, and the hits they score.

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
