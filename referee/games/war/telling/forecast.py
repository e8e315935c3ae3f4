"""The effects of a sheet, and the odds of its battles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.game import Fortune, Odds
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, bare
from referee.core.table import Table
from referee.games.war.deeds import granted
from referee.games.war.deeds.marching import GIFT_PRICE, affordable, battles_of, check_gift, revolts_of, to_resolve
from referee.games.war.events.combat import OrderFellShort
from referee.games.war.events.course import PieceReturned
from referee.games.war.orders import BOOK
from referee.games.war.orders.base import CONSTRUCTION, DIPLOMACY, MOVEMENT, NATIVE_DIPLOMACY, SETTING_UP
from referee.games.war.orders.building import BuildUnits
from referee.games.war.orders.combat import CombatOrder, ExploreRegion, ResolveInOrder
from referee.games.war.orders.natives import InciteRevolt, RemoveSphere
from referee.games.war.orders.production import (
    BidForOrder,
)
from referee.games.war.orders.setup import (
    AskPlacement,
    BuyPieces,
    PlacePieces,
    lots_bought,
)
from referee.games.war.orders.standing_battles import RetreatRule
from referee.games.war.phases.alliances import make_peace
from referee.games.war.phases.construction import buy_diplomacy, construction_share, native_diplomacy_share
from referee.games.war.phases.movement import foresee
from referee.games.war.phases.production import maintenance_phase, shortfall
from referee.games.war.phases.setup import place_all
from referee.games.war.position import Land
from referee.games.war.position.state import War, in_order, maintained_before
from referee.games.war.reckoning import allied, attackers, guests
from referee.games.war.reckoning.battle import Battle, hits
from referee.games.war.reckoning.income import income, known_marker, native_army
from referee.games.war.reckoning.scoring import Judged, in_force
from referee.games.war.rulebook import (
    BOARD,
    units_in_words,
)
from referee.games.war.telling.rehearsal import about_battle, about_losses, losses_in_words, verdict_in_words
from referee.kit.bare_stage import played_out
from referee.kit.declared import Ahead, Declared
from referee.kit.game import evolve
from referee.kit.odds import Dice, fought_out, thrown
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_number

# ---------------------------------------------------------------- chances of a battle on land that can be calculated
# Nothing but infantry on both sides, fought to the end.


_FACES = 6


def odds(war: War, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
    """The one battle of a share, where neither modifiers nor a retreat can change its course; else nothing."""
    if war.stage != "movement" or any(isinstance(bare(rule), RetreatRule) for rule in (*sheet, *standing)):
        return ()
    after = foresee(replace(war, active=seat), seat, sheet).war
    fights = battles_of(after, seat)
    if len(fights) != 1 or revolts_of(after, seat):
        return ()
    battle = _plain(after, seat, after.lands[fights[0]])
    return tuple(_calculated(after, battle)) if battle is not None else ()


def _plain(war: War, seat: Seat, land: Land) -> Battle | None:
    """The battle, if only infantry that came by land fights in it; natives must have been seen."""
    marker = known_marker(land, seat)
    plain = all(s.kind == "infantry" and not (s.landed or s.late or s.idle) for s in land.stacks)
    if not plain or guests(war, land.name, seat):
        return None
    if land.owner is not None:
        return Battle(land.name, land.name, seat, land.owner, round=1)
    if marker is None or not marker.strength or marker.plus:
        return None
    return Battle(land.name, land.name, seat, None, native_army(marker), round=1)


def _calculated(war: War, battle: Battle) -> Iterator[Odds]:
    """The odds of victory, and of the attacker's losses in infantry."""
    ours, theirs = battle.brigades(war, "attacker"), battle.brigades(war, "defender")
    reckonings = battle.reckonings(war)
    volleys = [partial(thrown, one=_one_die(reckonings[role].drm)) for role in ("attacker", "defender")]
    ends, found = fought_out(ours, theirs, volleys[0], volleys[1]), dict[Fortune, Fraction]()
    seat = battle.attacker
    assert seat is not None  # natives attack in a revolt only
    for (left, his), chance in ends.items():
        winner = seat if left else battle.defender if his or battle.defender is None else seat
        loser = battle.defender if left else seat
        for fortune in (
            Fortune(about_battle(battle.region), verdict_in_words(seat, winner, loser)),
            Fortune(about_losses(battle.region), losses_in_words({"infantry": ours - left})),
        ):
            found[fortune] = found.get(fortune, Fraction(0)) + chance
    for fortune, chance in sorted(found.items(), key=lambda item: (item[0].about, -item[1])):
        yield Odds(fortune.about, fortune.what, chance)


def _one_die(drm: int) -> Dice:
    """27.combat.land.2: how often a die scores no hit, one or two."""
    scores = [hits(face, drm) for face in range(1, _FACES + 1)]
    return {score: Fraction(scores.count(score), _FACES) for score in sorted(set(scores))}


_MOVING = BOOK.kinds_of(MOVEMENT)
_EQUIPPING = (BuyPieces, PlacePieces, AskPlacement)
_AT_MOST = 20


def doubts(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """Lines that will probably disappoint, as things stand and if nobody else does anything."""
    if seat in war.out:
        return ()
    if not sheet:
        return tuple(unspent(war, seat))
    found: list[Doubt] = []
    match war.stage:
        case "setup":
            found += _purchase(war, seat, sheet)
        case "production":
            found += _production(_after_agreed_peace(war, None), seat, sheet)
        case "movement":
            found += _movement(war, seat, sheet)
        case "over":
            pass
    return tuple(dict.fromkeys(found))[:_AT_MOST]


# ---------------------------------------------------------------- set-up


def _purchase(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """Lots that cannot be paid, pieces that are placed but not bought, and all start money saved without a word of that."""
    sheet = in_force(war, seat, sheet)
    if not war.treasuries[seat].pp or not any(isinstance(intent, _EQUIPPING) for intent in sheet):
        return
    bought, short = affordable(war, seat, lots_bought(sheet))
    yield from unbought(war, seat, sheet)
    for why in short:
        yield Doubt(f"As things stand: {why}", "27.setup.4", True)
    placed: dict[str, int] = {}
    for lot in (lot for intent in sheet if isinstance(intent, PlacePieces) for lot in intent.lots):
        placed[lot.kind] = placed.get(lot.kind, 0) + lot.quantity.of(0)
    for kind, number in placed.items():
        if number > bought.get(kind, 0):
            yield Doubt(f"You place {units_in_words(kind, number)} and buy {bought.get(kind, 0)}.", "27.setup.7", True)
    yield from misplaced(war, seat, sheet)


def unspent(war: War, seat: Seat) -> Iterator[Doubt]:
    """27.setup.4: of who ends his set-up without a purchase; what is saved stays his, and the start is made with nothing."""
    pp = war.treasuries[seat].pp if war.stage == "setup" else 0
    if pp:
        yield Doubt(
            f"You buy nothing: all {pp} PP are saved, and the purchase of the set-up does not come again.",
            "R27-81",
            loss=True,
        )


def unbought(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """R27-81: who only says where pieces stand buys none, and the purchase of the set-up does not come again."""
    places = any(isinstance(intent, PlacePieces | AskPlacement) for intent in sheet)
    if places and not any(isinstance(intent, BuyPieces) for intent in sheet):
        pp = war.treasuries[seat].pp
        why = f"You buy nothing, so there is nothing to place, and all {pp} PP are saved; BUY comes first, as in BUY 6 infantry."
        yield Doubt(why, "R27-81", True)


def misplaced(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """27.setup.5: what cannot stand where it is placed, why, and where it would stand: all in one sealed letter."""
    table, heard = scratch(replace(war, decisions={}))
    played_out(place_all(table, seat, sheet, affordable(war, seat, lots_bought(sheet))[0]))
    for event in heard:
        if isinstance(event, OrderFellShort):
            yield Doubt(f"As things stand, not done: {event.order}. {event.why}", event.cites(), True)
        elif isinstance(event, PieceReturned):
            yield Doubt(f"As things stand: {event.sentence()}", event.cites(), True)


# ---------------------------------------------------------------- production


def _production(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """The sheet carried out alone, revolts apart, which need dice."""
    alone = _alone(war, seat)
    yield from _bids(war, seat, sheet)
    short = 0 if maintained_before(war) else shortfall(alone, seat)
    if short:
        yield Doubt(
            f"You cannot pay for {counted(short, 'units')}, which are lost.", "27.production.maintain.2", loss=True
        )
    certain, judged = _without_dice(sheet), Judged()
    table, heard = scratch(alone)
    _to_natives(table, seat, sheet, judged)
    played_out(native_diplomacy_share(table, seat, certain, judged))
    yield from _incitements(table.state, seat, sheet, judged)
    played_out(construction_share(table, seat, certain, judged))
    for event in heard:
        if isinstance(event, OrderFellShort):
            said = event.sentence()
            yield Doubt(f"As things stand, {said[:1].lower()}{said[1:]}", event.cites(), True)
    # 27.production.maintain.2: what is built must be paid for again next turn.
    after = replace(table.state, out=war.out)
    units, pp = after.units_of(seat), after.treasuries[seat].pp + income(after, seat).pp
    if units > pp and any(isinstance(bare(intent), BuildUnits) for intent in sheet):
        why = f"You will have {units} units and, with the next income, {pp} PP to maintain them."
        yield Doubt(why, "27.production.maintain.2")


def _incitements(war: War, seat: Seat, sheet: Sequence[Intent], judged: Judged) -> Iterator[Doubt]:
    """Attempts at a revolt that could not be made, each paid for before the next; what comes of them dice decide."""
    for order in in_force(war, seat, sheet, InciteRevolt, judged):
        assert isinstance(order, InciteRevolt)
        if not granted(order.permit, war, seat):
            yield from _checked(partial(order.permit, war, seat))
            continue
        land = war.lands[order.region]
        spheres = {**land.spheres, seat: land.spheres.get(seat, 0) - order.with_sphere}
        war = war.paying(seat, dp=-order.dp(war, seat)).with_land(land.name, spheres=spheres, tried=war.turn)


def _to_natives(table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged) -> None:
    """Maintenance, and the DP that are bought."""
    if not maintained_before(table.state):
        played_out(maintenance_phase(table, {seat: sheet}))
    played_out(buy_diplomacy(table, {seat: _without_dice(sheet)}, {seat: judged}))


def _without_dice(sheet: Sequence[Intent]) -> tuple[Intent, ...]:
    return tuple(intent for intent in sheet if not isinstance(bare(intent), InciteRevolt))


def after_maintenance(war: War, seat: Seat) -> War:
    """The position in which DP are bought: after maintenance, if nobody else does anything."""
    table, _ = scratch(_alone(war, seat))
    if not maintained_before(war):
        played_out(maintenance_phase(table, {}))
    return replace(table.state, out=war.out, decisions=war.decisions)


def before_natives(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position in which others' spheres are removed: after maintenance and the purchase of DP, if nobody else does anything."""
    table, _ = scratch(_alone(war, seat))
    _to_natives(table, seat, sheet, {})
    return replace(table.state, out=war.out, decisions=war.decisions)


def after_natives(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position after native diplomacy, the DP of incitements paid that the sheet names."""
    judged: Judged = {}
    table, _ = scratch(_alone(war, seat))
    _to_natives(table, seat, sheet, judged)
    played_out(native_diplomacy_share(table, seat, _without_dice(sheet), judged))
    spent = sum(order.dp(war, seat) for order in map(bare, sheet) if isinstance(order, InciteRevolt))
    return replace(table.state, out=war.out, decisions=war.decisions).paying(seat, dp=-spent)


def after_construction(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position after all of a sheet, where units, buildings and resources are paid line by line."""
    natives = war if in_order(war) else after_natives(war, seat, sheet)
    table, _ = scratch(_alone(natives, seat))
    played_out(construction_share(table, seat, sheet))
    return replace(table.state, out=war.out, decisions=war.decisions)


def _alone(war: War, seat: Seat) -> War:
    now = _after_agreed_peace(war, None)
    return replace(now, out=tuple(other for other in now.order if other != seat), decisions={})


def _bids(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """R27-94: a bid of more than all PP in hand is cut to them, and nothing is left for construction."""
    sheet = in_force(war, seat, sheet, BidForOrder)
    bids, pp = [order.pp for order in sheet if isinstance(order, BidForOrder)], war.treasuries[seat].pp
    if bids and bids[-1] > pp:
        yield Doubt(f"You bid {bids[-1]} PP and have {pp}: all {pp} would be bid and paid.", "R27-94", True)


_ANY_DICE = Keyed(b"forecast", 0)
"""For markers of regions that go native; what they show is told to nobody."""


def scratch(war: War) -> tuple[Table[War], list[Event]]:
    """A table on which a sheet is tried, and what is told at it."""
    heard: list[Event] = []
    table = Table("forecast", war, _ANY_DICE, evolve)
    table.heard = heard.append
    return table, heard


# ---------------------------------------------------------------- movement


def _movement(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """The sheet foreseen without interception, then what it leaves behind and what it runs into."""
    now = _after_agreed_peace(replace(war, active=seat), seat)
    seen = foresee(now, seat, sheet)
    for short in seen.shortfalls:
        order = sheet[short.line].meaning().rstrip(".")
        sentence = f"As things stand, not done or not wholly: {order}. {short.why.sentence}"
        yield Doubt(sentence, short.why.rule, True, instead=short.why.instead)
    if any(isinstance(bare(intent), _MOVING) for intent in sheet):
        yield from _left_weak(now, seen.war, seat)
        for land in seen.war.contested():
            yield from _odds(seen.war, seat, land)
    purse = seen.war
    for intent in in_force(seen.war, seat, sheet, ExploreRegion):
        if isinstance(intent, ExploreRegion):
            there = granted(intent.permit, purse, seat)
            yield from _checked(partial(intent.permit, purse, seat))
            if there:
                yield from _checked(partial(intent.check_removal, purse, seat))
            if there and intent.gift:
                yield from _checked(
                    partial(check_gift, purse, seat, intent.region),
                    f" Your explorer in {intent.region} rolls without it.",
                )
                purse = purse.paying(seat, dp=-min(GIFT_PRICE, purse.treasuries[seat].dp))
    yield from unresolved(seen.war, seat, sheet)


def unresolved(after: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """27.move.order.2: regions named by RESOLVE without battle or action, and what cannot be done where units stand."""
    there = to_resolve(after, seat)
    for intent in in_force(after, seat, sheet, (CombatOrder, ResolveInOrder)):
        if isinstance(intent, CombatOrder):
            yield from _checked(partial(intent.permit, after, seat))
        for region in intent.regions if isinstance(intent, ResolveInOrder) else ():
            if region not in there:
                yield Doubt(f"As things stand, nothing is to be resolved in {region}.", ResolveInOrder.words.rule, True)


def after_moves(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position in a player's share after the moves of a sheet, if nobody hinders them."""
    now = _after_agreed_peace(replace(war, active=seat), seat)
    return foresee(now, seat, sheet).war


def _after_agreed_peace(war: War, seat: Seat | None) -> War:
    """R27-70: peace that both have spoken for holds before the sheet is carried out."""
    table, _ = scratch(war)
    make_peace(table, seat)
    return table.state


def _left_weak(before: War, after: War, seat: Seat) -> Iterator[Doubt]:
    """Own regions left to fewer brigades than an enemy has next door."""
    for land in after.regions_of(seat):
        left = land.brigades(seat)
        near = [after.lands[name] for name in BOARD.regions[land.name].borders]
        threat = max((other.brigades(enemy) for other in near for enemy in after.enemies(seat)), default=0)
        if before.lands[land.name].brigades(seat) > left and threat > left:
            sentence = f"{land.name} is left with {counted(left, 'brigades')}; an enemy has {threat} next door."
            yield Doubt(sentence, "27.board.8")


_NATIVES = (4, 12)
"""Weakest and strongest native level of the cup."""


def _odds(war: War, seat: Seat, land: Land) -> Iterator[Doubt]:
    """Attacks by fewer brigades than the defender has, or may well have."""
    ours = land.brigades(seat)
    if land.owner == seat or not ours:
        return
    if seat not in attackers(war, land):
        # 27.opt.alliances.11: guests whose alliance is over and who do not leave now.
        if land.owner is not None and not allied(war, seat, land.owner):
            why = f"{land.owner} is no longer your ally: your units that stay in {land.name} are lost."
            yield Doubt(why, "27.opt.alliances.11")
        return
    if land.owner is not None:
        theirs = sum(land.brigades(one) for one in (land.owner, *guests(war, land.name, seat)))
        if theirs >= ours:
            yield Doubt(f"{land.name}: {_attacking(ours)} {theirs} of {land.owner}'s.", "27.combat.land.1")
        return
    known = land.marker is not None and (land.marker.face_up or seat in land.marker.seen_by)
    if known and land.marker is not None and land.marker.strength >= ours:
        sentence = f"{land.name}: {_attacking(ours)} natives of strength {land.marker}."
        yield Doubt(sentence, "27.combat.natives.2")
    elif not known and ours < sum(_NATIVES) // 2:
        sentence = f"{land.name}: its natives are unknown, from {_NATIVES[0]} to {_NATIVES[1]}; you attack with {ours}."
        yield Doubt(sentence, "27.combat.natives.2")


def _attacking(brigades: int) -> str:
    return f"{brigades} of your brigades {in_number(brigades, 'attack')}"


def _checked(check: Callable[[], None], more: str = "") -> Iterator[Doubt]:
    try:
        check()
    except Refused as refused:
        yield Doubt(f"As things stand: {refused.illegal.sentence}{more}", refused.illegal.rule, True)


# ---------------------------------------------------------------- where an order of a sheet finds things


def ahead(war: War, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[War]:
    """The position in which an order of a verb is carried out after this sheet, if nothing else happens."""
    if war.stage == "movement":
        moved = cache(lambda: after_moves(war, seat, sheet))
        return lambda _: moved()
    if war.stage != "production":
        return lambda _: war
    kept = cache(lambda: after_maintenance(war, seat))
    before, after = cache(lambda: before_natives(war, seat, sheet)), cache(lambda: after_natives(war, seat, sheet))
    built = cache(lambda: after_construction(war, seat, sheet))
    first = not any(_is_native(intent) for intent in sheet)
    seen = {SETTING_UP: kept, DIPLOMACY: kept, NATIVE_DIPLOMACY: after, CONSTRUCTION: built}
    return lambda verb: (
        before() if first and verb == RemoveSphere.words.verb else seen.get(BOOK.orders[verb].phase, lambda: war)()
    )


def _is_native(intent: Intent) -> bool:
    order = bare(intent)
    return isinstance(order, Declared) and order.phase == NATIVE_DIPLOMACY
