"""Random wars: whatever is armed, attacked, lost and taken, the books balance and nothing is where it cannot be."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.empire.events import evolve
from referee.games.empire.game import EmpireGame
from referee.games.empire.orders.arming import Arm, Disarm
from referee.games.empire.orders.attack import Attack
from referee.games.empire.orders.binding import carry_out
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.position import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement_rates import most_in, stands
from referee.games.empire.rulebook.kinds import FORMATIONS, KINDS
from referee.kit.refused import Refused
from tests.games.empire.driving import put
from tests.games.empire.staging import stage

GAME = EmpireGame()
SQUARES = ("c13r4", "c13r5", "c14r3", "c14r4", "c14r5", "c15r4", "c15r5")
"""Blue City in c14r4 and the squares around it."""

KINDS_THERE = (*FORMATIONS, "coolie", "truck", "cargo ship")
GOODS = ("SAU", "HAU", "T&S", "tank", "X", "O", "St")

pieces = st.tuples(st.sampled_from(("Red", "Blue", "Green")), st.sampled_from(KINDS_THERE), st.sampled_from(SQUARES))
lots = st.tuples(st.sampled_from(("Red", "Blue")), st.sampled_from(GOODS), st.integers(1, 3), st.sampled_from(SQUARES))
orders = st.tuples(st.integers(0, 3), st.integers(0, 40), st.sampled_from(SQUARES), st.sampled_from(tuple(FORMATIONS)))


def field(placed: Sequence[tuple[str, str, str]], goods: Sequence[tuple[str, str, int, str]]) -> Empire:
    """Everybody in the squares around Blue City; no more formations of one country than may stand there."""
    empire = stage({"fiat": "none", "last_turn": "20"})
    for country, kind, at in placed:
        mine = [unit for unit in empire.units_at(at) if unit.country == country and stands(unit)]
        if kind not in FORMATIONS or len(mine) < most_in(empire, at):
            empire, _ = put(empire, kind, country, at, status="dock" if kind == "cargo ship" else "")
    for country, what, number, at in goods:
        empire = empire.with_lot(Lot(what, number, country, at))
    return empire.with_lot(Lot("food", 20, "Red", "c13r5")).with_lot(Lot("X", 3, "Red", "c13r5"))


def intent_of(empire: Empire, order: tuple[int, int, str, str]) -> Intent | None:
    act, pick, at, formation = order
    mine = [unit.number for unit in empire.units_of("Red")]
    number = mine[pick % len(mine)]
    match act:
        case 0:
            return Arm((number,), formation)
        case 1:
            return Disarm((number,))
        case 2:
            return MoveUnits((number,), at)
    troops = tuple(unit.number for unit in empire.units_of("Red", *FORMATIONS))
    return Attack(at, troops[: 1 + pick % 4], (), ("killing", "capturing")[pick % 2], troops[: pick % 2])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(pieces, min_size=10, max_size=25),
    st.lists(lots, max_size=8),
    st.lists(orders, min_size=6, max_size=12),
    st.integers(0, 999),
)
def test_a_war_balances(
    placed: list[tuple[str, str, str]],
    goods: list[tuple[str, str, int, str]],
    sheet: list[tuple[int, int, str, str]],
    seed: int,
) -> None:
    before = field(placed, goods)
    table: Table[Empire] = Table("war", before, Keyed(b"war", seed), evolve)
    told: list[Event] = []
    table.heard = told.append
    for order in sheet:
        intent = intent_of(table.state, order)
        try:
            if intent is not None:
                carry_out(table, Seat("Red"), intent)
        except Refused:
            continue
    after = table.state
    assert GAME.audit(before, told, after) == ()
    folded = before
    for event in told:
        folded = evolve(folded, event)
        assert event.sentence() and event.cites().startswith(("emp.", "core."))
    assert folded == after
    for at in SQUARES:
        for country in ("Red", "Blue", "Green"):
            there = [unit for unit in after.units_at(at) if unit.country == country and stands(unit)]
            assert len(there) <= most_in(after, at)
    assert all(KINDS[unit.kind].land_military or not unit.parts for unit in after.units.values())
