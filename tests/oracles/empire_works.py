"""Oracles of what is built and made in Empire: materials, cost and EDU, recipes, power, picks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.games.empire.events.course import CapitalPlaced, FiatJudged, PicksAppeared, PicksLapsed
from referee.games.empire.events.work import (
    GoodsConsumed,
    GoodsMade,
    LineLaid,
    MaterialsUsed,
    SalvageAppeared,
    StationRan,
    WorkFinished,
)
from tests.oracles.audit import Line, Stretch, at_most

HEAVY = (
    "power station",
    "steel mill",
    "aluminum refinery",
    "heavy machine works",
    "air works",
    "cargo shipyard",
    "motor works",
)
TOOLED = (
    "building materials factory",
    "construction machine factory",
    "tool and die works",
    "beer distillery",
    "water distillery",
)
MATERIALS: dict[str, dict[str, int]] = {
    **{kind: {"hmx": 1, "Bm": 1} for kind in HEAVY},
    **{kind: {"t&d": 1, "Bm": 1} for kind in TOOLED},
    "heavy arms works": {"hmx": 1, "Bm": 1},
    "small arms works": {"t&d": 1, "Bm": 1},
    "naval shipyard": {"hmx": 1, "Bm": 2, "St": 1},
    "dock": {"Bm": 2},
    "airport": {"Bm": 2},
    "warehouse": {"Bm": 1},
    "mine": {"Bm": 1, "t&d": 1},
    "well": {"Bm": 1, "t&d": 1},
    "ack-ack site": {"Bm": 1, "t&d": 1, "ack-ack": 1},
    "gun site": {"Bm": 1, "t&d": 1, "naval gun": 1},
    "city": {"Bm": 4, "t&d": 1},
    "scratch-built cargo ship": {"Fe": 2, "C": 2, "X": 2},
    "scratch-built cargo plane": {"Al": 2, "Cu": 2, "O": 2, "Rr": 2},
    "canal": {"Bm": 1},
    "widening": {"Bm": 1},
    "bridge": {"Bm": 1, "St": 1},
    "mountain road": {"delta": 2},
    "tunnel": {"delta": 2},
}
"""IV.B, X and H-21: what goes into a work; machines apart, which are kept."""

MILITARY = ("naval shipyard", "small arms works", "heavy arms works", "ack-ack site", "gun site")

Recipe = tuple[dict[str, int], dict[str, int], int, int]
"""What a batch takes, what it makes, its cost, how many of the runs of a turn it needs."""


def _navy(made: dict[str, int], cost: int, many: int = 1) -> Recipe:
    return {"St": many, "O": many, "X": many}, made, cost, many


def _air(made: dict[str, int], cost: int, many: int = 1) -> Recipe:
    return {"Al": many, "Cu": many, "O": many, "Rr": many}, made, cost, 1


RECIPES: dict[str, tuple[int, tuple[Recipe, ...]]] = {
    "steel mill": (6, (({"Fe": 1, "C": 1}, {"St": 1}, 0, 1),)),
    "building materials factory": (6, (({"delta": 3}, {"Bm": 2}, 0, 1),)),
    "aluminum refinery": (6, (({"Bx": 1}, {"Al": 1}, 0, 1),)),
    "construction machine factory": (3, (({"St": 1}, {"cmx": 1}, 0, 1),)),
    "tool and die works": (3, (({"St": 1}, {"t&d": 1}, 0, 1),)),
    "heavy machine works": (3, (({"St": 1}, {"hmx": 1}, 0, 1),)),
    "air works": (
        3,
        (
            _air({"cargo plane": 1}, 0),
            _air({"fighter": 2}, 2),
            _air({"strategic bomber": 1}, 1),
            _air({"TAC": 1, "drop tank": 2}, 1),
            _air({"balloon": 1, "sailplane": 1}, 0),
            _air({"C-5A Galaxy": 1}, 0, 2),
            _air({"passenger liner": 1}, 0, 2),
            _air({"spruce goose": 1}, 0, 2),
            ({"Al": 1}, {"drop tank": 4}, 1, 1),
        ),
    ),
    "cargo shipyard": (
        3,
        (
            ({"Fe": 1, "C": 1, "X": 1}, {"cargo ship": 1}, 0, 1),
            ({"Fe": 1, "C": 1}, {"fishing ship": 1}, 0, 1),
            ({"Fe": 1, "C": 1}, {"oil tanker": 1}, 0, 1),
            ({"Fe": 1, "C": 1}, {"barge": 2}, 0, 1),
            ({"Fe": 1, "C": 1}, {"sailboat": 1}, 0, 1),
            ({"Rr": 1, "C": 1}, {"life raft": 2}, 0, 1),
            ({"St": 1, "Cu": 1, "O": 1}, {"yacht": 1}, 0, 1),
            ({"St": 2, "Cu": 1, "O": 1}, {"luxury liner": 1}, 0, 1),
        ),
    ),
    "naval shipyard": (
        3,
        (
            _navy({"destroyer": 2}, 2),
            _navy({"submarine": 2}, 2),
            _navy({"cruiser": 1}, 1),
            _navy({"battleship": 1}, 1, 2),
            _navy({"carrier": 1}, 1, 2),
        ),
    ),
    "motor works": (
        3,
        (
            ({"St": 1, "Rr": 1, "O": 1}, {"truck": 1}, 0, 1),
            ({"St": 1, "Rr": 1, "O": 1}, {"automobile": 1}, 0, 1),
            ({"St": 1, "Rr": 1, "O": 1}, {"light transport": 1}, 0, 1),
            ({"St": 1}, {"rolling stock": 2}, 0, 1),
            ({"St": 2, "C": 1}, {"locomotive": 1}, 0, 1),
            ({"St": 1, "Rr": 1}, {"motorcycle": 2}, 0, 1),
            ({"St": 1, "Rr": 1}, {"bicycle": 4}, 0, 1),
        ),
    ),
    "small arms works": (3, (({"St": 1, "X": 1}, {"SAU": 2}, 2, 1),)),
    "heavy arms works": (
        3,
        (
            ({"St": 1, "X": 1, "Cu": 1}, {"HAU": 1}, 1, 1),
            ({"St": 2, "O": 1}, {"tank": 1}, 1, 1),
            ({"Rr": 1, "O": 2, "food": 1}, {"T&S": 1}, 1, 1),
            ({"X": 1}, {"bomb": 2}, 1, 1),
            ({"X": 1}, {"light bomb": 3}, 1, 1),
            ({"St": 1, "X": 1}, {"torpedo": 4}, 1, 1),
            ({"St": 1, "X": 1}, {"naval gun": 2}, 1, 1),
            ({"St": 1, "X": 1}, {"ack-ack": 2}, 1, 1),
        ),
    ),
    "beer distillery": (3, (({"food": 2}, {"beer": 1}, 0, 1),)),
}
"""H-20 and the examples of X: runs a turn, and what a factory makes of what."""

CONSUMED = {
    "beer": 6, "life raft": 6, "bicycle": 4, "motorcycle": 9, "sailboat": 12, "balloon": 12, "sailplane": 12,
    "automobile": 24, "light transport": 24, "yacht": 24, "luxury liner": 36, "passenger liner": 48, "spruce goose": 48,
}  # fmt: skip
"""H-22: the EDU of a consumer good with six for each basic unit of resources in it."""


def _goods(lots: Any) -> Counter[str]:
    found = Counter[str]()
    for lot in lots:
        found[lot.what] += lot.number
    return found


def capitals(stretch: Stretch) -> Iterator[Line]:
    """I.B: what a capital starts with."""
    goods = {"Bm": 10, "delta": 10, "cmx": 6, "hmx": 4, "t&d": 3, "food": 10, "colony piece": 4}
    goods |= dict.fromkeys(("St", "Fe", "C", "O", "X", "Cu", "Al", "Rr"), 5)
    rejected = any(fact.event.rejected for fact in stretch.of(FiatJudged))
    if stretch.options["fiat"] == "lean_start" and not rejected:
        goods |= {"Bm": 5, "delta": 5}
    for fact in stretch.of(CapitalPlaced):
        yield Line("goods of a capital", dict(fact.event.goods), goods)
        yield Line("people of a capital", dict(fact.event.units), {"government coolie": 1, "SAC": 1, "coolie": 30})
        yield Line("confidence at first", fact.event.confidence, 10)


def materials(stretch: Stretch) -> Iterator[Line]:
    """IV.B, Swamp Rules, H-21: a work uses its materials, a delta more in a swamp; a road 1 delta a border, rail half a St more."""
    for fact in stretch.of(MaterialsUsed):
        (work,) = [work for work in fact.before.works if work.number == fact.event.number]
        due = Counter(MATERIALS[fact.event.what]) if fact.event.what in MATERIALS else _line(stretch, fact.event)
        if due is not None:
            swamps = fact.before.board.squares[work.at].terrain == "swamp"
            told = _goods(fact.event.lots)
            if fact.event.what in MATERIALS and fact.event.what not in (
                "canal",
                "widening",
                "bridge",
                "mountain road",
                "tunnel",
            ):
                due["delta"] += swamps
                yield Line(f"materials of {fact.event.what}", +told, +due)
            else:
                extra = told["delta"] - due["delta"]
                told["delta"] = due["delta"]
                yield Line(f"materials of {fact.event.what}", +told, +due)
                yield Line("pilings", extra >= 0, True)


def _line(stretch: Stretch, event: MaterialsUsed) -> Counter[str] | None:
    """Road, rail, power line and pipeline by the borders that were laid."""
    laid = [fact.event for fact in stretch.of(LineLaid) if fact.event.number == event.number]
    if not laid:
        return None
    borders = len(laid[0].places)
    lots = -(-borders // 6)
    each = {
        "road": {"delta": borders},
        "rail": {"delta": borders, "St": -(-borders // 2)},
        "power line": {"Cu": lots},
        "pipeline": {"St": lots},
    }
    return Counter(each[event.what])


def finished(stretch: Stretch) -> Iterator[Line]:
    """H-12: civil buildings cost 2 and 4 EDU, military works 3 and none, each begun lot of a line, canal or bridge 1 and 1."""
    for fact in stretch.of(WorkFinished):
        due = (3, 0) if fact.event.what in MILITARY else (2, 4)
        yield Line(f"cost and EDU of {fact.event.what}", (fact.event.cost, fact.event.edu), due)
    for laid in stretch.of(LineLaid):
        lots = -(-len(laid.event.places) // (6 if laid.event.what in ("road", "rail", "power line", "pipeline") else 1))
        yield Line(f"cost and EDU of {laid.event.what}", (laid.event.cost, laid.event.edu), (lots, lots))


def production(stretch: Stretch) -> Iterator[Line]:
    """H-20 and X: a factory makes whole batches by its recipes, no more than its runs, of goods that lie there."""
    for fact in stretch.of(GoodsMade):
        event = fact.event
        runs, recipes = RECIPES[event.factory]
        made = _goods(event.made) + Counter(kind for _, kind, _ in event.units)
        (recipe,) = [recipe for recipe in recipes if recipe[1].keys() == made.keys()] or [({}, {}, 0, 0)]
        takes, makes, cost, each = recipe
        batches = next((made[what] // number for what, number in makes.items()), 0)
        yield Line(f"{event.factory} makes", made, Counter({what: n * batches for what, n in makes.items()}))
        yield Line(
            f"{event.factory} takes", _goods(event.spent), Counter({what: n * batches for what, n in takes.items()})
        )
        yield Line(f"{event.factory} costs", event.cost, cost * batches)
        works = sum(
            f.kind == event.factory
            for city in fact.before.cities.values()
            if city.at == event.at
            for f in city.factories
        )
        works += sum(f.kind == event.factory for f in fact.before.factories.get(event.at, ()))
        yield at_most(f"runs of {event.factory}", batches * each, runs * works)


def power(stretch: Stretch) -> Iterator[Line]:
    """H-19: a station burns one C or O and gives 5 power; it burns nothing where a power square feeds it."""
    for fact in stretch.of(StationRan):
        burnt = _goods(fact.event.fuel)
        fuel = not fact.event.square
        yield Line("power", fact.event.power, 5)
        yield Line("fuel of a station", (burnt.total(), set(burnt) <= {"C", "O"}), (int(fuel), True))


def consumption(stretch: Stretch) -> Iterator[Line]:
    """H-22: EDU of goods consumed, by the basic units of resources in them."""
    for fact in stretch.of(GoodsConsumed):
        goods = _goods(fact.event.lots) + Counter(kind for _, kind, _ in fact.event.units)
        house = {"standard": 6, "modest": 4, "rich": 9}[fact.before.houses.get("goods", fact.before.options["goods"])]
        due = sum(number * (CONSUMED[what] * house // 6) for what, number in goods.items())
        yield Line(f"EDU of {dict(goods)}", fact.event.edu, due)


def salvage(stretch: Stretch) -> Iterator[Line]:
    """IV.C: half of what went in, rounded down, and never building materials, which count in the lost half."""
    for fact in stretch.of(SalvageAppeared):
        (work,) = [work for work in fact.before.works if work.number == fact.event.number]
        saved = _goods(fact.event.lots)
        yield Line("no Bm is saved", saved["Bm"], 0)
        yield at_most(f"saved of {work.what}", saved.total(), 2)


PICKS = {
    "cargo ship": 1, "cargo plane": 1, "road": 6, "railroad": 6, "oil tankers": 3, "power line": 6, "truck": 1,
    "locomotive": 1, "rolling stock": 2, "canal": 1,
}  # fmt: skip
"""I.B: how many of a thing one pick is."""


def picks(stretch: Stretch) -> Iterator[Line]:
    """I.B: two things, in their numbers; what moves appears in the capital, what lies follows where coolies walked."""
    for fact in stretch.of(PicksAppeared):
        chosen = fact.before.picks[fact.event.country]
        due = Counter[str]()
        for pick in chosen:
            due[{"oil tankers": "oil tanker", "railroad": "rail"}.get(pick, pick)] += PICKS[pick]
        told = (
            Counter(fact.event.units) + Counter(what for _, what in fact.event.lines) + Counter(dict(fact.event.lost))
        )
        lapsed = any(f.event.country == fact.event.country for f in stretch.of(PicksLapsed))
        yield Line("picks", told, Counter() if lapsed else due)
        yield Line("in turn 2", fact.before.turn, 2)
