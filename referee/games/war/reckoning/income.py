"""Income, sites, natives, and what is disbanded for want of money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.position import Army, Land, Marker, Side
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning import friendly_ports, open_ports
from referee.games.war.reckoning.battle import factory_income, port_income
from referee.games.war.reckoning.scoring import COLONIAL_POWERS, EUROPEAN
from referee.games.war.rulebook import BOARD, BRIGADES, EXCLUSIVE, KINDS, PARTIES, units_in_words
from referee.kit.fields import Most, meant
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row, in_number

# ---------------------------------------------------------------- disbanding
# The units that go when maintenance cannot be paid (R27-17).


class Berth(msgspec.Struct, frozen=True):
    """Where equal units are: a kind in a region, aboard a fleet (`fleet` its number), or that fleet itself."""

    kind: str
    place: str
    fleet: int = 0

    @property
    def garrison(self) -> bool:
        """Whether these are brigades in a region, and so may hold it."""
        return self.kind in BRIGADES and not self.fleet

    def words(self) -> str:
        """`infantry in Egypt`, `general aboard fleet 3`, `fleet 3 in Red Sea`."""
        if self.kind == "fleet":
            return f"fleet {self.fleet} in {self.place}"
        return f"{self.kind} aboard fleet {self.fleet}" if self.fleet else f"{self.kind} in {self.place}"


Kept = dict[Berth, int]
"""How many units a player has in every berth."""

_DEFAULT: tuple[str, str, Most] = ("", "", 0)
"""The end of every list: whatever is left, by the default of R27-17."""

_KINDS = {kind: number for number, kind in enumerate((*PARTIES, *BRIGADES, "fleet"))}
"""At the same price parties go before brigades, and fleets last."""


def kept(war: War, seat: Seat) -> Kept:
    """Everything a player must maintain."""
    ashore = [
        (Berth(s.kind, land.name), s.number) for land in war.lands.values() for s in land.stacks if s.owner == seat
    ]
    aboard = [
        (Berth(load.kind, fleet.sea, fleet.number), load.number)
        for fleet in war.fleets.values()
        for load in fleet.cargo
        if load.owner == seat
    ]
    fleets = [(Berth("fleet", fleet.sea, fleet.number), 1) for fleet in war.fleets_of(seat)]
    counts: Kept = {}
    for berth, number in (*ashore, *aboard, *fleets):
        counts[berth] = counts.get(berth, 0) + number
    return counts


def disbanded(
    counts: Kept, named: Iterable[Berth], listed: Sequence[tuple[str, str, Most]], short: int
) -> tuple[Berth, ...]:
    """So many units, an entry each: those named, then by the list, then by default (R27-17).

    The list names kinds and places, and how many at most of those that are then there.
    """
    left, gone = dict(counts), list[Berth]()
    for berth in named:
        if len(gone) < short and berth in left:
            gone += _struck(left, berth)
    for kind, place, most in (*listed, _DEFAULT):
        there = sum(number for berth, number in left.items() if kind in ("", berth.kind) and place in ("", berth.place))
        for _ in range(meant(most, there)):
            if len(gone) < short and (first := _next(left, kind, place)):
                gone += _struck(left, first)
    return tuple(gone)


def _next(left: Kept, kind: str, place: str) -> Berth | None:
    """R27-17: the first to go of a kind (any: "") in a place (any: "")."""
    strength = _strengths(left)
    spared = bool(kind) and not place
    berths = [
        berth
        for berth in left
        if kind in ("", berth.kind) and place in ("", berth.place) and not (spared and _last(berth, strength))
    ]
    return min(berths, key=lambda berth: _rank(left, strength, berth), default=None)


def _strengths(left: Kept) -> dict[str, int]:
    """Brigades by region."""
    found: dict[str, int] = {}
    for berth, number in left.items():
        if berth.garrison:
            found[berth.place] = found.get(berth.place, 0) + number
    return found


def _last(berth: Berth, strength: dict[str, int]) -> bool:
    return berth.garrison and strength[berth.place] == 1


def _rank(left: Kept, strength: dict[str, int], berth: Berth) -> tuple[int, ...]:
    """R27-17"""
    load = sum(number for b, number in left.items() if b.fleet == berth.fleet) if berth.kind == "fleet" else 0
    crowd = 0 if berth.fleet else -strength.get(berth.place, 0)
    price, kind, place = KINDS[berth.kind].price, _KINDS[berth.kind], BOARD.position(berth.place)
    young = -berth.fleet if berth.kind == "fleet" else 0
    return int(_last(berth, strength)), price, kind, crowd, load, young, place, berth.fleet


def _struck(left: Kept, berth: Berth) -> list[Berth]:
    """Take one unit off, or a fleet with all aboard; returns what went."""
    if berth.kind == "fleet":
        sunk = [berth, *(b for b in left if b.fleet == berth.fleet and b != berth)]
        return [b for b in sunk for _ in range(left.pop(b))]
    left[berth] -= 1
    if not left[berth]:
        del left[berth]
    return [berth]


_REGION = 5
_NATIVE_TIES = 2
_CITY = 5
_RAILROAD_EACH = 3
_RAILROAD_CAP = 15
_PAYS_RAILROADS = ("city", "factory", "port")


class IncomeLine(msgspec.Struct, frozen=True):
    """One source of income: `3 cities`, how much, and the rule."""

    what: str
    amount: int
    rule: str


def source(number: int, kind: str, amount: int, rule: str, where: str = "", paying: int = -1) -> tuple[IncomeLine, ...]:
    """The line of so many of a kind, even if they pay nothing, `2 of 3 ports` if not all pay; none where none stands."""
    some = f"{paying} of " if paying not in (-1, number) else ""
    return (IncomeLine(f"{some}{units_in_words(kind, number)}{where}", amount, rule),) if number else ()


class Income(msgspec.Struct, frozen=True):
    """A player's income of one production phase."""

    lines: tuple[IncomeLine, ...]
    dp: int

    @property
    def pp(self) -> int:
        """All lines together."""
        return sum(line.amount for line in self.lines)


def income(war: War, seat: Seat) -> Income:
    """27.production.income.1, 27.production.income.2: what a player collects; regions in revolt pay too (R27-10)."""
    own = {land.name: land for land in war.regions_of(seat)}
    count = {kind: war.buildings_of(seat, kind) for kind in ("city", "factory", "port", "railroad")}
    western, values = (
        sum(land.westernized for land in own.values()),
        [n for land in own.values() if (n := land.resource)],
    )
    native, spheres = len(own) - western, sum(land.spheres.get(seat, 0) for land in war.regions_of(None))
    paying, reaching = min(count["factory"], count["city"]), len(open_ports(war, seat)) if count["port"] else 0
    rule = "27.production.income"
    lines = (
        *source(western, "westernized region", western * _REGION, f"{rule}.5"),
        *source(native, "region", native * (_REGION - _NATIVE_TIES), f"{rule}.5", " not westernized"),
        *_zones(war, seat),
        *source(count["city"], "city", count["city"] * _CITY, f"{rule}.7"),
        *source(count["factory"], "factory", _from_factories(own, paying), f"{rule}.8", paying=paying),
        *source(count["port"], "port", _from_ports(war, seat, own, reaching), f"{rule}.9", paying=reaching),
        *source(count["railroad"], "railroad", railroad_income(own), f"{rule}.10"),
        *source(len(values), "developed resource", sum(values), f"{rule}.11"),
        *source(spheres, "sphere", spheres, f"{rule}.12", " in native regions"),
    )
    return Income(lines, count["city"] + 1)


def adjacent_resources(own: Mapping[str, Land], factory: str) -> tuple[str, ...]:
    """Regions whose developed resource is an ADR of a factory: here, next door, or behind one own railroad (R27-14)."""
    borders = BOARD.regions[factory].borders
    behind = [
        name for near in borders if near in own and own[near].has("railroad") for name in BOARD.regions[near].borders
    ]
    near = dict.fromkeys((factory, *borders, *behind))
    return tuple(name for name in near if name in own and own[name].resource)


def _zones(war: War, seat: Seat) -> tuple[IncomeLine, ...]:
    """27.production.income.6"""
    zones = tuple(
        zone for zone, regions in BOARD.zones.items() if all(war.lands[name].owner == seat for name in regions)
    )
    regions = sum(len(BOARD.zones[zone]) for zone in zones)
    return (IncomeLine(f"the whole of {in_a_row(zones)}", regions, "27.production.income.6"),) if zones else ()


def _from_factories(own: Mapping[str, Land], paying: int) -> int:
    """27.production.income.8"""
    factories = [land.name for land in own.values() if land.has("factory")]
    resources = {name: number for number, name in enumerate(name for name, land in own.items() if land.resource)}
    links = [tuple(resources[name] for name in adjacent_resources(own, factory)) for factory in factories]
    return factory_income(paying, len(resources), links)


def _from_ports(war: War, seat: Seat, own: Mapping[str, Land], reaching: int) -> int:
    """27.production.income.9, 27.production.blockade.2, 27.production.blockade.4; R27-11, R27-13"""
    objects = sum(land.has("factory") + bool(land.resource) for land in own.values())
    return port_income(reaching, len(friendly_ports(war, seat)), objects) if reaching else 0


def railroad_income(own: Mapping[str, Land]) -> int:
    """27.production.income.10: what railroads pay together in both editions, for what stands in their own regions too (R27-14)."""
    near = {name: (name, *BOARD.regions[name].borders) for name, land in own.items() if land.has("railroad")}
    served = ([own[name] for name in names if name in own] for names in near.values())
    paid = (sum(sum(map(land.has, _PAYS_RAILROADS)) + bool(land.resource) for land in lands) for lands in served)
    return sum(min(_RAILROAD_CAP, _RAILROAD_EACH * number) for number in paid)


# ---------------------------------------------------------------- sites
# How many buildings a region may hold (27.pieces.4), and what the optional rules make of it.


def kinds_allowed(war: War, region: str) -> int:
    """How many of city, factory, port and railroad a region may hold: one, but for optional rules."""
    if plays(war, "historical") and region in EUROPEAN:
        return len(EXCLUSIVE)  # 27.opt.historical.european.2
    more = plays(war, "historical") and region in COLONIAL_POWERS  # 27.opt.historical.powers.5
    return min(len(EXCLUSIVE), _several(war, region) + more)


def _several(war: War, region: str) -> int:
    """27.opt.multiple_buildings: so many or each, everywhere or only in the capital of the region's owner (R27-92)."""
    owner = war.lands[region].owner
    capital = owner is not None and war.capitals.get(owner) == region
    if not plays(war, "multiple_buildings") or (plays(war, "capital_only") and not capital):
        return 1
    number = war.options["multiple_buildings"]
    return len(EXCLUSIVE) if number == "each" else int(number)


def standing_kinds(land: Land) -> tuple[str, ...]:
    """The kinds among city, factory, port and railroad that stand in a region."""
    return tuple(kind for kind in land.buildings if kind in EXCLUSIVE)


def check_room(war: War, land: Land, kind: str) -> None:
    """27.pieces.4, 27.pieces.5, 27.production.build.7, 27.production.build.8: one more building of a kind. Raises Refused."""
    if land.has(kind):
        one_of_a_kind = "27.opt.multiple_buildings.4" if plays(war, "multiple_buildings") else "27.pieces.4"
        rule = {"fort": "27.pieces.5", "school": "27.production.build.8"}.get(kind, one_of_a_kind)
        raise Refused(f"{land.name} has a {kind} already.", rule, kind)
    standing = standing_kinds(land)
    if kind in EXCLUSIVE and len(standing) >= kinds_allowed(war, land.name):
        beside = in_number(len(standing), "them")
        why = f"{land.name} has a {in_a_row(standing)}; a {kind} cannot stand beside {beside}."
        raise Refused(why, "27.opt.multiple_buildings.1" if standing[1:] else "27.pieces.4", kind)
    if kind == "port" and not BOARD.regions[land.name].coastal:
        raise Refused(f"{land.name} has no coast; ports stand on coasts.", "27.production.build.7", kind)
    if kind == "school" and not land.has("city"):
        raise Refused(f"{land.name} has no city; a school needs one.", "27.production.build.8", kind)


def has_room(war: War, land: Land, kind: str) -> bool:
    """Whether one more building of a kind may stand in a region."""
    try:
        check_room(war, land, kind)
    except Refused:
        return False
    return True


# ---------------------------------------------------------------- what natives are worth
# Their armies, how strong they are after westernizing, and who modifies a roll among them.


WESTERN = 4
"""A native strength below this is no more: the region is westernized (27.markers.3)."""

Outcome = Literal["control", "sphere", "retreat", "lost"]
"""The result of an explorer's roll."""

_REDUCERS = ("city", "factory", "railroad", "port", "school")


def native_army(marker: Marker) -> Army:
    """27.combat.natives.2, R27-20: infantry by strength; a third of all to horse with +; one of the rest to guns with ++."""
    cavalry = marker.strength // 3 if marker.plus else 0
    artillery = 1 if marker.plus > 1 else 0
    return Army(marker.strength - cavalry - artillery, cavalry, artillery)


def marker_named(name: str) -> Marker:
    """The marker that the cup calls `9++`, face down and unseen."""
    strength = name.rstrip("+")
    return Marker(int(strength), len(name) - len(strength))


def known_marker(land: Land, seat: Seat) -> Marker | None:
    """The marker as far as a seat has seen it: strength 0 if he has not, None if none lies there."""
    marker = land.marker
    if marker is None or marker.face_up or seat in marker.seen_by:
        return marker
    return Marker(0)


def automatic_reduction(land: Land) -> int:
    """27.production.natives.westernize.2, R27-19: one for each such building and each explorer; forts do not count."""
    explorers = land.count(land.owner, "explorer") if land.owner else 0
    return explorers + sum(building in _REDUCERS for building in land.buildings)


def reduced(marker: Marker, points: int) -> Marker | None:
    """27.production.natives.westernize.1: the marker so much weaker, signs kept; None once below four."""
    left = marker.strength - points
    if left < WESTERN:
        return None
    return replace(marker, strength=left, drawn=marker.drawn or marker.strength)


def put_off(war: War, land: Land) -> bool:
    """27.opt.simultaneous.3: it rose in this very phase, whose sheets are read together."""
    fresh = plays(war, "simultaneous") and land.revolt is not None and land.tried == war.turn
    return fresh and land.marker is not None


def revolt_modifier(land: Land, sides: Mapping[Seat, Side], bribe: bool = False) -> int:
    """27.production.revolt.4, 27.production.revolt.6: +1 a suppressing sphere, -1 a supporting one, -3 for a bribe."""
    spheres = sum(n if sides.get(seat) == "suppress" else -n for seat, n in land.spheres.items())
    return spheres - 3 * bribe


def signs_modifier(marker: Marker) -> int:
    """27.combat.explorer.3: -2 for +, -4 for ++."""
    return -2 * marker.plus


def diplomacy_modifiers(war: War, seat: Seat, region: str, friends: tuple[Seat, ...]) -> tuple[tuple[str, int], ...]:
    """27.combat.explorer.3: what an explorer's roll gets from fleets, regions and spheres; `friends` favour him."""
    place, land = BOARD.regions[region], war.lands[region]
    fleets = any(war.fleets_of(seat, sea) for sea in place.seas)
    regions = sum(war.lands[name].owner == seat for name in place.borders)
    helpful = sum(n for owner, n in land.spheres.items() if owner == seat or owner in friends)
    hostile = sum(land.spheres.values()) - helpful
    lines = (
        ("own regions adjacent", regions),
        ("fleets adjacent", int(fleets)),
        ("spheres for him", helpful),
        ("spheres against him", -hostile),
    )
    return tuple((name, value) for name, value in lines if value)


def outcome(total: int, strength: int, natural: bool) -> Outcome:
    """27.combat.explorer.3: `control`, `sphere`, `retreat` or `lost`; natural lowest dice lose the explorer anyway."""
    if natural or total < strength - 6:
        return "lost"
    if total >= strength:
        return "control"
    return "sphere" if total >= strength - 3 else "retreat"


def third(die: int) -> int:
    """27.dice.2: 1d3 from a d6."""
    return (die + 1) // 2
