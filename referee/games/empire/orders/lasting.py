"""What holds from now on: RETREAT and SCRAMBLE, SUPPRESS and ALLOW BIRTHS, said at any time; TREAT, said in one's slot."""

from __future__ import annotations

from typing import ClassVar, Self

from referee.core.choices import Asking, Choice, alone, one, placed
from referee.core.names import Seat
from referee.core.order import Thing
from referee.core.table import Table
from referee.games.empire.deeds.war.air import set_scramble
from referee.games.empire.deeds.war.fighting import check_retreat, set_retreat
from referee.games.empire.deeds.work.cities import set_births, site_of_births
from referee.games.empire.events.dealing import StanceTaken
from referee.games.empire.orders.base import AsideOrder, SlotOrder, granted
from referee.games.empire.orders.fields import PLACE, Place, hexes
from referee.games.empire.orders.units import beside, of_seat, place
from referee.games.empire.position.pieces import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import check_square, living_country
from referee.kit.declared import Words
from referee.kit.fields import Field, One, Said
from referee.kit.refused import Refused


def _own_places(empire: Empire, seat: Seat) -> tuple[Position, ...]:
    """Where a seat's cities are, the capital first."""
    names = [country.name for country in empire.owned(seat)]
    own = [city for city in empire.cities.values() if city.country in names]
    return tuple(city.at for city in sorted(own, key=lambda city: not city.capital))


# ---------------------------------------------------------------- where beaten formations go


class Retreat(AsideOrder, frozen=True):
    """Where beaten formations go back to from now on (emp.H-28)."""

    to: str

    words = Words(
        "RETREAT", "where your beaten formations go back to, from now on; done at once", "emp.H-28", "RETREAT TO c12r7"
    )
    fields = (Place("to", "TO"),)
    says = "Beaten formations go back towards {to}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """One's cities, and the land where one's units stand and beside them."""
        near = dict.fromkeys((*_own_places(empire, seat), *beside(empire, of_seat(empire, seat))))
        return cls((yield from one("to", [placed(at) for at in near if granted(check_retreat, empire, seat, at)])))

    def check(self, empire: Empire, seat: Seat) -> None:
        check_retreat(empire, seat, self.to)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        self.check(table.state, seat)
        set_retreat(table, seat, self.to)


class RetreatAsUsual(AsideOrder, frozen=True):
    """Beaten formations go back towards their nearest city again (emp.H-28)."""

    words = Words(
        "RETREAT AS USUAL", "let beaten formations go back towards their nearest city; done at once", "emp.H-28",
        "RETREAT AS USUAL",
    )  # fmt: skip
    fields = ()
    says = "Beaten formations go back towards their nearest city."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Where another place was named."""
        return alone(cls(), any(country.retreat for country in empire.owned(seat)))

    def do(self, table: Table[Empire], seat: Seat) -> None:
        set_retreat(table, seat, "")


# ---------------------------------------------------------------- whether fighters start


def _from(at: str) -> str:
    return f" from {at}" if at else ""


class _Scramble(AsideOrder, frozen=True):
    """Whether fighters on the ground start against intruders from now on: in one place, or everywhere ("") (emp.H-31)."""

    at: str = ""

    fields = (Place("at", "IN", "AT", _from, needed=False),)
    always: ClassVar[bool]

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Everywhere, or one of one's cities or a square with fighters."""
        fighters = (unit.at for unit in of_seat(empire, seat) if unit.kind == "fighter")
        places = [placed(at) for at in dict.fromkeys((*_own_places(empire, seat), *fighters))]
        return cls((yield from one("where", [Choice("everywhere", ""), *places] if empire.owned(seat) else ())))

    def check(self, empire: Empire, seat: Seat) -> None:
        if self.at:
            check_square(empire, self.at)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        self.check(table.state, seat)
        set_scramble(table, seat, self.at, self.always)


class ScrambleAlways(_Scramble, frozen=True):
    """emp.H-31"""

    words = Words(
        "SCRAMBLE ALWAYS",
        "let your fighters in airports and on carriers start against intruders, IN one place or everywhere, from now on; "
        "done at once",
        "emp.H-31",
        "SCRAMBLE ALWAYS",
    )
    says, always = "Fighters always scramble{at}.", True


class ScrambleNever(_Scramble, frozen=True):
    """emp.H-31"""

    words = Words(
        "SCRAMBLE NEVER",
        "keep your fighters on the ground, IN one place or everywhere, from now on; done at once",
        "emp.H-31",
        "SCRAMBLE NEVER IN c12r7",
    )
    says, always = "Fighters never scramble{at}.", False


# ---------------------------------------------------------------- births


class _Site(Field[str]):
    """A city by its name; where none stands any more, the square."""

    def read(self, said: Said) -> str:
        at = place(said.state, said.order, self.under)
        city = said.state.city_at(at)
        return city.name if city is not None else at

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("city", value),) if value in state.cities else hexes([value])


class _Births(AsideOrder, frozen=True):
    """Whether coolies are born in a city (emp.C3: voluntary, happens unless suppressed)."""

    city: str

    fields = (_Site("city", PLACE, "IN"),)
    allowed: ClassVar[bool]

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """One's cities, first those for which it would be news; and sites whose city is gone."""
        told = {at for country in empire.owned(seat) for at in country.suppressed}
        near = dict.fromkeys((*_own_places(empire, seat), *(unit.at for unit in of_seat(empire, seat))))
        own = sorted(near, key=lambda at: (at in told) is not cls.allowed)
        cities = [(city, at) for at in own for city in (empire.city_at(at),) if city is not None]
        gone = [at for at in empire.sites if empire.city_at(at) is None] if empire.owned(seat) else []
        sites = [placed(at, "no city stands there now") for at in gone]
        return cls(
            (yield from one("city", [*(Choice(city.name, city.name, f"in {at}", at) for city, at in cities), *sites]))
        )

    def check(self, empire: Empire, seat: Seat) -> None:
        site_of_births(empire, seat, self.city, self.words.verb)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        set_births(table, seat, site_of_births(table.state, seat, self.city, self.words.verb), self.allowed)


class SuppressBirths(_Births, frozen=True):
    """emp.C3"""

    words = Words(
        "SUPPRESS BIRTHS",
        "let no coolie be born in a city from your next turn on; done at once",
        "emp.C3",
        "SUPPRESS BIRTHS IN c12r7",
    )
    says, allowed = "Suppress births in {city}, from the start of your next turn on.", False


class AllowBirths(_Births, frozen=True):
    """emp.C3"""

    words = Words(
        "ALLOW BIRTHS",
        "let coolies be born in a city again from your next turn on; done at once",
        "emp.C3",
        "ALLOW BIRTHS IN c12r7",
    )
    says, allowed = "Allow births in {city}, from the start of your next turn on.", True


BIRTHS = (SuppressBirths, AllowBirths)


# ---------------------------------------------------------------- who is hostile


class _Stance(Field[bool]):
    """Hostile or friendly."""

    def read(self, said: Said) -> bool:
        return said.after(self.under)[0].name == "hostile"

    def things(self, value: bool, state: Empire) -> tuple[Thing, ...]:
        return (Thing("stance", _stance(value)),)


def _stance(hostile: bool) -> str:
    return "hostile" if hostile else "friendly"


class SetRelation(SlotOrder, frozen=True):
    """A country treated as hostile or friendly from now on (emp.H-27)."""

    country: str
    hostile: bool

    words = Words(
        "TREAT", "treat a country as hostile or friendly from now on", "emp.H-27", "TREAT {other} AS friendly"
    )
    fields = (One("country", ("country",), taken=str), _Stance("hostile", ("stance",), "AS", _stance))
    says = "Treat {country} as {hostile}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A country of another, and what it is to be."""
        others = [Choice(name, name) for name in empire.countries if granted(cls(name, False).check, empire, seat)]
        country = yield from one("country", others)
        return cls(country, (yield from one("as", [Choice(_stance(hostile), hostile) for hostile in (False, True)])))

    def check(self, empire: Empire, seat: Seat) -> None:
        if living_country(empire, self.country, "emp.H-27").owner == seat:
            raise Refused(f"{self.country} is yours.", "emp.H-27", self.country)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        self.check(table.state, seat)
        own = tuple(country.name for country in table.state.owned(seat))
        table.emit(StanceTaken(own, self.country, _stance(self.hostile)))
