"""Orders between players -> intents: control, trade, stances, petitions, votes (I)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent, Order, Thing
from referee.games.empire.binding_units import cargo, numbers_of, one_unit, place
from referee.games.empire.intents import (
    AcceptControl,
    Balkanize,
    Exchange,
    GiveControl,
    GiveCountry,
    GiveGoods,
    Interpret,
    PetitionFor,
    PostSuspension,
    Seize,
    SeizeGoods,
    Vote,
)
from referee.games.empire.petitions import check_petition, check_suspension, check_vote
from referee.games.empire.state import Empire
from referee.games.empire.steps.seizing import takers
from referee.games.empire.steps.transfers import check_accept
from referee.kit.refused import Refused

__all__ = [
    "bind_accept", "bind_balkanize", "bind_exchange", "bind_give", "bind_interpret", "bind_petition", "bind_seize",
    "bind_suspend", "bind_vote",
]  # fmt: skip

_HOUR = 3600


def bind_give(empire: Empire, seat: Seat, order: Order) -> Intent:
    """GIVE coolie 14 TO Blue; GIVE 5 food TO Blue IN c12r7; GIVE Northland TO Blue."""
    to, at = order.after("TO")[0].name, place(empire, order, "IN", "AT")
    if order.things[0].kind == "country":
        if len(order.things) > 1:
            raise Refused("Give a country in an order of its own.", "emp.P12", order.things[1].name)
        return GiveCountry(order.things[0].name, to)
    named = cargo(empire, seat, order.things, at)
    if named.goods and (named.units or named.some):
        raise Refused("Give goods and units in two orders.", "emp.P12", order.things[-1].name)
    if named.goods and not at:
        raise Refused("Say in which square the goods change hands.", "emp.H-23", order.things[0].name)
    return GiveGoods(named.goods, to, at) if named.goods else GiveControl(named.units, to, named.some)


def bind_accept(empire: Empire, seat: Seat, order: Order) -> Intent:
    """ACCEPT 3."""
    (number,) = numbers_of(order.things)
    check_accept(empire, seat, number)
    return AcceptControl(number)


def bind_seize(empire: Empire, seat: Seat, order: Order) -> Intent:
    """SEIZE cargo ship 3 WITH coolie 14; SEIZE steel mill WITH coolie 14, where it stands outside a city; SEIZE 3 St ..."""
    named = (*order.after("WITH"), *order.after("BY"))
    if named and any(thing.kind == "goods" for thing in order.things):
        return _bind_take(empire, seat, order)
    if order.things[0].kind == "plan" and named:
        return Seize(0, one_unit(empire, seat, named, "SEIZE ... WITH"), order.things[0].name)
    if order.things[0].kind == "plan":
        raise Refused("Say who seizes: WITH a unit in the same square.", "emp.P13", order.things[0].name)
    unit = one_unit(empire, seat, order.things, "SEIZE", "any")
    if not named:
        near = tuple(f"WITH {taker.kind} {taker.number}" for taker in takers(empire, seat, empire.units[unit]))
        raise Refused("Say who seizes: WITH a unit in the same square.", "emp.P13", str(unit), near[:3])
    if empire.units[unit].country in [country.name for country in empire.owned(seat)]:
        raise Refused(f"{empire.units[unit].kind} {unit} is yours already.", "emp.P13", str(unit))
    return Seize(unit, one_unit(empire, seat, named, "SEIZE ... WITH"))


def _bind_take(empire: Empire, seat: Seat, order: Order) -> Intent:
    """SEIZE 3 St OF Blue WITH coolie 14."""
    goods = cargo(empire, seat, order.things, "", "any").goods
    if len(goods) != len(order.things):
        raise Refused("Seize goods and units in two orders.", "emp.P16", order.things[-1].name)
    owners = (*order.after("OF"), *order.after("FROM"))
    by = one_unit(empire, seat, (*order.after("WITH"), *order.after("BY")), "SEIZE ... WITH")
    return SeizeGoods(goods, by, owners[0].name if owners else "")


def bind_exchange(empire: Empire, seat: Seat, order: Order) -> Intent:
    """EXCHANGE 2 TO Blue."""
    return Exchange(order.things[0].count(), order.after("TO")[0].name)


def bind_balkanize(empire: Empire, seat: Seat, order: Order) -> Intent:
    """BALKANIZE "Northland" WITH Rome, coolie 3 UNDER coolie 5."""
    things = order.after("WITH")
    cities = tuple(thing.name for thing in things if thing.kind == "city")
    named = cargo(empire, seat, [t for t in things if t.kind != "city"], place(empire, order, "FROM"))
    under = order.after("UNDER")
    government = one_unit(empire, seat, under, "BALKANIZE ... UNDER") if under else 0
    return Balkanize(order.things[0].name, cities, named.units, government, named.some)


def bind_interpret(empire: Empire, seat: Seat, order: Order) -> Intent:
    """INTERPRET LINE 3 OF 12 AS 2."""
    slots = numbers_of((*order.after("OF"), *order.after("OF SLOT")))
    if not slots:
        raise Refused("Say of which slot: INTERPRET LINE 3 OF 12 AS 2.", "emp.P23", order.verb)
    return Interpret(slots[0], order.things[0].count(), numbers_of(order.after("AS"))[0])


# ---------------------------------------------------------------- petitions


def bind_petition(empire: Empire, seat: Seat, order: Order) -> Intent:
    """PETITION FOR change "Trucks may carry one SAC."; PETITION FOR change OF combat TO mild "Fewer die."."""
    things, house, choice = order.after("FOR"), order.after("OF"), order.after("TO")
    kinds = [thing.name for thing in things if thing.kind == "petition"]
    if len(kinds) != 1:
        lines = tuple(f'PETITION FOR {kind} "..."' for kind in ("clarification", "change"))
        raise Refused("A petition is for a clarification, a change, or the end.", "emp.P19", order.verb, lines)
    said = " ".join(thing.name for thing in (*things, *house, *choice) if thing.kind == "text")
    intent = PetitionFor(kinds[0], said, _named(house), _named(choice))
    check_petition(empire, seat, intent)
    return intent


def _named(things: Sequence[Thing]) -> str:
    """The name of a set of house rules or of a choice, as the player wrote it."""
    return next((thing.name for thing in things if thing.kind != "text"), "")


def bind_suspend(empire: Empire, seat: Seat, order: Order) -> Intent:
    """SUSPEND FOR 48 hours."""
    intent = PostSuspension(order.after("FOR")[0].count() // _HOUR)
    check_suspension(empire, seat, intent)
    return intent


def bind_vote(empire: Empire, seat: Seat, order: Order) -> Intent:
    """VOTE yes ON 1; where one petition is open its number may be left out."""
    numbers = numbers_of(order.after("ON")) or tuple(p.number for p in empire.petitions if not p.result)
    if len(numbers) != 1:
        lines = tuple(f"VOTE {order.things[0].name} ON {number}" for number in numbers[:3])
        raise Refused("Say on which petition.", "emp.P19", order.verb, lines)
    intent = Vote(numbers[0], order.things[0].name)
    check_vote(empire, seat, intent)
    return intent
