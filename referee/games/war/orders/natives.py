"""Natives: spheres of influence, westernizing, incitement to revolt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.games.war.deeds import granted, line_of
from referee.games.war.events import WarEvent
from referee.games.war.orders.base import NATIVE_DIPLOMACY, Place, Region, Spheres, says
from referee.games.war.orders.base import only as named_once
from referee.games.war.orders.production import sold_at_most
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import put_off, reduced
from referee.games.war.rulebook import BOARD
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Field, Flag, Said, exact
from referee.kit.refused import Refused
from referee.kit.wording import are, counted, in_a_row

# ---------------------------------------------------------------- REMOVE and WESTERNIZE
# Spheres of influence taken off, and natives weakened (27.production.natives).


_SPHERES = "27.production.natives.spheres.1"
_WESTERNIZE = "27.production.natives.westernize.1"


class NativeOrder(Declared[War], frozen=True):
    """A deed of native diplomacy; some cost DP."""

    phase = NATIVE_DIPLOMACY

    def dp(self, war: War, seat: Seat) -> int:
        """Its price in DP."""
        return 1

    def permit(self, war: War, seat: Seat) -> None:
        """Raises Refused unless it may be done now, whoever pays for it."""
        raise NotImplementedError(type(self).__name__)

    def afford(self, war: War, seat: Seat) -> None:
        """Raises Refused unless the DP are at hand."""
        cost, held = self.dp(war, seat), war.treasuries[seat].dp
        if held < cost:
            raise Refused(f"It costs {cost} DP; you have {held}.", self.words.rule)

    def brings(self, war: War, seat: Seat) -> tuple[WarEvent, ...]:
        """Its events where it is done, of an order that has no step of its own in the phase (R27-18)."""
        raise NotImplementedError(type(self).__name__)

    def lawful(self, war: War, seat: Seat) -> bool:
        """Whether it may be done and, where the DP are known that count, paid."""
        paid = war.stage != "production" or granted(self.afford, war, seat)
        return paid and granted(self.permit, war, seat) and super().lawful(war, seat)


# ---------------------------------------------------------------- REMOVE


class _Owner(Field[Seat]):
    """The player whose spheres are meant; where OF is missing, those of the only player who has any there."""

    needed = False

    def read(self, said: Said) -> Seat:
        owner = named_once(said.order, _SPHERES, "OF")
        if owner:
            return Seat(owner)
        region = _FROM.read(said)
        owners = [seat for seat, there in said.state.lands[region].spheres.items() if there]
        if len(owners) != 1:
            lines = tuple(line_of(RemoveSphere(region, seat)) for seat in owners)
            raise Refused("Say whose sphere: REMOVE 1 sphere OF a player.", _SPHERES, region, lines)
        return Seat(owners[0])

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Seat]]:
        """Others first."""
        return (Choice(owner, owner) for owner in (*state.after(seat), seat))

    def things(self, value: Seat, state: Any) -> tuple[Thing, ...]:
        return (Thing("side", value),)


def _with_spheres(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Where somebody has spheres, and what one costs."""
    there = (land.name for land in war.lands.values() if land.spheres.get(got["owner"]))
    return (placed(name, RemoveSphere(name, got["owner"]).price(war, seat)) for name in there)


_FROM = Place("region", "FROM", ("IN",), _SPHERES, among=_with_spheres)


def _removable(said: Said) -> int:
    return RemoveSphere(said.got["region"], said.got["owner"]).most(said.state, said.seat)


class RemoveSphere(NativeOrder, frozen=True):
    """Spheres taken off a region: an enemy's or rival's as its owner, or one's own (27.production.natives.spheres)."""

    region: str
    owner: Seat
    number: int = 1

    words = Words("REMOVE", "take spheres of influence off a region", _SPHERES, "REMOVE 1 sphere OF {other} FROM Egypt")
    plain = Plain("Take spheres off")
    fields = (_Owner("owner", ("side",), "OF"), _FROM, Spheres("number", "", _SPHERES, str, held=_removable))
    says = "Take {number} of {owner}'s spheres of influence off {region}."

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> Iterator[Self]:
        """Others' spheres: all of an enemy's, which are free."""
        for land in war.regions_of(seat):
            orders = (cls(land.name, owner) for owner in land.spheres if owner != seat)
            yield from (replace(o, number=o.most(war, seat)) for o in orders if o.lawful(war, seat))

    def check(self, war: War, seat: Seat) -> None:
        """27.production.natives.spheres.3: in movement a player takes off his own spheres only."""
        moving = war.stage == "movement" and war.active == seat
        if moving and self.owner != seat:
            why = "Others' spheres are removed in production; in movement you take off your own."
            raise Refused(why, _SPHERES, self.owner)
        if moving or war.stage == "production":
            self.permit(war, seat)
            self._check_number(war, seat)

    def permit(self, war: War, seat: Seat) -> None:
        """27.production.natives.spheres: one's own anywhere; others' in one's own region outside a revolt. Raises Refused."""
        land = war.lands[self.region]
        if self.owner != seat and land.owner != seat:
            raise Refused(
                f"Others' spheres can be removed in your own regions only; {land.name} is not yours.", _SPHERES
            )
        if not land.spheres.get(self.owner):
            raise Refused(f"{self.owner} has no sphere of influence in {land.name}.", _SPHERES, at=self.owner)
        if self.owner != seat and land.revolt:
            raise Refused(f"{land.name} is in revolt; only owners may take off their spheres there.", "R27-20")

    def _check_number(self, war: War, seat: Seat) -> None:
        most = self.most(war, seat)
        if self.number > most:
            there = f"{self.owner} has {most} there."
            why = there if self.free(war, seat) else "One foreign sphere a region is bought off in a turn."
            raise Refused(why, _SPHERES, str(self.number), (line_of(replace(self, number=most)),))

    def free(self, war: War, seat: Seat) -> bool:
        """27.production.natives.spheres.2: whether it costs nothing, and any number goes: an enemy's or one's own."""
        return self.owner == seat or war.at_war(seat, self.owner)

    def dp(self, war: War, seat: Seat) -> int:
        return int(not self.free(war, seat))

    def most(self, war: War, seat: Seat) -> int:
        """27.production.natives.spheres.1: how many can be taken off in a turn."""
        return war.lands[self.region].spheres.get(self.owner, 0) if self.free(war, seat) else 1

    def lawful(self, war: War, seat: Seat) -> bool:
        return self.number <= self.most(war, seat) and super().lawful(war, seat)

    def price(self, war: War, seat: Seat) -> str:
        """The price of one, in words."""
        there = counted(war.lands[self.region].spheres[self.owner], "spheres")
        return f"{there}, {'free' if self.free(war, seat) else '1 DP for one'}"


# ---------------------------------------------------------------- WESTERNIZE


LOWERED = 3
"""Points of native strength for 1 DP (27.production.natives.westernize.1)."""


def _taking(spheres: int) -> str:
    return f" and take {spheres} of your own spheres off it" if spheres else ""


def _own(said: Said) -> int:
    return int(said.state.lands[said.got["region"]].spheres.get(said.seat, 0))


def _own_natives(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """A player's regions with natives."""
    marked = (land for land in war.regions_of(seat) if land.marker is not None)
    return (placed(land.name, f"natives of strength {land.marker}") for land in marked)


class WesternizeRegion(NativeOrder, frozen=True):
    """DP to lower a region's native strength, and so many own spheres taken off for 1 each."""

    region: str
    spheres: int = 0

    words = Words(
        "WESTERNIZE",
        f"spend 1 DP on lowering a region's native strength by {LOWERED}; WITH takes own spheres off for 1 each",
        _WESTERNIZE,
        "WESTERNIZE Sudan WITH 1 sphere",
        ("CIVILIZE",),
    )
    plain = Plain(rank=4)
    fields = (
        Region(_own_natives),
        Spheres("spheres", "WITH", _WESTERNIZE, _taking, needed=False, held=_own),
    )
    says = "Spend 1 DP on westernizing {region}{spheres}."

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> list[Self]:
        """Every region where it can be done."""
        every = (cls(land.name) for land in war.regions_of(seat))
        return [order for order in every if order.lawful(war, seat)]

    def sensible(self, war: War, seat: Seat) -> bool:
        """Whether the spheres taken off leave natives to spend the DP on."""
        marker = war.lands[self.region].marker
        return not self.spheres or (marker is not None and reduced(marker, self.spheres) is not None)

    def check(self, war: War, seat: Seat) -> None:
        if war.stage != "production":
            return
        self.permit(war, seat)
        own = war.lands[self.region].spheres.get(seat, 0)
        if self.spheres > own:
            instead = (line_of(replace(self, spheres=own)),)
            raise Refused(f"You have {counted(own, 'spheres')} in {self.region}.", _WESTERNIZE, "spheres", instead)

    def permit(self, war: War, seat: Seat) -> None:
        """27.production.natives.westernize.1: one's own region with a marker and without revolt. Raises Refused."""
        land = war.lands[self.region]
        if land.owner != seat:
            raise Refused(f"{land.name} is not yours to westernize.", _WESTERNIZE)
        if land.marker is None:
            raise Refused(f"{land.name} is westernized already.", "27.production.natives.westernize.4")
        if land.revolt is not None and not put_off(war, land):
            raise Refused(f"{land.name} is in revolt; its natives cannot be westernized now.", "R27-20")


# ---------------------------------------------------------------- INCITE
# An attempt at a revolt in another's region (27.production.revolt).


_WHERE, _PRICE = "27.production.revolt.1", "27.production.revolt.2"


class _Means(Flag):
    """Whether WITH names such a means; a bribe may be said by BRIBE alone, too."""

    def __init__(self, name: str, thing: Thing, alone: str, says: str, otherwise: str, meaning: str) -> None:
        super().__init__(name, thing.kind, "WITH", thing.kind, "", meaning)
        self.kinds, self.say = ("bribe", "sphere"), lambda on: says if on else otherwise
        self.thing, self.alone = thing, alone

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {self.under: self.kinds, **({self.alone: ()} if self.alone else {})}

    def read(self, said: Said) -> bool:
        return self.thing.kind in [thing.kind for thing in said.after("WITH")] or says(said.order, self.alone)

    def clauses(self, value: bool, state: Any) -> Iterator[Clause]:
        if value:
            yield Clause("WITH", (self.thing,))


def _others_regions(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Other players' regions with natives."""
    theirs = (land for land in war.lands.values() if land.marker is not None and land.owner not in (None, seat))
    return (placed(land.name, f"{land.owner}'s") for land in theirs)


class InciteRevolt(NativeOrder, frozen=True):
    """An attempt at a revolt in another's region."""

    region: str
    bribe: bool = False
    with_sphere: bool = False

    words = Words(
        "INCITE",
        "try to incite a revolt in another's region, for 1 DP or a sphere of yours there",
        _PRICE,
        "INCITE Sudan WITH 1 sphere, bribe",
        ("INCITE REVOLT IN", "INCITE A REVOLT IN"),
    )
    plain = Plain("Incite a revolt", rank=5)
    fields = (
        Region(_others_regions),
        _Means(
            *("with_sphere", Thing("sphere", "spheres", exact(1)), "", "one of your spheres there", "1 DP"),
            meaning="instead of 1 DP",
        ),
        _Means("bribe", Thing("bribe", "bribe"), "BRIBE", ", and 1 DP as a bribe", "", "1 DP: -3 to the roll"),
    )
    says = "Try to incite a revolt in {region} for {with_sphere}{bribe}."

    def lawful(self, war: War, seat: Seat) -> bool:
        return granted(self.permit, war, seat)

    def check(self, war: War, seat: Seat) -> None:
        """In production; DP that may still be bought count."""
        if war.stage != "production":
            return
        try:
            self.permit(war.paying(seat, dp=sold_at_most(war, seat)), seat)
        except Refused as refused:
            raise self._cheaper(war, seat, refused) from None

    def _cheaper(self, war: War, seat: Seat, refused: Refused) -> Refused:
        """The refusal with the same attempt paid otherwise, where that is lawful and costs no DP that was not offered."""
        every = (replace(self, bribe=bribe, with_sphere=sphere) for sphere in (False, True) for bribe in (False, True))
        cheaper = [
            way for way in every if way != self and way.dp(war, seat) <= self.dp(war, seat) and way.lawful(war, seat)
        ]
        found = refused.illegal
        instead = tuple(map(line_of, cheaper))
        return Refused(found.sentence, found.rule, found.at or self.region, instead or found.instead)

    def dp(self, war: War, seat: Seat) -> int:
        """27.production.revolt.2, .3: 1 DP or a sphere, and 1 DP more for a bribe."""
        return (not self.with_sphere) + self.bribe

    def permit(self, war: War, seat: Seat) -> None:
        """27.production.revolt.1, .2, .5, R27-20, R27-21: whether a seat may try it now. Raises Refused."""
        land = war.lands[self.region]
        if land.owner is None or land.owner == seat:
            raise Refused(f"{land.name} is not another player's region.", _WHERE)
        if land.marker is None:
            raise Refused(f"{land.name} is westernized; no natives are left to revolt.", _WHERE)
        if land.revolt is not None:
            raise Refused(f"{land.name} is in revolt already.", "R27-20")
        if land.tried == war.turn and war.stage == "production":
            raise Refused(f"A revolt was attempted in {land.name} this turn; one a turn is allowed.", _WHERE)
        self._check_price(war, seat)

    def _check_price(self, war: War, seat: Seat) -> None:
        if self.with_sphere and not war.lands[self.region].spheres.get(seat):
            raise Refused(f"You have no sphere of influence in {self.region} to pay with.", _PRICE)
        self.afford(war, seat)
        if self.dp(war, seat) and not _within_reach(war, seat, self.region):
            what = "The DP of a bribe comes" if self.with_sphere else "DP for it come"
            risen = [name for name in BOARD.regions[self.region].borders if war.lands[name].owner == seat]
            lack = f"; {in_a_row(risen)} {are(len(risen))} in revolt" if risen else ", and you have neither"
            sentence = f"{what} from an own region next to {self.region} that is not in revolt, or a fleet off its coast{lack}."
            raise Refused(sentence, "27.production.revolt.5")


def _within_reach(war: War, seat: Seat, region: str) -> bool:
    place = BOARD.regions[region]
    neighbours = (war.lands[name] for name in place.borders)
    peaceful = any(land.owner == seat and land.revolt is None for land in neighbours)
    return peaceful or any(war.fleets_of(seat, sea) for sea in place.seas)
