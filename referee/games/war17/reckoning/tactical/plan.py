"""The battle plan a player keeps on file, and where it puts his army (17.tactical.plan)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from referee.core.order import Quantity
from referee.games.war.rulebook.pieces import BRIGADES, PARTIES
from referee.games.war17.reckoning.tactical.field import SECTORS, Counts, Force, Post, brigades_in, changed

_THIN = ("centre", "left", "right")
"""Which of equally thin sectors comes first (17.tactical.plan.3)."""


class BattlePlan(msgspec.Struct, frozen=True):
    """What a player wants in a battle. `deploy` empty: evenly; `stances`: by sector, "" for all.

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
"""What is done for those who file none (17.tactical.plan.2, 17.tactical.plan.3)."""


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
    """17.tactical.plan.1, 17.tactical.plan.2: `assault` or `stand`."""
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
