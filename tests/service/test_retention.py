"""What is kept for how long: what a stranger wrote and what did nothing for a while, everything else for ever."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.service.alarms.retention import drop_spare_bytes
from tests.service.conftest import ANNA
from tests.world import ADDRESS, World

STRANGER = "mallory@strangers.example"


def letter(sender: str, subject: str, *headers: str, body: str = "GAMES") -> bytes:
    named = f"Message-ID: <{subject}@x.example>"
    return "\r\n".join([f"From: {sender}", f"Subject: {subject}", named, *headers, "", body, ""]).encode()


def kept(match: World) -> dict[str, bool]:
    """The subjects of all letters still there, by the rows of all that came; "" for those without bytes."""
    with match.store.look() as step:
        rows = [step.letter(number) for number in range(1, 99)]
    return {row.transport: bool(row.raw) for row in rows if row is not None}


def test_what_did_nothing_is_dropped_after_a_month_and_its_digest_stays(match: World) -> None:
    player = match.on_turn()
    before = set(kept(match))
    desk = match.last(player).reply_to
    match.put(letter(player, "orders", body="RESEARCH any"), player, desk)
    match.put(letter(player, "too large", body="x\r\n" * 500_000), player, desk)  # refused, and yet his own
    match.put(letter(STRANGER, "asks"), STRANGER, ADDRESS)
    match.put(letter(STRANGER, "asks"), STRANGER, ADDRESS)
    match.put(letter(STRANGER, "robot", "Auto-Submitted: auto-replied"), STRANGER, ADDRESS)
    match.put(letter(STRANGER, "guess"), STRANGER, ADDRESS.replace("@", "+nw1.aaaaaaaaaaaaaaaa@"))
    match.work()
    assert drop_spare_bytes(match.office) == 0
    match.wait(days=31)
    assert drop_spare_bytes(match.office) >= 4
    assert drop_spare_bytes(match.office) == 0
    assert [there for key, there in kept(match).items() if key not in before] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    with match.store.look() as step:
        (robot,) = step.letters("ignored")
    assert robot.raw == b"" and "an automatic letter" in robot.verdict
    assert "its bytes were dropped on " in robot.verdict and "SHA-256 " in robot.verdict


def test_strangers_letters_take_so_much_room_and_no_more(match: World) -> None:
    office = replace(match.office, limits=replace(match.office.limits, spare_bytes=25_000))
    older = set(kept(match))
    for number in range(5):
        match.put(letter(STRANGER, f"s{number}", body="GAMES" + " " * 9_000), STRANGER, ADDRESS)
    match.work()
    assert drop_spare_bytes(office) >= 3
    assert [there for key, there in kept(match).items() if key not in older] == [False, False, False, True, True]


def test_copies_and_recipients_that_share_bytes_count_once_and_lose_none_that_others_need(match: World) -> None:
    office = replace(match.office, limits=replace(match.office.limits, spare_bytes=10_000))
    player = match.on_turn()
    raw = letter(player, "both", body="RESEARCH any" + " " * 8_000)
    match.put(raw, player, match.last(player).reply_to)
    for number in range(3):
        match.put(raw, player, ADDRESS.replace("@", f"+m{number}@"))
    match.work()
    assert drop_spare_bytes(office) == 0
    match.wait(days=31)
    assert drop_spare_bytes(office) >= 3
    with match.store.look() as step:
        assert raw in [row.raw for row in step.letters("done")]


def test_a_kept_letter_that_was_taken_stays_and_one_whose_bytes_went_is_said_to_be_gone(match: World) -> None:
    office = replace(match.office, limits=replace(match.office.limits, spare_bytes=0))
    taken = len(kept(match)) + 1
    (asked,) = match.write(ANNA, "RESEARCH any")
    match.write(ANNA, "YES", asked.reply_to)
    drop_spare_bytes(office)
    with match.store.look() as step:
        letter = step.letter(taken)
    assert letter is not None and b"RESEARCH any" in letter.raw
    (asked,) = match.write(ANNA, "RESEARCH any\nHIRE 1 worker")
    match.clock.advance(timedelta(hours=2))
    assert drop_spare_bytes(office) == 1
    (gone,) = match.write(ANNA, "YES", asked.reply_to)
    assert "is no longer kept; nothing was done now" in gone.flat
