"""GIVE and ACCEPT, what changes hands (emp.P12, emp.H-23), and countries that split; EXCHANGE, points of foreign exchange
(emp.H-16, emp.H-17).

BALKANIZE: a country is split off another (emp.P18, emp.H-06).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from referee.core.choices import Asking, Choice, most_that, one, placed, quantity, several
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.events.dealing import (
    ControlPassed,
    CountryPassed,
    CountrySplit,
    TransferLapsed,
    TransferOffered,
)
from referee.games.empire.events.economy import ExchangeSent
from referee.games.empire.orders.base import AsideOrder, Deed
from referee.games.empire.orders.fields import (
    CARGO,
    PLACE,
    UNITS,
    Group,
    Place,
    Wares,
    countries,
    groups,
    hexes,
    numbered,
)
from referee.games.empire.orders.units import cargo, one_unit, place, quantity_of, single
from referee.games.empire.position.state import Country, Empire, Transfer
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.ownership import Goods, Some, amount, cargo_of, counts_of, living_country, unit_of
from referee.games.empire.reckoning.supply import held, lots_at, taken
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.plans import STANDARD
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Field, Got, Joint, Leads, Number, One, Said, exact
from referee.kit.refused import ForGood, Refused
from referee.kit.wording import counted, in_a_row

_TO = One("to", ("country",), "TO", taken=str, among=countries)


# ---------------------------------------------------------------- what passes


def _offer(stage: Stage, seat: Seat, transfer: Transfer) -> None:
    """It waits for whom it is meant; between countries of one player it passes at once."""
    if not transfer.whole and stage.state.countries[transfer.to].owner == seat:
        _pass(stage, transfer)
    else:
        stage.emit(TransferOffered(transfer, _wares(stage.state, transfer)))


def _wares(empire: Empire, transfer: Transfer) -> str:
    """The goods and units that a transfer hands over, in words; units that are no more are left out."""
    if transfer.whole:
        return f"the whole of {transfer.giver}"
    units = [f"{empire.units[number].kind} {number}" for number in transfer.units if number in empire.units]
    return in_a_row([*units, *(f"{number} {what}" for what, number in transfer.goods)])


def _pass(stage: Stage, transfer: Transfer) -> None:
    empire, giver = stage.state, transfer.giver
    units, aboard = cargo_of(empire, transfer.units)
    given = [lot for what, n in transfer.goods for lot in taken(lots_at(empire, giver, transfer.at, what), n)]
    lots = (*aboard, *given)
    counts, at = counts_of(empire, units, lots), transfer.at if transfer.goods else empire.units[units[0]].at
    held_for = _held_for(empire, giver)
    stage.emit(ControlPassed(transfer.number, giver, transfer.to, at, units, lots, counts, held_for))


def _held_for(empire: Empire, country: str) -> int:
    """The turn, where a country's slot of it has begun: what it hands on gets no second allowance in it (emp.P17)."""
    owner, order = empire.countries[country].owner, list(empire.order)
    begun = empire.active is not None and order.index(owner) <= order.index(empire.active)
    return empire.turn if begun else 0


def _check_receiver(empire: Empire, to: str, at: str) -> None:
    city = empire.city_at(at)
    here = any(unit.country == to for unit in empire.units_at(at)) or (city is not None and city.country == to)
    if not here:
        raise Refused(f"{to} has nobody in {at} to take the goods.", "emp.H-23", at)


# ---------------------------------------------------------------- what is given


def _meeting_places(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """Squares where a seat has such goods, and another country has somebody or its city."""
    mine, wanted = [country.name for country in empire.owned(seat)], [goods.what for goods in got["goods"]]
    there = {lot.at: {lot.country} for lot in empire.lots if lot.what in wanted and lot.country in mine}
    whose = ((unit.at, unit.country) for unit in empire.units.values())
    for at, country in (*whose, *((city.at, city.country) for city in empire.cities.values())) if there else ():
        if at in there:
            there[at].add(country)
    return (placed(at) for at, who in there.items() if len(who) > 1)


class GiveGoods(Deed, frozen=True):
    """Goods given to another country in the same square or ship (emp.H-23)."""

    goods: tuple[Goods, ...]
    to: str
    at: str

    words = Words("GIVE", "", "emp.H-23", "")
    fields = (Wares("goods"), Place("at", "IN", "AT", needed=False, among=_meeting_places), _TO)
    says = "Give {goods} to {to} in {at}."

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, at, rule = stage.state, self.at, self.words.rule
        to = living_country(empire, self.to, rule).name
        kinds = [goods.what for goods in self.goods]
        for giver in empire.owned(seat):
            have = {what: held(empire, giver.name, at, what) for what in kinds}
            if giver.name != to and all(have.values()):
                break
        else:
            raise Refused(f"You have no {in_a_row(kinds, 'or')} in {at}.", rule, at)
        given = [(goods.what, goods.quantity.of(have[goods.what])) for goods in self.goods]
        for what, number in given:
            if not 0 < number <= have[what]:
                words = f"You have {have[what]} {what} there and cannot give {number}."
                raise Refused(words, rule, what, (f"GIVE {have[what]} {what} TO {to} IN {at}",))
        _check_receiver(empire, to, at)
        _offer(stage, seat, Transfer(empire.next_transfer, giver.name, to, at, (), tuple(given)))


def _own(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    return (Choice(land.name, land.name, "the whole country") for land in reversed(empire.owned(seat)))


class GiveCountry(Deed, frozen=True):
    """A whole country handed to a player, with all it has and owes, without condition (emp.P12).

    He is named himself, whatever he runs (I.G), or by a country of his.
    """

    country: str
    to: str

    words = Words("GIVE", "", "emp.P12", "")
    fields = (One("country", ("country",), taken=str, among=_own), _TO)
    says = "Hand the whole country {country} to {to}."

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, name, rule = stage.state, self.to, self.words.rule
        country = living_country(empire, self.country, rule)
        to = Seat(name) if name in empire.seats else living_country(empire, name, rule).owner
        if country.owner != seat:
            raise Refused(f"{country.name} is not yours.", rule, country.name)
        if to == seat:
            raise Refused(f"{country.name} and {name} are both yours already.", rule, name)
        _offer(stage, seat, Transfer(empire.next_transfer, country.name, name, "", whole=True, seat=to))


class GiveControl(Deed, frozen=True):
    """Self-mobile pieces of one square handed to another country, without condition (emp.P12)."""

    units: tuple[int, ...]
    to: str
    some: tuple[Some, ...] = ()

    words = Words(
        "GIVE",
        "hand units, or goods where both are, to another country, or a whole country to a player; he has to ACCEPT",
        "emp.P12",
        "GIVE {who} TO {other}",
    )
    plain = Plain("Hand over")
    fields = (Group("what", kinds=(*CARGO, "country")), _TO)
    says = "Hand {what} to {to}."
    shapes: ClassVar[tuple[type[Declared[Empire]], ...]] = (GiveGoods, GiveCountry)

    @classmethod
    def read(cls, said: Said) -> Declared[Empire]:
        """Goods and whole countries are other orders."""
        things, at = said.order.things, place(said.state, said.order, "IN", "AT")
        if things[0].kind == "country":
            if len(things) > 1:
                raise Refused("Give a country in an order of its own.", "emp.P12", things[1].name)
            return GiveCountry.read(said)
        found = cargo(said.state, said.seat, things, at)
        if found.goods and (found.units or found.some):
            raise Refused("Give goods and units in two orders.", "emp.P12", things[-1].name)
        if found.goods and not at:
            raise Refused("Say in which square the goods change hands.", "emp.H-23", things[0].name)
        return GiveGoods.read(said) if found.goods else super().read(said)

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, rule = stage.state, self.words.rule
        to = living_country(empire, self.to, rule).name
        units = [unit_of(empire, seat, number, rule) for number in self.units]
        if not units:
            raise Refused("Say which units change hands.", rule, "GIVE")
        first = units[0]
        for unit in units:
            if not KINDS[unit.kind].self_mobile:
                words = f"{unit.kind} {unit.number} does not move by itself; give it as goods go."
                raise Refused(words, rule, unit.kind)
            if unit.country == to:
                raise Refused(f"{unit.kind} {unit.number} is {to}'s already.", rule, to)
            if (unit.country, unit.at) != (first.country, first.at):
                raise Refused("One transfer is for units of one country in one square.", rule, str(unit.number))
        _offer(stage, seat, Transfer(empire.next_transfer, first.country, to, first.at, self.units))


# ---------------------------------------------------------------- what was given is taken


def _waiting(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[int]]:
    for transfer in empire.transfers:
        what = f"{transfer.giver} gives {_wares(empire, transfer)}"
        yield Choice(str(transfer.number), transfer.number, what, transfer.at)


class AcceptControl(AsideOrder, frozen=True):
    """A transfer of control accepted by whom it was meant for; what cannot pass any more lapses (emp.P12)."""

    number: int

    words = Words("ACCEPT", "accept a transfer by its number; done at once", "emp.P12", "ACCEPT 1")
    plain = Plain("Accept", theme="Other countries")
    fields = (Number("number", among=_waiting),)
    says = "Accept transfer {number}."

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, number = stage.state, self.number
        transfer = next((t for t in empire.transfers if t.number == number), None)
        mine = tuple(f"ACCEPT {t.number}" for t in empire.transfers if empire.accepts(t) == seat)
        if transfer is None:
            raise Refused(f"No transfer {number} is waiting.", "emp.P12", str(number), mine[:3])
        if empire.accepts(transfer) != seat:
            raise Refused(f"Transfer {number} is for {transfer.to}.", "emp.P12", str(number), mine[:3])
        why = _gone(empire, transfer)
        if why:
            stage.emit(TransferLapsed(number, why))
        elif transfer.whole:
            name, own = transfer.giver, [country.name for country in empire.owned(seat)]
            after = transfer.to if transfer.to in own else next(reversed(own), "")
            giver, held_for = empire.countries[name].owner, _held_for(empire, name)
            stage.emit(CountryPassed(number, name, giver, after, seat, empire.turn, held_for))
        else:
            _pass(stage, transfer)


def _gone(empire: Empire, transfer: Transfer) -> str:
    """Why a transfer cannot be done any more; empty when it can."""
    giver, at = transfer.giver, transfer.at
    named = (giver,) if transfer.whole else (giver, transfer.to)
    gone = next((name for name in named if empire.countries[name].dead), "")
    if gone:
        return f"{gone} is dissolved."
    if transfer.whole and empire.countries[giver].owner == transfer.seat:
        return f"{giver} is {transfer.seat}'s already."
    for number in transfer.units:
        unit = empire.units.get(number)
        if unit is None or unit.country != giver:
            return f"unit {number} is no longer {giver}'s."
    for what, number in transfer.goods:
        if held(empire, giver, at, what) < number:
            return f"{giver} no longer has {number} {what} in {at}."
    try:
        if transfer.goods:
            _check_receiver(empire, transfer.to, at)
    except Refused as refused:
        return str(refused)
    return ""


# ---------------------------------------------------------------- foreign exchange


def _may_send(empire: Empire, country: Country) -> int:
    """How many points a country may still send this turn: as many as its confidence stands above 10 (emp.H-16)."""
    return max(0, country.confidence - ownership.figure(empire, "exchange", "above") - country.booked.sent)


class _Points(Field[int | Quantity]):
    """So many points: `2`, `3 points`, `all`, `half the points`."""

    def read(self, said: Said) -> int | Quantity:
        thing = said.order.things[0]
        meant = Quantity(Portion.ALL) if thing.kind == "any" else quantity_of(thing)
        return meant.number if meant.portion is Portion.EXACTLY else meant

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[int | Quantity]]:
        yield Choice("1", 1)

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[int | Quantity]) -> Asking[int | Quantity]:
        """A number, or all that one's strongest country has left."""
        most = most_that(leads, max((_may_send(state, country) for country in state.owned(seat)), default=0))
        points = yield from quantity(self.name, "points", most, most)
        return points if points.portion is Portion.ALL else points.number

    def things(self, value: int | Quantity, state: Empire) -> tuple[Thing, ...]:
        if isinstance(value, int):
            return (Thing("number", str(value), exact(value)),)
        return (Thing("points", "points", value),)


class Exchange(Deed, frozen=True):
    """Foreign exchange sent, by the country of a seat that may send most (emp.H-17)."""

    points: int | Quantity
    to: str

    words = Words("EXCHANGE", "send points of foreign exchange", "emp.H-17", "EXCHANGE 2 TO {other}")
    plain = Plain("Send exchange", theme="Other countries")
    fields = (
        _Points(
            "points",
            ("number", "points", "any"),
            say=lambda points: str(points) if isinstance(points, int) else amount(points),
        ),
        _TO,
    )
    says = "Send {points} points of foreign exchange to {to}."

    def act(self, stage: Stage, seat: Seat) -> None:
        empire, to = stage.state, stage.state.countries.get(self.to)
        if to is None or to.dead:
            raise Refused(f"There is no country {self.to}.", "emp.H-17", self.to)
        if to.owner == seat:
            words = f"{to.name} is yours too; between your own countries there is no exchange."
            raise ForGood(words, "emp.H-06", to.name)
        sender = max(empire.owned(seat), key=lambda country: _may_send(empire, country))
        most = _may_send(empire, sender)
        points = self.points if isinstance(self.points, int) else self.points.of(most)
        if not 0 < points <= most:
            raise _too_much(empire, sender, to.name, points, most)
        stage.emit(ExchangeSent(sender.name, to.name, points))


def _too_much(empire: Empire, sender: Country, to: str, points: int, most: int) -> Refused:
    if ownership.chosen(empire, "exchange") != STANDARD:
        return Refused("In this match nobody sends foreign exchange.", "emp.H-17", str(points))
    sent = f" and has sent {sender.booked.sent}" if sender.booked.sent else ""
    why = f"{sender.name} has confidence {sender.confidence}{sent}: it may send {counted(most, 'points')} this turn, not {points}."
    return Refused(why, "emp.H-16", str(points), (f"EXCHANGE {most} TO {to}",) if most else ())


# ---------------------------------------------------------------- a country split


class _Title(Field[str]):
    """The name of the new country."""

    def read(self, said: Said) -> str:
        return said.order.things[0].name

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("text", value),)


class _Share(Joint):
    """Cities by name and units, so many of a kind in the square of IN or FROM."""

    most, joins = None, ("cities", "units", "some")

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {self.under: self.kinds, "IN": PLACE, "AT": PLACE, "FROM": PLACE}

    def read(self, said: Said) -> tuple[Any, ...]:
        things = said.after(self.under)
        cities = tuple(thing.name for thing in things if thing.kind == "city")
        others = [thing for thing in things if thing.kind != "city"]
        found = cargo(said.state, said.seat, others, place(said.state, said.order, "IN", "AT", "FROM"))
        return cities, found.units, found.some

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        cities, units, some = value
        towns = tuple(Thing("city", name) for name in cities)
        yield Clause(self.under, (*towns, *numbered(state, units), *groups(some)))
        yield from (Clause("IN", hexes([part.at])) for part in some[:1])


class _Government(Field[int]):
    """The coolie that becomes the government; 0: the first that comes along."""

    needed = False

    def read(self, said: Said) -> int:
        under = said.after(self.under)
        return one_unit(said.state, said.seat, under, "BALKANIZE ... UNDER") if under else 0

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return numbered(state, (value,)) if value else ()


def _cities(value: tuple[Any, ...]) -> str:
    return ", ".join(value[0]) or "no city"


class Balkanize(Deed, frozen=True):
    """A new country split off: its name, its cities and units, and its government coolie (emp.P18, emp.H-06)."""

    name: str
    cities: tuple[str, ...]
    units: tuple[int, ...] = ()
    government: int = 0
    some: tuple[Some, ...] = ()

    words = Words(
        "BALKANIZE",
        "split off a country with cities and units; UNDER names the coolie that becomes its government",
        "emp.P18",
        'BALKANIZE "Northland" WITH {who}',
        ("SPLIT OFF", "SPLIT"),
    )
    plain = Plain("Split off a country")
    fields = (
        _Title("name", ("text", "word")),
        _Share("share", ("city", *UNITS), "WITH", _cities),
        _Government("government", UNITS, "UNDER"),
    )
    says = "Split off the country {name} with {share}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """The coolie that becomes the government, whose country is split, then its cities and who else goes along."""
        name = _new_name(empire, seat)
        under = yield from one("under", _governments(empire, seat, name))
        parent = empire.countries[empire.units[under].country]
        towns = [city for city in empire.cities.values() if city.country == parent.name and not city.capital]
        cities = yield from several("cities", [Choice(city.name, city.name, "", city.at) for city in towns])
        others = [u for u in empire.units_of(parent.name) if u.number != under and u.kind != "government coolie"]
        units = yield from several("units", map(single, others))
        named = yield from one("name", [Choice(name, name, "or any other name")])
        return cls(named, cities, units if cities or units else (under,), under)

    def act(self, stage: Stage, seat: Seat) -> None:
        """Those named go, and all in the squares of the cities but the government."""
        empire, name = stage.state, self.name
        if not name.strip() or name.casefold() in _taken(empire):
            raise Refused(f"{name or 'Nothing'} is no free name for a country.", "emp.P18", name)
        parent = self._parent(empire, seat)
        capital = next((town for town in self.cities if empire.cities[town].capital), "")
        if capital:
            raise ForGood(f"{capital} is the capital and stays with {parent}.", "emp.H-06", capital)
        squares = [empire.cities[town].at for town in self.cities]
        for number in self.units:
            if empire.units[number].kind == "government coolie":
                raise ForGood(f"Unit {number} is the government of {parent}.", "emp.H-06", str(number))
        there = [u.number for u in empire.units_of(parent) if u.at in squares and u.kind != "government coolie"]
        units = tuple(dict.fromkeys((*self.units, *there)))
        head = self._head(empire, units)
        numbers, aboard = cargo_of(empire, tuple(dict.fromkeys((*units, head))))
        lying = (lot for lot in empire.lots if lot.country == parent and lot.at in squares and not lot.aboard)
        lots, country = (*aboard, *lying), _share(empire, parent, name, seat, numbers)
        stage.emit(CountrySplit(parent, country, self.cities, head, numbers, lots, counts_of(empire, numbers, lots)))

    def _parent(self, empire: Empire, seat: Seat) -> str:
        """The one country that everything named belongs to."""
        own = [country.name for country in empire.owned(seat)]
        numbers = filter(None, (*self.units, self.government))
        named = [unit_of(empire, seat, number, "emp.P18").country for number in numbers]
        for town in self.cities:
            city = empire.cities.get(town)
            if city is None or city.country not in own:
                raise Refused(f"{town} is no city of yours.", "emp.P18", town)
            named.append(city.country)
        if len(set(named)) != 1:
            words = "Name a city or units of one country, from which the new one is split."
            raise Refused(words, "emp.P18", self.name)
        return named[0]

    def _head(self, empire: Empire, units: Sequence[int]) -> int:
        """The regular coolie that becomes the government: the one named, or the first that comes along."""
        if self.government and empire.units[self.government].kind != "coolie":
            words = "Only a regular coolie becomes a government coolie."
            raise Refused(words, "emp.P18", str(self.government))
        found = self.government or next((number for number in units if empire.units[number].kind == "coolie"), 0)
        if not found:
            raise Refused(f"{self.name} needs a coolie that becomes its government.", "emp.P18", self.name)
        return found


def _taken(empire: Empire) -> set[str]:
    """The names that countries and players have."""
    return {name.casefold() for name in (*empire.countries, *map(str, empire.seats))}


def _share(empire: Empire, parent: str, name: str, seat: Seat, numbers: Sequence[int]) -> Country:
    """emp.H-06: the parent's confidence and all its bans; funds and debts in proportion to regular coolies."""
    old = empire.countries[parent]
    coolies = len(empire.units_of(parent, "coolie"))
    gone = sum(empire.units[number].kind == "coolie" for number in numbers)
    return Country(
        name,
        seat,
        origin="created",
        parent=parent,
        owned_since=empire.turn,
        confidence=old.confidence,
        popular_fund=old.popular_fund * gone // coolies,
        oil_due=old.oil_due * gone // coolies,
        chemicals_due=old.chemicals_due * gone // coolies,
        pay_due=old.pay_due * gone // coolies,
        suppressed=old.suppressed,
        stances=old.stances,
        feeding=old.feeding,
        band=old.band,
        slot=old.slot,
        held=old.held,
    )


def _governments(empire: Empire, seat: Seat, name: str) -> Iterator[Choice[int]]:
    """Regular coolies, those of the last country first; where one can be it, all of his country can."""
    for country in reversed(empire.owned(seat)):
        coolies = empire.units_of(country.name, "coolie")
        if coolies and Balkanize(name, (), (), coolies[0].number).lawful(empire, seat):
            yield from map(single, coolies)


def _new_name(empire: Empire, seat: Seat) -> str:
    """A name that no country has yet."""
    names = (f"New {seat} {number}" if number else f"New {seat}" for number in range(len(empire.countries) + 1))
    return next(name for name in names if name.casefold() not in _taken(empire))
