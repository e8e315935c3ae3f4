"""A battle on land, and what may be done instead: natives explored, resources prospected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.marching import (
    GIFT_PRICE,
    PROSPECTING_PRICE,
    battles_of,
    check_gift,
    regions_to_explore,
    revolts_of,
)
from referee.games.war.events.combat import (
    EXCHANGED,
    BattleBegan,
    BattleEnded,
    OrderFellShort,
    PartyConverted,
    UnitsLost,
    UnitsRaised,
    fell_short,
)
from referee.games.war.events.course import GuestsDefended
from referee.games.war.events.economy import ChitReplaced, chit_in_words
from referee.games.war.events.natives import DiplomacyPaid, DiplomacyRolled, SpherePlaced, SpheresRemoved
from referee.games.war.orders.combat import CombatOrder, ExploreRegion, ProspectRegion, ResolveInOrder
from referee.games.war.orders.standing import ConvertRule, RunNatives
from referee.games.war.orders.standing_home import FavourRule, PickRule
from referee.games.war.phases import (
    consult,
    decide,
    decision,
    draw_marker,
    inherit,
    leave_region,
    pacify,
    reveal_marker,
    revert,
    take_region,
)
from referee.games.war.phases.battle_rounds import ROLES, fight_round
from referee.games.war.phases.production import revolt_chain
from referee.games.war.phases.reinforce_and_retreat import forced_retreat, voluntary_retreat
from referee.games.war.position import Army, Land, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning import guests
from referee.games.war.reckoning.battle import Battle
from referee.games.war.reckoning.income import diplomacy_modifiers, native_army, outcome, signs_modifier
from referee.games.war.reckoning.scoring import Judged, in_force, is_power
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


# ---------------------------------------------------------------- who leads the natives of a region that is attacked
# Another player, by what he has ordered, or nobody.


def who_runs_natives(table: Table[War], player: Seat, battle: str, rule: str) -> Script[Seat | None]:
    """27.combat.natives.4, 17.combat.natives.2, R27-57, Q27: a volunteer, enemies of the player first.

    `battle` begins the question's key; `rule` is the edition's.
    """
    others = table.state.after(player)
    enemies = [seat for seat in others if table.state.at_war(seat, player)]
    for seat in (*enemies, *(seat for seat in others if seat not in enemies)):

        def wanted(sheet: Sequence[Intent]) -> bool | None:
            rules = [rule for rule in sheet if isinstance(rule, RunNatives)]
            return any(not rule.against or player in rule.against for rule in rules) if rules else None

        menu = OneOf([Choice("yes", True), Choice("no", False)], False)
        if (yield from consult(table, seat, f"{battle}/natives/{seat}", "", menu, rule, wanted)):
            return seat
    return None


# ---------------------------------------------------------------- land battle
# Land battles from the first round to who holds the region, against players and against natives.


def land_battle(table: Table[War], attacker: Seat, region: str, name: str) -> Script[None]:
    """27.combat.land.1: an attack on a region, fought until one side is out; a native region's army is its marker's."""
    defender = table.state.lands[region].owner
    if defender is None:
        # 27.combat.natives.1, 27.combat.results.2: natives also win when nobody is left.
        yield from draw_marker(table, region)
        reveal_marker(table, region)
        marker = table.state.lands[region].marker
        army = native_army(marker) if marker else Army(0)
        runner = yield from who_runs_natives(table, attacker, name, "27.combat.natives.4")
        battle = yield from _fought(table, Battle(region, name, attacker, None, army, runner))
        if battle.brigades(table.state, "attacker"):
            yield from take_region(table, attacker, region, "conquest")
            yield from pacify(table, attacker, region, revolt=False)
    else:
        allies = _defending(table, region, defender, attacker)
        yield from _attack_on_player(table, Battle(region, name, attacker, defender, allies=allies))


def revolt_battle(table: Table[War], owner: Seat, region: str, name: str) -> Script[None]:
    """27.combat.natives.6: an owner defends his region, with its fort, against the army of its revolt."""
    army = table.state.lands[region].revolt or Army(0)
    runner = yield from who_runs_natives(table, owner, name, "27.combat.natives.4")
    allies = _defending(table, region, owner, None)
    battle = yield from _fought(table, Battle(region, name, None, owner, army, runner, allies=allies))
    if battle.brigades(table.state, "defender"):
        yield from inherit(table, region)
        yield from pacify(table, table.state.lands[region].owner or owner, region, revolt=True)
    else:
        yield from revert(table, region, after_revolt=True)
        yield from revolt_chain(table, region)


def _defending(table: Table[War], region: str, owner: Seat, attacker: Seat | None) -> tuple[Seat, ...]:
    """27.opt.alliances.7: the allies who defend it with its owner; told when there are any."""
    allies = guests(table.state, region, attacker)
    if allies:
        table.emit(GuestsDefended(region, owner, allies))
    return allies


# ---------------------------------------------------------------- attacks


def _attack_on_player(table: Table[War], battle: Battle) -> Script[None]:
    """27.combat.results.1, 27.combat.results.3: the side with brigades left has the region."""
    battle = yield from _fought(table, battle)
    if battle.attacker is not None and battle.brigades(table.state, "attacker"):
        yield from take_region(table, battle.attacker, battle.region, "conquest")
    elif battle.brigades(table.state, "defender"):
        yield from inherit(table, battle.region)
    else:
        yield from _last_party(table, battle)


def _last_party(table: Table[War], battle: Battle) -> Script[None]:
    """27.combat.results.3, R27-62, Q20: a defender without brigades turns a party into infantry, or leaves to the natives."""
    seat = battle.defender
    land = table.state.lands[battle.region]
    parties = [kind for kind in ("explorer", "engineer", "general") if seat and land.count(seat, kind)]
    if seat is not None and parties:
        kind = yield from _converted(table, battle, seat, parties)
        if kind:
            party = next(s for s in table.state.lands[battle.region].stacks if s.owner == seat and s.kind == kind)
            table.emit(PartyConverted(battle.region, party))
            return
        yield from forced_retreat(table, battle, "defender")
    yield from revert(table, battle.region)


def _converted(table: Table[War], battle: Battle, seat: Seat, parties: Sequence[str]) -> Script[str]:
    def wanted(sheet: Sequence[Intent]) -> str | None:
        kinds = [rule.kind for rule in sheet if isinstance(rule, ConvertRule)]
        return next((kind for kind in kinds if not kind or kind in parties), None)

    text = f"{battle.region}: no brigade is left on either side. Which of your parties becomes infantry?"
    options = [*(Choice(kind, kind) for kind in parties), Choice("retreat", "", "your parties leave the region")]
    menu = OneOf(options, parties[0])
    return (yield from decide(table, seat, f"{battle.name}/convert", text, menu, "27.combat.results.3", wanted))


# ---------------------------------------------------------------- the fighting


def _fought(table: Table[War], battle: Battle) -> Script[Battle]:
    """Round after round while both sides have brigades; after each the attacker, then the defender may leave.

    Parties without brigades must (R27-61), but for a defender's whose enemy has no brigade left either (R27-62).
    """
    attack, defence = (tuple(battle.units(table.state, role).items()) for role in ROLES)
    table.emit(BattleBegan(battle.region, battle.attacker, attack, battle.defender, defence))
    battle = replace(battle, origins=battle.entered_from(table.state))
    while _both_stand(table.state, battle):
        battle = yield from fight_round(table, battle)
        for role in ROLES:
            if _both_stand(table.state, battle):
                battle = yield from voluntary_retreat(table, battle, role)
    beaten = [role for role in ROLES if not battle.brigades(table.state, role)]
    for role in beaten:
        if role == "attacker" or beaten == ["defender"] or battle.attacker is None:
            battle = yield from forced_retreat(table, battle, role)
    table.emit(BattleEnded(battle.region, *_verdict(table.state, battle), battle.round))
    return battle


def _both_stand(war: War, battle: Battle) -> bool:
    return all(battle.brigades(war, role) for role in ROLES)


def _verdict(war: War, battle: Battle) -> tuple[Seat | None, Seat | None]:
    """The winner and the loser, None the natives, who win if nobody is left; the same seat twice between players."""
    attack, defence = (battle.brigades(war, role) for role in ROLES)
    if attack or (battle.attacker is None and not defence):
        return battle.attacker, battle.defender
    if defence or battle.defender is None:
        return battle.defender, battle.attacker
    return battle.attacker, battle.attacker


# ---------------------------------------------------------------- the combat phase of one player
# His battles and other actions, in the order he wants.


def combat_phase(table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None) -> Script[None]:
    """27.move.order.2, R27-63: what his list names, then own revolts, battles, explorers, prospecting and the like.

    A revolt that breaks out now, by another's victory next door, waits for the next combat phase (R27-68).
    R27-40: an IF over such orders alone is judged when combat begins.
    """
    sheet = in_force(table.state, seat, sheet, (ResolveInOrder, ExploreRegion, CombatOrder), judged)
    revolts = revolts_of(table.state, seat)
    fights = (*revolts, *battles_of(table.state, seat))
    listed = dict.fromkeys(region for order in sheet if isinstance(order, ResolveInOrder) for region in order.regions)
    explored, acted = set[str](), set[str]()
    for region in (*listed, *(region for region in fights if region not in listed)):
        if region in fights:
            yield from _fight(table, seat, region, sheet, explored, rising=region in revolts)
        if region in listed:
            yield from _explore(table, seat, region, sheet, explored)
            yield from act(table, seat, region, sheet, acted)
    for region in _to_explore(table.state, seat, sheet):
        yield from _explore(table, seat, region, sheet, explored)
    _tell_unexplored(table, seat, sheet, explored)
    for region in dict.fromkeys(order.region for order in sheet if isinstance(order, CombatOrder)):
        yield from act(table, seat, region, sheet, acted)


def _fight(
    table: Table[War], seat: Seat, region: str, sheet: Sequence[Intent], explored: set[str], rising: bool
) -> Script[None]:
    """R27-63: one region's battle; an explorer who came with brigades may talk to the natives first, if ordered."""
    if rising:
        yield from revolt_battle(table, seat, region, region)
        return
    early = [order for order in _explorations(sheet, region) if order.before_battle]
    if early and table.state.lands[region].owner is None:
        explored.add(region)
        yield from explore(table, seat, region, *early)
    if region in battles_of(table.state, seat):
        yield from land_battle(table, seat, region, region)


def _explorations(sheet: Sequence[Intent], region: str) -> list[ExploreRegion]:
    return [order for order in sheet if isinstance(order, ExploreRegion) and order.region == region]


def _to_explore(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[str, ...]:
    """R27-63: regions with his explorers."""
    here = regions_to_explore(war, seat)
    named = dict.fromkeys(order.region for order in sheet if isinstance(order, ExploreRegion))
    return (*(region for region in named if region in here), *(region for region in here if region not in named))


def _explore(table: Table[War], seat: Seat, region: str, sheet: Sequence[Intent], explored: set[str]) -> Script[None]:
    """27.combat.explorer.1, R27-72: each explorer rolls once a phase."""
    if region not in explored and region in regions_to_explore(table.state, seat):
        explored.add(region)
        yield from explore(table, seat, region, *_explorations(sheet, region))


def _tell_unexplored(table: Table[War], seat: Seat, sheet: Sequence[Intent], explored: set[str]) -> None:
    """27.combat.explorer.1: each order for a region where no explorer of his has rolled, with the reason."""
    for order in sheet:
        if isinstance(order, ExploreRegion) and order.region not in explored:
            where = order.region
            sentence = f"Your brigades stand in {where}; explorers roll where there is no battle, or BEFORE it."
            why = Refused(sentence, "27.combat.explorer.1")
            try:
                order.permit(table.state, seat)
            except Refused as refused:
                why = refused
            table.emit(fell_short(table.state, seat, order, why))
