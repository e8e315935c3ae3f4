"""The orders of Empire by their verbs, and the words in which they are written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from referee.core.names import Seat
from referee.core.order import Noun, Verb, Vocabulary
from referee.games.empire.deeds.moving import LINES, PICKS
from referee.games.empire.orders.arming import Arm, Disarm
from referee.games.empire.orders.attack import Attack, Engage
from referee.games.empire.orders.base import Execute, Interpret, RollOut
from referee.games.empire.orders.building import Build
from referee.games.empire.orders.feeding import FEEDING
from referee.games.empire.orders.giving import AcceptControl, Balkanize, Exchange, GiveControl
from referee.games.empire.orders.industry import Consume, Produce
from referee.games.empire.orders.loading import Disembark, Load, PumpOil, Unload
from referee.games.empire.orders.moving import STANCES, CastOff, MoveUnits, RollWind, Tow
from referee.games.empire.orders.petitions import PetitionFor, PostSuspension, Vote
from referee.games.empire.orders.raids import Bomb, Plunder, TurnPirate
from referee.games.empire.orders.scrapping import Burn, Destroy, Scrap
from referee.games.empire.orders.seizing import Seize
from referee.games.empire.orders.standing import (
    BIRTHS,
    Retreat,
    RetreatAsUsual,
    ScrambleAlways,
    ScrambleNever,
    SetRelation,
)
from referee.games.empire.orders.working import Abandon, Appoint, Develop, Found
from referee.games.empire.orders.zero_turn import PlaceCapital, TakePicks
from referee.games.empire.position import FOODS
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import GOODS_WORDS, GRADES, KINDS, plural
from referee.games.empire.rulebook.plans import PLANS, SETS
from referee.kit.declared import Book
from referee.kit.rulebook import Tongues, tongues

_SINGULARS = {("unit", plural(kind)): kind for kind in KINDS}

BOOK: Book[Empire] = Book(
    (
        PlaceCapital,
        TakePicks,
        MoveUnits,
        Load,
        Unload,
        Disembark,
        Tow,
        CastOff,
        PumpOil,
        RollWind,
        *STANCES,
        Develop,
        Abandon,
        Build,
        Found,
        Produce,
        Consume,
        Appoint,
        *BIRTHS,
        *FEEDING,
        Scrap,
        Destroy,
        Burn,
        Arm,
        Disarm,
        Attack,
        Retreat,
        RetreatAsUsual,
        Engage,
        Bomb,
        ScrambleAlways,
        ScrambleNever,
        TurnPirate,
        Plunder,
        GiveControl,
        AcceptControl,
        Seize,
        Exchange,
        SetRelation,
        Balkanize,
        Interpret,
        PetitionFor,
        PostSuspension,
        Vote,
        Execute,
        RollOut,
    ),
    _SINGULARS,
)
"""Every order by its verb."""


# ---------------------------------------------------------------- the words of Empire for the order language
# Nouns, and the tests an IF may make.


_EXAMPLE = 14
"""The coolie of the examples as long as there is none; who orders it is told so."""

_GOODS_ALIASES = {
    "Bm": ("building materials", "building material"),
    "delta": ("deltas", "material"),
    "St": ("steel",),
    "Fe": ("iron",),
    "C": ("coal",),
    "O": ("oil",),
    "X": ("chemicals", "chemical"),
    "Cu": ("copper",),
    "Al": ("aluminum", "aluminium"),
    "Rr": ("rubber",),
    "Bx": ("bauxite",),
    "cmx": ("construction machine", "construction machines"),
    "hmx": ("heavy machine", "heavy machines"),
    "t&d": ("t & d", "t&d", "t and d", "tool and die", "tools and dies"),
    "T&S": ("t & s", "T&S", "t and s", "transport and supply"),
    "SAU": ("small arms unit", "small arms"),
    "HAU": ("heavy arms unit", "heavy arms"),
}

_KIND_ALIASES = {
    "government coolie": ("government",),
    "ambassador coolie": ("ambassador",),
    "SAC": ("small armed coolie",),
    "C-5A Galaxy": ("C-5A", "Galaxy"),
    "strategic bomber": ("bomber",),
    "oil tanker": ("tanker",),
    "automobile": ("car", "auto"),
    "balloon": ("hot air balloon",),
    "life raft": ("raft", "rubber life raft"),
    "yacht": (),
}


@cache
def spoken() -> Tongues:
    """People's own words for the words of Empire, in several languages."""
    return tongues("referee.games.empire.rulebook/names.toml", "referee.games.empire.orders/verbs.toml")


def vocabulary_of(empire: Empire) -> Vocabulary:
    """The words of a position; the same object for the same countries, cities and units."""
    units = tuple((unit.number, unit.kind) for unit in empire.units.values())
    return _vocabulary(tuple(sorted(empire.seats)), tuple(empire.countries), tuple(empire.cities), units)


@lru_cache(maxsize=32)
def _vocabulary(
    seats: tuple[Seat, ...], countries: tuple[str, ...], cities: tuple[str, ...], units: tuple[tuple[int, str], ...]
) -> Vocabulary:
    number = next((number for number, kind in units if kind == "coolie"), _EXAMPLE)
    units = units if (number, "coolie") in units else (*units, (number, "coolie"))
    known = countries or tuple(map(str, seats))
    nouns = (*_names(seats, known, cities), *_standing_nouns(), *_numbered(units))
    verbs = spoken().verbs(BOOK.verbs(other=known[-1], who=f"coolie {number}"))
    return Vocabulary(verbs, nouns, _predicates(known[0], known[-1]), spoken().turns, spoken().unsaid)


def _names(seats: tuple[Seat, ...], countries: tuple[str, ...], cities: tuple[str, ...]) -> tuple[Noun, ...]:
    return (
        *(Noun(seat, "side") for seat in seats),
        *(Noun(country, "country") for country in countries),
        *(Noun(city, "city") for city in cities),
    )


@lru_cache(maxsize=1)
def _standing_nouns() -> tuple[Noun, ...]:
    """Nouns that every position has."""
    return spoken().nouns(_own_standing_nouns())


def _own_standing_nouns() -> tuple[Noun, ...]:
    return (
        *(Noun(plural(kind), "unit", (kind, *_KIND_ALIASES.get(kind, ())), "numbered") for kind in KINDS),
        *(Noun(word, "goods", _GOODS_ALIASES.get(what, ())) for word, what in GOODS_WORDS.items()),
        *(Noun(food, "crop") for food in FOODS),
        *(Noun(plan, "plan", _plan_aliases(plan)) for plan in PLANS),
        *(Noun(pick, "pick", _pick_aliases(pick)) for pick in (*PICKS, *LINES)),
        *(Noun(grade, "grade") for grade in GRADES),
        Noun("warehouse", "storage"),
        Noun("points", "points"),
        *(Noun(stance, "stance") for stance in ("hostile", "friendly")),
        *(Noun(kind, "petition") for kind in ("clarification", "change", "end")),
        *(Noun(vote, "vote") for vote in ("yes", "no", "quorum")),
        *(Noun(house, "house") for house in SETS),
        *(Noun(choice, "choice") for choice in dict.fromkeys(c for house in SETS.values() for c in house.choices)),
    )


def _plan_aliases(plan: str) -> tuple[str, ...]:
    return {"rail": ("railroad", "railway"), "aluminum refinery": ("refinery",)}.get(plan, ())


def _pick_aliases(pick: str) -> tuple[str, ...]:
    return {"railroad": ("rail", "railway"), "oil tankers": ("tankers",)}.get(pick, ())


def _numbered(units: tuple[tuple[int, str], ...]) -> tuple[Noun, ...]:
    """Every unit by its kind and number: `coolie 14`, also `unit 14`, `coolies 14`."""
    return tuple(Noun(f"{kind} {n}", "numbered", _number_aliases(kind, n)) for n, kind in units)


def _number_aliases(kind: str, number: int) -> tuple[str, ...]:
    others = (plural(kind), *_KIND_ALIASES.get(kind, ()), "unit", "units")
    return tuple(f"{word} {number}" for word in others if word != kind)


# ---------------------------------------------------------------- tests


def _predicates(one: str, other: str) -> tuple[Verb, ...]:
    subject: Mapping[str, tuple[str, ...]] = {"": ("country",)}
    place: Mapping[str, tuple[str, ...]] = {**subject, "IN": ("hex", "city")}
    return (
        Verb(
            "TREATS", "whether a country treats another as hostile or friendly", f"{one} TREATS {other} AS hostile",
            "emp.H-27", ("country",), 1, 1, {**subject, "AS": ("stance",)},
        ),
        Verb("OWNS", "whether a country owns a city", f"{other} OWNS c12r7", "emp.C1", ("city", "hex"), 1, 1, subject),
        *(
            _measure(what, f"how much {what} a country has, in one place or in all", f"{what} >= 3", place)
            for what in GOODS_WORDS
            if what != "power"
        ),
        *(
            _measure(plural(kind), f"how many {plural(kind)} a country has", f"{plural(kind)} >= 2", place, (kind,))
            for kind in KINDS
        ),
        _measure("mouths", "how many mouths a country must feed at its next turn", "mouths > 30", subject),
        _measure("confidence", "a country's confidence", "confidence >= 10", subject),
        _measure("popular fund", "a country's popular fund", "popular fund >= 25", subject),
        _measure("cities", "how many cities a country has", "cities >= 2", subject),
        _measure("farms", "how many food squares a country works", "farms >= 6", subject),
        Verb("turn", "the number of the turn", "turn >= 3", "emp.P6"),
    )  # fmt: skip


def _measure(
    word: str, meaning: str, example: str, prepositions: Mapping[str, tuple[str, ...]], aliases: tuple[str, ...] = ()
) -> Verb:
    other = () if aliases == (word,) else aliases
    return Verb(word, meaning, example, "emp.P21", (), 0, None, prepositions, (), other)
