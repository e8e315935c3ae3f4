"""Intents -> lines of a sheet: the mirror of the binder. What is written here reads and binds to the same intent."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from referee.core.order import Intent, Portion, Quantity
from referee.core.printing import Singulars, write
from referee.games.war import standing as s
from referee.games.war.pieces import BUILDINGS, KINDS, LEADERS, plural
from referee.kit.declared import Declared

__all__ = ["SINGULARS", "WRITERS", "line_of", "lot_words"]

SINGULARS: Singulars = {
    **{("unit", plural(kind)): kind for kind in (*KINDS, *LEADERS)},
    **{("building", plural(kind)): kind for kind in BUILDINGS},
    ("sphere", "spheres"): "sphere",
}
"""What stands after a 1."""


def line_of(intent: Intent) -> str:
    """The line of a sheet that means this intent. Raises KeyError for what is not of this game."""
    if isinstance(intent, Declared):
        return _written(intent)
    return WRITERS[type(intent)](intent)


@lru_cache(maxsize=4096)
def _written(intent: Declared[Any]) -> str:
    """A line that does not hang on the position; refusals and choices ask for the same again and again."""
    return write(intent.order(None), SINGULARS)


def lot_words(kind: str, quantity: Quantity) -> str:
    """So many of a kind, as a player writes it: `3 infantry`, `up to 1 general`, `all fleets`."""
    n = quantity.number
    match quantity.portion:
        case Portion.EXACTLY:
            return f"{n} {kind if n == 1 else plural(kind)}"
        case Portion.UP_TO | Portion.ALL_BUT:
            return f"{quantity.portion.value} {n} {kind if n == 1 else plural(kind)}"
        case Portion.ALL | Portion.HALF:
            return f"{quantity.portion.value} {plural(kind)}"


def _clause(preposition: str, *things: str) -> str:
    """` FROM Egypt`, or nothing when nothing is named."""
    named = ", ".join(filter(None, things))
    return f" {preposition} {named}" if named else ""


def _several(number: int, kind: str) -> str:
    return lot_words(kind, Quantity(Portion.EXACTLY, number))


def _kinds(kinds: tuple[str, ...]) -> str:
    return ", ".join(map(plural, kinds))


# ---------------------------------------------------------------- the sheet


def _ships(numbers: tuple[int, ...]) -> str:
    """`fleet 1, fleet 3`."""
    return ", ".join(f"fleet {number}" for number in numbers)


WRITERS: dict[type[Intent], Callable[[Any], str]] = {}

# ---------------------------------------------------------------- standing orders


def _intercept(order: s.InterceptRule) -> str:
    when = f"AT {order.ratio} TO 1" if order.when == "ratio" else order.when.upper()
    force = _clause("WITH", lot_words("fleet", order.fleets)) if order.fleets else ""
    return f"INTERCEPT{_clause('', order.enemy or '').rstrip()}{_clause('IN', order.sea)} {when}{force}".replace(
        "  ", " "
    )


def _retreat(order: s.RetreatRule) -> str:
    when = {
        "never": "NEVER",
        "after": f"AFTER {order.number}",
        "below": f"BELOW {order.number}",
        "outnumbered": f"OUTNUMBERED {order.number} TO 1",
    }
    return f"RETREAT {when[order.when]}{_clause('FROM', order.region)}{_clause('TO', *order.to)}"


def _reinforce(order: s.ReinforceRule) -> str:
    limit = f"up to {_several(order.at_most, 'brigade')}" if order.at_most else ""
    with_ = _clause("WITH", ", ".join(s.some_of(kind, number) for kind, number in order.brings))
    return f"REINFORCE {order.region} FROM {order.origin}{with_}{_clause('AGAINST', limit)}"


def _straits(order: s.StraitsRule) -> str:
    return "STRAITS closed" if order.nobody else f"STRAITS open{_clause('EXCEPT', *order.refused)}"


def _shift(order: s.ShiftRule) -> str:
    if order.points is None:
        return "SHIFT all points"
    return f"SHIFT {_several(order.points, 'point')}" if order.points else "SHIFT none"


def _disband(order: s.DisbandOrder) -> str:
    return f"DISBAND {', '.join(s.some_of(kind, number) + _clause('IN', where) for kind, where, number in order.units)}"


def _points(order: s.PointsRule) -> str:
    word = {"spheres": "sphere", "strength": "strength"}[order.first]
    aim = _several(order.number, word) if order.number and word == "sphere" else f"{order.number or ''} {order.first}".strip()
    return f"POINTS {aim}{_clause('OF', order.of or '')}"


WRITERS.update(
    {
        s.DisbandOrder: _disband,
        s.SphereRule: lambda o: f"SPHERES {o.side}{_clause('IN', o.region)}{_clause('AGAINST', o.of or '')}",
        s.StrikeOrder: lambda o: f"STRIKE {', '.join(o.seats)}",
        s.StraitsRule: _straits,
        s.InterceptRule: _intercept,
        s.BreakOffRule: lambda o: f"BREAK OFF AT {o.ratio} TO 1" if o.ratio else "BREAK OFF NEVER",
        s.FleetLossOrder: lambda o: f"LOSE FLEETS {', '.join(filter(None, (_ships(o.fleets), o.first)))}{_clause('IN', o.sea)}",
        s.EvacuateTo: lambda o: f"EVACUATE TO {', '.join(o.places)}",
        s.ReinforceRule: _reinforce,
        s.ShiftRule: _shift,
        s.LossOrder: lambda o: f"LOSE {_kinds(o.kinds)}{_clause('IN', o.region)}",
        s.FuseRule: lambda o: f"FUSE FOR {plural(o.kind)}" if o.kind else "FUSE NEVER",
        s.RetreatRule: _retreat,
        s.ConvertRule: lambda o: f"CONVERT 1 {o.kind}" if o.kind else "CONVERT none",
        s.PointsRule: _points,
        s.ConsentRule: lambda o: f"CONSENT {'ALWAYS' if o.always else 'NEVER'}",
        s.FavourRule: lambda o: f"FAVOUR {', '.join(o.seats)}",
        s.PickRule: lambda o: f"PICK {', '.join(o.resources)}",
        s.RunNatives: lambda o: f"RUN NATIVES{_clause('AGAINST', *o.against)}",
    }
)
"""How each intent is written that does not declare itself."""
