"""The staging words of Empire's cases: what GIVEN lines may set up and EXPECT lines may claim.

The stage: a bare board of plain, 24 by 16, wrapped; Red, Blue and Green move in this order; it is Red's slot of turn 3.
Each has a capital of its own name (Red City in c4r4, Blue City in c14r4, Green City in c14r12) with 40 food and 2 O, the
government coolies 901, 902 and 903, and births suppressed there. Nobody is hostile to anybody's coolies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.page import Sheet
from referee.games.empire.events import OpenEvent, evolve
from referee.games.empire.events.air_and_sea import PlanesIntercepted
from referee.games.empire.position import Board, City, Factory, Lot, Resource, Square, Unit, Work, Worked, edge
from referee.games.empire.position.state import Country, Doubtful, Empire, Petition, Transfer, first_position
from referee.games.empire.reckoning.ownership import chosen
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, GOODS, KINDS, in_bta
from referee.games.empire.rulebook.plans import PLANS
from referee.games.empire.telling.sheets import economic_sheet, turn_sheet
from referee.games.empire.telling.sheets.holdings import (
    city_sheet,
    items_sheet,
    lines_sheet,
    military_sheet,
    permanent_sheet,
)
from referee.games.empire.telling.sheets.slots import Slot, balkanization_sheet, produced_sheet, trade_sheet
from tests.games.empire import ledgers

HOMES = {"Red": "c4r4", "Blue": "c14r4", "Green": "c14r12"}
"""Where the capitals of a case stand."""

_COLUMNS, _ROWS = 24, 16


def stage(options: Mapping[str, str]) -> Empire:
    """The position from which GIVEN starts."""
    seats = tuple(Seat(name) for name in HOMES)
    squares = {f"c{c}r{r}": Square("plain") for r in range(1, _ROWS + 1) for c in range(1, _COLUMNS + 1)}
    board = Board("cases", _COLUMNS, _ROWS, True, squares)
    empire = replace(first_position(seats, options, board), stage="play", turn=3, slot=8, active=seats[0])
    empire = replace(empire, picks={name: ("taken",) for name in HOMES})
    for place, (name, home) in enumerate(HOMES.items()):
        empire = empire.with_country(Country(name, Seat(name), suppressed=(home,)))
        empire = empire.with_city(City(f"{name} City", home, name, 0, capital=True))
        empire = empire.with_unit(Unit(901 + place, "government coolie", name, home, status="city"))
        empire = empire.with_lot(Lot("food", 40, name, home, inside=f"{name} City"))
        empire = empire.with_lot(Lot("O", 2, name, home, inside=f"{name} City"))
    return empire


# ---------------------------------------------------------------- words


def _cell(empire: Empire, name: str) -> str:
    if name not in empire.board.squares:
        raise ValueError(f"{name!r} is no square")
    return name


def _cells(empire: Empire, names: str) -> list[str]:
    return [_cell(empire, name) for name in re.split(r",\s*|\s+and\s+", names)]


def _unit(empire: Empire, text: str) -> Unit:
    kind, _, number = text.rpartition(" ")
    unit = empire.units.get(int(number))
    if unit is None or unit.kind != kind:
        raise ValueError(f"{text!r} is no unit; {number} is {unit.kind if unit else 'nothing'}")
    return unit


def _amounts(text: str) -> dict[str, int]:
    """`5 food, 2 St and a cmx` -> {"food": 5, "St": 2, "cmx": 1}."""
    found: dict[str, int] = {}
    for part in re.split(r",\s*|\s+and\s+", text):
        number, _, what = part.partition(" ")
        found[what] = 1 if number in ("a", "an") else 0 if number == "no" else int(number)
    return found


def _thirtieths(text: str) -> int:
    """`3`, `2/3`, `5 1/3` BTA in thirtieths."""
    total = 0
    for part in text.split():
        top, _, bottom = part.partition("/")
        total += int(top) * BTA // int(bottom or 1)
    return total


def _squares(empire: Empire, names: str, **changes: object) -> Empire:
    squares = dict(empire.board.squares)
    for name in _cells(empire, names):
        squares[name] = replace(squares[name], **changes)
    return replace(empire, board=replace(empire.board, squares=squares))


# ---------------------------------------------------------------- GIVEN


def given(state: Empire, fact: str) -> Empire:
    """The position changed so that a fact holds. Raises ValueError for a fact it does not understand."""
    for pattern, change in _GIVEN.items():
        match = re.fullmatch(pattern, fact)
        if match:
            return change(state, *match.groups())
    raise ValueError(f"GIVEN does not understand {fact!r}")


def _turn(empire: Empire, seat: str, turn: str) -> Empire:
    return replace(empire, turn=int(turn), active=Seat(seat), slot=3 * int(turn) - 1 + empire.order.index(Seat(seat)))


def _zero_turn(empire: Empire) -> Empire:
    """Nothing is placed yet; the starts are where the capitals of a case otherwise stand."""
    board = replace(empire.board, starts=tuple(HOMES.values()))
    return replace(first_position(empire.seats, empire.options, board), stage="capitals", slot=1)


def _neighbour(empire: Empire, name: str, at: str) -> Empire:
    """Somebody's capital that stands already, besides the one he is still asked for."""
    named = empire.with_country(Country(name, Seat(name)))
    return named.with_city(City(f"Old {name}", _cell(empire, at), name, 0, capital=True))


def _walked(empire: Empire, country: str, path: str) -> Empire:
    return replace(empire, walked={**empire.walked, country: tuple(_cells(empire, path))}, picks={})


def _food_there(empire: Empire, food: str, at: str) -> Empire:
    return _squares(empire, at, food=food)


def _resource(empire: Empire, at: str, grade: str, kind: str) -> Empire:
    grades = {"single": 1, "double": 2, "triple": 3}
    old = empire.board.squares[_cell(empire, at)].resources
    return _squares(empire, at, resources=(*old, Resource(kind, grades[grade])))


def _border(empire: Empire, feature: str, here: str, there: str) -> Empire:
    place = _edge(empire, here, there)
    borders = {**empire.board.borders, place: (*empire.board.borders.get(place, ()), feature)}
    return replace(empire, board=replace(empire.board, borders=borders))


def _edge(empire: Empire, here: str, there: str) -> str:
    way = empire.board.grid.direction(_cell(empire, here), _cell(empire, there))
    if way is None:
        raise ValueError(f"{here} and {there} are no neighbours")
    return edge(empire.board.grid, here, way)


def _line(empire: Empire, what: str, path: str) -> Empire:
    cells = _cells(empire, path)
    lines = dict(empire.lines)
    for here, there in pairwise(cells):
        place = _edge(empire, here, there)
        lines[place] = (*lines.get(place, ()), what)
    return replace(empire, lines=lines)


def _line_in(empire: Empire, what: str, at: str) -> Empire:
    return replace(empire, lines={**empire.lines, _cell(empire, at): (*empire.lines.get(at, ()), what)})


_STATUS = {
    "in dock": "dock", "on the beach": "beach", "in the air": "air", "under water": "submerged",
    "in the warehouse": "warehouse", "unconsumed": "unconsumed", "on patrol": "patrol",
}  # fmt: skip


def _place(empire: Empire, kind: str, first: str, last: str | None, country: str, at: str, how: str | None) -> Empire:
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of unit")
    city = empire.city_at(_cell(empire, at))
    inside = "city" if city is not None and KINDS[kind].category == "land" else ""
    for number in range(int(first), int(last or first) + 1):
        unit = Unit(number, kind, country, at, status=inside)
        if how and how.startswith("aboard "):
            unit = replace(unit, aboard=_unit(empire, how.removeprefix("aboard ")).number, status="")
        elif how:
            unit = replace(unit, status=_STATUS[how])
        empire = empire.with_unit(unit)
    return empire


def _spent(empire: Empire, unit: str, bta: str) -> Empire:
    return empire.with_unit(replace(_unit(empire, unit), spent=_thirtieths(bta)))


def _goods(empire: Empire, country: str, text: str, at: str) -> Empire:
    city = empire.city_at(_cell(empire, at))
    inside = city.name if city is not None and city.country == country else ""
    for what, number in _known(_amounts(text)).items():
        empire = empire.with_lot(Lot(what, number, country, at, inside=inside))
    return empire


def _known(amounts: dict[str, int]) -> dict[str, int]:
    strange = [what for what in amounts if what not in GOODS]
    if strange:
        raise ValueError(f"{strange[0]!r} is no kind of goods")
    return amounts


def _cargo(empire: Empire, country: str, text: str, carrier: str) -> Empire:
    unit = _unit(empire, carrier)
    for what, number in _known(_amounts(text)).items():
        empire = empire.with_lot(Lot(what, number, country, unit.at, aboard=unit.number))
    return empire


def _stored(empire: Empire, country: str, text: str, name: str) -> Empire:
    for what, number in _known(_amounts(text)).items():
        empire = empire.with_lot(Lot(what, number, country, empire.cities[name].at, inside="warehouse"))
    return empire


def _city(empire: Empire, country: str, name: str, at: str, text: str | None) -> Empire:
    amounts = _amounts(text) if text else {}
    docks, airports, houses = (amounts.pop(what, 0) for what in ("dock", "airport", "warehouse"))
    factories = tuple(Factory(what, 0) for what, number in amounts.items() for _ in range(number))
    for factory in factories:
        if factory.kind not in PLANS:
            raise ValueError(f"{factory.kind!r} is no factory")
    city = City(name, _cell(empire, at), country, 0, False, factories, docks, airports, houses)
    old = empire.cities.get(name)
    owner = empire.countries[country]
    suppressed = owner if at in owner.suppressed else replace(owner, suppressed=(*owner.suppressed, at))
    return empire.with_country(suppressed).with_city(replace(city, capital=old.capital if old else False))


def _works(empire: Empire, unit: str, kind: str, at: str, grade: str | None) -> Empire:
    worker = _unit(empire, unit)
    found = {"single": 1, "double": 2, "triple": 3}[grade] if grade else 1
    job = Worked(_cell(empire, at), kind, found, worker.country, worker.number, empire.turn - 1, empire.turn - 1)
    return replace(empire, worked=(*empire.worked, job))


def _under_way(empire: Empire, unit: str, what: str, left: str) -> Empire:
    builder = _unit(empire, unit)
    work = Work(empire.next_work, what, builder.at, builder.country, builder.number, int(left), begun=empire.turn - 1)
    return replace(empire, works=(*empire.works, work), next_work=empire.next_work + 1)


def _stance(empire: Empire, one: str, other: str, stance: str) -> Empire:
    for mine, his in ((one, other), (other, one)):
        country = empire.countries[mine]
        empire = empire.with_country(replace(country, stances={**country.stances, his: stance}))
    return empire


def _births(empire: Empire, at: str) -> Empire:
    for country in empire.countries.values():
        empire = empire.with_country(replace(country, suppressed=tuple(s for s in country.suppressed if s != at)))
    return empire


def _no_food(empire: Empire, country: str) -> Empire:
    lots = tuple(lot for lot in empire.lots if (lot.country, lot.what) != (country, "food"))
    return replace(empire, lots=lots)


def _petition(empire: Empire, seat: str, number: str, kind: str, hours: str | None) -> Empire:
    petition = Petition(int(number), kind, "as written", Seat(seat), empire.turn, int(hours or 0))
    return replace(empire, petitions=(*empire.petitions, petition), next_petition=int(number) + 1)


def _house_petition(empire: Empire, seat: str, number: str, house: str, choice: str) -> Empire:
    empire = _petition(empire, seat, number, "change", None)
    *others, last = empire.petitions
    return replace(empire, petitions=(*others, replace(last, house=house, choice=choice)))


def _passed(empire: Empire, number: str) -> Empire:
    petitions = (replace(p, result="passed") if p.number == int(number) else p for p in empire.petitions)
    return replace(empire, petitions=tuple(petitions))


def _voted(empire: Empire, seat: str, vote: str, number: str) -> Empire:
    petitions = tuple(
        replace(p, votes={**p.votes, Seat(seat): vote}) if p.number == int(number) else p for p in empire.petitions
    )
    return replace(empire, petitions=petitions)


def _runs_too(empire: Empire, seat: str, name: str) -> Empire:
    """A country more for a player, split off his own long ago."""
    return empire.with_country(Country(name, Seat(seat), "created", seat))


def _offered(empire: Empire, giver: str, unit: str, to: str) -> Empire:
    given_up = _unit(empire, unit)
    transfer = Transfer(empire.next_transfer, giver, to, given_up.at, (given_up.number,))
    return replace(empire, transfers=(*empire.transfers, transfer), next_transfer=empire.next_transfer + 1)


def _gives_all(empire: Empire, giver: str, to: str) -> Empire:
    transfer = Transfer(empire.next_transfer, giver, to, "", whole=True, seat=empire.countries[to].owner)
    return replace(empire, transfers=(*empire.transfers, transfer), next_transfer=empire.next_transfer + 1)


def _given_to_player(empire: Empire, giver: str, seat: str) -> Empire:
    transfer = Transfer(empire.next_transfer, giver, seat, "", whole=True, seat=Seat(seat))
    return replace(empire, transfers=(*empire.transfers, transfer), next_transfer=empire.next_transfer + 1)


def _doubtful(empire: Empire, line: str, seat: str, slot: str, readings: str) -> Empire:
    ways = tuple(readings.split(" or "))
    return replace(empire, doubtful=(*empire.doubtful, Doubtful(int(slot), int(line), Seat(seat), ways)))


def _waived(empire: Empire, seat: Seat, slot: str) -> Empire:
    doubtful = (replace(d, waived=(*d.waived, Seat(seat))) if d.slot == int(slot) else d for d in empire.doubtful)
    return replace(empire, doubtful=tuple(doubtful))


def _dry(empire: Empire, unit: str) -> Empire:
    return replace(empire, dry={**empire.dry, _unit(empire, unit).number: 1})


def _scrambled(empire: Empire, unit: str) -> Empire:
    """A fighter that met somebody in another's slot, and missed."""
    hunter = _unit(empire, unit)
    flight = PlanesIntercepted("Red", hunter.country, hunter.at, (), ((hunter.number, ""),), (), (1,))
    return evolve(empire, flight)


def _salvage(empire: Empire, country: str, at: str, text: str) -> Empire:
    goods = ", ".join(f"{number} {what}" for what, number in _known(_amounts(text)).items())
    work = Work(empire.next_work, "salvage", _cell(empire, at), country, 0, 0, goods, empire.turn - 1)
    return replace(empire, works=(*empire.works, work), next_work=empire.next_work + 1)


def _stands_alone(empire: Empire, kind: str, country: str | None, at: str) -> Empire:
    if kind not in PLANS:
        raise ValueError(f"{kind!r} is nothing to build")
    return replace(empire, factories={**empire.factories, _cell(empire, at): (Factory(kind, 0, country or ""),)})


def _fund(empire: Empire, seat: str, number: str) -> Empire:
    return empire.with_country(replace(empire.countries[seat], popular_fund=4 * int(number)))


_SEAT = r"(Red|Blue|Green)"
_UNIT = r"([\w&5 -]+? \d+)"
_AT = r"(c\d+r\d+)"
_GIVEN: dict[str, Callable[..., Empire]] = {
    **ledgers.GIVEN,
    rf"it is {_SEAT}'s slot of turn (\d+)": _turn,
    r"the board is still to be laid": lambda empire: first_position(empire.seats, empire.options, empire.board),
    r"the capitals are still to be placed": _zero_turn,
    rf"a capital of {_SEAT} stands in {_AT}": _neighbour,
    rf"the coolies of {_SEAT} walked (.+) on turn 1": _walked,
    rf"{_SEAT} came into {_SEAT}'s country in turn (\d+)": lambda e, seat, name, turn: e.with_country(
        replace(e.countries[name], owner=Seat(seat), origin="traded", owned_since=int(turn))
    ),
    r"(c\d+r\d+(?:, c\d+r\d+)*(?: and c\d+r\d+)?) (?:is|are) (plain|forest|desert|swamp|ice|sea|lake)": lambda e, names, t: (
        _squares(e, names, terrain=t)
    ),
    rf"there is a? ?(farm|fish) in {_AT}": _food_there,
    rf"{_AT} yields (single|double|triple) (\w+)": _resource,
    rf"(?:a|the) (river|double river|mountain|reef|falls|divided) lies between {_AT} and {_AT}": _border,
    r"a (road|rail|power line|pipeline|mountain road|bridge|widening) leads along (.+)": _line,
    rf"a (canal|bridge|widening|mountain road) is in {_AT}": _line_in,
    rf"([\w& 5-]+?) (\d+)(?: to (\d+))? of (\w+) (?:is|are) in {_AT}(?:,? (.+))?": _place,
    rf"{_UNIT} has spent (\d[\d /]*) BTA": _spent,
    rf"{_SEAT} has no food": _no_food,
    rf"{_SEAT} has (.+) aboard {_UNIT}": _cargo,
    rf"{_SEAT} has stored (.+) in the warehouse of ([\w ]+)": _stored,
    rf"{_SEAT} has a city ([\w ]+?) in {_AT}(?: with (.+))?": _city,
    rf"(\w+) has (.+) in {_AT}": _goods,
    rf"{_UNIT} works (\w+) in {_AT}(?: as (single|double|triple))?": _works,
    rf"{_UNIT} builds a ([\w ]+), (\d+) turns? left": _under_way,
    rf"{_SEAT} and {_SEAT} are (hostile|friendly)": _stance,
    rf"the food in {_AT} is polluted": lambda empire, at: replace(empire, polluted={**empire.polluted, at: 0}),
    rf"the food in {_AT} is polluted until turn (\d+)": lambda e, at, turn: replace(
        e, polluted={**e.polluted, at: int(turn)}
    ),
    rf"(\w+) in {_AT} was first worked by {_SEAT}": lambda e, kind, at, who: replace(
        e, developed={**e.developed, f"{at} {kind}": who}
    ),
    rf"births are allowed in {_AT}": _births,
    r"the wind blows to ([NEQSWP])": lambda empire, wind: replace(empire, wind=wind),
    rf"{_SEAT} has posted petition (\d+) for a (clarification|change|suspension|end)(?: of (\d+) hours)?": _petition,
    rf"{_SEAT} has posted petition (\d+) for a change of (\w+) to (\w+)": _house_petition,
    r"petition (\d+) has passed": _passed,
    rf"{_SEAT} has voted (yes|no|quorum) on petition (\d+)": _voted,
    rf"a city of old stood in {_AT}": lambda empire, at: replace(empire, sites=(*empire.sites, _cell(empire, at))),
    rf"{_SEAT} also runs ([\w ]+)": _runs_too,
    rf"{_SEAT} has offered {_UNIT} to {_SEAT}": _offered,
    rf"{_SEAT} has offered the whole of its country to {_SEAT}": _gives_all,
    rf"{_SEAT} has offered the whole of ([\w ]+) to the player {_SEAT}": lambda e, _, giver, seat: _given_to_player(
        e, giver, seat
    ),
    r"nothing is picked yet": lambda empire: replace(empire, picks={}),
    rf"line (\d+) of {_SEAT}'s slot (\d+) could be read as (.+)": _doubtful,
    rf"{_SEAT} has rolled out since slot (\d+)": _waived,
    rf"{_UNIT} had no water last turn": _dry,
    rf"{_UNIT} intercepted since its last turn": _scrambled,
    rf"{_SEAT} has scrapped what gives back in {_AT} (.+)": _salvage,
    rf"an? ([\w -]+?)(?: of {_SEAT})? stands in {_AT}": _stands_alone,
    rf"the popular fund of {_SEAT} is (\d+)": _fund,
    r"the confidence of (\w+) is (\d+)": lambda e, name, n: e.with_country(
        replace(e.countries[name], confidence=int(n))
    ),
}


# ---------------------------------------------------------------- EXPECT


def expect(before: Empire, events: Sequence[Event], after: Empire, fact: str) -> str | None:
    """None where the fact holds after the phase, otherwise what is true instead. Raises ValueError."""
    if found := re.fullmatch(r'"(.+)" comes before "(.+)"', fact):
        return _check_sequence(events, found[1], found[2])
    if found := re.fullmatch(r'sheet ([a-j]) of (\w+) has "(.+)" under ([\w ]+)', fact):
        return _check_sheet(before, events, after, *found.groups())
    for pattern, claim in _EXPECT.items():
        match = re.fullmatch(pattern, fact)
        if match:
            return claim(after, *match.groups())
    raise ValueError(f"EXPECT does not understand {fact!r}")


def _check_sequence(events: Sequence[Event], first: str, later: str) -> str | None:
    told = [event.sentence() for event in events]
    places = [next((n for n, said in enumerate(told) if words in said), -1) for words in (first, later)]
    if -1 in places:
        return f"what happened was {told}"
    return None if places[0] < places[1] else "it was the other way round"


def _sheet(before: Empire, events: Sequence[Event], after: Empire, letter: str, name: str) -> Sheet:
    """A record sheet at the end of the slot, when no other slot was played."""
    country, seat = after.countries[name], before.active or Seat("")
    told = tuple(event for event in events if isinstance(event, OpenEvent))
    slots = (Slot(seat, before.turn, before.slot, before, told, after),)
    made: dict[str, Callable[[], Sheet]] = {
        "a": lambda: military_sheet(after, name),
        "b": lambda: city_sheet(after, name),
        "c": lambda: turn_sheet(slots, country),
        "d": lambda: economic_sheet(slots, country),
        "e": lambda: trade_sheet(slots, after, name),
        "f": lambda: produced_sheet(slots, after, country),
        "g": lambda: items_sheet(after, name),
        "h": lambda: permanent_sheet(slots, after, name),
        "i": lambda: balkanization_sheet(after, country.owner),
        "j": lambda: lines_sheet(slots, after, name),
    }
    return made[letter]()


def _check_sheet(
    before: Empire, events: Sequence[Event], after: Empire, letter: str, name: str, words: str, column: str
) -> str | None:
    """Some row with these values, parted by bars: the first under the column, the others right of it."""
    values, seen = words.split(" | "), []
    for grid in _sheet(before, events, after, letter, name).grids:
        if column in grid.columns:
            start = grid.columns.index(column)
            seen += [[str(cell) for cell in row[start : start + len(values)]] for row in grid.rows]
    return None if values in seen else f"there stands {seen}"


def _check_at(empire: Empire, unit: str, at: str) -> str | None:
    found = _unit(empire, unit)
    return None if found.at == at else f"{unit} is in {found.at}"


def _check_left(empire: Empire, unit: str, bta: str) -> str | None:
    left = ALLOWANCE - _unit(empire, unit).spent
    return None if left == _thirtieths(bta) else f"{unit} has {in_bta(left)} BTA left"


def _check_gone(empire: Empire, unit: str) -> str | None:
    return None if int(unit.rpartition(" ")[2]) not in empire.units else f"{unit} is there"


def _check_owner(empire: Empire, unit: str, country: str) -> str | None:
    found = _unit(empire, unit).country
    return None if found == country else f"{unit} is {found}'s"


def _check_aboard(empire: Empire, unit: str, no: str | None, carrier: str) -> str | None:
    found = _unit(empire, unit).aboard
    return None if (found == int(carrier.rpartition(" ")[2])) is not bool(no) else f"{unit} is aboard {found}"


def _check_status(empire: Empire, unit: str, how: str) -> str | None:
    found = _unit(empire, unit).status
    return None if found == {**_STATUS, "on the ground": ""}[how] else f"{unit} is {found!r}"


def _check_has(empire: Empire, country: str, text: str, at: str | None) -> str | None:
    """Exactly so many of each kind named, in one square or everywhere, those aboard included."""
    stock = empire.stock(country, at or "")
    for what, number in _amounts(text).items():
        kind = what if what in KINDS or what in GOODS else what.removesuffix("s")
        if kind not in KINDS and kind not in GOODS:
            raise ValueError(f"{what!r} is no kind of unit or goods")
        here = [unit for unit in empire.units_of(country, kind) if at in (None, unit.at)] if kind in KINDS else []
        found = len(here) if kind in KINDS else stock.get(kind, 0)
        if found != number:
            return f"{country} has {found} {what}"
    return None


def _check_salvage(empire: Empire, country: str, text: str, at: str) -> str | None:
    """What a building scrapped this turn gives back at the start of the next."""
    coming = [work.detail for work in empire.works if (work.country, work.at, work.what) == (country, at, "salvage")]
    found = {what: number for part in coming for what, number in _amounts(part).items()}
    return None if found == ({} if text == "nothing" else _amounts(text)) else f"it will be {found}"


def _check_works(empire: Empire, who: str, kind: str, at: str) -> str | None:
    found = next((worked.country for worked in empire.worked if (worked.at, worked.kind) == (at, kind)), "nobody")
    return None if found == who else f"{found} works {kind} in {at}"


def _check_stands(empire: Empire, no: str | None, what: str, at: str) -> str | None:
    city = empire.city_at(at)
    inside = [factory.kind for factory in city.factories] if city is not None else []
    inside += [f.kind for f in empire.factories.get(at, ())] + list(empire.lines.get(at, ()))
    if city is not None:
        inside += ["city"] + ["dock"] * city.docks + ["airport"] * city.airports + ["warehouse"] * city.warehouses
    return None if (what in inside) is not bool(no) else f"{at} has {inside}"


def _check_line(empire: Empire, no: str | None, what: str, here: str, there: str) -> str | None:
    found = empire.lines.get(_edge(empire, here, there), ())
    return None if (what in found) is not bool(no) else f"there is {found}"


def _check_house(empire: Empire, house: str, choice: str) -> str | None:
    found = chosen(empire, house)
    return None if found == choice else f"{house} is {found}"


def _check_confidence(empire: Empire, country: str, number: str) -> str | None:
    found = empire.countries[country].confidence
    return None if found == int(number) else f"it is {found}"


def _check_fund(empire: Empire, country: str, number: str) -> str | None:
    found = empire.countries[country].popular_fund
    return None if found == 4 * int(number) else f"it is {found} quarters"


def _check_stance(empire: Empire, country: str, other: str, stance: str) -> str | None:
    found = empire.countries[country].stances.get(other, "nothing")
    return None if found == stance else f"it is {found}"


def _check_slot(empire: Empire, seat: str, turn: str) -> str | None:
    good = (empire.active, empire.turn) == (seat, int(turn))
    return None if good else f"it is {empire.active}'s slot of turn {empire.turn}"


def _check_petition(empire: Empire, number: str, result: str) -> str | None:
    found = next((p.result or "open" for p in empire.petitions if p.number == int(number)), "unknown")
    return None if found == result else f"it is {found}"


def _check_country(empire: Empire, name: str, seat: str) -> str | None:
    found = empire.countries.get(name)
    return None if found is not None and found.owner == seat else f"{name}: {found}"


def _check_city(empire: Empire, name: str, country: str) -> str | None:
    found = empire.cities.get(name)
    return None if found is not None and found.country == country else f"{name}: {found}"


def _check_board(empire: Empire, columns: str, rows: str) -> str | None:
    found = (empire.board.columns, empire.board.rows)
    return None if found == (int(columns), int(rows)) else f"it has {found[0]} columns of {found[1]}"


_EXPECT: dict[str, Callable[..., str | None]] = {
    **ledgers.EXPECT,
    r"the board has (\d+) columns of (\d+) squares": _check_board,
    r"the house rules on (\w+) are (\w+)": _check_house,
    r"the game is over": lambda empire: None if empire.ended else "it goes on",
    rf"{_UNIT} is in {_AT}": _check_at,
    rf"{_UNIT} has (\d[\d /]*|0) BTA left": _check_left,
    rf"{_UNIT} is gone": _check_gone,
    rf"{_UNIT} is {_SEAT}'s": _check_owner,
    rf"{_UNIT} is (not )?aboard {_UNIT}": _check_aboard,
    rf"{_UNIT} is (in dock|on the beach|in the air|under water|in the warehouse|on the ground)": _check_status,
    rf"(\w+) will have (.+) back in {_AT}": _check_salvage,
    r"([\w ]+?) has (.+?)(?: in (c\d+r\d+))?": _check_has,
    rf"{_SEAT} works (\w+) in {_AT}": _check_works,
    rf"(nobody) works (\w+) in {_AT}": _check_works,
    rf"there is (no )?a? ?([\w -]+?) in {_AT}": _check_stands,
    rf"there is (no )?a? ?([\w -]+?) between {_AT} and {_AT}": _check_line,
    r"the confidence of (\w+) is (\d+)": _check_confidence,
    r"the popular fund of (\w+) is (\d+)": _check_fund,
    rf"{_SEAT} holds (\w+) (hostile|friendly)": _check_stance,
    rf"it is {_SEAT}'s slot of turn (\d+)": _check_slot,
    r"petition (\d+) is (open|passed|failed)": _check_petition,
    rf"{_SEAT} runs ([\w ]+)": lambda empire, seat, name: _check_country(empire, name, seat),
    r"([\w ]+) belongs to ([\w ]+)": _check_city,
}
