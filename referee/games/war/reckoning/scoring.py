"""Victory points, cards, historical goals, and the tests of an IF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import msgspec

from referee.core.names import Seat
from referee.core.order import Condition, Intent, Predicate, bare, due
from referee.core.page import Standing, Tally
from referee.games.war.position import Land
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning import allied
from referee.games.war.rulebook import BOARD, BRIGADES, BUILDINGS, CHIT_VALUES, EXCLUSIVE, KIND_OF, PARTIES
from referee.kit.conditions import compares, satisfied
from referee.kit.declared import once_a_position
from referee.kit.seats_and_ranks import placed
from referee.kit.wording import counted, in_number

# ---------------------------------------------------------------- cards
# The twelve cards of hidden victory conditions, and whether a position fulfils them (27.opt.hidden_victory.3).


class Card(msgspec.Struct, frozen=True):
    """A card's worth, its demand, and the test of it on the final position."""

    points: int
    words: str
    fulfilled: Callable[[War, Seat], bool]


def _canal(war: War, seat: Seat) -> bool:
    return war.lands["Egypt"].owner == seat and len(war.canal) > 1


def _twice_the_fleets(war: War, seat: Seat) -> bool:
    """R27-93: with no fleet at all nobody has twice as many."""
    own = len(war.fleets_of(seat))
    return own > 0 and all(own >= 2 * len(war.fleets_of(other)) for other in war.seats if other != seat)


def _at_peace(war: War, seat: Seat) -> bool:
    return not any(war.at_war(seat, other) for other in war.living if other != seat)


def _conqueror(war: War, seat: Seat) -> bool:
    return any(war.fallen.get(victim) == seat for victim in war.out)


def _westernized(war: War, seat: Seat) -> bool:
    own = war.regions_of(seat)
    return bool(own) and all(land.westernized for land in own)


def _everywhere(war: War, seat: Seat) -> bool:
    return all(any(war.lands[name].owner == seat for name in names) for names in BOARD.zones.values())


def _whole(zone: str) -> Callable[[War, Seat], bool]:
    return lambda war, seat: all(war.lands[name].owner == seat for name in BOARD.zones[zone])


_ZONE = 70
CARDS: Mapping[str, Card] = {
    "Canal": Card(50, "Egypt is yours and the Suez Canal is complete", _canal),
    "Admiral": Card(60, "you have at least twice as many fleets as anybody else", _twice_the_fleets),
    "Peace": Card(90, "you are at peace with all surviving players", _at_peace),
    "Conqueror": Card(80, "the game ends by your conquest of another's empire", _conqueror),
    "Schoolmaster": Card(100, "all your regions are westernized", _westernized),
    "Globe": Card(120, "you hold a region in every zone", _everywhere),
    **{zone: Card(_ZONE, f"the whole of {zone} is yours", _whole(zone)) for zone in BOARD.zones},
}
"""Every card by its name."""


def cards_in_cup(war: War) -> dict[str, int]:
    """The cards that can still be drawn; that of the canal only where there can be one (R27-93)."""
    held = war.cards.values()
    return {name: 1 for name in CARDS if name not in held and (name != "Canal" or plays(war, "suez"))}


def card_points(war: War, seat: Seat) -> int:
    """The worth of a player's card to him in this position: all of it or nothing; nothing if it is not known."""
    card = CARDS.get(war.cards.get(seat, ""))
    return card.points if card and card.fulfilled(war, seat) else 0


def card_in_words(name: str) -> str:
    """`60 VP if you have at least ...`; a card that is not known is a card."""
    card = CARDS.get(name)
    return f"{card.points} VP if {card.words}" if card else "a card"


# ---------------------------------------------------------------- the tests an IF may make of the position


Judged = dict[int, bool]
"""How the IFs of a sheet were judged so far, by their numbers: each once, so that never both of its branches are carried out."""


def in_force(
    war: War,
    seat: Seat,
    sheet: Iterable[Intent],
    kinds: type[Intent] | tuple[type[Intent], ...] = Intent,
    judged: Judged | None = None,
) -> tuple[Intent, ...]:
    """The orders of these kinds that stand now; an IF over them that was not judged before is judged now."""
    asked = (intent for intent in sheet if isinstance(bare(intent), kinds))
    return tuple(due(asked, partial(holds, war, seat), judged))


def holds(war: War, seat: Seat, condition: Condition) -> bool:
    """Whether a condition is true now; tests without a subject are about `seat` itself."""
    return satisfied(condition, lambda test: _true(war, seat, test))


def _true(war: War, seat: Seat, test: Predicate) -> bool:
    subjects = [Seat(thing.name) for thing in test.subject if thing.kind == "side"] or [seat]
    if test.verb in _STATES:
        return all(_STATES[test.verb](war.lands[thing.name]) for thing in test.subject)
    if test.verb == "CONTROLS":
        return all(_controls(war, subject, test) for subject in subjects)
    if test.verb == "AT WAR WITH":
        return all(war.at_war(subject, Seat(thing.name)) for subject in subjects for thing in test.things)
    if test.verb == "ALLIED WITH":
        return all(allied(war, subject, Seat(thing.name)) for subject in subjects for thing in test.things)
    measured = sum(_measured(war, subject, test) for subject in subjects)
    return compares(test, measured)


_STATES: dict[str, Callable[[Land], bool]] = {
    "GONE": lambda land: land.owner is not None,
    "NATIVE": lambda land: land.owner is None,
    "IN REVOLT": lambda land: land.revolt is not None,
    "WESTERNIZED": lambda land: land.westernized,
}


def _controls(war: War, seat: Seat, test: Predicate) -> bool:
    """R27-40"""
    names = [name for thing in test.things for name in BOARD.zones.get(thing.name, (thing.name,))]
    return all(war.lands[name].owner == seat for name in names)


def _measured(war: War, seat: Seat, test: Predicate) -> int:
    places = tuple(thing.name for clause in test.clauses if clause.preposition == "IN" for thing in clause.things)
    match test.verb:
        case "PP":
            return war.treasuries[seat].pp
        case "DP":
            return war.treasuries[seat].dp
        case "turn":
            return war.turn
        case "round":
            return war.round
        case "regions":
            return len(war.regions_of(seat))
        case "fleets":
            return sum(fleet.sea in places or not places for fleet in war.fleets_of(seat))
        case _:
            return _pieces(war, seat, test.verb, places)


def _pieces(war: War, seat: Seat, word: str, places: tuple[str, ...]) -> int:
    """R27-40: units, buildings or spheres of a seat, in these places or anywhere."""
    lands = [war.lands[name] for name in places if name in war.lands] if places else list(war.lands.values())
    if word == "spheres":
        return sum(land.spheres.get(seat, 0) for land in lands)
    if word != "brigades" and KIND_OF[word] in BUILDINGS:
        return sum(land.owner == seat and land.has(KIND_OF[word]) for land in lands)
    kinds = BRIGADES if word == "brigades" else (KIND_OF[word],)
    fleets = [fleet for fleet in war.fleets.values() if not places or fleet.sea in places]
    loads = [load for fleet in fleets for load in fleet.cargo]
    aboard = sum(load.number for load in loads if load.owner == seat and load.kind in kinds)
    return aboard + sum(land.count(seat, *kinds) for land in lands)


# ---------------------------------------------------------------- historical
# Europe, colonies and local powers (27.opt.historical). Pure.


EUROPEAN = tuple(name for name in BOARD.zones["Europe"] if name not in ("Balkans", "Caucasus"))
"""27.opt.historical.european.1"""

COLONIAL_POWERS = ("China", "Japan", "India", "Egypt", "Ottoman")
"""Local powers outside Europe (27.opt.historical.powers.1)."""

COLONY = "colony"
"""The word in a draft list for a random colony (27.opt.historical.setup.1)."""

_MORE = 2
_AT_THE_START = 5
_RESOURCE = 10


def is_colony(war: War, region: str) -> bool:
    """27.opt.historical.colonial.1"""
    return plays(war, "historical") and region not in EUROPEAN


def is_power(war: War, region: str) -> bool:
    """27.opt.historical.powers.1: whether its natives are a local power."""
    native = plays(war, "historical") and war.lands[region].owner is None
    return native and region in (*EUROPEAN, *COLONIAL_POWERS)


# ---------------------------------------------------------------- the set-up


def may_pick(war: War, seat: Seat, left: int) -> tuple[str, ...]:
    """27.opt.historical.setup.1, .2: free regions a seat may pick by name with so many picks left, this one included (R27-99)."""
    free = [land.name for land in war.regions_of(None)]
    homeless = [other for other in war.seats if other not in war.homes and other != seat]
    europe = [name for name in free if name in EUROPEAN]
    if seat in war.homes and len(europe) <= len(homeless):
        europe = []
    if seat not in war.homes and left == 1:
        return tuple(europe)
    own = [land.name for land in war.regions_of(seat) if land.name in EUROPEAN]
    near = {name for home in own for name in BOARD.regions[home].borders}
    return (*europe, *(name for name in free if name in near and name not in (*EUROPEAN, *COLONIAL_POWERS)))


def colonies_left(war: War, seat: Seat, left: int) -> tuple[str, ...]:
    """27.opt.historical.setup.1: what a random colony can be; none for the last pick of one without a home in Europe."""
    if seat not in war.homes and left == 1:
        return ()
    free = (land.name for land in war.regions_of(None))
    return tuple(name for name in free if name not in (*EUROPEAN, *COLONIAL_POWERS))


def placeable(war: War, seat: Seat, kind: str, region: str) -> bool:
    """27.opt.historical.setup.3, .5: buildings in Europe only; five units in a colony, besides the free infantry."""
    if not is_colony(war, region):
        return True
    if kind not in (*BRIGADES, *PARTIES):
        return False
    return war.lands[region].count(seat) - 1 < _AT_THE_START


def ten_worth(war: War) -> str | None:
    """27.opt.historical.setup.4: a chit of value 10 that is still in the cup."""
    return next((name for name, n in war.chits.items() if n and CHIT_VALUES[name] == _RESOURCE), None)


# ---------------------------------------------------------------- units


def units_allowed(war: War, region: str, new: int) -> int:
    """27.opt.historical.colonial.4 to .6: how many units a colony builds in a phase; `new` buildings do not help yet."""
    land = war.lands[region]
    old = sum(kind in EXCLUSIVE for kind in land.buildings) - new
    return _MORE + _MORE * (old > 0) + _MORE * land.westernized


def points_by_line(war: War, seat: Seat) -> tuple[tuple[str, int, int], ...]:
    """27.victory.3, 17.victory.2: what counts, how much of it, and the victory points for it."""
    own = war.regions_of(seat)
    held = {land.name for land in own}
    zones = sum(held.issuperset(names) for names in BOARD.zones.values())
    buildings = sum(len(land.buildings) for land in own)
    sets = min(war.buildings_of(seat, kind) for kind in EXCLUSIVE)
    resources = sum(land.resource for land in own)
    spheres = war.spheres_of(seat)
    hand = war.treasuries[seat]
    card = card_points(war, seat) if war.cards_shown else 0
    lines = (
        ("regions", len(own), 10 * len(own)),
        ("whole zones", zones, 0 if plays(war, "hidden_victory") else 50 * zones),
        ("buildings", buildings, 5 * buildings),
        ("full sets of city, factory, port and railroad", sets, 10 * sets),
        ("value of developed resources", resources, resources),
        ("brigades, parties and fleets", war.units_of(seat), war.units_of(seat)),
        ("spheres of influence", spheres, spheres),
        ("DP in hand", hand.dp, hand.dp),
        *((("PP in hand", hand.pp, hand.pp // 10),) if war.diplomatic else ()),
        ("card fulfilled", int(bool(card)), card),
    )
    return tuple(line for line in lines if line[1])


def points(war: War, seat: Seat) -> int:
    """Victory points, whether or not the seat is eliminated."""
    return _points(war)[seat]


@once_a_position(keep=32)
def _points(war: War) -> dict[Seat, int]:
    """Of every seat: reports, sheets and orders of one position ask for all of them again and again."""
    return {seat: sum(worth for _, _, worth in points_by_line(war, seat)) for seat in war.treasuries}


def tally(war: War) -> Tally:
    """The standings now, or finally. Ties share a place (R17-20); regions, then PP, order the record (R27-75)."""
    merit = {seat: (seat not in war.out, points(war, seat)) for seat in war.order}
    ranked = placed(war.order, lambda seat: merit[seat])
    held = {seat: len(war.regions_of(seat)) for seat in war.order}
    ordered = sorted(ranked, key=lambda entry: (entry[0], -held[entry[1]], -war.treasuries[entry[1]].pp))
    standings = tuple(Standing(place, seat, merit[seat][1], _how(war, seat, held[seat])) for place, seat in ordered)
    return Tally(standings, "victory points", bool(war.ended))


def _how(war: War, seat: Seat, regions: int) -> str:
    if seat in war.out:
        return "eliminated"
    buildings = sum(len(land.buildings) for land in war.regions_of(seat))
    parts = (counted(regions, "regions"), counted(buildings, "buildings"), counted(war.units_of(seat), "units"))
    return ", ".join(parts)


def end_of_round(war: War) -> str:
    """Why the game is over after a round of movement, "" when it goes on (27.victory.1)."""
    lost = [seat for seat in war.order if not war.regions_of(seat)]
    if lost:
        return f"{' and '.join(lost)} {in_number(len(lost), 'have')} no region left"
    if not war.regions_of(None):
        return "no native region is left"
    last = int(war.options["last_turn"])
    if war.round == 2 and war.turn >= last:
        return f"turn {last}, the last that was agreed, is over"
    return ""
