"""`referee verify FOLDER --letters`: letters that a player sent, against what the log has on file of them."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email import message_from_bytes
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.adapters.pages.text_table import table
from referee.adapters.signing_key import verify
from referee.core.question import Source
from referee.core.record import Filed, Sheet
from referee.games import GAMES
from referee.mail import bodies
from referee.service.house import filing
from referee.service.house.saved_letters import saved
from referee.service.house.verification import Checks, verify_archive
from referee.service.intake import sent_letters
from referee.service.intake.sent_letters import read_sent
from referee.service.match import sheets
from referee.service.match.audit import Audited, Verdict
from referee.service.match.sealing import Key
from referee.service.turn import advance
from referee.service.turn.reports import bare
from tests.service.test_saved_letters import KNOWN, PARTS, SIGNER, archived
from tests.steady import SEALED
from tests.verify import node
from tests.verify.letters_by_chance import MATCH, begun, kept_by, letters
from tests.world import World

ANNA, MASTER = "anna@players.example", "gina@players.example"


@dataclass(frozen=True)
class Told:
    """What Anna has of a match that is over: its folder, the letters that she got, and those that she sent."""

    parts: dict[str, bytes]
    got: tuple[bytes, ...]
    sent: tuple[bytes, ...]

    def checked(self, sent: Iterable[bytes] | None = None, got: Iterable[bytes] | None = None) -> Audited:
        letters = (*(self.got if got is None else got), *(self.sent if sent is None else sent))
        checks = Checks(verify, letters=tuple(map(saved, letters)), draw=table, sent=partial(read_sent, games=KNOWN))
        return verify_archive(KNOWN, *(self.parts[name] for name in PARTS), checks=checks)


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def told_of(folder: Path, *letters: str, slots: int = 1, neighbour: str = "", waits: int = 0) -> Told:
    """A match of three in which Anna, who has England, writes these letters, after so many turns of others."""
    world = World(folder, signer=SIGNER)
    world.write(MASTER, "CREATE newworld AS nw1")
    for name, seat in (("anna", "England"), ("berta", "France"), ("carl", "Spain")):
        world.write(f"{name}@players.example", f"JOIN nw1 AS {seat}")
    world.reply(MASTER, "START nw1")
    for _ in range(waits):
        world.wait(hours=25)
    for body in letters:
        world.reply(ANNA, body)
    if neighbour:
        world.reply("berta@players.example", neighbour)
    for _ in range(slots):
        world.wait(hours=25)
    world.reply(MASTER, 'TERMINATE BECAUSE "it is seen enough"')
    got = tuple(mail.raw for mail in world.all_mail() if mail.to == ANNA)
    told = Told(archived(world, "nw1"), got, tuple(raw for sender, raw in world.came if sender == ANNA))
    world.close()
    return told


HONEST = (
    "HIRE 2 workers\nHIRE 1 wrkr",  # refused in part
    "HIRE 1 worker\nRESEARCH any\n-- \nHIRE 3 workers",
    "ADD HIRE 1 worker\n\nOn Sat, 21 Nov 2026 Referee <referee@games.example> wrote:\n> HIRE 4 workers\n",
    "IF gold > 3\nHIRE 1 worker\nELSE\nRESEARCH any\nEND\nSTANDING\nHIRE 1 worker\nEND",
    "HIRE 1 worker\nRESEARCH nothing at all\n\nPRESS TO France\nHIRE 9 workers\nEND",
    "CLEAR\nRESEARCH any\nHIRE 1 worker",
    "WITHDRAW LINE 2",
)
"""Letters one after the other: superseded, with lines refused, quoted, signed, in blocks and to others."""


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return told_of(tmp_path_factory.mktemp("honest"), *HONEST)


def test_honest_letters_are_on_file_as_they_were_sent(honest: Told) -> None:
    found = honest.checked()
    assert found.verdict is Verdict.SOUND, (found.trouble, found.unchecked)
    assert f"{len(HONEST)} letters that you sent are on file as you wrote them" in found.note
    alone = honest.checked(got=())
    assert (alone.sound, len(alone.unchecked)) == (True, 1) and "no signed head" in alone.unchecked[0]
    without_ids = [re.sub(rb"(?m)^Message-ID: .*\n", b"", raw) for raw in honest.sent]
    assert honest.checked(sent=without_ids).verdict is Verdict.SOUND
    assert f"{len(HONEST) - 1} letters that you sent" in honest.checked(sent=without_ids).note  # WITHDRAW files no text


MENDING = (
    "HIRE 2 workers\nRESEARCH nothing at all\nBUILD 1 fleat",
    "RESEARCH any\nRAISE 1 army",  # in the place of one, and one more
    "RESEARCH any",
    "HIRE 2 workers",
    "WITHDRAW LINE 2",
)
"""Letters of which each leaves on file what came before it."""


def test_lines_stay_on_file_by_the_words_of_receipts_of_now_and_of_old(tmp_path: Path) -> None:
    told = told_of(tmp_path, *MENDING, waits=1)
    texts = [bare(bodies(raw)[0]) for raw in told.got]
    assert {words for words in filing.KEPT if any(bare(words) in text for text in texts)} == set(filing.KEPT)
    assert {"onfilestand", "ordersonfilewhichstand", "standsintheplaceof", "withdrawn"} <= set(sent_letters._KEPT)
    assert told.checked().verdict is Verdict.SOUND, told.checked().trouble


TWO: dict[str, Any] = {
    "text": "HIRE 2 workers",
    "intent": {"type": "HireWorkers", "quantity": {"portion": "exactly", "number": 2}, "keeping": {}},
    "meaning": "Hire 2 workers.",
}

Change = Callable[[list[dict[str, Any]]], object]

CHANGES: dict[str, tuple[Change, str]] = {
    "another number": (lambda sheet: sheet[0].update(TWO), "it does not say “HIRE 2 workers” (entry 15)"),
    "a line left out": (lambda sheet: sheet.pop(0), "“HIRE 1 worker” is not on file, and no receipt refuses it"),
    "a line more": (lambda sheet: sheet.append(sheet[0] | TWO), "it does not say “HIRE 2 workers” (entry 15)"),
    "another deed": (
        lambda sheet: sheet[0].update(intent=TWO["intent"]),
        "“HIRE 1 worker” is carried out as something else (entry 15)",
    ),
    "a line of before": (lambda sheet: sheet.append(sheet[0] | TWO), "it does not say “HIRE 2 workers” (entry 16)"),
}
"""What a host files for `HIRE 1 worker` and `RESEARCH any`, and what is found of it."""


@pytest.mark.parametrize("what", CHANGES)
def test_other_orders_under_a_true_letter_and_a_forged_receipt_are_found(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Log, receipts and reports all tell the same, and it is not what Anna wrote."""
    change, said = CHANGES[what]
    true = filing.filed_sheet

    def cheats(hand: Any, drawer: str, sheet: Sheet, text: str) -> Filed:
        lines = msgspec.json.decode(msgspec.json.encode(sheet))
        if lines[0]["text"] == "HIRE 1 worker":
            change(lines)
        return true(hand, drawer, msgspec.json.decode(msgspec.json.encode(lines), type=Sheet), text)

    monkeypatch.setattr(filing, "filed_sheet", cheats)
    before = ("HIRE 2 workers",) if what == "a line of before" else ()
    told = told_of(tmp_path, *before, "HIRE 1 worker\nRESEARCH any")
    assert told.checked(sent=()).sound or what == "another deed"  # which the receipt shows as well
    found = told.checked(got=() if what == "another deed" else None)
    assert found.verdict is Verdict.UNSOUND and said in found.trouble
    assert "is not what the log has on file of it" in found.trouble


def test_a_receipt_is_of_its_own_seat_where_two_players_wrote_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest of a text is that of both; what else a receipt has on file is of the seat that it answers."""
    monkeypatch.setattr(Key, "chance", SEALED)
    told = told_of(tmp_path, "STANDING\nHIRE 1 worker\nEND", "RESEARCH any", neighbour="RESEARCH any")
    assert told.checked().verdict is Verdict.SOUND, told.checked().trouble
    given = {
        "manifest": told.parts["match.json"].decode(),
        "log": told.parts["log.jsonl"].decode(),
        "reports": told.parts["reports.jsonl"].decode(),
    }
    (found,) = node.verify([given | {"letters": [saved(raw).text for raw in told.got]}])
    assert found["verdict"] != Verdict.UNSOUND, found


@pytest.mark.parametrize("source", [Source.PLAYER, Source.DEFAULT, Source.BOT])
def test_another_sheet_than_the_one_on_file_is_not_played_unseen(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log has what Anna wrote on file, and her turn is played as if she had written nothing."""
    true = sheets.closing

    def cheats(playing: Any, question: Any, *how: Any, **more: Any) -> Any:
        answer = true(playing, question, *how, **more)
        if question.seat != "England" or not question.wants_orders:
            return answer
        return replace(answer, value=msgspec.Raw(question.menu.encode(())), source=source)

    monkeypatch.setattr(advance, "closing", cheats)
    found = told_of(tmp_path, "HIRE 1 worker\nRESEARCH any", slots=3).checked()
    assert found.verdict is Verdict.UNSOUND
    assert "the sheet of England that was played is not the one that was on file" in found.trouble


def test_a_deadline_does_not_pass_as_the_players_own_end_of_his_slot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who is late loses the orders that he has on file for that, and the log says that he gave none."""
    late = "IF LATE\nRESEARCH any\nEND"
    honest = told_of(made(tmp_path / "honest"), late, slots=3).checked()
    assert honest.verdict is Verdict.SOUND, honest.trouble
    true = sheets.closing

    def cheats(playing: Any, question: Any, at_deadline: bool, *how: Any, **more: Any) -> Any:
        return true(playing, question, at_deadline and question.seat != "England", *how, **more)

    monkeypatch.setattr(advance, "closing", cheats)
    found = told_of(made(tmp_path / "cheats"), late, slots=3).checked()
    assert found.verdict is Verdict.UNSOUND
    assert "the sheet of England that was played is not the one that was on file" in found.trouble


def test_a_letter_of_the_referee_in_a_players_name_is_read_as_the_referees(honest: Told) -> None:
    """Else a host who names the reader as its sender could tell him anything."""
    report = next(message_from_bytes(raw) for raw in honest.got if b"Salt of this report" in raw)
    text = bodies(report.as_bytes())[0]
    head = f"From: {ANNA}\nTo: referee@games.example\nSubject: Re: [nw1] Turn 1\n\n"
    true, forged = (f"{head}{body}".encode() for body in (text, text.replace("has a quiet", "has a loud", 1)))
    assert honest.checked(sent=(*honest.sent, true)).sound
    assert "has a loud" in honest.checked(sent=(*honest.sent, forged)).trouble


def test_a_letter_whose_digest_the_log_has_not_is_told_of_and_proves_nothing(honest: Told) -> None:
    """Mail programs change letters on the way, and so would whoever accuses a host."""
    other = [raw.replace(b"RESEARCH any\nHIRE 1 worker\n", b"RESEARCH any\nHIRE 3 workers\n") for raw in honest.sent]
    found = honest.checked(sent=other)
    assert found.verdict is Verdict.PARTLY
    assert "by which the log may have had another text" in " ".join(found.unchecked)


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        pytest.param(
            game, seed, id=f"{game.name}-{seed}", marks=[pytest.mark.slow] * ((game.name, seed) != ("empire", 2))
        )
        for game in GAMES
        for seed in range(int(os.environ.get("SEEDS", "5")))
    ],
)
def test_no_letter_that_players_write_by_chance_accuses_an_honest_host(game: Any, seed: int, tmp_path: Path) -> None:
    world = World(tmp_path, f"s{seed}", signer=SIGNER)
    begun(world, game)
    players = set(letters(world, random.Random(seed), 60 if seed != 2 else 25))
    world.vouched(MASTER, f'TERMINATE {MATCH} BECAUSE "it is seen enough"')
    for player in players:
        found = Told(archived(world, MATCH), *map(tuple, kept_by(world, player))).checked()
        assert found.sound and "letters that you sent are on file as you wrote them" in found.note, found.trouble
    world.close()
