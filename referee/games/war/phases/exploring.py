"""Natives explored and resources prospected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.marching import GIFT_PRICE, PROSPECTING_PRICE, check_gift
from referee.games.war.events.combat import EXCHANGED, OrderFellShort, UnitsLost, UnitsRaised, fell_short
from referee.games.war.events.economy import ChitReplaced, chit_in_words
from referee.games.war.events.natives import DiplomacyPaid, DiplomacyRolled, SpherePlaced, SpheresRemoved
from referee.games.war.orders.combat import CombatOrder, ExploreRegion, ProspectRegion
from referee.games.war.orders.standing_home import FavourRule, PickRule
from referee.games.war.phases.control import draw_marker, reveal_marker, take_region
from referee.games.war.phases.windows import decide, decision, leave_region
from referee.games.war.position.places import Land, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import diplomacy_modifiers, outcome, signs_modifier
from referee.games.war.reckoning.scoring import is_power
from referee.games.war.rulebook import CHIT_VALUES
from referee.kit.refused import Refused

# ---------------------------------------------------------------- Native Diplomacy by explorers
# A roll in a native region, with a gift or without, in their owner's combat phase.


_RULE = "27.combat.explorer.3"


# ---------------------------------------------------------------- rolling


def explore(table: Table[War], seat: Seat, region: str, *orders: ExploreRegion | None) -> Script[None]:
    """R27-72: the explorers in a region roll one after the other, until it is won."""
    given = [order for order in orders if order is not None]
    for number in range(table.state.lands[region].count(seat, "explorer")):
        if table.state.lands[region].owner is None and not is_power(table.state, region):
            order = given[min(number, len(given) - 1)] if given else None
            yield from _attempt(table, seat, region, order, f"{region}/explorer {number + 1}")


def _attempt(table: Table[War], seat: Seat, region: str, order: ExploreRegion | None, name: str) -> Script[None]:
    """27.combat.explorer.2, .3: roll or not; the gift, before the marker is seen; dice; result."""
    yield from draw_marker(table, region)
    will = yield from _will(table, seat, region, order, name)
    if will == "wait":
        return
    gift = will == "gift" and _give(table, seat, region, order)
    friends = yield from _favours(table, seat, region, name)
    # 27.combat.explorer.3: 2d6, or 3d6 with a gift, and the modifiers, against the native level.
    marker = table.state.lands[region].marker
    assert marker is not None
    faces = table.roll(3 if gift else 2, 6, f"{region}: {seat}'s explorer", _RULE)
    lines, signs = diplomacy_modifiers(table.state, seat, region, friends), signs_modifier(marker)
    natural = set(faces) == {1}
    total = sum(faces) + sum(value for _, value in lines) + signs
    result = outcome(total, marker.strength, natural)
    rolled = DiplomacyRolled(seat, region, sum(faces), lines, signs, marker.strength, result, natural)
    if rolled.result != "control":
        reveal_marker(table, region, seat)
    table.emit(rolled)
    match rolled.result:
        case "control":
            yield from _settle(table, seat, region)
        case "sphere":
            yield from _influence(table, seat, region, order, name)
        case "retreat":
            yield from leave_region(table, seat, region, ("explorer",), f"{name}/way out", 1)
        case "lost":
            table.emit(UnitsLost(region, _explorer(table.state, seat, region), "killed by the natives", _RULE))


def _will(table: Table[War], seat: Seat, region: str, order: ExploreRegion | None, name: str) -> Script[str]:
    """Q22: `roll`, `gift` or `wait`; who gave an order is not asked."""
    if order is not None:
        return "gift" if order.gift else "roll"
    options = [Choice("roll", "roll", "without a gift"), Choice("wait", "wait", "leave the natives alone")]
    if _refusal(table.state, seat, region) is None:
        options.insert(1, Choice("gift", "gift", "roll with a gift of 1 DP: a die more"))

    def wanted(sheet: Sequence[Intent]) -> str | None:
        found = _order_for(sheet, region)
        if found is None:
            return None
        return "gift" if found.gift and len(options) > 2 else "roll"

    text = f"Your explorer is in {region}. Does he talk to the natives?"
    return (yield from decide(table, seat, f"{name}/roll", text, OneOf(options, "roll"), _RULE, wanted))


def _order_for(sheet: Sequence[Intent], region: str) -> ExploreRegion | None:
    return next((order for order in sheet if isinstance(order, ExploreRegion) and order.region == region), None)


def _refusal(war: War, seat: Seat, region: str) -> Refused | None:
    try:
        check_gift(war, seat, region)
    except Refused as refused:
        return refused
    return None


def _give(table: Table[War], seat: Seat, region: str, order: ExploreRegion | None) -> bool:
    """R27-72: whether the gift was given; its giver is told if it cannot be."""
    if refused := _refusal(table.state, seat, region):
        meant = order.meaning() if order else f"A gift in {region}"
        table.emit(OrderFellShort(seat, meant, f"{refused.illegal.sentence} He rolls without.", refused.illegal.rule))
        return False
    table.emit(DiplomacyPaid(seat, GIFT_PRICE, f"on a gift to the natives of {region}", "27.combat.explorer.2"))
    return True


def _favours(table: Table[War], seat: Seat, region: str, name: str) -> Script[tuple[Seat, ...]]:
    """Q23: owners of other spheres say whether theirs help; by default they hinder."""
    spheres = table.state.lands[region].spheres
    others = [owner for owner in table.state.order if owner != seat and spheres.get(owner)]
    questions = []
    for owner in others:
        menu = OneOf([Choice("against", False, "-1 for each"), Choice("for", True, "+1 for each")], False)
        text = f"{seat}'s explorer talks to the natives of {region}. Are your spheres there for or against him?"
        questions.append(decision(table, owner, f"{name}/favour of {owner}", text, menu, _RULE, _favour_for(seat)))
    answers = yield from table.ask_all(questions)
    return tuple(owner for owner, answer in zip(others, answers, strict=True) if answer.value)


def _favour_for(seat: Seat) -> Callable[[Sequence[Intent]], bool | None]:
    def wanted(sheet: Sequence[Intent]) -> bool | None:
        rules = [rule for rule in sheet if isinstance(rule, FavourRule)]
        return any(seat in rule.seats for rule in rules) if rules else None

    return wanted


def _explorer(war: War, seat: Seat, region: str) -> Stack:
    """One of the seat's explorers there, as a stack of one."""
    found = next(s for s in war.lands[region].stacks if s.owner == seat and s.kind == "explorer")
    return replace(found, number=1)


# ---------------------------------------------------------------- results


def _settle(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """R27-73: the region is his, its strength unchanged; an infantry brigade takes the explorer's place."""
    table.emit(UnitsLost(region, _explorer(table.state, seat, region), EXCHANGED, "R27-73"))
    table.emit(UnitsRaised(region, seat, "infantry", 1, by_rule="R27-73"))
    yield from take_region(table, seat, region, "explorer")


def _influence(table: Table[War], seat: Seat, region: str, order: ExploreRegion | None, name: str) -> Script[None]:
    """27.combat.explorer.3, .4, R27-72: place a sphere, or remove one of another's; at the limit only the latter."""
    land = table.state.lands[region]
    rivals = _rivals(table.state, seat, land)
    marker = land.marker
    room = marker is not None and sum(land.spheres.values()) < marker.strength
    places = [Choice("place", "", "a sphere of your own")] if room else []
    options = [*places, *(Choice(rival, str(rival), f"remove a sphere of {rival}") for rival in rivals)]
    if not options:
        return
    aim = yield from _aim(table, seat, region, order, name, options)
    if aim:
        why = f"{seat}'s explorer turns the natives against its owner"
        table.emit(SpheresRemoved(region, Seat(aim), 1, why, "27.combat.explorer.4"))
    else:
        table.emit(SpherePlaced(seat, region))


def _rivals(war: War, seat: Seat, land: Land) -> list[Seat]:
    """R27-72: owners of other spheres there, the default first."""
    others = [owner for owner in war.order if owner != seat and land.spheres.get(owner)]
    return sorted(others, key=lambda owner: -land.spheres[owner])


def _aim(
    table: Table[War], seat: Seat, region: str, order: ExploreRegion | None, name: str, options: list[Choice[str]]
) -> Script[str]:
    """Q22: "" to place a sphere, else whose to remove; what the order names, if it can be done, is not asked."""
    possible = [option.value for option in options]
    named = (order.remove or "") if order else None
    if order is not None and named and named not in possible:
        try:
            order.check_removal(table.state, seat)
        except Refused as refused:
            table.emit(fell_short(table.state, seat, order, refused, partly=True))
    if named in possible or len(options) == 1:
        return named if named in possible and named is not None else possible[0]

    def wanted(sheet: Sequence[Intent]) -> str | None:
        found = _order_for(sheet, region)
        return (found.remove or "") if found and (found.remove or "") in possible else None

    text = f"The natives of {region} listen to your explorer. What do you do?"
    menu = OneOf(options, possible[0])
    return (yield from decide(table, seat, f"{name}/influence", text, menu, "27.combat.explorer.4", wanted))


# ---------------------------------------------------------------- other orders of combat


def act(table: Table[War], seat: Seat, region: str, sheet: Sequence[Intent], acted: set[str]) -> Script[None]:
    """All that a sheet orders in a region besides battle and exploring, once in a combat phase, in the order written."""
    if region in acted:
        return
    acted.add(region)
    for order in sheet:
        if isinstance(order, CombatOrder) and order.region == region:
            try:
                order.permit(table.state, seat)
            except Refused as refused:
                table.emit(fell_short(table.state, seat, order, refused))
                continue
            if isinstance(order, ProspectRegion):
                yield from _prospect(table, seat, region)
                continue
            for event in order.brings(table.state, seat):
                table.emit(event)


def _prospect(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """27.combat.prospect.2, R27-74: draw a chit for every two schools, at least one; keep one, the rest go back."""
    war = table.state
    number, why = max(1, war.schools(seat) // 2), f"{region}: prospecting by {seat}"
    drawn = table.draw("the resource chits", war.chits, number, why, "27.combat.prospect.2", seen_by=(seat,))
    times = war.lands[region].searched[1] if war.lands[region].searched[0] == war.share else 0
    kept = yield from _kept(table, seat, region, drawn, f"{region}/prospecting {times + 1}")
    old = war.lands[region].chit or "?"
    table.emit(ChitReplaced(seat, region, old, drawn, kept or old, PROSPECTING_PRICE))


def _kept(table: Table[War], seat: Seat, region: str, drawn: tuple[str, ...], name: str) -> Script[str]:
    """Q24: which of the chits drawn stays; by default the most valuable."""
    kinds = tuple(dict.fromkeys(sorted(drawn, key=lambda chit: -CHIT_VALUES[chit])))
    if len(kinds) < 2:
        return "".join(kinds)

    def wanted(sheet: Sequence[Intent]) -> str | None:
        listed = [resource for rule in sheet if isinstance(rule, PickRule) for resource in rule.resources]
        return next((resource for resource in listed if resource in kinds), None)

    menu = OneOf([Choice(kind, kind, chit_in_words(kind)) for kind in kinds], kinds[0])
    text = f"Your engineer in {region} found {len(drawn)} chits. Which do you keep?"
    return (yield from decide(table, seat, name, text, menu, "27.combat.prospect.2", wanted))
