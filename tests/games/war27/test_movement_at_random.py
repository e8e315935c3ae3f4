"""Random positions and random sheets: nothing breaks, nothing is lost, everything can be played again the same."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Portion, Quantity
from referee.games.war.deeds import Lot, line_of
from referee.games.war.events.combat import OrderFellShort
from referee.games.war.game import GAME
from referee.games.war.orders.attack import AttackFleets, DeclareWar
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.standing_battles import FleetLossOrder, InterceptRule, ReinforceRule
from referee.games.war.phases.movement import foresee, left_empty, movement_orders
from referee.games.war.phases.reinforce_and_retreat import reinforcements
from referee.games.war.position import Army, Feud, Marker, Offer
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BRIGADES
from referee.games.war.telling.sheets import audit
from referee.kit.game import evolve
from tests.games.war27.driving import BLUE, GREEN, RED, holding, native, play, position, table, told
from tests.games.war27.stage_movement import fleet
from tests.games.war27.stage_words import read
from tests.games.war27.staging import LAND_KINDS

SEATS = (RED, BLUE, GREEN)
TWO = Quantity(Portion.UP_TO, 2)
REGIONS, SEAS = tuple(BOARD.regions), tuple(BOARD.seas)


def some_position(dice: Random) -> War:
    """Three players all over the map, Red at war with Blue, offered a region by Green."""
    war = position(*SEATS)
    for name in REGIONS:
        owner = dice.choice((RED, RED, BLUE, GREEN, None))
        if owner:
            units = {kind: dice.randint(1, 3) for kind in dice.sample(LAND_KINDS, 3)}
            buildings = [b for b in ("railroad", "port") if dice.random() < 0.3][:1]
            war = holding(war, owner, name, buildings, **{"infantry": dice.randint(1, 4), **units})
            if dice.random() < 0.1:
                war = war.with_land(name, revolt=Army(3), marker=Marker(4, 0, True))
        elif dice.random() < 0.5:
            war = native(war, name, "5")
    for _ in range(40):
        cargo = {kind: dice.randint(1, 2) for kind in dice.sample(BRIGADES, 1)} if dice.random() < 0.5 else {}
        war = fleet(war, dice.choice(SEATS), dice.choice(SEAS), **cargo)
    offers = tuple(Offer(i, "cede", GREEN, RED, land.name) for i, land in enumerate(war.regions_of(GREEN)[:4], 1))
    return replace(war, feuds=(Feud(RED, BLUE, (RED, BLUE)),), offers=offers)


def some_sheet(dice: Random, war: War) -> list[Intent]:
    """Sixty orders, many of them sound, some nonsense."""
    own = [land.name for land in war.lands.values() if land.count(RED)] or list(REGIONS)
    return [_some_order(dice, war, dice.choice(own)) for _ in range(60)]


def _some_order(dice: Random, war: War, origin: str) -> Intent:
    portion = dice.choice(list(Portion))
    quantity = Quantity(portion, dice.randint(0, 3))
    lots = tuple(Lot(kind, quantity) for kind in dice.sample(LAND_KINDS, dice.randint(1, 3)))
    borders, seas = BOARD.regions[origin].borders or REGIONS, BOARD.regions[origin].seas or SEAS
    ships = war.fleets_of(RED)
    sea = dice.choice(ships).sea if ships else dice.choice(SEAS)
    coast = dice.choice(BOARD.seas[sea].coasts or REGIONS)
    match dice.randint(0, 9):
        case 0 | 1 | 2 | 3:
            far = dice.choice(BOARD.regions[dice.choice(borders)].borders or REGIONS)
            return MoveUnits(lots, origin, dice.choice((dice.choice(borders), far)))
        case 4 | 5:
            return EmbarkUnits(lots, origin, dice.choice(seas))
        case 6 | 7:
            return LandUnits(lots, sea, coast)
        case 8:
            return SailFleets(quantity, sea, dice.choice([*BOARD.seas[sea].borders, dice.choice(SEAS)]))
        case _:
            return dice.choice((AttackFleets(BLUE, sea, None), DeclareWar(dice.choice((BLUE, GREEN)))))


def played(war: War, sheet: list[Intent], key: int) -> tuple[War, list[Event]]:
    made, events = table(war, chance=Keyed(b"movement" * 4, key))
    helps = (ReinforceRule(name, near) for name in REGIONS for near in BOARD.regions[name].borders)
    rules: dict[Seat, tuple[Intent, ...]] = {
        BLUE: (InterceptRule("carrying", fleets=TWO), FleetLossOrder("loaded"), *helps)
    }
    play(movement_orders(made, RED, sheet), orders=rules)
    play(reinforcements(made, RED), orders=rules)
    return made.state, events


@pytest.mark.parametrize("key", range(25))
def test_any_sheet_in_any_position(key: int) -> None:
    dice = Random(key)
    war = some_position(dice)
    sheet = some_sheet(dice, war)
    after, events = played(war, sheet, key)
    assert played(war, sheet, key) == (after, events)
    folded = war
    for event in events:
        folded = evolve(folded, event)
        assert event.sentence()
        assert event.cites()
    assert folded == after
    assert left_empty(after, RED) == ()
    assert _unbalanced(war, events, after) == _unbalanced(war, [], war)
    assert foresee(war, RED, sheet).war.seats == war.seats
    for land in after.lands.values():
        if land.revolt and land.owner == RED and war.lands[land.name].brigades(RED) >= 3:
            assert land.brigades(RED) >= 3
    assert all(ship.points <= 8 for ship in after.fleets.values())


@pytest.mark.parametrize("key", range(25))
def test_what_is_refused_at_sight_could_not_have_been_done_and_what_is_offered_is_lawful(key: int) -> None:
    dice = Random(key)
    war = some_position(dice)
    sheet = some_sheet(dice, war)
    _, events = played(war, sheet, key)
    not_done = {event.order for event in told(events, OrderFellShort)}
    bound = [(order, GAME.bind(war, RED, read(line_of(order)))) for order in sheet]
    refusals = [(order, why) for order, why in bound if isinstance(why, Illegal)]
    assert refusals
    for order, why in refusals:
        assert order.meaning() in not_done, why
        assert why.sentence.endswith(".") and why.rule
        for line in why.instead:
            assert not isinstance(GAME.bind(war, RED, read(line)), Illegal), (line, why)


def _unbalanced(before: War, events: list[Event], after: War) -> list[str]:
    """What the audit finds, but for units of two players in one region, whose battle is still to be fought."""
    return [line for line in audit(before, events, after) if "somebody else" not in line]
