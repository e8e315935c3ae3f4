"""The orders of a steady player of War! 27 in each stage, and his reasons.

A region is 10 points, and an explorer of 10 PP wins one by a roll and turns into the brigade that holds it;
a resource pays its value every turn and as many points. So explorers come first, resources next, buildings with what is left;
brigades go where an enemy may come, and march on whoever holds a region with fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product

import msgspec

from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.games.war.deeds import Lot, exactly, granted
from referee.games.war.deeds.marching import check_gift
from referee.games.war.orders.attack import DeclareWar
from referee.games.war.orders.building import NOTHING, BuildAction, BuildBuilding, BuildUnits
from referee.games.war.orders.combat import ExploreRegion
from referee.games.war.orders.move import MoveUnits
from referee.games.war.orders.natives import LOWERED, InciteRevolt, WesternizeRegion
from referee.games.war.orders.production import DIPLOMACY_PRICE, BuyDiplomacy, DevelopResource
from referee.games.war.orders.setup import BuyPieces, DraftRegions, PlacePieces
from referee.games.war.position import Land
from referee.games.war.position.state import War, maintained_before
from referee.games.war.reckoning import land_reach
from referee.games.war.reckoning.income import (
    WESTERN,
    automatic_reduction,
    diplomacy_modifiers,
    known_marker,
    signs_modifier,
)
from referee.games.war.reckoning.scoring import is_power, points
from referee.games.war.rulebook import BOARD, BRIGADES, BUILDINGS, CHIT_VALUES, EXCLUSIVE, KINDS, WAR_PRICE
from referee.kit.wording import counted


class Habits(msgspec.Struct, frozen=True):
    """The habits in which steady players differ; chances and worths in thousandths."""

    explorers: int = 5
    """Bought before play, with one city; infantry for the rest."""
    gift: int = 700
    """He gives a gift where the chance without is less, while he has DP."""
    least: int = 200
    """The least chance for which an explorer goes."""
    more: int = 500
    """Explorers built for each native region within reach."""
    garrison: int = 1
    """So many brigades stay in a region when others march."""
    war: int = 2
    """Brigades more than the defender has with which he goes to war."""
    worth: int = 110
    """The least worth of what he builds, in points a PP."""
    revolt: int = 1500
    """The least worth of a revolt incited, in points a DP."""


STEADY = Habits()


def steady(war: War, seat: Seat, habits: Habits = STEADY) -> tuple[Reasoned, ...]:
    """The sheet that he is asked for next."""
    if seat in war.out:
        return ()
    match war.stage:
        case "setup":
            return tuple(_set_up(war, seat, habits))
        case "production":
            return tuple(_production(war, seat, habits))
        case "movement":
            return (
                *_wars(war, seat, habits),
                *marches(war, seat, lambda _: habits.garrison, _goal),
                *_explorers(war, seat, habits),
            )
        case _:
            return ()


# ---------------------------------------------------------------- before play


def _set_up(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    if not war.regions_of(seat):
        yield draft(war, seat)
    elif war.treasuries[seat].pp:
        yield from _purchase(war, seat, habits)


def draft(war: War, seat: Seat) -> Reasoned:
    """One after the other the regions that hang together best, from a corner that no other seat begins in."""
    zones = list(BOARD.zones.values())
    zone = zones[war.seats.index(seat) % len(zones)]
    free = {land.name for land in war.regions_of(None)}
    picked = [max(zone, key=lambda name: len(BOARD.regions[name].borders))]

    def merit(name: str) -> tuple[int, int]:
        borders = BOARD.regions[name].borders
        return 2 * sum(border in picked[:12] for border in borders) + (name in zone), len(borders)

    while len(picked) < len(BOARD.regions):
        picked.append(max((name for name in BOARD.regions if name not in picked), key=merit))
    picks = len(war.seats) * war.start.regions  # as many as all together take
    ranked = tuple(name for name in picked if name in free)[:picks]
    return Reasoned(DraftRegions(ranked), "Regions that hang together can be held together.")


def _purchase(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """A city where most of one's own is near, explorers where most natives are, infantry everywhere with the rest."""
    left, places = war.treasuries[seat].pp, Placing(war, seat)
    left -= war.price("city") if places.city() else 0
    explorers = min(habits.explorers, left // KINDS["explorer"].price)
    places.spread("explorer", explorers, places.beside)
    places.spread(
        "infantry", (left - explorers * KINDS["explorer"].price) // KINDS["infantry"].price - 1, places.ranked
    )
    yield from places.lines("An explorer can win a region by a roll; infantry holds it.")


class Placing:
    """A seat's purchase before play, and the place of each piece. `near`: how many natives live next door to each own region."""

    def __init__(self, war: War, seat: Seat) -> None:
        self.war, self.seat = war, seat
        own = [land.name for land in war.regions_of(seat)]
        self.near = {name: sum(war.lands[there].owner is None for there in BOARD.regions[name].borders) for name in own}
        self.ranked = sorted(own, key=lambda name: (-self.near[name],))
        self.beside = [name for name in self.ranked if self.near[name]] or self.ranked
        self.there: dict[str, dict[str, int]] = {name: {} for name in self.ranked}

    def put(self, kind: str, place: str) -> None:
        """One more in a place."""
        kinds = self.there.setdefault(place, {})
        kinds[kind] = kinds.get(kind, 0) + 1

    def spread(self, kind: str, number: int, places: Sequence[str]) -> None:
        """So many, one after the other in each of the places."""
        for at in range(number):
            self.put(kind, places[at % len(places)])

    def city(self, merit: Callable[[str], tuple[int, ...]] | None = None) -> str:
        """A city where merit is greatest, else where fewest natives are near; "" where none may stand or it cannot be paid."""
        if self.war.price("city") > self.war.treasuries[self.seat].pp:
            return ""
        ranked = sorted(self.near, key=merit or (lambda name: (-self.near[name],)), reverse=True)
        able = (name for name in ranked if PlacePieces((exactly("city", 1),), name).lawful(self.war, self.seat))
        if not (there := next(able, "")):
            return ""
        self.put("city", there)
        return there

    def lines(self, why: str) -> Iterator[Reasoned]:
        """The purchase, dearest first, and where everything stands."""
        bought: dict[str, int] = {}
        for kinds in self.there.values():
            for kind, number in kinds.items():
                bought[kind] = bought.get(kind, 0) + number
        ranked = sorted(bought, key=lambda kind: (kind not in BUILDINGS, kind == "infantry"))
        if lots := tuple(exactly(kind, bought[kind]) for kind in ranked):
            yield Reasoned(BuyPieces(lots), why)
        for place, kinds in self.there.items():
            if kinds:
                near = f"Native regions next door: {wild}." if (wild := self.near.get(place)) else "Infantry holds it."
                why = "A fleet carries them to other coasts." if BOARD.is_sea(place) else near
                yield Reasoned(PlacePieces(tuple(exactly(*lot) for lot in kinds.items()), place), why)


# ---------------------------------------------------------------- production


def _production(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """DP on natives; then what brings most for its PP: resources, explorers, buildings; infantry on the border with the rest."""
    left = war.treasuries[seat].pp - (0 if maintained_before(war) else war.units_of(seat))
    dp = war.treasuries[seat].dp
    for one in _diplomacy(war, seat, habits):
        dp -= one.order.dp(war, seat) if isinstance(one.order, InciteRevolt) else 1
        yield one
    done, used = NOTHING, set[str]()
    for _, order, why in sorted(_works(war, seat, habits), key=lambda found: -found[0]):
        if isinstance(order, BuildUnits):
            order = order.but(number=min(order.number, left // KINDS[order.kind].price))
        price = order.price(war)
        if order.site in used or not 0 < price <= left or not granted(order.permit, war, seat, done):
            continue
        left, done = left - price, order.adds(done)
        if isinstance(order, BuildAction):
            used.add(order.site)
        yield Reasoned(order, why)
    explorers, cities = war.forces_of(seat).get("explorer", 0), war.buildings_of(seat, "city")
    gifts = min(cities, max(0, left) // DIPLOMACY_PRICE, explorers - dp) if natives(war, seat) else 0
    if gifts > 0:
        left -= DIPLOMACY_PRICE * gifts
        yield Reasoned(BuyDiplomacy(gifts), "A gift of 1 DP is a die more for an explorer.")
    if left >= KINDS["infantry"].price and (facing := front(war, seat)):
        infantry = BuildUnits("infantry", left // KINDS["infantry"].price, facing[0])
        if granted(infantry.permit, war, seat, done):
            yield Reasoned(infantry, f"{facing[0]} faces the strongest neighbours.")


def _works(war: War, seat: Seat, habits: Habits) -> Iterator[tuple[int, BuildAction | BuildUnits, str]]:
    """The works worth building: in thousandths of a point a PP, with the reason."""
    turns = max(1, int(war.options.get("last_turn", "40")) - war.turn + 1)
    for land in war.regions_of(seat):
        if (value := CHIT_VALUES.get(land.chit or "dot", 0)) and not land.developed:
            why = f"{value} PP each turn and {value} points."
            yield (1000 + 100 * (turns - 1)) // 3, DevelopResource(land.name), why
    targets, explorers = natives(war, seat), war.forces_of(seat).get("explorer", 0)
    wanted = habits.more * len(targets) // 1000 + 1 - explorers if targets else 0
    cities = [land.name for land in war.regions_of(seat) if land.has("city") and land.revolt is None]
    if cities and wanted > 0:
        nearest = min(cities, key=lambda name: way_out(war, seat, name)[0])
        steps = way_out(war, seat, nearest)[0]
        why = f"Native regions next door: {len(targets)}."
        yield 600 // (1 + max(0, steps - 2)), BuildUnits("explorer", wanted, nearest), why
    for kind, region in sites(war, seat):
        pays = _pays(war, seat, kind, region)
        worth = (50 + pays * (turns - 1) + 10 * completes(war, seat, kind)) * 10 // 3
        if worth >= habits.worth:
            yield worth, BuildBuilding(kind, region), f"{pays} PP each turn and 5 points." if pays else "5 points."


def sites(war: War, seat: Seat) -> Iterator[tuple[str, str]]:
    """Where a building could stand."""
    for land in war.regions_of(seat):
        if land.revolt is None:
            if not any(land.has(kind) for kind in EXCLUSIVE):
                yield from (("city", land.name), ("factory", land.name), ("railroad", land.name))
                if BOARD.regions[land.name].coastal:
                    yield "port", land.name
            if not land.has("fort"):
                yield "fort", land.name


def _pays(war: War, seat: Seat, kind: str, region: str) -> int:
    """PP a turn, roughly."""
    match kind:
        case "city":
            return 6
        case "factory":
            return 12 if war.buildings_of(seat, "factory") < war.buildings_of(seat, "city") else 0
        case "port":
            return min(15, 2 * (1 + war.buildings_of(seat, "port")))
        case "railroad":
            joined = [war.lands[name] for name in (region, *BOARD.regions[region].borders)]
            served = [land for land in joined if land.owner == seat]
            return min(15, 3 * sum(bool(land.resource) + any(map(land.has, EXCLUSIVE[:3])) for land in served))
        case _:
            return 0


def completes(war: War, seat: Seat, kind: str) -> int:
    """Points that it adds to full sets of the four kinds."""
    number = {each: war.buildings_of(seat, each) for each in EXCLUSIVE}
    least = min(number.values())
    return 10 // sum(n == least for n in number.values()) if number.get(kind) == least else 0


def front(war: War, seat: Seat) -> list[str]:
    """Own regions beside those of others, the most threatened first."""

    def threat(name: str) -> int:
        beside = [war.lands[border] for border in BOARD.regions[name].borders]
        theirs = sum(land.brigades(land.owner) for land in beside if land.owner not in (None, seat))
        return theirs - war.lands[name].brigades(seat)

    names = [land.name for land in war.regions_of(seat) if land.revolt is None]
    facing = [n for n in names if any(war.lands[b].owner not in (None, seat) for b in BOARD.regions[n].borders)]
    return sorted(facing or names, key=lambda name: -threat(name))


# ---------------------------------------------------------------- natives of one's own, and those of others


def _diplomacy(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """DP on own regions that are soon safe from revolts, then on revolts where whoever leads has few brigades."""
    dp = war.treasuries[seat].dp
    marked = ((land, known_marker(land, seat)) for land in war.regions_of(seat) if land.revolt is None)
    wild = [
        (left - LOWERED, land)
        for land, marker in marked
        if marker and marker.strength and (left := marker.strength - automatic_reduction(land)) >= WESTERN
    ]  # the others are westernized by their buildings and explorers, before DP is spent
    for after, land in sorted(
        wild, key=lambda each: (each[0] >= WESTERN, -len(each[1].buildings) - each[1].resource, each[0])
    ):
        tamed = WesternizeRegion(land.name)
        if dp > 0 and tamed.lawful(war, seat):
            dp -= 1
            why = "no natives are left to revolt then" if after < WESTERN else f"its natives are {after} strong then"
            yield Reasoned(tamed, f"{why[0].upper()}{why[1:]}.")
    tried = set[str]()
    for worth, order in sorted(_revolts(war, seat), key=lambda found: -found[0]):
        price = order.dp(war, seat)
        if worth > habits.revolt and price <= dp and order.region not in tried and order.lawful(war, seat):
            tried.add(order.region)
            dp -= price
            yield Reasoned(order, f"{war.lands[order.region].owner} holds it with few brigades.")


def _revolts(war: War, seat: Seat) -> Iterator[tuple[int, InciteRevolt]]:
    """Revolts that could be incited, with what each would cost its victim, the leader most, in thousandths of a point a DP."""
    for other in war.after(seat):
        for land in war.regions_of(other):
            marker = known_marker(land, seat)
            if marker is not None and land.revolt is None:
                strength = marker.strength or 8
                prize = (10 + 5 * len(land.buildings) + land.resource) * points(war, other)
                for bribe in (False, True):
                    order = InciteRevolt(land.name, bribe)
                    rises = 1000 - chance(2, strength + 1 + 3 * bribe)
                    yield (
                        rises * strength * prize // ((strength + land.brigades(other)) * 200 * order.dp(war, seat)),
                        order,
                    )


# ---------------------------------------------------------------- explorers


@lru_cache(maxsize=4096)
def chance(dice: int, needed: int) -> int:
    """That so many dice come to so much or more, in thousandths."""
    rolls = [sum(roll) for roll in product(range(1, 7), repeat=dice)]
    return 1000 * sum(roll >= needed for roll in rolls) // len(rolls)


def _odds(war: War, seat: Seat, region: str, gift: bool) -> int:
    """The chance that an explorer wins a region, its marker known or drawn from the cup."""
    bonus = sum(value for _, value in diplomacy_modifiers(war, seat, region, ()))
    marker, dice = known_marker(war.lands[region], seat), 3 if gift else 2
    if marker is not None and marker.strength:
        return chance(dice, marker.strength - bonus - signs_modifier(marker))
    return unseen(tuple(war.markers.items()), dice, bonus)


@lru_cache(maxsize=512)
def unseen(cup: tuple[tuple[str, int], ...], dice: int, bonus: int) -> int:
    """The chance that an explorer wins a region whose marker is still in the cup, in thousandths."""
    each = ((number, name.rstrip("+"), name.count("+")) for name, number in cup)
    won = sum(number * chance(dice, int(strength) - bonus + 2 * plus) for number, strength, plus in each)
    return won // (sum(number for _, number in cup) or 1)


def way_out(war: War, seat: Seat, region: str) -> tuple[int, str]:
    """Steps to the nearest natives through own land, and the last own region within a march of two on that way."""
    ahead, seen = [(region, 0, region)], {region}
    for here, far, stop in ahead:
        if war.lands[here].owner is None:
            return far, stop
        for there in BOARD.regions[here].borders:
            land = war.lands[there]
            if there not in seen and land.owner in (None, seat) and land.revolt is None:
                seen.add(there)
                ahead.append((there, far + 1, there if far < 2 and land.owner == seat else stop))
    return 99, region


def natives(war: War, seat: Seat) -> set[str]:
    """Native regions next door."""
    beside = {border for land in war.regions_of(seat) for border in BOARD.regions[land.name].borders}
    return {name for name in beside if war.lands[name].owner is None}


def _explorers(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """Each explorer to the native region where he is likeliest to win what no other has won before him."""
    left: dict[str, int] = {}
    explored: dict[str, bool] = {}
    moves: dict[tuple[str, str, tuple[str, ...]], int] = {}
    dp = war.treasuries[seat].dp

    def goal(land: Land) -> tuple[int, str, tuple[str, ...], bool] | None:
        found = []
        for name, via in land_reach(war, seat, land.name, KINDS["explorer"].moves, True).items():
            if war.lands[name].owner is None and not is_power(war, name):
                plain = _odds(war, seat, name, False)
                gift = explored.get(name, plain < habits.gift and dp > 0 and granted(check_gift, war, seat, name))
                odds = _odds(war, seat, name, gift) * left.get(name, 1000) // 1000
                found.append((odds, name, tuple(step for step in via if step != name), gift))
        best = max(found, default=None)
        return best if best and best[0] > habits.least else None

    for land in war.lands.values():
        for _ in range(land.count(seat, "explorer")):
            if best := goal(land):
                _, name, via, gift = best
                if name != land.name:
                    moves[land.name, name, via] = moves.get((land.name, name, via), 0) + 1
                if gift and name not in explored:
                    dp -= 1
                explored.setdefault(name, gift)
                left[name] = left.get(name, 1000) * (1000 - _odds(war, seat, name, gift)) // 1000
            else:
                far, stop = way_out(war, seat, land.name)
                if land.owner == seat and 1 < far < 99 and stop != land.name:
                    moves[land.name, stop, ()] = moves.get((land.name, stop, ()), 0) + 1
    for (origin, target, via), number in moves.items():
        why = "Natives may be won there." if war.lands[target].owner is None else "Natives lie that way."
        yield Reasoned(MoveUnits((exactly("explorer", number),), origin, target, via), why)
    for name, gift in sorted(explored.items(), key=lambda entry: -_odds(war, seat, *entry)):
        yield Reasoned(
            ExploreRegion(name, gift), f"An explorer wins it {_odds(war, seat, name, gift) // 10} times in 100."
        )


# ---------------------------------------------------------------- armies


def _wars(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """On the richest neighbour who is weak where one's own stand, if nobody else is fought."""
    if war.enemies(seat) or war.treasuries[seat].dp < WAR_PRICE:
        return
    able = [other for other in war.after(seat) if lead(war, seat, other) >= habits.war]
    if able:
        enemy = max(able, key=lambda other: points(war, other))
        why = f"You have {counted(lead(war, seat, enemy), 'brigades')} more than {enemy} at your border."
        order = DeclareWar(enemy)
        if order.lawful(war, seat):
            yield Reasoned(order, why)


def lead(war: War, seat: Seat, other: Seat) -> int:
    """How many brigades more one can send than another has, at best, from a region to one next door."""
    found = [0]
    for land in war.regions_of(seat):
        if land.revolt is None and (free := land.brigades(seat) - 1) > 0:
            beside = (war.lands[border] for border in BOARD.regions[land.name].borders)
            theirs = [there for there in beside if there.owner == other and there.revolt is None]
            found += [free - there.brigades(other) - 2 * there.has("fort") for there in theirs]
    return max(found)


Goals = Callable[[War, Seat, int, str], Iterator[tuple[int, str, str]]]
"""The worth of a march of so many brigades on a region, the region and the reason; nothing where it is not."""


def marches(war: War, seat: Seat, garrison: Callable[[Land], int], goals: Goals) -> Iterator[Reasoned]:
    """Where it is worth most, else towards the front; so many brigades stay behind."""
    facing, aimed = set(front(war, seat)), set[str]()
    for land in war.regions_of(seat):
        free = land.brigades(seat) - garrison(land)
        if free <= 0 or land.revolt is not None:
            continue
        near = [name for name in BOARD.regions[land.name].borders if name not in aimed]
        if best := max((goal for name in near for goal in goals(war, seat, free, name)), default=None):
            _, name, why = best
            aimed.add(name)
            yield Reasoned(MoveUnits(brigades(land, seat, free), land.name, name), why)
        elif land.name not in facing:
            near = [
                name for name in BOARD.regions[land.name].borders if name in facing and war.lands[name].owner == seat
            ]
            if near:
                why = f"{near[0]} lies at the border."
                yield Reasoned(MoveUnits(brigades(land, seat, free), land.name, near[0]), why)


def _goal(war: War, seat: Seat, free: int, name: str) -> Iterator[tuple[int, str, str]]:
    """Weaker regions of enemies, and native ones of known weakness."""
    there = war.lands[name]
    if there.revolt is not None or there.owner == seat:
        return
    if there.owner is None:
        marker = known_marker(there, seat)
        if marker is not None and marker.strength and free >= 2 * marker.strength:
            yield 4, name, f"Its natives are {marker.strength} strong, you send {free}."
    elif war.may_attack(seat, there.owner):
        need = there.brigades(there.owner) + 2 * there.has("fort")
        if free > need + (need > 1):
            worth = 10 + 5 * len(there.buildings) + there.resource - need
            yield (
                worth,
                name,
                f"{there.owner} has {counted(there.brigades(there.owner), 'brigades')} there, you send {free}.",
            )


def brigades(land: Land, seat: Seat, number: int) -> tuple[Lot, ...]:
    """So many of the brigades of a region, the best first."""
    lots = list[Lot]()
    for kind in reversed(BRIGADES):
        if some := min(number, land.count(seat, kind)):
            number -= some
            lots.append(exactly(kind, some))
    return tuple(lots)
