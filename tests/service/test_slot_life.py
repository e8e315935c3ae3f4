"""The table of a slot's life: nothing happens to a slot that it does not have, and what acts on slots agrees about them."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.games import GAMES
from referee.service.base.note_values import Outage
from referee.service.base.ports import Alarm
from referee.service.intake.deadlines import HANDLERS, shunt
from referee.service.intake.downtime import give_back
from referee.service.match import slot_life
from referee.service.match.clocks import kept_clock
from referee.service.match.slot_life import (
    BEARS,
    OF_SLOTS,
    RINGS_WHILE,
    TABLE,
    AlarmKind,
    Happening,
    Impossible,
    State,
    borne,
    happens,
    kinds_of,
    question_of,
    row_of,
    slot_state,
)
from tests.service.conftest import ANNA, BEN, CARLA, GINA
from tests.service.slots_page import page, printed
from tests.service.test_which_sheet import parted
from tests.toy import TOY
from tests.world import World

SERVICE = Path(slot_life.__file__).parents[1]


# ---------------------------------------------------------------- the table


def test_the_page_is_printed_from_the_table() -> None:
    assert page()[1] == "\n" + printed(), "run `make tables`"


def test_every_alarm_has_its_handler_and_the_status_in_which_it_rings() -> None:
    assert set(HANDLERS) == set(RINGS_WHILE) == set(AlarmKind)


def test_the_alarms_that_a_row_sets_and_drops_fit_the_states_it_leads_between() -> None:
    for row in TABLE:
        for state in row.states:
            to = BEARS[row.to or state]
            assert row.sets <= to.always | to.perhaps, row
            left = {*BEARS[state].always, *BEARS[state].perhaps} - row.drops - {row.what.rings}
            assert left - row.sets <= to.always | to.perhaps, row
            assert to.always - (BEARS[state].always - row.drops - {row.what.rings}) <= row.sets, row


def test_no_two_rows_say_what_becomes_of_the_same() -> None:
    steps = [(state, row.what, row.to or state) for row in TABLE for state in row.states]
    assert len(steps) == len(set(steps)) == len(slot_life._BY_STEP)


def test_everything_that_can_happen_is_in_the_table_and_done_by_somebody() -> None:
    source = "".join(p.read_text(encoding="utf-8") for p in SERVICE.rglob("*.py") if p.name != "slot_life.py")
    for what in Happening:
        assert any(row.what is what for row in TABLE), what
        assert f"Happening.{what.name}" in source, what


def test_what_the_table_does_not_have_is_impossible_and_changes_nothing(match: World) -> None:
    with pytest.raises(Impossible, match='"its grace is over" cannot make a slot that is open on call'):
        row_of(State.OPEN, Happening.GRACE_OVER, State.ON_CALL)
    playing = match.playing()
    key, before = playing.outcome.open[0].key, match.alarms("deadline")
    with match.store.step() as step:
        with pytest.raises(Impossible, match=f"leaves {key} of nw1 with deadline, grace"):
            happens(step, playing.row, key, Happening.MOVED, sets=[Alarm("nw1", "grace", key, match.clock.now())])
        with pytest.raises(Impossible, match=f"leaves {key} of nw1 with no alarm"):
            happens(step, playing.row, key, Happening.DEADLINE_PASSED, State.ON_CALL)
    assert match.alarms("deadline") == before


def _kinds_written_out(path: Path) -> Iterator[str]:
    """Where a kind of alarm stands as a string of its own."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Compare(left=ast.Attribute(attr="kind"), comparators=[*found]):
                pass
            case ast.Call(
                func=ast.Name(id="Alarm" | "KeptAlarm") | ast.Attribute(attr="clear_alarms" | "due_alarms"),
                args=[*found],
            ):
                pass
            case _:
                continue
        words = [
            c for one in found for c in ast.walk(one) if isinstance(c, ast.Constant) and c.value in list(AlarmKind)
        ]
        yield from (f"{path.name}:{word.lineno}" for word in words)


def test_kinds_of_alarm_are_written_as_words_nowhere_else() -> None:
    assert [found for path in SERVICE.rglob("*.py") for found in _kinds_written_out(path)] == []


def test_alarms_of_slots_are_set_and_cleared_by_the_table_alone() -> None:
    """Beside it only the alarms of a match are set, and all of a match's are cleared when its slots are no more."""
    sets = {p.stem for p in SERVICE.rglob("*.py") if ".set_alarm(" in p.read_text(encoding="utf-8")}
    assert sets == {"slot_life", "suspension", "clock_overrides", "membership", "advance", "matches_in", "clocks"}
    clears = {p.stem for p in SERVICE.rglob("*.py") if ".clear_alarms(" in p.read_text(encoding="utf-8")}
    assert clears == {"slot_life", "suspension", "membership", "forming", "matches_in"}


# ---------------------------------------------------------------- what did not agree


def test_wait_written_ahead_leaves_the_delay_of_others_alone(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    other = next(address for address in (ANNA, BEN) if address != player)
    match.reply(player, "RESEARCH any")
    match.reply(other, "WAIT")
    match.wait(minutes=30)
    assert match.waits_for() != seat


def test_a_further_part_of_a_slot_in_grace_has_the_grace_of_the_slot(world: World) -> None:
    parted(world)
    world.reply(GINA, "CLOCK late after grace, grace 12h, reminders none")
    world.reply(GINA, "DEADLINE +1h")
    player, seat = world.on_turn(), world.waits_for()
    world.wait(hours=25)
    (grace,) = world.alarms("grace")
    world.reply(player, "RESEARCH any")
    world.wait(minutes=30)
    assert world.waits_for() == seat
    (still,) = world.alarms("grace")
    assert still.due_at == grace.due_at and still.key == f"{grace.key} 2"
    world.wait(hours=12)
    assert world.waits_for() != seat


def test_a_further_part_of_a_slot_keeps_the_grace_that_was_told(world: World) -> None:
    parted(world)
    world.reply(GINA, "CLOCK grace 12h, late after grace")
    world.reply(GINA, "DEADLINE +1h")
    world.reply(GINA, "CLOCK late auto")
    world.reply(world.on_turn(), "RESEARCH any")
    world.wait(minutes=30)
    assert [alarm.payload for alarm in world.alarms("deadline")] == ["12"]


def test_reminders_that_a_player_sets_give_him_no_grace_that_nobody_told_him_of(match: World) -> None:
    match.reply(GINA, "CLOCK late after grace, grace 12h")
    match.reply(match.on_turn(), "SET reminders 3h")
    (told,) = match.alarms("deadline")
    assert told.payload == "" and [alarm.key.partition("|")[2] for alarm in match.alarms("reminder")] == ["3"]


def test_forward_keeps_nothing_of_a_pause_in_the_course_it_undoes(match: World) -> None:
    match.reply(GINA, 'REWIND TO TURN 1 BECAUSE "a mistake"')
    match.reply(GINA, 'PAUSE BECAUSE "a holiday"')
    match.reply(GINA, 'FORWARD BECAUSE "it was none"')
    with match.store.look() as step:
        assert kept_clock(step, "nw1") == []
    assert match.status() == "running" and match.alarms("deadline")


def test_a_match_that_could_not_be_run_on_goes_on_with_the_time_that_was_left(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    match.reply(player, "RESEARCH any")
    match.wait(minutes=20)
    shunt(match.office, "nw1", "a mistake of the referee")
    match.wait(hours=30)
    assert match.waits_for() == seat
    mails = match.reply(GINA, 'RESUME BECAUSE "it is mended"')
    assert any("the time he had left when the match could not be run on" in mail.flat for mail in mails)
    match.wait(minutes=9)
    assert match.waits_for() == seat
    match.wait(minutes=1)
    assert match.waits_for() != seat


def test_a_sheet_sent_while_the_match_cannot_be_run_on_runs_after_it_is_resumed(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    shunt(match.office, "nw1", "a mistake of the referee")
    match.new_mail()
    (receipt,) = match.reply(player, "RESEARCH any\nROLL OUT")
    assert "The match stands still: no turn runs until it is resumed." in receipt.flat
    match.wait(hours=1)
    match.reply(GINA, 'RESUME BECAUSE "it is mended"')
    assert match.waits_for() == seat
    match.wait(minutes=30)
    assert match.waits_for() != seat


def test_a_match_that_is_ended_is_not_rolled_forward(match: World) -> None:
    match.reply(GINA, 'REWIND TO TURN 1 BECAUSE "a mistake"')
    match.reply(GINA, 'TERMINATE nw1 BECAUSE "we are tired"')
    match.reply(GINA, 'FORWARD BECAUSE "it was none"')
    assert match.status() == "over" and match.alarms("deadline") == []


# ---------------------------------------------------------------- random lives

_OF_PLAYERS = (
    "BID 2 coins",
    "BID 1 coin\nROLL OUT",
    "NO ORDERS",
    "WAIT",
    "NO WAIT",
    "EXTEND 2h",
    "ROLL OUT {seat}",
    "SET reminders 3h",
    "ABSENCE FROM {today} TO {tomorrow}",
)
_OF_THE_MASTER = (
    "PAUSE",
    "PAUSE FOR 5h",
    "RESUME",
    "RESUME",
    "DEADLINE +3h",
    "ROLL OUT {seat}",
    "EXCUSE {seat}",
    "CLOCK late auto",
    "CLOCK late after grace, grace 30h",
    "CLOCK late on call, grace 5h",
)
_SELDOM = (
    'REWIND TO TURN 1 BECAUSE "a mistake"',
    'FORWARD BECAUSE "it was none"',
    'TERMINATE BECAUSE "we are tired"',
)
_CLOCKS = ("late on call, grace 0h", "late after grace, grace 30h", "late on call, grace 5h", "late auto")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("lives"))
    object.__setattr__(world.office, "games", {**{game.name: game for game in GAMES}, "toy": TOY})
    yield world
    world.close()


@pytest.mark.parametrize("seed", [1, 2, 3, *(pytest.param(n, marks=pytest.mark.slow) for n in range(4, 60))])
def test_a_slot_never_comes_into_a_state_that_the_table_does_not_know(lived: World, seed: int) -> None:
    rng, name = random.Random(seed), f"t{seed}"
    clock = _CLOCKS[seed % len(_CLOCKS)]
    lived.write(GINA, f"CREATE toy AS {name} WITH rounds 3, slot 24h, mind 30min, bank 2 days, {clock}")
    for player in (ANNA, BEN, CARLA):
        lived.write(player, f"JOIN {name}")
    lived.reply(GINA, f"START {name}", kind="receipt")
    for _ in range(30):
        _something(lived, rng, name)
        _look(lived, name)


def _something(world: World, rng: random.Random, match: str) -> None:
    now, seat = world.clock.now(), rng.choice(world.playing(match).created.seats)
    days = {"today": f"{now:%Y-%m-%d}", "tomorrow": f"{now + timedelta(days=1):%Y-%m-%d}"}
    kind = rng.choices(("time", "player", "master", "seldom", "broken", "outage"), (45, 28, 18, 2, 3, 4))[0]
    match kind:
        case "time":
            world.wait(minutes=rng.choice((10, 30, 300, 1440)))
        case "player":
            world.reply(rng.choice((ANNA, BEN, CARLA)), rng.choice(_OF_PLAYERS).format(seat=seat, **days))
        case "master":
            world.reply(GINA, rng.choice(_OF_THE_MASTER).format(seat=seat))
        case "seldom":
            world.reply(GINA, rng.choice(_SELDOM))
        case "broken":
            shunt(world.office, match, "a mistake of the referee")
        case "outage":
            give_back(world.office, Outage(now - timedelta(hours=1), now))


def _look(world: World, match: str) -> None:
    playing = world.playing(match)
    with world.store.look() as step:
        alarms = step.alarms(match)
    keys = {question.key for question in playing.outcome.open} if playing.row.status != "over" else set()
    slots = {question_of(alarm) for alarm in alarms if alarm.kind in OF_SLOTS}
    assert slots <= keys, "what is closed bears nothing"
    for key in keys:
        state = slot_state(playing.row, alarms, key)
        assert state is not State.CLOSED, "what is open has its time"
        assert BEARS[state].allows(kinds_of(borne(alarms, key))), (state, alarms)
    assert not playing.row.trouble or playing.row.trouble == "a mistake of the referee"
    assert world.letters("shunted") == []
