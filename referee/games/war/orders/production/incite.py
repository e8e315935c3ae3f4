"""INCITE: an attempt at a revolt in another's region (27.production.revolt)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.refused import granted
from referee.games.war.orders.base import Region
from referee.games.war.orders.naming import says
from referee.games.war.orders.production.diplomacy import sold_at_most
from referee.games.war.orders.production.natives import NativeOrder
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD
from referee.kit.declared import Words
from referee.kit.fields import Flag, Said, exact
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

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
            lack = (
                f"; {in_a_row(risen)} {'is' if len(risen) == 1 else 'are'} in revolt"
                if risen
                else ", and you have neither"
            )
            sentence = f"{what} from an own region next to {self.region} that is not in revolt, or a fleet off its coast{lack}."
            raise Refused(sentence, "27.production.revolt.5")


def _within_reach(war: War, seat: Seat, region: str) -> bool:
    place = BOARD.regions[region]
    neighbours = (war.lands[name] for name in place.borders)
    peaceful = any(land.owner == seat and land.revolt is None for land in neighbours)
    return peaceful or any(war.fleets_of(seat, sea) for sea in place.seas)
