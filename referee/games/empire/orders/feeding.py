"""FEED FIRST, FEED LAST, FEED FROM, SPARE FOOD, FEED AS USUAL: who eats before whom, and out of which stores (emp.H-01)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.core.choices import Asking, Choice, one, placed, quantity, several
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.events.supply import FeedingSet
from referee.games.empire.orders.base import AsideOrder, granted
from referee.games.empire.orders.fields import PLACE, UNITS, Way, hexes, numbered
from referee.games.empire.orders.units import cargo, of_seat, place, quantity_of
from referee.games.empire.position import Position, Unit
from referee.games.empire.position.state import Country, Empire, Feeding, Mouths
from referee.games.empire.reckoning.ownership import check_square, named, unit_of
from referee.games.empire.reckoning.supply import eaters
from referee.games.empire.rulebook.kinds import KIND_WORDS, KINDS, plural, so_many
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, Leads, Said, exact
from referee.kit.refused import Refused


class _Word(AsideOrder, frozen=True):
    """A word on feeding; the last one on a person or place holds. It is said for all countries of a seat that it concerns."""

    def said(self, empire: Empire, country: Country) -> Feeding:
        """How a country feeds from now on."""
        raise NotImplementedError(type(self).__name__)

    def may(self, empire: Empire, seat: Seat) -> None:
        """Raises Refused where it may not be said."""

    def lawful(self, empire: Empire, seat: Seat) -> bool:
        return granted(self.may, empire, seat)

    def act(self, stage: Stage, seat: Seat) -> None:
        self.may(stage.state, seat)
        for country in stage.state.owned(seat):
            feeding = self.said(stage.state, country)
            if feeding != country.feeding:
                stage.emit(FeedingSet(country.name, feeding, self.meaning()))


# ---------------------------------------------------------------- who eats


class _Row(Field[tuple[Mouths, ...]]):
    """Persons by number, all or so many of a kind; those of a kind in one square where one is named."""

    most = None

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"IN": PLACE, "AT": PLACE}

    def read(self, said: Said) -> tuple[Mouths, ...]:
        at = place(said.state, said.order, *self.prepositions())
        return tuple(part for thing in said.order.things for part in _meant(said, thing, at))

    def offers(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Mouths, ...]]]:
        """Persons by number, who eats last first; then kinds."""
        people = _people(state, seat)
        for unit in people:
            yield Choice(named(unit), (Mouths(unit=unit.number),), f"in {unit.at}", unit.at)
        for kind in dict.fromkeys(unit.kind for unit in people):
            yield Choice(plural(kind), (Mouths(kind=kind),))

    def asked(
        self, state: Empire, seat: Seat, got: Mapping[str, Any], leads: Leads[tuple[Mouths, ...]]
    ) -> Asking[tuple[Mouths, ...]]:
        """Any of them; of kinds also where, and of one kind how many."""
        able = (choice for choice in self.offers(state, seat, got) if leads(choice.value))
        who = [mouths for (mouths,) in (yield from several("who", able, 1))]
        if any(mouths.unit for mouths in who):
            return tuple(who)
        meant = [unit for unit in _people(state, seat) if unit.kind in [mouths.kind for mouths in who]]
        at = yield from one("where", [Choice("everywhere", ""), *map(placed, dict.fromkeys(unit.at for unit in meant))])
        if len(who) > 1:
            return tuple(Mouths(kind=mouths.kind, at=at) for mouths in who)
        most = sum(unit.at == at or not at for unit in meant)
        number = yield from quantity("how many", plural(who[0].kind), most)
        return (Mouths(kind=who[0].kind, at=at, number=number.number),)

    def clauses(self, value: tuple[Mouths, ...], state: Empire) -> Iterator[Clause]:
        yield Clause("", tuple(thing for mouths in value for thing in _things(state, mouths)))
        yield from (Clause("IN", hexes([at])) for at in list(filter(None, (mouths.at for mouths in value)))[:1])


def _people(empire: Empire, seat: Seat) -> list[Unit]:
    return [unit for country in empire.owned(seat) for unit in reversed(eaters(empire, country.name))]


def _meant(said: Said, thing: Thing, at: Position) -> tuple[Mouths, ...]:
    if thing.kind != "unit":
        return tuple(Mouths(unit=number) for number in cargo(said.state, said.seat, (thing,), at).units)
    kind, number = KIND_WORDS[thing.name], 0
    if thing.quantity and thing.quantity.portion is not Portion.ALL:
        there = sum(unit.kind == kind and at in ("", unit.at) for unit in of_seat(said.state, said.seat))
        meant = quantity_of(thing)
        number = meant.number if meant.portion is Portion.UP_TO else meant.of(there)
        if not number:
            raise Refused(f"That is nobody: you have {so_many(there, kind)} there.", "emp.H-01", thing.name)
    return (Mouths(kind=kind, at=at, number=number),)


def _things(empire: Empire, mouths: Mouths) -> tuple[Thing, ...]:
    if mouths.unit:
        return numbered(empire, (mouths.unit,))
    return (Thing("unit", plural(mouths.kind), exact(mouths.number) if mouths.number else None),)


def _in_words(row: tuple[Mouths, ...]) -> str:
    return ", ".join(mouths.words() for mouths in row)


class _WhoEats(_Word, frozen=True):
    """A word on who eats."""

    mouths: tuple[Mouths, ...]

    fields = (_Row("mouths", UNITS, say=_in_words),)

    def may(self, empire: Empire, seat: Seat) -> None:
        for mouths in self.mouths:
            kind = unit_of(empire, seat, mouths.unit).kind if mouths.unit else mouths.kind
            if not KINDS[kind].person:
                whoever = named(empire.units[mouths.unit]) if mouths.unit else f"A {kind}"
                raise Refused(f"{whoever} does not eat.", "emp.F1", kind)

    def of(self, empire: Empire, country: Country) -> tuple[Mouths, ...]:
        """Those whom it concerns in a country: units by number only where they are its own."""
        return tuple(one for one in self.mouths if not one.unit or empire.units[one.unit].country == country.name)


class FeedFirst(_WhoEats, frozen=True):
    """emp.H-01: persons who eat before the others."""

    words = Words(
        "FEED FIRST",
        "says who eats before all others where food does not suffice, from now on; done at once",
        "emp.H-01",
        "FEED FIRST {who}",
    )
    plain = Plain("Feed first", theme="Food")
    says = "Feed {mouths} before the others."

    def said(self, empire: Empire, country: Country) -> Feeding:
        return country.feeding.eats_first(self.of(empire, country))


class FeedLast(_WhoEats, frozen=True):
    """emp.H-01: persons who eat after the others."""

    words = Words(
        "FEED LAST",
        "says who eats after all others, and starves where food does not suffice; done at once",
        "emp.H-01",
        "FEED LAST {who}",
        ("STARVE",),
    )
    plain = Plain("Feed last", theme="Food")
    says = "Feed {mouths} after the others."

    def said(self, empire: Empire, country: Country) -> Feeding:
        return country.feeding.eats_last(self.of(empire, country))


# ---------------------------------------------------------------- out of which stores


def _stores_of(empire: Empire, countries: Iterable[Country]) -> tuple[Position, ...]:
    """The squares where countries have food."""
    names = [country.name for country in countries]
    return tuple(dict.fromkeys(lot.at for lot in empire.lots if lot.what == "food" and lot.country in names))


def _stores(empire: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Position]]:
    """The squares with food of one's own, in the order in which they are emptied."""
    return map(placed, _stores_of(empire, empire.owned(seat)))


class _Stores(_Word, frozen=True):
    """A word on stores."""

    places: tuple[str, ...]

    def may(self, empire: Empire, seat: Seat) -> None:
        for at in self.places:
            check_square(empire, at)


class FeedFrom(_Stores, frozen=True):
    """emp.H-01: stores that are emptied before others."""

    words = Words(
        "FEED FROM",
        "which stores are emptied before others, in this order; done at once",
        "emp.H-01",
        "FEED FROM c12r7",
    )
    plain = Plain("Eat from this store")
    fields = (Way("places", "", ", ".join, needed=True, among=_stores),)
    says = "Feed out of {places} before other stores."

    def said(self, empire: Empire, country: Country) -> Feeding:
        return country.feeding.out_of(self.places)


class SpareFood(_Stores, frozen=True):
    """emp.H-01: stores that nobody eats from."""

    words = Words(
        "SPARE FOOD", "squares whose food nobody eats, from now on; done at once", "emp.H-01", "SPARE FOOD IN c12r7"
    )
    plain = Plain("Spare this store")
    fields = (Way("places", "IN", ", ".join, needed=False, either="AT", among=_stores),)
    says = "Feed nobody out of {places}."

    def may(self, empire: Empire, seat: Seat) -> None:
        super().may(empire, seat)
        if not self.places:
            raise Refused("Say where: SPARE FOOD IN c12r7.", "emp.H-01", "SPARE FOOD")

    def said(self, empire: Empire, country: Country) -> Feeding:
        return country.feeding.sparing(self.places)


class FeedAsUsual(_Word, frozen=True):
    """emp.H-01: nothing said of feeding holds any more."""

    words = Words(
        "FEED AS USUAL",
        "take back every word on who is fed and from where; done at once",
        "emp.H-01",
        "FEED AS USUAL",
    )
    plain = Plain("Feed as usual", theme="Food")
    fields = ()
    says = "Feed in the usual order."

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Whether anything was said."""
        return any(country.feeding != Feeding() for country in empire.owned(seat))

    def said(self, empire: Empire, country: Country) -> Feeding:
        return Feeding()


# ---------------------------------------------------------------- what the form shows


def where_food_lacks(empire: Empire, country: Country) -> Iterator[AsideOrder]:
    """Useful orders of a country where food will lack: its youngest coolie eats, and out of which stores."""
    yield from (FeedFirst((Mouths(unit=unit.number),)) for unit in empire.units_of(country.name, "coolie")[-1:])
    stores = _stores_of(empire, [country])
    if len(stores) > 1:
        yield FeedFrom(stores)


FEEDING = (FeedFirst, FeedLast, FeedFrom, SpareFood, FeedAsUsual)
