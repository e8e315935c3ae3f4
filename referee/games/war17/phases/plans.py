"""From standing orders to a battle plan: lines that name the region go before those for everywhere (17.tactical.plan.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from referee.core.choices import Pick
from referee.core.order import Intent
from referee.games.war17.orders.standing import (
    PLAN,
    DeployRule,
    FeedRule,
    LeadersRule,
    LossOrder17,
    PursueRule,
    ReserveRule,
    RetreatRule17,
    StanceRule,
)
from referee.games.war17.reckoning.tactical.field import SECTORS
from referee.games.war17.reckoning.tactical.plan import DEFAULT, BattlePlan

T = TypeVar("T", bound=Intent)


def plan_of(sheet: Sequence[Intent], region: str) -> BattlePlan | None:
    """The plan on file for a battle in this region; None when there is not a line of one."""
    lines = [line for line in sheet if isinstance(line, PLAN) and getattr(line, "region", "") in ("", region)]
    if not lines:
        return None
    deploy, reserve = _best(lines, DeployRule), _best(lines, ReserveRule)
    feed, retreat = _best(lines, FeedRule), _best(lines, RetreatRule17)
    lose, leaders, pursue = _best(lines, LossOrder17), _best(lines, LeadersRule), _best(lines, PursueRule)
    stances = [line for line in lines if isinstance(line, StanceRule)]
    stances.sort(key=lambda line: bool(line.region))
    return BattlePlan(
        deploy=dict(deploy.sectors) if deploy else {},
        reserve=reserve.number if reserve else 0,
        stances={line.sector: line.stance for line in stances},
        feed=feed.goal if feed else DEFAULT.feed,
        retreat=(retreat.when, retreat.number) if retreat else DEFAULT.retreat,
        lose=lose.kinds if lose else DEFAULT.lose,
        leaders=leaders.sectors if leaders else DEFAULT.leaders,
        pursue=pursue.kind if pursue else DEFAULT.pursue,
    )


def _best(lines: Sequence[Any], kind: type[T]) -> T | None:
    """17.tactical.plan.1: the first line of a kind for the region, else the first."""
    found = [line for line in lines if isinstance(line, kind)]
    found.sort(key=lambda line: not getattr(line, "region", ""))
    return found[0] if found else None


class PlanMenu:
    """The menu of battle plans: never read from a letter, only from orders on file."""

    @property
    def default(self) -> BattlePlan:
        return DEFAULT

    def words(self) -> tuple[str, ...]:
        """The verbs that make a plan."""
        return tuple(line.words.verb for line in PLAN)

    def read(self, text: str) -> BattlePlan | None:
        """Always None: plans are filed as orders."""
        return None

    def encode(self, value: Any) -> bytes:
        if not isinstance(value, BattlePlan):
            raise ValueError(f"{value!r} is no battle plan")
        return msgspec.json.encode(value, order="deterministic")

    def decode(self, raw: bytes) -> BattlePlan:
        return msgspec.json.decode(raw, type=BattlePlan)

    def sample(self, pick: Pick) -> BattlePlan:
        return BattlePlan(
            deploy={sector: pick(4) for sector in SECTORS} if pick(2) else {},
            reserve=pick(4),
            stances={"": ("assault", "stand", "auto")[pick(3)]},
            feed=("weakest", *SECTORS)[pick(4)],
            retreat=(("never", 0), ("after", 3), ("below", 2), ("outnumbered", 2))[pick(4)],
            pursue=("artillery", "cavalry")[pick(2)],
        )
