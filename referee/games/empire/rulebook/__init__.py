"""Everything that is printed and never changes: the rules by number, and the figures that stand in no table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from referee.core.game import Rule
from referee.games.empire.rulebook.kinds import (
    ALLOWANCE,
    BTA,
    DEBT,
    FORMATIONS,
    GOODS,
    KINDS,
    OBJECT,
    PER_PART,
    in_bta,
    in_objects,
    in_parts,
    plural,
    so_many,
)
from referee.games.empire.rulebook.plans import (
    CONFIDENCE,
    FACTORIES,
    NINE,
    PLANS,
    STANDARD,
    STATION_POWER,
    a,
    basic_units,
    figure_of,
)
from referee.kit.rulebook import read_rules
from referee.kit.wording import in_a_row

# ---------------------------------------------------------------- the start


GOODS_AT_START = (
    ("Bm", 10), ("delta", 10), ("St", 5), ("Fe", 5), ("C", 5), ("O", 5), ("X", 5), ("Cu", 5), ("Al", 5), ("Rr", 5),
    ("cmx", 6), ("hmx", 4), ("t&d", 3), ("food", 10), ("colony piece", 4),
)  # fmt: skip
"""The stock of a capital at the start (emp.P4)."""

UNITS_AT_START = (("government coolie", 1), ("SAC", 1), ("coolie", 30))
"""The people of a capital at the start (emp.P4)."""

CONFIDENCE_AT_START = 10
"""The confidence of a new country (emp.P4)."""

LEAN: Mapping[str, int] = {"Bm": 5, "delta": 5}
"""The part of a capital's stock that it has less where the Head announced a lean start (emp.P1)."""


def _listed(amounts: Mapping[str, int]) -> str:
    return in_a_row([so_many(number, what) for what, number in amounts.items()])


FIATS = {
    "third_pick": "every country takes three picks instead of two",
    "lean_start": f"a capital starts with {_listed(LEAN)} instead of 10 of each",
}
"""Changes the Head may announce before a game (emp.P1, emp.H-05), each with its meaning."""

FORCES = (
    ("infantry regiment", 2), ("support regiment", 1), ("artillery", 2), ("armour", 1),
    ("fighter", 2), ("TAC", 1), ("strategic bomber", 1),
)  # fmt: skip
"""Formations with their arms, and planes; with the SAC of emp.P4 one less than may stand in a city (emp.H-37)."""

FLEET = (("cruiser", 1), ("destroyer", 2), ("cargo ship", 1))
"""The ships, in dock in a capital on the coast, else on the beach nearest to it (emp.H-37)."""

STORES = (("bomb", 4), ("light bomb", 4), ("O", 10), ("X", 10), ("food", 60))
"""Bombs, and what the force flies, fires and eats for its first turns, besides what emp.P4 gives (emp.H-37)."""

# ---------------------------------------------------------------- the board


SIZES = {"small": (24, 18), "medium": (36, 24), "large": (72, 42)}
"""Columns and rows of the sizes of board: for up to 4, up to 6, and up to 8 players."""

FOOD_SQUARES, RICH, SINGLES, KINDS_PRESENT, ABSENT = 8, 3, 10, 5, 2
"""The least riches of a start area: food squares, doubles or better, singles, kinds among these, kinds absent."""

FARMS = 7
"""A start area's farms that coolies reach in one turn, its heart apart: what 32 people and a city eat, 5 from each."""

# ---------------------------------------------------------------- squares and the budget


FOOD_YIELD = 5
"""Food that a worked food square gives a turn (emp.board.output)."""

FIRST = 3
"""A square's EDU for the first country, in points of its investment (emp.board.investment)."""

LYING = 5 * OBJECT
"""The room for goods in a land square without city and warehouse."""

BEACH = 2
"""The objects that a ship takes aboard, and puts off, in a turn outside a port."""

HIGHEST = 20
"""Confidence is kept between 0 and this."""

LUCK = (3, 5, 8, 10)
"""The highest modified roll of each band of luck but the last."""

STARVED = 3
"""One point of confidence for every started so many of the starved."""

GOVERNMENT_LOST, CAPITAL_LOST = 3, 3
"""The fall of confidence when the government coolie dies (emp.H-07), and when the capital is lost, besides."""

BANDS = {"collapse": 0, "crisis": 2, "shaky": 5, "normal": 10, "strong": HIGHEST}
"""The name of a confidence up to this number, from the lowest."""

FORBIDDEN: Mapping[str, tuple[str, ...]] = {
    "shaky": ("start factory",),
    "crisis": ("start factory",),
    "collapse": ("start factory", "factory", "build", "births", "attack"),
}
"""The acts that a low confidence forbids."""

ACTS = {
    "factory": ("run a factory", "no factory runs"),
    "build": ("build anything", "nothing is built"),
    "births": ("have births", "nobody is born"),
    "attack": ("attack", "nothing is attacked"),
    "start factory": ("start a factory", "no new factory may be started"),
}
"""The acts that a country may be forbidden, and the words for it."""


def meaning_of(band: str) -> str:
    """The effect of a low confidence, in words; in a crisis half of the factories stand still."""
    acts = FORBIDDEN[band]
    said = [
        words for act, (_, words) in ACTS.items() if act in acts and not (act == "start factory" and "factory" in acts)
    ]
    return in_a_row(said) + (", and half of its factories at most may run" if band == "crisis" else "")


AFTER_COLLAPSE = 4
"""The confidence after the turn of a collapse."""

TEN, CONFIDENCE_POINTS, CITY_POINTS = 10, 2, 5
"""Points of the fund to one that counts; what a point of confidence, and a city, counts."""

# ---------------------------------------------------------------- debts


FLIGHT = DEBT // 50
"""Oil of a military plane for a turn in which it flies, however often it stops (emp.economy.oil)."""

AT_SEA: Mapping[str, int] = {
    "battleship": DEBT // 10,
    "carrier": DEBT // 10,
    "cruiser": DEBT // 20,
    "destroyer": DEBT // 40,
    "submarine": DEBT // 40,
}
"""Oil of a warship for a turn in which it was at sea at any time, or is at its end (emp.economy.oil)."""

PER_BTA = DEBT // 10
"""Oil of each armed transport and supply for a BTA it moves by itself (emp.economy.oil)."""

PER_ATTACK = DEBT // 10
"""Chemicals due for each formation, warship or armed plane that attacks (emp.H-29)."""

PAY = DEBT // 10
"""Pay of a land military unit for a turn (emp.economy.pay)."""

# ---------------------------------------------------------------- war


STACK, CITY_STACK = 4, 8
"""How many formations of one owner may stand in a square, and in a city."""

SURE = "7:1"
"""The odds at which a defender is destroyed without a roll; also against nobody who defends."""

WEAKEST = "1:2"
"""The weakest attack that is made."""

SHIPS: Mapping[str, tuple[int, int]] = {
    "battleship": (6, 6),
    "carrier": (1, 4),
    "cruiser": (4, 3),
    "destroyer": (2, 2),
    "submarine": (3, 1),
    "pirate ship": (2, 2),
}
"""Attack and defence of ships that fight."""

HUNTS = ("destroyer", "TAC")
"""The units that attack submarines under water."""

OTHER_SHIPS = (0, 1)
"""Every other ship does not attack."""

SHORE_FIRE: Mapping[str, int] = {"battleship": 3, "cruiser": 2}
"""The addition of a ship's guns to one attack on a coastal square next to it."""

GUN = 4
"""The addition of an installed naval gun to the defence of its own square and those next to it, against ships."""

TAC_STRIKE = 2
"""The addition of a TAC with a light bomb to one attack."""

RADIUS = 6
"""How many borders away fighters on patrol, or on the ground, meet planes."""

BOMBS: Mapping[str, int] = {"bomb": 4, "light bomb": 6}
"""The least die with which a bomber destroys a minor square, by what it drops."""

HITS, HITS_FIGHTER = 5, 6
"""The least die with which a fighter shoots down a bomber, TAC or transport; and a fighter."""

FLAK_HITS = 6
"""The least die with which an ack-ack site brings a plane down."""

TAKES, LOSES = 4, 1
"""The least die that takes a ship for pirates, and the greatest that costs them their SAC (emp.H-33)."""

_FACES = 6


def faces(least: int) -> str:
    """The faces of a die that are at least so many: `4 to 6`, `5 and 6`, `6`."""
    return str(_FACES) if least == _FACES else f"{least} {'and' if least == _FACES - 1 else 'to'} {_FACES}"


# ---------------------------------------------------------------- in the blanks of rules.toml


_STANDARD = CONFIDENCE[STANDARD]


def _exact(parts: int, whole: int) -> str:
    return str(Fraction(parts, whole))


def _luck() -> str:
    """The rolls of each band of luck that moves confidence, and by what: `2, 3: -2; ...`."""
    bands = zip((1, *LUCK), (*LUCK, 12), _STANDARD.luck, strict=True)
    told = ((", ".join(map(str, range(above + 1, highest + 1))), moves) for above, highest, moves in bands)
    return "; ".join(f"{rolls}: {moves:+d}" for rolls, moves in told if moves)


def _consumed() -> str:
    """The EDU of consumer goods, the poorest first: `bicycle 4, beer and life raft 6, ...`."""
    by_edu: dict[int, list[str]] = {}
    for what in ("beer", *(name for name, kind in KINDS.items() if kind.consumer)):
        by_edu.setdefault(int(figure_of("goods", STANDARD, "edu") * basic_units(what)), []).append(what)
    return ", ".join(f"{in_a_row(goods)} {edu}" for edu, goods in sorted(by_edu.items()))


def _runs() -> str:
    """Runs of factories: `3 runs a turn, a steel mill ... 6`."""
    (most, _), *others = Counter(kind.runs for kind in FACTORIES.values()).most_common()
    told = (
        f"{in_a_row([a(name) for name, kind in FACTORIES.items() if kind.runs == runs])} {runs}" for runs, _ in others
    )
    return ", ".join((f"{most} runs a turn", *told))


FIGURES: Mapping[str, object] = {
    "bta": in_bta(ALLOWANCE),
    "part": in_bta(PER_PART),
    "start": _listed(dict((*GOODS_AT_START, *UNITS_AT_START))),
    "begins": CONFIDENCE_AT_START,
    "forces": dict((*FORCES, *FLEET, *STORES)),
    "boards": {size: f"{columns} x {rows}" for size, (columns, rows) in SIZES.items()},
    "area": {
        "food": FOOD_SQUARES,
        "rich": RICH,
        "single": SINGLES,
        "kinds": KINDS_PRESENT,
        "absent": ABSENT,
        "farms": FARMS,
    },
    "food": FOOD_YIELD,
    "first": FIRST,
    "beach": BEACH,
    "hunts": in_a_row([plural(kind) for kind in HUNTS]),
    "lying": in_objects(LYING),
    "minor": NINE,
    "station": STATION_POWER,
    "runs": _runs(),
    "consumed": _consumed(),
    "edu": figure_of("goods", STANDARD, "edu"),
    "clean": figure_of("pollution", STANDARD, "turns"),
    "sends": figure_of("exchange", STANDARD, "above"),
    "highest": HIGHEST,
    "luck": _luck(),
    "starved": STARVED,
    "capital": CAPITAL_LOST,
    "government": GOVERNMENT_LOST,
    "bands": BANDS,
    "means": {band: meaning_of(band) for band in FORBIDDEN},
    "after": AFTER_COLLAPSE,
    "house": _STANDARD,
    "points": {"ten": TEN, "confidence": CONFIDENCE_POINTS, "city": CITY_POINTS},
    "flight": in_parts(FLIGHT),
    "sails": {kind: in_parts(oil) for kind, oil in AT_SEA.items()},
    "per_bta": in_parts(PER_BTA),
    "attack_owes": in_parts(PER_ATTACK),
    "pay": in_parts(PAY),
    "stack": STACK,
    "city_stack": CITY_STACK,
    "arms": {name: _listed(formation.parts) for name, formation in FORMATIONS.items()},
    "formations": {name: f"{formation.attack}/{formation.defence}" for name, formation in FORMATIONS.items()},
    "sure": SURE,
    "weakest": WEAKEST,
    "ships": {kind: f"{attack}/{defence}" for kind, (attack, defence) in (*SHIPS.items(), ("other", OTHER_SHIPS))},
    "shore": SHORE_FIRE,
    "gun": GUN,
    "strike": TAC_STRIKE,
    "radius": RADIUS,
    "bomb": faces(BOMBS["bomb"]),
    "light_bomb": faces(BOMBS["light bomb"]),
    "hits": faces(HITS),
    "hits_fighter": faces(HITS_FIGHTER),
    "flak": faces(FLAK_HITS),
    "takes": faces(TAKES),
    "loses": LOSES,
    "rates": {name: {way: _exact(rate, BTA) for way, rate in kind.rates.items()} for name, kind in KINDS.items()},
    "dives": _exact(KINDS["submarine"].submerged["sea"], BTA),
    "winds": {name: _exact(kind.wind, BTA) for name, kind in KINDS.items()},
    "carries": {name: _exact(kind.carries, OBJECT) for name, kind in KINDS.items()},
    "seats": {name: kind.passengers for name, kind in KINDS.items()},
    "hauls": {name: kind.hauls for name, kind in KINDS.items()},
    "tows": {name: kind.tows for name, kind in KINDS.items()},
    "berths": {name: _exact(kind.berth, OBJECT) for name, kind in KINDS.items()},
    "hangars": {name: _exact(kind.hangar, OBJECT) for name, kind in KINDS.items()},
    "decks": _exact(KINDS["carrier"].deck, OBJECT),
    "rooms": {what: _exact(room, OBJECT) for what, room in (*GOODS.items(), *((n, k.room) for n, k in KINDS.items()))},
    "takes_up": {name: plan.squares for name, plan in PLANS.items()},
    "works": {name: plan.materials for name, plan in PLANS.items()},
    "turns": {name: plan.turns for name, plan in PLANS.items()},
    "steps": {name: plan.steps for name, plan in PLANS.items()},
}
"""The values for the blanks of rules.toml: `{ships[cruiser]}`, `{rates[coolie][forest]}`."""


# ---------------------------------------------------------------- rules
# The numbered rules and rulings, read from rules.toml with the figures in their blanks, and the page players read.


RULES = read_rules("referee.games.empire", **FIGURES)

SECTIONS = {
    "P": "Procedure",
    "sheet": "Records",
    "board": "Squares and works",
    "terrain": "Terrain",
    "move": "Movement",
    "L": "Loading",
    "F": "Food",
    "C": "Cities",
    "economy": "Debts and the popular fund",
    "H": "Rulings where the rulebook is silent",
}
"""The part of the rules by the second part of an id, without its number."""


def section_of(rule: str) -> str | None:
    """The part of the rules under which a report tells of a rule; None for rulings, which belong to whatever is going on."""
    part = _part(rule)
    return SECTIONS.get(part) if part != "H" else None


def _part(rule: str) -> str:
    """`P`, `move` or `H`: what its number begins with."""
    parts = rule.split(".")
    return parts[1].rstrip("0123456789-") if len(parts) > 1 and parts[0] == "emp" else ""


def heading(rule: Rule) -> str:
    """Under which a rule stands on the page of the rules."""
    return SECTIONS[_part(rule.id)]
