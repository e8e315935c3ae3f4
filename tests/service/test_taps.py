"""Taps: what an HTML letter offers as a button is taken as it stands, from every mail program, and gives nobody's address away."""

from __future__ import annotations

import html
import re
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from referee.adapters.pages.archive_folder import Site
from referee.adapters.pages.render import TABLE, VERIFIER, TemplateRenderer
from referee.bootstrap.mail_ways import publish
from referee.core.page import Form
from referee.core.record import Answered
from referee.mail import Answerable
from referee.mail.writing.encode import MOST
from referee.service.base.letter_facts import Frame, Notice
from referee.service.base.office import At
from referee.service.house.proofs import letters_agree
from referee.service.match.audit import audit
from tests.mail_programs import PROGRAMS, Program, gmail
from tests.service.conftest import ANNA, BEN, GINA, begin
from tests.world import Mail, World

SEND = "Send this sheet as it stands"
RENDERER = TemplateRenderer()
FRAME = Frame("nw1", "New World", "Turn 1", "Anna")
TO = Answerable("referee+nw1.abcdefgh23456789@games.example", "[nw1] your orders", "<letter-1@games.example>")

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)


def taps(mail: Mail) -> dict[str, str]:
    """The buttons of a letter and where they lead."""
    found = re.findall(r'<a [^>]*href="(mailto:[^"]*)"[^>]*>(.*?)</a>', mail.html)
    sign = re.compile("<span[^>]*>.*?</span>&nbsp;")
    return {html.unescape(sign.sub("", label)): html.unescape(link) for link, label in found}


def tap(world: World, program: Program, who: str, mail: Mail, label: str, typed: str = "") -> list[Mail]:
    """Somebody taps on a button, and sends what his program makes of it."""
    letter = program(taps(mail)[label], f"Anna Arrow <{who}>", typed)
    letter["Date"], letter["Message-ID"] = (
        world.clock.now(),
        f"<{len(world.all_mail())}.{label[:4].strip()}@mail.example>",
    )
    world.put(letter.as_bytes(), who, str(letter["To"]))
    return world.work()


def receipt_of(mails: list[Mail], who: str) -> Mail:
    return next(mail for mail in mails if mail.to == who and (mail.is_a("receipt") or mail.kind == "refusal"))


@each_program
def test_the_sheet_is_sent_as_it_stands_and_then_held_and_rolled_out(match: World, program: Program) -> None:
    player = match.on_turn()
    seat, asked = match.seat(player), match.last(player)
    receipt = receipt_of(tap(match, program, player, asked, "Send this sheet as it stands"), player)
    assert receipt.subject.startswith("[nw1] COMPLETE"), receipt.text
    by_tap = match.drawer(seat, "orders")
    match.reply(player, "\n".join(line for line in sheet_of(asked) if not line.startswith("#")))
    assert by_tap == match.drawer(seat, "orders") != []

    held = receipt_of(tap(match, program, player, receipt, "WAIT"), player)
    assert "WAIT" not in taps(held) and held.text.startswith("DONE")
    assert match.drawer(seat, "orders") == by_tap
    receipt_of(tap(match, program, player, held, "ROLL OUT"), player)
    assert match.on_turn() != player


def sheet_of(mail: Mail) -> list[str]:
    """The lines between the cuts of a letter's text."""
    return re.split(r"# [- ]+cut here[- ]+", mail.text)[1].strip().splitlines()


@pytest.mark.parametrize("drops", ["%0D%0A", "%20"], ids=["line ends", "blanks"])
def test_a_program_that_drops_line_ends_or_makes_blanks_of_pluses_sends_the_same_sheet(
    match: World, drops: str
) -> None:
    player, other = match.on_turn(), "" if drops == "%0D%0A" else "+"
    link = taps(match.last(player))[SEND]
    body = unquote(link.partition("?body=")[2].partition("&")[0].replace(drops, other))
    assert "#" not in body
    receipt = receipt_of(match.reply(player, body), player)
    assert receipt.subject.startswith("[nw1] COMPLETE"), receipt.text
    assert len(match.drawer(match.seat(player), "orders")) == link.count("%20%3B")


@each_program
def test_a_yes_takes_the_correction_and_nothing_else(match: World, program: Program) -> None:
    player = match.on_turn()
    refused = receipt_of(match.reply(player, "RESERCH any"), player)
    taken = receipt_of(tap(match, program, player, refused, "YES"), player)
    assert match.drawer(match.seat(player), "orders") == ["RESEARCH any"], taken.text


@each_program
def test_press_goes_to_whom_the_button_names(match: World, program: Program) -> None:
    player = match.on_turn()
    other = next(seat for seat in match.playing().created.seats if seat != match.seat(player))
    text = "Peace & <trade>? 1+1 is 2 & we are four."
    mails = tap(match, program, player, match.last(player, "started"), f"PRESS TO {other}", text)
    (press,) = [mail for mail in mails if mail.kind == "press"]
    assert press.to == match.player(other) and text in press.flat
    assert match.drawer(match.seat(player), "orders") == []
    back = tap(match, program, press.to, press, f"PRESS TO {match.seat(player)}", "Yes, gladly.")
    assert "Yes, gladly." in next(mail for mail in back if mail.kind == "press").flat


@each_program
def test_help_and_status_are_answered(match: World, program: Program) -> None:
    letter = match.last(ANNA)
    for word in ("HELP", "STATUS"):
        receipt = receipt_of(tap(match, program, ANNA, letter, word), ANNA)
        assert "DONE" in receipt.subject and "Not taken" not in receipt.text


@each_program
def test_a_decision_is_taken_with_one_tap(two_step: World, program: Program) -> None:
    player = two_step.on_turn()
    two_step.reply(player, "HIRE 1 worker\nROLL OUT")
    asked = two_step.last(player, "question")
    label = next(label for label in taps(asked) if label.startswith("CHOOSE") and "none" not in label)
    receipt = receipt_of(tap(two_step, program, player, asked, label), player)
    assert receipt.flat.startswith(("DONE:", "COMPLETE:")), receipt.text
    assert label.removeprefix("CHOOSE ") in bytes(two_step.log(Answered)[-1].value).decode()


@pytest.fixture
def two_step(world: World) -> World:
    """A match whose decisions are asked by letter."""
    return begin(world, "WITH mode two_step")


@each_program
def test_who_is_asked_whether_a_letter_is_his_taps_yes_or_no(match: World, program: Program) -> None:
    for label, said in (("YES", "RESEARCH any"), ("NO", "HIRE 1 worker")):
        player = match.on_turn()
        match.write(player, f"nw1\n{said}", says="")
        question = match.last(player, "confirmation")
        tap(match, program, player, question, label)
        lines = match.drawer(match.seat(player), "orders")
        assert lines == ["RESEARCH any"], label


@pytest.mark.parametrize(
    ("game", "program"),
    [*zip(["newworld", "war27", "war17", "empire"], PROGRAMS, strict=False)],
    ids=("newworld", "war27", "war17", "empire"),
)
def test_who_only_taps_is_understood_in_every_game(world: World, game: str, program: Program) -> None:
    """The first sheets, sent as they stand."""
    world.write(GINA, f"CREATE {game} AS m1")
    for player in (ANNA, BEN):
        world.write(player, "JOIN m1")
    world.reply(GINA, "START m1", kind="receipt")
    tapped = 0
    for _ in range(4):
        for player in (ANNA, BEN):
            letter = next(m for m in reversed(world.all_mail()) if m.to == player and m.kind != "receipt")
            if SEND not in taps(letter) or world.seat(player, "m1") not in {
                q.seat for q in world.playing("m1").outcome.open
            }:
                continue
            receipt = receipt_of(tap(world, program, player, letter, SEND), player)
            assert "not understood" not in receipt.text and "INCOMPLETE" not in receipt.subject, receipt.text
            tapped += 1
            if "ROLL OUT" in taps(receipt):
                tap(world, program, player, receipt, "ROLL OUT")
    assert tapped >= 2


@each_program
def test_a_button_of_a_press_letter_is_no_press(match: World, program: Program) -> None:
    player = match.on_turn()
    other = next(seat for seat in match.playing().created.seats if seat != match.seat(player))
    match.reply(match.player(other), f"PRESS TO {match.seat(player)}\nPeace?\nEND")
    match.reply(player, "RESEARCH any", kind="started")
    match.reply(match.player(other), f"PRESS TO {match.seat(player)}\nPeace, then?\nEND")
    press = match.last(player, "press")
    for word in ("STATUS", "ROLL OUT"):
        mails = tap(match, program, player, press, word)
        assert not [mail for mail in mails if mail.kind == "press"] and receipt_of(mails, player)
    assert match.on_turn() != player


def test_what_is_laid_before_a_game_master_is_answered_by_a_tap(match: World) -> None:
    match.reply(match.on_turn(), "ABSENCE FROM 2026-11-22 TO 2026-12-06")
    asked, seat = match.last(GINA, "notice"), match.waits_for()
    assert f"REFUSE ABSENCE {seat}" in taps(asked)
    receipt = receipt_of(tap(match, gmail, GINA, asked, f"APPROVE ABSENCE {seat}"), GINA)
    assert "DONE" in receipt.subject, receipt.text


def test_every_link_is_short_enough_and_leads_to_the_letters_own_reply_address(match: World) -> None:
    letters = [mail for mail in match.all_mail() if mail.html]
    links = [(mail, link) for mail in letters for link in taps(mail).values()]
    assert len(links) > 30
    for mail, link in links:
        assert len(link) <= MOST
        assert link.startswith(f"mailto:{quote(mail.reply_to, safe='@')}?body=")


def test_a_sheet_too_long_for_a_link_is_not_offered_by_half() -> None:
    long = [f"RESEARCH any KEEPING {number} gold" for number in range(80)]
    shown = RENDERER.render("notice", Notice(FRAME, "x", ("y.",), form=Form(tuple(long))), TO).html
    assert "Send this sheet" not in shown
    advised = [line for order in long[:20] for line in (order, "# " + "advice " * 9)]
    shown = RENDERER.render("notice", Notice(FRAME, "x", ("y.",), form=Form(tuple(advised))), TO).html
    sent = unquote(re.findall('href="mailto:([^"]*)"', shown)[0])
    assert all(f"{order} ;" in sent for order in long[:20]) and "advice" not in sent


def test_a_letter_that_cannot_be_answered_has_no_taps() -> None:
    assert "tap:" not in RENDERER.render("notice", Notice(FRAME, "x", ("y.",)), None).html


def test_a_button_that_comes_back_is_no_order_even_where_no_program_marked_it_as_quoted(match: World) -> None:
    player = match.on_turn()
    receipt = receipt_of(match.reply(player, "RESEARCH any\nWAIT"), player)
    row = re.findall(r'<div [^>]*role="group">.*?</div>', receipt.html, re.DOTALL)[0]
    assert "ROLL OUT" in row
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = player, receipt.reply_to, "Re: x"
    letter.set_content(f"<html><body><p>STATUS</p>{row.replace('role=', 'title=')}</body></html>", subtype="html")
    match.put(letter.as_bytes(), player, receipt.reply_to)
    receipt_of(match.work(), player)
    assert match.on_turn() == player


# ---------------------------------------------------------------- secrets


def test_a_reply_address_stands_in_its_readers_letters_alone(match: World, tmp_path: Path) -> None:
    """Not in another's letter, not in a page of the archive, a kept report, or what is kept of a letter to write it again."""
    match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    mine = {mail.to: mail.reply_to for mail in match.all_mail() if mail.kind in ("report", "started")}
    every = {address: re.findall(r"nw1\.([a-z0-9]{16,})(?:@|%40)", reply)[0] for address, reply in mine.items()}
    assert len(set(every.values())) == len(every) > 3
    for mail in match.all_mail():
        for address, token in every.items():
            assert mail.to == address or token not in mail.html + mail.text
    folder = tmp_path / "archive"
    publish(match.office, Site(folder), "nw1")
    with match.store.look() as step:
        kept = [report.page + report.sheets for report in step.reports("nw1")]
        kept += [letter.source for letter in step.outgoing("nw1")]
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:  # the page on which one plays writes links, of nothing but the file its reader opens
        assert path.name not in TABLE or path.read_bytes() == RENDERER.table()[path.name]
    programs = {*TABLE, *VERIFIER}  # the verifier looks for such links in letters
    pages = [path.read_bytes() for path in files if path.name not in programs]
    assert len(pages) > 3 and len(kept) > 3
    for data in (*pages, *kept):
        assert b"mailto:" not in data and b'"tap:' not in data
        assert not any(token.encode() in data for token in every.values())


def test_a_link_that_is_pasted_into_press_gives_no_address_away(match: World) -> None:
    player = match.on_turn()
    other = next(seat for seat in match.playing().created.seats if seat != match.seat(player))
    link = taps(match.last(player, "started"))["STATUS"]
    mails = match.reply(player, f"PRESS TO {other}\nTap here: {link}\nEND")
    (press,) = [mail for mail in mails if mail.kind == "press"]
    token = match.last(player, "started").reply_to.partition(".")[2].partition("@")[0]
    assert "Tap here" in press.text and token not in press.text + press.html


def test_letters_are_written_again_with_their_taps(match: World) -> None:
    """What `verify` compares: a turn letter written anew from what is kept is the same, its taps included."""
    match.reply(match.on_turn(), "RESEARCH any\nROLL OUT")
    with match.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        found = letters_agree(At(match.office, step), row, audit(match.playing().game, row.secret, match.entries()))
    assert not found.trouble and found.letters > 3
