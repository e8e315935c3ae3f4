"""What is kept for how long: what a stranger wrote and what did nothing for a while, everything else for ever."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.service.house.retention import drop_bytes
from referee.service.intake.counter import replay_at_the_counter
from tests.service.conftest import ANNA, GINA
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
    assert drop_bytes(match.office) == 0
    match.wait(days=31)
    assert drop_bytes(match.office) >= 4
    assert drop_bytes(match.office) == 0
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
    assert drop_bytes(office) >= 3
    assert [there for key, there in kept(match).items() if key not in older] == [False, False, False, True, True]


def test_copies_and_recipients_that_share_bytes_count_once_and_lose_none_that_others_need(match: World) -> None:
    office = replace(match.office, limits=replace(match.office.limits, spare_bytes=10_000))
    player = match.on_turn()
    raw = letter(player, "both", body="RESEARCH any" + " " * 8_000)
    match.put(raw, player, match.last(player).reply_to)
    for number in range(3):
        match.put(raw, player, ADDRESS.replace("@", f"+m{number}@"))
    match.work()
    assert drop_bytes(office) == 0
    match.wait(days=31)
    assert drop_bytes(office) >= 3
    with match.store.look() as step:
        assert raw in [row.raw for row in step.letters("done")]


def test_a_kept_letter_that_was_taken_stays_and_one_whose_bytes_went_is_said_to_be_gone(match: World) -> None:
    office = replace(match.office, limits=replace(match.office.limits, spare_bytes=0))
    taken = len(kept(match)) + 1
    (asked,) = match.write(ANNA, "RESEARCH any")
    match.write(ANNA, "YES", asked.reply_to)
    drop_bytes(office)
    with match.store.look() as step:
        letter = step.letter(taken)
    assert letter is not None and b"RESEARCH any" in letter.raw
    (asked,) = match.write(ANNA, "RESEARCH any\nHIRE 1 worker")
    match.clock.advance(timedelta(hours=2))
    assert drop_bytes(office) == 1
    (gone,) = match.write(ANNA, "YES", asked.reply_to)
    assert "is no longer kept; nothing was done now" in gone.flat


def test_letters_of_a_match_that_is_over_lose_what_they_say_after_some_days(match: World) -> None:
    office = replace(match.office, limits=replace(match.office.limits, letter_days=30))
    match.reply(match.on_turn(), "ROLL OUT")
    match.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    match.reply(GINA, "YES")
    assert match.status("nw1") == "over"
    match.put(letter(ANNA, "later", body="GAMES"), ANNA, ADDRESS)
    match.work()
    with match.store.step() as step:
        for out in step.claim_outgoing(match.clock.now(), 1_000, 60):
            step.sent(out.id, match.clock.now())
    while drop_bytes(office):
        pass
    of_match = [row.id for row in match.letters("done") if row.match == "nw1"]
    assert of_match and all(row.raw for row in match.letters("done"))
    match.wait(days=29)
    assert drop_bytes(office) == 0

    match.wait(days=2)
    dropped = drop_bytes(match.office)
    assert dropped <= 1, "for ever, unless the settings say otherwise"
    match.wait(hours=1)
    while drop_bytes(office):
        pass
    with match.store.look() as step:
        gone = [step.letter(id) for id in of_match]
        assert all(
            row and not row.raw and "its match is over, and its bytes were dropped on" in row.verdict for row in gone
        )
        sent = [out for out in step.outgoing("nw1") if out.status == "sent"]
        assert sent and not any(out.raw or out.said or out.source for out in sent)
    found = replay_at_the_counter(match.office, "nw1")
    assert found is not None and found.sound and not found.letters


def test_letters_of_a_match_that_goes_on_are_kept(match: World) -> None:
    office = replace(match.office, limits=replace(match.office.limits, letter_days=1))
    match.reply(match.on_turn(), "ROLL OUT")
    match.wait(days=3)
    while drop_bytes(office):
        pass
    assert all(row.raw for row in match.letters("done") if row.match == "nw1")
