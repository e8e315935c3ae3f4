"""The audit: every resource, unit, level and card of the match recomputed from the events alone, paid as they say it was.

What a thing costs belongs to the rules that played a phase, and these may have other prices: they are only asked to be one
throughout what the same rules played (`charged`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, pairwise

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.newworld.events.base import Gain, OpenEvent, booked
from referee.games.newworld.events.cards import TechnologyAdvanced
from referee.games.newworld.events.turns import TerritoriesSettled
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.rulebook.tables import (
    COLONIAL_CARDS,
    EUROPE,
    TABLES,
    TECHNOLOGIES,
    Holdings,
    goods_in_words,
)
from referee.kit.ledger import unbalanced
from referee.kit.stock import gathered

_RESEARCH_CARDS = len(TECHNOLOGIES) * TABLES.names.copies_of_research_card


def audit(before: World, happened: Sequence[Event], after: World) -> tuple[str, ...]:
    """One sentence for each account that does not balance, and for each deck that has lost or found a card."""
    gone = tuple(f"{power.seat}:" for power in after.powers.values() if power.out)
    starts = {event.seat: event.begins_with(before) for event in happened if isinstance(event, TerritoriesSettled)}
    begun = (flow for seat, start in starts.items() for flow in booked(_start(seat, start)))
    flows = chain(begun, *(event.flows() for event in happened if isinstance(event, OpenEvent)))
    kept = (flow for flow in flows if not flow.account.startswith(gone))
    alike = before.nationalities or all(one == other for one, other in pairwise(starts.values()))
    odd = () if alike else ("Not everybody starts with the same.",)
    balance = unbalanced(_accounts(before, gone), kept, _accounts(after, gone))
    return (*balance, *odd, *charged(happened), *_decks(after), *_below_nothing(after), *_left_behind(after))


def _start(seat: Seat, start: Holdings) -> Gain:
    return Gain(seat, start.resources, start.fleets, {EUROPE: start.armies}, gathered(start.technologies))


# what is held


def _accounts(world: World, gone: tuple[str, ...]) -> dict[str, int]:
    """Every account but those of seats eliminated by the end, whose goods vanish unwritten."""
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


# what was charged


def charged(happened: Iterable[Event]) -> tuple[str, ...]:
    """One sentence for each thing that was not at one whole price throughout what the same rules played."""
    prices, levels = defaultdict[str, set[tuple[tuple[str, int], ...]]](set), dict[int, int]()
    odd = list[str]()
    for event in happened:
        if isinstance(event, OpenEvent) and (sale := event.charged()):
            thing, amount, paid = sale
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
