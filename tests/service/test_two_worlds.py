"""Two worlds that differ only in what nobody else may learn: all that the others read is the same, word for word.

Who was late, and how, where lateness is hidden; who plays which seat, where a match is anonymous. The script of a match
is lived through once in each world; then every letter to the others, every page of the archive, the public log and
what the command line prints for strangers are compared. Only hashes, which stand for what is withheld, may differ.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from referee.core.record import Answered
from referee.games import GAMES
from referee.service.base.office import At
from referee.service.house.archive import archive_of
from referee.service.house.verification import verify_archive
from referee.service.intake.downtime import beat
from referee.service.match import open_log
from referee.service.turn import preview
from tests.sample import few
from tests.service.conftest import GINA, OTTO, PLAYERS
from tests.toy import TOY
from tests.world import Mail, World

XENIA, YARA, ZOE = PLAYERS[:3]
"""Of these Xenia and Yara change places from one world to the other; Zoe and Otto, who watches, must not notice."""

ASKING = (
    "STATUS\nORDERS\nSEND report\nSEND sheets\nSEND history\nSEND log\nSEND press\nSEND standings\nSEND record\nGAMES"
)

Script = Callable[[World], None]


@pytest.fixture(autouse=True)
def _few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview plays a thousand games, of which none says here what the first fifty do not."""
    monkeypatch.setattr(preview, "_WORK", 2_000)


@contextmanager
def a_world(folder: Path, databases: Path) -> Iterator[World]:
    folder.mkdir()
    shutil.copy(databases / "empty.sqlite", folder / "referee.sqlite")
    world = World(folder, "two worlds")
    object.__setattr__(world.office, "games", {**{game.name: game for game in GAMES}, "toy": TOY})
    yield world
    world.close()


def scrubbed(text: str, counts: bool) -> str:
    """Without hashes of the log, which cover what is withheld; with `counts` False without its length too."""
    if counts:
        return re.sub(r"(?<=\d):[0-9a-f]{16}(?![0-9a-f])", ":HASH", text)
    text = re.sub(r"\d+:[0-9a-f]{16}(?![0-9a-f])", "HEAD", text)
    text = re.sub(r"(?m)^Message-ID:.*(\n .*)*", "", text)
    text = re.sub(r"<[0-9a-z.+-]+(?=@games\.example>)", "<", text)
    text = re.sub(r"<\d+@players\.example", "", re.sub(r"&lt;\d+@players\.example", "", text))
    text = re.sub(r"referee\+[a-z0-9.+=-]+(\n\s)?@games\.example", "TOKEN", text)
    return re.sub(r"&amp;in-reply-to=[^\"&]*", "&amp;in-reply-to=", text)  # a Message-ID, which counts letters


def decoded(mail: Mail) -> str:
    """All that a letter holds: its headers, and every part of it in clear."""
    parts = [f"{name}: {value}" for name, value in mail.message.items() if name != "Content-Type"]
    for part in mail.message.walk():
        content = part.get_payload(decode=True)
        if part.get_content_type() == "application/zip" and isinstance(content, bytes):
            content = "\n".join(
                zipfile.ZipFile(io.BytesIO(content)).namelist()
            ).encode()  # its files are compared below
        parts.append(content.decode("utf-8", "replace") if isinstance(content, bytes) else "")
    return "\n".join(parts)


def letters_to(world: World, reader: str, counts: bool = True) -> list[str]:
    return [scrubbed(f"{mail.kind}\n{decoded(mail)}", counts) for mail in world.all_mail() if mail.to == reader]


def archive(world: World, counts: bool = True) -> dict[str, str]:
    """Every file of the archive; of the log what is left without hashes and the number of entries that are withheld."""
    with world.store.look() as step:
        row = step.match("t1")
        assert row is not None
        files, index, *_ = archive_of(At(world.office, step), row)
    shown = {name: content.decode() for name, content in {**files, "index.html": index}.items()}
    entries = [json.loads(line) for line in shown.pop("log.jsonl").splitlines()]
    for entry in entries:
        for name in ("previous", "digest", "hash", *(() if counts else ("seq",))):
            del entry[name]
    if not counts:
        entries = [entry for entry in entries if entry["payload"]]
        shown["match.json"] = re.sub(r'"entries": \d+', "", shown["match.json"])
    shown["log.jsonl"] = "\n".join(json.dumps(entry) for entry in entries)
    cleaned = {name: re.sub(r"\b[0-9a-f]{64}\b", "HASH", scrubbed(text, counts)) for name, text in shown.items()}
    return cleaned if counts else {_uncounted(name): _uncounted(text) for name, text in cleaned.items()}


def _uncounted(text: str) -> str:
    return re.sub(r"(turn-\d{3}(?:-rewind-\d+)?)-\d+", r"\1", text)


def differences(one: list[str], other: list[str]) -> list[str]:
    """The lines that differ, for a message that can be read."""
    found = [
        f"{a.splitlines()[0]}: {x!r} / {y!r}"
        for a, b in zip(one, other, strict=False)
        for x, y in zip([*a.splitlines(), "END"], [*b.splitlines(), "END"], strict=False)
        if x != y
    ]
    return found[:20] + ([f"{len(one)} letters / {len(other)} letters"] if len(one) != len(other) else [])


def compare(worlds: Mapping[str, World], readers: tuple[str, ...], counts: bool = True) -> None:
    """Every world shows the readers, and whoever reads the archive, what the first one shows."""
    shown = {
        name: ({reader: letters_to(world, reader, counts) for reader in readers}, archive(world, counts))
        for name, world in worlds.items()
    }
    (mine, pages), *_ = shown.values()
    assert all(mine.values())
    for name, (theirs, others_pages) in shown.items():
        for reader in readers:
            assert differences(mine[reader], theirs[reader]) == [], (name, reader)
        assert sorted(pages) == sorted(others_pages), name
        assert differences(list(pages.values()), list(others_pages.values())) == [], name


# ---------------------------------------------------------------- who was late


def _begin(world: World, game: str, setting: str) -> None:
    world.write(GINA, f"CREATE {game} AS t1 WITH {setting}")
    for player in (XENIA, YARA, ZOE):
        world.write(player, "JOIN t1")
    world.write(OTTO, "OBSERVE t1")
    world.reply(GINA, "START t1", kind="receipt")


def _ask(world: World) -> None:
    for reader in (ZOE, OTTO):
        world.reply(reader, ASKING)
    world.write("stranger@elsewhere.example", "GAMES\nVERIFY\nSEND history OF t1\nSEND report OF t1")


def _everything(world: World, late: str, prompt: str) -> None:
    """All that can happen to who is late; the other one plays as the rules would play for him."""
    seat = world.seat(late, "t1")
    beat(world.office)
    for player in (prompt, ZOE):
        world.reply(player, "BID 0 coins\nWAIT")
    world.reply(late, "EXTEND 6h\nABSENCE FROM 2026-12-20 TO 2026-12-22\nABSENCE FROM 2027-02-01 TO 2027-03-30")
    world.reply(GINA, f'APPROVE ABSENCE {seat} BECAUSE "a journey"')
    world.reply(late, "ABSENCE FROM 2027-05-01 TO 2027-06-30")
    world.reply(GINA, f'REFUSE ABSENCE {seat} BECAUSE "too long"')
    world.reply(GINA, f'DEADLINE +3h FOR {seat} BECAUSE "{seat} asked for it"')
    world.reply(GINA, 'DEADLINE +2h BECAUSE "a holiday"')
    world.reply(ZOE, "VOTE EXTEND BY 5h")
    world.reply(prompt, "VOTE yes ON 1")
    _ask(world)
    world.clock.advance(timedelta(hours=5))
    beat(world.office)  # an outage
    for _ in range(8):
        world.wait(hours=10)
        _ask(world)
    assert any("you are late" in mail.subject for mail in world.all_mail() if mail.to == late)
    world.reply(GINA, f"EXCUSE {seat}")
    for player in (prompt, ZOE):
        world.reply(player, "BID 0 coins\nWAIT")
    world.reply(GINA, f'ROLL OUT {seat} BECAUSE "{seat} is away"')
    _ask(world)
    world.wait(hours=30)
    world.reply(GINA, "PAUSE FOR 2 hours")
    _ask(world)
    world.wait(hours=3)
    world.reply(GINA, "REWIND TO TURN 2")
    world.reply(GINA, "PREVIEW TURN\nSTATUS\nSEND record")
    _ask(world)


def test_nobody_else_learns_who_was_late(tmp_path: Path, databases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        open_log, "_check_faces", lambda *_: None
    )  # the dice of two worlds must be the same: see conftest
    setting = "rounds 3, lateness hidden, grace 12h, bank 48h, absences 5 days, reminders 4h"
    with a_world(tmp_path / "one", databases) as one, a_world(tmp_path / "other", databases) as other:
        for world, late, prompt in ((one, XENIA, YARA), (other, YARA, XENIA)):
            _begin(world, "toy", setting)
            _everything(world, late, prompt)
        compare({"one": one, "other": other}, (ZOE, OTTO, "stranger@elsewhere.example"))
        for world, late in ((one, XENIA), (other, YARA)):
            seat, masters = world.seat(late, "t1"), "\n".join(letters_to(world, GINA))
            for truth in (f"{seat} takes more time", f"{seat} is excused", f"{seat} is rolled out"):
                assert truth in masters, truth
            with world.store.look() as step:
                files = archive_of(At(world.office, step), world.playing("t1").row).files
            log = files["log.jsonl"].splitlines(keepends=True)
            whole, holed = b"".join(log), b"".join((*log[:9], *log[10:]))
            about = (dict(world.office.games), files["match.json"])
            assert verify_archive(*about, whole, files["reports.jsonl"]).sound
            assert not verify_archive(*about, holed, files["reports.jsonl"]).sound
            own = "\n".join(letters_to(world, late))
            assert f"{seat} is excused" in own and f"{seat} is rolled out" in own


def _found(text: str, pattern: str) -> list[str]:
    return re.findall(pattern, text, re.IGNORECASE)


@pytest.mark.parametrize("then", ["standby", "dummy", "ask"])
def test_nobody_else_learns_why_a_seat_is_given_away(tmp_path: Path, databases: Path, then: str) -> None:
    with a_world(tmp_path / "one", databases) as world:
        _begin(world, "toy", "rounds 3, lateness hidden")
        seat = world.seat(XENIA, "t1")
        world.write(PLAYERS[3], "STANDBY t1")
        world.reply(GINA, f"ABANDON AFTER 1 GIVING TO {then}")
        for player in (YARA, ZOE):
            world.reply(player, "BID 0 coins\nWAIT")
        world.wait(hours=25)
        _ask(world)
        others = "\n".join(text for reader in (ZOE, OTTO) for text in letters_to(world, reader))
        shown = others + "\n".join(archive(world).values())
        news = {
            "standby": f"{seat} has a new player",
            "dummy": f"{seat} is played by a bot",
            "ask": f"{seat} is abandoned",
        }
        assert bool(_found(others, news[then])) == (then != "ask")
        assert _found("\n".join(letters_to(world, GINA)), news[then])
        assert _found(shown, rf"turns? in a row were|by the clock|{seat}[^.]*\b(abandoned|late|rolled out)\b") == []


def test_a_second_key_names_nobody_who_is_late(tmp_path: Path, databases: Path) -> None:
    """A game master who plays in Zoe's place needs Yara's leave to excuse Xenia, or Xenia's to excuse Yara."""
    worlds = {}
    with a_world(tmp_path / "one", databases) as one, a_world(tmp_path / "other", databases) as other:
        for world, late, prompt in ((one, XENIA, YARA), (other, YARA, XENIA)):
            _begin(world, "toy", "rounds 3, lateness hidden")
            seat = world.seat(late, "t1")
            world.reply(GINA, f"REPLACE {world.seat(ZOE, 't1')} BY {GINA}")
            for number, line in enumerate((f"EXCUSE {seat}", f"DEADLINE +5h FOR {seat}", f"ROLL OUT {seat}"), 1):
                world.reply(GINA, f'{line} BECAUSE "{seat} asked"')
                world.reply(XENIA, f"CONFIRM {number}")
                world.reply(OTTO, ASKING)
                world.wait(hours=1)
                world.reply(YARA, f"CONFIRM {number}")
            said = [m.flat.partition("second key")[2] for m in world.all_mail() if m.to == prompt]
            asked = [text.partition("CONFIRM")[0] for text in said if text]
            assert len(asked) == 3 and all("for one player" in text and seat not in text for text in asked)
            assert f"EXCUSE {seat}" in "\n".join(letters_to(world, late))
            worlds[prompt] = world
        compare(worlds, (OTTO,))


def test_the_record_of_a_player_tells_other_game_masters_nothing_of_a_match_that_hides_lateness(
    tmp_path: Path, databases: Path
) -> None:
    """Zoe plays in one match with Xenia and masters another one; at the end of the first she may know."""
    with a_world(tmp_path / "one", databases) as world:
        _begin(world, "toy", "rounds 2, lateness hidden")
        world.write(ZOE, "CREATE newworld AS nw1")
        for player in (XENIA, *PLAYERS[3:], "eve@players.example"):
            world.write(player, "JOIN nw1")
        world.reply(ZOE, "START nw1", kind="receipt")
        world.wait(hours=25)
        of_nw1 = [mail for mail in world.all_mail() if mail.to == ZOE and mail.subject.startswith("[nw1]")]
        world.write(ZOE, "STATUS\nSEND record", of_nw1[-1].reply_to)
        assert world.status("t1") == "running"
        told = next(mail.flat for mail in reversed(world.all_mail()) if mail.to == ZOE and "Reliability" in mail.text)
        records = re.findall(r"player over all matches: (.*?)\.", told)
        assert sorted(records) == ["0 on time, 0 late, 1 rolled out (0% on time)", *["no slot that counts yet"] * 2]
        grid = told.partition("Reliability")[2]
        assert len(re.findall(r"\b0 0 1 0 0 0\b", grid)) == 1 and "anna 0 0 2" not in grid


def test_the_rules_of_empire_tell_who_was_late_so_no_match_of_it_hides_it(tmp_path: Path, databases: Path) -> None:
    with a_world(tmp_path / "one", databases) as world:
        (refusal,) = world.write(GINA, "CREATE empire AS t1 WITH board small, overdue auto, lateness hidden")
        assert "emp.P8" in refusal.flat and "lateness cannot be hidden" in refusal.flat
        world.write(GINA, "CREATE empire AS t1 WITH board small, overdue auto")
        for player in (XENIA, YARA):
            world.write(player, "JOIN t1")
        world.reply(GINA, "START t1", kind="receipt")
        (refusal,) = world.reply(GINA, "CLOCK lateness hidden")
        assert "emp.P8" in refusal.flat and not world.playing("t1").settings.hides_late


# ---------------------------------------------------------------- how the time of the one whose turn it is was spent


def _one_after_the_other(world: World, game: str) -> str:
    """A match in which a seat has its slot; who plays it. Drafts and the like before it are played by the rules."""
    _begin(world, game, "lateness hidden, grace 12h, bank 48h, absences 5 days, reminders 4h")
    return world.player(world.playing("t1").outcome.open[0].seat, "t1")


MANNERS: Mapping[str, str] = {
    "in his grace": "",
    "by his time bank": "EXTEND 12h",
    "by the game master's leave": 'DEADLINE +12h FOR {seat} BECAUSE "{seat} asked"',
    "excused beforehand": "EXCUSE {seat}",
    "back from an absence": "ABSENCE FROM 2026-11-22 TO 2026-11-22",
}
"""How somebody may play 35 hours after his slot opened."""


def _plays_late(world: World, game: str, line: str, sheet: str) -> None:
    player = _one_after_the_other(world, game)
    seat = world.seat(player, "t1")
    world.wait(hours=1)
    if line:
        world.reply(player if line.split()[0] in ("EXTEND", "ABSENCE") else GINA, line.format(seat=seat))
    readers = [reader for reader in (XENIA, YARA, ZOE, OTTO) if reader != player]
    world.wait(hours=8.5)
    for hours in (17, 8.5):  # once in his time, once after it
        for reader in readers:
            world.reply(reader, ASKING)
        world.wait(hours=hours)
    world.reply(player, sheet)
    for reader in readers:
        world.reply(reader, ASKING)
    world.wait(hours=1)


@pytest.mark.parametrize(
    ("game", "sheet"), few(2, [("newworld", "RESEARCH any\nROLL OUT"), ("war27", "ROLL OUT"), ("war17", "ROLL OUT")])
)
def test_nobody_else_learns_whose_leave_a_late_player_had(
    tmp_path: Path, databases: Path, game: str, sheet: str
) -> None:
    """Who plays long after his slot opened may have been late, or may not: the others cannot tell.

    The number of entries in the log does tell them that something was written down, so it is left out.
    """
    worlds: dict[str, World] = {}
    with ExitStack() as stack:
        for number, (manner, line) in enumerate(MANNERS.items()):
            world = stack.enter_context(a_world(tmp_path / str(number), databases))
            _plays_late(world, game, line, sheet)
            worlds[manner] = world
        (player,) = {world.player(world.log(Answered, "t1")[0].seat, "t1") for world in worlds.values()}
        lateness = {manner: world.log(Answered, "t1")[0].late_by for manner, world in worlds.items()}
        assert lateness["in his grace"] == 1 and lateness["by his time bank"] == 0
        compare(worlds, tuple(r for r in (XENIA, YARA, ZOE, OTTO) if r != player), counts=False)


# ---------------------------------------------------------------- who plays which seat


def _anonymous(world: World, yours: str, mine: str) -> None:
    """A whole match in which two players have changed their seats; who has a seat does what its player does."""
    setting = "anonymous yes, press grey, lateness hidden, grace 12h, bank 48h, absences 5 days"
    world.write(GINA, f"CREATE toy AS t1 WITH rounds 3, {setting}")
    for player, name in ((yours, "JOIN t1"), (mine, "JOIN t1"), (ZOE, "JOIN t1")):
        world.write(player, name)
    world.write(OTTO, "OBSERVE t1")
    world.reply(GINA, "START t1", kind="receipt")
    world.reply(XENIA, "SET zone Asia/Kathmandu\nSET name Xenia Xylander")
    world.reply(YARA, "SET zone Pacific/Chatham\nSET name Yara Yates")
    first, second = world.player("Ann", "t1"), world.player("Bob", "t1")
    world.reply(
        first, "BID 2 coins\nPRESS TO Cyd\nLet us share.\nEND\nBROADCAST\nHail.\nEND\nOFFER TO Cyd\nPeace.\nEND"
    )
    world.reply(second, "PRESS GREY TO Cyd, Ann\nGuess who.\nEND\nBROADCAST GREY\nHum.\nEND\nDIARY\nHush.\nEND")
    world.reply(ZOE, "ACCEPT 1\nBID 1 coins\nVOTE PAUSE FOR 2 hours")
    world.reply(first, "VOTE yes ON 1\nEXTEND 3h")
    _ask(world)
    world.reply(second, "ABSENCE FROM 2026-12-01 TO 2026-12-03\nABSENCE FROM 2026-12-10 TO 2026-12-30")
    world.reply(GINA, "APPROVE ABSENCE Bob\nDEADLINE +2h FOR Ann\nANNOUNCE Be kind.")
    for _ in range(5):
        world.wait(hours=10)
    _ask(world)
    world.reply(GINA, "EXCUSE Bob\nBECOME Ann\nBID 1 coins")
    world.reply(second, 'RESIGN BECAUSE "no time"')
    _ask(world)
    world.wait(hours=50)
    world.reply(GINA, "REPLACE Bob BY nadja@newcomers.example")
    _ask(world)
    world.reply(GINA, "REWIND TO TURN 1")
    world.wait(hours=1)
    _ask(world)


def test_nobody_else_learns_who_plays_which_seat(tmp_path: Path, databases: Path) -> None:
    with a_world(tmp_path / "one", databases) as one, a_world(tmp_path / "other", databases) as other:
        _anonymous(one, XENIA, YARA)
        _anonymous(other, YARA, XENIA)
        assert one.seat(XENIA, "t1") == other.seat(YARA, "t1") == "Ann"
        compare({"one": one, "other": other}, (ZOE, OTTO, "stranger@elsewhere.example", "nadja@newcomers.example"))


SHEETS = {
    "newworld": ("RESEARCH any\nHIRE 1 worker\nCOLONIZE any", ("England", "France", "Spain")),
    "war27": ("DRAFT Egypt, Sudan, Japan\nBUY 3 infantry, 1 city\nBUILD 1 infantry IN Egypt", ("Red", "Blue", "Green")),
    "war17": ("DRAFT Egypt, Sudan, Japan\nBUY 3 infantry, 1 city\nBUILD 1 infantry IN Egypt", ("Red", "Blue", "Green")),
}
"""What everybody orders as far as it may be ordered then, and who sits where."""


def _anonymous_match(world: World, game: str, yours: str, mine: str) -> None:
    """Some slots of a real game, played, missed and mastered; two players have changed their seats."""
    sheet, seats = SHEETS[game]
    setting = "anonymous yes, press grey, lateness hidden, grace 12h, bank 48h, absences 5 days"
    world.write(GINA, f"CREATE {game} AS t1 WITH {setting}")
    for player, seat in zip((yours, mine, ZOE), seats, strict=True):
        world.write(player, f"JOIN t1 AS {seat}")
    world.write(OTTO, "OBSERVE t1")
    world.reply(GINA, "START t1", kind="receipt")
    world.reply(XENIA, "SET zone Asia/Kathmandu\nSET name Xenia Xylander")
    world.reply(YARA, "SET zone Pacific/Chatham\nSET name Yara Yates")
    first, second = world.player(seats[0], "t1"), world.player(seats[1], "t1")
    world.reply(first, f"PRESS TO {seats[2]}\nLet us share.\nEND\nBROADCAST\nHail.\nEND\nSUSPEND FOR 2 hours")
    world.reply(second, f"PRESS GREY TO {seats[2]}\nGuess who.\nEND\nBROADCAST GREY\nHum.\nEND\nVOTE yes ON 1")
    world.wait(hours=3)
    for slot in range(9):
        waits = world.playing("t1").outcome.open[0].seat
        world.reply(world.player(waits, "t1"), sheet if slot % 2 else f"{sheet}\nPREVIEW\n{sheet}\nEND")
        world.reply(world.player(waits, "t1"), "ROLL OUT")
    _ask(world)
    world.reply(first, 'EXTEND 3h\nPETITION FOR clarification "Who goes first?"')
    world.reply(second, "ABSENCE FROM 2026-12-10 TO 2026-12-30\nVOTE yes ON 2")
    world.reply(GINA, f"APPROVE ABSENCE {seats[1]}\nDEADLINE +2h FOR {seats[0]}\nANNOUNCE Be kind.")
    for _ in range(4):
        world.wait(hours=13)
    _ask(world)
    world.reply(GINA, f"EXCUSE {seats[1]}\nBECOME {seats[0]}\n{sheet}")
    world.reply(second, 'RESIGN BECAUSE "no time"')
    world.reply(ZOE, "WHO t1\nVERIFY\nSEND map\nSEND archive")
    world.wait(hours=30)
    world.reply(GINA, f"REPLACE {seats[1]} BY nadja@newcomers.example")
    _ask(world)
    world.wait(hours=30)
    _ask(world)


@pytest.mark.parametrize("game", few(2, SHEETS))
def test_nobody_else_learns_who_plays_which_seat_of_a_real_game(tmp_path: Path, databases: Path, game: str) -> None:
    with a_world(tmp_path / "one", databases) as one, a_world(tmp_path / "other", databases) as other:
        _anonymous_match(one, game, XENIA, YARA)
        _anonymous_match(other, game, YARA, XENIA)
        seat = SHEETS[game][1][0]
        assert one.seat(XENIA, "t1") == other.seat(YARA, "t1") == seat
        assert one.playing("t1").turn > 0 and len(one.log(Answered, "t1")) > 8
        assert one.letters("shunted") == other.letters("shunted") == []
        compare({"one": one, "other": other}, (ZOE, OTTO, "stranger@elsewhere.example", "nadja@newcomers.example"))


def test_no_letter_tells_how_many_letters_others_wrote(tmp_path: Path, databases: Path) -> None:
    """What one reader is sent is the same, but for digests that nobody has the key of, whatever others write meanwhile."""
    shown: list[list[str]] = []
    for busy in (False, True):
        with a_world(tmp_path / str(busy), databases) as world:
            _begin(world, "newworld", "lateness hidden")
            zoe = next(player for player in (XENIA, YARA, ZOE) if player != world.on_turn("t1"))
            other = next(player for player in (XENIA, YARA, ZOE) if player not in (zoe, world.on_turn("t1")))
            for turn in range(2):
                if busy:
                    for _ in range(2 + turn):
                        world.write(other, "STATUS", world.last(other).reply_to)
                    world.write("stranger@elsewhere.example", "GAMES")
                world.write(zoe, "STATUS\nRECORD", world.last(zoe).reply_to, message_id=f"<{turn}@zoe.example>")
                world.write(world.on_turn("t1"), "ROLL OUT", world.last(world.on_turn("t1")).reply_to)
            letters = [
                mail for mail in world.all_mail() if mail.to == zoe and mail.kind in ("receipt", "report", "question")
            ]
            assert len({mail.message_id for mail in letters}) == len(letters) > 3
            shown.append([_without_marks(decoded(mail)) for mail in letters])
    assert differences(*shown) == []


def _without_marks(text: str) -> str:
    """Without what has no order: keyed digests, tokens, hashes."""
    text = re.sub(r"(\.t\d+\.[a-z-]+-)[a-z2-7]{24}(?=@|%40)", r"\1MARK", re.sub(r"\n\s(?=<)", " ", text))
    return re.sub(r"(\d+):[0-9a-f]{16}(?![0-9a-f])", r"\1:HASH", re.sub(r"\b[0-9a-f]{64}\b", "HASH", text))
