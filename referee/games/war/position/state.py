"""All that stands on the table; who plays which power, with which options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.chance import Chance
from referee.core.game import Options
from referee.core.names import Seat
from referee.core.order import Setting
from referee.games.war.position import Coalition, Feud, Fleet, Land, Load, Offer, Stack, Treasury
from referee.games.war.rulebook import BOARD, BUILDINGS, CHITS, COLOURS, KINDS, LAND_UNITS, MARKERS, SETUP, Kind, Start
from referee.kit.seats_and_ranks import first_come

Stage = Literal["setup", "production", "movement", "over"]


class War(msgspec.Struct, frozen=True, dict=True):
    """The whole position. The holdings of all players are counted in one pass, when they are first asked for.

    `seats` in set-up order, `order` the movement order of the turn. `slot` numbers the reports (0: set-up); `round` is the
    round of movement, 1 or 2; `active` whose share it is; `waiting` who moves after him in this round. `new_cities` were built
    in this production phase; `decisions` says per seat whether he is asked or never waits.

    `coalitions`: the wars in which others may take sides, `shut` which allies a player keeps out of his land, `parted` who
    ceased to be allies in which share. `canal`: in which turns a half of the Suez Canal was paid for. `capitals`: the regions
    that may hold several buildings.

    `cards`: whose hidden victory condition is which, `cards_shown` whether they lie open, `fallen` who took whose last region;
    `bid_in`: the last turn whose order was bid for; `put_off`: what natives lose when their revolt is suppressed. `homes`:
    everybody's first European region. `constructing`: native diplomacy is over, in a production in order. `unplaced`: the pieces
    that a sheet before play buys and has not placed, as foreseen.
    """

    options: dict[str, str]
    seats: tuple[Seat, ...]
    order: tuple[Seat, ...]
    lands: dict[str, Land]
    treasuries: dict[Seat, Treasury]
    markers: dict[str, int]
    chits: dict[str, int]
    fleets: Mapping[int, Fleet] = {}
    next_fleet: int = 1
    feuds: tuple[Feud, ...] = ()
    offers: tuple[Offer, ...] = ()
    next_offer: int = 1
    decisions: dict[Seat, str] = {}
    out: tuple[Seat, ...] = ()
    stage: Stage = "setup"
    turn: int = 0
    round: int = 0
    slot: int = 0
    active: Seat | None = None
    waiting: tuple[Seat, ...] = ()
    new_cities: tuple[str, ...] = ()
    ended: str = ""
    coalitions: tuple[Coalition, ...] = ()
    shut: dict[Seat, tuple[Seat, ...]] = {}
    parted: tuple[tuple[Seat, Seat, str], ...] = ()
    canal: tuple[int, ...] = ()
    capitals: dict[Seat, str] = {}
    cards: dict[Seat, str] = {}
    cards_shown: bool = False
    fallen: dict[Seat, Seat] = {}
    bid_in: int = 0
    put_off: dict[str, int] = {}
    homes: dict[Seat, str] = {}
    constructing: bool = False
    unplaced: dict[str, int] = {}

    @property
    def share(self) -> str:
        """The share of the round, by player, as one word to remember it by: `T3/M1/Red`."""
        return f"T{self.turn}/M{self.round}/{self.active}"

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The units table of the edition."""
        return KINDS

    @property
    def land_units(self) -> tuple[str, ...]:
        """The kinds of the edition that stand on land, in the order in which they are lost by default (R27-56)."""
        return tuple(kind for kind in LAND_UNITS if kind in self.kinds)

    @property
    def diplomatic(self) -> bool:
        """Whether the edition knows diplomacy points, spheres of influence and revolts."""
        return True

    @property
    def lasting(self) -> bool:
        """Whether the edition goes on when a player has no region left."""
        return False

    def cite(self, rule: str) -> str:
        """The number that a rule of Version 27 has in the edition."""
        return rule

    @property
    def start(self) -> Start:
        """The start of every player (27.setup.3)."""
        return SETUP[len(self.seats)]

    def price(self, kind: str) -> int:
        """The full price of a unit or building in PP."""
        return self.kinds[kind].price if kind in self.kinds else BUILDINGS[kind]

    @property
    def living(self) -> tuple[Seat, ...]:
        """Seats not eliminated, in movement order."""
        return tuple(seat for seat in self.order if seat not in self.out)

    def after(self, seat: Seat) -> tuple[Seat, ...]:
        """The other living seats, in movement order from the one after `seat`."""
        place = self.order.index(seat)
        return tuple(s for s in (*self.order[place + 1 :], *self.order[:place]) if s not in self.out)

    def regions_of(self, seat: Seat | None) -> tuple[Land, ...]:
        """The regions a seat owns (None: natives'), in the order of the map."""
        return self._regions.get(seat, ())

    @cached_property
    def _regions(self) -> Mapping[Seat | None, tuple[Land, ...]]:
        found: dict[Seat | None, list[Land]] = {}
        for land in self.lands.values():
            found.setdefault(land.owner, []).append(land)
        return {owner: tuple(lands) for owner, lands in found.items()}

    def buildings_of(self, seat: Seat, building: str) -> int:
        """How many buildings of a kind a seat owns."""
        return self._buildings.get((seat, building), 0)

    @cached_property
    def _buildings(self) -> Mapping[tuple[Seat | None, str], int]:
        found: dict[tuple[Seat | None, str], int] = {}
        for land in self.lands.values():
            for kind in set(land.buildings) if land.buildings else ():
                found[land.owner, kind] = found.get((land.owner, kind), 0) + 1
        return found

    def spheres_of(self, seat: Seat) -> int:
        """How many spheres of influence a seat has."""
        return self._spheres.get(seat, 0)

    @cached_property
    def _spheres(self) -> Mapping[Seat, int]:
        found: dict[Seat, int] = {}
        for land in self.lands.values():
            for seat, number in land.spheres.items():
                found[seat] = found.get(seat, 0) + number
        return found

    def schools(self, seat: Seat) -> int:
        """How many schools a seat owns: his technology."""
        return self.buildings_of(seat, "school")

    def fleets_of(self, seat: Seat, sea: str = "") -> tuple[Fleet, ...]:
        """A seat's fleets, in one sea area or anywhere, by number."""
        return tuple(f for f in self.fleets.values() if f.owner == seat and sea in ("", f.sea))

    def fleets_in(self, sea: str) -> tuple[Fleet, ...]:
        """All fleets in a sea area, by number."""
        return self._at_sea.get(sea, ())

    @cached_property
    def _at_sea(self) -> Mapping[str, tuple[Fleet, ...]]:
        found: dict[str, list[Fleet]] = {}
        for fleet in self.fleets.values():
            found.setdefault(fleet.sea, []).append(fleet)
        return {sea: tuple(fleets) for sea, fleets in found.items()}

    def units_of(self, seat: Seat) -> int:
        """Brigades, parties and fleets, those aboard included."""
        return sum(self.forces_of(seat).values())

    def forces_of(self, seat: Seat) -> Mapping[str, int]:
        """How many units of each kind a seat has, fleets and those aboard included; kinds he has none of are left out."""
        return self._forces.get(seat, {})

    @cached_property
    def _forces(self) -> Mapping[Seat, Mapping[str, int]]:
        found: dict[Seat, dict[str, int]] = {}
        ashore, afloat = self.lands.values(), self.fleets.values()
        heaps: list[Sequence[Stack | Load]] = [*(land.stacks for land in ashore), *(fleet.cargo for fleet in afloat)]
        for heap in heaps:
            for lot in heap:
                forces = found.setdefault(lot.owner, {})
                forces[lot.kind] = forces.get(lot.kind, 0) + lot.number
        for fleet in afloat:
            forces = found.setdefault(fleet.owner, {})
            forces["fleet"] = forces.get("fleet", 0) + 1
        return found

    def feud(self, one: Seat, other: Seat) -> Feud | None:
        """The war between two players, if there is one."""
        return next((feud for feud in self.feuds if feud.between(one, other)), None)

    def at_war(self, one: Seat, other: Seat) -> bool:
        """Whether war is declared between two players (27.war.7)."""
        return self.feud(one, other) is not None

    def may_attack(self, attacker: Seat, victim: Seat) -> bool:
        """Whether war is declared and the attacker's time has come (27.war.4, 27.war.5)."""
        feud = self.feud(attacker, victim)
        return feud is not None and attacker in feud.ready

    def enemies(self, seat: Seat) -> tuple[Seat, ...]:
        """Everybody a seat is at war with, in movement order."""
        return tuple(other for other in self.order if other != seat and self.at_war(seat, other))

    def contested(self) -> Iterator[Land]:
        """Regions in which units of somebody else than the owner stand, in the order of the map."""
        return (land for land in self.lands.values() if any(stack.owner != land.owner for stack in land.stacks))

    # copies with a change

    def settled(self, region: str) -> War:
        """A copy in which nothing is put off in a region any more."""
        if region not in self.put_off:
            return self
        return replace(self, put_off={name: points for name, points in self.put_off.items() if name != region})

    def with_land(self, name: str, **changes: object) -> War:
        """A copy with a region changed."""
        return replace(self, lands={**self.lands, name: replace(self.lands[name], **changes)})

    def with_building(self, region: str, building: str) -> War:
        """A copy with a building more in a region."""
        return self.with_land(region, buildings=(*self.lands[region].buildings, building))

    def with_units(self, region: str, stack: Stack) -> War:
        """A copy with so many units more in a region (number below 0: fewer). Equal stacks are one stack."""
        land = self.lands[region]
        return self.with_land(region, stacks=_merged(land.stacks, stack))

    def with_fleet(self, fleet: Fleet | None, number: int = 0) -> War:
        """A copy with a fleet put in or replaced; with None the fleet of that number is gone."""
        if fleet is not None:
            return replace(self, fleets={**self.fleets, fleet.number: fleet})
        return replace(self, fleets={n: f for n, f in self.fleets.items() if n != number})

    def launching(self, owner: Seat, sea: str) -> War:
        """A copy with a new fleet in a sea area."""
        return replace(self.with_fleet(Fleet(self.next_fleet, owner, sea)), next_fleet=self.next_fleet + 1)

    def paying(self, seat: Seat, pp: int = 0, dp: int = 0) -> War:
        """A copy in which a seat has so much more (below 0: less)."""
        had = self.treasuries[seat]
        return replace(self, treasuries={**self.treasuries, seat: Treasury(had.pp + pp, had.dp + dp)})


def _merged(stacks: tuple[Stack, ...], added: Stack) -> tuple[Stack, ...]:
    """The stacks with one more, counted together with those that differ in nothing but the number."""
    found = next((s for s in stacks if replace(s, number=added.number) == added), None)
    if found is None:
        return (*stacks, added) if added.number else stacks
    total = found.number + added.number
    return tuple(replace(s, number=total) if s is found else s for s in stacks if s is not found or total)


W = TypeVar("W", bound=War)


def first_position(sides: tuple[Seat, ...], options: Mapping[str, str]) -> War:
    """The position before the set-up: everything native, both cups full."""
    return position_before_setup(War, sides, options)


def position_before_setup(edition: type[W], sides: tuple[Seat, ...], options: Mapping[str, str]) -> W:
    """The same as the position of an edition."""
    return edition(
        options=dict(options),
        seats=sides,
        order=sides,
        lands={name: Land(name) for name in BOARD.regions},
        treasuries={seat: Treasury() for seat in sides},
        markers=dict(MARKERS),
        chits=dict(CHITS),
        decisions=dict.fromkeys(sides, options["decisions"]),
    )


def colour(seat: Seat) -> str:
    """The seat's colour on the map, as #RRGGBB."""
    return COLOURS[seat]


# ---------------------------------------------------------------- the optional rules of a match
# The settings of CREATE, the one question the rules ask of them, and what excludes what.


_SWITCH = ("no", "yes")

OPTIONAL = (
    Setting(
        "random_regions", _SWITCH, "Whether starting regions are dealt, and may be swapped.", "27.opt.random_regions.1"
    ),
    Setting(
        "multiple_buildings",
        ("no", "2", "3", "4", "each"),
        "How many kinds of building a region may hold.",
        "27.opt.multiple_buildings.1",
    ),
    Setting(
        "capital_only",
        _SWITCH,
        "Whether only one region of each player, his capital, may hold several buildings.",
        "27.opt.multiple_buildings.3",
    ),
    Setting(
        "hidden_victory",
        _SWITCH,
        "Whether each player holds a secret card worth victory points.",
        "27.opt.hidden_victory.1",
    ),
    Setting("simultaneous", _SWITCH, "Whether all buy and place sealed, and reveal together.", "27.opt.simultaneous.1"),
    Setting(
        "historical",
        _SWITCH,
        "Whether Europe, colonies and local powers have rules of their own.",
        "27.opt.historical.setup.1",
    ),
    Setting("auction", _SWITCH, "Whether the order of a turn is bid for.", "27.opt.auction.1"),
    Setting("suez", _SWITCH, "Whether the Suez Canal can be built.", "27.opt.suez.1"),
    Setting("scorched", _SWITCH, "Whether units may destroy what stands where they are.", "27.opt.scorched.1"),
    Setting("interception", _SWITCH, "Whether fleets must roll to intercept.", "27.opt.interception.1"),
    Setting("alliances", _SWITCH, "Whether others may join a side when war is declared.", "27.opt.alliances.1"),
)
"""One setting for each optional rule, by the name of its ids; all are off unless a match says otherwise (27.opt.0)."""


def plays(war: War, option: str) -> bool:
    """27.opt.0: whether an optional rule is in play in this match."""
    return _on(war.options, option)


def _on(options: Options, option: str) -> bool:
    return options.get(option, "no") != "no"


def maintained_before(war: War) -> bool:
    """R27-102: whether units are paid for before the first production sheet is asked for."""
    return in_order(war) or plays(war, "auction")


def in_order(war: War) -> bool:
    """R27-102: whether native diplomacy and construction have sheets of their own."""
    return war.options.get("production") == "in_order"


def excluded(options: Options) -> str | None:
    """One sentence if two of these options cannot be played together, else None."""
    if _on(options, "capital_only") and not _on(options, "multiple_buildings"):
        return "capital_only says where several buildings may stand: it needs multiple_buildings 2, 3, 4 or each."
    if _on(options, "simultaneous") and options.get("production") == "in_order":
        return "Sealed purchases are read together: simultaneous cannot be played with production in_order."
    if _on(options, "random_regions") and _on(options, "historical"):
        return (
            "Dealt regions leave nothing to pick by the historical rules: play random_regions or historical, not both."
        )
    return None


# ---------------------------------------------------------------- who plays which colour


def refuse_options(options: Options, players: int) -> str | None:
    """27.setup.3: two to eight players; optional rules that exclude each other."""
    if not 2 <= players <= len(COLOURS):
        return f"War! is for 2 to {len(COLOURS)} players, not {players}."
    return excluded(options)


def seat_players(wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
    """R27-80"""
    return first_come(tuple(COLOURS), wishes)
