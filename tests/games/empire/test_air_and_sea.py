"""Air and sea war as a preview tells it, what is never implied, and random fleets whose ledgers balance."""

from __future__ import annotations

import random
from functools import reduce

import msgspec
import pytest

from referee.core.chance import Keyed
from referee.core.event import Event, Rolled
from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.core.question import Answer, Question, Source
from referee.core.table import Table
from referee.games.empire.bots import suggest
from referee.games.empire.events import evolve
from referee.games.empire.events.air_and_sea import (
    FlakFired,
    MunitionSpent,
    PlanesIntercepted,
    SeaBattleFought,
    ShipPlundered,
    ShipsSunk,
    ShipWithdrew,
    SquareBombed,
)
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.game import GAME as EMPIRE
from referee.games.empire.orders import binding, vocabulary_of
from referee.games.empire.orders.attack import Attack, Engage
from referee.games.empire.orders.base import RollOut
from referee.games.empire.orders.binding import attempt
from referee.games.empire.orders.moving import MoveUnits
from referee.games.empire.orders.raids import Bomb, Plunder, TurnPirate
from referee.games.empire.orders.standing import ScrambleAlways, ScrambleNever
from referee.games.empire.position.state import Empire
from referee.games.empire.steady_player import order_form
from referee.games.empire.telling import forecast
from referee.games.empire.telling.forecast import examples
from referee.games.empire.telling.report import audit
from referee.orders import understand
from tests.games.empire.driving import aside, run_phase
from tests.games.empire.staging import given, stage

RED, BLUE = Seat("Red"), Seat("Blue")

BOTH = (
    "c8r8, c8r9, c8r10, c9r9 are sea",
    "Red has 5 X, 5 O in c4r4",
    "cruiser 30 of Red is in c8r8",
    "oil tanker 20 of Blue is in c8r9",
    "strategic bomber 31 of Red is in c14r9, in the air",
    "Red has 1 bomb aboard strategic bomber 31",
    "Blue has a city Works in c14r8 with 1 steel mill, 1 ack-ack site, 1 airport",
    "fighter 21 of Blue is in c14r8",
    "pirate ship 32 of Red is in c8r9",
    "SAC 33 of Red is in c8r9, aboard pirate ship 32",
)


def front(*facts: str) -> Empire:
    return reduce(given, (*BOTH, *facts), stage({"fiat": "none", "last_turn": "20"}))


def bound(empire: Empire, line: str) -> object:
    order = understand(line, vocabulary_of(empire))
    assert isinstance(order, Order), order
    return binding.bind(empire, RED, order)


# ---------------------------------------------------------------- words


def test_attack_means_ships_where_no_formation_attacks() -> None:
    empire = front("submarine 22 of Blue is in c8r9, under water", "SAC 34 of Red is in c8r11")
    assert bound(empire, "ATTACK c8r9 WITH cruiser 30") == Engage("c8r9", (30,))
    assert bound(empire, "ATTACK oil tanker 20 WITH cruiser 30") == Engage("c8r9", (30,))
    assert bound(empire, "ENGAGE c8r9 WITH cruiser 30") == Engage("c8r9", (30,))
    assert bound(empire, "TORPEDO oil tanker 20 WITH cruiser 30") == Engage("c8r9", (30,))
    assert bound(empire, "ATTACK submarine 22 WITH cruiser 30") == Engage("c8r9", (30,), submerged=True)
    assert isinstance(bound(empire, "ATTACK c8r12 WITH SAC 34, cruiser 30"), Attack)


def test_the_words_of_air_and_sea() -> None:
    empire = front()
    assert bound(empire, "BOMB steel mill IN Works WITH bomber 31") == Bomb("c14r8", "steel mill", (31,))
    assert bound(empire, "BOMB Fe IN Works WITH bomber 31") == Bomb("c14r8", "Fe", (31,))
    assert bound(empire, "SCRAMBLE NEVER IN Works") == ScrambleNever("c14r8")
    assert bound(empire, "SCRAMBLE ALWAYS") == ScrambleAlways()
    assert bound(empire, "PLUNDER oil tanker WITH pirate ship") == Plunder(20, 32)
    assert bound(empire, "TURN PIRATE pirate ship 32") == TurnPirate(32)


def test_examples_come_from_the_position() -> None:
    pirates = ("cargo ship 35 of Red is in c8r8", "SAC 36 of Red is in c8r8, aboard cargo ship 35")
    empire = front(
        *pirates, "strategic bomber 37 of Red is in c14r8, in the air", "Red has 1 bomb aboard strategic bomber 37"
    )
    told = examples(empire, RED)
    assert told["PLUNDER"] == "PLUNDER oil tanker 20 WITH pirate ship 32"
    assert told["ENGAGE"] == "ENGAGE c8r9 WITH cruiser 30, pirate ship 32"
    assert told["TURN PIRATE"] == "TURN PIRATE cargo ship 35"
    assert told["BOMB"] == "BOMB steel mill IN c14r8 WITH strategic bomber 37"


def test_the_form_names_attacks_at_sea_with_their_odds() -> None:
    empire, _ = aside(front(), RED, ScrambleNever("c4r4"))
    form = order_form(empire, RED)
    assert form[form.index("# At odds 5:1:") + 1] == "# ENGAGE c8r9 WITH cruiser 30, pirate ship 32"
    assert form[form.index("# With a chance of 1/2:") + 1] == "# PLUNDER oil tanker 20 WITH pirate ship 32"
    assert "# Fighters in c4r4 never scramble." in form


# ---------------------------------------------------------------- bots


def test_bots_fight_at_sea_and_in_the_air() -> None:
    rng = random.Random(3)
    pirates = ("cargo ship 35 of Red is in c8r8", "SAC 36 of Red is in c8r8, aboard cargo ship 35")
    empire = front(
        *pirates, "strategic bomber 37 of Red is in c14r8, in the air", "Red has 1 bomb aboard strategic bomber 37"
    )
    told = {type(intent) for _ in range(40) for intent in suggest(empire, RED, rng.randrange)}
    assert {Engage, Bomb, Plunder, TurnPirate} - told == set()


# ---------------------------------------------------------------- the preview


def test_a_preview_tells_odds_and_rolls_no_die() -> None:
    sheet = (
        MoveUnits((31,), "c14r8"),
        Bomb("c14r8", "steel mill", (31,)),
        Plunder(20, 32),
        Engage("c8r9", (30,)),
    )
    seen = forecast.preview(front(), RED, sheet)
    assert seen[:5] == (
        "Blue's fighter 21 from c14r8 would meet strategic bomber 31 over c14r8: each hits 1/3, a fighter 1/6.",
        "1 ack-ack site in c14r8 would fire first, each brings a plane down 1/6.",
        "Bombs on the steel mill in c14r8: strategic bomber 31 hits 1/2.",
        "Plundering oil tanker 20: pirate ship 32 takes it 1/2, loses its SAC 1/6.",
        "Attack on oil tanker 20 in c8r9: 4 against 1, odds 4:1: an exchange 1/6, the defenders go back 1/6 and the "
        "defenders are destroyed 2/3.",
    )


def test_a_preview_says_what_cannot_be_done_twice() -> None:
    sheet = (Engage("c8r9", (30,)), Engage("c8r9", (30,)))
    (doubt,) = [doubt for doubt in forecast.doubts(front(), RED, sheet) if "as things stand" in doubt.sentence]
    assert "cruiser 30 has attacked this turn." in doubt.sentence


# ---------------------------------------------------------------- P9


@pytest.mark.parametrize("order", [Engage("c8r9", (30,)), Plunder(20, 32)])
def test_who_is_rolled_out_by_another_attacks_nobody(order: Intent) -> None:
    def reply(question: Question[object]) -> Answer[object]:
        value = question.menu.decode(question.menu.encode((order, RollOut())))
        return Answer(value, Source.PLAYER, 1, "Blue")

    _, told = run_phase(front(), reply)
    assert any(isinstance(event, OrderRefused) and event.by_rule == "emp.P9" for event in told)
    assert not any(isinstance(event, SeaBattleFought | ShipPlundered) for event in told)


def test_scrambling_is_said_at_any_time_and_stands() -> None:
    empire, told = aside(front(), BLUE, ScrambleNever())
    assert empire.countries["Blue"].scramble == {"": "never"} and len(told) == 1
    empire, _ = aside(empire, BLUE, ScrambleAlways("c14r8"))
    assert empire.countries["Blue"].scramble == {"": "never", "c14r8": "always"}
    empire, _ = aside(empire, BLUE, ScrambleNever())
    assert empire.countries["Blue"].scramble == {"": "never"}


# ---------------------------------------------------------------- random fleets

_WATER = [f"c{column}r{row}" for column in range(8, 12) for row in range(6, 11)]
_SHIPS = ("battleship", "carrier", "cruiser", "destroyer", "submarine", "pirate ship", "cargo ship", "oil tanker")
_PLANES = ("fighter", "TAC", "strategic bomber", "cargo plane")


def armada(rng: random.Random) -> Empire:
    """A sea full of ships of both, some loaded, planes above it and a port with guns of Blue."""
    facts = [
        f"{', '.join(_WATER[:-1])} and {_WATER[-1]} are sea",
        "Red has 20 X, 20 O in c4r4",
        "Blue has 20 O in c14r4",
        "Blue has a city Port in c12r7 with 1 dock, 1 airport, 1 gun site, 2 ack-ack site, 1 warehouse, 1 steel mill",
        "Blue has stored 3 St in the warehouse of Port",
        "Red and Blue are hostile",
    ]
    for number in range(20, 60):
        seat, kind = ("Red", "Blue")[number % 2], rng.choice(_SHIPS if number < 42 else _PLANES)
        how = (
            ", in the air" if kind in _PLANES else ", under water" if kind == "submarine" and rng.random() < 0.5 else ""
        )
        how = ", on patrol" if kind == "fighter" and seat == "Blue" else how
        at = "c12r7" if number >= 54 else rng.choice(_WATER)
        facts.append(f"{kind} {number} of {seat} is in {'c11r7' if kind in _SHIPS and at == 'c12r7' else at}{how}")
        facts += _aboard(seat, kind, number, at)
    return reduce(given, facts, stage({"fiat": "none", "last_turn": "20"}))


def _aboard(seat: str, kind: str, number: int, at: str) -> list[str]:
    load = {"submarine": "2 torpedo", "TAC": "1 light bomb", "strategic bomber": "1 bomb", "cargo ship": "5 food"}
    crew = (
        [f"SAC {number + 100} of {seat} is in {at}, aboard {kind} {number}"]
        if kind in ("pirate ship", "cargo ship")
        else []
    )
    return [*([f"{seat} has {load[kind]} aboard {kind} {number}"] if kind in load else []), *crew]


def orders(empire: Empire, rng: random.Random) -> Intent:
    """Something of Red's, lawful or not."""
    mine = [unit for unit in empire.units_of("Red") if not unit.aboard]
    unit, other = rng.choice(mine), rng.choice(mine)
    near = [at for _, at in empire.board.grid.around(unit.at)]
    prey = rng.choice(empire.units_of("Blue"))
    pirates = [ship for ship in mine if ship.kind == "pirate ship"] or [unit]
    here = [ship for ship in empire.units_of("Blue", *_SHIPS) for pirate in pirates if ship.at == pirate.at] or [prey]
    ship = rng.choice(here)
    raider = next((pirate for pirate in pirates if pirate.at == ship.at), unit)
    return rng.choice(
        (
            MoveUnits((unit.number, other.number), rng.choice(near)),
            MoveUnits((unit.number,), rng.choice(["c12r7", prey.at])),
            Engage(rng.choice([*near, unit.at]), (unit.number, other.number)),
            Engage(prey.at, (unit.number,), submerged=prey.status == "submerged"),
            Bomb("c12r7", rng.choice(["warehouse", "steel mill", "airport", "dock", "gun site"]), (unit.number,)),
            Plunder(ship.number, raider.number),
            TurnPirate(unit.number),
        )
    )


def fought(seed: int) -> list[Event]:
    """A slot of random orders; every event is proved to fold, to speak, to survive being written, and to balance."""
    rng = random.Random(seed)
    before = armada(rng)
    told: list[Event] = []
    table: Table[Empire] = Table("T3/Red", before, Keyed(str(seed).encode(), 0), evolve)
    table.heard = told.append
    for line in range(60):
        attempt(table, RED, line, orders(table.state, rng))
    assert reduce(evolve, told, before) == table.state
    assert audit(before, told, table.state) == ()
    kinds = {event.__name__: event for event in EMPIRE.events}
    for event in told:
        assert event.sentence()[-1] in ".!?" and event.cites()
        if not isinstance(event, Rolled):
            assert msgspec.json.decode(msgspec.json.encode(event), type=kinds[type(event).__name__]) == event
    return told


def test_random_fleets_fold_and_balance_and_bring_every_event_about() -> None:
    seen = {type(event) for seed in range(60) for event in fought(seed)}
    wanted = {PlanesIntercepted, FlakFired, SquareBombed, MunitionSpent, SeaBattleFought, ShipsSunk, ShipWithdrew}
    assert {*wanted, ShipPlundered} - seen == set()
