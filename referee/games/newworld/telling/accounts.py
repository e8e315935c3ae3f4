"""The audit: every resource, unit, level and card of the match recomputed from the events alone, paid as they say it was.

What a thing costs belongs to the rules that played a phase, and these may have other prices: they are only asked to be one
throughout what the same rules played (`charged`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.newworld.events.cards import (
    CardsTurnedUp,
    ColoniesDiscarded,
    ColonyClaimed,
    ResearchDiscarded,
    ResearchDrawn,
    TechnologyAdvanced,
)
from referee.games.newworld.events.economy import (
    ArmiesRaised,
    FleetsBuilt,
    ResourcesBought,
    ResourcesProduced,
    WorkersHired,
)
from referee.games.newworld.events.fortunes import GoldRobbed, ResourcesGained, ResourcesLost, UnitsLost
from referee.games.newworld.events.trade import TradeDone
from referee.games.newworld.events.turns import TerritoriesSettled
from referee.games.newworld.events.war import ArmiesMoved, TerritoryTaken
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.reckoning.scoring import COLONIAL_CARDS
from referee.games.newworld.rulebook.tables import EUROPE, TABLES, TECHNOLOGIES, Holdings, goods_in_words
from referee.kit.ledger import Flow, unbalanced

_RESEARCH_CARDS = len(TECHNOLOGIES) * TABLES.names.copies_of_research_card


def audit(before: World, happened: Sequence[Event], after: World) -> tuple[str, ...]:
    """One sentence for each account that does not balance, and for each deck that has lost or found a card."""
    gone = tuple(f"{power.seat}:" for power in after.powers.values() if power.out)
    starts = {event.seat: event.begins_with(before) for event in happened if isinstance(event, TerritoriesSettled)}
    begun = (flow for seat, start in starts.items() for flow in _start(seat, start))
    flows = [flow for flow in chain(begun, *map(_flows, happened)) if not flow.account.startswith(gone)]
    odd = () if before.nationalities or _alike(starts.values()) else ("Not everybody starts with the same.",)
    balance = unbalanced(_accounts(before, gone), flows, _accounts(after, gone))
    return (*balance, *odd, *charged(happened), *_decks(after), *_below_nothing(after), *_left_behind(after))


# what is held


def _accounts(world: World, gone: tuple[str, ...]) -> dict[str, int]:
    """Every account but those of seats eliminated by the end, whose goods vanish unwritten (nw.r28)."""
    held = {name: n for power in world.powers.values() for name, n in _of_power(world, power)}
    held = {name: n for name, n in held.items() if not name.startswith(gone)}
    held["colonial territories claimed"] = world.claimed
    held["exploration cards to draw or discarded"] = world.exploration.left + world.exploration.discarded
    held["research cards to draw or discarded"] = world.research.left + world.research.discarded
    return held


def _of_power(world: World, power: Power) -> Iterator[tuple[str, int]]:
    yield f"{power.seat}: fleets", power.fleets
    yield f"{power.seat}: territories", len(world.sheet_of(power.seat))
    yield from ((f"{power.seat}: {name}", number) for name, number in power.stock.items())
    yield from ((f"{power.seat}: {name} level", number) for name, number in power.levels.items())
    yield from ((f"{power.seat}: armies in {name}", number) for name, number in power.armies.items())


def _decks(world: World) -> Iterator[str]:
    exploration = world.exploration.left + world.exploration.discarded + len(world.face_up) + world.claimed
    research = world.research.left + world.research.discarded + len(world.hand)
    if exploration != COLONIAL_CARDS:
        yield f"The exploration deck has {exploration} cards in all places, not {COLONIAL_CARDS}."
    if research != _RESEARCH_CARDS:
        yield f"The research deck has {research} cards in all places, not {_RESEARCH_CARDS}."


def _below_nothing(world: World) -> Iterator[str]:
    for power in world.powers.values():
        held = _of_power(world, power)
        yield from (f"{name} is {number}, below nothing." for name, number in held if number < 0)


def _left_behind(world: World) -> Iterator[str]:
    for power in world.powers.values():
        if power.out and (power.units or any(power.stock.values()) or world.sheet_of(power.seat)):
            yield f"{power.seat} is eliminated and still holds something."


# what flowed


def _stock(seat: Seat, gains: Mapping[str, int], sign: int = 1) -> Iterator[Flow]:
    return (Flow(f"{seat}: {name}", sign * number) for name, number in gains.items())


def _start(seat: Seat, start: Holdings) -> Iterator[Flow]:
    yield from _stock(seat, start.resources)
    yield from (Flow(f"{seat}: {name} level", 1) for name in start.technologies)
    yield from (Flow(f"{seat}: fleets", start.fleets), _armies(seat, EUROPE, start.armies))


def _alike(starts: Iterable[Holdings]) -> bool:
    return all(one == other for one, other in pairwise(starts))


def _armies(seat: Seat, region: str, amount: int) -> Flow:
    return Flow(f"{seat}: armies in {region}", amount)


def _flows(event: Event) -> Iterable[Flow]:
    """What one event says went in and out."""
    match event:
        case ResourcesProduced(seat=seat, yields=yields):
            return (flow for source in yields for flow in _stock(seat, source.gives))
        case ResourcesGained(seat=seat, resource=name, amount=amount):
            return _stock(seat, {name: amount})
        case ResourcesLost(seat=seat, resource=name, amount=amount):
            return _stock(seat, {name: -amount})
        case GoldRobbed(seat=seat, victim=victim, amount=amount):
            return (Flow(f"{seat}: gold", amount), Flow(f"{victim}: gold", -amount))
        case ResourcesBought(seat=seat, resource=name, amount=amount, gold=gold):
            return _stock(seat, {name: amount, "gold": -gold})
        case TradeDone(maker=maker, to=to, gives=gives, asks=asks):
            return (*_stock(maker, gives, -1), *_stock(to, gives), *_stock(to, asks, -1), *_stock(maker, asks))
        case _:
            return (*_purchase_flows(event), *_unit_flows(event), *_card_flows(event))


def _purchase_flows(event: Event) -> Iterable[Flow]:
    match event:
        case WorkersHired(seat=seat, amount=amount, paid=paid):
            return (*_stock(seat, paid, -1), Flow(f"{seat}: workers", amount))
        case FleetsBuilt(seat=seat, amount=amount, paid=paid):
            return (*_stock(seat, paid, -1), Flow(f"{seat}: fleets", amount))
        case ArmiesRaised(seat=seat, amount=amount, paid=paid):
            return (*_stock(seat, paid, -1), _armies(seat, EUROPE, amount))
        case TechnologyAdvanced(seat=seat, technology=name, gold=gold):
            return (Flow(f"{seat}: gold", -gold), Flow(f"{seat}: {name} level", 1))
        case _:
            return ()


def _unit_flows(event: Event) -> Iterable[Flow]:
    match event:
        case UnitsLost(seat=seat, fleets=fleets, armies=armies):
            lost = (_armies(seat, region, -number) for region, number in armies.items())
            return (Flow(f"{seat}: fleets", -fleets), *lost)
        case ArmiesMoved(seat=seat, amount=amount, origin=origin, target=target):
            return (_armies(seat, origin, -amount), _armies(seat, target, amount))
        case TerritoriesSettled(seat=seat, given=given, rolled=rolled):
            return (Flow(f"{seat}: territories", len(given) + len(rolled)),)
        case TerritoryTaken(seat=seat, loser=loser):
            taken = Flow(f"{seat}: territories", 1)
            return (taken, Flow(f"{loser}: territories", -1)) if loser is not None else (taken,)
        case _:
            return ()


def _card_flows(event: Event) -> Iterable[Flow]:
    exploration, research = "exploration cards to draw or discarded", "research cards to draw or discarded"
    match event:
        case CardsTurnedUp(cards=cards):
            return (Flow(exploration, -len(cards)),)
        case ColoniesDiscarded(cards=cards):
            return (Flow(exploration, len(cards)),)
        case ColonyClaimed(seat=seat, paid=paid):
            claimed = (Flow("colonial territories claimed", 1), Flow(f"{seat}: territories", 1))
            return (*_stock(seat, paid, -1), *claimed)
        case ResearchDrawn(cards=cards):
            return (Flow(research, -len(cards)),)
        case ResearchDiscarded(cards=cards):
            return (Flow(research, len(cards)),)
        case TechnologyAdvanced():
            return (Flow(research, 1),)
        case _:
            return ()


# what was charged


def charged(happened: Iterable[Event]) -> tuple[str, ...]:
    """One sentence for each thing that was not at one whole price throughout what the same rules played."""
    prices, levels = defaultdict[str, set[tuple[tuple[str, int], ...]]](set), dict[int, int]()
    odd = list[str]()
    for event in happened:
        for thing, amount, paid in _paid(event):
            if amount < 1 or any(number % amount for number in paid.values()):
                odd.append(f"{goods_in_words(paid)} is no price for {amount} of {thing}.")
            else:
                prices[thing].add(tuple((name, number // amount) for name, number in sorted(paid.items())))
        if isinstance(event, TechnologyAdvanced):
            levels[event.level] = event.gold
    odd += [f"{thing} had {len(asked)} prices." for thing, asked in prices.items() if len(asked) > 1]
    known = sorted(levels.items())
    steps = {Fraction(dearer - price, high - low) for (low, price), (high, dearer) in pairwise(known)}
    return (*odd, *(["levels of technologies do not rise in price by equal steps."] if len(steps) > 1 else []))


def _paid(event: Event) -> Iterator[tuple[str, int, Mapping[str, int]]]:
    """What one event says was paid for, how much of it there was, and what it cost."""
    match event:
        case ResourcesBought(amount=amount, gold=gold):
            yield "resources of the bank", amount, {"gold": gold}
        case WorkersHired(amount=amount, paid=paid):
            yield "workers", amount, paid
        case FleetsBuilt(amount=amount, paid=paid):
            yield "fleets", amount, paid
        case ArmiesRaised(amount=amount, paid=paid):
            yield "armies", amount, paid
        case ColonyClaimed(paid=paid):
            yield "colonies", 1, paid
        case TechnologyAdvanced(level=level, gold=gold):
            yield f"technologies of level {level}", 1, {"gold": gold}
        case _:
            pass
