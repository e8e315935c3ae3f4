"""Native revolts: incited for DP or a sphere, or spread by natives who won theirs next door."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.events.forces import fell_short
from referee.games.war.events.natives import DiplomacyPaid, SpheresRemoved
from referee.games.war.events.revolts import RevoltBegan, RevoltRolled
from referee.games.war.orders.production.incite import InciteRevolt
from referee.games.war.orders.standing.home import SphereRule
from referee.games.war.phases.decisions import decision
from referee.games.war.position.places import Land, Side
from referee.games.war.position.state import War
from referee.games.war.reckoning.natives import native_army, revolt_modifier
from referee.games.war.rulebook.board import BOARD
from referee.kit.refused import Refused

_SIDES: tuple[Side, ...] = ("support", "suppress")


def incite(table: Table[War], seat: Seat, order: InciteRevolt) -> Script[None]:
    """27.production.revolt: pay, let the owners of spheres take sides, roll 2d6 against the native strength."""
    try:
        order.permit(table.state, seat)
    except Refused as refused:
        table.emit(fell_short(table.state, seat, order, refused))
        return
    if order.with_sphere:
        why = f"{seat} pays with it for a revolt"
        table.emit(SpheresRemoved(order.region, seat, 1, why, "27.production.revolt.2"))
    if dp := order.dp(table.state, seat):
        bribe = ", with a bribe" if order.bribe else ""
        table.emit(DiplomacyPaid(seat, dp, f"to incite a revolt in {order.region}{bribe}", "27.production.revolt.2"))
    yield from _roll_for_revolt(table, order.region, seat, f"{order.region}/revolt", order.bribe)


def revolt_chain(table: Table[War], region: str) -> Script[None]:
    """27.combat.natives.10, R27-68: natives won in `region`; every restless player's region next to it rolls, in map order."""
    neighbours = sorted(BOARD.regions[region].borders, key=BOARD.position)
    for name in neighbours:
        land = table.state.lands[name]
        if land.owner is not None and land.marker is not None and land.revolt is None:
            yield from _roll_for_revolt(table, name, None, f"{name}/revolt after {region}")


def _roll_for_revolt(
    table: Table[War], region: str, inciter: Seat | None, name: str, bribe: bool = False
) -> Script[None]:
    """27.production.revolt.3, .6, .7: the roll, and if it succeeds the native army and the side of every sphere."""
    land = table.state.lands[region]
    assert land.owner is not None and land.marker is not None
    sides = yield from _sides(table, land, land.owner, inciter, name)
    rule = "27.production.revolt.3" if inciter else "27.combat.natives.10"
    why = f"{region}: {inciter} incites a revolt" if inciter else f"{name.replace('/', ': ')}"
    dice = sum(table.roll(2, 6, why, rule))
    strength = land.marker.strength
    rolled = RevoltRolled(region, land.owner, inciter, dice, revolt_modifier(land, sides, bribe), strength)
    table.emit(rolled)
    if rolled.rises:
        table.emit(RevoltBegan(region, land.owner, native_army(land.marker), sides))


# ---------------------------------------------------------------- Q8: the sides of the spheres


def side_by_default(war: War, sphere: Seat, owner: Seat, inciter: Seat | None) -> Side:
    """R27-21: support if at war with the region's owner or inciter oneself, else suppress."""
    return "support" if sphere == inciter or war.at_war(sphere, owner) else "suppress"


def _sides(table: Table[War], land: Land, owner: Seat, inciter: Seat | None, name: str) -> Script[dict[Seat, Side]]:
    """27.production.revolt.6, Q8: all owners of spheres are asked at once."""
    seats = [seat for seat in table.state.order if land.spheres.get(seat)]
    questions = []
    for seat in seats:
        default = side_by_default(table.state, seat, owner, inciter)
        helped: dict[Side, str] = {"support": "help the natives", "suppress": f"help {owner}"}
        menu = OneOf([Choice(side, side, helped[side]) for side in _SIDES], default)
        text = f"A revolt is brewing in {land.name} ({owner}). Do your spheres there support or suppress it?"
        wanted = _side_wanted(land.name, owner)
        questions.append(decision(table, seat, f"{name}/{seat}", text, menu, "27.production.revolt.6", wanted))
    answers = yield from table.ask_all(questions)
    return {seat: answer.value for seat, answer in zip(seats, answers, strict=True)}


def _side_wanted(region: str, owner: Seat) -> Callable[[Sequence[Intent]], Side | None]:
    """What sphere rules say of one region (R27-82)."""

    def wanted(sheet: Sequence[Intent]) -> Side | None:
        rules = [rule for rule in sheet if isinstance(rule, SphereRule)]
        fitting = [rule for rule in rules if rule.region in ("", region) and rule.of in (None, owner)]
        fitting.sort(key=lambda rule: (not rule.region, rule.of is None))
        return next((side for rule in fitting for side in _SIDES if side == rule.side), None)

    return wanted
