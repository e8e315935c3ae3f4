"""A host who tells two stories at once: in the two forms of a letter, in two values of one key, in a letter that proves less."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes, policy

import pytest

from referee.games import GAMES
from referee.mail import bodies
from referee.service.house.saved_letters import saved
from referee.service.house.verification import Checks, verify_archive
from referee.service.match.audit import Verdict
from tests.service.test_sealed_turns import online
from tests.verify import third
from tests.verify.forging import Folder
from tests.verify.matches import ALL, MATCH, Archived, archived, table
from tests.verify.node import node, verify
from tests.verify.tampered import OVER, RUNNING
from tests.verify.test_two_sides import archives, text_of

WRITINGS: dict[str, Callable[[Folder], Archived]] = {
    "a number with a fraction": lambda folder: _written(folder.archived(), b'"seq":3,', b'"seq":3.0,'),
    "a number with a fraction in a payload": lambda folder: _paid(folder, '"links":1024', '"links":1024.0'),
    "a byte order mark": lambda folder: replace(
        folder.archived(), manifest=b"\xef\xbb\xbf" + folder.archived().manifest
    ),
    "a byte order mark in the log": lambda folder: replace(
        folder.archived(), log=b"\xef\xbb\xbf" + folder.archived().log
    ),
    "no moment": lambda folder: _moved(folder, "yesterday"),
    "a day that there is not": lambda folder: _moved(folder, "2026-02-30T12:00:00+00:00"),
    "another zone": lambda folder: _moved(folder, "2026-11-21T12:00:00+01:00"),
}


def _written(archive: Archived, before: bytes, after: bytes) -> Archived:
    assert before in archive.log
    return replace(archive, log=archive.log.replace(before, after, 1))


def _paid(folder: Folder, before: str, after: str) -> Archived:
    at = folder.records("pledged")[0]
    entry = folder.entries[at]
    assert before in entry["payload"]
    entry["payload"] = entry["payload"].replace(before, after)
    return folder.rebuilt(dice=False).archived()


def _moved(folder: Folder, at: str) -> Archived:
    folder.entries[1]["at"] = at
    return folder.rebuilt(dice=False).archived()


@pytest.mark.parametrize("how", WRITINGS)
@pytest.mark.parametrize("of", [RUNNING, OVER])
def test_none_of_the_three_reads_what_another_may_read_otherwise(how: str, of: str) -> None:
    archive = WRITINGS[how](Folder.of(archives()[of]))
    (found,) = verify([archive.given()])
    said = (archive.sound()[1], found["trouble"], third.trouble(archive.manifest, archive.log))
    assert all(said), said


pytestmark = pytest.mark.usefixtures("sealed_dice")

GAIN = re.compile(r"France produces ([0-9]+)")


def report() -> bytes:
    """A letter in two forms that reports one turn, with a die and what a seat gained by it."""
    return next(raw for raw in archives()[RUNNING].letters if GAIN.search(text_of(raw)) and b"Salt of this" in raw)


def other_html(raw: bytes, change: Callable[[str], str]) -> bytes:
    """The letter as it was, but for its HTML, which is what mail programs show."""
    letter = message_from_bytes(raw, policy=policy.SMTP)
    part = letter.get_body(("html",))
    assert part is not None
    html = str(part.get_content())
    assert change(html) != html
    part.set_content(change(html), subtype="html")
    return letter.as_bytes()


def three(archive: Archived, letter: bytes) -> tuple[str, str, str]:
    """What each verifier finds wrong; "" for nothing."""
    one = replace(archive, letters=(letter,))
    (found,) = verify([one.given(letters=True)])
    by_third = third.trouble(one.manifest, one.log, (bodies(letter),), one.reports)
    return one.sound(letters=True)[1], found["trouble"], by_third


FORMS: dict[str, Callable[[str], str]] = {
    "another figure": lambda html: GAIN.sub(lambda gain: f"France produces {int(gain[1]) + 7}", html),
    "a line more": lambda html: html.replace("</li>", "</li><li>France receives 9 gold.</li>", 1),
    "a line less": lambda html: re.sub(r"(?s)<li[^>]*>(?:(?!</li>).)*France produces.*?</li>", "", html),
    "the truth unseen": lambda html: GAIN.sub(
        lambda gain: f'France produces 9<span style="display: none;">{gain[1]}</span>', html
    ),
    "another face": lambda html: re.sub(r"1d6 = ([1-6])", lambda face: f"1d6 = {int(face[1]) % 6 + 1}", html, count=1),
}


@pytest.mark.parametrize("how", FORMS)
def test_a_letter_whose_html_tells_another_story_than_its_plain_text_is_found(how: str) -> None:
    node()
    for name in (RUNNING, OVER):
        assert three(archives()[name], report()) == ("", "", "")
        found = three(archives()[name], other_html(report(), FORMS[how]))
        assert ["in its HTML" in found[0], "the HTML says" in found[1], "in HTML" in found[2]] == [True] * 3, found


@pytest.mark.parametrize(
    "game",
    [g.name if g.name == "empire" else pytest.param(g.name, marks=pytest.mark.slow) for g in GAMES],
)
def test_a_letter_with_the_button_to_play_says_the_same_in_both_forms_and_another_story_in_it_is_found(
    game: str,
) -> None:
    """The button had words in HTML alone, among those of the report: every honest match of a house with pages was unsound."""
    node()
    with table(game, seed=f"button of {game}") as world:
        online(world)
        for _ in range(4):
            for question in world.playing(MATCH).outcome.open:
                world.reply(world.player(question.seat, MATCH), "ROLL OUT")
            world.wait(hours=25)
        whole = archived(world, letters=True)
    played = [
        raw for raw in whole.letters if b"Salt of this report" in raw and "| Play this turn: http" in text_of(raw)
    ]
    assert len(played) >= 2
    (found,) = verify([whole.given(letters=True)])
    assert (whole.sound(letters=True), found["trouble"]) == ((True, ""), "")
    for raw in played:
        assert three(whole, raw) == ("", "", "")
        lie = three(whole, other_html(raw, lambda html: html.replace("you play", "you lost a town; you play", 1)))
        late = three(whole, other_html(raw, lambda html: html.replace("What you owe", "Spain fell. What you owe", 1)))
        assert all((*lie, *late)), (lie, late)


def in_payload(archive: Archived) -> Archived:
    folder = Folder.of(archive)
    at = folder.events("Rolled")[-1]
    text = folder.entries[at]["payload"]
    folder.entries[at]["payload"] = re.sub(r'"faces":(\[[0-9,]+\])', r'"faces":[1],"faces":\1', text)
    return folder.rebuilt(dice=False).archived()


TWICE: dict[str, Callable[[Archived], Archived]] = {
    "match.json": lambda one: replace(one, manifest=b'{"status":"abandoned",' + one.manifest.lstrip()[1:]),
    "a line of the log": lambda one: replace(one, log=one.log.replace(b'"cause"', b'"cause":"somebody","cause"', 1)),
    "a payload": in_payload,
}


@pytest.mark.parametrize("name", [RUNNING, OVER])
@pytest.mark.parametrize("where", TWICE)
def test_a_key_that_stands_twice_in_an_object_is_found(where: str, name: str) -> None:
    """One reader takes the first value and another the last, and each is told that all is sound."""
    node()
    archive = TWICE[where](archives()[name])
    (found,) = verify([archive.given()])
    sound, trouble = archive.sound()
    assert not sound and "stands twice in one object" in trouble
    assert "has a key twice" in found["trouble"]
    assert "a key stands twice" in third.trouble(archive.manifest, archive.log)


def test_a_report_with_a_key_twice_is_found() -> None:
    whole = archives()[OVER]
    said = replace(whole, reports=whole.reports.replace(b'"title":', b'"title":"Turn 1: a lie","title":', 1)).sound()
    assert "'title' stands twice" in said[1]


def test_a_letter_without_the_salt_of_its_words_is_told_of() -> None:
    """Its words could be held against nothing, and no verifier said so where it has no rules."""
    node()
    whole = archives()[RUNNING]
    lie = re.sub(r"(?s)Salt of this report:.*?[0-9a-f]{64}", "", text_of(report())).replace("produces", "lays up")
    (found,) = verify([{**whole.given(), "letters": [lie]}])
    assert found["verdict"] == Verdict.PARTLY and "has not the salt of the digest" in str(found["unchecked"])
    assert "does not have the salt" in third.trouble(whole.manifest, whole.log, (lie,), whole.reports)
    assert not replace(archives()[OVER], letters=(lie.encode(),)).sound(letters=True)[0]
    older = Folder.of(whole)
    for at in older.events("PhaseBegan"):
        record = older.record(at)
        record["event"] |= {"build": "0" * 16, "version": "0.2.9"}
        older.put(at, record)
    other = older.rebuilt().archived()
    bare = re.sub(r"(?m)^- .*[0-9] = .*\n", "", lie.partition("\n  | referee@games.example/t1")[0])
    checks = Checks(letters=(saved(f"Subject: [t1] Turn 1\n\n{bare}".encode()),), signature=lambda *_: True)
    said = verify_archive(ALL, other.manifest, other.log, other.reports, checks=checks)
    assert said.verdict is Verdict.PARTLY and "it does not have the salt of the digest" in str(said.unchecked)


def test_a_letter_whose_head_is_of_another_log_is_read_by_its_subject() -> None:
    node()
    whole = archives()[RUNNING]
    lie = re.sub(r"1d6 = ([1-6])", lambda face: f"1d6 = {int(face[1]) % 6 + 1}", text_of(report()), count=1)
    raw = f"Subject: [t1] Turn 1\n\n{lie.replace('games.example/t1', 'games.example/t9')}".encode()
    for trouble in three(whole, raw):
        assert "1d6 = " in trouble or "has other words" in trouble


@pytest.mark.parametrize(
    "subject", ["=?utf-8?b?W3cxXSBZb3VyIHR1cm7igKY=?=", "=?utf-8?q?=5Bw1=5D_Your_turn?=\n =?utf-8?q?=E2=80=A6?="]
)
def test_a_letter_of_another_match_is_known_by_a_subject_that_is_encoded(subject: str) -> None:
    """Whose mailbox has two matches was told that an honest host cheats: the mark in it is of another log."""
    node()
    whole = archives()[RUNNING]
    raw = f"From: referee@games.example\nSubject: {subject}\n\nthis is match w1\n\nLog 3:0123456789abcdef\n"
    (found,) = verify([{**whole.given(), "letters": [raw, text_of(report())]}])
    assert (found["trouble"], found["sound"]) == ("", True)
    assert replace(whole, letters=(raw.encode(), report())).sound(letters=True) == (True, "")
