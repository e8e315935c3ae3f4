"""Sailing: which fleets go which way by sea, and which attack (27.move.naval)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Portion
from referee.games.war.deeds.entry import check_attack
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.muster import exactly, ships
from referee.games.war.deeds.ordered import Attacking, Sailing
from referee.games.war.deeds.refused import NotYet
from referee.games.war.position.places import DONE, Fleet
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import CANAL, Way, gate_between, gate_shut, sea_way
from referee.games.war.rulebook.board import BOARD
from referee.kit.refused import Refused
from referee.kit.wording import counted


class Voyage(msgspec.Struct, frozen=True):
    """Which fleets go which way."""

    way: Way
    fleets: tuple[int, ...]


def plan_sail(war: War, seat: Seat, order: Sailing, strict: bool) -> Voyage:
    """The voyage that an order means; with `strict` off as many fleets go as can."""
    if order.quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and order.quantity.number < 1:
        raise Refused("Name at least one fleet.", "27.move.naval.1", str(order.quantity.number))
    way = _course(war, seat, order)
    own = war.fleets_of(seat, order.origin)
    named = ships(war, seat, own, order.origin, order.fleets, "27.move.naval.1", strict)
    here = [fleet for fleet in named if order.loaded in (None, bool(fleet.cargo))]
    able = [fleet for fleet in here if fleet.spent + way.cost <= war.kinds["fleet"].moves]
    number = len(order.fleets) or order.quantity.of(len(here))
    if order.quantity.portion is not Portion.EXACTLY:
        number = min(number, len(able))
    if not able or not number or (strict and number > len(able)):
        raise _too_few(order, way, here, able, number)
    able.sort(key=lambda fleet: (-fleet.points, fleet.spent, fleet.number))
    return Voyage(way, tuple(fleet.number for fleet in able[:number]))


def _course(war: War, seat: Seat, order: Sailing) -> Way:
    """27.move.naval.1, 27.board.3, 27.board.5, 27.board.7."""
    for place in (order.origin, order.target, *order.via):
        if not BOARD.is_sea(place):
            raise Refused(f"Fleets sail from sea area to sea area; {place} is land.", "27.board.3", place)
    if {order.origin, *order.via} == {order.target}:
        raise Refused(f"The fleets are in {order.target} already.", "27.move.naval.1", order.target)
    # 27.board.7: nobody sails from the Mediterranean straight into the Red Sea while no canal is open.
    stops = (order.origin, *order.via, order.target)
    for here, there in pairwise(stops):
        gate = gate_between(here, there)
        if gate is None or gate.name != CANAL or not gate_shut(war, gate):
            continue
        if war.lands[gate.region].owner is None and len(war.canal) > 1:
            raise Refused(f"Natives hold {gate.region}: nobody passes the canal.", "27.opt.suez.4", there)
        raise Refused(f"There is no canal between {here} and {there}.", "27.board.7", there)
    way = sea_way(war, seat, order.origin, order.target, order.via)
    if way is None:
        raise _shut(war, order)
    moves = war.kinds["fleet"].moves
    if way.cost > moves:
        nearer = order.but(target=way.places[moves], via=())
        none = "" if war.fleets_of(seat, order.origin) else f" Besides, you have no fleet in {order.origin}."
        why = f"{order.target} is {way.cost} MP away; a fleet has {moves}.{none}"
        if by_canal := _canal_words(war, seat, order, way):
            raise Refused(f"{why} {by_canal}", "27.board.7", order.target)
        raise Refused(why, "27.move.naval.1", order.target, _if_lawful(war, seat, nearer))
    return way


def _if_lawful(war: War, seat: Seat, order: Sailing) -> tuple[str, ...]:
    """The line of an order that can be done now; nothing else is worth offering."""
    try:
        plan_sail(war, seat, order, strict=True)
    except Refused:
        return ()
    return (line_of(order),)


def _canal_words(war: War, seat: Seat, order: Sailing, way: Way) -> str:
    """27.board.7: that the way is so long because no canal is open, where that is why."""
    gate = next(gate for gate in BOARD.gates if gate.name == CANAL)
    if not gate_shut(war, gate) or order.target not in gate.between:
        return ""
    opened = replace(war.with_land(gate.region, owner=seat), canal=(0, 0))
    short = sea_way(opened, seat, order.origin, order.target, order.via)
    return (
        "There is no canal open at Suez."
        if short is not None and short.cost <= war.kinds["fleet"].moves < way.cost
        else ""
    )


def _shut(war: War, order: Sailing) -> Refused:
    """R27-03: a strait that natives hold; nothing lies behind the canal alone."""
    shut = [g for g in BOARD.gates if g.name != CANAL and gate_shut(war, g)]
    gate = shut[0].region if shut else ""
    why = f"{order.target} lies beyond the strait of {gate}, which natives hold: nobody passes."
    return Refused(why, "27.board.5", order.target)


def _too_few(order: Sailing, way: Way, here: Sequence[Fleet], fit: Sequence[Fleet], number: int) -> Refused:
    able, left = len(fit), tuple(fleet.number for fleet in fit) if order.fleets else ()
    instead = (line_of(order.but(quantity=exactly("fleet", able).quantity, fleets=left)),) if able else ()
    which = {None: "", True: "loaded ", False: "empty "}[order.loaded]
    if not here:
        why = f"You have no {which}fleet in {order.origin}."
        return NotYet(why, "27.move.naval.1", order.origin, instead)
    if number > len(here):
        why = f"You have only {counted(len(here), which + 'fleets')} in {order.origin}, not {number}."
        return NotYet(why, "27.move.naval.1", str(number), instead)
    if not number and able:
        return NotYet(f"That leaves no fleet to sail from {order.origin}.", "27.move.naval.1", order.origin, instead)
    if any(fleet.spent == DONE for fleet in here):
        why = f"Fleets in {order.origin} broke off a battle: their move is over."
        return NotYet(why, "27.combat.naval.4", order.origin, instead)
    have = f"only {able} of these {len(here)} fleets {'has' if able == 1 else 'have'} so many left"
    if not able:
        left_over = here[0].kinds["fleet"].moves - min(fleet.spent for fleet in here)
        nearer = way.places[max(0, left_over)]
        instead = (line_of(order.but(target=nearer, via=())),) if nearer != order.origin else ()
        who = "your fleet there has" if len(here) == 1 else "none of your fleets there has more than"
        have = f"{who} {left_over} left, after what was sailed and landed"
    why = f"{order.target} is {way.cost} MP away; {have}."
    return NotYet(why, "27.move.naval.1", order.target, instead)


# ---------------------------------------------------------------- attack


def plan_attack(war: War, seat: Seat, order: Attacking, strict: bool) -> tuple[int, ...]:
    """The fleets that attack; unloaded ones first. Costs no MP (27.move.naval.2, R27-33)."""
    if order.sea not in BOARD.seas:
        raise Refused(f"Fleets fight in sea areas; {order.sea} is land.", "27.board.3", order.sea)
    if order.enemy == seat:
        raise Refused("These are your own fleets.", "27.move.naval.2", order.enemy)
    check_attack(war, seat, order.enemy, order.enemy)
    if not war.fleets_of(order.enemy, order.sea):
        elsewhere = [f.sea for f in war.fleets_of(order.enemy) if war.fleets_of(seat, f.sea)]
        instead = tuple(line_of(order.but(sea=sea, quantity=None, fleets=())) for sea in elsewhere[:1])
        raise Refused(f"{order.enemy} has no fleet in {order.sea}.", "27.move.naval.2", order.sea, instead)
    own = war.fleets_of(seat, order.sea)
    here = ships(war, seat, own, order.sea, order.fleets, "27.move.naval.2", strict)
    able = [fleet for fleet in here if fleet.spent != DONE]
    if not able:
        if here:
            why = f"Your fleets in {order.sea} broke off a battle: their move is over."
            raise NotYet(why, "27.combat.naval.4", order.sea)
        raise NotYet(f"You have no fleet in {order.sea}.", "27.move.naval.2", order.sea)
    number = order.quantity.of(len(here)) if order.quantity and not order.fleets else len(able)
    if strict and order.quantity and order.quantity.portion is Portion.EXACTLY and not 0 < number <= len(able):
        why = f"You have {counted(len(able), 'fleets')} in {order.sea} that can attack."
        raise NotYet(why, "27.move.naval.2", str(number), (line_of(order.but(quantity=None, fleets=())),))
    able.sort(key=lambda fleet: (fleet.points, fleet.number))
    return tuple(fleet.number for fleet in able[: max(1, number)])
