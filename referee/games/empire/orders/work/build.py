"""BUILD: with a construction machine and a coolie, in their square, or a line ALONG squares (IV B, emp.H-21)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.games.empire.deeds.debts import check_band
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.deeds.work.cities import new, no_city_yet, spare, standing
from referee.games.empire.events.work.building import CityFilled, WorkOrdered
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import Got, Hand, Name, Planned, priced
from referee.games.empire.orders.work.lines import DrawLine, builder, with_machine
from referee.games.empire.position.pieces import City, Position, Unit, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import berths
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.work import (
    land_square,
    machine_free,
    own_unit,
    stands_by,
    supplied,
)
from referee.games.empire.rulebook.plans import PLANS, Plan, a
from referee.kit.declared import Declared, Words
from referee.kit.fields import Said
from referee.kit.refused import Refused
from referee.kit.wording import counted


class _NameOfCity(Name):
    """The name of a city that is built."""

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        city = PLANS[got["what"]].sort == "city"
        return (choice for choice in super().offers(state, seat, got) if bool(choice.value) is city)


class Build(Deed, frozen=True):
    """A construction machine with a coolie builds in its square: a factory, dock, airport, warehouse, installation.

    `detail` is the name of a city that is built. In a new city docks, airports and warehouses need no machine (emp.C1).
    """

    unit: int
    what: str
    detail: str = ""
    some: tuple[Some, ...] = ()

    words = Words(
        "BUILD",
        "build with a construction machine and a coolie in their square; lines go ALONG squares",
        "emp.board.construction",
        "BUILD steel mill WITH {who}",
        ("LAY", "DRAW", "CONSTRUCT"),
    )
    fields = (
        Planned("what", say=a, among=lambda *_: priced(what for what, plan in PLANS.items() if plan.sort != "line")),
        Hand("hand", among=lambda state, seat, got: with_machine(state, seat, True)),
        _NameOfCity("detail", "NAMED"),
    )
    says = "Build {what} with {hand}."
    shapes: ClassVar[tuple[type[Declared[Empire]], ...]] = (DrawLine,)

    @classmethod
    def read(cls, said: Said) -> Build | DrawLine:
        plan = PLANS[said.order.things[0].name]
        path, name = said.after("ALONG"), said.after("NAMED")
        if plan.sort == "line" and not path:
            raise Refused(f"Say where the {plan.name} goes: ALONG squares.", "emp.board.lines", plan.name)
        if plan.sort != "line" and path:
            words = f"A {plan.name} stands in one square; only lines go ALONG."
            raise Refused(words, "emp.board.construction", plan.name)
        if plan.sort == "city" and not name:
            raise Refused("The city needs a name.", "emp.C1", plan.name, (f"NAMED New {said.seat}",))
        return DrawLine.made(said) if path else cls.made(said)

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, plan = stage.state, PLANS.get(self.what)
        if plan is None or plan.sort == "line":
            words = f"{a(self.what).capitalize()} is not built in a square."
            raise Refused(words, "emp.board.construction", self.what)
        city = empire.city_at(own_unit(empire, seat, self.unit).at)
        if plan.sort == "city work" and city is not None and new(empire, city):
            stage.emit(self._filled(empire, own_unit(empire, seat, self.unit), city, plan))
            return
        unit = builder(empire, seat, self.unit)
        land_square(empire, unit)
        old = self._unfinished(empire, unit)
        if old is not None:
            machine_free(empire, unit, old.number)
            stage.emit(WorkOrdered(replace(old, unit=unit.number)))
            return
        if plan.sort == "factory":
            check_band(empire, unit.country, "start factory")
        machine_free(empire, unit)
        self._check_room(empire, unit, plan)
        work = Work(empire.next_work, plan.name, unit.at, unit.country, unit.number, plan.turns, self.detail)
        supplied(empire, work)
        stage.emit(WorkOrdered(work))

    def _filled(self, empire: Empire, unit: Unit, city: City, plan: Plan) -> CityFilled:
        """A dock, airport or warehouse is put into a new city of one's own at once."""
        self._check_coast(empire, unit, plan)
        if not empire.same_owner(city.country, unit.country):
            raise Refused(f"{city.name} belongs to {city.country}.", "emp.C1", city.name)
        self._check_squares(empire, city, plan)
        return CityFilled(unit.country, city.name, city.at, plan.name)

    def _unfinished(self, empire: Empire, unit: Unit) -> Work | None:
        """A work of this kind begun here that nobody goes on with."""
        for work in empire.works:
            here = (work.what, work.at, work.country) == (self.what, unit.at, unit.country)
            if here and work.begun >= 0 and not stands_by(empire, work.country, work.unit, work.at):
                return work
        return None

    def _check_coast(self, empire: Empire, unit: Unit, plan: Plan) -> None:
        if plan.coast and not empire.board.coastal(unit.at):
            raise Refused(f"{unit.at} has no coast; {a(plan.name)} needs one.", "emp.board.coast", unit.at)

    def _check_squares(self, empire: Empire, city: City, plan: Plan) -> None:
        room = spare(empire, city)
        if room < plan.squares:
            left = f"{counted(room, 'minor squares')} left"
            raise Refused(f"{city.name} has {left}; {a(plan.name)} needs {plan.squares}.", "emp.C1", plan.name)

    def _check_room(self, empire: Empire, unit: Unit, plan: Plan) -> None:
        """Raises Refused when a square has no room for what is to be built (emp.C1, emp.C6)."""
        at, city = unit.at, empire.city_at(unit.at)
        self._check_coast(empire, unit, plan)
        if plan.sort == "vehicle":
            if plan.airport and not berths(empire, "airport", at, unit.country):
                raise Refused(f"There is no airport in {at}.", "emp.H-21", at)
        elif plan.sort == "city":
            no_city_yet(empire, unit, self.detail)
        elif city is not None and not empire.friendly(city.country, unit.country):
            raise Refused(f"{city.name} belongs to {city.country}.", "emp.C1", city.name)
        elif city is not None:
            if plan.turns == 1:
                self._check_squares(empire, city, plan)
        elif plan.sort == "city work":
            raise Refused(f"{a(plan.name).capitalize()} is built in a city; {at} has none.", "emp.C1", at)
        elif _taken(empire, at):
            raise Refused(f"Outside a city one factory or installation stands in a square, in {at} too.", "emp.C6", at)


def _taken(empire: Empire, at: Position) -> bool:
    """Whether a factory stands outside a city, or is to stand there, that nobody scraps this turn."""
    razed = [w.what.partition(" ")[2] for w in empire.works if w.at == at and w.left and not _is_factory(w)]
    stays = any(what not in razed for what in standing(empire, at))
    return stays or any(w.at == at and w.left and _is_factory(w) for w in empire.works)


def _is_factory(work: Work) -> bool:
    return work.what in PLANS and PLANS[work.what].sort in ("factory", "installation")
