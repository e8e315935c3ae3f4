"""The log: for people or for programs, and in neither a word of a letter."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator

import pytest

from referee.adapters.service_log import where, write_log
from referee.service.intake.inbox import handle_safely
from tests.service.conftest import databases, match
from tests.service.test_inbox import raw
from tests.world import World

__all__ = ["databases", "match"]
_log = logging.getLogger("referee.test")


@pytest.fixture
def errors(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """What stands in standard error; the root logger is as it was afterwards."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield lambda: capsys.readouterr().err
    root.handlers[:], level = before
    root.setLevel(level)


def test_lines_are_for_people(errors: Callable[[], str]) -> None:
    write_log("lines")
    _log.warning("the mailbox %s lets us in again", "box")
    _log.info("nobody reads this")
    date, time, level, said = errors().split(" ", 3)
    assert (level, said) == ("WARNING", "the mailbox box lets us in again\n")
    assert len(f"{date} {time}") == len("2026-11-21 12:00:00Z") and time.endswith("Z")


def test_objects_are_for_programs_and_take_a_line_each(errors: Callable[[], str]) -> None:
    write_log("json")
    try:
        raise OSError(28, "No space left on device")
    except OSError:
        _log.exception("two\nlines")
    _log.error("Ü")
    said = errors()
    first, second = map(json.loads, said.splitlines())
    assert (first["level"], first["by"], first["said"]) == ("error", "referee.test", "two\nlines")
    assert first["at"].endswith("+00:00") and first["process"] > 0
    assert "test_service_log.py" in first["error"] and first["error"].endswith(
        "OSError: [Errno 28] No space left on device"
    )
    assert second["said"] == "Ü" and "error" not in second and '"Ü"' in said, "for a program and an eye"


def test_an_error_says_where_it_was_and_what_it_came_of_and_quotes_nothing() -> None:
    try:
        try:
            int(" ".join(("attack", "Paris")))
        except ValueError as first:
            raise sqlite3.OperationalError("disk I/O error") from first
    except sqlite3.OperationalError as last:
        assert "Paris" in repr(last.__cause__)
        told = where(last)
    assert "attack Paris" not in told
    assert told.index("ValueError\n\nThis came of the error above:\n") < told.index("OperationalError: disk I/O error")


@pytest.mark.parametrize("form", ["lines", "json"])
def test_of_a_letter_that_breaks_us_its_number_stands_in_the_log_and_none_of_its_words(
    match: World, errors: Callable[[], str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    write_log("json" if form == "json" else "lines")
    player = match.on_turn()
    to = match.last(player).reply_to
    words = ("conspiracy", "open-sesame-42", "Subjectmatter")
    letter = raw(player, to, "KEY open-sesame-42\nDIARY conspiracy", "Message-ID: <1@x>", "X-Other: Subjectmatter")
    match.put(letter, player, to)

    def breaks(case: object) -> None:
        raise KeyError(letter.decode())

    monkeypatch.setattr("referee.service.intake.inbox._handle_one", breaks)
    (row,) = match.letters("new")
    for _ in range(match.office.limits.attempts):
        handle_safely(match.office, row)
    said = errors()
    assert f"letter {row.id} is shunted: KeyError" in said and "inbox.py" in said
    assert [word for word in (*words, "RESEARCH") if word in said] == []
    (kept,) = match.letters("shunted")
    assert "conspiracy" in kept.verdict
