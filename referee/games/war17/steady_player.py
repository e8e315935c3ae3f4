"""The orders of a steady player of Version 1.7 in each stage, and his reasons; matters common to War! as in Version 27.

A region is 10 points; an explorer wins one by a roll, likelier with a leader (17.explore.4), who comes back from natives that
do not join. Engineers build all that pays, a factory beside a city first; brigades cost no upkeep and march on whoever is weaker.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from referee.core.game import Reasoned
from referee.core.names import Seat
from referee.games.war.deeds import exactly, granted
from referee.games.war.orders.building import NOTHING
from referee.games.war.position.state import War
from referee.games.war.reckoning import land_reach, sea_reach
from referee.games.war.reckoning.income import known_marker
from referee.games.war.rulebook import BOARD, CHIT_VALUES, EXCLUSIVE, MARKERS
from referee.games.war.steady_player import (
    Placing,
    chance,
    completes,
    draft,
    front,
    lead,
    marches,
    natives,
    sites,
    unseen,
    way_out,
)
from referee.games.war17.orders import (
    BuildBuilding17,
    BuildUnits17,
    DeclareWar17,
    DevelopResource17,
    EmbarkUnits17,
    LandUnits17,
    MoveUnits17,
    SailFleets17,
    here,
)
from referee.games.war17.reckoning import income, natives_of
from referee.games.war17.rulebook import KINDS17, LED
from referee.kit.declared import Declared
from referee.kit.wording import counted


class Habits(msgspec.Struct, frozen=True):
    """The habits in which steady players differ; chances and worths in thousandths."""

    factories: int = 1
    """Bought before play, beside the first city."""
    leaders: int = 1
    engineers: int = 1
    """Of both, so many are bought before play."""
    infantry: int = 6
    """Bought before play."""
    army: int = 800
    """Of the PP of a production, so many thousandths go to infantry first."""
    least: int = 250
    """The least chance for which an explorer goes."""
    more: int = 500
    """Explorers built for each native region within reach."""
    led: int = 2
    """Leaders he has while natives are in reach."""
    works: int = 3
    """Own regions for each engineer whom he has."""
    garrison: int = 2
    """So many brigades stay in a region when others march."""
    stand: int = 4
    """Of no more regions he holds the strongest to the last: what he builds goes there, and nobody leaves it."""
    far: int = 1500
    """So many brigades somebody has for each of his then."""
    war: int = 6
    """Brigades more than the defender has with which he goes to war."""
    odds: int = 1500
    """Brigades for each of the enemy's with which he attacks."""
    income: int = 120
    """The worth of a PP each turn, in points of each turn that is left."""


STEADY = Habits()


def steady(war: War, seat: Seat, habits: Habits = STEADY) -> tuple[Reasoned, ...]:
    """The sheet that he is asked for next."""
    if seat in war.out:
        return ()
    match war.stage:
        case "setup" if not war.regions_of(seat):
            sheet: Iterator[Reasoned] = iter((draft(war, seat),))
        case "setup" if war.treasuries[seat].pp:
            sheet = _purchase(war, seat, habits)
        case "production":
            sheet = _production(war, seat, habits)
        case "movement":
            sheet = _movement(war, seat, habits)
        case _:
            return ()
    return tuple(Reasoned(here(one.order), one.why) for one in sheet if isinstance(one.order, Declared))


# ---------------------------------------------------------------- before play


def _purchase(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """A city and factories beside it, who wins natives and who builds; a fleet where the sea parts them from most natives."""
    places, left = Placing(war, seat), war.treasuries[seat].pp

    def merit(name: str) -> tuple[int, int]:
        """Natives within a march of an explorer, and how many neighbours are his own rather than others'."""
        near = land_reach(war, seat, name, KINDS17["explorer"].moves, True)
        own = sum(
            (owner := war.lands[there].owner) == seat or -(owner is not None) for there in BOARD.regions[name].borders
        )
        return sum(war.lands[there].owner is None for there in near) + 2 * own, own

    city = places.city(merit)
    left -= war.price("city") if city else 0
    for name in (
        [name for name in BOARD.regions[city].borders if name in places.near][: habits.factories] if city else ()
    ):
        left -= war.price("factory")
        places.put("factory", name)
    start, seas = places.beside[0], dict.fromkeys(sea for name in places.near for sea in BOARD.regions[name].seas)
    if cut_off := len(natives(war, seat)) < _FEW and bool(seas):
        sea = max(seas, key=lambda sea: (_shores(war, sea), sea in BOARD.regions[start].seas))
        start = next(name for name in (start, *places.ranked) if sea in BOARD.regions[name].seas)
        left -= KINDS17["fleet"].price
        places.put("fleet", sea)
    for kind, number in (("leader", 0 if cut_off else habits.leaders), ("engineer", habits.engineers)):
        left -= number * KINDS17[kind].price
        places.spread(kind, number, [start if kind == "leader" else city or start])
    most = max(0, left) // KINDS17["infantry"].price
    infantry = min(habits.infantry, most // 2 if cut_off else most)
    places.spread("infantry", infantry, front(war, seat)[:1])
    places.spread("explorer", most - infantry, [start] if cut_off else places.beside)
    led = ", likelier with a leader" if habits.leaders and not cut_off else ""
    yield from places.lines(f"An explorer can win a region by a roll{led}.")


_FEW = 3
"""Native regions next door, so few that a fleet must find more."""


def _shores(war: War, sea: str) -> int:
    """Native regions on a sea area."""
    return sum(war.lands[name].owner is None for name in BOARD.seas[sea].coasts)


# ---------------------------------------------------------------- production


def _production(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """The best production for its PP: works where engineers are, explorers, engineers, leaders; infantry with the rest."""
    pp, done = war.treasuries[seat].pp, NOTHING
    left = pp - pp * habits.army // 1000 if turns_left(war) else pp
    for _, order, why in sorted(
        (*_works(war, seat, habits), *_parties(war, seat, habits)), key=lambda found: -found[0]
    ):
        if isinstance(order, BuildUnits17):
            order = order.but(number=min(order.number, left // KINDS17[order.kind].price))
        price = order.price(war)
        if 0 < price <= left and granted(order.permit, war, seat, done):
            left, done = left - price, order.adds(done)
            yield Reasoned(order, why)
    left += pp * habits.army // 1000 if turns_left(war) else 0
    many, last, facing = left // KINDS17["infantry"].price, stand(war, seat, habits), front(war, seat)
    if many and last and last != facing[0]:
        yield Reasoned(BuildUnits17("infantry", many, last), f"{last} is held to the last.")
    elif many and facing:
        yield Reasoned(BuildUnits17("infantry", many, facing[0]), f"{facing[0]} faces the strongest neighbours.")


def stand(war: War, seat: Seat, habits: Habits) -> str:
    """The region that he holds to the last, where he has few and somebody is far the stronger; "" otherwise."""
    lands = war.regions_of(seat)
    if not lands or len(lands) > habits.stand:
        return ""
    strength = {each: sum(land.brigades(each) for land in war.regions_of(each)) for each in war.seats}
    if 1000 * max(strength.values()) < habits.far * strength[seat]:
        return ""
    return max(lands, key=lambda land: (land.brigades(seat), land.name)).name


def turns_left(war: War) -> int:
    """Productions that come after this one."""
    return max(0, int(war.options["last_turn"]) - war.turn)


Work = BuildBuilding17 | DevelopResource17


def _works(war: War, seat: Seat, habits: Habits, everywhere: bool = False) -> Iterator[tuple[int, Work, str]]:
    """The works worth building where engineers are, or `everywhere`: in thousandths of a point a PP, with the reason."""
    there = {land.name: land for land in war.regions_of(seat) if everywhere or land.count(seat, "engineer")}

    def worth(pays: int, extra: int, price: int) -> int:
        return (pays * turns_left(war) * habits.income + 1000 * extra) // price

    for land in there.values():
        if (value := CHIT_VALUES.get(land.chit or "dot", 0)) and not land.developed:
            order = DevelopResource17(land.name)
            yield worth(value, value, order.price(war)), order, f"{value} PP each turn and {value} points."
    due = income(war, seat).pp
    for kind, region in sites(war, seat):
        if region in there:
            after = war.with_building(region, kind)
            pays = income(after, seat).pp - due if kind != "fort" else 0
            why = f"{pays} PP each turn and 5 points." if pays else "5 points."
            yield worth(pays, 5 + completes(war, seat, kind), war.price(kind)), BuildBuilding17(kind, region), why


def _parties(war: War, seat: Seat, habits: Habits) -> Iterator[tuple[int, BuildUnits17, str]]:
    """The parties to build in a city: explorers and leaders for the natives in reach, and engineers while they can pay."""
    cities, turns = [land.name for land in war.regions_of(seat) if land.has("city")], turns_left(war)
    if not cities or not turns:
        return
    have, wild = war.forces_of(seat), natives(war, seat)
    city = min(cities, key=lambda name: way_out(war, seat, name)[0])
    if wild and way_out(war, seat, city)[0] < _NOWHERE:
        why = f"Native regions next door: {len(wild)}."
        explorers = habits.more * len(wild) // 1000 + 1 - have.get("explorer", 0)
        yield 600, BuildUnits17("explorer", max(0, explorers), city), why
        leaders = min(habits.led, (len(wild) + 2) // 3) - have.get("leader", 0)
        yield (
            300 if turns > 1 else 0,
            BuildUnits17("leader", max(0, leaders), city),
            "An explorer wins likelier with a leader.",
        )
    elif any(_shores(war, sea) for sea in BOARD.seas) and not have.get("fleet", 0):
        ports = [land.name for land in war.regions_of(seat) if land.has("port")][:1]
        yield from ((300, BuildUnits17("fleet", 1, port), "Natives live beyond the sea.") for port in ports)
    idle = sum(not any(map(land.has, EXCLUSIVE)) for land in war.regions_of(seat))
    engineers = min(1, -(-idle // habits.works) - have.get("engineer", 0))
    yield (
        500 if turns > 1 else 0,
        BuildUnits17("engineer", max(0, engineers), city),
        f"Regions without a building: {idle}.",
    )


# ---------------------------------------------------------------- movement


def _movement(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    for other in war.after(seat):
        if not war.at_war(seat, other) and lead(war, seat, other) >= habits.war:
            why = f"You have {counted(lead(war, seat, other), 'brigades')} more at your border."
            yield Reasoned(DeclareWar17(other), why)

    def goals(war: War, seat: Seat, free: int, name: str) -> Iterator[tuple[int, str, str]]:
        return _goals(war, seat, free, name, habits)

    last = stand(war, seat, habits)
    yield from marches(war, seat, lambda land: land.brigades(seat) if land.name == last else habits.garrison, goals)
    yield from _Explorers(war, seat, habits).lines()
    yield from _engineers(war, seat, habits)


def _goals(war: War, seat: Seat, free: int, name: str, habits: Habits) -> Iterator[tuple[int, str, str]]:
    """Weaker regions of enemies, and native ones of known weakness."""
    land = war.lands[name]
    if land.owner is None:
        marker = known_marker(land, seat)
        many = sum(natives_of(marker).values()) if marker is not None and marker.strength else 0
        if many and 1000 * free >= habits.odds * many:
            yield 4, name, f"Its natives are {many} brigades, you send {free}."
    elif land.owner != seat and war.may_attack(seat, land.owner):
        many = land.brigades(land.owner)
        if 1000 * free >= habits.odds * (many + land.has("fort")):
            worth = 10 + 5 * len(land.buildings) + land.resource - many
            yield worth, name, f"{land.owner} has {counted(many, 'brigades')} there, you send {free}."


_RATINGS = tuple((name.rstrip("+"), number) for name, number in MARKERS.items())
"""The cup; signs do not help natives against explorers."""


def _odds(war: War, seat: Seat, region: str, bonus: int) -> int:
    """The chance that an explorer wins a region, in thousandths, its marker seen or not."""
    marker = known_marker(war.lands[region], seat)
    if marker is not None and marker.strength:
        return chance(2, marker.strength - bonus)
    return unseen(_RATINGS, 2, bonus)


class _Explorers:
    """Explorers and leaders on their way: each explorer to natives of his own, whom he is likeliest to win."""

    def __init__(self, war: War, seat: Seat, habits: Habits) -> None:
        self.war, self.seat, self.habits = war, seat, habits
        self.taken = set[str]()
        own = war.regions_of(seat)
        self.left = {land.name: n for land in own if (n := land.count(seat, "explorer"))}
        self.leaders = {land.name: n for land in own if (n := land.count(seat, "leader"))}

    def lines(self) -> Iterator[Reasoned]:
        yield from self._led()
        while best := max((goal for origin in self.left for goal in self._goals(origin, 0)), default=None):
            yield self._goes(*best)
        yield from self._home()
        yield from self._voyages()
        for origin, number in self.left.items():
            far, stop = way_out(self.war, self.seat, origin)
            if 1 < far < _NOWHERE and stop != origin:
                yield Reasoned(MoveUnits17((exactly("explorer", number),), origin, stop), "Natives lie that way.")

    def _goals(self, origin: str, bonus: int) -> Iterator[tuple[int, int, str, str, tuple[str, ...]]]:
        """Native regions in reach of a party, with its chance there."""
        for name, via in land_reach(self.war, self.seat, origin, KINDS17["explorer"].moves, True).items():
            if self.war.lands[name].owner is None and name not in self.taken:
                odds = _odds(self.war, self.seat, name, bonus)
                if odds >= self.habits.least:
                    beside = sum(self.war.lands[there].owner == self.seat for there in BOARD.regions[name].borders)
                    yield odds, beside, name, origin, tuple(step for step in via if step != name)

    def _goes(self, odds: int, _: int, name: str, origin: str, via: tuple[str, ...], leader: bool = False) -> Reasoned:
        self.taken.add(name)
        self._one_less(self.left, origin)
        lots = (exactly("explorer", 1), *([exactly("leader", 1)] if leader else ()))
        return Reasoned(MoveUnits17(lots, origin, name, via), f"An explorer wins it {odds // 10} times in 100.")

    @staticmethod
    def _one_less(there: dict[str, int], name: str) -> None:
        there[name] -= 1
        if not there[name]:
            del there[name]

    def _led(self) -> Iterator[Reasoned]:
        """Explorers who set out with a leader."""
        for origin in [*self.leaders]:
            while (
                origin in self.leaders and origin in self.left and (best := max(self._goals(origin, LED), default=None))
            ):
                self._one_less(self.leaders, origin)
                yield self._goes(*best, leader=True)

    def _home(self) -> Iterator[Reasoned]:
        """Leaders who are alone go where explorers wait or are built."""
        for origin, number in self.leaders.items():
            land = self.war.lands
            if origin in self.left or land[origin].has("city"):
                continue
            near = land_reach(self.war, self.seat, origin, KINDS17["leader"].moves, False)
            waiting = [
                name for name in near if land[name].owner == self.seat and (name in self.left or land[name].has("city"))
            ]
            if waiting:
                best = max(waiting, key=lambda name: (name in self.left, name))
                yield Reasoned(MoveUnits17((exactly("leader", number),), origin, best), "Leaders go with explorers.")

    # -------------------------------------------------------- by sea

    def _voyages(self) -> Iterator[Reasoned]:
        """Explorers whom no land way leads to natives are carried to coasts, one each."""
        war, seat, moves = self.war, self.seat, KINDS17["fleet"].moves
        for sea in dict.fromkeys(fleet.sea for fleet in war.fleets_of(seat)):
            room = sum(fleet.room for fleet in war.fleets_of(seat, sea))
            waiting = [name for name in BOARD.seas[sea].coasts if name in self.left]
            number = min(room, sum(self.left[name] for name in waiting))
            voyages = [
                (sum(odds for odds, _ in ashore), -far, there, ashore)
                for there, far in _distances(war, sea, moves - 1).items()
                if there == sea or self._sails(sea, there).lawful(war, seat)
                if (ashore := self._ashore(there, min(number, moves - far)))
            ]
            if not voyages:
                continue
            _, _, there, ashore = max(voyages)
            number = len(ashore)
            for name in waiting:
                if some := min(number, self.left[name]):
                    number -= some
                    lots = (exactly("explorer", some),)
                    yield Reasoned(EmbarkUnits17(lots, name, sea), "Natives live beyond the sea.")
                    for _ in range(some):
                        self._one_less(self.left, name)
            if there != sea:
                yield Reasoned(self._sails(sea, there), f"Native coasts there: {_shores(war, there)}.")
            for odds, coast in ashore:
                self.taken.add(coast)
                why = f"An explorer wins it {odds // 10} times in 100."
                yield Reasoned(LandUnits17((exactly("explorer", 1),), there, coast), why)

    def _sails(self, sea: str, there: str) -> SailFleets17:
        return SailFleets17(exactly("fleet", len(self.war.fleets_of(self.seat, sea))).quantity, sea, there)

    def _ashore(self, sea: str, most: int) -> list[tuple[int, str]]:
        """Native coasts of a sea area, likeliest first, each with the chance of an explorer."""
        wild = (
            name for name in BOARD.seas[sea].coasts if self.war.lands[name].owner is None and name not in self.taken
        )
        found = sorted(((_odds(self.war, self.seat, name, 0), name) for name in wild), reverse=True)
        return [each for each in found if each[0] >= self.habits.least][: max(0, most)]


_NOWHERE = 99
"""As far as no own land leads."""


def _distances(war: War, sea: str, most: int) -> dict[str, int]:
    """Sea areas in reach, each with the steps to it."""
    found = {sea: 0}
    for far in range(1, most + 1):
        found |= {there: far for there in sea_reach(war, sea, far) if there not in found}
    return found


def _engineers(war: War, seat: Seat, habits: Habits) -> Iterator[Reasoned]:
    """Each engineer to the region in reach where building brings most, one to a region."""
    worth: dict[str, int] = {}
    for value, order, _ in _works(war, seat, habits, everywhere=True):
        worth[order.region] = max(value, worth.get(order.region, 0))
    for land in war.regions_of(seat):
        for _ in range(land.count(seat, "engineer")):
            near = land_reach(war, seat, land.name, KINDS17["engineer"].moves, False)
            able = [name for name in (land.name, *near) if name in worth]
            if not able:
                break
            best = max(able, key=lambda name: worth[name] * (5 if name == land.name else 4))
            del worth[best]
            if best != land.name:
                yield Reasoned(MoveUnits17((exactly("engineer", 1),), land.name, best), "There is something to build.")
