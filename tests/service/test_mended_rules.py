"""Rules are mended while a phase is open: letters go on, the difference is told, the same dice stand, nobody is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from referee.core.event import Drawn, PhaseBegan, Rolled
from referee.core.record import Answered, Filed, Renewed, Sealed
from referee.games.newworld import game, phases
from referee.games.newworld.game import NewWorld
from referee.service.match import playing
from referee.service.match.audit import audit
from referee.service.match.history import history
from referee.service.match.slot_life import DEADLINE
from referee.service.turn import mended_rules
from tests.mended import mend, upgrade
from tests.service.conftest import GINA, OTTO, PLAYERS, begin
from tests.world import Mail, World


@pytest.fixture
def asked(world: World) -> Iterator[World]:
    """The first turn of a match whose decisions are mailed: its event is rolled, research is asked about."""
    begin(world, "WITH mode two_step")
    world.reply(world.on_turn(), "HIRE 1 worker\nROLL OUT")
    world.new_mail()
    yield world


def cite_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is changed but the citation of one roll."""
    mend(
        monkeypatch,
        phases,
        "event_phase",
        '"Event check", "nw.event.check"',
        '"Event check", "nw.event.privateers"',
    )


@pytest.fixture
def otherwise_cited(monkeypatch: pytest.MonkeyPatch, asked: World) -> World:
    """The fault of before: in a phase that is open one roll cites another rule."""
    cite_otherwise(monkeypatch)
    upgrade(monkeypatch)
    return asked


def test_letters_go_on_and_the_difference_is_told(otherwise_cited: World) -> None:
    world = otherwise_cited
    assert "script emits" in world.playing().fault
    mails = world.reply(world.last(PLAYERS[0]).to, "STATUS")
    assert world.letters("shunted") == [] and world.status() == "running"
    told = [mail for mail in mails if mail.kind == "notice"]
    assert {mail.to for mail in told} >= {GINA, *PLAYERS}
    assert "Event check" in told[0].flat and "[nw.event.privateers]" in told[0].flat
    assert "No longer:" in told[0].flat and "with the same dice" in told[0].flat


def test_the_phase_is_logged_as_played_anew_with_its_build(otherwise_cited: World) -> None:
    world = otherwise_cited
    before = world.entries()
    world.reply(PLAYERS[0], "STATUS")
    (change,) = world.log(Renewed)
    revision = world.office.games["newworld"].revisions[-1].number
    assert (change.build, change.revision) == ("mended", revision)
    assert world.entries()[: len(before)] == before
    began = [event for event in world.playing().outcome.events if isinstance(event, PhaseBegan)]
    assert [event.build for event in began] == ["mended"]


def thrown(world: World) -> list[tuple[str, tuple[int, ...]]]:
    """All dice and cards of the phase under way, each with its purpose."""
    events = world.playing().outcome.events
    return [(event.purpose, event.faces) for event in events if isinstance(event, Rolled | Drawn)]


def test_dice_behind_an_answer_from_orders_stay_as_they_were(
    world: World, monkeypatch: pytest.MonkeyPatch, sealed_dice: None
) -> None:
    """Such an answer followed from what was on file; taken again it still does, and ends no seal.

    No event comes, whatever the dice, so that nothing is asked before.
    """
    mend(monkeypatch, phases, "is_quiet", "check < TABLES.figures.event", "check < 7")
    begin(world, "WITH mode two_step")
    world.reply(world.on_turn(), "RESEARCH any\nROLL OUT")
    before = thrown(world)
    assert before[-1][0].endswith("/Exploration cards")
    cite_otherwise(monkeypatch)
    upgrade(monkeypatch)
    world.reply(PLAYERS[0], "STATUS")
    assert len(world.log(Renewed)) == 1 and thrown(world) == before
    answers = [answer for answer in world.log(Answered) if answer.key.endswith("/research")]
    assert [answer.at for answer in answers] == [0, 0]
    assert [seal.again for seal in world.log(Sealed)] == [0, 0, 2]
    match = world.playing()
    found = audit(match.game, match.row.secret, world.entries())
    assert found.sound, found.trouble


def test_a_second_start_changes_nothing_more(otherwise_cited: World) -> None:
    world = otherwise_cited
    world.reply(PLAYERS[0], "STATUS")
    playing._CACHE.clear()
    world.reply(PLAYERS[0], "STATUS")
    assert len(world.log(Renewed)) == 1


def test_the_turn_plays_on_by_letter_and_by_the_clock(otherwise_cited: World) -> None:
    world = otherwise_cited
    world.reply(PLAYERS[0], "STATUS")
    assert any(isinstance(event, Drawn) for event in world.playing().outcome.events)
    world.reply(world.on_turn(), "CHOOSE none")
    world.reply(world.on_turn(), "CHOOSE none")
    assert world.playing().outcome.phase is not None and world.told(history, "nw1")
    world.wait(hours=24)
    world.wait(hours=24)
    assert world.letters("shunted") == [] and world.status() == "running"


def test_at_the_deadline_alone_it_goes_on_too(otherwise_cited: World) -> None:
    world = otherwise_cited
    world.wait(hours=24)
    assert world.status() == "running" and len(world.log(Renewed)) == 1


def test_sheets_that_faulty_rules_took_after_the_end_as_they_had_it_are_no_trouble(
    asked: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They lie in the log where no phase has begun; rules that give another end cannot begin one before them."""
    with monkeypatch.context() as faulty:
        mend(faulty, game, "next_phase", "world.ended:", "not world.ended:")
        upgrade(faulty, "faulty")
        asked.reply(PLAYERS[0], "STANDING\nRESEARCH any\nEND")
        assert asked.status() == "over" and isinstance(asked.log(Filed)[-1], Filed)
    upgrade(monkeypatch)
    match = asked.playing()
    assert audit(match.game, match.row.secret, asked.entries()).trouble == ""
    monkeypatch.setattr(NewWorld, "build", "faulty")  # rules that say they ended it, and do not
    assert "where a phase should begin" in audit(match.game, match.row.secret, asked.entries()).trouble


def test_the_same_rules_that_do_not_give_what_the_log_has_are_no_upgrade(
    asked: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the log was changed: nothing is written over it."""
    before = asked.entries()
    cite_otherwise(monkeypatch)
    playing._CACHE.clear()
    asked.reply(PLAYERS[0], "STATUS")
    assert asked.entries() == before


def test_a_question_that_reads_otherwise_is_asked_anew(asked: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that happened differs; but who was offered other words is told those that count now."""
    owes = asked.waits_for()
    monkeypatch.setattr(mended_rules, "reads", lambda _: "mended")
    upgrade(monkeypatch)
    asked.write(OTTO, "GAMES")
    mails = asked.reply(asked.player("Spain" if owes != "Spain" else "France"), "STATUS")
    told = {(mail.to, mail.kind) for mail in mails}
    assert {(asked.player(owes), "question"), (asked.player(owes), "notice"), (GINA, "notice")} <= told
    (notice,) = [mail for mail in mails if (mail.to, mail.kind) == (asked.player(owes), "notice")]
    assert "Your question reads otherwise now" in notice.flat


ASKED_ANEW = "Your question reads otherwise now; the letter that asks it is sent anew, with the full time"
ASKED_NO_MORE = "Your last question is not asked now, so you need not answer it; if it is asked later, a letter asks"


def notice_to(mails: list[Mail], address: str) -> Mail:
    """The letter by which somebody is told that the rules were mended."""
    (notice,) = [mail for mail in mails if (mail.to, mail.kind) == (address, "notice")]
    return notice


@pytest.mark.parametrize("since", ["the start", "a rewind"])
def test_so_is_one_that_no_letter_of_its_own_had_asked(
    world: World, monkeypatch: pytest.MonkeyPatch, since: str
) -> None:
    """What waits when a match starts, or goes back to a turn, came with the letter that told of that."""
    begin(world)
    if since == "a rewind":
        world.reply(world.on_turn(), "ROLL OUT")
        world.reply(GINA, "REWIND TO TURN 1")
    owes = world.on_turn()
    monkeypatch.setattr(mended_rules, "reads", lambda _: "mended")
    upgrade(monkeypatch)
    world.new_mail()
    mails = world.reply(next(player for player in PLAYERS if player != owes), "STATUS")
    assert ASKED_ANEW in notice_to(mails, owes).flat
    assert (owes, "question") in {(mail.to, mail.kind) for mail in mails}


@pytest.mark.parametrize("paused", [False, True])
def test_who_is_asked_otherwise_has_the_full_time(asked: World, monkeypatch: pytest.MonkeyPatch, paused: bool) -> None:
    """He read something else until now; the clock of a match that is paused goes on with it."""
    world = asked
    (alarm,) = world.alarms(DEADLINE)
    asked_for = alarm.due_at - world.clock.now()
    world.clock.advance(asked_for / 2)
    if paused:
        world.reply(GINA, "PAUSE")
    monkeypatch.setattr(mended_rules, "reads", lambda _: "mended")
    upgrade(monkeypatch)
    world.reply(PLAYERS[0], "STATUS")
    if paused:
        world.clock.advance(timedelta(hours=1))
        world.reply(GINA, "RESUME")
    (alarm,) = world.alarms(DEADLINE)
    assert alarm.due_at - world.clock.now() == asked_for


def test_he_has_it_too_where_the_rules_are_met_at_his_deadline(asked: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline of what reads otherwise now ends nothing."""
    world = asked
    (alarm,), open_now = world.alarms(DEADLINE), world.playing().outcome.open
    monkeypatch.setattr(mended_rules, "reads", lambda _: "mended")
    upgrade(monkeypatch)
    mails = world.wait(seconds=(alarm.due_at - world.clock.now()).total_seconds())
    assert ASKED_ANEW in notice_to(mails, world.player(open_now[0].seat)).flat
    assert [question.key for question in world.playing().outcome.open] == [question.key for question in open_now]
    (again,) = world.alarms(DEADLINE)
    assert again.key == alarm.key and again.due_at > world.clock.now()


def test_who_is_asked_something_else_instead_is_told_so(asked: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """His turn goes on to the next question."""
    owes = asked.on_turn()
    mend(
        monkeypatch,
        phases,
        "_buy",
        "if not choose_research(power, hand",
        "if hand or choose_research(power, hand",
    )
    upgrade(monkeypatch)
    other = next(player for player in PLAYERS if player != owes)
    mails = asked.reply(other, "STATUS")
    assert asked.on_turn() == owes and (owes, "question") in {(mail.to, mail.kind) for mail in mails}
    assert ASKED_ANEW in notice_to(mails, owes).flat
    assert all(words not in mail.flat for mail in mails if mail.to == other for words in (ASKED_ANEW, ASKED_NO_MORE))


def ask_another_first(monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    """Another seat is asked something before the one on turn is."""
    before = "answer = yield from table.ask(question)"
    earlier = f'Question(turn.key + "/first", "{seat}", "Is it new?", menu, Pace.REPLY, "nw.r14")'
    mend(monkeypatch, phases, "_buy", before, f"yield from table.ask({earlier}); {before}")
    upgrade(monkeypatch)


def test_who_must_wait_for_another_first_is_told_so(asked: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that happened differs, and his question comes again, by a letter."""
    owes, seat = asked.on_turn(), asked.waits_for()
    first = next(name for name in asked.playing().created.seats if name != seat)
    ask_another_first(monkeypatch, first)
    mails = asked.reply(GINA, "STATUS")
    assert ASKED_NO_MORE in notice_to(mails, owes).flat
    assert "Is it new?" in next(mail for mail in mails if mail.kind == "question").flat
    again = asked.reply(asked.player(first), "CHOOSE none")
    assert (owes, "question") in {(mail.to, mail.kind) for mail in again}


def test_an_answer_to_what_is_asked_no_more_is_said_to_count_no_more(
    asked: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He is asked nothing again, and nobody says so."""
    first = next(name for name in asked.playing().created.seats if name != asked.waits_for())
    ask_another_first(monkeypatch, first)
    asked.reply(GINA, "STATUS")
    asked.reply(asked.player(first), "CHOOSE none")
    monkeypatch.undo()
    upgrade(monkeypatch, "mended again")
    mails = asked.reply(GINA, "STATUS")
    told = notice_to(mails, asked.player(first)).flat
    assert "An answer of yours counts no more, for its question is not asked now" in told
    assert "you are asked again" not in told
