"""The owner of a thing, its name and place, and the words in force."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Portion, Quantity
from referee.games.empire.position import Lot, Unit
from referee.games.empire.position.state import Country, Doubtful, Empire, Petition
from referee.games.empire.rulebook.kinds import FORMATIONS, KINDS, Kind, plural, so_many
from referee.games.empire.rulebook.plans import COMBAT, CONFIDENCE, SETS, STANDARD, Confidence, a, figure_of
from referee.kit.refused import ForGood, Refused
from referee.kit.stock import Flow, gathered, more
from referee.kit.wording import in_a_row

UNCONSUMED = "unconsumed"
"""The status of a self-mobile consumer good whose EDU is not yet consumed: it is carried like goods (II.A)."""

ALOFT = ("air", "patrol")
"""The status of a plane in the air."""


def named(unit: Unit) -> str:
    """A unit in words: `coolie 14`."""
    return f"{unit.kind} {unit.number}"


def flies(unit: Unit) -> bool:
    """Whether a unit is in the air by itself."""
    return unit.status in ALOFT


def missing(empire: Empire, number: int) -> str:
    """Why there is no such unit: it never was, or what became of it."""
    lost = empire.gone.get(number)
    if lost is None:
        return f"There is no unit {number}."
    fate = f"died {lost.died}" if lost.died else "was lost"
    return f"{lost.kind} {number} is no more: it {fate} in turn {lost.turn}."


def unit_of(empire: Empire, seat: Seat, number: int, rule: str = "") -> Unit:
    """A unit that a seat may command. Raises Refused, by a `rule` of its own where there is one."""
    unit = empire.units.get(number)
    if unit is None:
        raise Refused(missing(empire, number), rule or "emp.P22", str(number))
    country = empire.countries.get(unit.country)
    if country is None or country.owner != seat:
        raise Refused(f"{named(unit)} is {unit.country}'s, not yours.", rule or "emp.P12", str(number))
    return unit


def root_of(empire: Empire, unit: Unit) -> Unit:
    """The last carrier of a unit: itself when nothing does."""
    while unit.aboard and unit.aboard in empire.units:
        unit = empire.units[unit.aboard]
    return unit


def with_all_aboard(empire: Empire, unit: Unit) -> tuple[int, ...]:
    """The numbers of a unit and of everything aboard it, the loads of loads included."""
    found = [unit.number]
    for number in found:
        found.extend(other.number for other in empire.units.values() if other.aboard == number)
    return tuple(found)


def in_city(empire: Empire, thing: Unit | Lot) -> str:
    """The city that a unit or lot is in, itself or with what carries it; "" when it is not in a city.

    A land unit in a city's square is in the city; a ship must be docked, a plane on the ground, goods put inside.
    """
    city = empire.city_at(thing.at)
    if city is None:
        return ""
    if thing.aboard and thing.aboard in empire.units:
        return in_city(empire, empire.units[thing.aboard])
    if isinstance(thing, Lot):
        return city.name if thing.inside else ""
    match KINDS[thing.kind].category:
        case "naval":
            inside = thing.status in ("dock", "warehouse", "city")
        case "air":
            inside = thing.status not in ("air", "patrol")
        case _:
            inside = True
    return city.name if inside else ""


def check_square(empire: Empire, name: str) -> None:
    """Refuse what is no square of the board."""
    if name not in empire.board.squares:
        raise ForGood(f"{name} is no square of this board.", "emp.board.square", name)


def kind_of(unit: Unit) -> Kind:
    """The kind of a unit."""
    return KINDS[unit.kind]


def parts_of(unit: Unit) -> tuple[str, ...]:
    """The arms of a formation one by one; those of the start list none of their own."""
    return unit.parts or (FORMATIONS[unit.kind].arms if unit.kind in FORMATIONS else ())


def busy(empire: Empire, unit: Unit) -> str:
    """The work of a unit over the end of this turn where it stands, in words; empty when nothing."""
    for work in empire.works:
        if work.unit == unit.number and work.at == unit.at and work.left:
            return work.what if work.what.startswith(("scrap ", "destroy ", "appoint ")) else f"build {a(work.what)}"
    return next((f"work {w.kind}" for w in empire.worked if w.unit == unit.number and w.at == unit.at), "")


def living_country(empire: Empire, name: str, rule: str) -> Country:
    """A country by name that is not dissolved. Raises Refused."""
    country = empire.countries.get(name)
    if country is None or country.dead:
        raise ForGood(f"There is no country {name}.", rule, name, tuple(c for c in empire.countries)[:3])
    return country


def cargo_of(empire: Empire, numbers: Sequence[int], persons: bool = True) -> tuple[tuple[int, ...], tuple[Lot, ...]]:
    """Units with everything aboard them that is of the same country: their numbers, and the goods.

    Without `persons`, people aboard stay whose they are, with what they carry.
    """
    found = list(dict.fromkeys(numbers))
    for number in found:  # grows while it is walked: what is aboard may carry things itself
        carrier = empire.units[number]
        aboard = (u for u in empire.units.values() if u.aboard == number and u.country == carrier.country)
        aboard = (u for u in aboard if persons or not KINDS[u.kind].person)
        found += [unit.number for unit in aboard if unit.number not in found]
    countries = {number: empire.units[number].country for number in found}
    lots = tuple(lot for lot in empire.lots if lot.aboard and countries.get(lot.aboard) == lot.country)
    return tuple(found), lots


def counts_of(empire: Empire, numbers: Sequence[int], lots: Sequence[Lot]) -> tuple[tuple[str, int], ...]:
    """How many of every kind of unit and goods."""
    counts = gathered(empire.units[number].kind for number in numbers)
    for lot in lots:
        counts = more(counts, {lot.what: lot.number})
    return tuple(counts.items())


# ---------------------------------------------------------------- units and goods as orders name them
# By number, so many of a kind in a square, so much of a kind; and as a person lists them.


_ONE_FORM = ("rolling stock", "artillery", "armour")
"""Kinds whose plural is the same word."""


class Some(msgspec.Struct, frozen=True):
    """So many units of a kind in a square, chosen when the order is carried out (mustering.py)."""

    kind: str
    quantity: Quantity
    at: str

    def words(self) -> str:
        """As it is said: `3 coolies in c12r7`, `1 coolie in c12r7`, `all coolies in c12r7`."""
        alone = self.quantity.portion is Portion.EXACTLY and self.quantity.number == 1
        kind = self.kind if alone or self.kind in _ONE_FORM else f"{self.kind}s"
        return f"{amount(self.quantity)} {kind} in {self.at}"


def amount(quantity: Quantity) -> str:
    """`3`, `up to 3`, `all`, `half`."""
    portion = "" if quantity.portion is Portion.EXACTLY else quantity.portion.value
    number = str(quantity.number) if quantity.portion in (Portion.EXACTLY, Portion.UP_TO, Portion.ALL_BUT) else ""
    return f"{portion} {number}".strip()


class Goods(msgspec.Struct, frozen=True):
    """So much of a kind of goods."""

    what: str
    quantity: Quantity


def who(unit: int, some: tuple[Some, ...]) -> str:
    """The unit that does it: named by number, or one of a kind in a square."""
    return which((unit,) if unit else (), some)


def which(units: tuple[int, ...], some: tuple[Some, ...]) -> str:
    """Units by number and so many of a kind: `unit 5`, `units 5, 6 and 2 coolies in c4r4`."""
    numbered = f"unit{'s' * (len(units) > 1)} {', '.join(map(str, units))}"
    return " and ".join([*([numbered] if units else ()), *(part.words() for part in some)])


def cargo(goods: tuple[Goods, ...], units: tuple[int, ...], some: tuple[Some, ...] = ()) -> str:
    """Goods and units together: `2 St and unit 5`."""
    return " and ".join([*(f"{amount(lot.quantity)} {lot.what}" for lot in goods), *filter(None, [which(units, some)])])


def in_runs(kind: str, numbers: Iterable[int]) -> str:
    """Units of a kind by number, runs drawn together: `coolie 3`, `coolies 3, 5 to 20`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    said = ", ".join(f"{a}" if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in runs)
    return f"{kind if said.isdecimal() else plural(kind)} {said}"


_BY_NUMBER = re.compile(r"\bunits? (\d+(?:, \d+)*)")


def with_kinds(empire: Empire, words: str) -> str:
    """The words of an order about its units, with their kinds: `Move unit 3 to c1r2` of a coolie is `Move coolie 3 to c1r2`."""
    return _BY_NUMBER.sub(lambda found: _named(empire, found[1]) or found[0], words)


def _named(empire: Empire, listed: str) -> str:
    """`coolies 3, 4 and SAC 7`; those that are no more too; empty where one of them never was."""
    numbers = [int(number) for number in listed.split(", ")]
    known = {n: unit.kind for n in numbers if (unit := empire.units.get(n) or empire.gone.get(n)) is not None}
    if len(known) < len(numbers):
        return ""
    kinds = dict.fromkeys(known.values())
    return in_a_row([in_runs(kind, [n for n in numbers if known[n] == kind]) for kind in kinds])


# ---------------------------------------------------------------- goods in events
# Put into the position, taken out of it, counted and named.


def withdrawn(empire: Empire, lots: tuple[Lot, ...]) -> Empire:
    """The position with some goods gone."""
    for lot in lots:
        empire = empire.with_lot(replace(lot, number=-lot.number))
    return empire


def stored(empire: Empire, lots: tuple[Lot, ...]) -> Empire:
    """The position with some goods more."""
    for lot in lots:
        empire = empire.with_lot(lot)
    return empire


def flows_of(lots: tuple[Lot, ...], sign: int) -> tuple[Flow, ...]:
    """The flows of some goods, into the accounts (1) or out of them (-1)."""
    return tuple(Flow(f"{lot.country} {lot.what}", sign * lot.number) for lot in lots)


def in_words(lots: tuple[Lot, ...]) -> str:
    """Goods in words: `2 Fe and 1 C`, or `nothing`."""
    total: dict[str, int] = {}
    for lot in lots:
        total[lot.what] = total.get(lot.what, 0) + lot.number
    return in_a_row([so_many(number, what) for what, number in total.items()]) or "nothing"


# ---------------------------------------------------------------- house rules in force
# The choice of each set that holds in a match now and in the next turn, and its figures.


def chosen(empire: Empire, house: str) -> str:
    """The choice of a set in force: what a petition put in force, else what the match was created with."""
    return empire.houses.get(house) or empire.options.get(house, STANDARD)


def waiting(empire: Empire) -> tuple[Petition, ...]:
    """Petitions for another choice that have passed and are not in force yet (emp.P19)."""
    return tuple(p for p in empire.petitions if p.house and p.result == "passed" and not p.since)


def coming(empire: Empire, house: str) -> str:
    """The choice of a set that will be in force in the next turn."""
    passed = [petition.choice for petition in waiting(empire) if petition.house == house]
    return passed[-1] if passed else chosen(empire, house)


def check_choice(empire: Empire, house: str, choice: str) -> None:
    """emp.P19: a change names a set, and a choice of it that is not in force anyway. Raises Refused."""
    if house not in SETS:
        lines = tuple(f'PETITION FOR change OF {name} TO {_others(empire, name)[0]} "..."' for name in SETS)
        unknown = f"There is no set of house rules {house}" if house else "Say of which set of house rules"
        raise Refused(f"{unknown}; there are {', '.join(SETS)}.", "emp.P19", house, lines)
    lines = tuple(f'PETITION FOR change OF {house} TO {other} "..."' for other in _others(empire, house))
    if choice not in SETS[house].choices:
        unknown = f"{house} has no choice {choice}" if choice else f"Say to which choice {house} shall change"
        raise Refused(f"{unknown}; it has {', '.join(SETS[house].choices)}.", "emp.P19", choice, lines)
    if choice == coming(empire, house):
        when = "is in force" if choice == chosen(empire, house) else "has been voted for the next turn"
        others = ", ".join(_others(empire, house))
        raise Refused(f"{house} {choice} {when} already; the other choices are {others}.", "emp.P19", choice, lines)


def _others(empire: Empire, house: str) -> tuple[str, ...]:
    return tuple(choice for choice in SETS[house].choices if choice != coming(empire, house))


def figure(empire: Empire, house: str, name: str) -> int:
    """A figure of the choice in force: `figure(empire, "goods", "edu")`."""
    return figure_of(house, chosen(empire, house), name)


def confidence(empire: Empire) -> Confidence:
    """The figures of confidence in force (emp.H-14)."""
    return CONFIDENCE[chosen(empire, "confidence")]


def combat_table(empire: Empire) -> Mapping[str, tuple[str, ...]]:
    """By odds such as `3:1`, what a die of 1 to 6 decides."""
    return COMBAT[chosen(empire, "combat")]


def since_when(empire: Empire, house: str, choice: str) -> str:
    """Whether a choice is in force now, since when, and whether a petition has changed that."""
    now, later = chosen(empire, house), coming(empire, house)
    if choice == now:
        since = [p.since for p in empire.petitions if p.since and p.house == house]
        held = f"since turn {since[-1]}" if since else "yes"
        return held if later == now else f"until turn {empire.turn} is over"
    return f"from turn {empire.turn + 1} on" if choice == later else ""


# ---------------------------------------------------------------- rereading
# The effects of reading a doubtful line in another way: where units are now, never what was given, built or rolled.


def moved_since(empire: Empire, doubtful: Doubtful) -> Unit | int | None:
    """A unit of a line that is not where the line left it: later orders show which was meant. A number: one that is gone."""
    for number, at, aboard in () if doubtful.ways else doubtful.stood:
        unit = empire.units.get(number)
        if unit is None:
            return number
        if (unit.at, unit.aboard) != (at, aboard) or empire.countries[unit.country].owner != doubtful.seat:
            return unit
    return None


def read_as(empire: Empire, doubtful: Doubtful, reading: int) -> Empire:
    """The position with the line read so (from 1): other units obeyed it, or they went another way (emp.P23)."""
    before, after = doubtful.taken - 1, reading - 1
    if doubtful.ways:
        return _rerouted(empire, doubtful.units[before], doubtful.ways[before], doubtful.ways[after])
    if not doubtful.units:
        return empire
    old, new = doubtful.units[before], doubtful.units[after]
    stay = [number for number in old if number not in new]
    go = [number for number in new if number not in old]
    for one, other in zip(stay, go, strict=True):
        empire = _exchanged(empire, one, other)
    # Squares whose worker had left in this reading were not invested in: they give nothing next turn.
    numbers = (*stay, *go)
    worked = tuple(
        replace(w, invested=w.invested - 1) if w.unit in numbers and empire.units[w.unit].at != w.at else w
        for w in empire.worked
    )
    return replace(empire, worked=worked)


def _exchanged(empire: Empire, one: int, other: int) -> Empire:
    """Two units change places, each with what it carries."""
    first, second = empire.units[one], empire.units[other]
    empire = _put(empire, first, second)
    empire = _put(empire, second, first)
    trails = {**empire.trails, one: empire.trails.get(other, ()), other: empire.trails.get(one, ())}
    return replace(empire, trails=trails)


def _put(empire: Empire, unit: Unit, like: Unit) -> Empire:
    """A unit where another one was before, with all aboard it."""
    group, units = with_all_aboard(empire, unit), dict(empire.units)
    for number in group:
        units[number] = replace(units[number], at=like.at)
    units[unit.number] = replace(units[unit.number], aboard=like.aboard, status=like.status)
    lots = tuple(replace(lot, at=like.at) if lot.aboard in group else lot for lot in empire.lots)
    return replace(empire, units=units, lots=lots)


def _rerouted(empire: Empire, numbers: Iterable[int], old: tuple[str, ...], new: tuple[str, ...]) -> Empire:
    """Other squares were walked: picks that lie still will follow them (emp.P5)."""
    trails = dict(empire.trails)
    for number in numbers:
        if number in trails:
            trails[number] = _respelled(trails[number], old, new)
    walked = dict(empire.walked)
    for name in dict.fromkeys(empire.units[number].country for number in numbers if number in empire.units):
        ways = [trails.get(unit.number, ()) for unit in empire.units_of(name, "coolie")]
        walked[name] = tuple(square for way in ways for square in way)
    return replace(empire, trails=trails, walked=walked)


def _respelled(trail: tuple[str, ...], old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    for start in range(len(trail) - len(old) + 1):
        if trail[start : start + len(old)] == old:
            return (*trail[:start], *new, *trail[start + len(old) :])
    return trail


def held(empire: Empire) -> dict[str, int]:
    """Every account: "Arcadia food", "Arcadia coolie" and so on."""
    accounts: dict[str, int] = {}
    for lot in empire.lots:
        name = f"{lot.country} {lot.what}"
        accounts[name] = accounts.get(name, 0) + lot.number
    for unit in empire.units.values():
        name = f"{unit.country} {unit.kind}"
        accounts[name] = accounts.get(name, 0) + 1
    return accounts
