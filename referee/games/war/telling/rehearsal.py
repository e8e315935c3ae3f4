"""A sheet played out alone for PREVIEW, in either edition: what is hidden drawn from what it may be, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.event import Event
from referee.core.game import Fortune
from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.core.table import Script, Table
from referee.games.war.events.combat import BattleEnded, FleetLost, OrderFellShort, UnitsLost
from referee.games.war.events.course import BidsRevealed, ShareOpened
from referee.games.war.events.economy import ChitReplaced, chit_in_words
from referee.games.war.events.moving import InterceptionTried, NavalBattleBrokenOff, NavalBattleEnded, NavalBattleJoined
from referee.games.war.events.natives import DiplomacyRolled, RevoltRolled
from referee.games.war.orders import BOOK
from referee.games.war.orders.base import CONSTRUCTION, DIPLOMACY, NATIVE_DIPLOMACY
from referee.games.war.orders.production import BidForOrder
from referee.games.war.phases.alliances import make_peace
from referee.games.war.phases.construction import buy_diplomacy, construction_share, incitements, native_diplomacy_share
from referee.games.war.phases.land_battle import combat_phase
from referee.games.war.phases.movement import movement_orders
from referee.games.war.phases.production import bid_of, maintenance_phase
from referee.games.war.phases.reinforce_and_retreat import reinforcements
from referee.games.war.phases.setup import strong_ones
from referee.games.war.position import Marker
from referee.games.war.position.state import War, in_order, maintained_before, plays
from referee.games.war.reckoning.income import marker_named
from referee.games.war.reckoning.scoring import Judged, in_force, is_power
from referee.games.war.rulebook import BRIGADES, CHITS, MARKERS, pieces_in_words
from referee.kit.stock import fewer, gathered
from referee.kit.wording import counted

# ---------------------------------------------------------------- what is hidden


def imagine(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> None:
    """Draw the native markers that this seat has not seen, where its units stand or its sheet leads, as they may be."""
    war, named = table.state, _named(sheet)
    _draw_markers(table, {land.name for land in war.lands.values() if land.name in named or land.count(seat)})


def imagine_all(table: Table[War]) -> None:
    """Draw every native marker that its reader has not seen."""
    _draw_markers(table, set(table.state.lands))


def _draw_markers(table: Table[War], where: Set[str]) -> None:
    """Draw the markers that were not seen in some places.

    Every marker that does not lie before its eyes may be any of these, that of a local power any strong one
    (27.opt.historical.powers.3); the rest is the cup.
    """
    war = table.state
    seen = gathered(land.marker.name for land in war.lands.values() if land.marker and land.marker.strength)
    cup = {name: max(0, number) for name, number in fewer(MARKERS, seen).items()}
    unseen = [
        land for land in war.lands.values()
        if land.marker is not None and not land.marker.strength and land.name in where
    ]  # fmt: skip
    war = replace(war, chits=_chits_left(war))
    for land in sorted(unseen, key=lambda land: not is_power(war, land.name)):
        holds = strong_ones(cup) if is_power(war, land.name) else cup
        for name in table.draw("the markers", holds, 1, "markers not seen", "R27-05", seen_by=()):
            cup = fewer(cup, {name: 1})
            old: Marker = land.marker or Marker(0)
            marker = replace(marker_named(name), face_up=old.face_up, seen_by=old.seen_by)
            war = war.with_land(land.name, marker=marker)
    table.state = replace(war, markers=cup)


def _chits_left(war: War) -> dict[str, int]:
    """The chits that he has not seen: in the cup, or face down before others."""
    seen = gathered(land.chit for land in war.lands.values() if land.chit and land.chit in CHITS)
    return {name: max(0, number) for name, number in fewer(CHITS, seen).items()}


def _named(sheet: Sequence[Intent]) -> set[str]:
    """Every word that stands in a sheet, names of regions among them."""
    return set(_words(msgspec.to_builtins(list(sheet))))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _words(list(value.values()))
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _words(inner)


# ---------------------------------------------------------------- a share alone


def rehearse(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
    """A share of movement with its battles, or a share of production; the set-up has no dice that hang on a sheet."""
    if seat in table.state.out:
        return
    match table.state.stage:
        case "movement":
            imagine(table, seat, sheet)
            begin_share(table, seat)
            judged: Judged = {}
            yield from movement_orders(table, seat, sheet, judged)
            yield from reinforcements(table, seat)
            yield from combat_phase(table, seat, sheet, judged)
        case "production":
            imagine(table, seat, sheet)
            yield from _production(table, seat, sheet)


def begin_share(table: Table[War], seat: Seat) -> None:
    """The share as it is, or as it will begin where it is not this seat's turn."""
    if table.state.active != seat:
        table.state = replace(table.state, active=seat)
        table.emit(ShareOpened(seat))
    make_peace(table, seat)


_NATIVE: tuple[type[Intent], ...] = BOOK.kinds_of(DIPLOMACY, NATIVE_DIPLOMACY)
_BUILDING: tuple[type[Intent], ...] = BOOK.kinds_of(CONSTRUCTION)


def _production(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
    """One player's share alone. Played in order its parts are asked for one by one, and none is played twice."""
    war = table.state
    table.state = replace(war, out=tuple(other for other in war.order if other != seat))
    several = in_order(war)
    if not maintained_before(war):
        yield from maintenance_phase(table, {seat: sheet})
    judged: Judged = {}
    if bids := in_force(table.state, seat, sheet, BidForOrder, judged):
        table.emit(BidsRevealed(((seat, bid_of(table, seat, bids)),), war.turn))
    if not several or any(isinstance(bare(intent), _NATIVE) for intent in sheet):
        yield from buy_diplomacy(table, {seat: sheet}, {seat: judged})
        if plays(war, "simultaneous"):
            yield from incitements(table, seat, sheet, judged)
        yield from native_diplomacy_share(table, seat, sheet, judged)
    if not several or any(isinstance(bare(intent), _BUILDING) for intent in sheet):
        yield from construction_share(table, seat, sheet, judged)
    table.state = replace(table.state, out=war.out)


# ---------------------------------------------------------------- what came of it


def fortunes(seat: Seat, before: War, events: Sequence[Event], after: War) -> Iterator[Fortune]:
    """Battles, explorers, revolts, finds and meetings at sea, with what they cost this seat."""
    for event in events:
        match event:
            case BattleEnded():
                yield Fortune(about_battle(event.region), verdict_in_words(seat, event.winner, event.loser))
                yield Fortune(about_losses(event.region), _lost_at(seat, event.region, events))
            case DiplomacyRolled(region=region, result=result) if event.seat == seat:
                yield Fortune(f"Your explorer in {region}", _EXPLORED[result])
            case RevoltRolled(region=region):
                yield Fortune(f"Revolt in {region}", "it breaks out" if event.rises else "it does not break out")
            case ChitReplaced(region=region) if event.seat == seat:
                yield Fortune(f"Prospecting in {region}", chit_found(event.kept))
            case OrderFellShort() if event.seat == seat:
                how = "not wholly done" if event.partly else "not done"
                yield Fortune(event.order.rstrip("."), f"{how} ({event.why.rstrip('.')})", event.sentence())
            case _:
                yield from _at_sea(seat, event, events)


_EXPLORED = {
    "control": "the region is yours",
    "sphere": "a sphere of influence",
    "retreat": "he must leave",
    "lost": "he is killed",
}


def chit_found(chit: str) -> str:
    """The chit that an engineer or a new owner keeps."""
    return f"you keep {chit_in_words(chit)}"


def about_battle(region: str) -> str:
    """The name of a battle on land, for its chances."""
    return f"Battle of {region}"


def about_losses(region: str) -> str:
    """The name of the losses in a battle, for their chances."""
    return f"Your losses at {region}"


def verdict_in_words(seat: Seat, winner: Seat | None, loser: Seat | None) -> str:
    """`you win`, `Blue wins`; None stands for natives, the same seat twice for nobody left."""
    if winner == loser:
        return "no brigade is left on either side"
    if winner is None:
        return "the natives win"
    return "you win" if winner == seat else f"{winner} wins"


def _lost_at(seat: Seat, place: str, events: Sequence[Event]) -> str:
    gone = [e.lost for e in events if isinstance(e, UnitsLost) and e.region == place and e.lost.owner == seat]
    kinds: dict[str, int] = {}
    for stack in gone:
        kinds[stack.kind] = kinds.get(stack.kind, 0) + stack.number
    return losses_in_words(kinds)


def losses_in_words(kinds: Mapping[str, int]) -> str:
    """`none`, `2 infantry and 1 general`."""
    return pieces_in_words(sorted(kinds.items()), "none")


def _at_sea(seat: Seat, event: Event, events: Sequence[Event]) -> Iterator[Fortune]:
    match event:
        case InterceptionTried(sea=sea):
            who = "you" if event.interceptor == seat else event.interceptor
            verb = "meet" if event.dice <= event.number else "miss"
            whom = "your fleets" if event.enemy == seat else f"{event.enemy}'s fleets"
            ending = "" if who == "you" else "es" if verb == "miss" else "s"
            yield Fortune(f"Interception in {sea}", f"{who} {verb}{ending} {whom}")
        case NavalBattleJoined(sea=sea):
            yield Fortune(f"Your fleets lost in {sea}", _sunk(seat, sea, events))
        case NavalBattleEnded(sea=sea):
            won = "nobody's fleets are left" if event.winner is None else f"{event.winner} wins"
            yield Fortune(f"Naval battle in {sea}", "you win" if event.winner == seat else won)
        case NavalBattleBrokenOff(sea=sea):
            by = (
                "nobody can hit"
                if event.by is None
                else "you break off"
                if event.by == seat
                else f"{event.by} breaks off"
            )
            yield Fortune(f"Naval battle in {sea}", by)


def _sunk(seat: Seat, sea: str, events: Sequence[Event]) -> str:
    gone = [e for e in events if isinstance(e, FleetLost) and e.owner == seat and e.sea == sea]
    return counted(len(gone), "fleets") if gone else "none"


def holdings(war: War, seat: Seat) -> Mapping[str, int]:
    """Money, regions and units."""
    treasury, forces = war.treasuries[seat], war.forces_of(seat)
    brigades = sum(forces.get(kind, 0) for kind in BRIGADES)
    regions = len(war.regions_of(seat))
    return {
        "PP": treasury.pp,
        "DP": treasury.dp,
        "regions": regions,
        "brigades": brigades,
        "fleets": forces.get("fleet", 0),
    }
