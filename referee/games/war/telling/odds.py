"""Chances of a battle on land that can be calculated: nothing but infantry on both sides, fought to the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.core.rehearsal import Fortune, Odds
from referee.games.war.deeds.combat import battles_of, revolts_of
from referee.games.war.orders.standing.land import RetreatRule
from referee.games.war.phases.movement.abandoning import foresee
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import guests
from referee.games.war.reckoning.battle import Battle
from referee.games.war.reckoning.drm import hits
from referee.games.war.reckoning.natives import known_marker, native_army
from referee.games.war.telling.rehearsal import about_battle, about_losses, losses_in_words, verdict_in_words
from referee.kit.odds import Dice, fought_out, thrown

_FACES = 6


def odds(war: War, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
    """The one battle of a share, where neither modifiers nor a retreat can change its course; else nothing."""
    if war.stage != "movement" or any(isinstance(bare(rule), RetreatRule) for rule in (*sheet, *standing)):
        return ()
    after = foresee(replace(war, active=seat), seat, sheet).war
    fights = battles_of(after, seat)
    if len(fights) != 1 or revolts_of(after, seat):
        return ()
    battle = _plain(after, seat, after.lands[fights[0]])
    return tuple(_calculated(after, battle)) if battle is not None else ()


def _plain(war: War, seat: Seat, land: Land) -> Battle | None:
    """The battle, if only infantry that came by land fights in it; natives must have been seen."""
    marker = known_marker(land, seat)
    plain = all(s.kind == "infantry" and not (s.landed or s.late or s.idle) for s in land.stacks)
    if not plain or guests(war, land.name, seat):
        return None
    if land.owner is not None:
        return Battle(land.name, land.name, seat, land.owner, round=1)
    if marker is None or not marker.strength or marker.plus:
        return None
    return Battle(land.name, land.name, seat, None, native_army(marker), round=1)


def _calculated(war: War, battle: Battle) -> Iterator[Odds]:
    """Who wins, and how many infantry the attacker loses."""
    ours, theirs = battle.brigades(war, "attacker"), battle.brigades(war, "defender")
    reckonings = battle.reckonings(war)
    volleys = [partial(thrown, one=_one_die(reckonings[role].drm)) for role in ("attacker", "defender")]
    ends, found = fought_out(ours, theirs, volleys[0], volleys[1]), dict[Fortune, Fraction]()
    seat = battle.attacker
    assert seat is not None  # natives attack in a revolt only
    for (left, his), chance in ends.items():
        winner = seat if left else battle.defender if his or battle.defender is None else seat
        loser = battle.defender if left else seat
        for fortune in (
            Fortune(about_battle(battle.region), verdict_in_words(seat, winner, loser)),
            Fortune(about_losses(battle.region), losses_in_words({"infantry": ours - left})),
        ):
            found[fortune] = found.get(fortune, Fraction(0)) + chance
    for fortune, chance in sorted(found.items(), key=lambda item: (item[0].about, -item[1])):
        yield Odds(fortune.about, fortune.what, chance)


def _one_die(drm: int) -> Dice:
    """27.combat.land.2: how often a die scores no hit, one or two."""
    scores = [hits(face, drm) for face in range(1, _FACES + 1)]
    return {score: Fraction(scores.count(score), _FACES) for score in sorted(set(scores))}
