"""Naval battles: rounds of one die a fleet, hits that sink, and breaking off (27.combat.naval)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import msgspec

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, OneOf, Pace, Question, Several
from referee.core.table import Script, Table
from referee.games.war.events.combat import FleetLost
from referee.games.war.events.moving import (
    FleetsHeld,
    NavalBattleBrokenOff,
    NavalBattleEnded,
    NavalBattleJoined,
    NavalRoundFought,
)
from referee.games.war.orders.standing_sea import BreakOffRule, FleetLossOrder
from referee.games.war.phases.windows import decide, decision
from referee.games.war.position.places import Fleet
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, plural
from referee.kit.wording import counted, in_a_row

HIT = 5
"""The least modified die that hits (27.combat.naval.1)."""


class Outcome(msgspec.Struct, frozen=True):
    """What is left of the moving player's fleets and of the enemy's, and who broke off, if anybody did."""

    movers: tuple[int, ...]
    enemies: tuple[int, ...]
    broke_off: Seat | None = None
    mover_stopped: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether the moving player completes his move (27.combat.naval.4)."""
        return bool(self.movers) and not self.mover_stopped


Fight = Callable[[Table[War], str, Seat, tuple[int, ...], Seat, tuple[int, ...], str], Script[Outcome]]
"""How fleets of two players fight in a sea area, the moving player's named first."""


class Gunnery(msgspec.Struct, frozen=True):
    """How fleets shoot: dice each, the least total that hits, what helps a whole side, and what a load costs."""

    dice: int
    hit: int
    helps: Callable[[War, str, Seat, Seat], tuple[tuple[str, int], ...]]
    burden: Callable[[Fleet], int]


def naval_battle(
    table: Table[War],
    sea: str,
    mover: Seat,
    his_fleets: tuple[int, ...],
    enemy: Seat,
    fleets: tuple[int, ...],
    name: str,
    gunnery: Gunnery | None = None,
) -> Script[Outcome]:
    """27.combat.naval, R27-101: rounds until a side is gone or breaks off; `mover` is held up by breaking off."""
    guns = gunnery or GUNNERY
    table.emit(NavalBattleJoined(sea, mover, his_fleets, enemy, fleets))
    number = 0
    while True:
        number += 1
        ours, theirs = _alive(table.state, his_fleets), _alive(table.state, fleets)
        if _hopeless(table.state, sea, mover, enemy, ours, theirs, guns):
            table.emit(NavalBattleBrokenOff(sea, number - 1, None))
            return Outcome(ours, theirs)
        yield from _round(table, sea, number, mover, enemy, ours, theirs, f"{name}/round {number}", guns)
        ours, theirs = _alive(table.state, his_fleets), _alive(table.state, fleets)
        if not ours or not theirs:
            table.emit(NavalBattleEnded(sea, mover if ours else enemy if theirs else None))
            return Outcome(ours, theirs)
        sides = [(mover, ours, theirs), (enemy, theirs, ours)]
        for seat, own, other in sides if table.state.active != enemy else reversed(sides):
            if (yield from _breaks_off(table, seat, sea, len(own), len(other), f"{name}/round {number}/{seat}")):
                table.emit(NavalBattleBrokenOff(sea, number, seat))
                if seat == mover:
                    own_left = tuple(number for number in ours if table.state.fleets[number].owner == mover)
                    table.emit(FleetsHeld(mover, own_left, sea))
                return Outcome(ours, theirs, seat, seat == mover)


def _alive(war: War, fleets: tuple[int, ...]) -> tuple[int, ...]:
    """Those still afloat, by number: in this order they roll."""
    return tuple(sorted(number for number in fleets if number in war.fleets))


# ---------------------------------------------------------------- dice


def modifiers(
    war: War, sea: str, seat: Seat, enemy: Seat, fleets: Sequence[int], gunnery: Gunnery | None = None
) -> tuple[int, ...]:
    """The DRM of each fleet: its load, more schools than the enemy, own ports beside the sea area (naval chart)."""
    guns = gunnery or GUNNERY
    helped = sum(value for _, value in guns.helps(war, sea, seat, enemy))
    return tuple(helped - guns.burden(war.fleets[number]) for number in fleets)


def _helps(war: War, sea: str, seat: Seat, enemy: Seat) -> tuple[tuple[str, int], ...]:
    """What helps every fleet of a side, by name."""
    ports = sum(war.lands[name].owner == seat and war.lands[name].has("port") for name in BOARD.seas[sea].coasts)
    technology = int(war.schools(seat) > war.schools(enemy))
    helps = (("own port there" if ports == 1 else "own ports there", ports), ("more schools", technology))
    return tuple((why, value) for why, value in helps if value)


def _reasons(
    war: War, sea: str, seat: Seat, enemy: Seat, fleets: Sequence[int], guns: Gunnery
) -> tuple[tuple[str, int], ...]:
    """Why the dice are changed: what helps all, and the heaviest load, which weighs on its own fleet alone."""
    burden = max((guns.burden(war.fleets[number]) for number in fleets), default=0)
    return (*guns.helps(war, sea, seat, enemy), *((("loaded, up to", -burden),) if burden else ()))


def _burden(fleet: Fleet) -> int:
    """27.combat.naval.1"""
    return 0 if not fleet.points else 1 if fleet.points <= 4 else 2


GUNNERY = Gunnery(1, HIT, _helps, _burden)
"""The naval chart of the standard game (27.combat.naval.1)."""


def _hopeless(
    war: War, sea: str, mover: Seat, enemy: Seat, ours: Sequence[int], theirs: Sequence[int], guns: Gunnery
) -> bool:
    """R27-101: whether no die of either side can hit."""
    best = (*modifiers(war, sea, mover, enemy, ours, guns), *modifiers(war, sea, enemy, mover, theirs, guns))
    return 6 * guns.dice + max(best) < guns.hit


def _round(
    table: Table[War],
    sea: str,
    number: int,
    mover: Seat,
    enemy: Seat,
    ours: tuple[int, ...],
    theirs: tuple[int, ...],
    name: str,
    guns: Gunnery,
) -> Script[None]:
    """Both sides roll before either removes what was sunk (27.combat.naval.1, 27.combat.naval.2)."""
    against_enemy = _volley(table, sea, number, mover, enemy, ours, guns)
    against_mover = _volley(table, sea, number, enemy, mover, theirs, guns)
    struck = [(mover, enemy, ours, against_mover), (enemy, mover, theirs, against_enemy)]
    orders = [_which_sink(table, seat, sea, fleets, hits, name) for seat, _, fleets, hits in struck]
    answers: tuple[Answer[tuple[int, ...]], ...] = yield from table.ask_all([asked for asked in orders if asked])
    said = iter(answers)
    for (_, by, fleets, hits), asked in zip(struck, orders, strict=True):
        usual = first_to_sink(table.state, fleets)
        order = (*next(said).value, *usual) if asked else usual
        for gone in tuple(dict.fromkeys(order))[:hits]:
            fleet = table.state.fleets[gone]
            table.emit(FleetLost(gone, fleet.owner, sea, f"sunk by {by}", fleet.cargo))


def _volley(
    table: Table[War], sea: str, number: int, side: Seat, other: Seat, fleets: tuple[int, ...], guns: Gunnery
) -> int:
    drm = modifiers(table.state, sea, side, other, fleets, guns)
    purpose = f"{sea}, round {number}: {side}'s fleets against {other}"
    dice = table.roll(guns.dice * len(fleets), 6, purpose, "27.combat.naval.1")
    faces = tuple(sum(dice[place : place + guns.dice]) for place in range(0, len(dice), guns.dice))
    hits = sum(face + more >= guns.hit for face, more in zip(faces, drm, strict=True))
    why = _reasons(table.state, sea, side, other, fleets, guns)
    table.emit(NavalRoundFought(sea, number, side, fleets, faces, drm, hits, why))
    return hits


# ---------------------------------------------------------------- losses


def first_to_sink(war: War, fleets: Collection[int], loaded_first: bool = False) -> tuple[int, ...]:
    """Q14, R27-39: fleets in the usual order; `loaded_first` turns empty and loaded about."""

    def worth(number: int) -> tuple[bool, int, int, int]:
        fleet = war.fleets[number]
        value = sum(war.kinds[load.kind].price * load.number for load in fleet.cargo)
        return bool(fleet.cargo) != loaded_first, value, -fleet.spent, number

    return tuple(sorted(fleets, key=worth))


def _which_sink(
    table: Table[War], owner: Seat, sea: str, fleets: Collection[int], hits: int, name: str
) -> Question[tuple[int, ...]] | None:
    """27.combat.naval.2, R27-100: in which order an owner loses his fleets; None where there is nothing to choose."""
    war, usual = table.state, first_to_sink(table.state, fleets)
    if not 0 < hits < len(fleets):
        return None
    menu = Several([Choice(f"fleet {number}", number, _state_of(war, number)) for number in usual], len(usual), usual)

    def wanted(sheet: Sequence[Intent]) -> tuple[int, ...] | None:
        rules = [rule for rule in sheet if isinstance(rule, FleetLossOrder) and rule.sea in ("", sea)]
        rules.sort(key=lambda rule: not rule.sea)
        named = [number for rule in rules for number in rule.fleets if number in fleets]
        loaded_first = next((rule.first for rule in rules if rule.first), "") == "loaded"
        return tuple(dict.fromkeys((*named, *first_to_sink(war, fleets, loaded_first)))) if rules else None

    alike = len({(fleet.owner, fleet.cargo, fleet.spent) for fleet in map(war.fleets.__getitem__, fleets)}) == 1
    text = f"Naval battle in {sea}, {counted(hits, 'hits')}: which of your fleets go down first, with all they carry?"
    asked = decision(
        table, owner, f"{name}/fleets lost by {owner}", "" if alike else text, menu, "27.combat.naval.2", wanted
    )
    asked.pace = Pace.AUTO if alike else asked.pace
    return asked


def _state_of(war: War, number: int) -> str:
    """What a fleet carries, and whether it has moved."""
    fleet = war.fleets[number]
    load = in_a_row([counted(load.number, plural(load.kind)) for load in fleet.cargo]) or "nothing aboard"
    return f"{load}, has moved" if fleet.spent else load


# ---------------------------------------------------------------- breaking off


def _breaks_off(table: Table[War], seat: Seat, sea: str, own: int, his: int, name: str) -> Script[bool]:
    """27.combat.naval.3, R27-101, Q13"""
    options = [Choice("fight", False, "another round"), Choice("break off", True, "all fleets stay where they are")]
    menu = OneOf(options, own * 2 < his)

    def wanted(sheet: Sequence[Intent]) -> bool | None:
        ratio = next((rule.ratio for rule in sheet if isinstance(rule, BreakOffRule)), None)
        return None if ratio is None else bool(ratio) and his > ratio * own

    text = (
        f"Naval battle in {sea}: you have {counted(own, 'fleets')} left, the enemy has {his}. Fight on, or break off?"
    )
    return (yield from decide(table, seat, f"{name}/break off", text, menu, "27.combat.naval.3", wanted))
