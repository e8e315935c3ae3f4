"""A battle on land, and what may be done instead."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.marching import battles_of, regions_to_explore, revolts_of
from referee.games.war.events.combat import BattleBegan, BattleEnded, PartyConverted, fell_short
from referee.games.war.events.course import GuestsDefended
from referee.games.war.orders.combat import CombatOrder, ExploreRegion, ResolveInOrder
from referee.games.war.orders.standing import ConvertRule, RunNatives
from referee.games.war.phases.control import draw_marker, inherit, pacify, reveal_marker, revert, take_region
from referee.games.war.phases.exploring import act, explore
from referee.games.war.phases.losses import ROLES, fight_round
from referee.games.war.phases.production import revolt_chain
from referee.games.war.phases.retreat import forced_retreat, voluntary_retreat
from referee.games.war.phases.windows import consult, decide
from referee.games.war.position.places import Army
from referee.games.war.position.state import War
from referee.games.war.reckoning.battle import Battle
from referee.games.war.reckoning.income import native_army
from referee.games.war.reckoning.paths import guests
from referee.games.war.reckoning.scoring import Judged, in_force
from referee.kit.refused import Refused

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
