"""Everybody's pages, the decks, the players of the countries, and pure rules over them: scoring, conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import msgspec

from referee.core.chance import Chance
from referee.core.game import Options
from referee.core.names import Seat
from referee.core.order import Condition, Intent, Predicate, Under, due
from referee.core.page import Standing, Tally
from referee.core.table import Table
from referee.games.newworld.rulebook import (
    CARDS,
    COLONIAL_CARDS,
    EUROPE,
    REGIONS,
    RESOURCES,
    SEATS,
    TABLES,
    TECHNOLOGIES,
    Holdings,
    card_named,
    in_gold,
    terrain_yield,
)
from referee.kit.conditions import compares, satisfied
from referee.kit.seats_and_ranks import first_free, placed
from referee.kit.stock import more, times_covered
from referee.kit.wording import counted

# ---------------------------------------------------------------- who plays which country


def seat_names(options: Options) -> tuple[str, ...]:
    """The countries that can be played."""
    return tuple(TABLES.nations) if options["nationalities"] == "yes" else SEATS


def refuse_options(options: Options, players: int) -> str | None:
    """nw.r32: two to six players, to five with nationalities."""
    most = len(seat_names(options))
    if not 2 <= players <= most:
        how = "with" if options["nationalities"] == "yes" else "without"
        return f"New World {how} nationalities is for 2 to {most} players, not {players}."
    return None


def seat_players(wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
    """The seat of each applicant: by lot with nationalities (nw.nation.choice), otherwise first come, first served."""
    by_lot = options["nationalities"] == "yes"
    free = list(seat_names(options))
    seats: dict[int, Seat] = {}
    for place in reversed(_lots(len(wishes), chance)) if by_lot else range(len(wishes)):
        seats[place] = first_free(wishes[place], free)
    for place, seat in seats.items():
        if not seat:
            index = chance.face(f"seating/country of applicant {place + 1}", 0, len(free)) if by_lot else 1
            seats[place] = Seat(free.pop(index - 1))
    return tuple(seats[place] for place in range(len(wishes)))


def _lots(count: int, chance: Chance) -> list[int]:
    """The applicants in the order of their lots."""
    left = list(range(count))
    return [left.pop(chance.face("seating/lots", i, len(left)) - 1) for i in range(count)]


# ---------------------------------------------------------------- the position
# Everybody's open pages, the two decks as unordered bags, and the seat on turn.


class Territory(msgspec.Struct, frozen=True):
    """A European territory or a claimed colonial card.

    `home` is the seat that started with it (None: a colony), `owner` the seat on whose sheet it stands (None:
    neutral). `rebels` is the number of revolutionary armies; None means no revolt, 0 a revolt without defenders.
    """

    number: int
    good: str
    region: str
    home: Seat | None
    owner: Seat | None
    rebels: int | None = None

    @property
    def name(self) -> str:
        """Its name in reports: `Canadian Furs`, or `Ore (France)` after its first owner."""
        if self.home is None:
            return f"{TABLES.adjectives[self.region]} {self.good}"
        return f"{self.good} ({self.home})"

    @property
    def quiet(self) -> bool:
        """Whether it is not in revolt."""
        return self.rebels is None


def yields(territory: Territory, coal: str) -> dict[str, int]:
    """The yield of a territory in Production, were it not in revolt; `coal` is the setting of nw.r11."""
    if territory.home is not None:
        return terrain_yield(territory.good, coal)
    card = card_named(territory.name)
    return {card.resource: card.amount}


_Holdings = Mapping[tuple[Seat | None, str], tuple[Territory, ...]]
"""Territories by owner and Region; with no Region all of an owner."""


def _by_holder(territories: Iterable[Territory]) -> _Holdings:
    found: dict[tuple[Seat | None, str], list[Territory]] = {}
    for territory in territories:
        for region in ("", territory.region):
            found.setdefault((territory.owner, region), []).append(territory)
    return {held_by: tuple(held) for held_by, held in found.items()}


class Power(msgspec.Struct, frozen=True):
    """One player's stats: resources, technology levels, Fleets, and Armies by Region. `out`: eliminated."""

    seat: Seat
    stock: dict[str, int]
    levels: dict[str, int]
    fleets: int
    armies: dict[str, int]
    out: bool = False

    @property
    def manned(self) -> dict[str, int]:
        """Armies by Region where there are any, in the order of the list."""
        return {region: self.armies[region] for region in REGIONS if self.armies[region]}

    @property
    def units(self) -> int:
        """Fleets and Armies together."""
        return self.fleets + sum(self.armies.values())

    @property
    def unfed(self) -> int:
        """Workers in excess of food (nw.upkeep.workers)."""
        return max(0, self.stock["workers"] - self.stock["food"])

    @property
    def supplied(self) -> int:
        """So many Fleets and Armies food and gold keep (nw.upkeep.units)."""
        return min(self.stock["food"], self.stock["gold"])

    @property
    def excess(self) -> int:
        """Fleets and Armies that they do not keep."""
        return max(0, self.units - self.supplied)

    @property
    def drawn(self) -> int:
        """Research cards of a Research Phase (nw.research.draw)."""
        return self.levels["Science"] + self.levels["Urbanization"]

    @property
    def turned_up(self) -> int:
        """Territories of an Exploration Phase (nw.exploration.draw)."""
        return self.levels["Exploration"]

    @property
    def claims(self) -> int:
        """Territories that can be claimed in a Colonization Phase (nw.r19)."""
        return min(self.levels["Transportation"], times_covered(self.stock, TABLES.prices.colony))

    @property
    def carried(self) -> int:
        """Armies that can be moved in a Transport Phase (nw.r20)."""
        return min(self.levels["Transportation"], self.fleets)


class Deck(msgspec.Struct, frozen=True):
    """A deck without an order: how many of each card are still to be drawn, and how many lie discarded."""

    draw: dict[str, int]
    discard: dict[str, int]

    @property
    def left(self) -> int:
        """Cards still to be drawn."""
        return sum(self.draw.values())

    @property
    def discarded(self) -> int:
        """Cards in the discard."""
        return sum(self.discard.values())


class Offer(msgspec.Struct, frozen=True):
    """A trade offer on the table (nw.r12). `gives` goes from `maker` to `to`, `asks` the other way."""

    number: int
    maker: Seat
    to: Seat
    gives: dict[str, int]
    asks: dict[str, int]
    accepted: bool = False


_NONE: Mapping[str, int] = {}


class World(msgspec.Struct, frozen=True, dict=True):
    """The whole position. All holdings are gathered in one pass, when they are first asked for.

    `turn` counts player-turns from 1, `round` goes up when the order starts again.

    `face_up` are the explored cards not yet claimed, `hand` the research cards drawn and not yet paid or
    discarded; both are empty between turns. `extra` is Discovery or Invention in the turn that rolled it;
    `explored` says that the turn is past its (first) Exploration Phase.
    """

    options: dict[str, str]
    order: tuple[Seat, ...]
    powers: dict[Seat, Power]
    territories: tuple[Territory, ...]
    exploration: Deck
    research: Deck
    face_up: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    next_offer: int = 1
    turn: int = 0
    round: int = 0
    active: Seat | None = None
    extra: str = ""
    explored: bool = False
    ended: str = ""

    @property
    def nationalities(self) -> bool:
        """Whether the optional countries with their bonuses are in play."""
        return self.options["nationalities"] == "yes"

    @property
    def living(self) -> tuple[Seat, ...]:
        """Seats not eliminated, in order of play."""
        return tuple(seat for seat in self.order if not self.powers[seat].out)

    @property
    def claimed(self) -> int:
        """How many of the colonial territories are claimed, revolts and neutral ones included (nw.r7, nw.r28)."""
        return sum(territory.home is None for territory in self.territories)

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """The other living seats, in order of play from the one after `seat`."""
        place = self.order.index(seat)
        return tuple(s for s in (*self.order[place + 1 :], *self.order[:place]) if not self.powers[s].out)

    def sheet_of(self, seat: Seat | None, region: str = "") -> tuple[Territory, ...]:
        """The territories on a seat's sheet (None: neutral ones), those in revolt included."""
        return self._sheets.get((seat, region), ())

    def controlled(self, seat: Seat | None, region: str = "") -> tuple[Territory, ...]:
        """The territories a seat controls: those on his sheet that are not in revolt (nw.r7)."""
        return self._controlled.get((seat, region), ())

    @cached_property
    def _sheets(self) -> _Holdings:
        return _by_holder(self.territories)

    @cached_property
    def _controlled(self) -> _Holdings:
        return _by_holder(t for t in self.territories if t.quiet)

    def territory(self, number: int) -> Territory:
        """The territory of this number."""
        return next(t for t in self.territories if t.number == number)

    def home_lost(self, seat: Seat) -> int:
        """How many of his original home territories are not his now (nw.r27)."""
        return sum(t.home == seat and t.owner != seat for t in self.territories)

    def yields(self, territory: Territory) -> dict[str, int]:
        """The yield of a territory in Production, were it not in revolt."""
        return yields(territory, self.options["coal"])

    def worth(self, territory: Territory) -> int:
        """The yield in gold, to tell which of several is the highest (nw.r26, nw.h3)."""
        return in_gold(self.yields(territory))

    def culture(self, seat: Seat) -> int:
        """Victory points: territories controlled, Law and Humanities levels; an eliminated player has none."""
        power = self.powers[seat]
        if power.out:
            return 0
        return len(self.controlled(seat)) + power.levels["Law"] + power.levels["Humanities"]

    def offer(self, number: int) -> Offer | None:
        """The open offer of this number."""
        return next((offer for offer in self.offers if offer.number == number), None)

    def in_sight(self, seat: Seat) -> bool:
        """Whether a seat is in the second half of its turn, with the cards turned up in sight."""
        return self.explored and self.active == seat

    # copies with a change

    def with_power(self, power: Power) -> World:
        """A copy with one seat's stats replaced."""
        return msgspec.structs.replace(self, powers={**self.powers, power.seat: power})

    def gaining(
        self,
        seat: Seat,
        goods: Mapping[str, int] = _NONE,
        fleets: int = 0,
        armies: Mapping[str, int] = _NONE,
        levels: Mapping[str, int] = _NONE,
    ) -> World:
        """A copy in which a seat has so much more of what it has (below 0: less)."""
        had = self.powers[seat]
        kinds = more(had.stock, goods), more(had.levels, levels), had.fleets + fleets, more(had.armies, armies)
        return self.with_power(Power(seat, *kinds, had.out))

    def with_territory(self, territory: Territory) -> World:
        """A copy with the territory of the same number replaced."""
        changed = tuple(territory if t.number == territory.number else t for t in self.territories)
        return msgspec.structs.replace(self, territories=changed)

    def adding(self, good: str, region: str, home: Seat | None, owner: Seat) -> World:
        """A copy with one more territory, numbered after the last."""
        number = len(self.territories) + 1
        added = Territory(number, good, region, home, owner)
        return msgspec.structs.replace(self, territories=(*self.territories, added))


def power_of(seat: Seat, start: Holdings) -> Power:
    """A seat's stats with what it starts with."""
    levels = {name: start.technologies.count(name) for name in TECHNOLOGIES}
    stock = more(dict.fromkeys(RESOURCES, 0), start.resources)
    return Power(seat, stock, levels, start.fleets, {**dict.fromkeys(REGIONS, 0), EUROPE: start.armies})


def first_position(sides: tuple[Seat, ...], options: Mapping[str, str]) -> World:
    """The position before the set-up phase, in which nobody has anything yet."""
    powers = {seat: power_of(seat, Holdings()) for seat in sides}
    exploration = Deck({card.name: card.copies for card in CARDS}, {})
    research = Deck(dict.fromkeys(TECHNOLOGIES, TABLES.names.copies_of_research_card), {})
    return World(dict(options), sides, powers, (), exploration, research)


# ---------------------------------------------------------------- the tests an IF may make of the position


def holds(world: World, seat: Seat, condition: Condition) -> bool:
    """Whether a condition is true now; tests without a subject are about `seat` itself."""
    return satisfied(condition, lambda test: _true(world, seat, test))


def _true(world: World, seat: Seat, test: Predicate) -> bool:
    sides = [Seat(thing.name) for thing in test.subject if thing.kind == "side"]
    subject = sides[0] if sides else seat
    if test.verb == "CONTROLS":
        return _controls(world, subject, test)
    return compares(test, _measured(world, subject, test))


def _controls(world: World, seat: Seat, test: Predicate) -> bool:
    regions = [thing.name for c in test.clauses if c.preposition == "IN" for thing in c.things]
    (wanted,) = test.things
    card = card_named(wanted.name) if wanted.kind == "card" else None
    good = card.good if card else wanted.name
    places = [card.region] if card else regions
    return any(t.good == good and (not places or t.region in places) for t in world.controlled(seat))


def _measured(world: World, seat: Seat, test: Predicate) -> int:
    power = world.powers[seat]
    if test.verb in RESOURCES:
        return power.stock[test.verb]
    if test.verb in TECHNOLOGIES:
        return power.levels[test.verb]
    match test.verb:
        case "fleets":
            return power.fleets
        case "armies":
            regions = [thing.name for c in test.clauses if c.preposition == "IN" for thing in c.things]
            return sum(number for region, number in power.armies.items() if not regions or region in regions)
        case "culture":
            return world.culture(seat)
        case "round":
            return world.round
        case _:
            return world.turn


# ---------------------------------------------------------------- scoring
# Culture, who stands where, and when the game is over.


def all_claimed(world: World) -> bool:
    """nw.end.claimed"""
    return world.claimed >= COLONIAL_CARDS


def _merit(world: World, seat: Seat) -> tuple[int, int, int, int]:
    """nw.victory.culture, nw.r31, nw.r28"""
    power = world.powers[seat]
    colonies = sum(t.home is None for t in world.controlled(seat))
    return int(not power.out), world.culture(seat), power.stock["gold"], colonies


def tally(world: World) -> Tally:
    """The standings now, or finally."""
    ranked = placed(world.order, lambda seat: _merit(world, seat))
    standings = tuple(Standing(place, seat, world.culture(seat), _how(world, seat)) for place, seat in ranked)
    return Tally(standings, "Culture", bool(world.ended))


def _how(world: World, seat: Seat) -> str:
    power = world.powers[seat]
    if power.out:
        return "eliminated"
    held = world.controlled(seat)
    home = sum(t.home is not None for t in held)
    parts = [f"{home} European", f"{len(held) - home} colonial"]
    parts += [f"{name} {power.levels[name]}" for name in ("Law", "Humanities")]
    return f"{', '.join(parts)}; {counted(power.stock['gold'], 'gold')}"


def winners(world: World) -> tuple[Seat, ...]:
    """Everybody in the first place; eliminated seats cannot win."""
    return tuple(seat for seat in tally(world).winners() if not world.powers[seat].out)


# ---------------------------------------------------------------- what a phase function is handed
# The seat on turn, the key for its questions, and the order sheet.


Kind = TypeVar("Kind", bound=Intent)


class Turn(msgspec.Struct, frozen=True):
    """One player's turn in progress."""

    key: str
    seat: Seat
    sheet: tuple[Intent, ...] = ()

    def wanted(self, table: Table[World], *kinds: type[Kind]) -> Iterator[Kind]:
        """His orders of these kinds as they come to be carried out: an IF is judged when the first under it is taken."""
        for order in due(self.written(*kinds), lambda condition: self.holds(table, condition)):
            if isinstance(order, kinds):
                yield order

    def written(self, *kinds: type[Intent]) -> tuple[Intent, ...]:
        """His orders of some kinds as written, with the IFs they stand under."""
        # A sheet is looked through for every kind of order, line by line.
        return tuple([i for i in self.sheet if isinstance(i.order if isinstance(i, Under) else i, kinds)])

    def holds(self, table: Table[World], condition: Condition) -> bool:
        """Whether a condition of his sheet is true now."""
        return holds(table.state, self.seat, condition)

    def power(self, table: Table[World]) -> Power:
        """His stats as they stand now."""
        return table.state.powers[self.seat]


def of_kind(sheet: Sequence[Intent], kind: type[Kind]) -> tuple[Kind, ...]:
    """The intents of one kind among orders that stand, in order."""
    return tuple(intent for intent in sheet if isinstance(intent, kind))
