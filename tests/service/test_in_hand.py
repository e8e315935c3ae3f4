"""What the desk does about a letter that the desk before it had in hand when it ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from referee.adapters.processes.supervisor import NotedHand, at_hand, held
from referee.service.base.ports import Left
from referee.service.intake.inbox import handle_new
from tests.service.conftest import GINA
from tests.world import ADDRESS, World

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
