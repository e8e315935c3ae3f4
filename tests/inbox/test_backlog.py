"""Letters that wait together are handled in one transaction, and nobody can tell from what became of them."""

from __future__ import annotations

import os
import shutil
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from referee.bootstrap.offices import accept, opened, take_up
from referee.config import read
from referee.core.record import Filed
from referee.service.base import notes
from referee.service.base.note_values import Identity
from referee.service.base.ports import LetterIn
from referee.service.intake import inbox
from referee.service.intake.inbox import handle_new
from referee.service.intake.letter_rules import judge
from tests.service.conftest import ANNA, BEN, CARLA, DAN, GINA
from tests.world import ADDRESS, World

BODIES = (
    "RESEARCH any\nHIRE 1 worker",
    "SAY hello everybody",
    "STANDING\nRESEARCH any\nEND",
    "ROLL OUT",
    "RESEARCH any\nFLY to the moon",
    "SHOW rules",
    "CLEAR\nBUY 1 food",
)


def backlog(world: World) -> int:
    """Letters of all players and the game master, some of them twice, to one match and to nobody; how many."""
    people = (ANNA, BEN, CARLA, DAN, GINA)
    count = 0
    for round_, body in enumerate(BODIES):
        for who in people:
            to = world.last(who).reply_to
            head = f"From: {who}\r\nTo: {to}\r\nSubject: s\r\nMessage-ID: <{round_}.{who}>\r\n\r\n"
            raw = (head + body.replace("\n", "\r\n") + "\r\n").encode()
            for copy in range(2 if who == BEN else 1):
                world.put(raw, who, to, transport=f"t:{round_}:{who}:{copy}")
                count += 1
    return count


def statements(world: World) -> list[str]:
    """What is said to the database from now on."""
    said: list[str] = []
    event.listen(world.store.engine, "checkout", lambda driver, *_: driver.set_trace_callback(said.append))
    return said


def test_a_backlog_comes_out_as_letter_by_letter(match: World, tmp_path: Path) -> None:
    match.close()
    folders = [tmp_path / name for name in ("together", "alone")]
    outcomes = []
    for folder, limit in zip(folders, (50, 1), strict=True):
        folder.mkdir()
        shutil.copy(tmp_path / "referee.sqlite", folder)
        world = World(folder, first=5_000)
        said = statements(world)
        before = len(world.all_mail())
        count = backlog(world)
        said.clear()
        while handle_new(world.office, limit):
            pass
        commits = said.count("COMMIT")
        assert (commits == count) if limit == 1 else (commits <= count // 8), (commits, count)
        statuses = [(row.id, row.status, row.verdict) for s in ("done", "duplicate") for row in world.letters(s)]
        outcomes.append((world.entries(), [mail.raw for mail in world.all_mail()[before:]], statuses))
        assert [world.letters(status) for status in ("new", "shunted")] == [[], []]
        world.close()
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[0][1]) > len(BODIES)


def test_one_letter_alone_is_one_commit(match: World) -> None:
    said = statements(match)
    match.reply(match.on_turn(), "RESEARCH any")
    assert said.count("COMMIT") == 2, "one when it came, one when it was handled"


def test_a_poison_letter_takes_no_other_with_it(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    player, seat = match.on_turn(), match.waits_for()

    def breaks(case: Any) -> Any:
        if "poison" in case.letter.text:
            case.step.put_note("nw1", "", "half", "done")
            raise ZeroDivisionError
        return judge(case)

    monkeypatch.setattr(inbox, "judge", breaks)
    to = match.last(player).reply_to
    for number, body in enumerate(("RESEARCH any", "poison", "ADD HIRE 1 worker")):
        raw = f"From: {player}\r\nTo: {to}\r\nMessage-ID: <{number}@x>\r\n\r\n{body}\r\n".encode()
        match.put(raw, player, to)
    match.work()
    assert [row.attempts for row in match.letters("shunted")] == [match.office.limits.attempts]
    assert len(match.letters("done")[-2:]) == 2
    assert len(match.log(Filed)) == 2
    assert match.drawer(seat, "orders")
    with match.store.look() as step:
        assert step.note("nw1", "", "half") is None, "nothing of a letter that broke us is kept"


def killed_at(number: int, folder: Path) -> bool:
    """Handle the backlog in a process that is killed at the statement of this number; whether it was."""
    child = os.fork()
    if not child:
        world = World(folder, first=7_000)
        count = 0

        def counted(_: str) -> None:
            nonlocal count
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)

        event.listen(world.store.engine, "checkout", lambda driver, *_: driver.set_trace_callback(counted))
        while handle_new(world.office):
            pass
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_killed_in_the_middle_of_a_heap_no_letter_is_lost_or_done_twice(match: World, tmp_path: Path) -> None:
    player, to = match.on_turn(), match.last(match.on_turn()).reply_to
    before = len(match.all_mail())
    for number in range(4):
        raw = f"From: {player}\r\nTo: {to}\r\nMessage-ID: <{number}@x>\r\n\r\nRESEARCH any\r\n".encode()
        match.put(raw, player, to)
    match.close()
    number = 1
    while killed_at(number, tmp_path):
        number += 5
    after = World(tmp_path, first=9_000)
    assert number > 20
    assert len(after.log(Filed)) == 4
    assert len(after.all_mail()) == before + 4
    assert [len(after.letters(status)) for status in ("new", "duplicate", "shunted")] == [0, 0, 0]
    after.close()


def test_what_lay_in_the_mailbox_an_hour_before_the_house_began_is_counted_and_not_answered(world: World) -> None:
    began = world.clock.now()
    with world.store.step() as step:
        notes.IDENTITY.of().keep(step, Identity(ADDRESS, "key", since=began))
    raw = b"From: %d@strangers.example\r\nTo: %s\r\nMessage-ID: <%d@x>\r\nSubject: Hello\r\n\r\nHELP\r\n"
    with world.store.step() as step:
        for number, hours in enumerate((-900, -2, -1, 1)):
            at, text = began + timedelta(hours=hours), raw % (number, ADDRESS.encode(), number)
            step.receive([LetterIn(0, f"imap:box:{number}", at, f"{number}@strangers.example", ADDRESS, text)])
    assert [mail.to for mail in world.work()] == ["2@strangers.example", "3@strangers.example"]
    with world.store.look() as step:
        assert notes.LAID_ASIDE.of().read(step) == 2
        assert [row.status for row in map(step.letter, (1, 2)) if row] == ["ignored", "ignored"]


def test_a_house_that_had_letters_before_it_was_noted_when_it_began_or_is_told_to_reads_its_whole_mailbox(
    tmp_path: Path, databases: Path
) -> None:
    for name, old, begins in (("empty", "false", True), ("empty", "true", False), ("begun", "false", False)):
        config = read(f'[referee]\naddress = "{ADDRESS}"\nanswer_old = {old}\n', tmp_path)
        (tmp_path / "var").mkdir(exist_ok=True)
        shutil.copy(databases / f"{name}.sqlite", tmp_path / "var" / "referee.sqlite")
        with opened(config) as office:
            take_up(config, office)
            assert (accept(config, office).since is not None) is begins
