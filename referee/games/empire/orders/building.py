"""BUILD: cities, works, lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.games.empire.deeds import Stage
from referee.games.empire.deeds.building import new, no_city_yet, spare, standing
from referee.games.empire.deeds.debts_and_petitions import check_band
from referee.games.empire.events.work import CityFilled, WorkOrdered
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.fields import Hand, Name, Planned, Way, priced
from referee.games.empire.orders.units import of_last, ranks
from referee.games.empire.position import City, Position, Unit, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.carrying import berths
from referee.games.empire.reckoning.distance import BY_SQUARE, cost_of, ways_of
from referee.games.empire.reckoning.ownership import Some, named, unit_of
from referee.games.empire.reckoning.work import (
    idle,
    land_square,
    machine_aboard,
    machine_free,
    on_ship,
    own_coolie,
    places_of,
    stands_by,
    supplied,
)
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.plans import PLANS, Plan, a
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Got, Leads, Said
from referee.kit.refused import Refused
from referee.kit.wording import counted

# ---------------------------------------------------------------- BUILD of lines
# Roads, railroads, power lines, pipelines, canals, bridges, mountain roads, along a path (IV B).


_ALONG = ("power line", "pipeline", "rail")
"""The lines that go as fast along an existing road as over plain land."""

_UNDER_WATER = ("power line", "pipeline")


# ---------------------------------------------------------------- the order


def builder(empire: Empire, seat: Seat, number: int) -> Unit:
    """The coolie who is to build. Raises Refused for who does no work now."""
    unit = own_coolie(empire, seat, number)
    check_band(empire, unit.country, "build")
    idle(empire, unit)
    return unit


@of_last
def with_machine(empire: Empire, seat: Seat, by_hand: bool) -> Sequence[Choice[tuple[int, tuple[Some, ...]]]]:
    """The workers who could build where a machine is free; `by_hand`: also where a new city is filled, or a work waits for its
    hand."""
    able: list[Choice[tuple[int, tuple[Some, ...]]]] = []
    for unit in (u for same in ranks(empire, seat) for u in {trail(empire, u): u for u in reversed(same)}.values()):
        works = granted(builder, empire, seat, unit.number)
        city = empire.city_at(unit.at)
        filled = by_hand and city is not None and new(empire, city)
        waits = by_hand and any(work.at == unit.at for work in empire.works)
        if filled or (works and (waits or granted(machine_free, empire, unit))):
            able.append(Choice(named(unit), (unit.number, ()), f"in {unit.at}", unit.at))
    return able


_THERE = Choice("no further", "", "the line ends there")


class _Along(Way):
    """A way square by square, as far as a line can go."""

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[str, ...]]]:
        ground = self._ground(state, got)
        for start in ground:
            yield Choice(start, (start,))
            for _, there in state.board.grid.around(start):
                if there in ground:
                    yield Choice(f"{start}, {there}", (start, there))

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[tuple[str, ...]]) -> Asking[tuple[str, ...]]:
        """It begins in a square that it can go on from, or that it needs alone."""

        def further(path: tuple[str, ...]) -> list[Choice[str]]:
            return [placed(there) for _, there in state.board.grid.around(path[-1]) if leads((*path, there))]

        starts = (placed(at) for at in self._ground(state, got) if leads((at,)) or further((at,)))
        path: tuple[str, ...] = ((yield from one("along", starts)),)
        while more := further(path):
            there = yield from one("and then", (*more, *((_THERE,) if leads(path) else ())))
            if not there:
                break
            path = (*path, there)
        return path

    def _ground(self, state: Empire, got: Got) -> dict[str, None]:
        """The squares that a unit has come over, and those beside them where a line opens a border itself."""
        came = trail(state, state.units[got["unit"]])
        near = came if got["what"] in _EITHER_SIDE else ()
        return dict.fromkeys((*came, *(there for at in near for _, there in state.board.grid.around(at))))


class DrawLine(Deed, frozen=True):
    """Road, railroad, power line, pipeline, canal, bridge, mountain road, along a path."""

    unit: int
    what: str
    path: tuple[str, ...]
    some: tuple[Some, ...] = ()

    words = Words("BUILD", "", "emp.board.lines", "")
    fields = (
        Planned("what", among=lambda *_: priced(what for what, plan in PLANS.items() if plan.sort == "line")),
        _Along("path", "ALONG", ", ".join, needed=False),
        Hand("hand", among=lambda state, seat, got: with_machine(state, seat, False)),
    )
    says, asks_first = "Build {what} along {path} with {hand}.", ("what", "hand")

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, path = stage.state, self.path
        plan = PLANS.get(self.what)
        if plan is None or plan.sort != "line":
            raise Refused(f"{a(self.what).capitalize()} is not drawn along a path.", "emp.board.lines", self.what)
        unit = builder(empire, seat, self.unit)
        _connected(empire, plan, path)
        # The coolie, with machine and materials, must have come over the squares (IV B), alone or carried.
        came = trail(empire, unit)
        missing = [at for at in path if at not in came]
        if missing and not (plan.name in _EITHER_SIDE and len(missing) < len(path)):
            words = f"Coolie {unit.number} has not come through {missing[0]} this turn."
            raise Refused(words, "emp.board.lines", missing[0])
        _possible(empire, unit, plan, path)
        _quick_enough(empire, unit, plan, path)
        machine_free(empire, unit)
        _machine_passed(empire, unit, plan, path)
        if plan.afloat:
            _check_ship(empire, unit, plan, path)
        work = Work(empire.next_work, plan.name, unit.at, unit.country, unit.number, plan.turns, " ".join(path))
        supplied(empire, work)
        stage.emit(WorkOrdered(work))


def _check_ship(empire: Empire, unit: Unit, plan: Plan, path: tuple[Position, ...]) -> None:
    """A bridge is built by a machine and coolie aboard a ship on the water it crosses (IV B)."""
    ship = on_ship(empire, unit)
    if ship is None:
        words = f"{a(plan.name).capitalize()} is built from aboard a ship; coolie {unit.number} is on land."
        raise Refused(words, "emp.board.lines", str(unit.number))
    crossed = places_of(empire.board, plan.name, path)
    if not any(water in ways_of(empire).berth(ship.at) for water in crossed):
        raise Refused(f"{named(ship)} does not lie on that river.", "emp.board.lines", str(ship.number))
    if not machine_aboard(empire, ship):
        raise Refused(f"There is no construction machine aboard {named(ship)}.", "emp.board.lines", str(ship.number))


# ---------------------------------------------------------------- what is lawful of a path


def _connected(empire: Empire, plan: Plan, path: tuple[Position, ...]) -> None:
    least = 1 if plan.name in BY_SQUARE else 2
    if len(path) < least or len(set(path)) < len(path):
        raise Refused(
            f"{a(plan.name).capitalize()} needs a path of different squares.", "emp.board.lines", " ".join(path)
        )
    for here, there in pairwise(path):
        if there not in empire.board.squares or empire.board.grid.direction(here, there) is None:
            raise Refused(f"{there} does not border {here}.", "emp.board.lines", there)


_EITHER_SIDE = ("mountain road", "tunnel", "bridge", "widening")
"""Works that open or span a border themselves: they are built from one side, for nobody can have come over before."""


def trail(empire: Empire, unit: Unit) -> tuple[Position, ...]:
    """The squares that a unit has come over this turn, alone or carried; first where it is."""
    return tuple(dict.fromkeys((unit.at, *empire.trails.get(unit.number, ()), *empire.trails.get(unit.aboard, ()))))


_BEARERS = tuple(KINDS[name] for name in ("coolie", "truck", "locomotive", "destroyer"))
"""Those that pay least for each kind of border, so that no machine is held back which came along."""


def _machine_passed(empire: Empire, unit: Unit, plan: Plan, path: tuple[Position, ...]) -> None:
    """The machine must have come over the squares too (IV B): it has spent at least what they cost the cheapest carrier."""
    if plan.name in _EITHER_SIDE:
        return
    least = sum(_least(empire, here, there) for here, there in pairwise(path))
    machines = [lot for lot in empire.lots if (lot.what, lot.at, lot.country) == ("cmx", unit.at, unit.country)]
    if all(lot.spent < least for lot in machines):
        words = f"No construction machine in {unit.at} has come along the path this turn; carry one with you."
        raise Refused(words, "emp.board.lines", str(unit.number), (f"LOAD 1 cmx ABOARD coolie {unit.number}",))


def _least(empire: Empire, here: Position, there: Position) -> int:
    """The least cost of a border, either way, whoever pays it."""
    ways = ways_of(empire)
    both = [(at, ways.grid.direction(at, to)) for at, to in ((here, there), (there, here))]
    costs = [cost_of(ways, kind, at, way) for at, way in both if way is not None for kind in _BEARERS]
    return min((cost for cost in costs if cost is not None), default=0)


def effort(empire: Empire, plan: Plan, path: tuple[Position, ...]) -> int:
    """The cost of a path out of a machine's turn: 1 a border of plain land, under water or along a road, else 2."""
    total = 0
    for name, there in zip(places_of(empire.board, plan.name, path), path[1:], strict=False):
        along = plan.name in _ALONG and "road" in empire.lines.get(name, ())
        square = empire.board.squares[there]
        total += 1 if along or square.water or square.terrain == "plain" else 2
    return total


def _quick_enough(empire: Empire, unit: Unit, plan: Plan, path: tuple[Position, ...]) -> None:
    if plan.steps == 1:
        at_once = len(places_of(empire.board, plan.name, path))
        if at_once > 1:
            raise Refused(f"One machine builds one {plan.name} a turn.", "emp.board.lines", " ".join(path))
        return
    cost = effort(empire, plan, path)
    if cost > plan.steps:
        shorter = path[:-1]
        while effort(empire, plan, shorter) > plan.steps:
            shorter = shorter[:-1]
        raise Refused(
            f"This {plan.name} is as much work as {cost} borders of plain; a machine does {plan.steps} a turn.",
            "emp.board.lines", path[-1], (f"BUILD {plan.name} ALONG {', '.join(shorter)} WITH coolie {unit.number}",),
        )  # fmt: skip


def _possible(empire: Empire, unit: Unit, plan: Plan, path: tuple[Position, ...]) -> None:
    if plan.name in BY_SQUARE:
        _canal(empire, path[0])
        return
    for (here, there), name in zip(pairwise(path), places_of(empire.board, plan.name, path), strict=True):
        lies, lines = empire.board.borders.get(name, ()), empire.lines.get(name, ())
        if plan.name in lines:
            raise Refused(f"There is {a(plan.name)} from {here} to {there}.", "emp.board.lines", there)
        why = _hindrance(plan, lies, lines) or _wetness(empire, unit, plan, here, there)
        if why:
            raise Refused(f"No {plan.name} from {here} to {there}: {why}.", "emp.board.lines", there)


def _hindrance(plan: Plan, lies: tuple[str, ...], lines: tuple[str, ...]) -> str:
    """Why what lies on a border forbids a line; empty when it does not."""
    over = "mountain road" in lines or "tunnel" in lines
    match plan.name:
        case "mountain road" | "tunnel":
            return "" if "mountain" in lies else "there are no mountains"
        case "bridge":
            return "" if "double river" in lies or "river" in lies else "there is no river"
        case "widening":
            return "" if "river" in lies else "there is no single river"
        case _ if "mountain" in lies and not over:
            return "mountains lie there without a mountain road"
        case _ if "double river" in lies and "bridge" not in lines and plan.name not in _UNDER_WATER:
            return "a double river lies there without a bridge"
    return ""


def _wetness(empire: Empire, unit: Unit, plan: Plan, here: Position, there: Position) -> str:
    """Why water forbids a line; power lines and pipelines are laid there from a ship (IV B)."""
    wet = any(empire.board.squares[at].water for at in (here, there))
    if not wet:
        return ""
    return "" if plan.name in _UNDER_WATER and on_ship(empire, unit) else "there is water"


def _canal(empire: Empire, at: Position) -> None:
    """A canal runs through a land square that natural water or another canal touches (IV B)."""
    board = empire.board
    if board.squares[at].water:
        raise Refused(f"{at} is water.", "emp.board.lines", at)
    if "canal" in empire.lines.get(at, ()):
        raise Refused(f"There is a canal in {at}.", "emp.board.lines", at)
    open_sides = [(way, there) for way, there in board.grid.around(at) if "mountain" not in board.border(at, way)]
    river = any("river" in feature for way, _ in open_sides for feature in board.border(at, way))
    if not river and not any(_joins(empire, there) for _, there in open_sides):
        hills = " but across mountains" if board.coastal(at) else ""
        raise Refused(f"No natural water is near {at} for a canal{hills}.", "emp.board.lines", at)


def _joins(empire: Empire, at: Position) -> bool:
    """Whether a canal next to a square reaches water by it."""
    return empire.board.squares[at].water or empire.board.coastal(at) or "canal" in empire.lines.get(at, ())


# ---------------------------------------------------------------- BUILD
# With a construction machine and a coolie, in their square, or a line ALONG squares (IV B, emp.H-21).


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
    plain = Plain(rank=3)
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
        city = empire.city_at(unit_of(empire, seat, self.unit).at)
        if plan.sort == "city work" and city is not None and new(empire, city):
            stage.emit(self._filled(empire, unit_of(empire, seat, self.unit), city, plan))
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
