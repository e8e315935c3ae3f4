"""Two worlds that differ only in what nobody else may learn: all that the others read is the same, word for word.

Who was late, and how, where lateness is hidden; who plays which seat, where a match is anonymous. The script of a match
is lived through once in each world; then every letter to the others, every page of the archive, the public log and
what the command line prints for strangers are compared. Only hashes, which stand for what is withheld, may differ.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from referee.games import GAMES
from referee.service.archive import archive_of, verify_archive
from referee.service.outage import beat
from tests.service.conftest import GINA, OTTO, PLAYERS
from tests.toy import TOY
from tests.world import Mail, World

XENIA, YARA, ZOE = PLAYERS[:3]
"""Of these Xenia and Yara change places from one world to the other; Zoe and Otto, who watches, must not notice."""

ASKING = (
    "STATUS\nORDERS\nSEND report\nSEND sheets\nSEND history\nSEND log\nSEND press\nSEND standings\nSEND record\nGAMES"
)

Script = Callable[[World], None]


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
    text = re.sub(r"(\d+):[0-9a-f]{16}(?![0-9a-f])", r"\1:HASH" if counts else "HEAD", text)
    if not counts:
        text = re.sub(r"(?m)^SEQUENCE:\d+|(?<=<)[0-9a-z.+-]+(?=@games\.example>)|^Message-ID:.*(\n .*)*", "", text)
        text = re.sub(r"referee\+[a-z0-9.+=-]+(\n\s)?@games\.example", "TOKEN", text)
    return text


def decoded(mail: Mail) -> str:
    """All that a letter holds: its headers, and every part of it in clear."""
    parts = [f"{name}: {value}" for name, value in mail.message.items() if name != "Content-Type"]
    for part in mail.message.walk():
        content = part.get_payload(decode=True)
        parts.append(content.decode("utf-8", "replace") if isinstance(content, bytes) else "")
    return "\n".join(parts)


def letters_to(world: World, reader: str, counts: bool = True) -> list[str]:
    return [scrubbed(f"{mail.kind}\n{decoded(mail)}", counts) for mail in world.all_mail() if mail.to == reader]


def archive(world: World, counts: bool = True) -> dict[str, str]:
    """Every file of the archive; of the log what is left without hashes and the number of entries that are withheld."""
    with world.store.look() as step:
        row = step.match("t1")
        assert row is not None
        files, index = archive_of(world.office, step, row)
    shown = {name: content.decode() for name, content in {**files, "index.html": index}.items()}
    entries = [json.loads(line) for line in shown.pop("log.jsonl").splitlines()]
    for entry in entries:
        for name in ("previous", "digest", "hash", *(() if counts else ("seq",))):
            del entry[name]
    if not counts:
        entries = [entry for entry in entries if entry["payload"]]
        shown["match.json"] = re.sub(r'"entries": \d+', "", shown["match.json"])
        shown = {re.sub(r"-\d+(\.html|\.svg)$", r"\1", re.sub(r"-\d+-(\w+)", r"-\1", n)): c for n, c in shown.items()}
    shown["log.jsonl"] = "\n".join(json.dumps(entry) for entry in entries)
    cleaned = {name: re.sub(r"\b[0-9a-f]{64}\b", "HASH", scrubbed(text, counts)) for name, text in shown.items()}
    return cleaned if counts else {n: re.sub(r"(turn-\d+(-rewind-\d+)?)-\d+", r"\1", t) for n, t in cleaned.items()}


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
    (_, first), *others = worlds.items()
    for name, other in others:
        for reader in readers:
            mine, theirs = letters_to(first, reader, counts), letters_to(other, reader, counts)
            assert len(mine) > 5
            assert differences(mine, theirs) == [], (name, reader)
        pages, others_pages = archive(first, counts), archive(other, counts)
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
    assert any(mail.subject.endswith("you are late") for mail in world.all_mail() if mail.to == late)
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


def test_nobody_else_learns_who_was_late(tmp_path: Path, databases: Path) -> None:
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
                files, _ = archive_of(world.office, step, world.playing("t1").row)
            log = files["log.jsonl"].splitlines(keepends=True)
            whole, holed = b"".join(log), b"".join((*log[:9], *log[10:]))
            about = (dict(world.office.games), files["match.json"])
            assert verify_archive(*about, whole, files["reports.jsonl"]).sound
            assert not verify_archive(*about, holed, files["reports.jsonl"]).sound
            own = "\n".join(letters_to(world, late))
            assert f"{seat} is excused" in own and f"{seat} is rolled out" in own
