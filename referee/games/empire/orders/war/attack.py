"""ATTACK: formations, and those who support them, attack a square; ships and planes alone ENGAGE the ships there (emp.H-28).

ENGAGE: ships and planes attack the ships of a square, or those under water there (emp.H-32).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, one, placed, several
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.core.table import Table
from referee.games.empire.deeds.war.air import do_attack
from referee.games.empire.deeds.war.fighting import attackers_near, can_attack, check_advance, enemies_in, plan_attack
from referee.games.empire.deeds.war.foreseeing import foresee_assault, foresee_engagement
from referee.games.empire.deeds.war.sea import can_engage, do_engage, plan_engagement, ships_in
from referee.games.empire.deeds.worth import prey
from referee.games.empire.orders.base import SlotOrder, granted
from referee.games.empire.orders.fields import PLACE, UNITS, Group, hexes, numbered
from referee.games.empire.orders.units import beside, cargo, completes, fighters, force, place, single, square, told
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import at_sea
from referee.games.empire.reckoning.naming import Some, which
from referee.games.empire.reckoning.war.combat import attack_of
from referee.games.empire.rulebook.kinds import FORMATIONS, KIND_WORDS, KINDS
from referee.kit.declared import Words
from referee.kit.fields import Field, Joint, Said
from referee.kit.refused import Refused

# ---------------------------------------------------------------- read and written


class _Target(Field[str]):
    def read(self, said: Said) -> str:
        return square(said.state, said.order.things[0])

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return hexes([value])


class _Coolies(Field[str]):
    """What becomes of coolies nobody defends; capturing goes without saying."""

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

    def clauses(self, value: str, state: Empire) -> Iterator[Clause]:
        if value == "killing":
            yield Clause("KILLING", (Thing("unit", "coolies"),))


class _Advance(Field[tuple[int, ...]]):
    """Who goes in after a victory: by number, or so many of a kind of those that attack by number."""

    needed = False

    def read(self, said: Said) -> tuple[int, ...]:
        things = said.after(self.under)
        found = list(cargo(said.state, said.seat, [thing for thing in things if thing.kind != "unit"], "").units)
        for thing in things:
            if thing.kind == "unit":
                found += _of_the_attackers(said, thing)
        return tuple(dict.fromkeys(found))

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
    go = "goes" if len(advance) == 1 else "go"
    return f"; after a victory {which(advance, ())} {go} in" if advance else ""


# ---------------------------------------------------------------- the order


class Attack(SlotOrder, frozen=True):
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
    fields = (
        _Target("at", (*PLACE, "numbered")),
        Group("force", "WITH"),
        _Coolies("coolies", ("unit",)),
        _Advance("advance", UNITS, "ADVANCE WITH", _goes_in),
    )
    says = "Attack {at} with {force}, {coolies} coolies{advance}."
    assault: ClassVar[bool] = True

    @classmethod
    def read(cls, said: Said) -> SlotOrder:
        """Where no formation attacks, or a ship is named, ships are meant."""
        named = cargo(said.state, said.seat, said.after("WITH"), place(said.state, said.order, "IN", "AT"))
        kinds = [*(said.state.units[n].kind for n in named.units), *(some.kind for some in named.some)]
        on_land = not kinds or any(kind in FORMATIONS or kind == "coolie" for kind in kinds)
        return cls.made(said) if on_land and prey_of(said) is None else Engage.made(said)

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Where somebody is, who attacks, what becomes of coolies, and who goes in."""
        at = yield from one("at", _targets(empire, seat))
        usual = attackers_near(empire, seat, at)
        units = yield from force(_able(empire, seat, at), lambda units: _lawful(empire, seat, at, units), usual)
        enemies = enemies_in(empire, empire.units[units[0]].country, at)
        fates = ("capturing", "killing") if any(unit.kind == "coolie" for unit in enemies) else ("capturing",)
        coolies = yield from one("coolies", [Choice(fate, fate, "coolies nobody defends", at) for fate in fates])
        return cls(at, units, (), coolies, (yield from _who_goes_in(empire, at, units)))

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[SlotOrder]:
        return (order for country in empire.owned(seat) for order, _ in attacks(empire, country))

    def only(self, units: tuple[int, ...]) -> Self:
        """The same by these units alone."""
        return replace(self, units=units)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_attack(table, seat, self)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        return foresee_assault(table, seat, self)


# ---------------------------------------------------------------- what is lawful now


def _targets(empire: Empire, seat: Seat) -> Iterator[Choice[str]]:
    """Squares with somebody whom an attack with a formation can be made on."""
    for at in beside(empire, [unit for unit in fighters(empire, seat) if unit.kind in FORMATIONS]):
        mine = dict.fromkeys(country.name for country in empire.owned(seat))
        enemies = dict.fromkeys(unit for name in mine for unit in enemies_in(empire, name, at))
        if enemies and _any(empire, seat, at, _able(empire, seat, at)):
            yield placed(at, told(enemies))


def _able(empire: Empire, seat: Seat, at: Position) -> list[Unit]:
    """Who could take part in an attack on a square, the strongest formations first."""
    able = [unit for unit in fighters(empire, seat) if granted(can_attack, empire, unit, at)]
    return sorted(able, key=lambda unit: -FORMATIONS[unit.kind].attack if unit.kind in FORMATIONS else 1)


def _any(empire: Empire, seat: Seat, at: Position, able: list[Unit]) -> bool:
    return any(
        completes((), [u for u in able if u.country == land], lambda units: _lawful(empire, seat, at, units))
        for land in dict.fromkeys(unit.country for unit in able)
    )


def _lawful(empire: Empire, seat: Seat, at: Position, units: tuple[int, ...]) -> bool:
    """Whether an attack can be made so; one without a formation is made on ships."""
    on_land = any(empire.units[number].kind in FORMATIONS for number in units)
    return on_land and granted(plan_attack, empire, seat, Attack(at, units))


def _who_goes_in(empire: Empire, at: Position, units: tuple[int, ...]) -> Asking[tuple[int, ...]]:
    """Of those that stand together, none or as many as have room."""
    troops = [empire.units[number] for number in units if empire.units[number].kind in FORMATIONS]
    able = [unit for unit in troops if _may_go_in(empire, at, [unit], troops)]
    squares = list(dict.fromkeys(unit.at for unit in able))
    if not squares:
        return ()
    home = squares[:1]
    if len(squares) > 1:
        home = list((yield from several("advance from", [placed(s) for s in squares], 0, 1)))
    group = [unit for unit in able if unit.at in home]
    room = max((n for n in range(1, len(group) + 1) if _may_go_in(empire, at, group[:n], troops)), default=0)
    return (yield from several("advance", map(single, group), 0, room)) if group else ()


def _may_go_in(empire: Empire, at: Position, group: list[Unit], troops: list[Unit]) -> bool:
    return granted(check_advance, empire, Attack(at, (), advance=tuple(unit.number for unit in group)), troops)


# ---------------------------------------------------------------- what the form shows


def attacks(empire: Empire, country: Country) -> Iterator[tuple[Attack, str]]:
    """Attacks of all formations that stand next to somebody, with their odds."""
    troops = [unit for unit in empire.units_of(country.name, *FORMATIONS) if unit.status != "warehouse"]
    for at in beside(empire, troops):
        if enemies_in(empire, country.name, at):
            order = Attack(at, tuple(unit.number for unit in attackers_near(empire, country.owner, at)))
            try:
                yield order, plan_attack(empire, country.owner, order).sides.odds
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

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        at, submerged = value
        below = [unit for unit in state.units_at(at) if unit.status == "submerged"] if submerged else []
        yield Clause("", numbered(state, [below[-1].number]) if below else hexes([at]))


def _under(value: tuple[Any, ...]) -> str:
    return f"{'submarines under water' if value[1] else 'ships'} in {value[0]}"


# ---------------------------------------------------------------- the order


class Engage(SlotOrder, frozen=True):
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
    fields = (_Prey("prey", (*PLACE, "numbered"), say=_under), Group("force", "WITH", "BY"))
    says = "Attack the {prey} with {force}."
    assault: ClassVar[bool] = True

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Ships beside those of one's own, on the water or below it, and who attacks them."""
        targets = {target.word: target for target in _prey(empire, seat)}
        at, submerged = yield from one("prey", targets.values())
        able = _able_to_engage(empire, seat, at, submerged)
        units = yield from force(able, lambda units: _engages(empire, seat, at, units, submerged), able)
        return cls(at, units, (), submerged)

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[SlotOrder]:
        return (order for country in empire.owned(seat) for order, _ in engagements(empire, country))

    def only(self, units: tuple[int, ...]) -> Self:
        """The same by these units alone."""
        return replace(self, units=units)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_engage(table, seat, self)

    def foresee(self, table: Table[Empire], seat: Seat) -> tuple[str, ...]:
        return foresee_engagement(table, seat, self)


def _engages(empire: Empire, seat: Seat, at: str, units: tuple[int, ...], submerged: bool) -> bool:
    return granted(plan_engagement, empire, seat, Engage(at, units, (), submerged))


def _able_to_engage(empire: Empire, seat: Seat, at: str, submerged: bool) -> list[Unit]:
    """Who can attack ships there, the strongest first."""
    wanted = Engage(at, (), (), submerged)
    able = [unit for unit in fighters(empire, seat) if granted(can_engage, empire, unit, wanted)]
    return sorted(able, key=lambda unit: -attack_of(unit.kind))


def _prey(empire: Empire, seat: Seat) -> Iterator[Choice[tuple[str, bool]]]:
    mine = [country.name for country in empire.owned(seat)]
    for at in beside(empire, fighters(empire, seat)):
        for submerged in (False, True):
            prey = list(dict.fromkeys(ship for name in mine for ship in ships_in(empire, name, at, submerged)))
            able = _able_to_engage(empire, seat, at, submerged) if prey else []
            if able and _any_engages(empire, seat, at, able, submerged):
                word = f"{prey[-1].kind} {prey[-1].number}" if submerged else at
                yield Choice(word, (at, submerged), told(prey), at)


def _any_engages(empire: Empire, seat: Seat, at: str, able: list[Unit], submerged: bool) -> bool:
    return any(
        completes((), [u for u in able if u.country == land], lambda us: _engages(empire, seat, at, us, submerged))
        for land in dict.fromkeys(unit.country for unit in able)
    )


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
            fight = plan_engagement(empire, country.owner, order)
        except Refused:
            continue
        yield order, fight.sides.odds
        return
