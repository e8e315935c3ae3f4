"""Orders that hold from now on: RETREAT and SCRAMBLE, SUPPRESS and ALLOW BIRTHS, said at any time; TREAT, said in one's slot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.events.air_and_sea import ScrambleSet
from referee.games.empire.events.dealing import StanceTaken
from referee.games.empire.events.fighting import RetreatSet
from referee.games.empire.events.supply import BirthsSet
from referee.games.empire.orders.base import AsideOrder, Deed
from referee.games.empire.orders.fields import PLACE, Place, countries, hexes
from referee.games.empire.orders.units import beside, of_seat, place
from referee.games.empire.position import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import check_square, living_country
from referee.kit.declared import Plain, Words
from referee.kit.fields import Among, Field, Got, One, Said
from referee.kit.refused import ForGood, Refused


def _own_places(empire: Empire, seat: Seat) -> tuple[Position, ...]:
    """Where a seat's cities are, the capital first."""
    names = [country.name for country in empire.owned(seat)]
    own = [city for city in empire.cities.values() if city.country in names]
    return tuple(city.at for city in sorted(own, key=lambda city: not city.capital))


# ---------------------------------------------------------------- where beaten formations go


def _near(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """One's cities, and the squares where one's units stand and beside them."""
    return map(placed, dict.fromkeys((*_own_places(empire, seat), *beside(empire, of_seat(empire, seat)))))


def _go_back(stage: Stage, seat: Seat, to: Position) -> None:
    """A seat's order holds for all its countries, from now on; "" is their nearest city."""
    for country in stage.state.owned(seat):
        if country.retreat != to:
            stage.emit(RetreatSet(country.name, to))


class Retreat(AsideOrder, frozen=True):
    """Where beaten formations go back to from now on (emp.H-28)."""

    to: str

    words = Words(
        "RETREAT", "where your beaten formations go back to, from now on; done at once", "emp.H-28", "RETREAT TO c12r7"
    )
    plain = Plain("If beaten, go back here")
    fields = (Place("to", "TO", among=_near),)
    says = "Beaten formations go back towards {to}."

    def act(self, stage: Stage, seat: Seat) -> None:
        """Raises Refused for what is no square, or water."""
        empire, to = stage.state, self.to
        check_square(empire, to)
        if empire.board.squares[to].water:
            cities = [city.at for city in empire.cities.values() if empire.countries[city.country].owner == seat]
            instead = tuple(f"RETREAT TO {at}" for at in cities[:2])
            raise Refused(f"{to} is water; formations go back on land.", "emp.H-28", to, instead)
        _go_back(stage, seat, to)


class RetreatAsUsual(AsideOrder, frozen=True):
    """Beaten formations go back towards their nearest city again (emp.H-28)."""

    words = Words(
        "RETREAT AS USUAL", "let beaten formations go back towards their nearest city; done at once", "emp.H-28",
        "RETREAT AS USUAL",
    )  # fmt: skip
    plain = Plain("If beaten, as usual")
    fields = ()
    says = "Beaten formations go back towards their nearest city."

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Where another place was named."""
        return any(country.retreat for country in empire.owned(seat))

    def act(self, stage: Stage, seat: Seat) -> None:
        _go_back(stage, seat, "")


# ---------------------------------------------------------------- whether fighters start


def _from(at: str) -> str:
    return f" from {at}" if at else ""


def _stations(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """Everywhere, or one of one's cities or a square with fighters."""
    yield from (Choice("everywhere", "") for _ in empire.owned(seat)[:1])
    fighters = (unit.at for unit in of_seat(empire, seat) if unit.kind == "fighter")
    yield from map(placed, dict.fromkeys((*_own_places(empire, seat), *fighters)))


class _Scramble(AsideOrder, frozen=True):
    """Whether fighters on the ground start against intruders from now on: in one place, or everywhere ("") (emp.H-31)."""

    at: str = ""

    fields = (Place("at", "IN", "AT", _from, needed=False, among=_stations),)
    always: ClassVar[bool]

    def act(self, stage: Stage, seat: Seat) -> None:
        if self.at:
            check_square(stage.state, self.at)
        for country in stage.state.owned(seat):
            stage.emit(ScrambleSet(country.name, self.at, self.always))


class ScrambleAlways(_Scramble, frozen=True):
    """emp.H-31"""

    words = Words(
        "SCRAMBLE ALWAYS",
        "let your fighters in airports and on carriers start against intruders, IN one place or everywhere, from now on; "
        "done at once",
        "emp.H-31",
        "SCRAMBLE ALWAYS",
    )
    plain = Plain("Fighters: always up")
    says, always = "Fighters always scramble{at}.", True


class ScrambleNever(_Scramble, frozen=True):
    """emp.H-31"""

    words = Words(
        "SCRAMBLE NEVER",
        "keep your fighters on the ground, IN one place or everywhere, from now on; done at once",
        "emp.H-31",
        "SCRAMBLE NEVER IN c12r7",
    )
    plain = Plain("Fighters: stay down")
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


def _sites(allowed: bool) -> Among[str]:
    """One's cities, first those for which it would be news; and sites whose city is gone."""

    def among(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        told = {at for country in empire.owned(seat) for at in country.suppressed}
        near = dict.fromkeys((*_own_places(empire, seat), *(unit.at for unit in of_seat(empire, seat))))
        for at in sorted(near, key=lambda at: (at in told) is not allowed):
            city = empire.city_at(at)
            if city is not None:
                yield Choice(city.name, city.name, f"in {at}", at)
        gone = (at for at in empire.sites if empire.city_at(at) is None and empire.owned(seat))
        yield from (placed(at, "no city stands there now") for at in gone)

    return among


_LATER = "Where a city is to be founded say it when it stands: it is done at once, at any time."


class _Births(AsideOrder, frozen=True):
    """Whether coolies are born in a city (emp.C3: voluntary, happens unless suppressed)."""

    city: str

    allowed: ClassVar[bool]

    def act(self, stage: Stage, seat: Seat) -> None:
        """On the site of a city or, where none stands any more, of a square."""
        empire, city = stage.state, self.city
        at = empire.cities[city].at if city in empire.cities else city
        own, there = [country.name for country in empire.owned(seat)], empire.city_at(at)
        if there is None and at not in empire.sites:
            near = (f"{self.words.verb} IN {city.name}" for city in empire.cities.values() if city.country in own)
            raise Refused(f"{city} is no reproductive site. {_LATER}", "emp.C3", city, tuple(near)[:3])
        if there is not None and there.country not in own and not any(u.country in own for u in empire.units_at(at)):
            words = f"{there.name} is {there.country}'s, and nobody of yours is there to have births."
            raise Refused(words, "emp.C3", city)
        for name in own:
            stage.emit(BirthsSet(name, at, self.allowed))


class SuppressBirths(_Births, frozen=True):
    """emp.C3"""

    words = Words(
        "SUPPRESS BIRTHS",
        "let no coolie be born in a city from your next turn on; done at once",
        "emp.C3",
        "SUPPRESS BIRTHS IN c12r7",
    )
    plain = Plain("Stop births")
    fields = (_Site("city", PLACE, "IN", among=_sites(False)),)
    says, allowed = "Suppress births in {city}, from the start of your next turn on.", False


class AllowBirths(_Births, frozen=True):
    """emp.C3"""

    words = Words(
        "ALLOW BIRTHS",
        "let coolies be born in a city again from your next turn on; done at once",
        "emp.C3",
        "ALLOW BIRTHS IN c12r7",
    )
    fields = (_Site("city", PLACE, "IN", among=_sites(True)),)
    says, allowed = "Allow births in {city}, from the start of your next turn on.", True


BIRTHS = (SuppressBirths, AllowBirths)


# ---------------------------------------------------------------- who is hostile


class _Stance(Field[bool]):
    """Hostile or friendly."""

    def read(self, said: Said) -> bool:
        stance, *more = said.after(self.under)
        if more:
            raise Refused("A country is hostile or friendly, not both.", "emp.H-27", more[-1].name)
        return stance.name == "hostile"

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[bool]]:
        return (Choice(_stance(hostile), hostile) for hostile in (False, True))

    def things(self, value: bool, state: Empire) -> tuple[Thing, ...]:
        return (Thing("stance", _stance(value)),)


def _stance(hostile: bool) -> str:
    return "hostile" if hostile else "friendly"


class SetRelation(Deed, frozen=True):
    """A country treated as hostile or friendly from now on (emp.H-27)."""

    country: str
    hostile: bool

    words = Words(
        "TREAT", "treat a country as hostile or friendly from now on", "emp.H-27", "TREAT {other} AS friendly"
    )
    plain = Plain("Friend or foe", theme="Other countries")
    fields = (One("country", ("country",), taken=str, among=countries), _Stance("hostile", ("stance",), "AS", _stance))
    says = "Treat {country} as {hostile}."

    def act(self, stage: Stage, seat: Seat) -> None:
        if living_country(stage.state, self.country, "emp.H-27").owner == seat:
            raise ForGood(f"{self.country} is yours.", "emp.H-27", self.country)
        own = tuple(country.name for country in stage.state.owned(seat))
        stage.emit(StanceTaken(own, self.country, _stance(self.hostile)))
