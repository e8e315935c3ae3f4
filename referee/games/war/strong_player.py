"""The sheets that a strong player of War! 27 tries beside the steady one, and the forecast of how a match will end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.deeds import exactly, granted
from referee.games.war.deeds.marching import check_gift
from referee.games.war.orders.attack import DeclareWar
from referee.games.war.orders.building import BuildBuilding, BuildUnits
from referee.games.war.orders.combat import ExploreRegion
from referee.games.war.orders.move import MoveUnits
from referee.games.war.orders.natives import WesternizeRegion
from referee.games.war.position import Land
from referee.games.war.position.state import War, maintained_before
from referee.games.war.reckoning import land_reach
from referee.games.war.reckoning.income import income
from referee.games.war.reckoning.scoring import is_power, points
from referee.games.war.rulebook import BOARD, BRIGADES, CHIT_VALUES, KINDS
from referee.games.war.steady_player import STEADY, brigades, front, lead, natives, sites, steady
from referee.kit.opponents import Terms, but_one, crossed, near, prospect

# ---------------------------------------------------------------- what a position is worth

TERMS: Terms = {
    "points": (76, -19),
    "PP a turn": (35, -7),
    "PP": (-12, 120),
    "DP": (-15, 987),
    "brigades": (45, 798),
    "explorers": (529, -853),
    "natives next door": (-184, 1617),
    "regions with natives": (317, -1015),
    "regions in revolt": (-986, 694),
    "resources to develop": (-4, -3),
    "cities": (-218, -757),
    "border regions": (320, -1390),
    "border regions of one brigade": (-452, 891),
    "greatest army": (-9, -176),
    "prey": (296, 231),
}
"""Fitted on 140 matches of five turns (tests/fit.py): they tell 0.66 of the spread of matches that they were not fitted on.

Weights of terms that go together, such as cities and PP a turn, mean little one by one.
"""


def measured(war: War, seat: Seat) -> tuple[int, ...]:
    """A seat's figure for each of the terms."""
    own = war.regions_of(seat)
    if not own:
        return (0,) * len(TERMS)
    forces, hand, reach = war.forces_of(seat), war.treasuries[seat], len(natives(war, seat))
    border = [
        land for land in own if any(war.lands[b].owner not in (None, seat) for b in BOARD.regions[land.name].borders)
    ]
    return (
        points(war, seat),
        income(war, seat).pp - war.units_of(seat),
        min(hand.pp, 300),
        min(hand.dp, 12),
        sum(forces.get(kind, 0) for kind in BRIGADES),
        min(forces.get("explorer", 0), 2 * reach),
        reach,
        sum(land.marker is not None for land in own),
        sum(land.revolt is not None for land in own),
        sum(CHIT_VALUES.get(land.chit or "dot", 0) for land in own if not land.developed),
        war.buildings_of(seat, "city"),
        len(border),
        sum(land.brigades(seat) < 2 for land in border),
        max(land.brigades(seat) for land in own),
        sum(max(0, lead(war, seat, other)) for other in war.enemies(seat)),
    )


def begun(war: War) -> bool:
    """Whether it is past its set-up."""
    return war.stage != "setup"


def left(war: War) -> int:
    """The share of the match still to come, in thousandths."""
    last = int(war.options.get("last_turn", "40"))
    return max(0, 1000 * (2 * (last - war.turn) + (war.round < 2)) // (2 * last + 1))


def prospects(war: War) -> dict[Seat, int]:
    """The probable score of each seat at the end, in hundredths of a point."""
    share = left(war)
    return {seat: prospect(TERMS, measured(war, seat), share) for seat in war.seats}


# ---------------------------------------------------------------- what is tried

NEAR: Mapping[str, tuple[int, ...]] = {
    "explorers": (0, 2, 8, 12),
    "gift": (400, 950),
    "least": (100, 300, 400),
    "more": (0, 250, 1000, 1500),
    "garrison": (0, 2, 3),
    "war": (0, 1, 3, 4),
    "worth": (60, 160, 250, 1000),
    "revolt": (0, 700, 3000, 9000),
}
"""The other values of a habit."""


def challenger(war: War, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """A steady sheet of other habits, some of its lines in the best, or the best with a line changed."""
    if war.stage == "setup" or not pick(3):
        return _habits(war, seat, best, pick)
    if not pick(8) and best:
        return but_one(best, pick)
    return _march(war, seat, best, pick) if war.stage == "movement" else _work(war, seat, best, pick)


def _habits(war: War, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """A steady sheet of other habits; half the time only some kinds of its lines."""
    other = tuple([one.order for one in steady(war, seat, near(STEADY, NEAR, pick))])
    return other if pick(2) or war.stage == "setup" else crossed(best, other, pick)


def _march(war: War, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """A war more or less; explorers or brigades of a region go elsewhere."""
    if not pick(6):
        return another_war(war, seat, best, pick, DeclareWar)
    able_to_go = [land for land in war.lands.values() if land.count(seat) and land.revolt is None]
    if not able_to_go:
        return best
    land = able_to_go[pick(len(able_to_go))]
    free = land.brigades(seat) - (land.owner == seat)
    if land.count(seat, "explorer") and (free <= 0 or pick(2)):
        return _explorers(war, seat, best, land, pick)
    if free <= 0:
        return best
    beside, kept = ways_out(war, seat, land), but_from(best, land, BRIGADES)
    if not beside or not pick(5):
        return kept
    number = free if pick(2) else 1 + pick(free)
    return (MoveUnits(brigades(land, seat, number), land.name, beside[pick(len(beside))]), *kept)


def another_war(
    war: War, seat: Seat, best: tuple[Intent, ...], pick: Pick, declares: type[DeclareWar]
) -> tuple[Intent, ...]:
    """A war more, or none of those that the sheet declares."""
    kept = tuple(line for line in best if not isinstance(line, declares))
    able = [order for order in map(declares, war.after(seat)) if order.lawful(war, seat)]
    return (able[pick(len(able))], *kept) if able and len(kept) == len(best) else kept


def ways_out(war: War, seat: Seat, land: Land) -> list[str]:
    """The neighbours of a region that are his, native, or an enemy's."""
    return [
        name
        for name in BOARD.regions[land.name].borders
        if (owner := war.lands[name].owner) in (None, seat) or war.may_attack(seat, owner)
    ]


def but_from(best: tuple[Intent, ...], land: Land, kinds: tuple[str, ...]) -> tuple[Intent, ...]:
    """The lines but marches of these kinds from a region."""
    return tuple(
        line
        for line in best
        if not (isinstance(line, MoveUnits) and line.origin == land.name and line.lots[0].kind in kinds)
    )


def _explorers(war: War, seat: Seat, best: tuple[Intent, ...], land: Land, pick: Pick) -> tuple[Intent, ...]:
    """Explorers of a region go to other natives, with or without a gift."""
    lines = list(but_from(best, land, ("explorer",)))
    reach = land_reach(war, seat, land.name, KINDS["explorer"].moves, True)
    wild = [(name, via) for name, via in reach.items() if war.lands[name].owner is None and not is_power(war, name)]
    for _ in range(land.count(seat, "explorer") if wild else 0):
        name, via = wild[pick(len(wild))]
        if name != land.name:
            lines.append(MoveUnits((exactly("explorer", 1),), land.name, name, tuple(v for v in via if v != name)))
        if not any(isinstance(line, ExploreRegion) and line.region == name for line in lines):
            gift = war.treasuries[seat].dp > 0 and granted(check_gift, war, seat, name)
            lines.append(ExploreRegion(name, bool(gift and pick(2))))
    return tuple(lines)


def _work(war: War, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """Half the time a line less; then infantry, a building, an explorer or tamed natives more, before some line."""
    lines = list(best)
    if lines and pick(2):
        lines.pop(pick(len(lines)))
    facing, places, own = front(war, seat), list(sites(war, seat)), war.regions_of(seat)
    wild = [order for land in own if (order := WesternizeRegion(land.name)).lawful(war, seat)]
    cities = [land.name for land in own if land.has("city") and land.revolt is None]
    more: list[Any] = [BuildBuilding(*places[pick(len(places))])] if places else []
    more += [wild[pick(len(wild))]] if wild else []
    left = war.treasuries[seat].pp - (0 if maintained_before(war) else war.units_of(seat))
    for kind, sites_of in (("infantry", facing[:4]), ("explorer", cities)):
        if sites_of and (most := left // KINDS[kind].price) > 0:
            more.append(BuildUnits(kind, 1 + pick(min(6, most)), sites_of[pick(len(sites_of))]))
    more = [order for order in more if order.lawful(war, seat)]
    if more:
        lines.insert(pick(len(lines) + 1), more[pick(len(more))])
    return tuple(lines)
