"""RULING with figures, REWIND and FORWARD in every game: the difference is shown first, and the log replays with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee.core.position import figures
from referee.service.base.office import At
from referee.service.house.archive import archive_of
from referee.service.house.verification import verify_archive
from referee.service.intake.counter import replay_at_the_counter
from tests.service.conftest import GINA, PLAYERS
from tests.world import World

GAMES = {
    "empire": ("WITH board small, overdue auto", "popular_fund", ("countries", "{}", "popular_fund")),
    "war27": ("", "pp", ("treasuries", "{}", "pp")),
    "war17": ("", "pp", ("treasuries", "{}", "pp")),
    "newworld": ("", "gold", ("powers", "{}", "stock", "gold")),
}
"""For each game what it is created with, a figure as a game master names it, and where that stands."""


class Table:
    """A match at the beginning of a turn, and the figure of the seat whose turn it is."""

    def __init__(self, world: World, game: str) -> None:
        options, self.figure, path = GAMES[game]
        self.world = world
        world.write(GINA, f"CREATE {game} AS t1 {options}")
        for player in PLAYERS[:3]:
            world.write(player, "JOIN t1")
        world.reply(GINA, "START t1", kind="receipt")
        while "setup" in self._phase or "capitals" in self._phase:
            world.wait(hours=24, minutes=1)
        if game == "empire":  # its zero turn, in which there are no countries yet, is rewound to as turn 1
            self.play_a_turn()
        self.first, self.seat = self.turn, world.waits_for("t1")
        self._path = tuple(part.format(self.seat) for part in path)

    @property
    def _phase(self) -> str:
        return self.world.playing("t1").outcome.open[0].key

    @property
    def turn(self) -> int:
        return self.world.playing("t1").turn

    @property
    def now(self) -> int:
        playing = self.world.playing("t1")
        return figures(playing.outcome.state, tuple(playing.created.seats))[self._path]

    def set_to(self, number: int) -> None:
        self.world.reply(GINA, f'RULING "A sum was wrong." SETTING "{self.seat} {self.figure} {number}"')

    def play_a_turn(self) -> None:
        """Until the next turn of the match has begun; nobody writes."""
        before = self.turn
        while self.turn == before:
            self.world.wait(hours=24, minutes=1)

    def replays(self) -> bool:
        found = replay_at_the_counter(self.world.office, "t1")
        assert found is not None and found.sound, found
        return True


@pytest.fixture(params=list(GAMES))
def table(request: pytest.FixtureRequest, world: World) -> Iterator[Table]:
    yield Table(world, request.param)


def test_the_figure_is_shown_set_told_reported_and_replayed(table: Table) -> None:
    world, was = table.world, table.now
    world.new_mail()
    table.set_to(was + 7)
    (shown,) = world.new_mail() or [world.last(GINA)]
    assert f"{was} becomes {was + 7}" in shown.flat and table.now == was
    mails = world.reply(GINA, "YES")
    assert table.now == was + 7
    notices = [mail for mail in mails if mail.is_a("notice")]
    assert {mail.to for mail in notices} == {*PLAYERS[:3], GINA}
    assert all("A sum was wrong." in mail.flat and f"{was} becomes {was + 7}" in mail.flat for mail in notices)
    table.play_a_turn()
    reports = [mail for mail in world.all_mail() if mail.kind == "report" and mail.to == PLAYERS[1]]
    assert any("A sum was wrong." in mail.flat for mail in reports)
    assert table.replays()


def test_a_rewind_takes_the_figure_back_and_forward_sets_it_again(table: Table) -> None:
    world, was = table.world, table.now
    table.set_to(was + 7)
    world.reply(GINA, "YES")
    world.reply(GINA, f"REWIND TO TURN {table.first}")
    assert table.now == was and table.replays()
    world.reply(GINA, "FORWARD")
    assert table.now == was + 7 and table.replays()


def test_a_figure_set_after_a_rewind_counts_for_the_new_course_alone(table: Table) -> None:
    world, was = table.world, table.now
    table.play_a_turn()
    world.reply(GINA, f"REWIND TO TURN {table.first}")
    table.set_to(was + 3)
    world.reply(GINA, "YES")
    assert table.now == was + 3
    table.play_a_turn()
    assert table.replays()


def test_a_stranger_verifies_a_match_with_a_ruling_from_its_archive_alone(table: Table) -> None:
    world = table.world
    table.set_to(table.now + 7)
    world.reply(GINA, "YES")
    table.play_a_turn()
    world.reply(GINA, "TERMINATE")
    with world.store.look() as step:
        row = step.match("t1")
        assert row is not None
        files = archive_of(At(world.office, step), row).files
    games: dict[str, Any] = dict(world.office.games)
    found = verify_archive(games, files["match.json"], files["log.jsonl"], files["reports.jsonl"])
    assert found.sound, found


def test_settings_of_the_clock_outlive_a_rewind_and_deadlines_that_were_told_stay(table: Table) -> None:
    world = table.world
    (first,) = world.alarms("deadline", "t1")
    world.reply(GINA, "CLOCK slot 72h, grace 12h, lateness shown, reminders none")
    world.reply(GINA, f"REWIND TO TURN {table.first}")
    settings = world.playing("t1").settings
    assert (settings.slot_hours, settings.slots.grace_hours, settings.reminder_hours) == (72, 12, ())
    (again,) = world.alarms("deadline", "t1")
    assert again.due_at >= first.due_at
    world.reply(GINA, "CLOCK slot 24h")
    (after,) = world.alarms("deadline", "t1")
    assert after.due_at == again.due_at
    world.reply(GINA, "FORWARD")
    assert world.playing("t1").settings.slot_hours == 24
    assert all(alarm.due_at >= again.due_at for alarm in world.alarms("deadline", "t1"))
