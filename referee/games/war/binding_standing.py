"""Standing orders -> intents: they speak of things that may come, so little is refused."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion, Quantity, Thing
from referee.games.war.board import BOARD
from referee.games.war.lines import line_of
from referee.games.war.muster import ships
from referee.games.war.naming import (
    after,
    kinds_of,
    number_of,
    one,
    opponent,
    opponents,
    rewritten,
    says,
    ships_named,
)
from referee.games.war.pieces import BRIGADES, KIND_OF, LAND_UNITS, PARTIES, SHIP, plural
from referee.games.war.standing import (
    BreakOffRule,
    ConsentRule,
    ConvertRule,
    DisbandOrder,
    EvacuateTo,
    FavourRule,
    FleetLossOrder,
    FuseRule,
    InterceptRule,
    LossOrder,
    PickRule,
    PointsRule,
    ReinforceRule,
    RetreatRule,
    RunNatives,
    ShiftRule,
    SphereRule,
    StraitsRule,
    StrikeOrder,
)
from referee.games.war.state import War
from referee.kit.refused import Refused

__all__ = ["STANDING_BINDERS"]


def _names(things: Sequence[Thing]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(thing.name for thing in things))


def _seat(war: War, seat: Seat, name: str, rule: str) -> Seat | None:
    return opponent(war, seat, name, rule) if name else None


# ---------------------------------------------------------------- spheres and natives


def _spheres(war: War, seat: Seat, order: Order) -> Intent:
    rule = "R27-21"
    of = _seat(war, seat, one(order, rule, "AGAINST"), rule)
    return SphereRule(order.things[0].name, one(order, rule, "IN"), of)


def _strike(war: War, seat: Seat, order: Order) -> Intent:
    return StrikeOrder(tuple(Seat(name) for name in _names(order.things)))


def _points(war: War, seat: Seat, order: Order) -> Intent:
    (thing,), rule = order.things, "27.combat.natives.7"
    first = "spheres" if thing.kind == "sphere" else thing.name
    of = _seat(war, seat, one(order, rule, "OF"), rule)
    if of is not None and first != "spheres":
        raise Refused("Spheres belong to players, the strength to nobody.", rule, of, (line_of(PointsRule("spheres", 0, of)),))
    every = thing.quantity is None or thing.quantity.portion is Portion.ALL
    return PointsRule(first, 0 if every else number_of(order, thing, rule), of)


def _run_natives(war: War, seat: Seat, order: Order) -> Intent:
    return RunNatives(opponents(war, seat, after(order, "AGAINST"), "27.combat.natives.4"))


def _favour(war: War, seat: Seat, order: Order) -> Intent:
    return FavourRule(opponents(war, seat, order.things, "R27-72"))


def _consent(war: War, seat: Seat, order: Order) -> Intent:
    said = [clause.preposition for clause in order.clauses]
    if len(said) != 1:
        instead = ("CONSENT ALWAYS", "CONSENT NEVER")
        raise Refused("Say CONSENT ALWAYS or CONSENT NEVER.", "27.opt.simultaneous.2", "CONSENT", instead)
    return ConsentRule(said[0] == "ALWAYS")


def _pick(war: War, seat: Seat, order: Order) -> Intent:
    return PickRule(_names(order.things))


# ---------------------------------------------------------------- at sea


def _straits(war: War, seat: Seat, order: Order) -> Intent:
    closed, refused = order.things[0].name == "closed", after(order, "EXCEPT")
    if closed and refused:
        instead = (line_of(StraitsRule(nobody=True)), f"STRAITS open EXCEPT {refused[0].name}")
        raise Refused("Exceptions go with STRAITS open: name those who may not pass.", "R27-03", refused[0].name, instead)
    return StraitsRule(opponents(war, seat, refused, "R27-03"), closed)


def _ratio(order: Order, rule: str) -> int:
    """k of `AT k TO 1`, 0 without it. Raises Refused when the second number is not 1."""
    if not says(order, "AT"):
        return 0
    first, last = after(order, "AT")[0], [thing for thing in after(order, "TO") if thing.kind == "number"]
    if last and last[0].count() != 1:
        sentence = f"Ratios are written so many TO 1, such as AT {first.count()} TO 1."
        raise Refused(sentence, rule, str(last[0].count()))
    return number_of(order, first, rule)


def _intercept(war: War, seat: Seat, order: Order) -> Intent:
    rule = "27.move.naval.3"
    enemy = _seat(war, seat, order.things[0].name if order.things else "", rule)
    sea, ratio = one(order, rule, "IN"), _ratio(order, rule)
    said = [word for word in ("ALWAYS", "NEVER", "CARRYING", "AT") if says(order, word)]
    if len(said) != 1:
        lines = [line_of(InterceptRule(when, enemy=enemy, sea=sea)) for when in ("always", "never", "carrying")]
        raise Refused("Say when: ALWAYS, NEVER, CARRYING, or AT 2 TO 1.", rule, order.verb, tuple(lines))
    when = "ratio" if ratio else said[0].lower()
    return InterceptRule(when, ratio or 1, enemy, sea, _force(order, rule))


def _force(order: Order, rule: str) -> Quantity | None:
    """R27-33: with how many fleets; None for all."""
    force = after(order, "WITH")
    for thing in force:
        if thing.name != "fleets":
            raise Refused("Fleets alone intercept.", rule, thing.name)
        if thing.quantity and thing.quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and not thing.quantity.number:
            raise Refused("Nobody intercepts with no fleets; say NEVER.", rule, str(thing.quantity.number))
    return number if force and (number := force[0].quantity) and number.portion is not Portion.ALL else None


def _lose_fleets(war: War, seat: Seat, order: Order) -> Intent:
    rule = "27.combat.naval.2"
    fleets, said = ships_named(order.things, rule), [thing.name for thing in order.things if thing.kind != SHIP]
    for number in fleets:
        ships(war, seat, war.fleets_of(seat), "", (number,), rule, strict=True)
    if len(said) > 1:
        raise Refused("Say empty or loaded, not both.", rule, said[1])
    return FleetLossOrder(said[0] if said else "", one(order, rule, "IN"), fleets)


def _break_off(war: War, seat: Seat, order: Order) -> Intent:
    rule = "27.combat.naval.3"
    if says(order, "AT") == says(order, "NEVER"):
        raise Refused("Say BREAK OFF AT 2 TO 1, or BREAK OFF NEVER.", rule, order.verb, ("BREAK OFF AT 2 TO 1",))
    return BreakOffRule(_ratio(order, rule))


# ---------------------------------------------------------------- ways out, and help


def _disband(war: War, seat: Seat, order: Order) -> Intent:
    """`explorers, infantry IN Egypt`: a place belongs to the kind just before it; a sea area means those aboard there."""
    units: list[tuple[str, str, int]] = []
    for thing in (*order.things, *after(order, "IN", "FROM")):
        if thing.kind == "unit":
            units.append((KIND_OF[thing.name], "", _so_many(order, thing, "27.production.maintain.2")))
            continue
        kind, _, number = units.pop() if not units[-1][1] else units[-1]
        if kind == "fleet" and not BOARD.is_sea(thing.name):
            raise Refused(f"Fleets never stand in {thing.name}, which is land.", "27.board.3", thing.name)
        units.append((kind, thing.name, number))
    return DisbandOrder(tuple(units))


def _so_many(order: Order, thing: Thing, rule: str) -> int:
    """How many of a kind at most; 0 for any number."""
    number = thing.quantity
    if number is None or number.portion is Portion.ALL:
        return 0
    if number.portion not in (Portion.EXACTLY, Portion.UP_TO) or not number.number:
        instead = (rewritten(order, Quantity(Portion.EXACTLY, 1), thing),)
        raise Refused(f"{order.verb} takes a number of at least 1 here, or none.", rule, thing.name, instead)
    return number.number


def _evacuate(war: War, seat: Seat, order: Order) -> Intent:
    return EvacuateTo(_names(after(order, "TO")))


def _reinforce(war: War, seat: Seat, order: Order) -> Intent:
    rule = "27.move.reinforce.2"
    region, origin = order.things[0].name, one(order, rule, "FROM")
    if origin not in BOARD.regions[region].borders:
        near = [name for name in BOARD.regions[region].borders if war.lands[name].owner == seat]
        instead = tuple(line_of(ReinforceRule(region, name)) for name in near[:2])
        raise Refused(f"{origin} does not border {region}.", rule, origin, instead)
    company = after(order, "WITH")
    _only(order, company, BRIGADES, "A general brings brigades", "27.move.reinforce.4")
    brings = {KIND_OF[thing.name]: _so_many(order, thing, "27.move.reinforce.4") for thing in company}
    limits = after(order, "AGAINST")
    return ReinforceRule(region, origin, tuple(brings.items()), _limit(limits[0]) if limits else 0)


def _limit(thing: Thing) -> int:
    exact = thing.quantity is not None and thing.quantity.portion in (Portion.EXACTLY, Portion.UP_TO)
    if not exact or not thing.count():
        raise Refused("Say how many: AGAINST up to 5 brigades.", "27.move.reinforce.2", thing.name)
    return thing.count()


def _only(order: Order, things: Sequence[Thing], allowed: tuple[str, ...], who: str, rule: str) -> tuple[str, ...]:
    kinds = kinds_of(things)
    for kind in kinds:
        if kind not in allowed:
            raise Refused(f"{who}, not {plural(kind)}.", rule, plural(kind))
    return kinds


# ---------------------------------------------------------------- battles


def _retreat(war: War, seat: Seat, order: Order) -> Intent:
    rule = "27.combat.land.4"
    words = {"NEVER": "never", "AFTER": "after", "AFTER ROUND": "after", "BELOW": "below", "OUTNUMBERED": "outnumbered"}
    said = [word for word in words if says(order, word)]
    region = one(order, rule, "FROM")
    to = _names([thing for thing in after(order, "TO") if thing.kind != "number"])
    if len(said) != 1:
        better = (RetreatRule("below", 2, to, region), RetreatRule("never", 0, to, region))
        why = "Say when: NEVER, AFTER 2, BELOW 3 brigades, or OUTNUMBERED 2 TO 1."
        raise Refused(why, rule, order.verb, tuple(map(line_of, better)))
    if any(thing.count() < 1 for thing in after(order, said[0])):
        raise Refused(f"RETREAT {said[0]} needs a number of 1 or more; nobody retreats before round 1.", rule, "0")
    number = sum(number_of(order, thing, rule) for thing in after(order, said[0]))
    return RetreatRule(words[said[0]], number, to, region)


def _shift(war: War, seat: Seat, order: Order) -> Intent:
    (thing,) = order.things
    if thing.kind == "nothing":
        return ShiftRule(0)
    if thing.kind == "any" or thing.quantity is None or thing.quantity.portion is Portion.ALL:
        return ShiftRule(None)
    return ShiftRule(thing.quantity.number)


def _lose(war: War, seat: Seat, order: Order) -> Intent:
    rule = "27.combat.losses.1"
    kinds = _only(order, order.things, LAND_UNITS, "Land battles cost brigades and parties", rule)
    return LossOrder(kinds, one(order, rule, "IN"))


def _fuse(war: War, seat: Seat, order: Order) -> Intent:
    rule = "27.combat.losses.2"
    kinds = _only(order, after(order, "FOR"), BRIGADES, "Hits are fused for a kind of brigade", rule)
    if len(kinds) > 1 or bool(kinds) == says(order, "NEVER"):
        raise Refused("Say FUSE FOR one kind of brigade, or FUSE NEVER.", rule, order.verb, ("FUSE FOR artillery",))
    return FuseRule(kinds[0] if kinds else "")


def _convert(war: War, seat: Seat, order: Order) -> Intent:
    kinds = _only(order, order.things, PARTIES, "An explorer, engineer or general becomes infantry", "27.combat.results.3")
    return ConvertRule(kinds[0] if kinds else "")


STANDING_BINDERS = {
    "SPHERES": _spheres,
    "STRIKE": _strike,
    "POINTS": _points,
    "STRAITS": _straits,
    "INTERCEPT": _intercept,
    "BREAK OFF": _break_off,
    "LOSE FLEETS": _lose_fleets,
    "DISBAND": _disband,
    "EVACUATE": _evacuate,
    "REINFORCE": _reinforce,
    "RETREAT": _retreat,
    "SHIFT": _shift,
    "LOSE": _lose,
    "FUSE": _fuse,
    "CONVERT": _convert,
    "RUN NATIVES": _run_natives,
    "FAVOUR": _favour,
    "CONSENT": _consent,
    "PICK": _pick,
}
"""What each verb of standing_verbs.py means."""
