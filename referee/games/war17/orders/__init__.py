"""The orders of Version 1.7 by their verbs, and the words in which they are written: its own, and shared ones by its rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from typing import Self

from msgspec.structs import astuple, replace

from referee.core.choices import Asking, Choice, Nothing, one, several
from referee.core.names import Seat
from referee.core.order import Noun, Verb, Vocabulary
from referee.core.table import Table
from referee.games.war.deeds import SINGULARS, NotYet, lots_in_words
from referee.games.war.deeds.marching import cession_of, check_attack
from referee.games.war.orders import BOOK, optional_nouns
from referee.games.war.orders import vocabulary_of as vocabulary_27
from referee.games.war.orders.attack import AttackFleets, DeclareWar
from referee.games.war.orders.building import (
    NOTHING,
    BuildAction,
    BuildBuilding,
    BuildUnits,
    Works,
    check_own,
    free_engineers,
)
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.combat import CombatOrder, DestroyWorks, ResolveInOrder, Told
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.offers import OFFERS, GivePoints
from referee.games.war.orders.production import DevelopResource
from referee.games.war.orders.setup import EQUIPMENT, BuyPieces, Pieces, equipping
from referee.games.war.position import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning import Way, gate_between
from referee.games.war.rulebook import BRIGADES, plural
from referee.games.war17.events import HourCalled
from referee.games.war17.orders.standing import STANDING17
from referee.games.war17.position import Position, first_position
from referee.games.war17.rulebook import RESOURCE_FACTOR, cite
from referee.kit.declared import AT_ONCE, Book, Declared, Plain, Words
from referee.kit.fields import Fixed, One, Said
from referee.kit.refused import Refused
from referee.kit.rulebook import Tongues, tongues

# ---------------------------------------------------------------- what is done at once in Version 1.7
# The offers of Version 27, gifts of PP alone, and CALL (R17-11).


class GivePoints17(GivePoints, frozen=True, tag="GivePoints"):
    """PP given to another player; there are no DP (17.production.2)."""

    @classmethod
    def read(cls, said: Said) -> Declared[War]:
        if said.order.things[0].name == "DP":
            raise Refused("Version 1.7 has no diplomacy points; PP can be given.", "17.production.2", "DP")
        return super().read(said)


class CallHour(Declared[War], frozen=True):
    """The word that the hour agreed for the end has come (R17-11)."""

    words = Words(
        "CALL",
        "say that the hour agreed for the end has come; when all have, this turn is the last",
        "R17-11",
        "CALL hour",
    )
    plain = Plain("The hour has come", theme="Other powers")
    fields = (Fixed(("hour",), "hour"),)
    says = "Say that the hour to end the game has come; when all have said so, this turn is the last."
    phase = AT_ONCE

    def lawful(self, war: War, seat: Seat) -> bool:
        """Where an hour was agreed and he has not called it."""
        return isinstance(war, Position) and war.options["end"] == "hour" and seat not in war.over_by

    def do_at_once(self, table: Table[War], seat: Seat) -> None:
        if self.lawful(table.state, seat):
            table.emit(HourCalled(seat))


ASIDES = (*(GivePoints17 if order is GivePoints else order for order in OFFERS), CallHour)


# ---------------------------------------------------------------- movement and combat in Version 1.7
# The orders of Version 27, judged by its own rules where they differ.


# ---------------------------------------------------------------- who may enter


def _check_entry(war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
    """Raises Refused unless units of these kinds may enter a region together and stay there."""
    land = war.lands[region]
    if land.owner == seat:
        return
    brigade = any(kind in BRIGADES for kind in kinds) or land.brigades(seat) > 0
    if land.owner is None:
        _check_native(land, seat, kinds, brigade)
        return
    if cession_of(war, seat, region) is None:
        if not war.at_war(seat, land.owner):
            why = f"{region} belongs to {land.owner}, with whom you are not at war: nobody of yours may stay there."
            raise Refused(why, "17.move.land.2", region)
        check_attack(war, seat, land.owner, region)
    if not brigade:
        raise NotYet(f"Only brigades can take {region}; parties go with them.", "R17-24", region)


def _check_native(land: Land, seat: Seat, kinds: Collection[str], brigade: bool) -> None:
    """17.move.land.5: who would be lost at the end of the phase is not sent; leaders go with an explorer."""
    explorer = "explorer" in kinds or land.count(seat, "explorer") > 0
    lost = [k for k in kinds if k not in BRIGADES and k != "explorer" and not (k == "leader" and explorer)]
    if lost and not brigade:
        why = f"{plural(lost[0]).capitalize()} in {land.name}, which is native, would be lost without a brigade."
        raise NotYet(why, "17.move.land.5", lost[0])


# ---------------------------------------------------------------- movement


class SailFleets17(SailFleets, frozen=True, tag="SailFleets"):
    """Fleets that sail; an enemy's strait is not counted on (17.board.4, R17-19)."""

    def lawful(self, war: War, seat: Seat) -> bool:
        return super().lawful(war, seat) and not self._past_an_enemy(war, seat)

    def _past_an_enemy(self, war: War, seat: Seat) -> bool:
        gates = (gate_between(*step) for step in self.plan(war, seat, True).way.pairs())
        keepers = (war.lands[gate.region].owner for gate in gates if gate is not None)
        return any(keeper is not None and war.at_war(seat, keeper) for keeper in keepers)


class MoveUnits17(MoveUnits, frozen=True, tag="MoveUnits"):
    """Land units that march together, through `via` where named; a region may be left without a brigade (R17-10)."""

    leaves_one = False
    over_sea = ("27.board.3",)
    shapes = (SailFleets17,)

    @classmethod
    def enter(cls, war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
        _check_entry(war, seat, region, kinds)

    def _through_others(self, war: War, seat: Seat, legs: Sequence[Way]) -> Refused:
        foreign = ", ".join(name for leg in legs for name in leg.places[1:-1] if war.lands[name].owner != seat)
        why = f"The way to {self.target} leads through {foreign}; land of others is crossed only where VIA names it."
        return Refused(why, "17.move.land.4", self.target)

    def _check_steps(self, war: War, seat: Seat, way: Way) -> None:
        """17.move.land.3: units stop at enemies, brigades in native regions."""
        for place in way.places[1:-1]:
            owner = war.lands[place].owner
            if owner is None and any(lot.kind in BRIGADES for lot in self.lots):
                raise Refused(f"Brigades that enter {place}, which is native, stop there.", "17.move.land.3", place)
            if owner not in (None, seat) and war.at_war(seat, owner):
                why = f"Units that enter {place}, which is {owner}'s, stop there."
                raise Refused(why, "17.move.land.3", place)


class EmbarkUnits17(EmbarkUnits, frozen=True, tag="EmbarkUnits"):
    """Land units that board; a region may be left without a brigade (R17-10)."""

    leaves_one = False


class LandUnits17(LandUnits, frozen=True, tag="LandUnits"):
    """Units put ashore where this edition lets them in (17.move.carry.2, 17.move.land.2)."""

    @classmethod
    def enter(cls, war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
        _check_entry(war, seat, region, kinds)


class DeclareWar17(DeclareWar, frozen=True, tag="DeclareWar"):
    """War declared, which costs nothing (17.war.2)."""

    words = replace(DeclareWar.words, meaning="declare war; you may attack from your next movement phase")
    says = "Declare war on {enemy}; you may attack from your next movement phase."


# ---------------------------------------------------------------- combat


def explorers_in(war: War, seat: Seat) -> tuple[str, ...]:
    """17.explore.1: native regions where his explorers stand, in the order of the map."""
    return tuple(land.name for land in war.regions_of(None) if land.count(seat, "explorer"))


class ExploreRegion17(CombatOrder, frozen=True, tag="ExploreRegion"):
    """Explorers who try the natives, or with `wait` stay among them and do not try them now (17.explore.1)."""

    before_battle: bool = False
    wait: bool = False

    words = Words(
        "EXPLORE",
        "let your explorer try the natives of a region (he does, unless you say LATER); BEFORE battle where brigades came with him",
        "17.explore.1",
        "EXPLORE Sudan BEFORE battle",
    )
    plain = Plain(rank=6)
    fields = (
        One("region", ("region",), taken=str),
        Told("before_battle", "BEFORE", "battle", ", before the battle"),
        Told("wait", "LATER", "", ""),
    )
    says = "Let your explorers try the natives of {region}{before_battle}."

    def meaning(self) -> str:
        if self.wait:
            return f"Let your explorers wait in {self.region}; they do not try its natives now."
        return super().meaning()

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """Where his explorers stand among natives; before the battle there, or not now."""
        region = yield from one("region", (Choice(name, name, "", name) for name in explorers_in(war, seat)))
        early, late = (
            Choice("BEFORE", "before", "rather than after a battle there"),
            Choice("LATER", "later", "they wait"),
        )
        when = yield from several("when", [early, late], 0, 1)
        return cls(region, when == ("before",), when == ("later",))

    def permit(self, war: War, seat: Seat) -> None:
        if war.lands[self.region].owner is not None:
            raise Refused(f"{self.region} is not native; explorers go among natives.", "17.explore.1", self.region)
        if not war.lands[self.region].count(seat, "explorer"):
            raise NotYet(f"No explorer of yours is in {self.region}.", "17.explore.1", self.region)


# ---------------------------------------------------------------- BUY in Version 1.7
# Pieces before play, and nothing else (17.setup.4).


class BuyPieces17(BuyPieces, frozen=True, tag="BuyPieces"):
    """Units and buildings bought before play; there are no diplomacy points (17.production.2)."""

    words = Words("BUY", "before play buy pieces", BuyPieces.words.rule, BuyPieces.words.example)
    fields = (Pieces("lots", ("unit", "building"), "", lots_in_words),)
    shapes = ()

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Declared[War]]:
        if not equipping(war, seat):
            raise Nothing
        return (yield from super().choices(war, seat))


SET_UP = tuple(BuyPieces17 if order is BuyPieces else order for order in EQUIPMENT)


# ---------------------------------------------------------------- BUILD, CONSTRUCT and DEVELOP in Version 1.7
# The buildings of each kind of place, and their prices (17.production.build).


_WORKS = "17.production.build.1"


class _Work(BuildAction, frozen=True):
    """A work of an engineer, who does nothing else in the phase; the price is the full one (17.production.build.1)."""

    def needs_engineer(self, war: War) -> bool:
        return True

    def adds(self, done: Works, engineer: bool = True) -> Works:
        return super().adds(done, engineer)

    def permit(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        check_own(war, seat, self.site)
        self.check_site(war, war.lands[self.site])
        if free_engineers(war, seat, self.site, done) < 1:
            more = "free " if done.engineers.get(self.site) else ""
            why = f"There is no {more}engineer of yours in {self.site}; each works on one thing a phase."
            raise Refused(why, _WORKS, self.site)

    def check(self, war: War, seat: Seat) -> None:
        """The check refuses only faults that no earlier line of the sheet can mend."""
        if war.stage == "production":
            with suppress(NotYet):
                self.permit(war, seat)


class BuildBuilding17(_Work, BuildBuilding, frozen=True, tag="BuildBuilding"):
    """One building in a region, by an engineer who does nothing else in the phase."""

    def check_site(self, war: War, land: Land) -> None:
        """17.pieces.2: a school may follow its city in one phase."""
        if self.kind == "school" and not land.has("city") and not land.has("school"):
            raise NotYet(f"{land.name} has no city; a school needs one.", "17.pieces.2", self.kind)
        super().check_site(replace(war, new_cities=()), land)


class DevelopResource17(_Work, DevelopResource, frozen=True, tag="DevelopResource"):
    """The resource of a region developed for twice its value, by an engineer who does nothing else in the phase."""

    factor = RESOURCE_FACTOR


class BuildUnits17(BuildUnits, frozen=True, tag="BuildUnits"):
    """Units bought in a region, as many as the PP pay for; they are built before buildings (17.production.build.2)."""

    shapes = (BuildBuilding17,)

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "production":
            self.permit(war, seat)


BOOK17: Book[War] = Book(
    (
        *SET_UP,
        BuildUnits17,
        BuildBuilding17,
        DevelopResource17,
        MoveUnits17,
        EmbarkUnits17,
        SailFleets17,
        LandUnits17,
        AttackFleets,
        DeclareWar17,
        DestroyWorks,
        ResolveInOrder,
        ExploreRegion17,
        *ASIDES,
        *STANDING17,
    ),
    SINGULARS,
)


def own_verbs(*phases: str) -> tuple[str, ...]:
    """The verbs of these phases that this edition alone has."""
    return tuple(verb for verb in BOOK17.verbs_of(*phases) if verb not in BOOK.orders)


def here(order: Declared[War]) -> Declared[War]:
    """An order of Version 27 as this edition's: the same words, judged by its rules."""
    kind = BOOK17.orders[order.words.verb]
    return order if type(order) is kind else kind(*astuple(order))


# ---------------------------------------------------------------- the words of Version 1.7
# Those of War! that it has, in its numbers, and those of the battle plan.


_NO_NOUNS = ("spheres", "bribe", "gift", "support", "suppress", "points", "strength")
_NO_TESTS = ("IN REVOLT", "WESTERNIZED", "DP", "spheres")


@cache
def spoken() -> Tongues:
    """People's own words for the words of Version 1.7: those of War!, and its own."""
    shared = ("referee.games.war.rulebook/names.toml", "referee.games.war.orders/verbs.toml")
    return tongues(*shared, "referee.games.war17.orders/names.toml", "referee.games.war17.orders/verbs.toml")


def vocabulary_of(war: War) -> Vocabulary:
    """The words of a match; the same object for the same seats."""
    return _vocabulary(tuple(sorted(war.seats)), war.options["end"])


@lru_cache(maxsize=256)
def _vocabulary(seats: tuple[Seat, ...], end: str) -> Vocabulary:
    from_27 = vocabulary_27(first_position(seats, {"decisions": "standing"}))
    declared = BOOK17.verbs(other=seats[-1])
    verbs = tuple(_here(verb) for verb in declared if end == "hour" or verb.word != CallHour.words.verb)
    nouns = (_led(noun) for noun in (*from_27.nouns, *optional_nouns(("scorched",))) if noun.name not in _NO_NOUNS)
    tests = (_here(test) for test in from_27.predicates if test.word not in _NO_TESTS)
    return spoken().vocabulary(Vocabulary(verbs, tuple(dict.fromkeys((*nouns, *_NOUNS))), tuple(tests)))


def _here(verb: Verb) -> Verb:
    """A verb of Version 27 with this edition's rule and name of a leader (R17-22)."""
    word, meaning, example = (text.replace("general", "leader") for text in (verb.word, verb.meaning, verb.example))
    return replace(verb, word=word, meaning=meaning, example=example, rule=cite(verb.rule))


def _led(noun: Noun) -> Noun:
    """R17-22: leaders may be called generals."""
    return Noun("leaders", noun.kind, ("leader", noun.name, *noun.aliases)) if noun.name == "generals" else noun


_NOUNS = (
    Noun("left", "sector", ("left wing",)),
    Noun("centre", "sector", ("center", "middle")),
    Noun("right", "sector", ("right wing",)),
    Noun("even", "spread", ("evenly",)),
    Noun("weakest", "weakness"),
    Noun("assault", "stance", ("charge",)),
    Noun("stand", "stance", ("hold",)),
    Noun("auto", "stance", ("automatic",)),
    Noun("hour", "hour", ("the end",)),
)
