"""What the scripts of the page table.html do by themselves: write a letter, look at a file."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec
import pytest

from referee.service.house import proofs
from referee.service.house.choices import TableFile
from tests.service.test_map import files
from tests.service.test_table_file import of_file, sent_to
from tests.table.scripts import run
from tests.world import World

# ---------------------------------------------------------------- the letter


def link(sheet: str, ends: bool = False, subject: str = "Re: [nw1] Your turn, France & Co") -> dict[str, Any]:
    program = """const { bodyOf, linkOf } = globalThis.tableLetter;
    return linkOf("referee+nw1.abc@games.example", given.subject, bodyOf(given.sheet, given.ends));"""
    found: dict[str, Any] = run(["table-letter.js"], program, {"sheet": sheet, "ends": ends, "subject": subject})
    return found


def test_the_link_holds_the_letter_as_it_will_be_read() -> None:
    written = link('COLONIZE any  \nNAME "Zoë & Ann" 100%\n\n', ends=True)
    assert written["holds"]
    parts = urlsplit(written["link"])
    fields = parse_qs(parts.query.replace("+", "%2B"))
    assert unquote(parts.path) == "referee+nw1.abc@games.example" and "+" not in parts.path
    assert fields["subject"] == ["Re: [nw1] Your turn, France & Co"]
    assert fields["body"] == ['COLONIZE any ;\r\nNAME "Zoë & Ann" 100% ;\r\nROLL OUT ;']


def test_a_letter_that_ends_the_turn_already_does_not_say_it_twice() -> None:
    assert link("roll out", ends=True)["link"].endswith("body=roll%20out%20%3B")


def test_every_order_is_ended_and_remarks_are_left_out_but_what_is_written_to_others_stays() -> None:
    sheet = """# advice
MOVE 1 # north
MOVE 2;
NAME "a # b"
IF late
MOVE 3
END
PRESS TO Spain
# I am no remark
END
MOVE \\
4
OFFER 3 wood TO Spain"""
    program = "return globalThis.tableLetter.bodyOf(given, false);"
    assert run(["table-letter.js"], program, sheet) == [
        "MOVE 1 ;",
        "MOVE 2;",
        'NAME "a # b" ;',
        "IF late ;",
        "MOVE 3 ;",
        "END ;",
        "PRESS TO Spain",
        "# I am no remark",
        "END",
        "MOVE \\",
        "4 ;",
        "OFFER 3 wood TO Spain ;",
    ]


def test_only_a_letter_of_more_than_1600_characters_goes_without_its_text() -> None:
    line = "MOVE 1 army FROM Ägypten"
    short, long = link("\n".join([line] * 59)), link("\n".join([line] * 60))
    assert short["holds"] and len(unquote(short["link"].partition("body=")[2]).replace("\r", "")) <= 1600
    assert not long["holds"] and "body" not in long["link"]


# ---------------------------------------------------------------- the file


def opened(text: str) -> str:
    program = (
        """try { globalThis.tableFile.readTable(given); return ""; } catch (problem) { return problem.message; }"""
    )
    found: str = run(["table-file.js"], program, text)
    return found


def test_a_table_file_is_read_and_what_is_none_is_refused_with_a_sentence(match: World) -> None:
    table = sent_to(match, match.on_turn())
    assert opened(json.dumps(table)) == ""
    assert "knows form 1" in opened(json.dumps({**table, "version": 2}))
    for odd in ("", "{", "[]", "null", '"table"', json.dumps({**table, "choices": None})):
        assert opened(odd).startswith("This is no table file"), odd
    for address in ("x", "a@b?bcc=c@d", "a@b&body=x", "<a@b>", "a@b%0D%0Abcc:c@d"):
        assert opened(json.dumps({**table, "reply_to": address})).startswith("This is no table file"), address


def test_a_large_file_comes_pressed_and_is_read_as_any_other(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page alone needs of it is pressed, and all else stands as other programs read it."""
    who = match.on_turn()
    plain = sent_to(match, who)
    monkeypatch.setattr(proofs, "_LARGE", 1_000)
    receipt, *_ = match.reply(who, "SEND table")
    (sent,) = [data.decode() for name, (_, data) in files(receipt).items() if name.endswith(".table.json")]
    pressed, changing = json.loads(sent), {"written": plain["written"]}
    assert (pressed["version"], type(pressed["map"]), type(pressed["index"])) == (2, str, str)
    assert len(sent) < 0.7 * len(json.dumps(plain))
    msgspec.convert(pressed, TableFile)
    (table,) = [json.loads(run(["table-sealed.js"], "return globalThis.tableSealed.widened(given);", sent))]
    assert {**table, **changing} == plain == {**of_file(receipt)[1], **changing}
    assert run(["table-sealed.js"], "return globalThis.tableSealed.widened(given);", "no file") == "no file"
    assert run(["table-sealed.js"], "return globalThis.tableSealed.widened(given);", sent[:-9]) == sent[:-9]


def test_a_file_too_deep_for_the_worker_is_refused_before_it_is_read() -> None:
    assert "too deep" in opened("[" * 3_000 + "]" * 3_000)
    program = "return globalThis.tableFile.depth(given);"
    assert run(["table-file.js"], program, '{"a\\"[[": [["]"]]}') == 3
