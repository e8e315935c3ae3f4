"""Units on their way: where they may enter, march, embark, and how they are equipped and fight."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Self

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.deeds import Lot, NotYet, Plan, Written, brigades_among, exactly
from referee.games.war.events.combat import UnitsEmbarked, UnitsMoved
from referee.games.war.position import DONE, Fleet, Land, Load, Offer, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning import Way, allied, friends
from referee.games.war.reckoning.income import has_room, kinds_allowed, standing_kinds
from referee.games.war.reckoning.scoring import is_colony, is_power, placeable
from referee.games.war.rulebook import BOARD, BRIGADES, EXCLUSIVE, LAND_UNITS, plural
from referee.kit.refused import Refused

# ---------------------------------------------------------------- who may enter which region
# At war, with a brigade, by cession, and not into another's revolt.


def cession_of(war: War, seat: Seat, region: str) -> Offer | None:
    """The standing offer by which the owner of a region would cede it to this player (27.move.cede.1)."""
    owner = war.lands[region].owner
    return next(
        (o for o in war.offers if o.kind == "cede" and o.region == region and o.maker == owner and o.to == seat), None
    )


def open_by_cession(war: War, seat: Seat, region: str) -> bool:
    """Whether another's region is ceded to this player, so that he takes it by entering."""
    return war.lands[region].owner not in (None, seat) and cession_of(war, seat, region) is not None


def ceded(war: War, seat: Seat, region: str) -> War:
    """The position after a cession as far as it can be foreseen: the region is his, the guests are gone."""
    land = war.lands[region]
    stacks = tuple(stack for stack in land.stacks if stack.owner == seat)
    return war.with_land(region, owner=seat, stacks=stacks)


def attack_allowed(war: War, seat: Seat, enemy: Seat) -> bool:
    """Whether war was declared in time: in one's own share only before it, otherwise for the next share (R27-71)."""
    own_share = war.stage == "movement" and war.active == seat
    return war.may_attack(seat, enemy) if own_share else war.at_war(seat, enemy)


def check_attack(war: War, seat: Seat, enemy: Seat, at: str) -> None:
    """Raises Refused unless this player may attack that one now (27.war.1, 27.war.4)."""
    if not war.at_war(seat, enemy):
        why = f"You are not at war with {enemy}; war declared now lets you attack in your next movement phase."
        raise Refused(why + declaration(war, seat, enemy), war.cite("27.war.1"), at)
    if not attack_allowed(war, seat, enemy):
        why = f"You declared war on {enemy} in this movement phase and may attack only from your next."
        raise Refused(why, war.cite("27.war.4"), at)


def declaration(war: War, seat: Seat, enemy: Seat) -> str:
    """How war is declared, for who can pay for it (27.war.3): told in words, so that no YES declares it."""
    return f" War is declared by DECLARE WAR ON {enemy} and costs 1 DP." if war.treasuries[seat].dp else ""


def check_entry(war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
    """Raises Refused unless units of these kinds may enter a region together and stay there."""
    land = war.lands[region]
    if land.owner in friends(war, seat):
        return
    brigade = any(kind in BRIGADES for kind in kinds) or land.brigades(seat) > 0
    if land.owner is None:
        _check_native(region, kinds, brigade)
    elif cession_of(war, seat, region):
        # 27.move.cede.2: a brigade takes a ceded region, and not while it is in revolt (R27-37).
        if land.revolt is not None:
            why = f"{land.name} is in revolt and cannot change hands before that is settled."
            raise Refused(why, "27.move.cede.1", land.name)
        if not brigade:
            raise NotYet(f"{land.name} is ceded to you, but only a brigade can take it.", "27.move.cede.2", land.name)
    else:
        _check_enemy(war, seat, land, brigade)


def _check_native(region: str, kinds: Collection[str], brigade: bool) -> None:
    """27.move.land.5, 27.move.land.6: other parties than explorers need a brigade (R27-32)."""
    lost = [kind for kind in kinds if kind not in BRIGADES and kind != "explorer"]
    if lost and not brigade:
        why = f"{plural(lost[0]).capitalize()} enter {region}, which is native, only with a brigade."
        raise NotYet(why, "27.move.land.5", lost[0])


def _check_enemy(war: War, seat: Seat, land: Land, brigade: bool) -> None:
    """27.move.land.3, 27.move.land.5, 27.production.revolt.10."""
    owner = land.owner
    assert owner is not None  # a native region was dealt with before
    if allied(war, seat, owner):
        raise Refused(f"{owner} does not let your units into {land.name}.", "27.opt.alliances.6", land.name)
    if not war.at_war(seat, owner):
        why = (
            f"{land.name} belongs to {owner}, with whom you are not at war; "
            "war declared now lets you enter in your next movement phase."
        )
        raise Refused(why + declaration(war, seat, owner), "27.move.land.3", land.name)
    check_attack(war, seat, owner, land.name)
    if land.revolt is not None:
        why = f"{land.name} is in revolt; nobody else may enter before that is settled."
        raise Refused(why, "27.production.revolt.10", land.name)
    if not brigade:
        why = f"Parties enter {land.name}, which is {owner}'s, only with a brigade."
        raise NotYet(why, "27.move.land.5", land.name)


class March(Plan, frozen=True):
    """The units that march, and their way. `ceded`: they take the region at its end by cession."""

    way: Way
    stacks: tuple[Stack, ...]
    ceded: bool = False

    @property
    def left(self) -> tuple[str, tuple[Stack, ...]]:
        return self.way.places[0], self.stacks

    def but_one(self, stay: Stack) -> Self:
        fewer = (replace(stack, number=stack.number - (stack is stay)) for stack in self.stacks)
        return replace(self, stacks=tuple(stack for stack in fewer if stack.number))

    @property
    def entered(self) -> tuple[str, ...]:
        return self.way.places[1:]

    @property
    def taken(self) -> str:
        return self.way.target if self.ceded else ""

    def brings(self, war: War, seat: Seat) -> tuple[UnitsMoved, ...]:
        """27.move.land.4, R27-32: brigades and their parties stop in foreign land, explorers may go on in native land.

        Each unit remembers the last region it came from.
        """
        owner, open_to = war.lands[self.way.target].owner, friends(war, seat)

        def arrived(stack: Stack) -> Stack:
            goes_on = owner in open_to or (owner is None and stack.kind == "explorer")
            return replace(stack, spent=stack.spent + self.way.cost if goes_on else DONE, origin=self.way.entered_from)

        return tuple(UnitsMoved(self.left[0], stack, self.way.target, arrived(stack)) for stack in self.stacks)


# ---------------------------------------------------------------- a region in revolt


def check_garrison(war: War, seat: Seat, region: str, stacks: Sequence[Stack], arrived: int, written: Written) -> None:
    """27.production.revolt.8: out of a region in revolt go only brigades beyond the number of native ones.

    `arrived` counts brigades that come through and are not there yet.
    """
    land, going = war.lands[region], brigades_among(stacks)
    if land.revolt is None or land.owner != seat or not going:
        return
    spare = max(0, land.brigades(seat) + arrived - land.revolt.brigades)
    if going > spare:
        left = _first(stacks, spare)
        why = f"{region} is in revolt with {land.revolt.brigades} native brigades: {spare} of yours may leave it."
        raise NotYet(why, "27.production.revolt.8", region, (written(left),) if left else ())


def spared(war: War, seat: Seat, places: Sequence[str], stacks: Sequence[Stack]) -> tuple[Stack, ...]:
    """27.production.revolt.8, R27-30: those that may leave the first place, and pass the others, in revolt."""
    left = tuple(stacks)
    for place in places:
        land = war.lands[place]
        if land.revolt is not None and land.owner == seat:
            spare = land.brigades(seat) - land.revolt.brigades
            if place == places[0] or spare < 0:
                left = _without(left, max(0, spare))
    return left or tuple(stacks)


def _without(stacks: Sequence[Stack], brigades: int) -> tuple[Stack, ...]:
    """All parties, and so many of the brigades in the order written."""
    left: list[Stack] = []
    for stack in stacks:
        number = min(stack.number, brigades) if stack.kind in BRIGADES else stack.number
        brigades -= number if stack.kind in BRIGADES else 0
        left += [replace(stack, number=number)] if number else []
    return tuple(left)


def _first(stacks: Sequence[Stack], brigades: int) -> list[Lot]:
    """The same as lots of an order."""
    return [exactly(stack.kind, stack.number) for stack in _without(stacks, brigades)]


# ---------------------------------------------------------------- embarking
# Land units board fleets, eight portage points a fleet (27.move.carry).


class Boarding(msgspec.Struct, frozen=True):
    """So many units of a stack go aboard one fleet."""

    stack: Stack
    fleet: int


class Embarkation(Plan, frozen=True):
    """Units that go aboard, at what cost in MP; `how`: by order, or in retreat."""

    region: str
    boardings: tuple[Boarding, ...]
    cost: int = 0
    how: str = "board"

    @property
    def left(self) -> tuple[str, tuple[Stack, ...]]:
        return self.region, tuple(boarding.stack for boarding in self.boardings)

    def but_one(self, stay: Stack) -> Self:
        fewer = (replace(b, stack=replace(b.stack, number=b.stack.number - (b.stack is stay))) for b in self.boardings)
        return replace(self, boardings=tuple(boarding for boarding in fewer if boarding.stack.number))

    def brings(self, war: War, seat: Seat) -> tuple[UnitsEmbarked, ...]:
        """Each unit pays for leaving the land, nothing from a railroad (R27-31)."""

        def load(stack: Stack) -> Load:
            return Load(stack.owner, stack.kind, stack.number, stack.spent + self.cost, self.region)

        return tuple(UnitsEmbarked(self.region, b.stack, b.fleet, load(b.stack), self.how) for b in self.boardings)


def allot(stacks: Sequence[Stack], fleets: Sequence[Fleet], as_named: bool = False) -> tuple[Boarding, ...]:
    """R27-39: units in this order to fleets, the first owner's before his allies'; `as_named`: in the order handed over."""
    boardings: list[Boarding] = []
    owner = fleets[0].owner if fleets else None
    ranked = fleets if as_named else sorted(fleets, key=lambda f: (f.owner != owner, f.spent, -f.points, f.number))
    room = {fleet.number: fleet.room for fleet in ranked}
    kinds = fleets[0].kinds if fleets else {}
    for stack in stacks:
        left = stack.number
        for number in room:
            fit = min(left, room[number] // kinds[stack.kind].portage)
            if fit:
                boardings.append(Boarding(replace(stack, number=fit), number))
                room[number] -= fit * kinds[stack.kind].portage
                left -= fit
    return tuple(boardings)


# ---------------------------------------------------------------- equipping
# Pieces for sale before play, and the places where they may stand.


def affordable(war: War, seat: Seat, lots: Iterable[Lot]) -> tuple[dict[str, int], tuple[str, ...]]:
    """The part of the purchase that can be paid for and placed, in the order written, and the reasons for the rest."""
    own = war.regions_of(seat)
    left, bought, short = war.treasuries[seat].pp, dict[str, int](), list[str]()
    for lot in lots:
        wanted = lot.quantity.of(left // war.price(lot.kind))
        most = min(wanted, left // war.price(lot.kind), _room(war, own, lot.kind, bought))
        if most < wanted:
            why = _why_short(lot.kind, (most + 1) * war.price(lot.kind), left)
            short.append(f"{wanted - most} of {lot.words()}: {why}")
        bought[lot.kind] = bought.get(lot.kind, 0) + most
        left -= most * war.price(lot.kind)
    return {kind: number for kind, number in bought.items() if number}, tuple(short)


def _room(war: War, own: Sequence[Land], kind: str, bought: dict[str, int]) -> int:
    """How many more of a piece the rules leave room for (27.setup.5)."""
    coastal = sum(BOARD.regions[land.name].coastal for land in own)
    own = [land for land in own if not is_colony(war, land.name)]
    match kind:
        case "school":
            return bought.get("city", 0) - bought.get("school", 0)
        case "fort":
            return len(own) - bought.get("fort", 0)
        case "city" | "factory" | "railroad" | "port":
            fitting = sum(has_room(war, land, kind) for land in own)
            slots = sum(kinds_allowed(war, land.name) - len(standing_kinds(land)) for land in own)
            return min(fitting - bought.get(kind, 0), slots - sum(bought.get(other, 0) for other in EXCLUSIVE))
        case "fleet":
            return 10_000 if coastal else 0
    return 10_000


def _why_short(kind: str, one_more: int, left: int) -> str:
    if one_more > left:
        return f"{left} PP are not enough."
    if kind == "school":
        return "a school needs a city of its own."
    if kind == "fleet":
        return "none of your regions has a coast."
    return "there is no region left for it."


def places_for(war: War, seat: Seat, kind: str) -> tuple[str, ...]:
    """Where a piece may stand at the start, the default first (27.setup.5, 27.setup.6)."""
    own = war.regions_of(seat)
    if kind == "fleet":
        seas = dict.fromkeys(sea for land in own for sea in BOARD.regions[land.name].seas)
        return tuple(sorted(seas, key=BOARD.position))
    if kind in LAND_UNITS:
        sites = [land for land in own if placeable(war, seat, kind, land.name)]
        return tuple(land.name for land in sorted(sites, key=lambda land: _exposure(war, seat, land.name)))
    return tuple(land.name for land in own if has_room(war, land, kind) and placeable(war, seat, kind, land.name))


def _exposure(war: War, seat: Seat, region: str) -> tuple[int, int]:
    foreign = sum(war.lands[other].owner not in (None, seat) for other in BOARD.regions[region].borders)
    units = war.lands[region].brigades(seat)
    return (units - 2 * foreign, BOARD.position(region))


# ---------------------------------------------------------------- what a combat phase comes to
# Battles to be resolved, regions where explorers may try the natives, and those where engineers may prospect.


def revolts_of(war: War, seat: Seat) -> tuple[str, ...]:
    """His regions in revolt, in the order of the map."""
    return tuple(land.name for land in war.lands.values() if land.owner == seat and land.revolt is not None)


def battles_of(war: War, seat: Seat) -> tuple[str, ...]:
    """Native regions and regions of enemies in which his brigades stand, in the order of the map."""
    there = (land for land in war.contested() if land.owner != seat and land.brigades(seat))
    return tuple(land.name for land in there if land.owner is None or war.at_war(seat, land.owner))


def to_resolve(war: War, seat: Seat) -> tuple[str, ...]:
    """Revolts, battles, and native regions with his explorers, each once."""
    explored = (land.name for land in war.regions_of(None) if land.count(seat, "explorer"))
    return tuple(dict.fromkeys((*revolts_of(war, seat), *battles_of(war, seat), *explored)))


GIFT_PRICE = 1
"""DP for a gift (27.combat.explorer.2)."""


def check_gift(war: War, seat: Seat, region: str) -> None:
    """27.combat.explorer.2: its DP, and an own region next door not won in this share, or a fleet. Raises NotYet or Refused."""
    place, rule = BOARD.regions[region], "27.combat.explorer.2"
    if war.treasuries[seat].dp < GIFT_PRICE:
        raise Refused(f"A gift costs {GIFT_PRICE} DP; you have {war.treasuries[seat].dp or 'none'}.", rule, "gift")
    old = any(war.lands[name].owner == seat and war.lands[name].won_in != war.share for name in place.borders)
    if not old and not any(war.fleets_of(seat, sea) for sea in place.seas):
        sentence = (
            f"A gift comes from an own region next to {region}, held before this phase, or a fleet off its coast."
        )
        raise NotYet(sentence, rule)


def regions_to_explore(war: War, seat: Seat) -> tuple[str, ...]:
    """Native regions in which a seat's explorers stand without a battle to fight, in the order of the map."""
    native = (land for land in war.lands.values() if land.owner is None and land.stacks)
    here = (land.name for land in native if land.count(seat, "explorer") and not land.brigades(seat))
    return tuple(name for name in here if not is_power(war, name))


PROSPECTING_PRICE = 5
"""PP for one search (27.combat.prospect.1)."""
