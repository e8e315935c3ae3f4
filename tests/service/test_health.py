"""Health: what is wrong is said in a sentence, what is not is left unsaid, and nobody is named."""

from __future__ import annotations

import json
from datetime import timedelta

import msgspec
from prometheus_client import generate_latest

from referee.adapters.monitoring import registry
from referee.service.base import notes
from referee.service.base.note_values import BackedUp, Loss
from referee.service.intake.health import Around, Health, Part, as_data, health
from referee.service.match.suspension import note_loss
from tests.service.conftest import ANNA, PLAYERS
from tests.world import World

MINUTES = timedelta(minutes=5)
ROOMY = Around(free=10_000_000_000, reserve=100_000_000)


def looked(world: World, around: Around = ROOMY) -> Health:
    with world.store.look() as step:
        return health(world.office.clock.now(), step, around, MINUTES)


def send_all(world: World) -> None:
    """The postman has been here."""
    with world.store.step() as step:
        for letter in step.claim_outgoing(world.clock.now(), 1000, 60):
            step.sent(letter.id, world.clock.now())


def test_all_is_well_and_everything_is_counted(match: World) -> None:
    send_all(match)
    match.reply(ANNA, "HELP")
    found = looked(match)
    assert (found.wrong, found.well) == ((), True)
    assert found.matches == {"running": 1} and found.letters_in == {"done": len(match.letters("done"))}
    assert found.letters_waiting == 0 and found.oldest_in is None and (found.overdue, found.late) == (0, 0)
    assert found.out("queued") == {"receipt": 1} or found.out("queued") == {"help": 1}
    assert sum(found.out("sent").values()) > len(PLAYERS) and found.backup is None
    with match.store.step() as step:
        notes.BACKED_UP.of().keep(step, BackedUp(match.clock.now(), "/backups/1"))
    assert looked(match).backup == match.clock.now()


def test_a_deadline_that_does_not_ring_is_wrong_after_some_minutes(match: World) -> None:
    send_all(match)
    with match.store.look() as step:
        due = min(alarm.due_at for alarm in step.alarms("nw1"))
    match.clock.set(due + timedelta(minutes=4))
    early = looked(match)
    assert (early.wrong, early.overdue, early.late) == ((), 1, 240)
    match.clock.advance(timedelta(minutes=2))
    (wrong,) = looked(match).wrong
    assert wrong == "1 alarm of matches rings late, the first by 6 min: the log says what keeps them."
    match.work()
    send_all(match)
    assert looked(match).well


def test_while_deadlines_wait_for_a_mail_server_that_is_what_is_wrong(match: World) -> None:
    send_all(match)
    with match.store.look() as step:
        due = min(alarm.due_at for alarm in step.alarms("nw1"))
    loss = Loss("the mailbox box@club.example", due - timedelta(minutes=1), due, "box@club.example is locked")
    with match.store.step() as step:
        note_loss(step, "mailbox", loss)
    match.clock.set(due + timedelta(minutes=30))
    found = looked(match)
    assert found.wrong == ("The mailbox has not been reached for 31 min: referee doctor says why.",)
    assert found.out_of_reach == {"mailbox": 1860} and found.overdue == 0
    with match.store.step() as step:
        note_loss(step, "mailbox", msgspec.structs.replace(loss, until=match.clock.now()))
    assert looked(match).out_of_reach == {}


def test_letters_that_wait_are_wrong_wherever_they_lie(match: World) -> None:
    send_all(match)
    match.put(b"From: a@b.example\r\n\r\nHELP\r\n", "a@b.example", "referee@games.example")
    assert looked(match).well
    match.clock.advance(timedelta(minutes=7))
    (wrong,) = looked(match).wrong
    assert wrong == "1 letter came and waits for the desk, the oldest for 7 min: referee desk list names them."
    in_the_bag = msgspec.structs.replace(ROOMY, in_bag=2, first_in_bag=match.clock.now() - timedelta(minutes=90))
    found = looked(match, in_the_bag)
    assert found.wrong[0].startswith("3 letters came and wait for the desk, the oldest for 1 h 30 min")
    assert (found.letters_waiting, found.oldest_in) == (3, 5400)


def test_a_letter_that_is_due_and_not_sent_is_wrong_and_one_that_is_put_off_is_not(match: World) -> None:
    send_all(match)
    match.reply(ANNA, "HELP")
    match.clock.advance(timedelta(minutes=6))
    assert looked(match).wrong == (
        "Letters wait to be sent, one that was due 6 min ago: referee doctor tries the way out.",
    )
    with match.store.step() as step:
        (letter,) = step.claim_outgoing(match.clock.now(), 10, 60)
        step.not_sent(letter.id, "greylisted", match.clock.now() + timedelta(hours=1))
    found = looked(match)
    assert found.well and (found.tried_in_vain, found.oldest_out) == (1, 360)
    with match.store.step() as step:
        step.not_sent(letter.id, "no such user", None)
    assert sum(looked(match).out("failed").values()) == 1


def test_parts_that_do_not_run_or_do_not_look_are_named(match: World) -> None:
    send_all(match)
    parts = (Part("receiver", False), Part("postman", True, 299), Part("desk 1", True, 700), Part("desk 2", True, 1))
    around = msgspec.structs.replace(ROOMY, parts=parts, damaged=True, free=50_000_000)
    assert looked(match, around).wrong == (
        "The database is damaged: restore your last backup.",
        "The receiver does not run: start the service anew.",
        "Desk 1 has not looked for work for 11 min: the log says what keeps it; start the service anew.",
        "47 MB are free on the disk, less than the 95 of [limits] reserve_mb, so letters are put off: make room.",
    )


def test_a_command_knows_by_the_heartbeat_that_no_desk_is_at_work(match: World) -> None:
    send_all(match)
    with match.store.step() as step:
        notes.HEARTBEAT.of().keep(step, match.clock.now())
    match.clock.advance(timedelta(hours=2))
    assert looked(match).wrong == ("No desk has been at work for 2 h: does referee serve run?",)
    served = msgspec.structs.replace(ROOMY, parts=(Part("desk 1", True, 1.0),))
    assert looked(match, served).well and looked(match, served).desk_idle == 7200


def test_nobody_is_named(match: World) -> None:
    """Players, the game master, a stranger whose letter broke us, our own mailbox, the match: none stands in it."""
    match.put(b"From: mallory@strangers.example\r\n\r\nHELP\r\n", "mallory@strangers.example", "referee@games.example")
    with match.store.step() as step:
        (row,) = step.letters("new")
        step.finish_letter(row.id, "shunted", "ValueError: 'Mallory wrote this'")
        (letter, *_) = step.claim_outgoing(match.clock.now(), 10, 60)
        step.not_sent(letter.id, "anna@players.example is unknown", None)
        since = match.clock.now()
        note_loss(step, "relay", Loss("the relay mail.club.example:587", since, since, "refused by mail.club.example"))
    match.clock.advance(timedelta(days=3))
    around = msgspec.structs.replace(ROOMY, free=1, in_bag=1, parts=(Part("desk 1", False),), damaged=True)
    found = looked(match, around)
    assert len(found.wrong) == 5
    told = json.dumps(msgspec.to_builtins(as_data(found))) + generate_latest(registry(found, "0.2.0")).decode()
    secret = (
        "anna",
        "ben",
        "carla",
        "dan",
        "gina",
        "mallory",
        "nw1",
        "England",
        "club.example",
        "@",
        "wrote",
        "unknown",
    )
    assert [word for word in secret if word.casefold() in told.casefold()] == []
