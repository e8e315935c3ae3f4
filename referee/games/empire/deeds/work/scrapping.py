"""Scrapping and destruction of buildings, units and goods (IV C)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.dying import death
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.deeds.work.cities import standing
from referee.games.empire.events.work.building import WorkDropped, WorkOrdered
from referee.games.empire.events.work.razing import (
    BuildingGone,
    CityGone,
    GoodsDestroyed,
    SalvageAppeared,
    UnitDestroyed,
)
from referee.games.empire.position.pieces import Lot, Position, Unit, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Goods
from referee.games.empire.reckoning.ownership import flies
from referee.games.empire.reckoning.supply import held, lots_at, taken
from referee.games.empire.reckoning.work import (
    RAZING,
    idle,
    land_square,
    machine_free,
    own_coolie,
    own_unit,
    owner_of,
    stands_by,
)
from referee.games.empire.rulebook.kinds import KINDS
from referee.games.empire.rulebook.plans import PLANS, salvage
from referee.kit.refused import Refused

BURNT = ("X", "O", "C", "bomb", "light bomb", "torpedo")
"""Goods that burn anywhere; others are thrown into water (IV C)."""

_WORDS = {"t&d": "TD", "T&S": "TS"}
"""Goods whose name cannot stand in an order."""


# ---------------------------------------------------------------- buildings


def can_scrap(empire: Empire, seat: Seat, number: int, what: str) -> WorkOrdered:
    """What it does that a coolie is to scrap a building where he is. Raises Refused."""
    unit = _at_building(empire, seat, number, "scrap", what)
    machine_free(empire, unit)
    return WorkOrdered(Work(empire.next_work, f"scrap {what}", unit.at, unit.country, unit.number, 1))


def _at_building(empire: Empire, seat: Seat, number: int, verb: str, what: str) -> Unit:
    """The coolie that is to scrap or destroy a building that stands where he is. Raises Refused."""
    unit = own_coolie(empire, seat, number, RAZING if verb == "destroy" else "emp.board.scrapping")
    idle(empire, unit)
    land_square(empire, unit)
    owner, city = owner_of(empire, unit.at), empire.city_at(unit.at)
    if owner and all(country.name != owner for country in empire.owned(seat)):
        name, taking = (city.name, ()) if city is not None else (f"The {what}", (f"SEIZE {what} WITH coolie {number}",))
        raise Refused(f"{name} in {unit.at} belongs to {owner}.", "emp.board.destruction", what, taking)
    doomed = [w.what.partition(" ")[2] for w in empire.works if w.at == unit.at and w.left]
    left = list(standing(empire, unit.at))
    for gone in doomed:
        if gone in left:
            left.remove(gone)
    if what not in left:
        others = tuple(f"{verb.upper()} {other} WITH coolie {number}" for other in dict.fromkeys(left))
        raise Refused(f"There is no {what} to {verb} in {unit.at}.", "emp.board.destruction", what, others[:3])
    return unit


def demolish(table: Table[Empire], country: str) -> None:
    """At the end of a turn: what was to be scrapped or destroyed is gone, in the order in which it was ordered."""
    due = [w for w in table.state.works if w.country == country and w.left and _verb(w) in ("scrap", "destroy")]
    for work in due:
        empire = table.state
        verb, _, what = work.what.partition(" ")
        city = empire.city_at(work.at)
        why = _hitch(empire, work)
        if why:
            table.emit(WorkDropped(work.number, work.what, work.at, why))
        elif what == "city" and city is not None:
            table.emit(CityGone(work.country, city.name, work.at, work.number))
        elif verb == "scrap":
            # Pilings in a swamp count among what is lost.
            swamp = {"delta": 1} if empire.board.squares[work.at].terrain == "swamp" else {}
            saved = salvage({**PLANS[what].materials, **swamp})
            table.emit(BuildingGone(work.country, work.number, what, work.at, "scrapped", saved, 1, 1))
        else:
            table.emit(BuildingGone(work.country, work.number, what, work.at, "destroyed"))


def _verb(work: Work) -> str:
    return work.what.partition(" ")[0]


def _hitch(empire: Empire, work: Work) -> str:
    """Why a building stays; empty when it goes."""
    verb, _, what = work.what.partition(" ")
    if not stands_by(empire, work.country, work.unit, work.at):
        return f"coolie {work.unit} did not stay"
    if verb == "scrap" and not held(empire, work.country, work.at, "cmx"):
        return "there is no construction machine"
    if what == "city":
        return "its buildings still stand" if standing(empire, work.at) else ""
    return "" if what in standing(empire, work.at) else "it is gone already"


def salvage_appears(table: Table[Empire], country: str) -> None:
    """At the beginning of a turn: what was saved of scrapped buildings lies on the site."""
    for work in table.state.works:
        if work.country == country and work.what == "salvage":
            parts = [part.split(" ", 1) for part in work.detail.split(", ")]
            city = table.state.city_at(work.at)
            inside = city.name if city is not None and city.country == country else ""
            lots = tuple(Lot(what, int(number), country, work.at, inside) for number, what in parts)
            table.emit(SalvageAppeared(country, work.number, work.at, lots))


# ---------------------------------------------------------------- destruction by order


def can_destroy(empire: Empire, seat: Seat, number: int, what: str) -> WorkOrdered:
    """What it does that a coolie is to destroy a building where he is, one a turn, or the city. Raises Refused."""
    city = what == "city"
    unit = _razes(empire, seat, number) if city else _at_building(empire, seat, number, "destroy", what)
    return WorkOrdered(Work(empire.next_work, f"destroy {what}", unit.at, unit.country, unit.number, 1))


def _razes(empire: Empire, seat: Seat, number: int) -> Unit:
    """The coolie that is to destroy the city he stands in, when all its buildings are gone or doomed. Raises Refused."""
    unit = own_coolie(empire, seat, number, RAZING)
    idle(empire, unit)
    city = empire.city_at(unit.at)
    if city is None or city.country != unit.country:
        raise Refused(f"You have no city in {unit.at}.", "emp.C2", unit.at)
    doomed = [w for w in empire.works if w.at == unit.at and w.left and _verb(w) in ("scrap", "destroy")]
    if len(standing(empire, unit.at)) > len(doomed):
        left = ", ".join(dict.fromkeys(standing(empire, unit.at)))
        raise Refused(f"{city.name} still has buildings: {left}.", "emp.C2", city.name)
    return unit


def ending_unit(empire: Empire, seat: Seat, number: int) -> Unit:
    """A unit that may end itself: persons any time, planes in the air, ships at sea or beached. Raises Refused."""
    unit = own_unit(empire, seat, number)
    if not KINDS[unit.kind].person:
        kind = KINDS[unit.kind]
        if kind.category == "air" and not flies(unit) and not _in_hand(empire, unit):
            raise Refused(f"{unit.kind} {unit.number} is not in the air.", "emp.board.destruction", str(unit.number))
        afloat = empire.board.squares[unit.at].water or unit.status in ("", "beach", "submerged")
        if kind.category == "naval" and (unit.status == "dock" or not afloat):
            raise Refused(f"{unit.kind} {unit.number} is in dock.", "emp.board.destruction", str(unit.number))
        if (kind.category in ("land", "hauled") or _in_hand(empire, unit)) and not _by_water(empire, unit.at):
            raise Refused(f"There is no water near {unit.at}.", "emp.board.destruction", str(unit.number))
    return unit


def _in_hand(empire: Empire, unit: Unit) -> bool:
    """Whether coolies carry a unit: so they bring aircraft to the water (IV C)."""
    carrier = empire.units.get(unit.aboard)
    return carrier is not None and carrier.kind == "coolie"


def _by_water(empire: Empire, at: Position) -> bool:
    return empire.board.squares[at].water or empire.board.coastal(at)


def end(table: Stage, seat: Seat, number: int) -> None:
    """A unit dies, crashes or is scuttled at once. Raises Refused."""
    _end(table, ending_unit(table.state, seat, number))


def _end(table: Stage, unit: Unit, with_carrier: bool = False) -> None:
    """A unit is gone, and before it all that is aboard. A person who dies alone leaves what he has."""
    for other in table.state.units.values():
        if other.aboard == unit.number:
            _end(table, other, with_carrier=True)
    kind = KINDS[unit.kind]
    if kind.person and not with_carrier:
        table.emit(death(table.state, unit, "on command", "emp.board.destruction"))
        return
    lost = tuple(lot for lot in table.state.lots if lot.aboard == unit.number)
    ends = {"air": "crashes", "naval": "is scuttled"}
    thrown = "is lost" if with_carrier else "is thrown into water"
    how = thrown if _in_hand(table.state, unit) else ends.get(kind.category, thrown)
    table.emit(UnitDestroyed(unit.country, unit.number, unit.kind, unit.at, how, lost))


def can_burn(empire: Empire, seat: Seat, goods: Goods, at: Position) -> GoodsDestroyed:
    """What it does that goods are burnt, or thrown into a sea, lake or river, by a coolie or SAC there. Raises Refused."""
    country = _hands(empire, seat, at)
    have = held(empire, country, at, goods.what)
    number = goods.quantity.of(have)
    if not 0 < number <= have:
        rest = (f"BURN {have} {_WORDS.get(goods.what, goods.what)} IN {at}",) if have else ()
        words = f"{country} has {have or 'no'} {goods.what} in {at}."
        raise Refused(words, "emp.board.destruction", goods.what, rest)
    burnt = goods.what in BURNT
    if not burnt and not _by_water(empire, at):
        why = f"{goods.what} does not burn, and {at} has no water."
        raise Refused(why, "emp.board.destruction", goods.what)
    lots = taken(lots_at(empire, country, at, goods.what), number)
    return GoodsDestroyed(country, at, "is burnt" if burnt else "is thrown into water", lots)


def _hands(empire: Empire, seat: Seat, at: Position) -> str:
    """The country of this seat that has somebody in a square who may destroy goods. Raises Refused."""
    for country in empire.owned(seat):
        if any(unit.at == at for unit in empire.units_of(country.name, "coolie", "SAC")):
            return country.name
    raise Refused(f"You have no coolie in {at}.", "emp.board.destruction", at)
