"""Pure rules of Version 1.7: income, victory, and the tactical battle reckoned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Quantity
from referee.games.war.position import Land, Marker
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import Income, railroad_income, source
from referee.games.war.rulebook import BOARD, BRIGADES, PARTIES

# ---------------------------------------------------------------- income
# The pay of an empire of Version 1.7, line by line, and the part that blockade may take (17.production.1).


_REGION, _CITY, _FACTORY = 5, 5, 10
_FACTORIES_A_CITY = 2
_RULE = "17.production.1"


def income(war: War, seat: Seat) -> Income:
    """17.production.1: regions, cities, factories beside a city, ports, railroads, developed resources."""
    own = {land.name: land for land in war.regions_of(seat)}
    count = {kind: war.buildings_of(seat, kind) for kind in ("city", "factory", "port", "railroad")}
    ports = sum(land.has("port") for land in war.lands.values())
    paying = paying_factories(own)
    values = [land.resource for land in own.values() if land.resource]
    return Income(
        (
            *source(len(own), "region", _REGION * len(own), _RULE),
            *source(count["city"], "city", _CITY * count["city"], _RULE),
            *source(count["factory"], "factory", _FACTORY * paying, "17.pieces.3", paying=paying),
            *source(count["port"], "port", ports * count["port"], "R17-05"),
            *source(count["railroad"], "railroad", railroad_income(own), _RULE),
            *source(len(values), "developed resource", sum(values), _RULE),
        ),
        0,
    )


def paying_factories(own: Mapping[str, Land]) -> int:
    """17.pieces.3, R17-02: factories matched to cities beside them, two a city, so that most pay."""
    seats = [name for name, land in own.items() if land.has("city") for _ in range(_FACTORIES_A_CITY)]
    taken: dict[int, str] = {}
    return sum(_place(name, seats, taken, set()) for name, land in own.items() if land.has("factory"))


def _place(factory: str, seats: Sequence[str], taken: dict[int, str], tried: set[int]) -> bool:
    """An augmenting path: a factory takes a place, or moves one that holds it elsewhere."""
    for place, city in enumerate(seats):
        if place in tried or (city != factory and city not in BOARD.regions[factory].borders):
            continue
        tried.add(place)
        if place not in taken or _place(taken[place], seats, taken, tried):
            taken[place] = factory
            return True
    return False


# ---------------------------------------------------------------- blockade


def besiegers(war: War, seat: Seat) -> tuple[tuple[Seat, int], ...]:
    """R17-03: each enemy with the number of his fleets in areas beside this player's ports."""
    seas = {sea for land in war.regions_of(seat) if land.has("port") for sea in BOARD.regions[land.name].seas}
    counts = ((enemy, sum(fleet.sea in seas for fleet in war.fleets_of(enemy))) for enemy in war.enemies(seat))
    return tuple((enemy, number) for enemy, number in counts if number)


def cap_of(pp: int) -> int:
    """17.production.blockade.2, R17-04: a third of the full income of the turn, up."""
    return -(-pp // 3)


# ---------------------------------------------------------------- the field of a tactical battle
# Sectors with lines and middles, reserves and retreat boxes (17.tactical.1, 17.tactical.2).


Counts = dict[str, int]
"""So many of each kind; kinds of which there are none are left out."""

SECTORS = ("left", "centre", "right")
"""The sectors of a major battle; a minor one has the centre alone."""

MAJOR = 6
"""Brigades that both sides need for a major battle (17.tactical.1)."""


def sectors_of(attackers: int, defenders: int) -> tuple[str, ...]:
    """17.tactical.1: three sectors with six or more brigades on both sides, else one."""
    return SECTORS if min(attackers, defenders) >= MAJOR else ("centre",)


def brigades_in(counts: Mapping[str, int]) -> int:
    """How many brigades among them."""
    return sum(counts.get(kind, 0) for kind in BRIGADES)


def changed(counts: Counts, kind: str, number: int) -> Counts:
    """With so many more of a kind (below 0: fewer)."""
    total = counts.get(kind, 0) + number
    return {name: n for name, n in {**counts, kind: total}.items() if n > 0}


def natives_of(marker: Marker) -> dict[str, int]:
    """17.combat.natives.1: infantry of the rating; with a sign cavalry of half of it, up; with two signs one artillery."""
    army = {"infantry": marker.strength}
    if marker.plus:
        army["cavalry"] = (marker.strength + 1) // 2
    return army | ({"artillery": 1} if marker.plus > 1 else {})


class Post(msgspec.Struct, frozen=True):
    """An army's units in one sector: on its line, leaders included, and in the middle."""

    line: Counts = {}
    middle: Counts = {}

    @property
    def brigades(self) -> int:
        """Brigades on the line and in the middle: without any the army must retreat (17.tactical.10)."""
        return brigades_in(self.line) + brigades_in(self.middle)

    @property
    def reached(self) -> Counts:
        """Where the enemy's blows fall: on those in the middle, else on the line (17.tactical.5)."""
        return self.middle or {kind: n for kind, n in self.line.items() if kind in BRIGADES}


class Force(msgspec.Struct, frozen=True):
    """An army on the field. `box`: its retreat box."""

    posts: dict[str, Post]
    reserve: Counts = {}
    box: Counts = {}

    @property
    def broken(self) -> bool:
        """17.tactical.10: a sector without a brigade."""
        return any(not post.brigades for post in self.posts.values())

    @property
    def in_action(self) -> Counts:
        """Brigades on lines, in middles and in reserve, by kind."""
        groups = [*(g for post in self.posts.values() for g in (post.line, post.middle)), self.reserve]
        totals = {kind: sum(group.get(kind, 0) for group in groups) for kind in BRIGADES}
        return {kind: n for kind, n in totals.items() if n}

    @property
    def forward(self) -> Counts:
        """Brigades on lines and in middles, which alone pursue (17.tactical.12)."""
        groups = [group for post in self.posts.values() for group in (post.line, post.middle)]
        return {kind: n for kind in BRIGADES if (n := sum(group.get(kind, 0) for group in groups))}

    @property
    def all(self) -> Counts:
        """Everybody who is left, the box included."""
        groups = [*(g for post in self.posts.values() for g in (post.line, post.middle)), self.reserve, self.box]
        kinds = dict.fromkeys(kind for group in groups for kind in group)
        return {kind: sum(group.get(kind, 0) for group in groups) for kind in kinds}

    def with_post(self, sector: str, post: Post) -> Force:
        """A copy with a sector changed."""
        return replace(self, posts={**self.posts, sector: post})


def moved(force: Force, kind: str, origin: tuple[str, str], target: tuple[str, str], number: int = 1) -> Force:
    """Units from a place to another; a place is ("line" or "middle", sector), ("reserve", ""), ("box", ""), ("gone", "")."""
    return _put(_put(force, kind, origin, -number), kind, target, number)


def _put(force: Force, kind: str, place: tuple[str, str], number: int) -> Force:
    where, sector = place
    if where in ("line", "middle"):
        post = force.posts[sector]
        return force.with_post(sector, replace(post, **{where: changed(getattr(post, where), kind, number)}))
    if where in ("reserve", "box"):
        return replace(force, **{where: changed(getattr(force, where), kind, number)})
    return force


# ---------------------------------------------------------------- single actions
# Charges, fire and what the dice do (17.tactical.4 to 17.tactical.8).


CHARGE = 8
"""The number that a charge needs (17.tactical.4)."""
FIRE_AT_MIDDLE, FIRE_AT_LINE = 7, 8
"""The number that fire needs, by where the enemy stands; only artillery fires at a line."""
PURSUIT = {"infantry": 10, "cavalry": 8}
"""The number that a pursuing brigade needs."""
MISS, REPULSE = 2, 4
"""A natural roll that always misses; the highest natural roll that throws a charger back (17.tactical.5)."""
_KILL = 2

Action = Literal["charge", "fire"]
Deed = Literal["", "box", "lost", "repulsed"]


class Blow(msgspec.Struct, frozen=True):
    """One brigade's roll: natural faces, the modifier, the number it needed, what came of it and for which kind."""

    faces: tuple[int, int]
    modifier: int
    needed: int
    deed: Deed = ""
    struck: str = ""

    @property
    def total(self) -> int:
        """Both dice and the modifier."""
        return sum(self.faces) + self.modifier

    def words(self) -> str:
        """`9 +1 = 10, an infantry is eliminated`."""
        rolled = f"{sum(self.faces)} {self.modifier:+d} = {self.total}" if self.modifier else str(self.total)
        nobody = self.needed <= self.total and sum(self.faces) != MISS
        ends = {
            "": "finds nobody left to hit" if nobody else "misses",
            "box": f"sends {self.struck} to the retreat box",
            "lost": f"eliminates {self.struck}",
            "repulsed": "is repulsed",
        }
        return f"{rolled} {ends[self.deed]}"


def deed_of(natural: int, modifier: int, needed: int, action: Action) -> Deed:
    """17.tactical.4, 17.tactical.5: what a roll does."""
    if action == "charge" and natural <= REPULSE:
        return "repulsed"
    if natural == MISS or natural + modifier < needed:
        return ""
    return "lost" if natural + modifier >= needed + _KILL else "box"


def _needed_for(kind: str, action: Action, enemy: Force, sector: str) -> int:
    """17.tactical.4, 17.tactical.6: by what stands in the sector now."""
    if action == "charge":
        return CHARGE
    return FIRE_AT_MIDDLE if enemy.posts[sector].middle else FIRE_AT_LINE


def strike(
    own: Force, enemy: Force, kind: str, sector: str, action: Action, faces: tuple[int, int], modifier: int,
    lose: Sequence[str],
) -> tuple[Force, Force, Blow]:  # fmt: skip
    """One brigade acts; the enemy's `lose` says whom the blow takes (17.tactical.7). A charger stands in the middle already."""
    needed = _needed_for(kind, action, enemy, sector)
    deed = deed_of(sum(faces), modifier, needed, action)
    if deed == "repulsed":
        return moved(own, kind, ("middle", sector), ("box", "")), enemy, Blow(faces, modifier, needed, deed)
    if not deed:
        return own, enemy, Blow(faces, modifier, needed)
    post = enemy.posts[sector]
    struck = next(name for name in (*lose, *BRIGADES) if post.reached.get(name))
    place = ("middle" if post.middle else "line", sector)
    goal = ("box", "") if deed == "box" else ("gone", "")
    return own, moved(enemy, struck, place, goal), Blow(faces, modifier, needed, deed, struck)


# ---------------------------------------------------------------- plan
# The battle plan a player keeps on file, and where it puts his army (17.tactical.plan).


_THIN = ("centre", "left", "right")
"""The order of equally thin sectors (17.tactical.plan.3)."""


class BattlePlan(msgspec.Struct, frozen=True):
    """A player's wishes for a battle. `deploy` empty: evenly; `stances`: by sector, "" for all.

    `retreat` as in the standing order: "never", "after" (from) turn n, "below" n brigades, "outnumbered" n to 1.
    """

    deploy: dict[str, int | Quantity] = {}
    reserve: int | Quantity = 0
    stances: dict[str, str] = {}
    feed: str = "weakest"
    retreat: tuple[str, int] = ("never", 0)
    lose: tuple[str, ...] = BRIGADES
    leaders: tuple[str, ...] = ("centre", "left", "right")
    pursue: str = "artillery"


DEFAULT = BattlePlan()
"""The plan of a player who files none (17.tactical.plan.2, 17.tactical.plan.3)."""


def deployed(troops: Mapping[str, int], sectors: Sequence[str], plan: BattlePlan) -> Force:
    """17.tactical.2, 17.tactical.plan.3: the army on its lines."""
    reserve = _reserve(troops, len(sectors), plan) if len(sectors) > 1 else {}
    left = {kind: troops.get(kind, 0) - reserve.get(kind, 0) for kind in BRIGADES}
    lines: dict[str, Counts] = {sector: {} for sector in sectors}
    deploy = {sector: _many(many, sum(left.values())) for sector, many in plan.deploy.items()}
    for kind in ("artillery", "cavalry", "infantry"):
        for _ in range(left[kind]):
            sector = _next_sector(kind, lines, deploy)
            lines[sector] = changed(lines[sector], kind, 1)
    lines = _filled(lines)
    wanted = [sector for sector in (*plan.leaders, *_THIN) if sector in lines]
    for place in range(troops.get("leader", 0)):
        sector = wanted[place % len(wanted)]
        lines[sector] = changed(lines[sector], "leader", 1)
    box = {kind: n for kind in PARTIES if kind != "leader" and (n := troops.get(kind, 0))}
    return Force({sector: Post(line) for sector, line in lines.items()}, reserve, box)


def _many(wanted: int | Quantity, there: int) -> int:
    return wanted.of(there) if isinstance(wanted, Quantity) else wanted


def _reserve(troops: Mapping[str, int], sectors: int, plan: BattlePlan) -> Counts:
    """17.tactical.plan.3"""
    spare = max(0, min(_many(plan.reserve, brigades_in(troops)), brigades_in(troops) - sectors))
    reserve: Counts = {}
    for kind in BRIGADES:
        number = min(spare, troops.get(kind, 0))
        spare -= number
        reserve = changed(reserve, kind, number)
    return reserve


def _next_sector(kind: str, lines: Mapping[str, Counts], deploy: Mapping[str, int]) -> str:
    if deploy:
        short = {s: deploy.get(s, 0) - brigades_in(line) for s, line in lines.items()}
        if max(short.values()) > 0:
            return max(lines, key=lambda s: (short[s], -_THIN.index(s)))
    thin = {sector: brigades_in(line) for sector, line in lines.items()}
    if kind == "artillery":
        return min(lines, key=lambda s: (lines[s].get(kind, 0), _THIN.index(s)))
    if kind == "cavalry" and len(lines) > 1:
        return min((s for s in lines if s != "centre"), key=lambda s: (lines[s].get(kind, 0), SECTORS.index(s)))
    return min(lines, key=lambda s: (thin[s], _THIN.index(s)))


def _filled(lines: dict[str, Counts]) -> dict[str, Counts]:
    """17.tactical.2, 17.tactical.plan.3"""
    for sector in lines:
        while not brigades_in(lines[sector]):
            full = max(lines, key=lambda s: brigades_in(lines[s]))
            kind = next(kind for kind in BRIGADES if lines[full].get(kind))
            lines = {**lines, full: changed(lines[full], kind, -1), sector: changed(lines[sector], kind, 1)}
    return lines


# ---------------------------------------------------------------- in the battle


def stance_of(plan: BattlePlan, sector: str, attacking: bool, own: Force, enemy: Force) -> str:
    """17.tactical.plan.2: `assault` or `stand`."""
    stance = plan.stances.get(sector) or plan.stances.get("", "auto")
    if stance != "auto":
        return stance
    outgunned = enemy.in_action.get("artillery", 0) > own.in_action.get("artillery", 0)
    return "assault" if attacking or outgunned else "stand"


def feeds(plan: BattlePlan, own: Force, enemy: Force) -> str:
    """17.tactical.plan.3: the sector that the next reserve brigade goes to."""
    if plan.feed in own.posts:
        return plan.feed
    return min(own.posts, key=lambda s: (own.posts[s].brigades - enemy.posts[s].brigades, _THIN.index(s)))


def retreats(plan: BattlePlan, turn: int, own: Force, enemy: Force) -> bool:
    """17.tactical.10: whether the plan leaves the battle at the start of this turn, from turn 2 on."""
    when, number = plan.retreat
    ours, theirs = brigades_in(own.in_action), brigades_in(enemy.in_action)
    if turn < 2 or when == "never":
        return False
    outnumbered = theirs > ours and theirs >= number * ours
    return {"after": turn >= number, "below": ours < number, "outnumbered": outnumbered}[when]


# ---------------------------------------------------------------- pursuit
# The winner's brigades strike once at those who leave (17.tactical.12, 17.combat.fleets.2).


def shield(loser: Force, afloat: bool) -> int:
    """17.tactical.12: the loser's cavalry outside his box, which must be removed first; none when he boards fleets."""
    return 0 if afloat else loser.in_action.get("cavalry", 0)


def pursuers(winner: Force, loser: Force, afloat: bool) -> Mapping[str, int]:
    """The units that may pursue: brigades on line or in the middle; cavalry alone where cavalry shields the loser."""
    forward = winner.forward
    kinds = ("cavalry",) if shield(loser, afloat) else ("cavalry", "infantry")
    return {kind: forward[kind] for kind in kinds if forward.get(kind)}


def number_for(kind: str, afloat: bool) -> int:
    """17.combat.fleets.2: infantry pursues those who board with cavalry's number."""
    return PURSUIT["cavalry"] if afloat else PURSUIT[kind]


def pursue(
    left: dict[str, int], screen: int, faces: tuple[int, int], drm: int, needed: int, plan: BattlePlan
) -> tuple[dict[str, int], int, Blow]:
    """One roll: who is left of the loser, how much cavalry still shields him, and the blow."""
    natural = sum(faces)
    if natural == MISS or natural + drm < needed or not left:
        return left, screen, Blow(faces, drm, needed)
    first = ("artillery", "cavalry", "infantry") if plan.pursue == "artillery" else ("cavalry", "artillery", "infantry")
    order = ("cavalry",) if screen else (*first, *BRIGADES, *reversed(PARTIES))
    struck = next(kind for kind in order if left.get(kind))
    return changed(left, struck, -1), max(0, screen - 1), Blow(faces, drm, needed, "lost", struck)
