"""SEND: each document comes to whom it is declared for, in a match, outside of it and at the machine; sheets as files, too."""

from __future__ import annotations

import csv
import io
import re
from contextlib import nullcontext
from datetime import date
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from referee.core.names import Role
from referee.core.page import Grid, Sheet
from referee.orders import read
from referee.service.house.documents import (
    ANYBODY,
    DOCUMENTS,
    MEMBERS,
    SEAT,
    Asking,
    Document,
    Files,
    Wanted,
    find,
    wanted,
)
from referee.service.intake.commands.command import desk_words
from referee.service.intake.commands.help import Asker, help_at_the_door
from referee.service.intake.counter import document_at_the_counter
from referee.service.match.members import owner_of
from referee.service.match.result import Denial
from referee.service.turn.knowledge import Found, csv_bytes, enclosed, exported, stem_of
from referee.service.turn.reports import sheets_now
from tests.commands import app
from tests.service.conftest import ANNA, BEN, GINA, OTTO, begin
from tests.service.test_map import files
from tests.world import Mail, World

MAY = {ANNA: {ANYBODY, MEMBERS, SEAT}, GINA: {ANYBODY, MEMBERS}, OTTO: {ANYBODY}}
FORMS = ("csv", "xlsx", "json")
CLAUSES = {"TURN": "TURN 1", "OF": "OF Holland", "SINCE": "SINCE 2026-11-01", "LINES": "LINES 2"}
AMISS = ("NOTHING USABLE", "NOT DONE", "INCOMPLETE")


def asked(match: World, who: str, line: str) -> Mail:
    """The answer to a line: in a reply to a letter of the match, or by a letter from outside."""
    (answer,) = match.vouched(OTTO, f"{line} OF nw1") if who == OTTO else match.reply(who, line)
    return answer


def found(match: World, who: str, word: str) -> Found | Files | str:
    """What there is for him, or why there is none."""
    with match.office.look() as at:
        person = at.step.player_at(who)
        mine = [member for member in at.step.members("nw1") if person and member.player == person.id]
        assert person or who == OTTO
        keeper = next(p for member in at.step.members("nw1") if (p := at.step.player(member.player)))
        asking = Asking(at.office, at.step, person or keeper, match.playing(), next(iter(mine), None), who == GINA)
        try:
            return find(asking, Wanted(word))
        except Denial as denial:
            return str(denial)


def brought(made: Found | Files | str, answer: Mail) -> bool:
    """Whether an answer holds it."""
    if isinstance(made, str):
        return made in answer.flat
    if isinstance(made, Found):
        return all(part in answer.flat for part in (*(p.title for p in made.pages), *(s.title for s in made.sheets)))
    return all(file.name in answer.flat for file in made)


@pytest.mark.parametrize("who", MAY)
@pytest.mark.parametrize("word", DOCUMENTS)
def test_a_document_comes_by_letter_to_whom_it_is_declared_for(match: World, word: str, who: str) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    document, answer = DOCUMENTS[word], asked(match, who, f"SEND {word}")
    assert brought(found(match, who, word), answer)
    if document.who not in MAY[who]:
        assert f"SEND {word} is for {document.who} of nw1" in answer.flat
    else:
        assert not any(sign in answer.subject for sign in AMISS), answer.subject


@pytest.mark.parametrize("word", DOCUMENTS)
def test_the_keeper_at_the_machine_sees_what_anybody_or_a_seat_may_have(match: World, word: str) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    document, seat = DOCUMENTS[word], match.seat(ANNA)
    own = document_at_the_counter(match.office, "nw1", Wanted(word), seat)
    with nullcontext() if document.who == ANYBODY else pytest.raises(Denial):
        document_at_the_counter(match.office, "nw1", Wanted(word))
    if document.who != ANYBODY:
        assert own == found(match, ANNA, word)


def test_a_seat_that_nobody_plays_is_shown_at_the_machine_too(match: World) -> None:
    seat = match.seat(ANNA)
    match.reply(GINA, f"BOT {seat}")
    with match.office.store.look() as step:
        assert owner_of(step, "nw1", seat) is None
    assert isinstance(document_at_the_counter(match.office, "nw1", Wanted("diary"), seat), Found)


@pytest.mark.parametrize("word", DOCUMENTS)
def test_what_cannot_go_with_a_document_is_refused_with_a_line_that_can(match: World, word: str) -> None:
    document = DOCUMENTS[word]
    odd = [text for clause, text in CLAUSES.items() if clause not in document.clauses]
    answer = match.reply(ANNA, "\n".join(f"SEND {word} {text}" for text in odd))[0] if odd else None
    for text in odd:
        assert answer and f"{text.split()[0]} cannot go with SEND {word}; write {document.line}." in answer.flat
    unmade = [form for form in FORMS if form not in document.forms]
    for form in unmade:
        told = f"made as {form}; write SEND {word}" if document.forms else f"AS cannot go with SEND {word}; write"
        with pytest.raises(Denial, match=re.escape(told)):
            document_at_the_counter(match.office, "nw1", Wanted(word, form=form), match.seat(ANNA))


@pytest.mark.parametrize(("word", "document"), DOCUMENTS.items())
def test_the_line_that_help_shows_asks_for_the_document(word: str, document: Document) -> None:
    (sentence,) = read(document.line, None, desk_words(("newworld",), ("nw1",), (), True, False)).desk
    want = wanted(sentence.order, date(2026, 11, 23))
    assert isinstance(want, Wanted)
    assert want.word == word and set(want.clauses()) <= set(document.clauses)
    assert not want.form or want.form in document.forms


def test_help_send_tells_of_every_document_and_the_list_of_all_words_stays_short(match: World) -> None:
    (receipt,) = match.reply(ANNA, "HELP SEND")
    for word, document in DOCUMENTS.items():
        assert f"SEND {word}" in receipt.flat and document.told() in receipt.flat
    page = help_at_the_door(match.office.games, "SEND", Asker())
    assert all(len(entry.meaning) <= 100 for _, entries in page.groups[1:] for entry in entries)
    (one,) = match.reply(ANNA, "HELP SEND choices")
    assert DOCUMENTS["choices"].phrase in one.flat and DOCUMENTS["diary"].phrase not in one.flat
    (everything,) = match.reply(ANNA, "HELP ALL")
    assert DOCUMENTS["hours"].phrase not in everything.flat


def test_a_refused_document_is_explained_alone(match: World) -> None:
    (answer,) = match.vouched(OTTO, "SEND choices OF nw1")
    assert DOCUMENTS["choices"].phrase in answer.flat and DOCUMENTS["hours"].phrase not in answer.flat


def test_a_document_for_players_is_refused_as_such_where_no_match_is_named(match: World) -> None:
    (answer,) = match.vouched(OTTO, "SEND diary")
    assert "SEND diary is for players of a match, in a reply to one of its letters" in answer.flat
    (answer,) = match.vouched(OTTO, "SEND map")
    assert "Say of which running match: SEND map TURN 1 OF nw1." in answer.flat


def test_an_unknown_document_is_refused_with_those_there_are(match: World) -> None:
    (receipt,) = match.reply(ANNA, "SEND wallpaper")
    assert all(re.search(rf"\b{word}\b", receipt.flat) for word in DOCUMENTS)


def test_proof_tells_the_digest_of_each_letter_that_filed_orders_to_their_writer_alone(match: World) -> None:
    active = match.on_turn()
    other = next(who for who in (ANNA, BEN) if who != active)
    (receipt,) = match.reply(active, "RAISE 1 army")
    (digest,) = re.findall(r"Proof ([0-9a-f]+)", receipt.flat)
    assert re.search(rf"log \d+: {digest}\b", asked(match, active, "SEND proof").flat)
    for reader in (other, GINA, OTTO):
        answer = asked(match, reader, "SEND proof")
        assert "Its chain is whole" in answer.flat and digest not in answer.flat.replace(proven(answer), "")


def proven(answer: Mail) -> str:
    """The line that proves the answer's own letter."""
    found = re.search(r"Proof [0-9a-f]+", answer.flat)
    return found[0] if found else ""


# ---------------------------------------------------------------- sheets as csv and xlsx


@pytest.fixture
def war(world: World) -> World:
    """The match w1 of War! begun."""
    world.write(GINA, "CREATE war27 AS w1")
    for player in (ANNA, BEN):
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    world.new_mail()
    return world


def shown(sheet: Sheet) -> list[list[str]]:
    """Every row of a sheet's tables, as text."""
    return [[str(cell) for cell in row] for grid in sheet.grids for row in (grid.columns, *grid.rows)]


def in_workbook(mail: Mail) -> dict[str, list[list[str]]]:
    """The rows of each worksheet of the letter's only workbook."""
    ((_, (kind, data)),) = [item for item in files(mail).items() if item[0].endswith(".xlsx")]
    assert kind == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    book = load_workbook(io.BytesIO(data))
    return {
        page.title: [[str(cell) for cell in row if cell is not None] for row in page.iter_rows(values_only=True)]
        for page in book
    }


def holds(rows: list[list[str]], sheet: Sheet) -> bool:
    """Whether every row that the sheet shows is among these; empty cells at a row's end are not kept in files."""
    have = [[cell for cell in row if cell] for row in rows]
    return all([cell for cell in row if cell] in have for row in shown(sheet))


def test_sheets_of_new_world_as_a_workbook(match: World) -> None:
    receipt, *_ = match.reply(ANNA, "SEND sheets AS xlsx")
    assert receipt.subject.startswith("[nw1] DONE")
    assert "A file goes with this letter: nw1-sheets.xlsx." in receipt.flat
    assert "Record sheet of" not in receipt.flat
    pages, sheets = in_workbook(receipt), match.told(sheets_now, "nw1", Role.OBSERVER)
    assert list(pages) == [sheet.title[:31] for sheet in sheets]
    for sheet in sheets:
        assert holds(pages[sheet.title[:31]], sheet), sheet.title


def test_sheets_of_war_as_a_workbook(war: World) -> None:
    receipt = next(mail for mail in war.reply(ANNA, "SEND sheets AS xlsx") if mail.is_a("receipt"))
    pages, sheets = in_workbook(receipt), war.told(sheets_now, "w1", Role.OBSERVER)
    assert len(pages) == len(sheets) >= 10
    for page, sheet in zip(pages.values(), sheets, strict=True):
        assert holds(page, sheet), sheet.title


def test_sheets_of_war_as_csv_one_file_a_sheet(war: World) -> None:
    receipt = next(mail for mail in war.reply(ANNA, "SEND sheets AS csv") if mail.is_a("receipt"))
    made = {name: data for name, (kind, data) in files(receipt).items() if kind == "text/csv"}
    sheets = war.told(sheets_now, "w1", Role.OBSERVER)
    assert len(made) == len(sheets)
    for data, sheet in zip(made.values(), sheets, strict=True):
        assert holds(list(csv.reader(io.StringIO(data.decode()))), sheet), sheet.title
    assert "w1-sheets-standings.csv" in made


def test_the_same_question_has_the_same_bytes_for_an_answer(match: World) -> None:
    first, *_ = match.reply(ANNA, "SEND sheets AS xlsx")
    match.wait(hours=1)
    again, *_ = match.reply(ANNA, "SEND sheets AS xlsx")
    assert files(first)["nw1-sheets.xlsx"] == files(again)["nw1-sheets.xlsx"]


def test_sheets_of_one_seat_after_a_past_turn(match: World) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    match.reply(match.on_turn(), "ROLL OUT")
    receipt, *_ = match.reply(ANNA, "SEND sheets OF Holland TURN 1 AS csv")
    names = [name for name in files(receipt) if name.endswith(".csv")]
    assert names[0] == "nw1-sheets-Holland-turn-1-Holland.csv"
    assert not any("France" in name for name in names)


def test_the_log_goes_as_a_workbook_too(match: World) -> None:
    receipt, *_ = match.reply(ANNA, "SEND log AS xlsx")
    assert "Every die and every draw" in in_workbook(receipt)


def test_what_cannot_be_made_is_refused(match: World) -> None:
    receipt, *_ = match.reply(ANNA, "SEND sheets TURN 77 AS xlsx")
    assert "There is no report of turn 77" in receipt.flat
    match.reply(match.on_turn(), "ROLL OUT")
    receipt, *_ = match.reply(ANNA, "SEND report AS xlsx")
    assert "Only sheets and log are made as xlsx; write SEND report or SEND report AS json." in receipt.flat
    receipt, *_ = match.reply(ANNA, "SEND sheets AS pdf")
    assert "NOTHING USABLE" in receipt.subject and not files(receipt).keys() & {"nw1-sheets.pdf"}


def test_anybody_at_the_front_door_may_have_them(match: World) -> None:
    (answer,) = match.vouched(OTTO, "SEND sheets OF nw1 AS csv")
    assert sum(name.endswith(".csv") for name in files(answer)) == len(match.told(sheets_now, "nw1", Role.OBSERVER))
    (answer,) = match.vouched(OTTO, "SEND standings OF nw1 AS csv")
    assert "Only sheets and log" in answer.flat


def test_tables_of_a_sheet_stand_one_under_the_other_and_nothing_is_a_formula() -> None:
    one = Grid(("What",), (("=HYPERLINK(1)",), ("-3",), ("-x",), (-3,)), "One", ("all",))
    assert csv_bytes([one]).decode().splitlines() == ["What", "'=HYPERLINK(1)", "-3", "'-x", "-3", "all"]
    assert csv_bytes([one, Grid(("B",), ())]).decode().splitlines()[-3:] == ["", '""', "B"]


def test_names_of_files_are_plain_and_no_two_alike(world: World) -> None:
    sheets = tuple(Sheet("a", title, (), None) for title in "xyz")
    made = exported(world.office.renderer, Found(sheets=sheets), "csv", stem_of("w1", "sheets", 3, "Dar al-Bayda"))
    stem = "w1-sheets-Dar-al-Bayda-turn-3"
    assert [file.name for file in made] == [f"{stem}-a.csv", f"{stem}-a_2.csv", f"{stem}-a_3.csv"]
    assert enclosed(made).startswith("3 files go with this letter:")


def test_the_command_line_writes_the_same_files(tmp_path: Path, databases: Path) -> None:
    settings = tmp_path / "config.toml"
    (tmp_path / "data").mkdir()
    world = World(tmp_path / "data")
    begin(world)
    receipt, *_ = world.reply(ANNA, "SEND sheets AS xlsx")
    world.close()
    url = f"sqlite:///{tmp_path / 'data' / 'referee.sqlite'}"
    settings.write_text(f'[database]\nurl = "{url}"\n')
    out = tmp_path / "out" / "first"
    arguments = ["--to", str(out), "--config", str(settings)]
    ran = CliRunner().invoke(app, ["show", "sheets", "nw1", "--as", "xlsx", *arguments])
    assert ran.exit_code == 0, ran.output
    assert (out / "nw1-sheets.xlsx").read_bytes() == files(receipt)["nw1-sheets.xlsx"][1]
    ran = CliRunner().invoke(app, ["show", "log", "nw1", "--as", "csv", *arguments])
    assert (out / "nw1-log-dice.csv").read_text("utf-8").startswith("Turn,Purpose")
    ran = CliRunner().invoke(app, ["show", "log", "nw1", "--as", "pdf", *arguments])
    assert ran.exit_code == 1
