"""A country at the opening of its slot as its ruler plans it: who is free, what lies where, and the orders given so far."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from referee.core.order import Intent, Portion, Quantity
from referee.games.empire.deeds.building import foul, spare, workable
from referee.games.empire.deeds.moving import how_many
from referee.games.empire.orders.building import Build
from referee.games.empire.orders.industry import Consume
from referee.games.empire.orders.loading import Load
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.standing import AllowBirths, SuppressBirths
from referee.games.empire.orders.working import Abandon, Develop, Found
from referee.games.empire.orders.zero_turn import TakePicks
from referee.games.empire.position import FOODS, Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import Steps, reach, steps
from referee.games.empire.reckoning.ownership import UNCONSUMED, Goods
from referee.games.empire.reckoning.supply import supply_of
from referee.games.empire.rulebook import FOOD_YIELD
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, KINDS
from referee.games.empire.rulebook.plans import PLANS

_COLONY = (4 * BTA, 8 * BTA)
"""How far from the capital a colony is founded: on fields of its own, and still fed from home."""

_HEAP = 6
"""A square where so much lies that nobody fetches is given up; so is one of which the capital has twice as much."""


def exactly(what: str, number: int) -> Goods:
    """So much of a kind of goods."""
    return Goods(what, Quantity(Portion.EXACTLY, number))


class Estate:
    """Orders are written in the order of the calls; each call counts on what those before it have taken and brought."""

    def __init__(self, empire: Empire, country: str, busy: Iterable[int] = (), reserve: int = 0) -> None:
        """`busy` are those who have orders already; `reserve` is the least food a turn that is grown and not eaten."""
        self.empire, self.country, self.turn = empire, country, empire.turn
        self.cities = tuple(city for city in empire.cities.values() if city.country == country)
        self.city = next((city for city in self.cities if city.capital), self.cities[0])
        self.home = self.city.at
        self.sheet: list[Intent] = []
        self.stores = _stores(empire, country)
        self.store = self.stores.setdefault(self.home, {})
        working = [w for w in empire.worked if w.unit in empire.units and empire.units[w.unit].at == w.at]
        self.workers = {worked.at: worked.unit for worked in working if worked.country == country}
        self._seeds = {at: store["food"] for at, store in self.stores.items() if store.get("food")}
        self._lines = supply_of(empire, country)
        self._taken = {(worked.at, worked.kind): True for worked in working}
        self._works = [work for work in empire.works if work.country == country and work.left]
        self._free = self._idle(set(busy))
        self._fields = sum(worked.country == country and worked.kind in FOODS for worked in working)
        self._reserve, self.surplus = reserve, 0
        self._used: Collection[str] = ()
        self._abroad = [c.at for c in empire.cities.values() if c.capital and c.country != country]
        self._founded = [city.at for city in empire.cities.values()]
        self._room = spare(empire, self.city)
        self._machines = self.store.get("cmx", 0) - sum(work.at == self.home for work in self._works)

    def _idle(self, busy: set[int]) -> dict[Position, list[Unit]]:
        """Coolies in the cities with nothing to do, by city, the capital first."""
        busy |= {*self.workers.values(), *(work.unit for work in self._works)}
        free: dict[Position, list[Unit]] = {at: [] for at in (self.home, *(city.at for city in self.cities))}
        for unit in self.empire.units_of(self.country, "coolie"):
            if unit.at in free and not unit.aboard and unit.number not in busy:
                free[unit.at].append(unit)
        return free

    # ------------------------------------------------------------ what there is

    @property
    def hands(self) -> int:
        """Coolies at home who have nothing to do yet."""
        return len(self._free[self.home])

    @property
    def seed(self) -> int:
        """Food in store that no field sown yet has taken."""
        return sum(self._seeds.values())

    def hand(self) -> Unit | None:
        """Take one of them, the oldest: they are fed before the others."""
        return self._free[self.home].pop(0) if self._free[self.home] else None

    def has(self, goods: dict[str, int]) -> bool:
        """Whether so much of some goods is at home."""
        return all(self.store.get(what, 0) >= number for what, number in goods.items())

    def take(self, goods: dict[str, int]) -> None:
        """Goods at home that an order will use."""
        for what, number in goods.items():
            self.store[what] = self.store.get(what, 0) - number

    def bring(self, at: Position, goods: dict[str, int]) -> None:
        """Goods that orders bring home from a square."""
        for what, number in goods.items():
            self.stores[at][what] -= number
            self.store[what] = self.store.get(what, 0) + number

    def factories(self, kind: str) -> int:
        """Factories of a kind that stand at home."""
        return sum(factory.kind == kind for factory in self.city.factories)

    def coming(self, kind: str) -> int:
        """Factories of a kind that stand at home or are being built."""
        return self.factories(kind) + sum(work.what == kind for work in self._works)

    def scarce(self, *kinds: str) -> tuple[str, ...]:
        """These kinds of goods, what the capital has least of first."""
        return tuple(sorted(kinds, key=lambda kind: self.store.get(kind, 0)))

    def around(self, at: Position, kind: str = "coolie", most: int = ALLOWANCE) -> Mapping[Position, int]:
        """Every square that a kind of unit can go to from a square at such a cost, with its cost, the nearest first."""
        return _around(steps(self.empire, KINDS[kind]), at, most)

    # ------------------------------------------------------------ food and resources

    def feed(self, more: int = 0, births: bool = True, spared: int = 0) -> None:
        """Fields for all who will eat next turn, the newborn too, and for `more` food besides.

        Where there are to be `births`, they are allowed as long as fields give `spared` more than is eaten.
        """
        mouths = sum(KINDS[unit.kind].person for unit in self.empire.units_of(self.country))
        eaten = mouths + (len(self.cities) if births else 0)
        while FOOD_YIELD * self._fields < eaten + max(more, self._reserve) and self.seed > 0 and self._open(("farm",)):
            self._fields += 1
        grown = FOOD_YIELD * self._fields - eaten
        self.surplus = max(0, self.seed + grown)
        closed = self.empire.countries[self.country].suppressed
        births = births and grown >= spared
        said = AllowBirths if births else SuppressBirths
        self.sheet += [said(city.name) for city in self.cities if (city.at in closed) == births]

    def open_up(self, number: int, kinds: Sequence[str] = ()) -> None:
        """Send coolies to so many more resources, the nearest first: of the first of `kinds` that is found, then of any kind."""
        for _ in range(number):
            if not any(self._open((kind,)) for kind in kinds) and not self._open(()):
                return

    def only(self, number: int, kinds: Sequence[str]) -> None:
        """Send coolies to so many more resources of these kinds and of no others."""
        for _ in range(number):
            if not any(self._open((kind,)) for kind in kinds):
                return

    def _open(self, kinds: Sequence[str]) -> bool:
        """One more food or resource worked: by who works that square already, else by the free coolie who is nearest."""
        found = [self._nearest(start, kinds) for start, idle in self._free.items() if idle]
        near = [place for place in found if place is not None]
        if not near:
            return False
        _, at, kind, start = min(near)
        self._taken[at, kind] = True
        if kind == "farm":
            self._sow(at)
        if at not in self.workers:
            self.workers[at] = self._free[start].pop(0 if kind in FOODS else -1).number  # the oldest eat first
            if at != start:
                self.sheet.append(MoveUnits((self.workers[at],), at))
        self.sheet.append(Develop(self.workers[at], kind))
        return True

    def _nearest(self, start: Position, kinds: Sequence[str]) -> tuple[int, Position, str, Position] | None:
        """The nearest square of some kinds (none: any resource) that nobody works, its distance, and who is to go there.

        A square nearer to another's capital comes last: it may be all that other has to live on.
        """
        near, others = self.around(start), None
        for at, kind in workable(self.empire, near, self._taken):
            fits = kind in kinds if kinds else kind not in FOODS
            if fits and self._gives(at, kind):
                if self._ours(at):
                    return near[at], at, kind, start
                others = others or (near[at], at, kind, start)
        return others

    def _ours(self, at: Position) -> bool:
        apart = self.empire.board.grid.apart
        return all(apart(at, self.home) <= apart(at, capital) for capital in self._abroad)

    def _gives(self, at: Position, kind: str) -> bool:
        """Not food from ground that is or will be fouled, nor a resource under a city, nor one that is plentiful."""
        if kind in FOODS:
            return at != self.home and not foul(self.empire, at) and (kind != "farm" or self._seed_for(at) is not None)
        useless = self.store.get(kind, 0) > _HEAP or not self._useful(kind)
        used_up = f"{at} {kind}" in self.empire.developed and useless
        return self.empire.city_at(at) is None and not used_up

    def _seed_for(self, at: Position) -> Position | None:
        """The store that gives a field its seed: the nearest with some left from which it reaches (emp.board.seed)."""
        return self._lines.nearest([store for store, food in self._seeds.items() if food], at)

    def _sow(self, at: Position) -> None:
        store = self._seed_for(at)
        if store is not None:
            self._seeds[store] -= 1

    def _useful(self, kind: str) -> bool:
        return not self._used or kind in self._used

    def prune(self, used: Collection[str] = ()) -> None:
        """Give up resources that are of no use, heap up unfetched, or of which the capital has plenty: they only cost."""
        self._used = used
        for worked in self.empire.worked:
            heap = self.stores.get(worked.at, {}).get(worked.kind, 0)
            plenty = heap >= _HEAP or worked.kind == "power" or self.store.get(worked.kind, 0) >= 2 * _HEAP
            useless = plenty or not self._useful(worked.kind)
            if worked.country != self.country or worked.kind in FOODS or not useless or worked.at not in self.workers:
                continue
            self.sheet.append(Abandon(worked.at, worked.kind))
            if not any(w.at == worked.at and w.kind != worked.kind for w in self.empire.worked):
                self.sheet.append(MoveUnits((self.workers.pop(worked.at),), self.home))

    # ------------------------------------------------------------ picks, works, colonies, goods

    def pick(self, *picks: str) -> None:
        """The picks of the start; where three are due the first once more."""
        if self.turn == 1:
            self.sheet.append(TakePicks((*picks, *picks)[: how_many(self.empire)]))

    def build(self, *plans: str) -> None:
        """Put machines and coolies at home to these works, one each, as far as room and materials go."""
        for name in plans:
            plan = PLANS[name]
            able = self._machines > 0 and self._room >= plan.squares and self.has(plan.materials) and self._may(name)
            unit = self.hand() if able else None
            if unit is not None:
                self._machines, self._room = self._machines - 1, self._room - plan.squares
                self.take(plan.materials)
                self.sheet.append(Build(unit.number, name))

    def lacking(self, *plans: str) -> tuple[str, ...]:
        """Those of these works that neither stand nor are being built; a name given twice is wanted twice."""
        return tuple(name for at, name in enumerate(plans) if self.coming(name) <= plans[:at].count(name))

    def _may(self, name: str) -> bool:
        """Whether the band of the country and the coast allow it."""
        band = self.empire.countries[self.country].band
        barred = band == "collapse" or (band in ("shaky", "crisis") and PLANS[name].sort == "factory")
        return not barred and (not PLANS[name].coast or self.empire.board.coastal(self.home))

    def colony(self) -> None:
        """A coolie carries a colony piece to a field some way off and founds a city there; he farms it if nobody does."""
        site = self._site() if self.has({"colony piece": 1}) else None
        unit = self.hand() if site else None
        if site is None or unit is None:
            return
        self.take({"colony piece": 1})
        name = f"{self.country} {self.turn}.{sum(isinstance(intent, Found) for intent in self.sheet) + 1}"
        self._founded.append(site)
        self.sheet += [Load(unit.number, (exactly("colony piece", 1),)), MoveUnits((unit.number,), site)]
        self.sheet.append(Found(unit.number, name))
        if site not in self.workers and self._seed_for(site) is not None and not foul(self.empire, site):
            self._sow(site)
            self._taken[site, "farm"], self.workers[site] = True, unit.number
            self._fields += 1
            self.sheet.append(Develop(unit.number, "farm"))

    def _site(self) -> Position | None:
        """The nearest field far enough from home that is no other country's and bears no city, best where nobody works yet."""
        squares, fields = self.empire.board.squares, []
        for at, cost in self.around(self.home).items():
            field = squares[at].food == "farm" and squares[at].terrain != "desert"
            ours = at in self.workers or (at, "farm") not in self._taken
            if field and ours and _COLONY[0] <= cost <= _COLONY[1] and at not in self._founded:
                fields.append(at)
        return min(fields, key=lambda at: at in self.workers, default=None)

    def consume(self) -> None:
        """Everything at home that gives EDU."""
        new = [u.number for u in self.empire.units_of(self.country) if u.at == self.home and u.status == UNCONSUMED]
        beer = self.store.get("beer", 0)
        if self.hands and (new or beer):
            self.sheet.append(Consume((exactly("beer", beer),) if beer else (), tuple(new), self.home))
            self.take({"beer": beer})


@lru_cache(maxsize=2048)
def _around(step: Steps, at: Position, most: int) -> Mapping[Position, int]:
    """Remembered as long as networks and cities stay as they are."""
    return reach(step, (at,), most)


def _stores(empire: Empire, country: str) -> dict[Position, dict[str, int]]:
    """A country's goods in every square, nothing aboard anything."""
    stores: dict[Position, dict[str, int]] = {}
    for lot in empire.lots:
        if lot.country == country and not lot.aboard:
            store = stores.setdefault(lot.at, {})
            store[lot.what] = store.get(lot.what, 0) + lot.number
    return stores
