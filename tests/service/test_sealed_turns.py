"""Play this turn: the link in letters, and the turns of all seats that lie sealed beside the archive, of which it opens one."""

from __future__ import annotations

import base64
import gzip
import json
import os
import random
import re
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from referee.adapters.clock_and_secrets import encrypt
from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish
from referee.service.base.letter_facts import Drawer, OnFile
from referee.service.base.office import At
from referee.service.house.proofs import table_file, table_of
from referee.service.match.playing import BareHand
from referee.service.post import turn_link
from tests.sample import few
from tests.service.conftest import GINA, PLAYERS, begin
from tests.service.test_table_file import of_file
from tests.service.test_taps import sheet_of
from tests.world import Mail, World

HOME = "https://games.example/archive"
LINK = re.compile(
    rf"\| Play this turn: ({HOME}/(\w+)/table\.html#t=\2\.([a-z2-7]{{8}})\.(\d+)&k=([\w-]{{43}})(?:&u=\d+)?(?:&f=([\w-]+))?)\r?$",
    re.M,
)
FILE = re.compile(rb'sealedTurn\("([\w.]+)", "[0-9a-f]{16}", (\d+), "([\w+/=]+)"\);\n')


def online(world: World, home: str = HOME, **more: Any) -> World:
    """The same referee, with its archive on the web."""
    world.office = replace(world.office, site=home, encrypt=encrypt, **more)
    return world


def link_in(mail: Mail) -> re.Match[str]:
    """The link in a letter, once in its text and first of all buttons of its HTML."""
    (found,) = LINK.finditer(mail.text)
    if mail.html:
        assert re.findall(r'<a [^>]*href="([^"]*)"', mail.html)[0].replace("&amp;", "&") == found[1]
    return found


def filed_in(link: re.Match[str]) -> str:
    return zlib.decompress(_bytes(link[6]), -15).decode() if link[6] else ""


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Beside:
    """The folder of a match as a web server shows it."""

    def __init__(self, world: World, root: Path, match: str = "nw1") -> None:
        self._world, self._match, self.root = world, match, root
        self._site = Site(root)

    def published(self) -> dict[str, tuple[int, int]]:
        """What lies in turns/ after the pages were written again: names with sizes and times."""
        publish(self._world.office, self._site, self._match)
        found = (self.root / self._match / "turns").glob("*")
        return {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in found}

    def slots(self) -> list[bytes]:
        (path,) = (self.root / self._match / "turns").glob("*")
        found = FILE.fullmatch(path.read_bytes())
        assert found and found[1].decode() == f"{self._match}.{path.stem}"
        data, many = base64.b64decode(found[3]), int(found[2])
        return [data[at : at + len(data) // many] for at in range(0, len(data), len(data) // many)]

    def opened(self, link: re.Match[str], slot: int = -1) -> dict[str, Any]:
        """The table that a link opens. Raises InvalidTag where it opens none."""
        place = int(link[4]) if slot < 0 else slot
        sealed = self.slots()[place]
        plain = AESGCM(_bytes(link[5])).decrypt(sealed[:12], sealed[12:], f"{self._match}/{link[3]}/{place}".encode())
        table: dict[str, Any] = json.loads(gzip.decompress(plain[4 : 4 + int.from_bytes(plain[:4], "big")]))
        return table


@pytest.fixture
def beside(world: World, tmp_path: Path) -> Iterator[tuple[World, Beside]]:
    begin(online(world))
    yield world, Beside(world, tmp_path / "web")


def table_now(world: World, seat: str, match: str = "nw1") -> dict[str, Any]:
    """The table file of a seat as SEND table would bring it now."""
    player = world.player(seat, match)
    with world.store.look() as step:
        member = next(m for m in step.members(match) if m.seat == seat and m.status == "playing")
        who = step.player_at(player)
        assert who
        (file,) = table_file(table_of(BareHand(world.office, step, world.playing(match)), member, who))
    table: dict[str, Any] = json.loads(file.data)
    return table


# ---------------------------------------------------------------- the link


def test_every_letter_that_asks_for_something_leads_to_the_turn(beside: tuple[World, Beside]) -> None:
    world, _ = beside
    who = world.on_turn()
    links = [link_in(world.last(who, "started"))]
    links += [link_in(mail) for mail in world.wait(hours=20) if mail.to == who and mail.kind == "reminder"]
    links.append(link_in(world.reply(who, "COLONIZE any")[0]))
    assert len(links) == 3 and len({link.group(3, 4, 5) for link in links}) == 1
    assert [filed_in(link) for link in links] == ["", "", "COLONIZE any"]
    mails = world.reply(who, "ROLL OUT")
    nxt = world.on_turn()
    assert link_in(next(mail for mail in mails if mail.to == nxt and mail.kind == "report"))[3] != links[0][3]
    assert not [mail for mail in mails if mail.to != nxt and "Play this turn" in mail.text + mail.html], (
        "they owe nothing"
    )


def test_the_link_stands_before_a_yes_that_is_asked_for(beside: tuple[World, Beside]) -> None:
    world, _ = beside
    receipt, *_ = world.reply(world.on_turn(), "HIRRE 1 worker")
    assert "Reply with just YES" in receipt.flat and link_in(receipt)


def test_a_decision_in_the_middle_of_a_turn_has_a_link_of_its_own(world: World, tmp_path: Path) -> None:
    begin(online(world), "WITH mode two_step")
    beside, who = Beside(world, tmp_path / "web"), world.on_turn()
    first = link_in(world.last(who))
    beside.published()
    mails = world.reply(who, "HIRE 1 worker\nROLL OUT")
    second = link_in(next(mail for mail in mails if mail.kind == "question"))
    assert second[3] != first[3]
    assert [*beside.published()] == [f"{second[3]}.js"]
    assert beside.opened(second)["choices"]["questions"]


def test_what_is_too_long_for_a_link_is_not_in_it() -> None:
    """Lines that no press makes shorter."""
    lots = random.Random(1)
    lines = tuple(OnFile(f"MOVE {lots.getrandbits(200):x}", depth=1) for _ in range(40))
    assert turn_link.packed(Drawer("", lines)) == "-"
    found = turn_link.packed(Drawer("", lines[:10]))
    assert len(found) <= 1_200
    assert zlib.decompress(_bytes(found), -15).decode() == "\n".join(f"  {line.text}" for line in lines[:10])


def test_a_link_that_is_written_to_others_goes_without_its_key(beside: tuple[World, Beside]) -> None:
    world, _ = beside
    who = world.on_turn()
    link = link_in(world.reply(who, "COLONIZE any")[0])
    mails = world.reply(who, f"PRESS TO ALL\nLook: {link[1]} how do you like it?\nEND")
    others = [mail for mail in mails if mail.to != who]
    assert others and not any(link[5] in mail.text + mail.html or link[6] in mail.text for mail in others)
    assert any(f"#t=nw1.{link[3]}.{link[4]}&k=\u2026 how do" in mail.flat for mail in others)
    assert "It is a secret, and I took it out." in world.last(who, "receipt").flat


def test_set_page_no_leads_nowhere(beside: tuple[World, Beside]) -> None:
    world, _ = beside
    who = world.on_turn()
    answer, *_ = world.reply(who, "SET page no")
    assert "lead to no page any more" in answer.flat
    receipt, *_ = world.reply(who, "COLONIZE any")
    assert "Play this turn" not in receipt.text + receipt.html
    world.reply(who, "SET page yes")
    assert link_in(world.reply(who, "RESEARCH any")[0])


def test_send_table_has_the_link_and_the_file_also_for_who_owes_nothing(beside: tuple[World, Beside]) -> None:
    world, _ = beside
    for who in PLAYERS:
        receipt, *_ = world.reply(who, "SEND table")
        link, (_, table) = link_in_any(receipt), of_file(receipt)
        assert table["mark"] == link


def link_in_any(mail: Mail) -> str:
    found = re.search(r"\| Play this turn: \S+#t=nw1\.([a-z2-7]{8})\.", mail.text)
    assert found
    return found[1]


def test_where_no_archive_is_on_the_web_the_turn_goes_with_the_letter(world: World) -> None:
    def made(at: At, playing: Any, member: Any, player: Any) -> Any:
        return table_file(table_of(BareHand(at.office, at.step, playing), member, player))

    world.office = replace(world.office, table=made)
    begin(world)
    who = world.on_turn()
    started = world.last(who, "started")
    name, table = of_file(started)
    assert (
        table["duty"] == "orders"
        and f"Play this turn: {name} goes with this letter, and the page table.html" in started.flat
    )
    with pytest.raises(ValueError, match="unpack"):
        of_file(world.reply(who, "COLONIZE any")[0])  # a receipt asks for nothing new
    world.reply(who, "ROLL OUT")
    of_file(world.last(world.on_turn(), "report"))
    world.reply(world.on_turn(), "SET page no")
    for _ in range(4):
        world.reply(world.on_turn(), "ROLL OUT")
    assert "Play this turn" not in world.last(world.on_turn(), "report").text


# ---------------------------------------------------------------- what lies beside the archive


def test_each_seat_opens_its_own_turn_and_no_other(beside: tuple[World, Beside]) -> None:
    world, folder = beside
    folder.published()
    slots = folder.slots()
    assert len(slots) == len(PLAYERS) and len({len(slot) for slot in slots}) == 1
    seen = set()
    for who in PLAYERS:
        world.reply(who, "SEND table")
        link = link_in(world.last(who))
        table, seat = folder.opened(link), world.seat(who)
        assert table == {**table_now(world, seat), "written": table["written"]}
        for other in {*range(len(slots))} - {int(link[4])}:
            with pytest.raises(InvalidTag):
                folder.opened(link, other)
        seen.add(link[4])
    assert len(seen) == len(PLAYERS)


def test_the_press_of_a_seat_lies_sealed_with_its_turn_and_with_no_others(beside: tuple[World, Beside]) -> None:
    world, folder = beside
    writer, reader, *others = PLAYERS
    world.reply(writer, f"PRESS TO {world.seat(reader)}\nThe straits are yours for wood\nEND")
    folder.published()
    told = {}
    for who in PLAYERS:
        world.reply(who, "SEND table")
        told[who] = json.dumps(folder.opened(link_in(world.last(who))))
    assert "The straits are yours for wood" in told[reader]
    assert others and not [who for who in others if "The straits are yours" in told[who]]


def test_nothing_of_it_is_touched_when_somebody_files_and_it_holds_nothing_of_that(
    beside: tuple[World, Beside],
) -> None:
    world, folder = beside
    who = world.on_turn()
    before, link = folder.published(), link_in(world.last(who))
    was, bytes_before = folder.opened(link), folder.slots()
    for line in (
        "COLONIZE any",
        "RESEARCH any\nHIRE 1 worker",
        "STANDING\nRESEARCH any\nEND",
        "PRESS TO ALL\nHello\nEND",
    ):
        for player in PLAYERS:
            world.reply(player, line)
            assert folder.published() == before
    assert folder.slots() == bytes_before
    late = Beside(world, folder.root.with_name("late"))
    late.published()
    later = late.opened(link)
    assert later == {**was, "written": later["written"], "press": later["press"]}, "written late, it is what it was"
    assert was["on_file"] == [] and was["known"]["drawers"] == {} and was["duty"] == "orders"


def test_it_is_taken_away_when_the_turn_is_over(beside: tuple[World, Beside]) -> None:
    world, folder = beside
    marks = [link_in(world.last(world.on_turn()))[3]]
    assert [*folder.published()] == [f"{marks[0]}.js"]
    world.reply(world.on_turn(), "ROLL OUT")
    marks.append(link_in(world.last(world.on_turn()))[3])
    assert [*folder.published()] == [f"{marks[1]}.js"]
    told = json.loads((folder.root / "nw1" / "match.json").read_bytes())
    assert told["turn"] == marks[1] == table_now(world, world.waits_for())["mark"]
    world.reply(GINA, 'TERMINATE nw1 BECAUSE "enough"')
    assert folder.published() == {}
    assert json.loads((folder.root / "nw1" / "match.json").read_bytes())["turn"] == ""


def test_a_restart_gives_the_same_link_and_leaves_the_file(beside: tuple[World, Beside], tmp_path: Path) -> None:
    world, folder = beside
    who = world.on_turn()
    link, before = link_in(world.last(who)), folder.published()
    again = online(World(tmp_path, first=500))
    try:
        assert Beside(again, folder.root).published() == before
        again.new_mail()
        receipt, *_ = again.reply(who, "COLONIZE any")
        assert link_in(receipt).group(3, 4, 5) == link.group(3, 4, 5)
    finally:
        again.close()


def test_what_is_sealed_anew_and_reads_otherwise_has_another_number(beside: tuple[World, Beside]) -> None:
    """Under one key: else AES-GCM would betray what two texts have in common."""
    world, folder = beside
    numbers = list[list[bytes]]()
    for written in (0, 0, 1):
        world.clock.advance(timedelta(seconds=written))
        anew = Beside(world, folder.root.with_name(f"anew{len(numbers)}"))
        anew.published()
        numbers.append([slot[:12] for slot in anew.slots()])
    assert numbers[0] == numbers[1] and not {*numbers[0]} & {*numbers[2]} and len({*numbers[0]}) == len(PLAYERS)


def test_who_has_a_seat_no_more_opens_nothing_that_is_written_then(beside: tuple[World, Beside]) -> None:
    world, folder = beside
    who, seat = world.on_turn(), world.waits_for()
    old = link_in(world.last(who))
    folder.published()
    assert folder.opened(old)["seat"] == seat
    world.reply(GINA, f"REPLACE {seat} BY zoe@players.example")
    world.write("zoe@players.example", "YES", world.last("zoe@players.example").reply_to)
    folder.published()
    with pytest.raises(InvalidTag):
        folder.opened(old)
    new = link_in(world.last("zoe@players.example"))
    assert folder.opened(new)["seat"] == seat and new.group(3, 4) == old.group(3, 4)


class Fetcher:
    """Who fetches every file whenever the pages are written: what he sees of turns, their names apart, which tell nothing."""

    def __init__(self, folder: Beside) -> None:
        self._folder, self._known = folder, dict[str, tuple[int, int]]()

    def sees(self) -> list[tuple[int, bool]]:
        """The size of each file, and whether it is as it was."""
        now, was = self._folder.published(), self._known
        self._known = now
        return [(size, was.get(name) == (size, at)) for name, (size, at) in now.items()]


LONG = (
    "PRESS TO ALL\n"
    + " ".join(f"{random.Random(2).getrandbits(24_000):x}"[at : at + 60] for at in range(0, 6_000, 60))
    + "\nEND"
)
"""Press that cannot be pressed together."""

Letters: TypeAlias = Sequence[tuple[str | Callable[[World], str], Callable[[World], str]]]
"""Words, or what makes them of a world, and their writer."""

LETTERS: Letters = [
    (body, who)
    for body in (
        "COLONIZE any",
        "\n".join(["RESEARCH any", "HIRE 1 worker", "BUY 1 cloth"]),
        "IF LATE\nRESEARCH any\nEND",
        LONG,
    )
    for who in (World.on_turn, lambda world: next(player for player in PLAYERS if player != world.on_turn()))
]


@pytest.mark.parametrize("setting", ["", "WITH lateness hidden"])
def test_who_fetches_every_file_learns_nothing_but_that_a_turn_exists(
    world: World, tmp_path: Path, databases: Path, setting: str
) -> None:
    fetches_nothing(lambda each: begin(each, setting), LETTERS, world, tmp_path, databases)


@pytest.mark.parametrize("game", few(2, ["empire", "war27", "war17"]))
def test_who_fetches_every_file_of_another_game_learns_no_more(
    world: World, tmp_path: Path, databases: Path, game: str
) -> None:
    def begun(each: World) -> World:
        each.write(GINA, f"CREATE {game} AS nw1 WITH late auto")
        for player in PLAYERS[:2]:
            each.write(player, "JOIN nw1")
        each.reply(GINA, "START nw1", kind="receipt")
        return each

    def on_turn(each: World) -> str:
        return each.player(each.playing().outcome.open[0].seat)

    def proposed(each: World) -> str:
        mine = (mail for mail in reversed(each.all_mail()) if mail.to == on_turn(each) and "cut here" in mail.text)
        return "\n".join(sheet_of(next(mine)))

    letters: Letters = [(proposed, on_turn), (lambda each: f"IF LATE\n{proposed(each)}\nEND", on_turn), (LONG, on_turn)]
    fetches_nothing(begun, letters, world, tmp_path, databases)


def fetches_nothing(
    begun: Callable[[World], World],
    letters: Letters,
    world: World,
    tmp_path: Path,
    databases: Path,
) -> None:
    """Of two referees one gets letters that file, and both the same ones that end turns: number, sizes and times are the same."""
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(databases / "empty.sqlite", other / "referee.sqlite")
    silent = World(other)
    try:
        worlds = (begun(online(world)), begun(online(silent)))
        fetchers = [Fetcher(Beside(each, tmp_path / f"web{number}")) for number, each in enumerate(worlds)]
        for turn in range(2):
            for body, who in letters:
                writer = who(world)
                receipt, *_ = world.reply(writer, body if isinstance(body, str) else body(world))
                assert "NOTHING USABLE" not in receipt.subject
                assert fetchers[0].sees() == fetchers[1].sees(), (turn, body)
            for each in worlds:
                each.wait(hours=30)
    finally:
        silent.close()


def test_where_lateness_is_hidden_a_decision_in_mid_turn_changes_nothing_that_can_be_fetched(
    world: World, tmp_path: Path
) -> None:
    def made(at: At, playing: Any, member: Any, player: Any) -> Any:
        return table_file(table_of(BareHand(at.office, at.step, playing), member, player))

    begin(online(world, table=made), "WITH mode two_step, lateness hidden")
    beside, who = Beside(world, tmp_path / "web"), world.on_turn()
    before = beside.published()
    mails = world.reply(who, "HIRE 1 worker\nROLL OUT")
    question = next(mail for mail in mails if mail.kind == "question")
    assert beside.published() == before
    assert not LINK.search(question.text) and of_file(question)[1]["choices"]["questions"]


def test_the_folder_is_whole_whenever_its_writing_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever file is being written when the power goes, match.json and the turn beside it are of one moment."""
    site, opens = Site(tmp_path), os.open

    class Cut(Exception):
        pass

    def written(turn: str, over: str) -> None:
        pages = {"match.json": turn.encode(), f"turns/{turn}.js": b"sealed"}
        site.publish("nw1", pages, b"front", over=[f"turns/{over}.js"])

    written("a", "")
    for after in range(12):
        left = iter(range(after))

        def failing(*given: Any, left: Iterator[int] = left, **named: Any) -> int:
            if next(left, None) is None:
                raise Cut
            return opens(*given, **named)

        with monkeypatch.context() as patch:
            patch.setattr(os, "open", failing)
            with suppress(Cut):
                written("b", "a")
        told = (tmp_path / "nw1" / "match.json").read_text()
        assert [path.stem for path in (tmp_path / "nw1" / "turns").glob("*")] == [told]
    assert told == "b"
