"""Record sheets: order of play, treasuries, regions, forces, buildings, natives, wars and offers, fleets; and the logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

import msgspec

from referee.core.event import Event, PhaseBegan, PhaseEnded
from referee.core.names import Reader, Seat
from referee.core.page import Cell, Grid, Sheet
from referee.games.war.events import WarEvent
from referee.games.war.events.economy import army_in_words
from referee.games.war.position import Fleet, Land
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning import alliances_in_words
from referee.games.war.reckoning.income import income
from referee.games.war.reckoning.scoring import card_in_words, card_points, points_by_line, tally
from referee.games.war.rulebook import (
    BOARD,
    BUILDINGS,
    CHIT_VALUES,
    CHITS,
    LAND_UNITS,
    MARKERS,
    POOL,
    plural,
    units_in_words,
)
from referee.games.war.telling.report import battles, items
from referee.kit.reports import chance_sheet, events_sheet
from referee.kit.stock import unbalanced
from referee.kit.wording import in_a_row


def sheets(history: Sequence[Event], war: War, reader: Reader) -> tuple[Sheet, ...]:
    """All record sheets, made of what this reader knows: each player's own two, then those of the whole table."""
    return sheets_with(_treasury, ByValue(war))


@lru_cache(maxsize=32)
def sheets_with(treasury: Callable[[War, Seat], Sheet], known: ByValue[War]) -> tuple[Sheet, ...]:
    """All sheets with the treasuries of an edition: kept, as readers who know the same position have the same sheets."""
    war = known.value
    own = [sheet for seat in war.order for sheet in (treasury(war, seat), _points(war, seat), _empire(war, seat))]
    return (*own, _order(war), _standings(war), _regions(war), _forces(war), _buildings(war), _natives(war),
            _wars(war), _fleets(war))  # fmt: skip


def logs(history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
    """Battles with every round, every die and draw, and every event, as far as this reader was told."""
    return (_battles(history), chance_sheet(history, "Phase", "bag"), events_sheet(history, "Phase"))


# one player


def _treasury(war: War, seat: Seat) -> Sheet:
    """His treasury, and his income as things stand."""
    hand, due = war.treasuries[seat], income(war, seat)
    units = war.units_of(seat)
    now = (("PP in hand", hand.pp), ("DP in hand", hand.dp), ("Units to maintain, 1 PP each", units))
    grids = [Grid(("What", "Number"), now, "In hand")]
    would = tuple((line.what, line.amount, line.rule) for line in due.lines)
    left = ("Together, less maintenance", due.pp - units, "27.production.maintain.1")
    paid = ("maintenance", -units, "27.production.maintain.1")
    grids.append(Grid(("Source", "PP", "Rule"), (*would, paid), "Next income, if nothing changed", left))
    note = f"Next income in diplomacy points: {due.dp} DP."
    short = "PP are production points, DP diplomacy points, VP victory points."
    return Sheet("treasury", f"Treasury of {seat}", tuple(grids), seat, (note, short, *_card(war, seat)))


def _points(war: War, seat: Seat) -> Sheet:
    """His victory points, part by part; reports say how many they are."""
    scored = points_by_line(war, seat)
    total = ("Together", "", sum(worth for _, _, worth in scored))
    title = f"Victory points of {seat}"
    return Sheet("points", title, (Grid(("What", "Number", "VP"), scored, title, total),), seat, on_request=True)


def _card(war: War, seat: Seat) -> tuple[str, ...]:
    """His card, where the reader knows it, and how it stands."""
    if war.cards.get(seat, "?") == "?":
        return ()
    now = "fulfilled" if card_points(war, seat) else "not fulfilled"
    return (f"Card: {card_in_words(war.cards[seat])}; as things stand {now}.",)


def _empire(war: War, seat: Seat) -> Sheet:
    """His regions, and his units in other people's."""
    lands = tuple(land for land in war.lands.values() if land.owner == seat or (land.stacks and land.count(seat)))
    return _realm(seat, ByValue(lands), tuple(_fleet_rows(war.fleets_of(seat))))


@lru_cache(maxsize=512)
def _realm(seat: Seat, known: ByValue[tuple[Land, ...]], fleets: tuple[tuple[Cell, ...], ...]) -> Sheet:
    """Kept, as most readers know the same of a player, and a share changes few of them."""
    lands = known.value
    # In a player's own sheet his units need no name, unless somebody else's stand beside them.
    units = (_units(land, seat) if land.present == (seat,) else units_here(land) for land in lands)
    rows = tuple(
        (land.name, there, ", ".join(land.buildings), _chit(land), _state(land))
        for land, there in zip(lands, units, strict=True)
    )
    grid = Grid(("Region", "Units", "Buildings", "Resource", "Natives"), rows, f"Regions of {seat}")
    afloat = Grid(("Fleet", "Sea area", "Cargo", "Points"), fleets, f"Fleets of {seat}")
    return Sheet("empire", f"Regions of {seat}", (grid, afloat), seat)


def units_here(land: Land) -> str:
    """The units of a region by player: `Red: 3 infantry, 1 general; Blue: 2 infantry`."""
    return "; ".join(f"{seat}: {_units(land, seat)}" for seat in land.present)


def _units(land: Land, seat: Seat) -> str:
    counts = [(kind, land.count(seat, kind)) for kind in LAND_UNITS]
    return ", ".join(units_in_words(kind, n) for kind, n in counts if n)


def _chit(land: Land) -> str:
    if land.chit in (None, "dot"):
        return "dot" if land.chit else ""
    if land.chit == "?":
        return "not seen"
    return f"{land.chit} {CHIT_VALUES[land.chit or 'dot']}{'' if land.developed else ', not developed'}"


def _state(land: Land) -> str:
    parts = [f"strength {land.marker}" if land.marker.strength else "marker not seen"] if land.marker else []
    parts += ["westernized"] if land.westernized else []
    parts += [f"spheres: {_spheres(land)}"] if land.spheres else []
    parts += [f"IN REVOLT: {army_in_words(land.revolt)}"] if land.revolt else []
    return "; ".join(parts)


def _spheres(land: Land) -> str:
    """`Red 2 (support), Blue 1`."""
    sides = {seat: f" ({land.sides[seat]})" if seat in land.sides else "" for seat in land.spheres}
    return ", ".join(f"{seat} {number}{sides[seat]}" for seat, number in land.spheres.items())


def _fleet_rows(fleets: Iterable[Fleet]) -> Iterator[tuple[Cell, ...]]:
    for fleet in fleets:
        yield fleet.number, fleet.sea, ", ".join(map(str, fleet.cargo)), fleet.points


# the table


def _order(war: War) -> Sheet:
    rows = tuple(
        (place, seat, _turn_of(war, seat), war.decisions.get(seat, "")) for place, seat in enumerate(war.order, 1)
    )
    grid = Grid(("Place", "Player", "This round", "Decisions in mid-turn"), rows, "Movement order")
    return Sheet("order", "Order of play", (grid,), None, (_moment(war),), on_request=True)


def _turn_of(war: War, seat: Seat) -> str:
    if seat in war.out:
        return "eliminated"
    if war.stage != "movement":
        return ""
    return "moves now" if seat == war.active else "to move" if seat in war.waiting else "has moved"


def _moment(war: War) -> str:
    match war.stage:
        case "setup":
            return "The set-up is going on."
        case "production":
            return f"Production of turn {war.turn} comes next."
        case "movement":
            return f"Turn {war.turn}, round of movement {war.round}."
        case "over":
            return f"The game is over: {war.ended}."


def _standings(war: War) -> Sheet:
    rows = tuple((s.rank, s.seat, s.score, s.how) for s in tally(war).standings)
    columns = ("Player", "PP", "DP") if war.diplomatic else ("Player", "PP")
    hands = ((seat, war.treasuries[seat]) for seat in war.order)
    money = tuple((seat, hand.pp, *((hand.dp,) if war.diplomatic else ())) for seat, hand in hands)
    grids = (Grid(("Place", "Player", "VP", "Made of"), rows, "Standings"), Grid(columns, money, "In hand"))
    return Sheet("standings", "Standings", grids, on_request=True)


def _regions(war: War) -> Sheet:
    columns = ("Region", "Owner", "Units", "Buildings", "Resource", "Natives")

    def row(land: Land) -> tuple[Cell, ...]:
        standing = ", ".join(land.buildings)
        return (land.name, land.owner or "natives", units_here(land), standing, _chit(land), _state(land))

    grids = tuple(
        Grid(columns, tuple(row(war.lands[name]) for name in names), zone) for zone, names in BOARD.zones.items()
    )
    return Sheet("regions", "Regions by zone", grids)


def _forces(war: War) -> Sheet:
    kinds, forces = (*war.land_units, "fleet"), {seat: war.forces_of(seat) for seat in war.order}
    rows = _counted(war, lambda seat: [*(forces[seat].get(kind, 0) for kind in kinds), sum(forces[seat].values())])
    grids = [Grid(("Player", *(plural(kind).capitalize() for kind in kinds), "Together"), rows, "Units on the map")]
    if war.options.get("force_pool") == "yes":
        pool = _counted(war, lambda seat: [POOL[kind] - forces[seat].get(kind, 0) for kind in kinds])
        grids.append(Grid(("Player", *(plural(kind).capitalize() for kind in kinds)), pool, "Left in the force pool"))
    return Sheet("forces", "Forces", tuple(grids), on_request=True)


def _counted(war: War, numbers: Callable[[Seat], Sequence[int]]) -> tuple[tuple[Cell, ...], ...]:
    """A row of numbers for each seat."""
    return tuple((seat, *numbers(seat)) for seat in war.order)


def _buildings(war: War) -> Sheet:
    rows = _counted(war, lambda seat: [war.buildings_of(seat, kind) for kind in BUILDINGS])
    built = Grid(("Player", *(plural(kind).capitalize() for kind in BUILDINGS)), rows, "Buildings")
    found = _rows(
        war, lambda land: land.chit not in (None, "dot"), lambda land: (land.name, land.owner or "natives", _chit(land))
    )
    chits = Grid(("Region", "Owner", "Resource"), found, "Resource chits that are not dots")
    return Sheet("buildings", "Buildings and resources", (built, chits), None, _canal(war), on_request=True)


def _canal(war: War) -> tuple[str, ...]:
    """27.opt.suez.2: how far the canal has come, where it can be built."""
    halves = ("not begun", "half paid", "complete")
    return (f"The Suez Canal is {halves[len(war.canal)]}.",) if plays(war, "suez") else ()


def _natives(war: War) -> Sheet:
    columns = ("Region", "Owner", "Strength", *(("Spheres", "Revolt") if war.diplomatic else ()))
    rows = _rows(war, lambda land: bool(land.marker or land.spheres or land.revolt), _native)
    cut = tuple(row[: len(columns)] for row in rows)
    undrawn = [land.name for land in war.regions_of(None) if land.marker is None]
    which = in_a_row(undrawn) if len(undrawn) <= _FEW else f"{len(undrawn)} native regions"
    note = f"No marker drawn yet: {which}." if undrawn else "Every native region has a marker."
    title, caption = _TITLES[war.diplomatic]
    return Sheet("natives", title, (Grid(columns, cut, caption),), None, (note,))


_TITLES = {True: ("Natives and spheres of influence", "Markers and spheres"), False: ("Natives", "Markers")}
"""Of the sheet and of its table, where there are spheres of influence and where there are none."""


_FEW = 8
"""So many regions a note names before it only counts them."""


def _native(land: Land) -> tuple[Cell, ...]:
    strength = str(land.marker) if land.marker and land.marker.strength else "not seen" if land.marker else "not drawn"
    revolt = army_in_words(land.revolt) if land.revolt else ""
    return (land.name, land.owner or "natives", strength, _spheres(land), revolt)


def _rows(
    war: War, wanted: Callable[[Land], bool], shown: Callable[[Land], tuple[Cell, ...]]
) -> tuple[tuple[Cell, ...], ...]:
    return tuple(shown(land) for land in war.lands.values() if wanted(land))


def _wars(war: War) -> Sheet:
    feuds = tuple((f.declarer, f.victim, in_a_row(f.ready) or "nobody yet") for f in war.feuds)
    offers = tuple(
        (o.number, o.maker, o.to, f"cede {o.region}" if o.kind == "cede" else "peace", "yes" if o.accepted else "no")
        for o in war.offers
    )
    grids = (
        Grid(("Declared by", "Against", "May attack by now"), feuds, "Wars"),
        Grid(("Offer", "By", "To", "What", "Accepted"), offers, "Offers that stand"),
    )
    allies = tuple((sentence,) for sentence in alliances_in_words(war))
    more = (Grid(("Alliances, and why",), allies, "Alliances"),) if allies else ()
    return Sheet("wars", "Wars, treaties and offers", (*grids, *more))


def _fleets(war: War) -> Sheet:
    rows = tuple((seat, *row) for seat in war.order for row in _fleet_rows(war.fleets_of(seat)))
    grid = Grid(("Owner", "Fleet", "Sea area", "Cargo", "Points"), rows, "Fleets and cargo")
    return Sheet("fleets", "Fleets and cargo", (grid,))


# the logs


def _phases(history: Sequence[Event]) -> Iterator[tuple[str, list[Event]]]:
    """The events of each phase, under its key."""
    key, gathered = "", list[Event]()
    for event in history:
        if isinstance(event, PhaseBegan):
            if gathered:
                yield key, gathered
            key, gathered = event.key, []
        elif not isinstance(event, PhaseEnded):
            gathered.append(event)
    if gathered:
        yield key, gathered


def _battles(history: Sequence[Event]) -> Sheet:
    rows = tuple(
        (key, name, line)
        for key, happened in _phases(history)
        for name, events in battles(happened)
        for event in events
        for line in items(event)
    )
    return Sheet("battles", "Battles", (Grid(("Phase", "Where", "What happened"), rows),))


# ---------------------------------------------------------------- the audit
# Points, units, markers and chits recomputed from the events alone.


def audit(before: War, happened: Sequence[Event], after: War) -> tuple[str, ...]:
    """One sentence for each account that does not balance, and for each cup that has lost or found a piece."""
    flows = [flow for event in happened if isinstance(event, WarEvent) for flow in event.flows()]
    return (*unbalanced(_accounts(before), flows, _accounts(after)), *_cups(after), *_impossible(after))


def _accounts(war: War) -> dict[str, int]:
    held: dict[str, int] = {}
    for seat, hand in war.treasuries.items():
        held |= {f"{seat} PP": hand.pp, f"{seat} DP": hand.dp, f"{seat} fleet": len(war.fleets_of(seat))}
        held |= {f"{seat} {kind}": 0 for kind in LAND_UNITS}
    for land in war.lands.values():
        for stack in land.stacks:
            held[f"{stack.owner} {stack.kind}"] += stack.number
    for fleet in war.fleets.values():
        for load in fleet.cargo:
            held[f"{load.owner} {load.kind}"] += load.number
    return held


def _cups(war: War) -> Iterator[str]:
    markers = sum(war.markers.values()) + sum(land.marker is not None for land in war.lands.values())
    if markers != sum(MARKERS.values()):
        yield f"There are {markers} native markers in all places, not {sum(MARKERS.values())}."
    chits = sum(war.chits.values()) + sum(land.chit is not None for land in war.lands.values())
    if chits != sum(CHITS.values()):
        yield f"There are {chits} resource chits in all places, not {sum(CHITS.values())}."


def _impossible(war: War) -> Iterator[str]:
    for seat, hand in war.treasuries.items():
        if hand.pp < 0 or hand.dp < 0:
            yield f"{seat} has {hand.pp} PP and {hand.dp} DP."
    for land in war.lands.values():
        if any(stack.number <= 0 for stack in land.stacks):
            yield f"{land.name} holds an empty stack."
        if land.owner is not None and not land.brigades(land.owner) and war.stage != "production":
            yield f"{land.name} is {land.owner}'s without a brigade of his."
        strangers = land.owner is not None and any(stack.owner != land.owner for stack in land.stacks)
        if strangers and not plays(war, "alliances"):
            yield f"{land.name} of {land.owner} holds units of somebody else."
    for fleet in war.fleets.values():
        if fleet.room < 0:
            yield f"Fleet {fleet.number} carries {fleet.points} points."


# ---------------------------------------------------------------- by value
# Values that cannot be hashed, such as regions with mappings in them, as keys of what is kept.


T = TypeVar("T")


class ByValue(Generic[T]):
    """A struct that equals others of its type that consist of the same, the order of mappings included.

    Of what lies inside it only the fields count, not the type.
    """

    __slots__ = ("_key", "value")

    def __init__(self, value: T) -> None:
        self.value = value
        self._key = type(value), msgspec.msgpack.encode(value)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByValue) and self._key == other._key
