"""`referee verify FOLDER --letters`: a player's own letters, as mail programs leave them, against the archive of his match."""

from __future__ import annotations

import hashlib
import json
import random
import re
import textwrap
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from referee.adapters.pages.text_table import table
from referee.adapters.signing_key import SigningKey, verify
from referee.core.record import Created, Filed, Pledged
from referee.games import GAMES
from referee.games.newworld import phases
from referee.games.newworld.game import NewWorld
from referee.mail import bodies
from referee.service.base.office import At
from referee.service.house import saved_reports, verification
from referee.service.house.archive import Manifest, archive_of
from referee.service.house.saved_letters import saved
from referee.service.house.saved_reports import Log, read_letters
from referee.service.house.verification import Checks, verify_archive
from referee.service.intake.sent_letters import read_sent
from referee.service.match.audit import Audited, Verdict
from referee.service.match.open_log import Shown
from referee.service.match.playing import codec_of
from referee.service.match.sealing import Key
from referee.service.turn import course_overrides, reports
from tests.commands import app
from tests.mended import mend, upgrade
from tests.played.playing import MASTER, letters_sent
from tests.service.conftest import GINA, PLAYERS
from tests.steady import SEALED
from tests.verify import matches, third
from tests.verify.forging import Folder
from tests.verify.matches import Archived, opened
from tests.verify.node import SCRIPT, node
from tests.verify.node import verify as verify_in_javascript
from tests.world import Mail, World

PLAYED = Path(__file__).parents[1] / "played"
PARTS = ("match.json", "log.jsonl", "reports.jsonl")
KNOWN = {game.name: game for game in GAMES}
SIGNER = SigningKey("games.example", bytes(32))


@dataclass(frozen=True)
class Match:
    """A match, its archives while it was played and when it was over, and the letters to each address by then."""

    name: str
    running: dict[str, bytes]
    finished: dict[str, bytes]
    before: dict[str, tuple[Mail, ...]]
    letters: dict[str, tuple[Mail, ...]]
    filed: frozenset[str]
    """The letters that filed orders, by their Message-IDs."""
    sent: tuple[tuple[str, bytes], ...] = ()
    """All letters that were written to the referee, with who wrote them."""


def archived(world: World, match: str) -> dict[str, bytes]:
    with world.store.look() as step:
        row = step.match(match)
        assert row is not None
        return archive_of(At(world.office, step), row).files


def mailboxes(world: World) -> dict[str, tuple[Mail, ...]]:
    every = world.all_mail()
    return {address: tuple(m for m in every if m.to == address) for address in {m.to for m in every}}


@pytest.fixture(scope="module", params=["newworld", "empire", "war17", "war27"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Match]:
    """A kept game of each kind, its letters written under the dice of its own log."""
    name: str = request.param
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Key, "chance", SEALED)
        world = World(tmp_path_factory.mktemp(name), signer=SIGNER)
        letters_sent(world, PLAYED / name)
        running, before = archived(world, name), mailboxes(world)
        world.reply(MASTER, 'TERMINATE BECAUSE "it is seen enough"')
        filed = frozenset(record.letter for record in world.log(Filed, name) if record.letter)
        yield Match(name, running, archived(world, name), before, mailboxes(world), filed, tuple(world.came))
        world.close()


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A match of New World that is over, for what one match is enough for."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Key, "chance", SEALED)
        world = World(tmp_path_factory.mktemp("one"), signer=SIGNER)
        letters_sent(world, PLAYED / "newworld")
        world.wait(hours=25)  # whatever the dice were, a turn begins now, and somebody has this on file
        world.reply(world.on_turn("newworld"), "HIRE 1 worker")
        running, before = archived(world, "newworld"), mailboxes(world)
        world.reply(MASTER, 'TERMINATE BECAUSE "it is seen enough"')
        match = Match("newworld", running, archived(world, "newworld"), before, mailboxes(world), frozenset())
        world.close()
    return match


def held(parts: dict[str, bytes], *letters: bytes) -> Audited:
    """What a verifier finds."""
    checks = Checks(verify, letters=tuple(map(opened, letters)), draw=table, sent=partial(read_sent, games=KNOWN))
    return verify_archive(KNOWN, *(parts[name] for name in PARTS), checks=checks)


def told_by(parts: dict[str, bytes]) -> Log:
    """The log by which a verifier reads letters: many letters can be held against it that is made once."""
    about = msgspec.json.decode(parts["match.json"], type=Manifest)
    lines = [msgspec.json.decode(line, type=Shown) for line in parts["log.jsonl"].splitlines()]
    codec = codec_of(KNOWN[about.game])
    known = [(line.entry(), codec.load(line.payload)) for line in lines if line.payload is not None]
    log = verification._log(KNOWN[about.game], about, held(parts), known, lines, parts["reports.jsonl"])
    return msgspec.structs.replace(log, draw=table)


def other_log(parts: dict[str, bytes]) -> dict[str, bytes]:
    """The archive of the same match as it would be with one letter more or less: what its hashes are from an entry on."""
    lines = [json.loads(line) for line in parts["log.jsonl"].splitlines()]
    lines[-1]["hash"] = "0" * 64
    return parts | {"log.jsonl": b"".join(json.dumps(line).encode() + b"\n" for line in lines)}


# ---------------------------------------------------------------- honest matches


def test_every_players_letters_fit_the_archive_while_the_match_is_played(played: Match, sealed_dice: None) -> None:
    for letters in played.before.values():
        found = held(played.running, *(mail.raw for mail in letters))
        assert found.sound, found.trouble
        assert f"letters are of {played.name}" in found.note and "; 0 signed heads" not in found.note


def test_every_players_letters_fit_the_archive_when_the_match_is_over(played: Match, sealed_dice: None) -> None:
    for letters in played.letters.values():
        found = held(played.finished, *(mail.raw for mail in letters))
        assert found.sound, found.trouble
    assert played.filed, "nobody filed orders in this match"


def test_every_letter_that_a_player_sent_is_on_file_as_he_wrote_it(played: Match, sealed_dice: None) -> None:
    for player in {sender for sender, _ in played.sent}:
        mine = [raw for sender, raw in played.sent if sender == player]
        found = held(played.finished, *(mail.raw for mail in played.letters[player]), *mine)
        assert found.verdict is Verdict.SOUND, (found.trouble, found.unchecked)
        assert player == MASTER or " that you sent are on file as you wrote them" in found.note


def test_letters_of_the_finished_match_do_not_fit_the_archive_of_before(played: Match, sealed_dice: None) -> None:
    """The later letters tell of entries that the earlier archive has not: that is said, and not passed over.

    A match that its own dice have ended by then has no later letters.
    """
    found = held(played.running, *(mail.raw for mail in played.letters[MASTER]))
    ended = json.loads(played.running["match.json"])["status"] == "over"
    assert (found.sound, found.verdict is Verdict.OLDER) == (ended, not ended)
    assert ("older than your letters" in found.trouble) != ended


# ---------------------------------------------------------------- as mail programs leave them


def with_heads(match: Match) -> list[Mail]:
    """Letters to France with the head of the log in them, that with the key first."""
    letters = [mail for mail in match.letters["france@players.example"] if "\u2014 games.example" in mail.text]
    assert len(letters) > 2 and "Key that signs" in letters[0].text
    return letters


def as_html_alone(mail: Mail) -> bytes:
    letter = EmailMessage(SMTP)
    letter["Subject"], letter["From"] = mail.subject, "referee@games.example"
    letter.set_content(mail.html, subtype="html")
    return letter.as_bytes()


def as_forwarded(mail: Mail) -> bytes:
    """Quoted, with the long lines broken where they have a blank, as many programs do."""
    quoted = "\n".join(
        piece
        for line in mail.text.splitlines()
        for piece in textwrap.wrap(
            line, 76, initial_indent="> ", subsequent_indent="> ", break_long_words=False, break_on_hyphens=False
        )
        or [">"]
    )
    letter = EmailMessage(SMTP)
    letter["Subject"], letter["From"] = f"Fwd: {mail.subject}", "anna@players.example"
    letter.set_content(f"Look at this.\n\n-------- Forwarded message --------\nSubject: {mail.subject}\n\n{quoted}\n")
    return letter.as_bytes()


def as_twice_forwarded(mail: Mail) -> bytes:
    letter = EmailMessage(SMTP)
    letter["Subject"], letter["From"] = f"Fwd: Fwd: {mail.subject}", "anna@players.example"
    letter.set_content(
        "".join(f"> {line}\n" for line in Mail(mail.kind, as_forwarded(mail), mail.to).text.splitlines())
    )
    return letter.as_bytes()


def as_plain_text(mail: Mail) -> bytes:
    """What was copied out of a mail program, without any header."""
    return mail.text.encode()


def with_other_line_ends(mail: Mail) -> bytes:
    return mail.raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


FORMS = [as_html_alone, as_forwarded, as_twice_forwarded, as_plain_text, with_other_line_ends]


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_a_letter_hides_its_head(one: Match, form: Any, sealed_dice: None) -> None:
    letters = with_heads(one)
    found = held(one.finished, *map(form, letters))
    assert found.sound, found.trouble
    assert f"{len(letters)} signed heads in them were compared" in found.note
    assert "by the key that the archive names" not in found.note, "the key of the first letter was not read"


@pytest.mark.parametrize("form", FORMS)
def test_in_every_form_a_letter_tells_of_another_log(one: Match, form: Any, sealed_dice: None) -> None:
    shorter = one.running["log.jsonl"].splitlines(keepends=True)
    found = held(one.running, *map(form, with_heads(one)))
    assert (
        found.verdict is Verdict.OLDER
        and f"and the folder has {len(shorter)}: it is older than your letters" in found.trouble
    )


def test_text_that_begins_like_a_field_is_text() -> None:
    assert saved(b"COMPLETE: your orders stand.\n\nThe rest.").text == "COMPLETE: your orders stand.\n\nThe rest."


def test_a_first_letter_that_names_no_key_as_early_ones_do_is_not_called_missing(one: Match, sealed_dice: None) -> None:
    first = with_heads(one)[0]
    words = re.sub(r"Key that signs:\s+\S+\s+\S*", "", plain(first))
    found = held(one.finished, f"Subject: {first.subject}\n\n{words}".encode())
    assert found.verdict is Verdict.SOUND, found.trouble
    assert "by the key that the archive names" in found.note and "first letter, which" not in found.note


def test_letters_are_taken_from_files_folders_and_a_mailbox(one: Match, tmp_path: Path, sealed_dice: None) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    for name in PARTS:
        (folder / name).write_bytes(one.finished[name])
    letters = one.letters["france@players.example"]
    (tmp_path / "saved" / "deeper").mkdir(parents=True)
    for number, mail in enumerate(letters):
        (tmp_path / "saved" / ("deeper" if number % 2 else "") / f"{number}.eml").write_bytes(mail.raw)
    mbox = b"".join(b"From referee Sat Nov 21 12:00:00 2026\n" + _lines(mail) + b"\n" for mail in letters)
    (tmp_path / "letters.mbox").write_bytes(mbox)
    for given in (["saved"], ["letters.mbox"], ["saved/0.eml", "letters.mbox"]):
        options = [word for name in given for word in ("--letters", str(tmp_path / name))]
        ran = CliRunner().invoke(app, ["verify", str(folder), *options])
        said = " ".join(ran.output.split())
        assert ran.exit_code == 0, said
        many = len(letters) + (len(given) > 1)
        assert f"of {many} letters are of newworld" in said


def _lines(mail: Mail) -> bytes:
    """As a mailbox file has it."""
    return mail.raw.replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ")


def test_a_letter_that_is_not_there_is_named(one: Match, tmp_path: Path) -> None:
    for name in PARTS:
        (tmp_path / name).write_bytes(one.finished[name])
    ran = CliRunner().invoke(app, ["verify", str(tmp_path), "--letters", str(tmp_path / "nowhere.eml")])
    assert ran.exit_code == 1 and "There are no letters at" in " ".join(ran.output.split())


# ---------------------------------------------------------------- what is none of this match, and what means harm


def test_a_letter_of_another_match_is_passed_over(one: Match, played: Match, sealed_dice: None) -> None:
    if played.name == one.name:
        return
    found = held(one.finished, *(mail.raw for letters in played.letters.values() for mail in letters))
    assert found.sound, found.trouble
    assert f"0 of {sum(map(len, played.letters.values()))} letters are of newworld" in found.note
    assert found.verdict is Verdict.PARTLY and found.unchecked == ("your letters, of which none is of newworld",)


def test_letters_from_which_all_that_proves_was_taken_are_not_said_to_fit(one: Match, sealed_dice: None) -> None:
    """A host may send letters without heads, beside another log: nothing in them is wrong then, and nothing holds."""
    stripped = [re.sub(r"(?m)^.*(\||Secret|log \d+:|Fingerprint|chain).*$", "", mail.text) for mail in with_heads(one)]
    found = held(one.finished, *(f"Subject: [newworld] x\n\n{text}".encode() for text in stripped))
    assert found.verdict is Verdict.PARTLY and "no signed head is in them" in found.unchecked[0]


HOSTILE = {
    "nothing": b"",
    "a picture": bytes(range(256)) * 400,
    "zeros": bytes(100_000),
    "brackets": b"Subject: [newworld] x\n\n" + b"[" * 400_000,
    "blank lines": b"Subject: [newworld] x\nIn-Reply-To: <x@y>\n\n" + b"\n" * 400_000,
    "blanks": b"Subject: [newworld] x\n\nSecret " + b" |" * 200_000 + b"Key that signs:" + b" >" * 200_000,
    "secrets": b"Subject: [newworld] x\n\n" + b"Secret " * 60_000,
    "keys": b"Subject: [newworld] x\n\n" + b"Key that signs: a\n" * 20_000,
    "a charset that nobody has": b"Subject: [newworld] x\nContent-Type: text/plain; charset=x-none\n\n\xff\xfe",
    "a subject that is none": b"Subject: =?utf-8?q?=FF=FE?= =?x?y?z?= \xff\nReceived: \xff; \xff\n\nx",
    "a time that is none": b"Subject: [newworld] x\nReceived: by a; Sat, 99 Nov 99999 99:99:99 +9999\n\nx",
    "headers alone": b"Subject: [newworld] x\n" * 1_000,
    "pieces in pieces": b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (depth, depth) for depth in range(300)
    ),
    "numbers": b"Subject: [newworld] x\n\n" + b"1\n99999999999999999999\nx\n" * 10_000,
}


@pytest.mark.parametrize("what", HOSTILE)
def test_whatever_lies_in_the_folder_of_letters_does_no_harm(one: Match, what: str, sealed_dice: None) -> None:
    began = time.process_time()
    found = held(one.finished, HOSTILE[what], *(mail.raw for mail in one.letters["france@players.example"]))
    assert time.process_time() - began < 5
    if what != "keys":
        assert found.sound, found.trouble
    else:
        assert found.sound or "key" in found.trouble


def test_a_forged_letter_accuses_nobody(one: Match, sealed_dice: None) -> None:
    """Whoever has no key cannot make a head that speaks against the archive; it is said that it bears no signature."""
    (mail, *_) = with_heads(one)[1:]
    head = mail.text.index("| referee@games.example/newworld")
    size = mail.text[head:].splitlines()[1].strip(" |")
    forged = f"{mail.text[:head]}{mail.text[head:].replace(size, str(int(size) - 1), 1)}"
    found = held(one.finished, with_heads(one)[0].raw, forged.encode())
    assert found.trouble == "1 signed heads do not bear the signature of games.example"


@pytest.mark.parametrize("spoilt", ["match.json", "log.jsonl"])
@pytest.mark.parametrize("by", [b"", b"{}", b"[]", b"\xff\xfe", b'{"secret": "xyz"}', b'{"secret": ""}'])
def test_a_folder_that_is_none_is_not_sound_and_breaks_nothing(one: Match, spoilt: str, by: bytes) -> None:
    found = held({**one.finished, spoilt: by})
    assert not found.sound


def test_an_archive_with_another_head_is_found_by_any_letter(one: Match, sealed_dice: None) -> None:
    assert not held(other_log(one.finished)).sound


def test_every_answer_that_took_orders_is_looked_for_in_the_log(one: Match, sealed_dice: None) -> None:
    """Without the entries of one letter the archive is not believed, whatever else of it fits."""
    answers = [mail for mail in one.letters["england@players.example"] if "COMPLETE: " in mail.text[:200]]
    for parts in (one.running, one.finished):
        last = parts["log.jsonl"].count(b"\n") - 1
        taken = [
            mail for mail in answers if f"log {last}:" not in mail.flat
        ]  # what is younger than the folder is not in it
        assert taken
        for mail in taken:
            strange = mail.raw.replace(mail.answers.encode(), b"<never-logged@players.example>")
            strange = re.sub(rb"(?s)Proof=?.*?[0-9a-f]{64}", b"Proof " + b"0" * 64, strange)
            found = held(parts, strange)
            assert "the log knows nothing of it (<never-logged@players.example>)" in found.trouble


@pytest.mark.parametrize("rest", ["what else you asked for", "the rest of your letter"])
def test_an_answer_to_a_letter_of_which_no_order_was_taken_is_not_looked_for(
    one: Match, sealed_dice: None, rest: str
) -> None:
    """In the words of version 0.2.0 and of today."""
    said = f"INCOMPLETE: 1 line could not be taken; {rest} is done, and nothing is on file."
    head = "Subject: [newworld] your turn\nIn-Reply-To: <never-logged@players.example>\n\n"
    assert held(one.finished, f"{head}{said}\n\nProof {'0' * 64}\n".encode()).sound
    for stands in ("COMPLETE: all stands.", "DONE: what you filed stands;", "DONE: the orders you filed stand;"):
        assert not held(one.finished, f"{head}{stands}\n\nProof {'0' * 64}\n".encode()).sound


# ---------------------------------------------------------------- what proves nothing


CLAIMS = (
    "Fingerprint: {zeros}",
    "End of the chain: {zeros}",
    "Secret 1 of chain 0: {zeros}",
    "Your orders are sealed; its hash is {zeros}.",
    "log 3:0000000000000000",
)


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("bar", ["  | ", "> | ", "  \N{BOX DRAWINGS LIGHT VERTICAL} ", "\N{FULLWIDTH VERTICAL LINE}"])
def test_a_player_cannot_make_an_honest_host_look_like_a_cheat(
    one: Match, claim: str, bar: str, sealed_dice: None
) -> None:
    """Press stands behind a bar, and nothing behind one is the referee's word."""
    said = claim.format(zeros="0" * 64)
    press, own = (
        saved(f"Subject: [newworld] Press\n\nSpain writes:\n\n{mark}{said}\n".encode()) for mark in (bar, "  ")
    )
    for letter, sound in ((press, True), (own, False)):
        found = verify_archive(KNOWN, *(one.finished[name] for name in PARTS), checks=Checks(verify, letters=(letter,)))
        assert found.sound is sound, found.trouble


def test_letters_of_a_match_of_the_same_name_at_another_house_are_told_apart(
    one: Match, tmp_path: Path, sealed_dice: None
) -> None:
    """Two clubs, one name: their letters prove nothing of this match, and do no harm among its own."""
    address = "france@players.example"
    mine = [mail.raw for mail in one.letters[address]]
    theirs = [raw.replace(b"games.example", b"other.example") for raw in mine]
    alone, mixed = held(one.finished, *theirs), held(one.finished, *mine, *theirs)
    assert alone.verdict is Verdict.ELSEWHERE and "this is one at referee@games.example" in alone.trouble
    assert mixed.sound and "are of a match of this name at referee@other.example" in mixed.note
    assert held(one.finished, *mine).sound


def test_files_of_two_moments_prove_nothing(one: Match, tmp_path: Path, sealed_dice: None) -> None:
    """Whoever copies a folder while it is laid anew may have one file of before and one of after."""
    for before, after in ((one.running, one.finished), (one.finished, one.running)):
        found = held({**before, "match.json": after["match.json"]})
        assert found.verdict is Verdict.OLDER and "not of one moment" in found.trouble
    for name in PARTS:
        (tmp_path / name).write_bytes((one.running if name == "log.jsonl" else one.finished)[name])
    ran = CliRunner().invoke(app, ["verify", str(tmp_path)])
    assert ran.exit_code == 4 and "Nothing is proved by that." in ran.output


@pytest.mark.parametrize("name", PARTS)
def test_a_file_that_never_ends_or_is_nested_without_end_is_refused_in_a_sentence(
    one: Match, tmp_path: Path, name: str
) -> None:
    for part in PARTS:
        (tmp_path / part).write_bytes(one.finished[part])
    (tmp_path / name).write_bytes(one.finished[name] + b"[" * 100_000 + b"]" * 100_000)
    nested = CliRunner().invoke(app, ["verify", str(tmp_path)])
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to("/dev/zero")
    endless = CliRunner().invoke(app, ["verify", str(tmp_path)])
    for ran, said in ((nested, "cannot be read"), (endless, "is no plain file")):
        assert ran.exit_code == 1 and said in " ".join(ran.output.split()), ran.output
        assert isinstance(ran.exception, SystemExit)


# ---------------------------------------------------------------- what letters tell of the play


def plain(mail: Mail) -> str:
    return mail.text.replace("\r\n", "\n")


def with_words(mail: Mail, before: str, after: str) -> bytes:
    """The letter as plain text with other words in it, its heads and secrets as they were."""
    assert before in plain(mail), mail.text
    return f"Subject: {mail.subject}\n\n{plain(mail).replace(before, after, 1)}".encode()


def reports_of(letters: tuple[Mail, ...]) -> list[Mail]:
    return [mail for mail in letters if mail.kind == "report"]


def test_every_report_and_every_line_of_dice_is_read(played: Match, sealed_dice: None) -> None:
    """Honest ones agree: of a finished match all, while it is played those of which everybody was told everything."""
    for letters in played.letters.values():
        found = held(played.finished, *(mail.raw for mail in letters))
        assert found.verdict is Verdict.SOUND, (found.trouble, found.unchecked)
        assert f"{len(reports_of(letters))} reports are what the log gives" in found.note
        alone = [mail for mail in reports_of(letters) if "Salt of this report" in mail.text]
        assert f"{len(alone)} reports are word for word what was laid down when they were sent" in found.note
    assert alone
    every, parts = [mail.raw for letters in played.letters.values() for mail in letters], played.finished
    given = {"manifest": parts["match.json"], "log": parts["log.jsonl"], "reports": parts["reports.jsonl"]}
    texts = {name: part.decode() for name, part in given.items()}
    (by_page,) = verify_in_javascript([{**texts, "letters": [raw.decode() for raw in every]}])
    assert (by_page["verdict"], by_page["trouble"], by_page["unchecked"]) == (0, "", [])
    assert third.trouble(given["manifest"], given["log"], tuple(map(bodies, every)), given["reports"]) == ""


def page_in(parts: dict[str, bytes], name: str) -> str:
    return parts[name].decode()


def test_every_page_table_and_picture_tells_what_the_log_gives(played: Match, sealed_dice: None) -> None:
    for parts in (played.running, played.finished):
        digests = {path: hashlib.sha256(data).hexdigest() for path, data in parts.items()}
        checks = Checks(verify, draw=table, files=digests, page=partial(page_in, parts))
        found = verify_archive(KNOWN, *(parts[name] for name in PARTS), checks=checks)
        assert found.sound and any(path.endswith(".csv") for path in digests), found.trouble
        digests |= {path: "0" * 64 for path in digests if path.startswith("sheets/turn-001")}
        wrong = verify_archive(KNOWN, *(parts[name] for name in PARTS), checks=checks)
        over = bool(json.loads(parts["match.json"])["secret"])
        assert ("is not what the log gives" in wrong.trouble) == over


def test_what_was_laid_down_otherwise_than_the_log_gives_is_found_without_a_letter(
    played: Match, sealed_dice: None
) -> None:
    """A host lays down the words of a lie that he tells one player, and everybody sees it when the match is over."""
    lines = [json.loads(line) for line in played.finished["reports.jsonl"].splitlines()]
    told = next(line["told"] for line in reversed(lines) if line.get("told"))
    seat = next(reader for reader in told if reader)
    assert held(played.finished).sound
    told[seat] = "0" * 64 + told[seat][64:]
    found = held(played.finished | {"reports.jsonl": b"".join(json.dumps(line).encode() + b"\n" for line in lines)})
    assert f"to {seat} is not what the rules give" in found.trouble


def test_other_dice_beside_a_true_head_are_found_while_the_match_is_played(one: Match, sealed_dice: None) -> None:
    mail = next(m for m in reports_of(one.before["france@players.example"]) if "Event check: 1d6 = " in m.text)
    face = int(plain(mail).partition("Event check: 1d6 = ")[2][0])
    forged = with_words(mail, f"Event check: 1d6 = {face}", f"Event check: 1d6 = {face % 6 + 1}")
    for parts in (one.running, one.finished):
        found = held(parts, forged)
        assert found.verdict is Verdict.UNSOUND
        assert f"says “Event check: 1d6 = {face % 6 + 1}”, and the log has {face} (entry" in found.trouble


@pytest.mark.parametrize("form", [as_forwarded, as_plain_text, as_html_alone])
def test_honest_reports_agree_in_every_form(one: Match, form: Any, sealed_dice: None) -> None:
    letters = one.letters["france@players.example"]
    found = held(one.finished, *map(form, letters))
    assert found.sound and f"{len(reports_of(letters))} reports are what the log gives" in found.note, found


def test_a_report_that_says_another_figure_or_less_or_more_is_shown_beside_the_log(
    played: Match, sealed_dice: None
) -> None:
    """Some figures, lines left out and lines added of each match; the words of both sides stand in the sentence.

    The first of each letter is held against the whole archive; all are read against its log.
    """
    log, chosen, tried = told_by(played.finished), random.Random(7), 0
    for mail in reports_of(played.letters["gina@players.example"]):
        lines = plain(mail).splitlines(keepends=True)
        first = next(n for n, line in enumerate(lines) if n and line.startswith("---"))
        bullets = [
            n for n, line in enumerate(lines) if n > first and re.fullmatch(r"- (?!.*(?:played by|\")).*\.\n", line)
        ]
        whole = False
        for at in chosen.sample(bullets, min(3, len(bullets))):
            figure = re.sub(r"\b([0-9]+)\b", lambda found: str(int(found[0]) + 1), lines[at], count=1)
            changes = {"less": [], "more": [lines[at], "- France gains 10 gold.\n"], "other": [figure]}
            for what, instead in changes.items():
                if instead == [lines[at]]:
                    continue
                text = "".join((*lines[:at], *instead, *lines[at + 1 :]))
                raw = f"Subject: {mail.subject}\n\n{text}".encode()
                letter = opened(raw)
                wrong = read_letters([(letter.subject, letter.text, letter.ours, 0, letter.plain)], log).wrong
                tried += 1
                assert wrong, (what, lines[at])
                assert "does not say what the log gives" in wrong[0] or "and the log has" in wrong[0]
                if not whole:
                    found = held(played.finished, raw)
                    assert found.verdict is Verdict.UNSOUND and found.trouble == wrong[0]
                    whole = True
    assert tried > 5


def test_a_record_sheet_with_another_figure_is_found(one: Match, sealed_dice: None) -> None:
    mail = next(m for m in reports_of(one.letters["spain@players.example"]) if "Record sheet of Spain\n===" in plain(m))
    head, title, sheet = plain(mail).partition("Record sheet of Spain")
    figure = re.search(r"\n(\w[\w ]*?  +)([0-9]+)\n", sheet)
    assert figure is not None
    other = f"\n{figure[1]}{int(figure[2]) + 1}\n"
    found = held(one.finished, f"Subject: {mail.subject}\n\n{head}{title}{sheet.replace(figure[0], other, 1)}".encode())
    assert found.verdict is Verdict.UNSOUND and "Record sheet" in found.trouble


def test_a_report_of_a_turn_that_the_log_has_not_is_not_passed_over(one: Match, sealed_dice: None) -> None:
    mail = next(m for m in reports_of(one.letters["spain@players.example"]))
    title = plain(mail).partition("\n")[0]
    found = held(one.finished, with_words(mail, title, "Turn 77: Spain (round 40)"))
    assert found.verdict is Verdict.PARTLY and "it reports no turn that the log has" in str(found.unchecked)


def test_orders_that_a_receipt_names_and_the_log_has_otherwise_are_found(one: Match, sealed_dice: None) -> None:
    """A host files other orders under the digest of a true letter: its writer has the receipt."""
    node()
    tried = 0
    for letters in one.letters.values():
        for mail in letters:
            on_file = re.search(r"as on file\n-+\n\n  \| (\w.*)\n", plain(mail))
            if not mail.is_a("receipt") or on_file is None or "Proof " not in mail.text:
                continue
            tried += 1
            assert held(one.finished, mail.raw).sound
            other = with_words(mail, f"  | {on_file[1]}\n", "  | HIRE 9 workers\n")
            found = held(one.finished, other)
            parts = {"manifest": one.finished["match.json"].decode(), "log": one.finished["log.jsonl"].decode()}
            true, false = verify_in_javascript(
                [parts | {"letters": [letter.decode()]} for letter in (with_words(mail, "Proof", "Proof"), other)]
            )
            assert true["sound"] and "has “HIRE 9 workers” on file, and the log has not" in false["trouble"], true
            assert "has “HIRE 9 workers” on file, and the log has not" in found.trouble
    assert tried


@pytest.mark.parametrize("meaning", [False, True])
def test_orders_that_are_filed_as_something_else_than_they_say_are_found(
    one: Match, meaning: bool, sealed_dice: None
) -> None:
    """The words stay; what is carried out is another order, and what it means is told so in the log, or as before."""
    every = [mail for letters in one.letters.values() for mail in letters if "as on file" in mail.text]
    mail, hired = next((m, found) for m in every if (found := re.search(r"\n  \| (HIRE ([0-9]+) \w+)\n", plain(m))))
    log, secret = json_lines(one.finished["log.jsonl"]), bytes.fromhex(json.loads(one.finished["match.json"])["secret"])
    folder = Folder(json.loads(one.finished["match.json"]), log, Archived(b"", b"", b"", secret))
    for at in folder.records("filed"):
        record = folder.record(at)
        for line in record["sheet"]:
            if line["text"] == hired[1]:
                number = line["intent"]["quantity"]
                line["intent"]["quantity"] = {
                    key: value + 5 if value == int(hired[2]) else value for key, value in number.items()
                }
                line["meaning"] = f"Hire {int(hired[2]) + 5} workers." if meaning else line["meaning"]
        folder.put(at, record)
    records = tuple((at, codec_of(KNOWN["newworld"]).load(entry["payload"])) for at, entry in enumerate(folder.entries))
    created = records[0][1]
    assert isinstance(created, Created)
    courses = verify_archive(KNOWN, *(one.finished[name] for name in PARTS)).courses
    told = Log(KNOWN["newworld"], "newworld", created, records, (courses,), False, True)
    read = read_letters([(mail.subject, plain(mail), opened(mail.raw).ours, 0, True)], told)
    assert (f"has “Hire {hired[2]} worker" if meaning else "was not filed as what it says") in read.wrong[0]


def json_lines(text: bytes) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_preview_tells_of_dice_that_are_not_the_matchs(one: Match, sealed_dice: None) -> None:
    said = "Subject: [newworld] Preview\n\nThe dice here are not the match's: ...\n\n- Event check: 1d6 = 9.\n"
    assert held(one.finished, said.encode()).sound
    assert not held(one.finished, said.replace("not the match's", "dice").encode()).sound


def test_words_of_reports_that_these_rules_cannot_give_are_held_against_what_was_laid_down(
    monkeypatch: pytest.MonkeyPatch, sealed_dice: None
) -> None:
    """Of a match that is played and of one that is over: from where on these rules cannot tell the story is said with why.

    The words are those of which the digest was laid down, or they are found to be others, by all three verifiers.
    """
    node()
    upgrade(monkeypatch, "old")
    with matches.table("newworld", players=4) as world:
        world.reply(world.on_turn(matches.MATCH), "HIRE 1 worker\nROLL OUT")
        world.wait(hours=25)
        running = matches.archived(world, letters=True)
        over = matches.terminated(world, letters=True)
    upgrade(monkeypatch, "new")
    evolve = NewWorld.evolve

    def forgetful(self: NewWorld, state: Any, event: Any) -> Any:
        if type(event).__name__ == "WorkersHired":
            raise KeyError("never met")
        return evolve(self, state, event)

    monkeypatch.setattr(NewWorld, "evolve", forgetful)
    why = f"these rules cannot tell what version {NewWorld.version} gave (KeyError: 'never met')"
    for archive, said in ((running, why), (over, "(2 phases) were written by other rules and not compared")):
        found = held(dict(zip(PARTS, (archive.manifest, archive.log, archive.reports), strict=True)), *archive.letters)
        assert found.verdict is Verdict.PARTLY, found.trouble
        assert said in " ".join(found.unchecked) and "Turn 1: " in " ".join(found.unchecked)
        parts = dict(zip(PARTS, (archive.manifest, archive.log, archive.reports), strict=True))
        reports_now = [raw for raw in archive.letters if b"Salt of this report" in raw]
        assert f"{len(reports_now)} reports are word for word what was laid down" in found.note
        raw = next(raw for raw in reports_now if "hires 1 worker" in opened(raw).text)
        text = opened(raw).text.replace("\r\n", "\n")
        forged = [
            text.replace("hires 1 worker", "hires 2 workers"),
            text.replace("1 worker for 2 food", "1 worker for 1 food"),
        ]
        given = archive.given()
        assert text not in forged
        for words in (text, *forged):
            letter = f"Subject: {saved(raw).subject}\n\n{words}"
            (by_javascript,) = verify_in_javascript([given | {"letters": [letter]}])
            by_third = third.trouble(archive.manifest, archive.log, (words,), archive.reports)
            ours = held(parts, letter.encode())
            assert (ours.sound, by_javascript["sound"], by_third == "") == (words == text,) * 3, (
                ours.trouble,
                by_third,
            )
            assert words == text or all(
                "other words than those whose digest is in reports.jsonl" in said
                for said in (ours.trouble, by_javascript["trouble"], by_third)
            )


def test_the_end_of_a_chain_that_began_after_the_first_letter_is_told_with_each_secret(sealed_dice: None) -> None:
    """HELP DICE said that it stands in the first letter: of such a chain nobody could check a secret by letters alone."""
    node()
    with matches.table("newworld", players=4) as world:
        world.wait(hours=25)
        first = world.last(PLAYERS[0], "report").flat
        world.reply(GINA, 'REWIND TO TURN 1 BECAUSE "misread"')
        told = [mail for _ in range(2) for mail in world.wait(hours=25) if mail.kind == "report"]
        (pledged,) = (record for record in world.log(Pledged, matches.MATCH) if record.chain == 1)
        archive = matches.archived(world, letters=True)
        said = world.reply(PLAYERS[0], "HELP DICE")[-1].flat
    assert re.search(r"Secret \d+ of chain 0: ", first) and "End of the chain" not in first
    assert len(told) > 4
    for mail in told:
        ((number, secret),) = re.findall(r"Secret (\d+) of chain 1: ([0-9a-f]{64})", mail.flat)
        for _ in range(int(number)):
            secret = hashlib.sha256(bytes.fromhex(secret)).hexdigest()
        assert re.findall(r"End of the chain: ([0-9a-f]{64})", mail.flat) == [pledged.anchor] == [secret]
    assert "or below the secret where the chain began later" in said
    (found,) = verify_in_javascript([archive.given(letters=True)])
    assert (archive.sound(letters=True), found["trouble"]) == ((True, ""), "")


def test_record_sheets_of_the_first_report_after_an_upgrade_accuse_nobody(
    monkeypatch: pytest.MonkeyPatch, sealed_dice: None
) -> None:
    """They tell what has changed since sheets of the old version, which a verifier does not have. It says so."""
    stack = ExitStack()
    with monkeypatch.context() as old:
        upgrade(old, "old")
        mend(old, phases, "event_phase", '"Event check", "nw.event.check"', '"Event check", "nw.event.privateers"')
        world = stack.enter_context(matches.table("newworld", players=4))
        world.wait(hours=25)
        world.wait(hours=25)
    upgrade(monkeypatch, "new")
    with stack:
        first = len(world.all_mail())
        world.wait(hours=25)
        running = matches.archived(world, letters=True)
        lie = next(mail for mail in world.all_mail()[first:] if mail.kind == "report" and "As before, and" in mail.text)
        world.wait(hours=25)
        over = matches.terminated(world, letters=True)
    for archive in (running, over):
        parts = dict(zip(PARTS, (archive.manifest, archive.log, archive.reports), strict=True))
        found = held(parts, *archive.letters)
        assert found.verdict is (Verdict.PARTLY if archive is over else Verdict.SOUND), found.trouble
        later = [raw for raw in archive.letters if b"Salt of this report" in raw]
        assert f"{len(later)} reports are word for word what was laid down" in found.note
        forged = plain(lie).replace("colonial territories left", "colonial territories lost")
        assert held(parts, f"Subject: {lie.subject}\n\n{forged}".encode()).verdict is Verdict.UNSOUND
    assert "the record sheets of a report" in " ".join(held(parts, *over.letters).unchecked)


def test_the_words_by_which_letters_are_known_are_those_that_they_have() -> None:
    """Both verifiers know a report of several turns, a preview and what is on file by these words."""
    javascript = SCRIPT.with_name("verify.js").read_text("utf-8")
    together, preview = saved_reports._TOGETHER.search(reports.bare(reports._WHOLE.format(7))), saved_reports._PREVIEW
    assert together is not None and together[1] == "7" and preview in course_overrides._DICE.casefold()
    assert "sendreportturn\\d+bringsthereportofthatturnwhole" in javascript and preview in javascript
    templates = (SCRIPT.parents[1] / "common.jinja").read_text("utf-8")
    for words in ("as on file", "this is match", "Proof of the dice"):
        assert words in templates and (words in javascript or reports.bare(words) in javascript), words
