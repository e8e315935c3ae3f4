"""The orders of War! by their verbs, and the words in which they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Noun, Verb, Vocabulary
from referee.games.war.deeds import SINGULARS
from referee.games.war.orders.attack import ALLIANCES, AttackFleets, DeclareWar
from referee.games.war.orders.building import BuildBuilding, BuildUnits
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.combat import DestroyWorks, ExploreRegion, ProspectRegion, ResolveInOrder
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.natives import InciteRevolt, RemoveSphere, WesternizeRegion
from referee.games.war.orders.offers import OFFERS
from referee.games.war.orders.production import BIDS, BuildCanal, BuyDiplomacy, DevelopResource
from referee.games.war.orders.setup import EQUIPMENT, GIFTS, NameCapital, SwapRegions
from referee.games.war.orders.standing import STANDING_OF_LOSSES
from referee.games.war.orders.standing_battles import STANDING_AT_SEA, STANDING_ON_LAND
from referee.games.war.orders.standing_home import STANDING_AT_HOME, ConsentRule
from referee.games.war.position.state import OPTIONAL, War, plays
from referee.games.war.rulebook import BOARD, BUILDINGS, CHITS, KINDS, SHIP, plural
from referee.kit.declared import Book
from referee.kit.rulebook import Tongues, tongues

BOOK: Book[War] = Book(
    (
        SwapRegions,
        NameCapital,
        *EQUIPMENT,
        *GIFTS,
        *BIDS,
        BuyDiplomacy,
        RemoveSphere,
        WesternizeRegion,
        InciteRevolt,
        BuildUnits,
        BuildBuilding,
        DevelopResource,
        BuildCanal,
        MoveUnits,
        EmbarkUnits,
        SailFleets,
        LandUnits,
        AttackFleets,
        DeclareWar,
        DestroyWorks,
        ResolveInOrder,
        ExploreRegion,
        ProspectRegion,
        *OFFERS,
        *ALLIANCES,
        *STANDING_AT_HOME,
        *STANDING_AT_SEA,
        *STANDING_ON_LAND,
        *STANDING_OF_LOSSES,
    ),
    SINGULARS,
)

OPTIONAL_VERBS = {
    SwapRegions.words.verb: "random_regions",
    NameCapital.words.verb: "capital_only",
    **{order.words.verb: "historical" for order in GIFTS},
    **{order.words.verb: "auction" for order in BIDS},
    BuildCanal.words.verb: "suez",
    DestroyWorks.words.verb: "scorched",
    **{order.words.verb: "alliances" for order in ALLIANCES},
    ConsentRule.words.verb: "simultaneous",
}
"""The verbs that a match has only by an optional rule."""


def in_play(war: War, *phases: str) -> tuple[str, ...]:
    """The verbs that a match has of these phases, or of all."""
    verbs = BOOK.verbs_of(*phases) if phases else tuple(BOOK.orders)
    return tuple(verb for verb in verbs if verb not in OPTIONAL_VERBS or plays(war, OPTIONAL_VERBS[verb]))


# ---------------------------------------------------------------- the words of War! for the order language
# Verbs, nouns, and the tests an IF may make.


_PLACE_ALIASES = {
    "Great Britain": ("Britain", "England", "United Kingdom"),
    "Ottoman": ("Ottoman Empire", "Turkey"),
    "Kongo": ("Congo",),
    "Trans-Ural": ("Ural", "Urals"),
    "Siam": ("Thailand",),
    "Tripoli": ("Libya",),
    "Abyssinia": ("Ethiopia",),
    "Russia": ("European Russia",),
    "Eastern Mediterranean": ("East Mediterranean",),
    "Western Mediterranean": ("West Mediterranean",),
    "Adriatic Sea": ("Adriatic",),
    "Sub-Saharan Africa": ("Africa",),
    "Eastern Asia": ("East Asia",),
    "Australia and South-East Asia": ("Australasia", "Australia"),
}

_KIND_ALIASES = {
    "infantry": ("inf", "infantries"),
    "cavalry": ("cav",),
    "artillery": ("art", "arty", "guns"),
    "general": ("general", "gen", "leader"),
    "engineer": ("engineer", "eng"),
    "explorer": ("explorer", "exp"),
    "fleet": ("fleet", "ship", "ships"),
    "railroad": ("railroad", "railway", "railways"),
    "fort": ("fort", "fortress", "fortresses"),
}


@cache
def spoken() -> Tongues:
    """People's own words for the words of War! in several languages, for both editions."""
    return tongues("referee.games.war.rulebook/names.toml", "referee.games.war.orders/verbs.toml")


def vocabulary_of(war: War) -> Vocabulary:
    """The words of a match; the same object for the same seats and optional rules."""
    playing = tuple(setting.name for setting in OPTIONAL if plays(war, setting.name))
    return _vocabulary(tuple(sorted(war.seats)), playing)


@lru_cache(maxsize=1024)
def _vocabulary(seats: tuple[Seat, ...], playing: tuple[str, ...]) -> Vocabulary:
    one, other = seats[0], seats[-1]
    drafting = ("region", "lot") if "historical" in playing else ("region",)
    sheet = [replace(verb, takes=drafting) if verb.word == "DRAFT" else verb for verb in sheet_verbs(other)]
    optional = (word for name in playing for word, option in OPTIONAL_VERBS.items() if option == name)
    verbs = (*sheet, *(BOOK.verb(word, other=other) for word in optional))
    tests = (*_predicates(one, other), *_optional_tests(playing, one, other))
    return spoken().vocabulary(Vocabulary(verbs, (*_nouns(seats), *optional_nouns(playing)), tests))


def optional_nouns(playing: Sequence[str]) -> tuple[Noun, ...]:
    """The things that the optional rules in play speak of."""
    return tuple(noun for name in playing for noun in _OPTIONAL_NOUNS.get(name, ()))


_OPTIONAL_NOUNS: Mapping[str, tuple[Noun, ...]] = {
    "suez": (Noun("canal", "works", ("Suez Canal",)),),
    "historical": (Noun("colony", "lot", ("random colony",)),),
    "scorched": (Noun("resource", "riches", ("resources",)),),
}


def _nouns(seats: tuple[Seat, ...]) -> tuple[Noun, ...]:
    return (
        *(Noun(seat, "side") for seat in seats),
        *(_place(region, "region") for region in BOARD.regions),
        *(_place(sea, "sea") for sea in BOARD.seas),
        *(_place(zone, "zone") for zone in BOARD.zones),
        *(Noun(plural(kind), "unit", _KIND_ALIASES.get(kind, (kind,)), _numbered(kind)) for kind in KINDS),
        Noun("fleets", SHIP, _KIND_ALIASES["fleet"], SHIP),
        *(Noun(plural(kind), "building", _KIND_ALIASES.get(kind, (kind,))) for kind in BUILDINGS),
        *(Noun(chit, "resource") for chit in CHITS),
        Noun("PP", "money", ("production points", "production point")),
        Noun("DP", "money", ("diplomacy points", "diplomacy point", "diplomacy")),
        Noun("spheres", "sphere", ("sphere", "influence")),
        Noun("bribe", "bribe"),
        Noun("gift", "gift"),
        Noun("cargo", "cargo", ("load", "units")),
        Noun("empty", "empty or loaded fleet"),
        Noun("loaded", "empty or loaded fleet", ("full",)),
        Noun("battle", "battle"),
        Noun("placement", "matter", ("place", "places")),
        Noun("peace", "treaty"),
        Noun("support", "stance"),
        Noun("suppress", "stance", ("suppression",)),
        Noun("open", "leave"),
        Noun("closed", "leave"),
        Noun("brigades", "strength", ("brigade",)),
        Noun("points", "points", ("point",)),
        Noun("none", "nothing", ("nothing",)),
        Noun("strength", "aim", ("native strength",)),
        Noun("interactive", "mode"),
        Noun("standing", "mode", ("standing orders",)),
    )


def _numbered(kind: str) -> str:
    """Fleets alone have numbers; land units of a kind are all alike."""
    return SHIP if kind == "fleet" else ""


def _place(name: str, kind: str) -> Noun:
    return Noun(name, kind, _PLACE_ALIASES.get(name, ()))


# ---------------------------------------------------------------- tests


_GONE = (
    "whether a region has been taken by anybody; judged at each pick in a DRAFT among STANDING orders, once in a sheet, when "
    "it is closed"
)


def _predicates(one: Seat, other: Seat) -> tuple[Verb, ...]:
    subject = {"": ("side",)}
    return (
        Verb(
            "CONTROLS", "whether a player controls a region or a whole zone", f"{other} CONTROLS Egypt",
            "27.board.8", ("region", "zone"), 1, 1, subject, (), ("CONTROL", "OWNS", "HOLDS"),
        ),
        Verb(
            "AT WAR WITH", "whether war is declared between two players", f"{one} AT WAR WITH {other}",
            "27.war.7", ("side",), 1, 1, subject,
        ),
        _state("GONE", _GONE, "Egypt GONE", "R27-80", ("TAKEN",)),
        _state("NATIVE", "whether a region is its natives'", "Sudan NATIVE", "27.board.8"),
        _state("IN REVOLT", "whether a region is in revolt", "Sudan IN REVOLT", "27.production.revolt.7"),
        _state("WESTERNIZED", "whether a player's region is westernized", "Egypt WESTERNIZED", "27.markers.3"),
        _purse("PP", "how many PP a player has", "PP >= 50"),
        _purse("DP", "how many DP a player has", "DP >= 2"),
        *(_pieces(plural(kind), kind, "27.pieces.1", "Egypt") for kind in KINDS if kind != "fleet"),
        _pieces("fleets", "fleet", "27.pieces.3", "Arabian Sea"),
        _pieces("brigades", "brigade", "27.pieces.1", "Egypt"),
        *(_pieces(plural(kind), kind, "27.pieces.3", "Egypt") for kind in BUILDINGS),
        _pieces("spheres", "sphere", "27.money.3", "Sudan"),
        _purse("regions", "how many regions a player controls", "regions >= 8"),
        Verb("turn", "the number of the turn", "turn >= 3", "27.turn.1"),
        Verb("round", "the round of movement, 1 or 2", "round = 2", "27.turn.1"),
    )  # fmt: skip


def _state(word: str, meaning: str, example: str, rule: str, aliases: tuple[str, ...] = ()) -> Verb:
    return Verb(word, meaning, example, rule, prepositions={"": ("region",)}, aliases=aliases)


def _purse(word: str, meaning: str, example: str) -> Verb:
    rule = "27.board.8" if word == "regions" else "27.money.1"
    return Verb(word, meaning, example, rule, prepositions={"": ("side",)})


def _pieces(word: str, singular: str, rule: str, where: str) -> Verb:
    return Verb(
        word,
        f"how many {word} a player has, in one place or in all",
        f"{word} IN {where} >= 2",
        rule,
        prepositions={"": ("side",), "IN": ("region", "sea")},
        aliases=() if singular == word else (singular,),
    )


def sheet_verbs(other: Seat) -> tuple[Verb, ...]:
    """All verbs but those of optional rules; the examples speak of `other`."""
    return tuple(BOOK.verb(word, other=other) for word in BOOK.orders if word not in OPTIONAL_VERBS)


def _optional_tests(playing: Sequence[str], one: Seat, other: Seat) -> tuple[Verb, ...]:
    """The questions that an IF may ask by the optional rules in play."""
    if "alliances" not in playing:
        return ()
    return (
        Verb(
            "ALLIED WITH", "whether two players are allies in a war", f"{one} ALLIED WITH {other}", "27.opt.alliances.5",
            ("side",), 1, 1, {"": ("side",)},
        ),
    )  # fmt: skip
