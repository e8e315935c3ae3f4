"""Oracles of land battles in War!, Version 27: modifiers, dice, hits, who loses what, and who has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.core.event import Rolled
from referee.games.war.events.combat import (
    BattleBegan,
    BattleEnded,
    HitsFused,
    NativesLost,
    RoundFought,
    UnitsEmbarked,
    UnitsLost,
    UnitsMoved,
)
from referee.games.war.events.course import GuestsDefended
from tests.oracles.audit import Fact, Line, Stretch, at_most
from tests.oracles.war_board import BRIGADES, ZONES, brigades, force, has, several


@dataclass(frozen=True)
class Side:
    """One side at the start of a round: its seats (none: natives), its units, those that fight, those put ashore."""

    seats: tuple[Any, ...]
    units: Mapping[str, int]
    fights: Mapping[str, int]
    ashore: int
    schools: int


def _battle(stretch: Stretch, fact: Fact[Any]) -> tuple[Fact[BattleBegan], tuple[Any, ...]]:
    """The battle a fact belongs to, and the allies who defend with the owner."""
    region = fact.event.region
    began = next(
        f for f in stretch.back(fact.place + 1) if isinstance(f.event, BattleBegan) and f.event.region == region
    )
    last = next(stretch.back(began.place, BattleEnded, UnitsMoved), None)
    joined = last.event if last is not None and isinstance(last.event, GuestsDefended) else None
    return began, joined.guests if joined is not None and joined.region == region else ()


def _sides(stretch: Stretch, fact: Fact[Any], number: int) -> tuple[Side, Side]:
    began, allies = _battle(stretch, fact)
    attack = _side(stretch, fact, began, (began.event.attacker,), began.event.attack, number)
    return attack, _side(stretch, fact, began, (began.event.defender, *allies), began.event.defence, number)


def _side(stretch: Stretch, fact: Fact[Any], began: Fact[BattleBegan], seats: Any, lots: Any, number: int) -> Side:
    if seats[0] is None:
        army = _natives(stretch, began, fact.place, dict(lots))
        return Side((), army, army, 0, 0)
    land = fact.before.lands[fact.event.region]
    there = [stack for stack in land.stacks if stack.owner in seats]
    fights = [stack for stack in there if not stack.idle and not (stack.late and number == 1)]
    units = Counter[str]()
    for stack in fights:
        units[stack.kind] += stack.number
    ashore = sum(stack.number for stack in fights if stack.landed and stack.kind in BRIGADES)
    return Side(seats, force(land, seats), units, ashore, several(fact.before, seats[0], "school"))


def _natives(stretch: Stretch, began: Fact[BattleBegan], place: int, army: dict[str, int]) -> dict[str, int]:
    """The natives' army less what it has lost since the battle began."""
    for fact in stretch.facts[began.place : place]:
        if isinstance(fact.event, NativesLost) and fact.event.region == began.event.region:
            for kind, number in fact.event.lost:
                army[kind] -= number
    return army


def armies(stretch: Stretch) -> Iterator[Line]:
    """Land Battle Against Natives: infantry by strength, a third cavalry with + or ++, one of the rest artillery with ++."""
    for fact in stretch.of(BattleBegan):
        land = fact.before.lands[fact.event.region]
        for seat, lots in ((fact.event.attacker, fact.event.attack), (fact.event.defender, fact.event.defence)):
            if seat is None and land.revolt is None:
                horse = land.marker.strength // 3 if land.marker.plus else 0
                guns = int(land.marker.plus == 2)
                army = {"infantry": land.marker.strength - horse - guns, "cavalry": horse, "artillery": guns}
                yield Line("natives", {kind: n for kind, n in lots if n}, {kind: n for kind, n in army.items() if n})


def modifiers(stretch: Stretch) -> Iterator[Line]:
    """Land Battle Resolution Chart and Adjusting DRMs: each side's modifier from what stands there this round."""
    for fact in stretch.of(RoundFought):
        attack, defence = _sides(stretch, fact, fact.event.round)
        own, foe, apart = _reckoned(fact, attack, defence)
        drms = {volley.who: volley.drm for volley in fact.event.volleys}
        turned = {base - drms[_who(side)] for base, side in ((own, attack), (foe, defence)) if _who(side) in drms}
        leads = [side for side in (attack, defence) if side.seats and side.fights.get("general")]
        yield Line("both turn the same", len(turned), 1)
        yield at_most("turned by a general", max(turned), min(own, foe) if len(leads) == 1 else 0)
        yield Line("nothing is added", min(turned) >= 0, True)
        for volley in fact.event.volleys:
            if volley.who == _who(attack):
                yield Line("landed apart", volley.landed, apart)


def _who(side: Side) -> Any:
    return side.seats[0] if side.seats else None


def _reckoned(fact: Fact[Any], attack: Side, defence: Side) -> tuple[int, int, int]:
    """Both modifiers after a side below zero was brought to zero, and what only landed brigades have less."""
    own, foe = _common(fact, attack, defence), _common(fact, defence, attack)
    fort = has(fact.before.lands[fact.event.region], "fort")
    if fort:
        own += -2 + bool(attack.fights.get("artillery")) + bool(attack.fights.get("engineer"))
        foe += 2 if defence.fights.get("artillery") else 1
    malus = max(0, 3 - fact.event.round) if defence.seats or fact.before.options["native_landing"] == "yes" else 0
    apart = malus if attack.ashore else 0
    if attack.ashore == brigades(attack.fights):
        own, apart = own - apart, 0
    return max(own, 0) + max(-foe, 0), max(foe, 0) + max(-own, 0), apart


def _common(fact: Fact[Any], side: Side, other: Side) -> int:
    drm = max(0, sum(side.fights.get(kind, 0) > 0 for kind in BRIGADES) - 1)
    drm += bool(side.fights.get("general")) + (side.schools > other.schools)
    return drm + (not other.seats and bool(side.fights.get("explorer")) and not _power(fact))


def _power(fact: Fact[Any]) -> bool:
    """27.opt.historical.powers.6: natives of Europe are a local power, whom no explorer impresses."""
    war, region = fact.before, fact.event.region
    european = region in ZONES["Europe"] - {"Balkans", "Caucasus"}
    return war.options["historical"] == "yes" and european and war.lands[region].owner is None


def hits(stretch: Stretch) -> Iterator[Line]:
    """Land Battle Resolution: 1d6 for each brigade; 6 to 9 is a hit, 10 and more two."""
    for fact in stretch.of(RoundFought):
        attack, defence = _sides(stretch, fact, fact.event.round)
        shown = Counter(
            face
            for f in stretch.back(fact.place, RoundFought, BattleBegan)
            if isinstance(f.event, Rolled)
            for face in f.event.faces
        )
        rolled = Counter[int]()
        for volley in fact.event.volleys:
            side = attack if volley.who == _who(attack) else defence
            dice = (len(volley.faces), len(volley.landed_faces))
            rolled.update((*volley.faces, *volley.landed_faces))
            ashore = side.ashore if volley.landed else 0
            yield Line("dice", dice, (brigades(side.fights) - ashore, ashore))
            totals = [face + volley.drm for face in volley.faces]
            totals += [face + volley.drm - volley.landed for face in volley.landed_faces]
            yield Line("hits", volley.hits, sum((n >= 6) + (n >= 10) for n in totals))
        yield Line("the dice shown", {n: rolled[n] for n in rolled if shown[n] < rolled[n]}, {})


def losses(stretch: Stretch) -> Iterator[Line]:
    """Removing Losses: a unit a hit, brigades before parties, three hits fused into one; each side loses its own."""
    for fact in stretch.of(RoundFought):
        sides = _sides(stretch, fact, fact.event.round)
        found = list(_aftermath(stretch, fact))
        fused = Counter[Any]()
        for past in found:
            if isinstance(past.event, HitsFused):
                fused[past.event.scorer] += sum(number for _, number in past.event.targets)
        scored = {volley.who: volley.hits - 2 * fused[volley.who] for volley in fact.event.volleys}
        for side, enemy in (sides, sides[::-1]):
            due = min(scored.get(_who(enemy), 0), sum(side.units.values()))
            lost = _lost(found, side)
            yield Line(f"{_who(side)} loses", lost.total(), due)
            yield Line(f"{_who(side)}'s brigades first", brigades(lost), min(due, brigades(side.units)))
        for volley in fact.event.volleys:
            yield at_most("fused by threes", 3 * fused[volley.who], volley.hits)
        everybody = {seat for side in sides for seat in side.seats}
        strangers = {past.event.lost.owner for past in found if isinstance(past.event, UnitsLost)} - everybody
        yield Line("nobody else loses", strangers, set())


def _aftermath(stretch: Stretch, fact: Fact[RoundFought]) -> Iterator[Fact[Any]]:
    """What a round's hits did: all there up to the next round, the end, or somebody's leaving."""
    for found in stretch.since(fact.place, RoundFought, BattleEnded, UnitsMoved, UnitsEmbarked):
        if isinstance(found.event, NativesLost | HitsFused) or (
            isinstance(found.event, UnitsLost) and found.event.why.startswith("hits of round")
        ):
            yield found


def _lost(found: list[Fact[Any]], side: Side) -> Counter[str]:
    lost = Counter[str]()
    for fact in found:
        if isinstance(fact.event, UnitsLost) and fact.event.lost.owner in side.seats:
            lost[fact.event.lost.kind] += fact.event.lost.number
        elif isinstance(fact.event, NativesLost) and not side.seats:
            lost.update(dict(fact.event.lost))
    return lost


def victors(stretch: Stretch) -> Iterator[Line]:
    """Battle Results: who has brigades left has won; natives win when nobody has; a conquest is worth 1 DP."""
    for fact in stretch.of(BattleEnded):
        attack, defence = _sides(stretch, fact, fact.event.rounds)
        ours, theirs = brigades(attack.units), brigades(defence.units)
        told = (fact.event.winner, fact.event.loser)
        natives_win = not attack.seats and not theirs
        if ours or natives_win:
            yield Line("won", told, (_who(attack), _who(defence)))
        elif theirs or not defence.seats:
            yield Line("held", told, (_who(defence), _who(attack)))
        else:
            yield Line("nobody is left", told[0], told[1])
        yield Line("not both still stand", bool(ours and theirs), False)
