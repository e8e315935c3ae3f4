"""The words of Empire: every example is understood, lines mean what they say, the nearest lawful order is offered."""

from __future__ import annotations

import random
from functools import partial

import msgspec
import pytest

from referee.core.names import Seat
from referee.core.order import Ambiguous, Illegal, Invalid, Order, Portion, Quantity, Vocabulary
from referee.games.empire.bots import suggest
from referee.games.empire.events.course import SlotOpened
from referee.games.empire.events.supply import CooliesBorn, PersonDied
from referee.games.empire.game import EmpireGame
from referee.games.empire.orders import BOOK, binding, vocabulary_of
from referee.games.empire.orders.base import Execute, Interpret, RollOut
from referee.games.empire.orders.binding import attempt
from referee.games.empire.orders.giving import AcceptControl
from referee.games.empire.orders.loading import Load
from referee.games.empire.orders.moving import STANCES, MoveUnits, RollWind
from referee.games.empire.orders.zero_turn import PlaceCapital
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import Goods
from referee.games.empire.rulebook import RULES
from referee.games.empire.rulebook.kinds import ALLOWANCE, in_bta
from referee.games.empire.steady_player import order_form
from referee.games.empire.telling.forecast import examples, forecast, preview
from referee.kit.declared import Declared
from referee.orders import read as read_letter
from referee.orders import understand, write
from tests.games.empire.driving import act, begun
from tests.games.empire.staging import given, stage

RED = Seat("Red")
GAME = EmpireGame()
ONE = Quantity(Portion.EXACTLY, 1)


def scene() -> Empire:
    """Red with coolies, a truck, two ships and a city; Blue with a truck far away."""
    empire = stage({"fiat": "none"})
    for fact in (
        "coolie 14 to 20 of Red are in c4r6",
        "truck 30 of Red is in c4r6",
        "cargo ship 31 of Red is in c4r6, on the beach",
        "truck 32 of Blue is in c16r12",
        "Red has 6 St, 5 food, 2 X, 3 t&d in c4r6",
        "Red has a city North in c4r8",
        "there is a farm in c4r6",
        "Blue has posted petition 1 for a change",
    ):
        empire = given(empire, fact)
    return empire


EMPIRE = scene()
WORDS = vocabulary_of(EMPIRE)
IDS = {rule.id for rule in RULES}


def read(line: str) -> Order:
    order = understand(line, WORDS)
    assert isinstance(order, Order), (line, order)
    return order


def bound(line: str) -> object:
    return binding.bind(EMPIRE, RED, read(line))


def refusal(line: str) -> Illegal:
    found = bound(line)
    assert isinstance(found, Illegal), found
    return found


@pytest.mark.parametrize("verb", WORDS.verbs, ids=lambda verb: str(verb.word))
def test_every_example_is_understood_and_cites_a_rule(verb: object) -> None:
    found = next(
        v for v in BOOK.verbs(other="Blue", who="coolie 14") if v is verb or v.word == getattr(verb, "word", "")
    )
    order = read(getattr(verb, "example", ""))
    assert order.verb == found.word and found.rule in IDS
    assert read(write(order)) == order


def test_every_order_can_be_written() -> None:
    """One verb at least for each class of order: what the examples and their kin bind to, refusals apart."""
    lines = [
        "PICK truck, 6 road", "MOVE coolie 14 TO c4r7", "LOAD 2 St ABOARD truck 30", "UNLOAD 1 St FROM truck 30",
        "DISEMBARK coolie 14 TO c4r7", "TOW truck 30 BEHIND cargo ship 31",
        "CAST OFF cargo ship 31", "PUMP 1 O FROM c4r6 TO c4r7", "ROLL WIND",
        *(f"{stance.words.verb} cargo ship 31" for stance in STANCES),
        "WORK farm WITH coolie 14", "ABANDON farm IN c4r6", "BUILD steel mill WITH coolie 14",
        "BUILD road ALONG c4r6, c4r7 WITH coolie 14", 'FOUND "New" WITH coolie 14', "SCRAP steel mill WITH coolie 14",
        "DESTROY coolie 14", "BURN 1 X IN c4r6", "RUN steel mill IN North FOR 3 St", "SUPPRESS BIRTHS IN North",
        "CONSUME 1 beer IN North",
        "GIVE coolie 14 TO Blue", "GIVE Red TO Blue", "GIVE 1 St TO Blue IN c4r6", "SEIZE truck 32 WITH coolie 14",
        "SEIZE 1 St WITH coolie 14",
        "EXCHANGE 1 TO Blue",
        "TREAT Blue AS hostile", "BALKANIZE Northland WITH North, coolie 15", 'PETITION FOR change "More food."',
        "SUSPEND FOR 2 days", "VOTE yes ON 1", "FEED FIRST coolie 14", "APPOINT coolie 14", "EXECUTE", "ROLL OUT",
        "ARM coolie 14 AS SAC", "DISARM coolie 14", "ATTACK c4r7 WITH coolie 14 KILLING coolies", "RETREAT TO North",
        "ATTACK c4r7 WITH cargo ship 31", "BOMB warehouse IN North WITH cargo ship 31", "SCRAMBLE NEVER IN North",
        "TURN PIRATE cargo ship 31", "PLUNDER truck 32 WITH cargo ship 31",
        "FEED LAST 2 coolies", "FEED FROM c4r6", "SPARE FOOD IN c4r6", "FEED AS USUAL", "ALLOW BIRTHS IN North",
        "RETREAT AS USUAL", "SCRAMBLE ALWAYS",
    ]  # fmt: skip
    later = [binding.bind_later(EMPIRE, RED, read(line)) for line in lines]
    refused = [(line, found.sentence) for line, found in zip(lines, later, strict=True) if isinstance(found, Illegal)]
    assert refused == []
    asked_elsewhere = {PlaceCapital, AcceptControl, Interpret}
    missing = {*GAME.intents} - {type(found) for found in later} - asked_elsewhere
    assert missing == set()


@pytest.mark.parametrize(
    "line",
    [
        "LOAD 2 St, all food, 2 coolies, truck 30 ABOARD cargo ship 31", "LOAD up to 3 TD, coolies FROM c4r7 ABOARD truck 30",
        "UNLOAD half O, all coolies FROM truck 30 INTO warehouse", "DISEMBARK 2 coolies, truck 30 FROM c4r6 TO c4r7",
        "TOW all barges, coolie 14 BEHIND cargo ship 31", "PUMP all but 1 O FROM North TO c4r7",
        "DOCK all cargo ships IN c4r6", "WORK Fe IN c4r6 AS double", "WORK farm WITH coolie IN c4r6", "ABANDON fish IN North",
        'FOUND "New Rome" BY coolie 14', "RUN steel mill IN North FOR 3 St", "RUN naval shipyard IN c4r6 FOR 1 submarine",
        "CONSUME 2 beer, coolie 14 IN North", "APPOINT coolie IN c4r6", "APPOINT coolie 14", "SCRAP dock WITH coolie 14",
        "SCRAP dock WITH coolie IN c4r6", "DESTROY coolie IN c4r6", "DESTROY coolie 14", "DESTROY city IN c4r6",
        "BURN X, 2 TD IN North", "ARM 3 coolies, coolie 14 IN c4r6 AS SACs", "DISARM all SACs AT North",
    ],
)  # fmt: skip
def test_a_line_with_so_many_of_a_kind_is_written_as_it_was_read(line: str) -> None:
    found = binding.bind_later(EMPIRE, RED, read(line))
    assert isinstance(found, Declared), found
    assert binding.bind_later(EMPIRE, RED, read(GAME.line(EMPIRE, found))) == found


def test_units_by_number_kind_and_square() -> None:
    assert bound("MOVE coolie 14, 15, unit 16 TO c4r7") == MoveUnits((14, 15, 16), "c4r7")
    some = bound("MOVE 3 coolies FROM c4r6 TO North")
    assert isinstance(some, MoveUnits) and (some.target, some.some[0].kind) == ("c4r8", "coolie")
    load = bound("LOAD 2 t&d, 5 food, 2 steel, coolie 14 ABOARD truck")
    assert isinstance(load, Load) and load.carrier == 30 and load.units == (14,)
    assert [(goods.what, goods.quantity.number) for goods in load.goods] == [("t&d", 2), ("food", 5), ("St", 2)]


def test_a_number_that_is_no_unit_is_never_another() -> None:
    assert refusal("MOVE coolie 1 TO c4r7").sentence.startswith("You have no coolie 1; yours ")
    assert refusal("MOVE coolie 14, 99 TO c4r7").sentence.startswith("You have no coolie 99; yours ")
    assert refusal("MOVE coolie 14, 30 TO c4r7").instead == ("MOVE coolie 14, truck 30 TO c4r7",)
    assert isinstance(understand("MOVE gondola 1 TO c4r7", WORDS), Invalid | Ambiguous)


@pytest.mark.parametrize(
    ("line", "rule", "sentence"),
    [
        ("LOAD St ABOARD truck 30", "emp.L1", "Say how many St."),
        ("MOVE truck 32 TO c4r7", "emp.P12", "truck 32 is Blue's, not yours."),
        ("PICK truck", "emp.P5", "That makes 1 pick; take 2."),
        ("WORK farm", "emp.P22", "Say who does it, or where: WORK ... WITH coolie 1, or ... IN c12r7."),
        ("BUILD city WITH coolie 14", "emp.C1", "The city needs a name."),
        ("GIVE 2 St TO Blue", "emp.H-23", "Say in which square the goods change hands."),
        ("BURN 1 X", "emp.board.destruction", "Say where: BURN ... IN c12r7."),
        ("SEIZE truck 30 WITH coolie 14", "emp.P13", "truck 30 is yours already."),
        ("ACCEPT 4", "emp.P12", "No transfer 4 is waiting."),
        ("PLACE CAPITAL c8r8", "emp.P3", "Capitals are placed once, before the first turn."),
        ("MOVE cargo ship 31 TO c90r1", "emp.board.square", "c90r1 is no square of this board."),
    ],
)
def test_refusals(line: str, rule: str, sentence: str) -> None:
    found = refusal(line)
    assert (found.rule, found.sentence) == (rule, sentence) and rule in IDS


# ---------------------------------------------------------------- PREVIEW


def test_preview_tells_places_allowances_and_mouths() -> None:
    sheet = (MoveUnits((14, 15, 16), "c4r7"), Load(30, (Goods("St", ONE),)))
    told = preview(EMPIRE, RED, sheet)
    assert "coolies 14 to 16: c4r7, 10 BTA left." in told
    assert "As before in c4r6: coolies 17 to 20; truck 30; cargo ship 31." in told
    assert "Red has 8 mouths to feed at its next turn: all are fed." in told


def test_preview_says_where_food_lacks() -> None:
    empire = given(EMPIRE, "coolie 41 to 50 of Red are in c12r12")
    (told,) = [line for line in preview(empire, RED, ()) if "mouths" in line]
    food = empire.stock("Red")["food"]
    persons = sum(
        unit.country == "Red" and unit.kind in ("coolie", "government coolie", "SAC") for unit in empire.units.values()
    )
    starts = forecast(empire, RED, ()).starts
    born = sum(isinstance(event, CooliesBorn) for event in starts)
    died = sum(isinstance(event, PersonDied) for event in starts)
    assert died == max(10, persons + born - food) and f"{died} of them would die" in told
    assert told.startswith(f"Red has {persons + born} mouths to feed at its next turn")
    assert "10 in c12r12 of hunger" in told


@pytest.mark.parametrize("seed", range(4))
def test_preview_is_what_comes_true(seed: int) -> None:
    """Units stand where the preview of a sheet said, with what it said is left, and the position is left alone."""
    empire = begun()
    seat, rng = empire.order[0], random.Random(seed)
    empire, _ = act(empire, lambda table: table.emit(SlotOpened(seat)))
    sheet = tuple(order for order in suggest(empire, seat, rng.randrange) if not isinstance(order, RollWind))
    before = msgspec.json.encode(empire)
    told = preview(empire, seat, sheet)
    assert msgspec.json.encode(empire) == before
    after = empire
    for order in sheet:
        if not isinstance(order, RollOut | Execute):
            after, _ = act(after, partial(attempt, seat=seat, line=1, intent=order))
    moved = [unit for unit in after.units_of(seat, "coolie") if unit != empire.units.get(unit.number)]
    assert moved
    for unit in moved:
        where, left = f": {unit.at}", f"{in_bta(ALLOWANCE - unit.spent)} BTA left."
        assert any(line.endswith(left) and where in line and spoken(unit.number, line) for line in told), unit


def spoken(number: int, line: str) -> bool:
    """Whether a line such as `coolies 3, 5 to 9: ...` names a number."""
    parts = line.partition(":")[0].partition(" ")[2].split(", ")
    runs = [tuple(map(int, part.split(" to "))) for part in parts if part[:1].isdigit()]
    return any(run[0] <= number <= run[-1] for run in runs)


# ---------------------------------------------------------------- the order form and HELP


def test_the_proposals_of_a_form_can_all_be_uncommented() -> None:
    empire = begun()
    seat = empire.order[0]
    words = vocabulary_of(empire)
    lines = [line.removeprefix("# ") for line in order_form(empire, seat)]
    assert max(map(len, lines)) <= 72 and len(lines) < 50
    orders = [understand(line, words) for line in lines if line.startswith(("MOVE ", "WORK ", "PICK "))]
    sheet = [binding.bind(empire, seat, order) for order in orders if isinstance(order, Order)]
    assert len(sheet) == len(orders) >= 10
    bound = [intent for intent in sheet if not isinstance(intent, Illegal)]
    assert bound == sheet and forecast(empire, seat, bound).refused == ()


def test_later_forms_show_who_is_idle_and_what_is_under_way() -> None:
    empire = given(EMPIRE, "coolie 14 has spent 4 BTA")
    empire = given(empire, "coolie 15 works farm in c4r6")
    empire = given(empire, "coolie 16 builds a steel mill, 2 turns left")
    told = " ".join(line.lstrip("# ") for line in order_form(empire, RED))
    assert "Idle in c4r6, 8 BTA left: coolie 14." in told
    assert "Idle in c4r6, 12 BTA left: coolies 17 to 20." in told
    assert "Worked: farm in c4r6." in told and "Under way: steel mill in c4r6, 2 turns left." in told
    assert "cargo ship 31 in c4r6, on the beach, 12 BTA left." in told
    assert "VOTE yes ON 1" in told


@pytest.mark.parametrize("empire", [EMPIRE, begun()], ids=["scene", "start"])
def test_examples_come_from_the_players_own_position_and_bind(empire: Empire) -> None:
    seat = empire.active or RED
    words = vocabulary_of(empire)
    lines = examples(empire, seat)
    tests = {predicate.word for predicate in words.predicates}
    assert len(lines) >= 20 and set(lines) - tests <= {verb.word for verb in words.verbs}
    for word, line in lines.items():
        if word not in tests:
            order = understand(line, words)
            assert isinstance(order, Order) and order.verb == word, line
            found = binding.bind(empire, seat, order)
            assert not isinstance(found, Illegal), (line, found)
    for word in tests & set(lines):
        reading = read_letter(f"IF {lines[word]}\nROLL OUT\nEND", words, Vocabulary((), ()))
        assert reading.mistakes == (), lines[word]


def test_the_form_is_read_as_it_stands() -> None:
    lines = [line.removeprefix("# ") for line in order_form(EMPIRE, RED)]
    commands = [line for line in lines if line.split(" ")[0] in ("MOVE", "WORK", "VOTE", "EXECUTE", "ROLL", "PICK")]
    assert len(commands) >= 4
    assert [line for line in commands if not isinstance(understand(line, WORDS), Order)] == []
