"""An unlawful purchase or placement is mended if all players agree, else undone (27.opt.simultaneous.2, R27-91)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.refused import granted
from referee.games.war.events.economy import MendingDecided
from referee.games.war.orders.production.resources import BuildCanal
from referee.games.war.orders.production.units import BuildUnits
from referee.games.war.orders.production.works import BuildOrder, Works
from referee.games.war.orders.standing.home import ConsentRule
from referee.games.war.phases.decisions import decision
from referee.games.war.position.state import War


def mending(war: War, seat: Seat, order: BuildOrder, done: Works) -> BuildOrder | None:
    """R27-91"""
    if isinstance(order, BuildCanal):
        return None
    for land in war.regions_of(seat):
        moved = replace(order, region=land.name)
        other = replace(moved, sea="") if isinstance(moved, BuildUnits) else moved
        if (
            land.name != order.site
            and other.price(war) <= war.treasuries[seat].pp
            and granted(other.permit, war, seat, done)
        ):
            return other
    return None


def agreed(table: Table[War], seat: Seat, was: str, now: str, name: str) -> Script[bool]:
    """27.opt.simultaneous.2: all others are asked at once; one no undoes the line."""
    others = table.state.after(seat)
    text = f"{seat}'s line cannot stand: {was} Do you agree that it is mended? {now}"
    questions = [
        decision(table, other, f"{name}/{other}", text, OneOf(_OPTIONS, False), "27.opt.simultaneous.2", _consent)
        for other in others
    ]
    answers = yield from table.ask_all(questions)
    against = tuple(other for other, answer in zip(others, answers, strict=True) if not answer.value)
    table.emit(MendingDecided(seat, was, now, against))
    return not against


_OPTIONS = [Choice("yes", True, "let it be mended"), Choice("no", False, "it is undone, and its price paid back")]


def _consent(sheet: Sequence[Intent]) -> bool | None:
    return next((rule.always for rule in sheet if isinstance(rule, ConsentRule)), None)
