"""Oracles of tactical battles in War!, Version 1.7, by the house rules 17.tactical and the rulebook's words on natives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from referee.games.war.events.combat import BattleBegan, BattleEnded, UnitsLost
from referee.games.war17.events import ArmyDeployed, ArmyPursued, BlowsStruck
from tests.oracles.audit import Fact, Line, Stretch, at_most
from tests.oracles.war_board import BRIGADES, brigades, force, has, several


def _began(stretch: Stretch, fact: Fact[Any]) -> Fact[BattleBegan]:
    region = fact.event.region
    return next(
        f for f in stretch.back(fact.place + 1) if isinstance(f.event, BattleBegan) and f.event.region == region
    )


def _army(began: Fact[BattleBegan], who: Any) -> Counter[str]:
    """Land Combat Against Natives: infantry by rating, cavalry half of it, up, with a sign, artillery with ++."""
    land = began.before.lands[began.event.region]
    if who is not None:
        return force(land, (who,))
    marker = land.marker
    horse = -(-marker.strength // 2) if marker.plus else 0
    return +Counter({"infantry": marker.strength, "cavalry": horse, "artillery": int(marker.plus == 2)})


def deployment(stretch: Stretch) -> Iterator[Line]:
    """17.tactical.1, .2: all stand somewhere, in three sectors if both sides have six brigades; each line has one."""
    for fact in stretch.of(ArmyDeployed):
        began, army = _began(stretch, fact), fact.event.force
        stood = Counter[str](army.reserve) + Counter(army.box)
        for post in army.posts.values():
            stood += Counter(post.line) + Counter(post.middle)
        yield Line("all are deployed", +stood, +_army(began, fact.event.who))
        sides = [brigades(_army(began, who)) for who in (began.event.attacker, began.event.defender)]
        yield Line("sectors", len(army.posts), 3 if min(sides) >= 6 else 1)
        yield Line("a brigade on each line", all(brigades(post.line) for post in army.posts.values()), True)
        in_box = {kind for kind in army.box if army.box[kind]}
        yield Line("in the box", in_box <= {"explorer", "engineer"}, True)


def _skill(war: Any, who: Any, kind: str) -> int:
    """Brigade DRM From Schools: the first school helps infantry, the second cavalry, the third artillery, and so on."""
    schools = several(war, who, "school") if who is not None else 0
    return (schools + {"infantry": 3, "cavalry": 2, "artillery": 1}[kind]) // 4


def _drm(began: Fact[BattleBegan], who: Any, kind: str, hindered: bool = True) -> int:
    war, event = began.before, began.event
    skill = _skill(war, who, kind)
    if war.options.get("net_schools") == "yes":
        skill -= min(skill, _skill(war, event.defender if who == event.attacker else event.attacker, kind))
    if who != event.attacker or not hindered:
        return skill
    land = war.lands[event.region]
    landed = any(stack.landed and stack.owner == who for stack in land.stacks)
    return skill - landed - (event.defender is not None and has(land, "fort"))


def blows(stretch: Stretch) -> Iterator[Line]:
    """17.tactical.4, .5, .6, .8: 2d6 and schools, amphibious and fort, a leader's +1; at the number box, two above lost."""
    for fact in stretch.of(BlowsStruck):
        event, began = fact.event, _began(stretch, fact)
        thrown = stretch.thrown(fact.place)
        pairs = [thrown[place : place + 2] for place in range(0, len(thrown), 2)]
        yield Line(
            "the dice shown", [blow.faces for blow in event.blows], [tuple(pair) for pair in pairs[: len(event.blows)]]
        )
        drm = _drm(began, event.who, event.kind)
        needs = {8} if event.action == "charge" else {7} if event.kind == "infantry" else {7, 8}
        for blow in event.blows:
            yield Line("a leader adds one at most", blow.modifier - drm in (0, 1), True)
            yield Line("the number needed", blow.needed in needs, True)
            yield Line(
                f"{event.action} of {blow.faces}",
                blow.deed,
                _deed(sum(blow.faces), blow.modifier, blow.needed, event.action),
            )
            yield Line("whom it strikes", blow.struck in BRIGADES, blow.deed in ("box", "lost"))


def _deed(natural: int, modifier: int, needed: int, action: str) -> str:
    if action == "charge" and natural <= 4:
        return "repulsed"
    over = natural + modifier - needed
    return "" if natural == 2 or over < 0 else "box" if over < 2 else "lost"


def pursuit(stretch: Stretch) -> Iterator[Line]:
    """17.tactical.12: one roll a pursuing brigade, infantry 10 and cavalry 8, with schools; a hit eliminates."""
    for fact in stretch.of(ArmyPursued):
        event, began = fact.event, _began(stretch, fact)
        thrown = stretch.thrown(fact.place)
        pairs = [thrown[place : place + 2] for place in range(0, len(thrown), 2)]
        yield Line("the dice shown", [blow.faces for blow in event.blows], [tuple(pair) for pair in pairs])
        needs: Mapping[str, set[int]] = {"cavalry": {8}, "infantry": {8, 10}}
        for blow in event.blows:
            yield Line("the number to pursue", blow.needed in needs[event.kind], True)
            yield Line("schools help", blow.modifier, _drm(began, event.who, event.kind, hindered=False))
            hit = sum(blow.faces) != 2 and sum(blow.faces) + blow.modifier >= blow.needed
            yield at_most("a hit eliminates", len(blow.struck) and 1, int(hit))


def losses(stretch: Stretch) -> Iterator[Line]:
    """17.tactical.4: who is struck down leaves the map, of his kind and of his side, and nobody else while the battle lasts."""
    for fact in stretch.of(BattleEnded):
        began, region = _began(stretch, fact), fact.event.region
        due, told = Counter[tuple[Any, str]](), Counter[tuple[Any, str]]()
        for found in stretch.facts[began.place : fact.place]:
            event = found.event
            if isinstance(event, BlowsStruck | ArmyPursued) and event.region == region:
                struck = began.event.defender if event.who == began.event.attacker else began.event.attacker
                deeds = [
                    blow
                    for blow in event.blows
                    if blow.struck and (isinstance(event, ArmyPursued) or blow.deed == "lost")
                ]
                due.update((struck, blow.struck) for blow in deeds if struck is not None)
            elif isinstance(event, UnitsLost) and event.region == region and event.why == "eliminated in battle":
                told[event.lost.owner, event.lost.kind] += event.lost.number
        yield Line("eliminated", +told, +due)
