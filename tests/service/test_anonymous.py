"""An anonymous match played by letters: every letter, header and page of the archive is searched for who plays.

Names, addresses, hosts and zones of players are words that occur nowhere else, so that finding one is a leak. A letter
may tell its own reader of himself; the game master may be told everything.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games import GAMES
from referee.service.base.office import At
from referee.service.house.archive import archive_of
from tests.toy import TOY
from tests.world import Mail, World

GINA = "gina@masters.example"
OTTO = "otto@watchers.example"
PLAYERS = {
    "ignatz@nutmeg.example": ("Ignatz Ixworth", "Asia/Kathmandu"),
    "xenia@yarrow.example": ("Xenia Xylander", "Pacific/Chatham"),
    "zoltan@thimble.example": ("Zoltan Zweig", "America/St_Johns"),
}
ZONES = {"Asia/Kathmandu": "+0545", "Pacific/Chatham": "+1345", "America/St_Johns": "NST"}


def _tells(address: str) -> tuple[str, ...]:
    """Words that tell of one player and of nobody else."""
    name, zone = PLAYERS[address]
    return (*re.split(r"[@.]", address)[:2], *name.split(), zone, zone.rpartition("/")[2], ZONES[zone])


@pytest.fixture
def hidden(tmp_path: Path, databases: Path) -> Iterator[World]:
    """An anonymous match t1 of the toy game with hidden lateness, watched by Otto; Gina is game master."""
    shutil.copy(databases / "empty.sqlite", tmp_path / "referee.sqlite")
    world = World(tmp_path)
    object.__setattr__(world.office, "games", {**{game.name: game for game in GAMES}, "toy": TOY})
    setting = "anonymous yes, press grey, lateness hidden, grace 12h, bank 48h, absences 5 days"
    world.write(GINA, f"CREATE toy AS t1 WITH rounds 3, {setting}")
    for address, (name, zone) in PLAYERS.items():
        world.write(f"{name} <{address}>", "JOIN t1")
        world.reply(address, f"SET name {name}\nSET zone {zone}")
    world.write(OTTO, "OBSERVE t1")
    world.reply(GINA, "START t1", kind="receipt")
    for address, (name, zone) in PLAYERS.items():
        world.reply(address, f"SET name {name}\nSET zone {zone}")
    yield world
    world.close()


def decoded(mail: Mail) -> str:
    """All that a letter holds: its headers as they were sent, and every part of it in clear."""
    parts = [mail.raw.decode("utf-8", "replace")]
    parts += [f"{name}: {value}" for name, value in mail.message.items()]
    for part in mail.message.walk():
        content = part.get_payload(decode=True)
        parts.append(content.decode("utf-8", "replace") if isinstance(content, bytes) else "")
        parts += [str(value) for value in part.values()]
    return "\n".join(parts)


def leaks(text: str, of: list[str]) -> list[str]:
    return [
        word for address in of for word in _tells(address) if re.search(rf"(?i)(?<!\w){re.escape(word)}(?!\w)", text)
    ]


def archive(world: World) -> dict[str, bytes]:
    with world.store.look() as step:
        row = step.match("t1")
        assert row is not None
        files, index, *_ = archive_of(At(world.office, step), row)
    return {**files, "index.html": index}


def found(world: World) -> list[str]:
    """Every leak so far: where, and which word."""
    said: list[str] = []
    for mail in world.all_mail():
        if mail.to != GINA:
            others = [address for address in PLAYERS if address != mail.to]
            said += [f"{mail.kind} to {mail.to} ({mail.subject}): {word}" for word in leaks(decoded(mail), others)]
    for name, content in archive(world).items():
        said += [f"{name}: {word}" for word in leaks(content.decode(), list(PLAYERS))]
    return said


def _play(world: World) -> None:
    """All that players and the game master can do in a match, in two rounds."""
    ignatz, xenia, zoltan = PLAYERS
    seat = {address: world.seat(address, "t1") for address in PLAYERS}
    world.reply(ignatz, f"BID 2 coins\nPRESS TO {seat[xenia]}\nLet us share.\nEND\nDIARY\nI trust nobody.\nEND")
    world.reply(xenia, f"PRESS GREY TO {seat[ignatz]}, {seat[zoltan]}\nGuess who.\nEND\nBROADCAST\nHail.\nEND")
    world.reply(zoltan, f"OFFER TO {seat[ignatz]}\nPeace for two rounds.\nEND\nBROADCAST GREY\nHum.\nEND")
    world.reply(
        ignatz, "ACCEPT 1\nSTATUS\nORDERS\nSEND press\nSEND diary\nSEND treaties\nSEND history\nSEND log\nGAMES"
    )
    world.reply(xenia, "EXTEND 6h\nSTATUS\nHELP\nVERIFY")
    world.reply(zoltan, "ABSENCE FROM 2026-12-01 TO 2026-12-03\nSTATUS")
    world.reply(zoltan, "ABSENCE FROM 2026-12-10 TO 2026-12-30")
    world.reply(GINA, f"APPROVE ABSENCE {seat[zoltan]}")
    world.reply(ignatz, "VOTE PAUSE FOR 2 days")
    world.reply(zoltan, "VOTE yes ON 1")
    world.reply(xenia, "VOTE RESUME")
    world.reply(ignatz, "VOTE RESUME\nSTATUS")
    world.reply(OTTO, "STATUS\nSEND press\nSEND report\nSEND sheets\nSEND history\nSEND log\nGAMES")
    world.write("stranger@elsewhere.example", "GAMES\nVERIFY\nSEND history OF t1\nSEND report OF t1")
    world.reply(GINA, f'DEADLINE +6h FOR {seat[xenia]} BECAUSE "travelling"\nANNOUNCE "Be kind."\nRULING "So be it."')
    for _ in range(4):
        world.wait(hours=10)
    world.reply(zoltan, "BID 1 coins\nROLL OUT")
    world.wait(days=4)
    world.reply(xenia, 'RESIGN BECAUSE "no time"')
    world.wait(days=2)
    world.reply(GINA, f"EXCUSE {seat[xenia]}\nREWIND TO TURN 1")
    world.wait(days=2)


def test_nobody_learns_who_plays_before_the_end(hidden: World) -> None:
    _play(hidden)
    assert hidden.status("t1") == "running"
    kinds = {mail.kind for mail in hidden.all_mail()}
    assert kinds >= {"receipt", "report", "started", "notice", "press", "reminder"}
    assert found(hidden) == []


def test_the_search_finds_what_there_is_to_find(hidden: World) -> None:
    """The same words are found in letters to the game master, who may know, and in each player's own."""
    _play(hidden)
    masters = "\n".join(decoded(mail) for mail in hidden.all_mail() if mail.to == GINA)
    assert {"Ignatz", "Xenia", "Zoltan"} <= set(leaks(masters, list(PLAYERS)))
    own = "\n".join(decoded(mail) for mail in hidden.all_mail() if mail.to in PLAYERS)
    for address, (_, zone) in PLAYERS.items():
        assert {ZONES[zone], address.partition("@")[0]} <= set(leaks(own, [address])), address


def test_names_are_told_at_the_end(hidden: World) -> None:
    seats = {address: hidden.seat(address, "t1") for address in PLAYERS}
    for _ in range(3):
        hidden.wait(days=4)
    assert hidden.status("t1") == "over"
    farewell = hidden.last(OTTO, "farewell").flat
    page = archive(hidden)["players.html"].decode()
    for address, (name, _) in PLAYERS.items():
        assert re.search(rf"{seats[address]}\W+{name}", farewell), name
        assert name in page and address not in page


def test_names_are_told_when_the_match_is_terminated(hidden: World) -> None:
    seats = {address: hidden.seat(address, "t1") for address in PLAYERS}
    hidden.reply(GINA, "TERMINATE")
    for address, (name, _) in PLAYERS.items():
        assert re.search(rf"{seats[address]}\W+{name}", hidden.last(OTTO, "farewell").flat), name


def test_a_new_player_of_a_seat_is_not_named(hidden: World) -> None:
    ignatz = next(iter(PLAYERS))
    hidden.reply(GINA, f"REPLACE {hidden.seat(ignatz, 't1')} BY nadja@newcomers.example")
    others = [mail for mail in hidden.all_mail() if mail.to not in (GINA, "nadja@newcomers.example")]
    assert not [mail.subject for mail in others if re.search(r"(?i)nadja|newcomers", decoded(mail))]
    assert found(hidden) == []


def test_a_second_key_does_not_name_the_new_player(hidden: World) -> None:
    """A game master who plays himself needs the others' leave to replace somebody; they are not told by whom."""
    ignatz, xenia, zoltan = PLAYERS
    seat = hidden.seat(ignatz, "t1")
    hidden.reply(GINA, f"REPLACE {hidden.seat(zoltan, 't1')} BY {GINA}")
    hidden.reply(GINA, f"REPLACE {seat} BY nadja@newcomers.example")
    assert "REPLACE" in hidden.last(xenia, "notice").text
    hidden.reply(xenia, "CONFIRM 1")
    hidden.reply(ignatz, "CONFIRM 1")
    assert hidden.player(seat, "t1") == "nadja@newcomers.example"
    others = [mail for mail in hidden.all_mail() if mail.to not in (GINA, "nadja@newcomers.example")]
    assert not [mail.subject for mail in others if re.search(r"(?i)nadja|newcomers", decoded(mail))]
    assert not re.search(rb"(?i)nadja|newcomers", b"".join(archive(hidden).values()))


@pytest.mark.parametrize("text", ["Yours, Ignatz Ixworth", "Write to IGNATZ@nutmeg.example."])
def test_press_with_its_writers_name_is_not_relayed(hidden: World, text: str) -> None:
    ignatz = next(iter(PLAYERS))
    mails = hidden.reply(ignatz, f"BROADCAST\n{text}\nEND")
    assert [mail.to for mail in mails] == [ignatz]
    assert "This match is anonymous" in mails[0].flat
    assert found(hidden) == []


def test_guessing_another_players_name_tells_nothing(hidden: World) -> None:
    """Press that names somebody else is relayed whether the guess is right or wrong."""
    ignatz = next(iter(PLAYERS))
    sent = [hidden.reply(ignatz, f"PRESS TO game master\nIs it {name}?\nEND") for name in ("Xenia Xylander", "Ivo")]
    assert [[mail.kind for mail in mails] for mails in sent] == [["press", "receipt"], ["press", "receipt"]]


def test_the_game_master_cannot_name_a_player_by_mistake(hidden: World) -> None:
    mails = hidden.reply(GINA, 'BROADCAST\nXenia Xylander is late again.\nEND\nANNOUNCE "Write to Zoltan Zweig."')
    assert {mail.to for mail in mails} == {GINA}
    assert found(hidden) == []


def test_anonymity_cannot_be_lifted_in_the_middle(hidden: World) -> None:
    mails = hidden.reply(GINA, "CLOCK anonymous no")
    assert any("settled when it is created" in mail.flat for mail in mails)
    assert hidden.playing("t1").settings.manners.anonymous


def test_lateness_is_told_to_nobody_else(hidden: World) -> None:
    """Two of three play, the third is late, has grace and lets it pass: the other two never learn which it was."""
    ignatz, xenia, zoltan = PLAYERS
    late = hidden.seat(zoltan, "t1")
    for player in (ignatz, xenia):
        hidden.reply(player, "BID 0 coins")
    hidden.new_mail()
    mails = [
        *hidden.wait(hours=25),
        *hidden.reply(ignatz, "STATUS"),
        *hidden.reply(OTTO, "STATUS"),
        *hidden.wait(hours=13),
    ]
    told = [mail for mail in mails if mail.to in (ignatz, xenia, OTTO)]
    assert told
    pattern = rf"(?i){late}[^.]*\b(late|grace|overdue|has until|deadline)\b|wait for {late}|{late}, the whole turn"
    assert [(m.subject, s) for m in told for s in re.findall(pattern, m.flat)] == []
    assert not re.search(rf"(?i){late}[^.]*\blate\b", b"".join(archive(hidden).values()).decode())


def test_the_public_log_tells_of_no_mail_server(hidden: World) -> None:
    ignatz = next(iter(PLAYERS))
    hidden.reply(ignatz, "BID 2 coins")
    shown = [json.loads(line)["cause"] for line in archive(hidden)["log.jsonl"].splitlines()]
    assert set(shown) == {None}  # a cause names deadlines and letters, and lateness is hidden until the end
    causes = [entry.cause for entry in hidden.entries("t1")]
    assert any(cause.startswith("letter with the SHA-256") for cause in causes)
    assert not leaks("\n".join(causes), list(PLAYERS))
