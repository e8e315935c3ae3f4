"""ATTACK: formations, and those who support them, attack a square; ships and planes alone ENGAGE the ships there (emp.H-28).

ENGAGE: ships and planes attack the ships of a square, or those under water there (emp.H-32).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from referee.core.choices import Asking, Choice, most_that, one, placed, several
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.core.table import Table
from referee.games.empire.deeds.air_and_sea import (
    SeaFight,
    can_engage,
    clash,
    clashed,
    flak,
    flak_ahead,
    plan_engagement,
    prey,
    ships_in,
)
from referee.games.empire.deeds.fighting import (
    Battle,
    attackers_near,
    can_attack,
    enemies_in,
    fight,
    fought,
    plan_attack,
)
from referee.games.empire.orders.base import Assault, SlotOrder, granted
from referee.games.empire.orders.fields import PLACE, UNITS, Group, hexes, numbered
from referee.games.empire.orders.units import beside, cargo, of_seat, place, single, square, told
from referee.games.empire.position import Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.budget import at_sea
from referee.games.empire.reckoning.combat import Sides, attack_of, in_chances
from referee.games.empire.reckoning.ownership import Some, named, which
from referee.games.empire.rulebook import SURE
from referee.games.empire.rulebook.kinds import FORMATIONS, KIND_WORDS, KINDS
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, Got, Joint, Leads, Said
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row, in_number

# ---------------------------------------------------------------- who goes together

_ENOUGH = Choice("nobody else", 0, "it can be made so")


class Force(Group):
    """Units of one country that go into a fight together: of those that are `able`, the strongest first; most take the `usual`.

    Any of them at once where all of them can go, else one by one while the attack lacks some.
    """

    def __init__(
        self, *about: Any, able: Callable[[Empire, Seat, Got], Sequence[Unit]], usual: Callable[[Unit], bool] = bool
    ) -> None:
        super().__init__(*about)
        self.able, self.usual = able, usual

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[Any, ...]]]:
        able = self.able(state, seat, got)
        for land in dict.fromkeys(unit.country for unit in able):
            mine = [unit for unit in able if unit.country == land]
            yield from (Choice(land, (units, ())) for units in _with_others((), mine) if units)

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[tuple[Any, ...]]) -> Asking[tuple[Any, ...]]:
        able = self.able(state, seat, got)
        lands = list(dict.fromkeys(unit.country for unit in able))
        if len(lands) > 1:
            may = dict.fromkeys(choice.word for choice in self.offers(state, seat, got) if leads(choice.value))
            lands = [(yield from one("country", [Choice(land, land) for land in may]))]
        mine = [unit for unit in able if unit.country == lands[0]]
        return (yield from self._together(mine, lambda units: leads((units, ())))), ()

    def _together(self, able: Sequence[Unit], fits: Callable[[tuple[int, ...]], bool]) -> Asking[tuple[int, ...]]:
        def completes(*chosen: int) -> bool:
            return any(map(fits, _with_others(chosen, able)))

        free = fits(tuple(unit.number for unit in able))
        first = [unit for unit in able if free or completes(unit.number)]
        words = tuple(named(unit) for unit in able if free and self.usual(unit))
        chosen = yield from several("units", map(single, first), 1, None if free else 1, words)
        while not (fits(chosen) and free):
            more = [single(u) for u in able if u.number not in chosen and completes(*chosen, u.number)]
            if not more:
                break
            another = yield from one("and with", [*([_ENOUGH] if fits(chosen) else []), *more])
            if not another:
                break
            chosen = (*chosen, another)
        return chosen


def _with_others(chosen: tuple[int, ...], able: Sequence[Unit]) -> Iterator[tuple[int, ...]]:
    """These with some of the others, as many as there are first, of fewer the strongest."""
    others = tuple(unit.number for unit in able if unit.number not in chosen)
    return ((*chosen, *others[:number]) for number in range(len(others), -1, -1))


def _fighters(empire: Empire, seat: Seat) -> list[Unit]:
    """A seat's units that may have arms: formations, ships and planes."""
    return [u for u in of_seat(empire, seat) if KINDS[u.kind].category in ("naval", "air") or KINDS[u.kind].military]


# ---------------------------------------------------------------- read and written


class _Target(Field[str]):
    def read(self, said: Said) -> str:
        return square(said.state, said.order.things[0])

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        """Squares with somebody, beside formations of one's own."""
        mine = [country.name for country in state.owned(seat)]
        for at in beside(state, [unit for unit in _fighters(state, seat) if unit.kind in FORMATIONS]):
            enemies = dict.fromkeys(unit for name in mine for unit in enemies_in(state, name, at))
            if enemies:
                yield placed(at, told(enemies))

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return hexes([value])


class _Coolies(Field[str]):
    """The fate of coolies whom nobody defends; capturing goes without saying."""

    needed = False

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"KILLING": self.kinds, "CAPTURING": self.kinds}

    def read(self, said: Said) -> str:
        for word in ("KILLING", "CAPTURING"):
            strange = [thing.name for thing in said.after(word) if KIND_WORDS[thing.name] != "coolie"]
            if strange:
                words = f"Only coolies are killed or captured by choice, not {strange[0]}."
                raise Refused(words, "emp.H-30", strange[0])
        if said.after("KILLING") and said.after("CAPTURING"):
            raise Refused("Say either KILLING or CAPTURING coolies.", "emp.H-30", "KILLING")
        return "killing" if said.after("KILLING") else "capturing"

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        """To capture or, where there are coolies, to kill; the one is as lawful as the other."""
        yield Choice("capturing", "capturing", "coolies nobody defends", got["at"])

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[str]) -> Asking[str]:
        at = got["at"]
        enemies = enemies_in(state, state.units[got["units"][0]].country, at)
        if all(unit.kind != "coolie" for unit in enemies):
            return "capturing"
        kill = Choice("killing", "killing", "coolies nobody defends", at)
        return (yield from one(self.name, (*self.offers(state, seat, got), kill)))

    def clauses(self, value: str, state: Empire) -> Iterator[Clause]:
        if value == "killing":
            yield Clause("KILLING", (Thing("unit", "coolies"),))


class _Advance(Field[tuple[int, ...]]):
    """The units that go in after a victory: by number, or so many of a kind of those that attack by number."""

    needed, most = False, None

    def read(self, said: Said) -> tuple[int, ...]:
        things = said.after(self.under)
        found = list(cargo(said.state, said.seat, [thing for thing in things if thing.kind != "unit"], "").units)
        for thing in things:
            if thing.kind == "unit":
                found += _of_the_attackers(said, thing)
        return tuple(dict.fromkeys(found))

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[int, ...]]]:
        yield Choice("nobody", ())

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[tuple[int, ...]]) -> Asking[tuple[int, ...]]:
        """Of those that stand together, none or as many as have room."""
        able = [unit for unit in map(state.units.__getitem__, got["units"]) if leads((unit.number,))]
        homes = list(dict.fromkeys(unit.at for unit in able))
        if len(homes) > 1:
            homes = list((yield from several("advance from", map(placed, homes), 0, 1)))
        group = [unit for unit in able if unit.at in homes]
        room = most_that(lambda many: leads(tuple(unit.number for unit in group[:many])), len(group))
        return (yield from several("advance", map(single, group), 0, room)) if group else ()

    def things(self, value: tuple[int, ...], state: Empire) -> tuple[Thing, ...]:
        return numbered(state, value)


def _of_the_attackers(said: Said, thing: Thing) -> tuple[int, ...]:
    kind, units = KIND_WORDS[thing.name], said.state.units
    alike = tuple(n for n in said.got["units"] if n in units and units[n].kind == kind)
    if said.got["some"] or not alike:
        near = tuple(f"{kind} {number}" for number in alike[:3])
        raise Refused(f"Say by number which {thing.name} go in.", "emp.H-28", thing.name, near)
    return alike[: thing.count(1)]


def _goes_in(advance: tuple[int, ...]) -> str:
    return f"; after a victory {which(advance, ())} {in_number(len(advance), 'go')} in" if advance else ""


# ---------------------------------------------------------------- the order


def _able(empire: Empire, seat: Seat, got: Got) -> list[Unit]:
    """The units that could take part in an attack on a square, the strongest formations first."""
    able = [unit for unit in _fighters(empire, seat) if granted(can_attack, empire, unit, got["at"])]
    return sorted(able, key=lambda unit: -FORMATIONS[unit.kind].attack if unit.kind in FORMATIONS else 1)


class Attack(Assault, frozen=True):
    """An attack on a square (emp.H-28). `coolies` are "killing" or "capturing"; `advance` the units that go in after a victory."""

    at: str
    units: tuple[int, ...]
    some: tuple[Some, ...] = ()
    coolies: str = "capturing"
    advance: tuple[int, ...] = ()

    words = Words(
        "ATTACK",
        "attack a square next to your formations, or their own; CAPTURING (else KILLING) coolies nobody defends; "
        "ADVANCE WITH names those who go in after a victory; with ships and TACs alone ENGAGE",
        "emp.H-28",
        "ATTACK c12r7 WITH SAC IN c12r8 KILLING coolies",
    )
    plain = Plain(rank=1)
    fields = (
        _Target("at", (*PLACE, "numbered")),
        Force("force", "WITH", able=_able, usual=lambda unit: unit.kind in FORMATIONS),
        _Coolies("coolies", ("unit",), "KILLING"),
        _Advance("advance", UNITS, "ADVANCE WITH", _goes_in),
    )
    says = "Attack {at} with {force}, {coolies} coolies{advance}."

    @classmethod
    def read(cls, said: Said) -> SlotOrder:
        """Where no formation attacks, or a ship is named, ships are meant."""
        named = cargo(said.state, said.seat, said.after("WITH"), place(said.state, said.order, "IN", "AT"))
        kinds = [*(said.state.units[n].kind for n in named.units), *(some.kind for some in named.some)]
        on_land = not kinds or any(kind in FORMATIONS or kind == "coolie" for kind in kinds)
        return cls.made(said) if on_land and prey_of(said) is None else Engage.made(said)

    def plan(self, empire: Empire, seat: Seat) -> Battle:
        return plan_attack(empire, seat, self.at, self.units, self.advance)

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Whether a formation attacks: without one ships are meant."""
        return any(empire.units[number].kind in FORMATIONS for number in self.units)

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[SlotOrder]:
        return (order for country in empire.owned(seat) for order, _ in attacks(empire, country))

    def do(self, table: Table[Empire], seat: Seat) -> None:
        """Planes that join it come under flak first; who is left fights."""
        battle = self.plan(table.state, seat)
        flak(table, [unit for unit in battle.helpers if KINDS[unit.kind].category == "air"], self.at)
        left = tuple(number for number in self.units if number in table.state.units)
        fight(table, self.but(units=left).plan(table.state, seat), self.coolies == "killing", self.advance)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        """Flak, odds and chances; what needs no die happens."""
        battle, at = self.plan(table.state, seat), self.at
        told = flak_ahead(table.state, battle.country, at) if battle.helpers else ()
        words = _chances(table.state, battle.sides)
        if battle.sides.odds == SURE:
            fight(table, battle, self.coolies == "killing", self.advance)
        else:
            table.emit(fought(battle, 0, ""))
        return (*told, f"Attack on {at}: {words}.")


def _chances(empire: Empire, sides: Sides) -> str:
    return f"{sides.attacking} against {sides.defending}, odds {sides.odds}: {in_chances(empire, sides.odds)}"


# ---------------------------------------------------------------- what the form shows


def attacks(empire: Empire, country: Country) -> Iterator[tuple[Attack, str]]:
    """Attacks of all formations that stand next to somebody, with their odds."""
    troops = [unit for unit in empire.units_of(country.name, *FORMATIONS) if unit.status != "warehouse"]
    for at in beside(empire, troops):
        if enemies_in(empire, country.name, at):
            order = Attack(at, tuple(unit.number for unit in attackers_near(empire, country.owner, at)))
            try:
                yield order, order.plan(empire, country.owner).sides.odds
            except Refused:
                continue


# ---------------------------------------------------------------- read and written


def prey_of(said: Said) -> int | None:
    """The ship named instead of a square. Raises Refused for what is no ship."""
    (thing,) = said.order.things
    if thing.kind != "numbered":
        return None
    (number,) = cargo(said.state, said.seat, said.order.things, "", "any").units
    unit = said.state.units[number]
    if KINDS[unit.kind].category != "naval":
        raise Refused("Squares are attacked, or ships by name.", "emp.H-28", thing.name, (f"ATTACK {unit.at}",))
    return number


class _Prey(Joint):
    """The square whose ships are attacked; those under water are attacked where one of them is named."""

    joins = ("at", "submerged")

    def read(self, said: Said) -> tuple[Any, ...]:
        number = prey_of(said)
        if number is None:
            return square(said.state, said.order.things[0]), False
        ship = said.state.units[number]
        return ship.at, ship.status == "submerged"

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[Any, ...]]]:
        """Ships beside those of one's own, on the water or below it."""
        mine = [country.name for country in state.owned(seat)]
        for at in beside(state, _fighters(state, seat)):
            for submerged in (False, True):
                prey = list(dict.fromkeys(ship for name in mine for ship in ships_in(state, name, at, submerged)))
                if prey:
                    yield Choice(named(prey[-1]) if submerged else at, (at, submerged), told(prey), at)

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        at, submerged = value
        below = [unit for unit in state.units_at(at) if unit.status == "submerged"] if submerged else []
        yield Clause("", numbered(state, [below[-1].number]) if below else hexes([at]))


def _under(value: tuple[Any, ...]) -> str:
    return f"{'submarines under water' if value[1] else 'ships'} in {value[0]}"


# ---------------------------------------------------------------- the order


def _able_at_sea(empire: Empire, seat: Seat, got: Got) -> list[Unit]:
    """The units that can attack ships there, the strongest first."""
    able = (u for u in _fighters(empire, seat) if granted(can_engage, empire, u, got["at"], got["submerged"]))
    return sorted(able, key=lambda unit: -attack_of(unit.kind))


class Engage(Assault, frozen=True):
    """Ships and planes attack the ships of a square, or those under water there (emp.H-32)."""

    at: str
    units: tuple[int, ...]
    some: tuple[Some, ...] = ()
    submerged: bool = False

    words = Words(
        "ENGAGE",
        "attack the ships of a square with ships and TACs, or submarines under water by name with destroyers and TACs; "
        "ATTACK with ships means the same",
        "emp.H-32",
        "ENGAGE c12r7 WITH cruiser IN c12r8",
        ("TORPEDO", "FIRE ON"),
    )
    plain = Plain("Attack ships", rank=2)
    fields = (_Prey("prey", (*PLACE, "numbered"), say=_under), Force("force", "WITH", "BY", able=_able_at_sea))
    says = "Attack the {prey} with {force}."

    def plan(self, empire: Empire, seat: Seat) -> SeaFight:
        return plan_engagement(empire, seat, self.at, self.units, self.submerged)

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[SlotOrder]:
        return (order for country in empire.owned(seat) for order, _ in engagements(empire, country))

    def do(self, table: Table[Empire], seat: Seat) -> None:
        """Flak first, but not for those who look under water."""
        battle, left = self.plan(table.state, seat), self.units
        if battle.planes and not self.submerged:
            flak(table, battle.planes, self.at)
            left = tuple(number for number in self.units if number in table.state.units)
        clash(table, self.but(units=left).plan(table.state, seat))

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        """Flak, odds and chances."""
        battle, at = self.plan(table.state, seat), self.at
        told = flak_ahead(table.state, battle.country, at) if battle.planes else ()
        words = _chances(table.state, battle.sides)
        table.emit(clashed(battle, 0, ""))
        return (*told, f"Attack on {in_a_row([named(unit) for unit in battle.defenders])} in {at}: {words}.")


# ---------------------------------------------------------------- what the form shows


def engagements(empire: Empire, country: Country) -> Iterator[tuple[Engage, str]]:
    """Attacks of all warships that lie next to ships of others, with their odds."""
    fleet = [unit for unit in empire.units_of(country.name) if attack_of(unit.kind) and at_sea(unit)]
    for at in prey(empire, country.name) if fleet else ():
        near = [u for u in fleet if u.at == at or empire.board.grid.direction(u.at, at) is not None]
        yield from _with_all(empire, country, at, near)


def _with_all(empire: Empire, country: Country, at: str, near: list[Unit]) -> Iterator[tuple[Engage, str]]:
    """The attack of all that can make it together."""
    for group in (near, [unit for unit in near if unit.kind != "submarine"]):
        order = Engage(at, tuple(unit.number for unit in group))
        try:
            odds = order.plan(empire, country.owner).sides.odds
        except Refused:
            continue
        yield order, odds
        return
