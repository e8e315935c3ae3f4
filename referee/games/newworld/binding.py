"""Orders -> intents: what a sentence means in New World, or why it is not allowed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order, Portion, Quantity, Thing
from referee.games.newworld.data import CARDS, EUROPE, TABLES, TERRAINS, card_named
from referee.games.newworld.intents import (
    ANY,
    Aim,
    ArmyFrom,
    AttackRegion,
    BuildFleets,
    BuyResources,
    ColonizeCards,
    DiscardUnits,
    HireWorkers,
    LoseUnits,
    Lot,
    MoveArmies,
    RaiseArmies,
    ResearchTechnologies,
    RobSeats,
    Wish,
)
from referee.games.newworld.offers import bind_offer
from referee.games.newworld.state import World
from referee.kit.refused import Refused
from referee.kit.wording import counted

__all__ = ["bind", "bound_by"]


def bind(world: World, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order means for this seat now, or why it is not allowed."""
    if world.powers[seat].out:
        return Illegal(f"{seat} has been eliminated and gives no more orders.", "nw.r28", order.verb)
    try:
        return _BINDERS[order.verb](world, seat, order)
    except Refused as refusal:
        return refusal.illegal


def bound_by(world: World, seat: Seat) -> Hashable:
    """All that `bind` looks at besides the order: who gives it, who is out of the game, and the offers on the table."""
    out = tuple(power.out for power in world.powers.values())
    offers = tuple((o.number, o.maker, o.to, o.accepted, bool(o.asks)) for o in world.offers)
    return seat, tuple(world.powers), out, offers


# quantities


def _quantity(thing: Thing, verb: str, unit: str) -> Quantity:
    """How many are meant: a bare `all` means all. Raises Refused when no number is given, or none at all."""
    if thing.kind == "any":
        return Quantity(Portion.ALL)
    if thing.quantity is None:
        instead = (f"{verb} 1 {unit}", f"{verb} all {unit}")
        raise Refused(f"Say how many {unit}.", "nw.h2", thing.name, instead)
    if thing.quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and thing.quantity.number < 1:
        raise Refused(f"{verb} needs a number of at least 1.", "nw.h2", str(thing.quantity.number))
    return thing.quantity


def _keeping(order: Order) -> dict[str, int]:
    """What is held back, as exact numbers."""
    kept: dict[str, int] = {}
    for thing in order.after("KEEPING"):
        exact = thing.quantity is not None and thing.quantity.portion is Portion.EXACTLY
        if not exact or thing.count() < 0:
            raise Refused(f"KEEPING needs a number of {thing.name}.", "nw.h2", thing.name)
        kept[thing.name] = thing.count()
    return kept


def _only_gold(order: Order) -> dict[str, int]:
    kept = _keeping(order)
    for name in kept:
        if name != "gold":
            raise Refused(f"{order.verb} spends gold alone, so only gold can be kept.", "nw.h2", name)
    return kept


# Trade, Research, Worker, Ship Building and Raise Armies Phases


def _research(world: World, seat: Seat, order: Order) -> Intent:
    most: dict[str, int] = {}
    for thing in order.things:
        number = _at_most(thing, "RESEARCH")
        if number:
            most[_name(thing)] = number
    return ResearchTechnologies(tuple(dict.fromkeys(map(_name, order.things))), _only_gold(order), most)


def _name(thing: Thing) -> str:
    return ANY if thing.kind == "any" else thing.name


def _at_most(thing: Thing, verb: str) -> int:
    """How many of a kind are wanted of those that come: 0 for as many as there are."""
    quantity, name = thing.quantity, _name(thing)
    if quantity is None or quantity.portion is Portion.ALL:
        return 0
    if quantity.portion not in (Portion.EXACTLY, Portion.UP_TO):
        sentence = f"{verb} takes a whole number of {name}, or none for as many as come."
        raise Refused(sentence, "nw.h2", name, (f"{verb} {name}", f"{verb} 1 {name}"))
    if quantity.number < 1:
        raise Refused(f"{verb} needs a number of at least 1.", "nw.h2", str(quantity.number), (f"{verb} {name}",))
    return quantity.number


def _buy(world: World, seat: Seat, order: Order) -> Intent:
    for thing in order.things:
        if thing.name == "workers":
            instead = (f"HIRE {counted(thing.count(), 'workers')}",)
            raise Refused("Workers are not sold by the bank; they are hired.", "nw.trade.bank", "workers", instead)
        if thing.kind == "unit":
            raise _is_made(thing)
        if thing.name not in TABLES.prices.bank_sells:
            raise Refused(f"The bank does not sell {thing.name}.", "nw.trade.bank", thing.name)
    lots = tuple(Lot(thing.name, _quantity(thing, "BUY", thing.name)) for thing in order.things)
    return BuyResources(lots, _only_gold(order))


def _hire(world: World, seat: Seat, order: Order) -> Intent:
    (thing,) = order.things
    if thing.kind == "unit":
        raise _is_made(thing)
    if thing.kind == "resource" and thing.name != "workers":
        instead = (f"BUY {thing.count()} {thing.name}",) if thing.name in TABLES.prices.bank_sells else ()
        raise Refused(f"Only workers are hired, not {thing.name}.", "nw.worker.price", thing.name, instead)
    return HireWorkers(_quantity(thing, "HIRE", "workers"), _keeping(order))


def _is_made(unit: Thing) -> Refused:
    """The refusal of a unit that is neither bought nor hired."""
    if unit.name == "fleets":
        instead = f"BUILD {counted(unit.count(), 'fleets')}"
        return Refused("Fleets are built.", "nw.ship.price", unit.name, (instead,))
    return Refused("Armies are raised.", "nw.army.price", unit.name, (f"RAISE {counted(unit.count(), 'armies')}",))


def _build(world: World, seat: Seat, order: Order) -> Intent:
    (thing,) = order.things
    if thing.name == "armies":
        instead = (f"RAISE {counted(thing.count(), 'armies')}",)
        raise Refused("Fleets are built; armies are raised.", "nw.army.price", "armies", instead)
    return BuildFleets(_quantity(thing, "BUILD", "fleets"), _keeping(order))


def _raise(world: World, seat: Seat, order: Order) -> Intent:
    (thing,) = order.things
    if thing.name == "fleets":
        instead = (f"BUILD {counted(thing.count(), 'fleets')}",)
        raise Refused("Armies are raised; fleets are built.", "nw.ship.price", "fleets", instead)
    return RaiseArmies(_quantity(thing, "RAISE", "armies"), _keeping(order))


# Colonization Phase


def _words_in_row(order: Order) -> list[Thing]:
    """All things of a sentence in the order written, whatever preposition they stand under."""
    return [*order.things, *(thing for clause in order.clauses for thing in clause.things)]


def _colonize(world: World, seat: Seat, order: Order) -> Intent:
    """A Region or a yield narrows the wish just before it; whatever else follows is a further wish."""
    wishes: list[Wish] = []
    for thing in _words_in_row(order):
        if thing.kind == "region":
            wishes[-1] = _in_region(wishes[-1], thing.name)
        elif thing.kind == "resource":
            wishes[-1] = replace(wishes[-1], resource=thing.name, least=max(1, thing.count()))
        else:
            wishes.append(replace(_wish(thing), most=_at_most(thing, "COLONIZE")))
    return ColonizeCards(tuple(wishes))


def _wish(thing: Thing) -> Wish:
    if thing.kind == "any":
        return Wish(ANY)
    if thing.kind == "card":
        card = card_named(thing.name)
        return Wish(card.good, card.region)
    name = thing.name
    if all(card.good != name for card in CARDS):
        raise Refused(f"{name} is a European terrain; it cannot be colonized.", "nw.cards.list", thing.name)
    return Wish(name)


def _in_region(wish: Wish, region: str) -> Wish:
    if region == EUROPE:
        raise Refused("Nothing in Europe can be colonized.", "nw.colonization.claim", region)
    goods = [card.good for card in CARDS if card.region == region]
    if wish.good not in (ANY, *goods):
        homes = [card.name for card in CARDS if card.good == wish.good]
        raise Refused(
            f"There is no {wish.good} in {region}.", "nw.cards.list", region, tuple(f"COLONIZE {n}" for n in homes)
        )
    return replace(wish, region=region)


# Transport and War Phases


def _move(world: World, seat: Seat, order: Order) -> Intent:
    (thing,), origins, targets = order.things, order.after("FROM"), order.after("TO")
    if thing.name == "fleets":
        raise Refused("Fleets are everywhere at once and are never moved.", "nw.r34", "fleets")
    if len(origins) != 1 or len(targets) != 1:
        raise Refused("MOVE goes from one Region to one other.", "nw.transport.move", (origins + targets)[-1].name)
    origin, target = origins[0].name, targets[0].name
    if origin == target:
        raise Refused(f"The armies are to leave {origin} for {target}.", "nw.transport.move", target)
    return MoveArmies(_quantity(thing, "MOVE", "armies"), origin, target)


def _attack(world: World, seat: Seat, order: Order) -> Intent:
    (foe,), regions = order.things, order.after("IN")
    if foe.name == seat:
        raise Refused("You cannot attack yourself.", "nw.war.attack", foe.name)
    if len(regions) != 1:
        raise Refused("One attack is made in one Region.", "nw.r21", regions[-1].name)
    region, owners = regions[0].name, order.after("OF")
    if foe.name == "rebels" and region == EUROPE:
        raise Refused("Only colonies revolt; there are no rebels in Europe.", "nw.revolution.armies", region)
    rebels = foe.name == "rebels"
    if owners and not rebels:
        _check_home(order, owners[0].name, region)
    aims = _aims(order, region, rebels)
    owner = Seat(owners[0].name) if owners and rebels else None
    return AttackRegion(foe.name, region, aims, _fleets(order), owner, bool(order.after("UNLESS")))


def _check_home(order: Order, owner: str, region: str) -> None:
    """OF after a wish for a European territory says whose home it was."""
    if region != EUROPE:
        sentence = "OF names whose home a European territory was, or with ATTACK rebels whose colony is meant."
        raise Refused(sentence, "nw.r26", owner)
    if not order.after("FOR"):
        instead = (f"ATTACK {order.things[0].name} IN {EUROPE} FOR any OF {owner}",)
        raise Refused("OF narrows what the attack is FOR.", "nw.r26", owner, instead)


def _aims(order: Order, region: str, rebels: bool) -> tuple[Aim, ...]:
    """What FOR names, in order; OF narrows the wish just before it."""
    aims: list[Aim] = []
    for clause in order.clauses:
        for thing in clause.things if clause.preposition in ("FOR", "OF") else ():
            if thing.kind != "side":
                aims.append(Aim(_good(thing, region)))
            elif aims and not rebels:
                aims[-1] = replace(aims[-1], home=Seat(thing.name))
    return tuple(dict.fromkeys(aims)) or (Aim(ANY),)


def _fleets(order: Order) -> Quantity | None:
    """The Fleets of WITH, 0 allowed; None when all that are left may go."""
    for thing in order.after("WITH"):
        if thing.name != "fleets":
            raise Refused("Every army in the Region attacks; WITH tells off fleets.", "nw.war.rolls", thing.name)
        return thing.quantity or Quantity(Portion.EXACTLY, 1)
    return None


def _good(thing: Thing, region: str) -> str:
    """A territory of that Region's kind, or any."""
    if thing.quantity is not None:
        sentence = "One attack takes one territory, so no number belongs here."
        raise Refused(sentence, "nw.r26", str(thing.quantity.number or thing.name))
    if thing.kind == "any":
        return ANY
    good = card_named(thing.name).good if thing.kind == "card" else thing.name
    there = TERRAINS if region == EUROPE else [card.good for card in CARDS if card.region == region]
    if good not in there or (thing.kind == "card" and card_named(thing.name).region != region):
        raise Refused(f"There is no {thing.name} in {region}.", "nw.cards.list", thing.name)
    return good


# the order of losses, and privateers


def _units(order: Order) -> tuple[ArmyFrom | None, ...]:
    """`armies FROM Canada, fleets`: a Region places the armies named before it, or more armies of another Region."""
    if order.clauses and order.things[-1].name == "fleets":
        raise Refused("Fleets are everywhere at once; they are lost from no Region.", "nw.r34", "fleets")
    units: list[ArmyFrom | None] = []
    placed = True
    for thing in _words_in_row(order):
        if thing.kind == "region":
            if not placed:
                units.pop()
            units.append(ArmyFrom(thing.name))
            placed = True
        else:
            units.append(None if thing.name == "fleets" else ArmyFrom())
            placed = thing.name == "fleets"
    return tuple(units)


def _discard(world: World, seat: Seat, order: Order) -> Intent:
    return DiscardUnits(_units(order))


def _lose(world: World, seat: Seat, order: Order) -> Intent:
    return LoseUnits(_units(order))


def _rob(world: World, seat: Seat, order: Order) -> Intent:
    return RobSeats(_opponents(world, seat, order.things))


def _opponents(world: World, seat: Seat, things: Sequence[Thing]) -> tuple[Seat, ...]:
    for thing in things:
        if thing.name == seat:
            raise Refused("Privateers rob an opponent, not their own side.", "nw.event.privateers", thing.name)
        if world.powers[Seat(thing.name)].out:
            raise Refused(f"{thing.name} has been eliminated and has nothing.", "nw.r28", thing.name)
    return tuple(dict.fromkeys(Seat(thing.name) for thing in things))


_BINDERS: dict[str, Callable[[World, Seat, Order], Intent]] = {
    "RESEARCH": _research,
    "BUY": _buy,
    "HIRE": _hire,
    "BUILD": _build,
    "RAISE": _raise,
    "COLONIZE": _colonize,
    "MOVE": _move,
    "ATTACK": _attack,
    "DISCARD": _discard,
    "LOSE": _lose,
    "ROB": _rob,
    "OFFER": bind_offer,
    "ACCEPT": bind_offer,
    "DECLINE": bind_offer,
    "WITHDRAW": bind_offer,
}
