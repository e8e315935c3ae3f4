"""The staging words of New World's cases: what GIVEN lines may set up and EXPECT lines may claim.

The stage: France, Spain and England, in this order of play, each with one European territory of every terrain,
set up by the rules; France is on turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.newworld.events import (
    OfferAccepted,
    OfferMade,
    OrderOfPlaySet,
    PowerEliminated,
    TerritoriesSettled,
    TurnPassed,
)
from referee.games.newworld.game import NewWorld
from referee.games.newworld.position import Deck, Power, Territory, World
from referee.games.newworld.rulebook import CARDS, REGIONS, RESOURCES, TABLES, TECHNOLOGIES, TERRAINS, nation, start
from referee.kit.stock import fewer, more
from referee.kit.wording import stock_in_words

PLAYERS = (Seat("France"), Seat("Spain"), Seat("England"))
"""The sides of a case, in order of play, unless GIVEN names others."""

_GAME = NewWorld()


def stage(options: Mapping[str, str], players: tuple[Seat, ...] = PLAYERS) -> World:
    """The position from which GIVEN starts: set up, and the first player on turn."""
    world = _GAME.setup(players, options)
    given_, rest = TABLES.set_up.territories, tuple(t for t in TERRAINS if t not in TABLES.set_up.territories)
    events: list[Event] = [OrderOfPlaySet(players)]
    for seat in players:
        nations = options["nationalities"] == "yes"
        begins = start(seat, nations)
        events.append(TerritoriesSettled(seat, given_, rest[: nation(seat, nations).rolled], begins))
    return reduce(_GAME.evolve, [*events, TurnPassed(players[0], 1, 1)], world)


# words


def _stock(text: str) -> dict[str, int]:
    """`3 gold, 1 cloth`"""
    found = {}
    for part in re.split(r",\s*|\s+and\s+", text):
        number, name = part.split(" ", 1)
        found[_resource(name)] = int(number)
    return found


def _resource(name: str) -> str:
    for resource in RESOURCES:
        if name in (resource, resource.rstrip("s")):
            return resource
    raise ValueError(f"{name!r} is no resource")


def _card(text: str) -> str:
    """`Gems in Central America` -> `Central American Gems`"""
    for card in CARDS:
        if text in (f"{card.good} in {card.region}", card.name):
            return card.name
    raise ValueError(f"{text!r} is no colonial territory")


def _find(world: World, text: str) -> list[Territory]:
    """Territories by `Ore of Spain` (of its first owner, in Europe) or `Furs in Canada`."""
    match = re.fullmatch(r"(\w+) of (\w+)", text)
    if match:
        return [t for t in world.territories if t.good == match[1] and t.home == match[2]]
    return [t for t in world.territories if t.home is None and t.name == _card(text)]


# GIVEN


def given(state: World, fact: str) -> World:
    """The position changed so that a fact holds. Raises ValueError for a fact it does not understand."""
    for pattern, change in _GIVEN.items():
        match = re.fullmatch(pattern, fact)
        if match:
            return change(state, *match.groups())
    raise ValueError(f"GIVEN does not understand {fact!r}")


def _players(world: World, names: str) -> World:
    return stage(world.options, tuple(Seat(name) for name in names.split(", ")))


def _unset(world: World) -> World:
    return _GAME.setup(world.order, world.options)


def _has(world: World, seat: str, text: str) -> World:
    return reduce(lambda w, part: w.with_power(_with(w.powers[Seat(seat)], part)), text.split(", "), world)


def _with(power: Power, part: str) -> Power:
    """`5 workers`, `2 fleets`, `1 army in Canada`, `Sea Power 2`, `no gold`"""
    level = re.fullmatch(r"(.+) (\d+)", part)
    if level and level[1] in TECHNOLOGIES:
        return replace(power, levels={**power.levels, level[1]: int(level[2])})
    count, name = part.split(" ", 1)
    number = 0 if count == "no" else int(count)
    if name in ("fleets", "fleet"):
        return replace(power, fleets=number)
    army = re.fullmatch(r"(?:armies|army) in (.+)", name)
    if army and army[1] in REGIONS:
        return replace(power, armies={**power.armies, army[1]: number})
    return replace(power, stock={**power.stock, _resource(name): number})


def _holds(world: World, seat: str, text: str) -> World:
    found = re.fullmatch(r"(\d+) (.+)", text)
    number, text = (int(found[1]), found[2]) if found else (1, text)
    if " of " in text:
        return world.with_territory(replace(_find(world, text)[0], owner=Seat(seat)))
    for _ in range(number):
        world = _claim(world, Seat(seat), _card(text))
    return world


def _claim(world: World, seat: Seat, name: str) -> World:
    deck, card = world.exploration, next(card for card in CARDS if card.name == name)
    if deck.draw.get(name):
        left = Deck(fewer(deck.draw, {name: 1}), deck.discard)
    else:
        left = Deck(deck.draw, fewer(deck.discard, {name: 1}))
    return replace(world.adding(card.good, card.region, None, seat), exploration=left)


def _all_but(world: World, seat: str, text: str) -> World:
    spared = [_card(part) for part in text.split(", ")]
    for card in CARDS:
        for _ in range(world.exploration.draw.get(card.name, 0) - spared.count(card.name)):
            world = _claim(world, Seat(seat), card.name)
    return world


def _in_revolt(world: World, text: str, seat: str, rebels: str) -> World:
    (colony, *_) = [t for t in _find(world, text) if t.owner == seat and t.rebels is None]
    return world.with_territory(replace(colony, rebels=int(rebels)))


def _deck(world: World, name: str, text: str) -> World:
    """The draw pile is these cards; all others that are in no player's hands are discarded."""
    deck: Deck = getattr(world, name)
    pool = more(deck.draw, deck.discard)
    draw: dict[str, int] = {}
    for part in [] if text == "empty" else text.split(", "):
        found = re.fullmatch(r"(\d+) (.+)", part)
        number, label = (int(found[1]), found[2]) if found else (1, part)
        draw[_card(label) if name == "exploration" else label] = number
    stacked = Deck(draw, {card: n for card, n in fewer(pool, draw).items() if n})
    if min(fewer(pool, draw).values(), default=0) < 0:
        raise ValueError(f"there are not so many cards: {text!r}")
    return replace(world, **{name: stacked})


def _out(world: World, seat: str) -> World:
    return PowerEliminated(Seat(seat), 7).change(world)


def _turn_of(world: World, seat: str, turn: str, round_: str) -> World:
    return TurnPassed(Seat(seat), int(turn), int(round_)).change(world)


def _offer(world: World, maker: str, gives: str, to: str, asks: str | None, accepted: str | None) -> World:
    made = OfferMade(world.next_offer, Seat(maker), Seat(to), _stock(gives), _stock(asks) if asks else {})
    world = made.change(world)
    return OfferAccepted(made.number, Seat(to)).change(world) if accepted else world


_GIVEN: dict[str, Callable[..., World]] = {
    r"the players are (.+)": _players,
    r"the set-up is still to come": _unset,
    r"(\w+) has (.+)": _has,
    r"(\w+) holds all colonies but (.+)": _all_but,
    r"(\w+) holds (.+)": _holds,
    r"(.+) of (\w+) is in revolt with (\d+) rebels?": _in_revolt,
    r"the (exploration|research) deck is (.+)": _deck,
    r"(\w+) is out": _out,
    r"it is the turn of (\w+), turn (\d+), round (\d+)": _turn_of,
    r"(\w+) offers (.+?) to (\w+)(?: for (.+?))?(, accepted)?": _offer,
}


# EXPECT


def expect(before: World, events: Sequence[Event], after: World, fact: str) -> str | None:
    """None where the fact holds after the phase, otherwise what is true instead. Raises ValueError."""
    for pattern, claim in _EXPECT.items():
        match = re.fullmatch(pattern, fact)
        if match:
            return claim(after, *match.groups())
    raise ValueError(f"EXPECT does not understand {fact!r}")


def _check_has(world: World, seat: str, text: str) -> str | None:
    power = world.powers[Seat(seat)]
    culture = re.fullmatch(r"(\d+) culture", text)
    if culture:
        found = world.culture(Seat(seat))
        return None if found == int(culture[1]) else f"{seat} has {found} culture"
    wrong = [part for part in text.split(", ") if _with(power, part) != power]
    if not wrong:
        return None
    armies = ", ".join(f"{n} armies in {region}" for region, n in power.armies.items() if n)
    levels = ", ".join(f"{name} {n}" for name, n in power.levels.items() if n)
    return f"{seat} has {stock_in_words(power.stock)}; {power.fleets} fleets, {armies}; {levels}"


def _check_holds(world: World, seat: str, no: str | None, text: str) -> str | None:
    found = re.fullmatch(r"(\d+) (.+)", text)
    number, text = (int(found[1]), found[2]) if found else (None, text)
    owner = None if seat == "nobody" else seat
    held = sum(t.owner == owner for t in _find(world, text))
    good = held == number if number is not None else bool(held) is not bool(no)
    return None if good else f"{seat} holds {held} of {text}"


def _check_revolt(world: World, text: str, seat: str, rebels: str) -> str | None:
    found = [t.rebels for t in _find(world, text) if t.owner == seat and t.rebels is not None]
    return None if int(rebels) in found else f"rebels there: {found}"


def _check_quiet(world: World, text: str, seat: str) -> str | None:
    found = [t.rebels for t in _find(world, text) if t.owner == seat]
    return None if found and set(found) == {None} else f"rebels there: {found}"


def _check_pile(world: World, name: str, pile: str, text: str) -> str | None:
    deck: Deck = getattr(world, name)
    cards = {card: n for card, n in (deck.draw if pile == "deck" else deck.discard).items() if n}
    total = re.fullmatch(r"(\d+) cards?", text)
    if total:
        return None if sum(cards.values()) == int(total[1]) else f"it has {sum(cards.values())} cards: {cards}"
    found = re.fullmatch(r"(\d+) (.+)", text)
    number, label = (int(found[1]), found[2]) if found else (1, text)
    card = _card(label) if name == "exploration" else label
    return None if cards.get(card, 0) == number else f"it has {cards}"


def _check_offer(world: World, number: str, state: str) -> str | None:
    offer = world.offer(int(number))
    found = "gone" if offer is None else "accepted" if offer.accepted else "open"
    return None if found == state else f"offer {number} is {found}"


def _check_game(world: World, state: str) -> str | None:
    return None if bool(world.ended) is (state == "is over") else f"the end: {world.ended or 'not yet'}"


def _check_winner(world: World, names: str) -> str | None:
    found = _GAME.score(world).winners()
    return None if found == tuple(names.split(" and ")) else f"first: {', '.join(found)}"


def _check_turn(world: World, seat: str, round_: str) -> str | None:
    good = world.active == seat and world.round == int(round_)
    return None if good else f"it is the turn of {world.active} in round {world.round}"


def _check_out(world: World, seat: str, no: str | None) -> str | None:
    out = world.powers[Seat(seat)].out
    return None if out is not bool(no) else f"{seat} is {'out' if out else 'in play'}"


def _check_order(world: World, names: str) -> str | None:
    return None if world.order == tuple(names.split(", ")) else f"the order is {', '.join(world.order)}"


def _check_claimed(world: World, number: str) -> str | None:
    return None if world.claimed == int(number) else f"{world.claimed} are claimed"


_EXPECT: dict[str, Callable[..., str | None]] = {
    r"(\w+) has (.+)": _check_has,
    r"(\w+) (?:holds|does (not) hold) (.+)": _check_holds,
    r"(.+) of (\w+) is in revolt with (\d+) rebels?": _check_revolt,
    r"(.+) of (\w+) is quiet": _check_quiet,
    r"the (exploration|research) (deck|discard) has (.+)": _check_pile,
    r"offer (\d+) is (open|accepted|gone)": _check_offer,
    r"the game (is over|goes on)": _check_game,
    r"(.+) (?:leads|wins)": _check_winner,
    r"it is the turn of (\w+) in round (\d+)": _check_turn,
    r"(\w+) is (not )?out": _check_out,
    r"the order of play is (.+)": _check_order,
    r"(\d+) colonies are claimed": _check_claimed,
}
