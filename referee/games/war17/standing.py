"""Standing orders of Version 1.7: the battle plan, line by line, and leave to cross."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.orders.standing_home import EvacuateTo, PickRule
from referee.games.war.orders.standing_land import LossOrder, RetreatRule, RunNatives
from referee.games.war.orders.standing_sea import BreakOffRule, FleetLossOrder, InterceptRule, StraitsRule
from referee.games.war.pieces import plural
from referee.kit.wording import counted


def _where(region: str) -> str:
    return f" in {region}" if region else ""


class DeployRule(Intent, frozen=True):
    """How many brigades stand in which sector; empty: evenly. `region` "": everywhere."""

    sectors: tuple[tuple[str, int], ...] = ()
    region: str = ""

    def meaning(self) -> str:
        posts = ", ".join(f"{number} {sector}" for sector, number in self.sectors) or "evenly"
        return f"Deploy your brigades in battle{_where(self.region)}: {posts}."


class ReserveRule(Intent, frozen=True):
    """How many brigades are held in reserve in a major battle."""

    number: int
    region: str = ""

    def meaning(self) -> str:
        return f"Hold {counted(self.number, 'brigades')} in reserve in major battles{_where(self.region)}."


class StanceRule(Intent, frozen=True):
    """`assault`, `stand` or `auto`, in one sector or, "", in all."""

    stance: str
    sector: str = ""
    region: str = ""

    def meaning(self) -> str:
        on = f" on the {self.sector}" if self.sector else ""
        words = {
            "assault": "Charge whenever an enemy is in the sector",
            "stand": "Hold the line and fire",
            "auto": "Assault when attacking, stand when defending unless outgunned",
        }
        return f"{words[self.stance]}{on}{_where(self.region)}."


class FeedRule(Intent, frozen=True):
    """Where reserves go: `weakest` or a sector."""

    goal: str
    region: str = ""

    def meaning(self) -> str:
        return f"Reserves go to the {self.goal}{' sector' if self.goal == 'weakest' else ''}{_where(self.region)}."


class LeadersRule(Intent, frozen=True):
    """In which sectors leaders stand, one after the other."""

    sectors: tuple[str, ...]
    region: str = ""

    def meaning(self) -> str:
        return f"Your leaders{_where(self.region)} stand in turn: {', '.join(self.sectors)}."


class PursueRule(Intent, frozen=True):
    """Which kind your pursuers strike first."""

    kind: str
    region: str = ""

    def meaning(self) -> str:
        return f"In pursuit{_where(self.region)} strike {plural(self.kind)} first."


class CrossRule(Intent, frozen=True):
    """Whose units may cross your regions (17.move.land.4); none named: nobody's."""

    seats: tuple[Seat, ...] = ()

    def meaning(self) -> str:
        if not self.seats:
            return "Nobody may cross your regions."
        return f"Units of {', '.join(self.seats)} may cross your regions."


PLAN: tuple[type[Intent], ...] = (
    DeployRule, ReserveRule, StanceRule, FeedRule, RetreatRule, LossOrder, LeadersRule, PursueRule,
)  # fmt: skip
"""The lines of a battle plan."""

STANDING17: tuple[type[Intent], ...] = (
    *PLAN, CrossRule, StraitsRule, InterceptRule, BreakOffRule, FleetLossOrder, EvacuateTo, PickRule, RunNatives,
)  # fmt: skip
"""Orders that answer questions."""
