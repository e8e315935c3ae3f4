"""What the best judges let a player choose of his letters, and what none of them tells him: how his own post runs."""

from __future__ import annotations

import json
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest

from referee.service.intake.counter import replay_at_the_counter
from tests.service.conftest import ANNA, BEN, GINA, PLAYERS
from tests.world import Mail, World, data_of


def files(mail: Mail) -> list[str]:
    return [str(part.get_filename()) for part in mail.message.walk() if part.get_filename()]


def data_in(mail: Mail, name: str) -> Any:
    """What a JSON file of a letter holds."""
    part = next(part for part in mail.message.walk() if part.get_filename() == name)
    return json.loads(data_of(part))


def kinds(mail: Mail) -> set[str]:
    return {part.get_content_type() for part in mail.message.walk() if not part.is_multipart()}


def play_a_turn(world: World) -> None:
    world.reply(world.on_turn(), "ROLL OUT")


# ---------------------------------------------------------------- report options


def test_letters_of_text_alone(match: World) -> None:
    (receipt,) = match.reply(ANNA, "SET format text")
    assert "Your letters are plain text alone from now on." in receipt.flat
    play_a_turn(match)
    assert kinds(match.last(ANNA, "report")) <= {"text/plain", "text/calendar", "image/png", "image/svg+xml"}
    assert "text/html" in kinds(match.last(BEN, "report"))
    assert match.last(ANNA, "report").text.splitlines()[0]
    match.reply(ANNA, "SET format html")
    play_a_turn(match)
    assert "text/html" in kinds(match.last(ANNA, "report"))


def test_no_map_goes_with_letters_where_none_is_wished(world: World) -> None:
    world.write(GINA, "CREATE war27 AS w1")
    for player in PLAYERS:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    map = {"map-west.png", "map-east.png", "map.svg"}
    assert map <= set(files(world.last(ANNA, "started")))
    (receipt,) = world.reply(ANNA, "SET map off")
    assert "No map goes with your letters any more; SEND map brings it." in receipt.flat
    for _ in range(6):
        if any(mail.kind == "report" for mail in world.wait(hours=24)):
            break
    mine, others = world.last(ANNA, "report"), world.last(BEN, "report")
    assert not [name for name in files(mine) if name.startswith("map")] and "The map" not in mine.text
    assert map <= set(files(others))
    (receipt,) = world.reply(ANNA, "SEND map")
    assert map <= set(files(receipt))
    found = replay_at_the_counter(world.office, "w1")
    assert found is not None and found.sound


def test_reports_without_sheets_replay_word_for_word(match: World) -> None:
    match.reply(ANNA, "SET sheets off\nSET format text")
    play_a_turn(match)
    mine, others = match.last(ANNA, "report"), match.last(BEN, "report")
    assert "Record sheet" not in mine.text and "Record sheet" in others.text
    assert len(mine.text) < len(others.text)
    found = replay_at_the_counter(match.office, "nw1")
    assert found is not None and found.sound and found.letters >= 5


def test_files_go_with_each_report(match: World) -> None:
    (receipt,) = match.reply(ANNA, "SET files json, csv")
    assert "Each report brings its record sheets as json and as csv." in receipt.flat
    play_a_turn(match)
    report = match.last(ANNA, "report")
    (name,) = [name for name in files(report) if name.endswith(".json")]
    assert any(name.endswith(".csv") for name in files(report))
    data = data_in(report, name)
    assert data["pages"][0]["summary"] in report.flat
    assert data["sheets"]
    assert not [name for name in files(match.last(BEN, "report")) if name.endswith((".json", ".csv"))]


def test_one_report_as_data(match: World) -> None:
    play_a_turn(match)
    (receipt,) = match.reply(ANNA, "SEND report AS json")
    (name,) = [name for name in files(receipt) if name.endswith(".json")]
    assert data_in(receipt, name)["pages"][0]["title"]


def test_a_letter_that_would_be_too_large_leaves_files_out_and_names_them(match: World) -> None:
    match.reply(ANNA, "SET files xlsx json csv\nSET size 30 kB")
    play_a_turn(match)
    report = match.last(ANNA, "report")
    assert len(report.raw) < 40_000
    assert "Left out, as you wish no letter over 30 kB:" in report.flat
    (receipt,) = match.reply(ANNA, "SEND sheets AS xlsx")
    assert [name for name in files(receipt) if name.endswith(".xlsx")]  # asked for, it is sent whatever its size
    match.reply(ANNA, "SET size any")
    play_a_turn(match)
    assert "Left out" not in match.last(ANNA, "report").flat
    found = replay_at_the_counter(match.office, "nw1")
    assert found is not None and found.sound


def test_wishes_that_cannot_be_read_change_nothing(match: World) -> None:
    for line, said in (
        ("SET format pdf", "Letters are text or html, not pdf"),
        ("SET map perhaps", "map is on or off, not perhaps"),
        ("SET files doc", "Files are csv, xlsx, json or none, not doc"),
        ("SET size 3 kB", "3 kb is no size of a letter"),
        ("SET digest soon", "soon is no time of the day"),
        (
            "SET colour blue",
            "SET knows zone, name, key, address, reminders, format, map, sheets, files, size, digest and page",
        ),
    ):
        (receipt,) = match.reply(ANNA, f"STATUS\n{line}")
        assert said in receipt.flat, line
        assert "INCOMPLETE" in receipt.subject


# ---------------------------------------------------------------- one letter a day


def test_a_daily_letter_in_place_of_many(match: World) -> None:
    watcher = next(player for player in PLAYERS if player != match.on_turn())
    match.reply(watcher, "SET digest 18:00")
    mails = match.reply(GINA, 'ANNOUNCE "Tea is served."')
    assert watcher not in {mail.to for mail in mails}
    others = [player for player in PLAYERS if player != watcher]
    assert set(others) <= {mail.to for mail in mails}
    seat = match.seat(watcher)
    match.reply(others[0], f"PRESS TO {seat}\nShall we trade?\nEND")
    assert not [mail for mail in match.wait(hours=5) if mail.to == watcher and mail.kind == "press"]
    (letter,) = [mail for mail in match.wait(hours=1) if mail.to == watcher and mail.kind == "gathered"]
    assert "the day: 2 pieces of news" in letter.subject
    assert "Tea is served." in letter.flat and "Shall we trade?" in letter.flat
    (receipt,) = match.reply(watcher, "STATUS", kind="gathered")
    assert "DONE" in receipt.subject  # its reply address is that of the match
    assert not [mail for mail in match.wait(hours=24) if mail.kind == "gathered"]


def test_who_owes_is_told_at_once(match: World) -> None:
    owes = match.on_turn()
    match.reply(owes, "SET digest 18:00")
    assert owes in {mail.to for mail in match.reply(GINA, 'DEADLINE +12h BECAUSE "a feast"') if mail.kind == "notice"}


def test_the_daily_letter_comes_though_the_match_was_paused(match: World) -> None:
    watcher = next(player for player in PLAYERS if player != match.on_turn())
    match.reply(watcher, "SET digest 18:00")
    match.reply(GINA, 'PAUSE BECAUSE "holidays"')
    assert [m.to for m in match.wait(hours=7) if m.kind == "gathered"] == [watcher]


# ---------------------------------------------------------------- how the post runs


def test_reports_say_nothing_of_the_post_while_it_runs_as_it_should(match: World) -> None:
    first = match.on_turn()
    match.wait(hours=23)
    assert "No reply of yours to my letters has reached me yet." in match.last(first, "reminder").flat
    match.put(_dated(match, first, seconds=40), first, match.last(first).reply_to)
    match.work()
    match.put(_dated(match, first, seconds=180, body="ROLL OUT"), first, match.last(first).reply_to)
    match.work()
    assert "Your last letter reached me" not in match.last(first, "report").flat, "the post runs as it should"
    assert "reached me on" not in match.last(next(p for p in PLAYERS if p != first), "report").flat


def test_who_has_nothing_on_file_is_reminded_of_when_his_last_letter_came(match: World) -> None:
    first = match.on_turn()
    match.put(_dated(match, first, seconds=40), first, match.last(first).reply_to)
    match.wait(hours=23)
    reminder = match.last(first, "reminder").flat
    assert "Your last letter reached me on Sat 21 Nov 2026, 12:00 UTC." in reminder
    assert "after it was dated" not in reminder


def test_who_has_something_on_file_hears_nothing_of_a_post_that_runs(match: World) -> None:
    first = match.on_turn()
    match.put(_dated(match, first, seconds=40, body="HIRE 1 worker\nWAIT"), first, match.last(first).reply_to)
    match.wait(hours=23)
    assert "reached me" not in match.last(first, "reminder").flat


@pytest.mark.parametrize(("seconds", "before"), [(1_200, "2h"), (600, "15m")])
def test_a_letter_that_took_long_or_as_long_as_is_left_is_told(match: World, seconds: int, before: str) -> None:
    first = match.on_turn()
    match.reply(first, f"SET reminders {before}")
    match.put(_dated(match, first, seconds, "HIRE 1 worker\nWAIT"), first, match.last(first).reply_to)
    match.wait(hours=23, minutes=50)
    told = f"reached me on Sat 21 Nov 2026, 12:00 UTC, {seconds // 60} min after it was dated."
    assert told in match.last(first, "reminder").flat


def _dated(world: World, sender: str, seconds: int, body: str = "STATUS") -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = sender, world.last(sender).reply_to
    message["Subject"], message["Message-ID"] = "orders", f"<{seconds}@players.example>"
    message["Date"] = world.clock.now() - timedelta(seconds=seconds)
    message.set_content(body)
    return message.as_bytes()


def test_the_map_of_a_past_turn(world: World) -> None:
    world.write(GINA, "CREATE war27 AS w1")
    for player in PLAYERS:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    for _ in range(6):
        if any(mail.kind == "report" for mail in world.wait(hours=24)):
            break
    with world.store.look() as step:
        turn = step.reports("w1")[-1].turn
    (receipt,) = world.reply(ANNA, f"SEND map TURN {turn}")
    assert "map.svg" in files(receipt)
    (receipt,) = world.reply(ANNA, "SEND map TURN 99")
    assert "There is no report of turn 99" in receipt.flat
