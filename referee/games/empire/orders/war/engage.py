"""ENGAGE: ships and planes attack the ships of a square, or those under water there (emp.H-32)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.core.order import Clause
from referee.core.table import Table
from referee.games.empire.deeds.war.foreseeing import foresee_engagement
from referee.games.empire.deeds.war.sea import can_engage, do_engage, plan_engagement, ships_in
from referee.games.empire.deeds.worth import prey
from referee.games.empire.orders.base import SlotOrder, granted
from referee.games.empire.orders.fields import PLACE, Group, hexes, numbered
from referee.games.empire.orders.forces import beside, completes, fighters, force, told
from referee.games.empire.orders.units import cargo, square
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import at_sea
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.war.warships import attack_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.declared import Words
from referee.kit.fields import Joint, Said
from referee.kit.refused import Refused

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
        targets = {target.word: target for target in _targets(empire, seat)}
        at, submerged = yield from one("prey", targets.values())
        able = _able(empire, seat, at, submerged)
        units = yield from force(able, lambda units: _lawful(empire, seat, at, units, submerged), able)
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


def _lawful(empire: Empire, seat: Seat, at: str, units: tuple[int, ...], submerged: bool) -> bool:
    return granted(plan_engagement, empire, seat, Engage(at, units, (), submerged))


def _able(empire: Empire, seat: Seat, at: str, submerged: bool) -> list[Unit]:
    """Who can attack ships there, the strongest first."""
    wanted = Engage(at, (), (), submerged)
    able = [unit for unit in fighters(empire, seat) if granted(can_engage, empire, unit, wanted)]
    return sorted(able, key=lambda unit: -attack_of(unit.kind))


def _targets(empire: Empire, seat: Seat) -> Iterator[Choice[tuple[str, bool]]]:
    mine = [country.name for country in empire.owned(seat)]
    for at in beside(empire, fighters(empire, seat)):
        for submerged in (False, True):
            prey = list(dict.fromkeys(ship for name in mine for ship in ships_in(empire, name, at, submerged)))
            able = _able(empire, seat, at, submerged) if prey else []
            if able and _any(empire, seat, at, able, submerged):
                word = f"{prey[-1].kind} {prey[-1].number}" if submerged else at
                yield Choice(word, (at, submerged), told(prey), at)


def _any(empire: Empire, seat: Seat, at: str, able: list[Unit], submerged: bool) -> bool:
    return any(
        completes((), [u for u in able if u.country == land], lambda us: _lawful(empire, seat, at, us, submerged))
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
