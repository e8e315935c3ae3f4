"""What comes first is done first, also where other desks work beside this one, or one ended with a letter in hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.adapters.processes.supervisor import NotedHand, at_hand, held
from referee.core.record import Filed
from referee.service.base.office import Office, Share
from referee.service.base.ports import Alarm, Left, LetterIn, Overtaken
from referee.service.intake import deadlines, inbox
from referee.service.intake.inbox import handle_new
from tests.service.conftest import GINA
from tests.world import ADDRESS, World


def put_orders(world: World, match: str, *gold: int) -> None:
    """Letters of the player who is on turn, laid into the inbox."""
    player = world.on_turn(match)
    to = [mail.reply_to for mail in world.all_mail() if mail.to == player and f"[{match}]" in mail.subject][-1]
    for number in gold:
        head = f"From: {player}\r\nTo: {to}\r\nMessage-ID: <{number}@players.example>\r\n\r\n"
        world.put(f"{head}RESEARCH any KEEPING {number} gold\r\n".encode(), player, to)


def filed(world: World) -> list[str]:
    """By which letters orders were filed, in the order of the log."""
    return [record.letter for record in world.log(Filed)]


def test_where_a_letter_has_to_wait_those_after_it_to_the_same_match_wait_too(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_orders(match, "nw1", 1, 2)
    with match.store.look() as step:
        first = step.waiting(1)[0].id
    really = inbox.handle

    def met(office: Office, *rows: LetterIn) -> int:
        if any(row.id == first for row in rows):
            raise Overtaken("others wrote meanwhile")
        return really(office, *rows)

    monkeypatch.setattr(inbox, "handle", met)
    assert handle_new(match.office) == 0
    assert filed(match) == []
    monkeypatch.setattr(inbox, "handle", really)
    assert handle_new(match.office) == 2
    assert filed(match) == ["<1@players.example>", "<2@players.example>"]


def test_no_deadline_falls_while_more_letters_wait_than_are_looked_at(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines, "_MOST_WAITING", 2)
    for number in range(2):
        match.put(
            f"From: otto@players.example\r\nMessage-ID: <{number}@x>\r\n\r\nX\r\n".encode(),
            "otto@x",
            "referee+other.aaaabbbbccccdddd@games.example",
        )
    put_orders(match, "nw1", 1)
    before = match.on_turn()
    match.clock.advance(timedelta(hours=25))
    assert deadlines.ring_due(match.office) == 0
    match.work()
    assert match.on_turn() != before
    assert filed(match) == ["<1@players.example>"]


def test_a_deadline_that_met_anothers_write_is_rung_again_at_once(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A desk that waited for its next look might be overtaken by the same thing then, and so for ever."""
    really, tries, before = deadlines.ring, list[str](), match.on_turn()

    def met(office: Office, alarm: Alarm) -> None:
        tries.append(alarm.kind)
        if len(tries) == 1:
            raise Overtaken("others wrote meanwhile")
        really(office, alarm)

    match.clock.advance(timedelta(hours=25))
    monkeypatch.setattr(deadlines, "ring", met)
    deadlines.ring_due(match.office, 1)
    assert tries[:2] == [tries[0]] * 2
    match.work()
    assert match.on_turn() != before


def with_share(world: World, number: int, seconds: Callable[[], float] = lambda: 0.0) -> Office:
    return replace(world.office, share=Share(number, 2, seconds))


def whose(match: str) -> int:
    """The number of the one of two desks that has this match in its share."""
    (number,) = (number for number in range(2) if Share(number, 2).has(match))
    return number


def test_a_desk_does_the_letters_of_its_share_and_leaves_others_to_who_is_quicker_there(match: World) -> None:
    own, other = with_share(match, whose("nw1")), with_share(match, 1 - whose("nw1"))
    put_orders(match, "nw1", 1)
    assert handle_new(other) == 0
    assert filed(match) == []
    assert handle_new(own) == 1
    assert filed(match) == ["<1@players.example>"]


def test_what_a_desk_saw_waiting_a_second_ago_it_does_whosever_it_is(match: World) -> None:
    seconds = [0.0]
    other = with_share(match, 1 - whose("nw1"), lambda: seconds[0])
    put_orders(match, "nw1", 1)
    assert (handle_new(other), handle_new(other)) == (0, 0)
    seconds[0] = 1.0
    assert handle_new(other) == 1
    match.clock.advance(timedelta(hours=25))
    before = match.on_turn()
    assert (deadlines.ring_due(other), deadlines.ring_due(other)) == (0, 0)
    seconds[0] = 2.0
    while deadlines.ring_due(other):
        seconds[0] += 1
    assert match.on_turn() != before


def test_a_desk_without_work_of_its_own_helps_where_more_waits_than_another_does_at_once(match: World) -> None:
    put_orders(match, "nw1", *range(1, inbox.TOGETHER + 1))
    assert handle_new(with_share(match, 1 - whose("nw1"))) == inbox.TOGETHER
    assert len(filed(match)) == inbox.TOGETHER


# ---------------------------------------------------------------- in hand when a desk ended


RAW = f"From: {GINA}\r\nMessage-ID: <%d@x>\r\n\r\nGAMES\r\n"


class Noted:
    """A hand that was left with a letter, and remembers which were taken into it together."""

    def __init__(self, left: Left | None = None) -> None:
        self._left = left
        self.taken: list[int] = []

    @contextmanager
    def on(self, letter: int) -> Iterator[None]:
        self.taken.append(letter)
        yield

    def left(self) -> Left | None:
        return self._left

    def settled(self) -> None:
        self._left = None


def handled(world: World, hand: Noted) -> dict[int, tuple[str, int]]:
    """What became of the letters at one look of the desk."""
    handle_new(replace(world.office, in_hand=hand))
    return {row.id: (row.status, row.attempts) for kind in ("new", "done", "shunted") for row in world.letters(kind)}


@pytest.fixture
def three(world: World) -> World:
    for number in range(3):
        world.put((RAW % number).encode(), GINA, ADDRESS)
    return world


def test_a_letter_that_ended_the_desk_is_tried_again_alone_and_shunted_the_third_time(three: World) -> None:
    first = Noted(Left(2))
    three.office = replace(three.office, limits=replace(three.office.limits, attempts=2))
    assert handled(three, first) == {1: ("done", 0), 2: ("done", 1), 3: ("done", 0)}
    assert first.taken == [1, 1, 2, 2, 3, 3], "each was read and handled by itself, in the order in which it came"
    for number in (3, 4):
        three.put((RAW % number).encode(), GINA, ADDRESS)
    with three.store.step() as step:
        step.retry_letter(4, "the desk ended over it")
    assert handled(three, Noted(Left(4)))[4] == ("shunted", 2)
    assert handled(three, Noted())[5] == ("done", 0)


def test_a_letter_that_computed_too_long_is_shunted_at_once_and_never_opened(three: World) -> None:
    hand = Noted(Left(2, "File x, line 1"))
    assert handled(three, hand) == {1: ("done", 0), 2: ("shunted", 1), 3: ("done", 0)}
    assert 2 not in hand.taken


def test_a_letter_that_was_done_when_the_desk_ended_is_not_charged(three: World) -> None:
    handled(three, Noted())
    assert handled(three, Noted(Left(2, "File x, line 1"))) == dict.fromkeys((1, 2, 3), ("done", 0))


def test_the_note_outlives_its_desk_and_is_settled_once(tmp_path: Path) -> None:
    file = tmp_path / "desk.hand"
    hand = NotedHand(file, 60)
    assert held(file) is None and hand.left() is None
    with hand.on(7):
        (at,) = {at_hand(file)}
        assert at is not None and at.letter == 7 and at.seconds < 60
        left = file.read_bytes()
    assert held(file) is None
    hand.close()
    file.write_bytes(left)
    file.with_suffix(".trace").write_text("File x, line 1")
    after = NotedHand(file, 60)
    assert after.left() == Left(7, "File x, line 1")
    after.settled()
    assert after.left() is None and held(file) is None and not file.with_suffix(".trace").read_text()
    after.close()


def test_a_note_of_a_process_that_is_gone_is_no_letter_in_hand(tmp_path: Path) -> None:
    file = tmp_path / "desk.hand"
    file.write_bytes(b"7 4194999 1")
    assert held(file) is not None and at_hand(file) is None
