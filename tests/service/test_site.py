"""The site tells everybody what everybody may know, and nobody more: pages of real matches, read as a stranger reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import cast
from urllib.parse import quote
from xml.etree import ElementTree

import msgspec
import pytest

from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish, publish_home
from referee.core.names import Role
from referee.core.position import knowledge
from referee.service.base import notes
from referee.service.base.office import At
from referee.service.base.ports import Step
from referee.service.house import match_pages as course
from referee.service.house.match_pages import CARD, Card, public_course, read_card
from referee.service.match import history as pasts
from referee.service.match.history import history
from referee.service.match.playing import remember, restored
from referee.service.turn.farewell import Course
from tests.conforming import Conforming, links
from tests.reading import Counting
from tests.service.conftest import ANNA, GINA, PLAYERS
from tests.world import ADDRESS, World

HOME = "https://club.example/m"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path, site=HOME)
    yield world
    world.close()


def opened(world: World, match: str, setting: str = "", game: str = "newworld") -> None:
    """A match of everybody, begun."""
    world.write(GINA, f"CREATE {game} AS {match} {setting and f'WITH {setting}'}")
    for player in PLAYERS:
        world.write(player, f"JOIN {match}")
    world.reply(GINA, f"START {match}", kind="receipt")


def published(world: World, folder: Path, *matches: str) -> dict[str, str]:
    """Every page of the site and every other text, by its path."""
    site = Site(folder / "www")
    for match in matches:
        publish(world.office, site, match)
    publish_home(world.office, site, matches)
    files = (path for path in site.root.rglob("*.*") if path.is_file())
    return {path.relative_to(site.root).as_posix(): path.read_text("utf-8") for path in files}


def card_of(pages: dict[str, str], match: str) -> Card:
    card = read_card(pages[f"{match}/{CARD}"].encode())
    assert card is not None
    return card


def names_of(world: World) -> list[str]:
    with world.store.look() as step:
        return [found.name for player in PLAYERS if (found := step.player_at(player))]


def test_every_page_of_a_house_is_conforming_and_leads_to_pages_that_exist(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    opened(world, "masked", "anonymous yes")
    world.write(GINA, "CREATE war27 AS later")
    world.wait(hours=25)
    pages = published(world, tmp_path, "open", "masked")
    kinds = {re.sub(r"\d+|open/|masked/", "", path) for path in pages}
    fronts = {"index.html", "ended.html", "players.html", "later/index.html"}
    assert {*fronts, "p/.html", "g/empire.html", "g/war-rules.html", "turn--.html"} <= kinds
    assert "table.html" in pages and "verify.html" not in pages, "it checks the match that lies beside it"
    for path, source in pages.items():
        if path.endswith(".html"):
            page = Conforming(source)
            assert page.faults == [], path
            for link in links(page):
                assert (tmp_path / "www" / path).parent.joinpath(link).is_file(), f"{path}: {link}"


def test_the_front_tells_whom_a_match_waits_for_until_when_and_where_seats_are_free(
    world: World, tmp_path: Path
) -> None:
    opened(world, "open")
    world.write(GINA, "CREATE newworld AS later")
    world.write(ANNA, "JOIN later")
    front = published(world, tmp_path, "open")["index.html"]
    assert world.waits_for("open") in front.partition("Awaited:")[2][:400]
    assert "Sun 22 Nov 2026, 12:00 UTC" in front and "Join later" in front
    assert re.search(r"\d of \d seats free", front)
    assert ADDRESS in front


def test_a_match_that_waits_for_players_has_a_page_with_the_words_that_join_it(world: World, tmp_path: Path) -> None:
    """When it begins, its own front stands in the same place."""
    world.write(GINA, "CREATE newworld AS later")
    world.write(f"Anna Bell <{ANNA}>", "JOIN later")
    page = published(world, tmp_path)["later/index.html"]
    assert Conforming(page).faults == [] and "1 of 6 seats taken" in page and "Anna Bell" in page
    for line in ("JOIN later", "JOIN later AS England", "OBSERVE later"):
        assert f'<pre class="quoted">{line}</pre>' in page
        assert f"mailto:{ADDRESS}?body={quote(line)}&amp;subject=later" in page
    for player in PLAYERS[1:]:
        world.write(player, "JOIN later")
    world.reply(GINA, "START later", kind="receipt")
    begun = published(world, tmp_path, "later")["later/index.html"]
    assert "Awaited:" in begun and "JOIN later" not in begun


def test_a_match_that_waits_for_players_tells_no_more_than_it_may(world: World, tmp_path: Path) -> None:
    world.write(GINA, "CREATE newworld AS cellar")
    world.reply(GINA, "LISTED no")
    world.write(GINA, "CREATE newworld AS masked WITH anonymous yes")
    world.write(f"Anna Bell <{ANNA}>", "JOIN masked")
    pages = published(world, tmp_path)
    assert "Anna Bell" not in pages["masked/index.html"] and "1 joined" in pages["masked/index.html"]
    assert "cellar" not in pages["index.html"] and "JOIN cellar" in pages["cellar/index.html"]


def test_a_match_that_was_called_off_says_so_where_its_page_was(world: World, tmp_path: Path) -> None:
    for match in ("later", "never"):
        world.write(GINA, f"CREATE newworld AS {match}")
    published(world, tmp_path)
    world.write(GINA, "CREATE newworld AS unseen")
    for match in ("never", "unseen"):
        world.reply(GINA, f"TERMINATE {match}", kind="receipt")
    pages = published(world, tmp_path)
    assert "was called off" in pages["never/index.html"] and "JOIN never" not in pages["never/index.html"]
    assert "JOIN later" in pages["later/index.html"] and "unseen/index.html" not in pages
    assert "never" not in pages["index.html"]


def test_the_list_of_players_has_everybody_who_has_a_page_and_nobody_else(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    world.reply(GINA, 'TERMINATE BECAUSE "enough"')
    opened(world, "masked", "anonymous yes")
    pages = published(world, tmp_path, "open", "masked")
    listed = links(Conforming(pages["players.html"])) & {path for path in pages if path.startswith("p/")}
    assert listed == {path for path in pages if path.startswith("p/")} and len(listed) == len(PLAYERS)
    rows = re.findall(r'html">([^<]+)</a></th><td class="right">(\d)</td><td class="right">(\d)', pages["players.html"])
    assert rows == [(name, "0", "1") for name in sorted(names_of(world), key=str.casefold)]
    assert f"All {len(PLAYERS)} players" in pages["index.html"]


def test_no_address_token_or_secret_is_on_any_page(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    opened(world, "masked", "anonymous yes")
    world.reply(ANNA, "DIARY\nI shall go south.\nEND")
    world.wait(hours=25)
    everything = "\n".join(published(world, tmp_path, "open", "masked").values())
    assert not re.search(r"[\w.+-]+@players\.example", everything)
    assert set(re.findall(r"[\w.+-]+@[\w.-]+", everything)) <= {ADDRESS}
    assert "I shall go south" not in everything
    with world.store.look() as step:
        rows = [row for name in ("open", "masked") if (row := step.match(name))]
        token_secret = notes.TOKEN_SECRET.of().read(step)
    for secret in (*(row.secret.hex() for row in rows), str(token_secret)):
        assert secret not in everything
    for mail in world.all_mail():
        assert mail.reply_to == ADDRESS or mail.reply_to.partition("@")[0] not in everything


def test_an_anonymous_match_names_nobody_and_makes_no_page_of_anybody_before_its_end(
    world: World, tmp_path: Path
) -> None:
    opened(world, "masked", "anonymous yes")
    names = names_of(world)
    pages = published(world, tmp_path, "masked")
    assert not [path for path in pages if path.startswith("p/")]
    everything = "\n".join(pages.values())
    assert [name for name in names if re.search(rf"\b{name}\b", everything)] == []
    assert {(seated.name, seated.player) for seated in card_of(pages, "masked").seats} == {("", 0)}
    world.reply(GINA, 'TERMINATE BECAUSE "enough"')
    pages = published(world, tmp_path, "masked")
    assert {seated.name for seated in card_of(pages, "masked").seats} == set(names)
    assert len([path for path in pages if path.startswith("p/")]) == len(names)
    assert "nobody won" in pages["masked/index.html"] and " won<" not in pages["index.html"]


def test_who_has_a_bot_play_for_him_is_told_with_his_name(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    player = world.on_turn("open")
    world.reply(player, "AUTOPLAY UNTIL 24 Nov")
    seat = world.seat(player, "open")
    (name,) = [each.name for each in card_of(published(world, tmp_path, "open"), "open").seats if each.seat == seat]
    assert name.endswith(" (steady bot until 24 Nov 2026)")


def test_an_unlisted_match_is_on_no_page_but_its_own(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    opened(world, "cellar")
    everywhere = published(world, tmp_path, "open", "cellar")
    assert any("cellar/index.html" in source for path, source in everywhere.items() if path.startswith("p/"))
    world.reply(GINA, "LISTED no")
    pages = published(world, tmp_path, "cellar")
    elsewhere = {path: source for path, source in pages.items() if not path.startswith("cellar/")}
    assert [path for path, source in elsewhere.items() if "cellar" in source and not path.startswith("open/")] == []
    assert {seated.player for seated in card_of(pages, "cellar").seats} == {0}


def test_a_match_that_hides_lateness_tells_neither_whose_time_runs_nor_until_when(world: World, tmp_path: Path) -> None:
    opened(world, "quiet", "lateness hidden")
    card = card_of(published(world, tmp_path, "quiet"), "quiet")
    assert card.awaited == msgspec.structs.replace(card.awaited, seats=(), until="")
    assert card.awaited.said == "Orders are awaited."


def test_how_reliably_somebody_plays_is_on_no_page_while_his_matches_are_played(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    world.wait(hours=25)
    pages = published(world, tmp_path, "open")
    assert card_of(pages, "open").records == {}
    assert not [path for path, source in pages.items() if path.startswith("p/") and "on time" in source]


def test_standings_are_those_of_what_an_observer_was_told(world: World, tmp_path: Path) -> None:
    opened(world, "open", "nationalities yes")
    world.wait(hours=25)
    playing = world.playing("open")
    created = playing.created
    known = knowledge(playing.game, created.seats, created.options, world.told(history, "open"), Role.OBSERVER)
    assert world.told(public_course, "open").tally == playing.game.score(known)


def test_the_course_is_the_same_whether_gone_on_with_or_read_from_the_beginning(world: World) -> None:
    opened(world, "open", "nationalities yes")

    def same() -> Course:
        gone_on = world.told(public_course, "open")
        course._KEPT.clear()
        pasts._PASTS.clear()
        assert gone_on == world.told(public_course, "open")
        return gone_on

    found = [same()]
    for _ in range(3):
        world.wait(hours=25)
        found.append(same())
    world.reply(GINA, "REWIND TO TURN 2")
    found.append(same())
    world.reply(GINA, "FORWARD")
    found.append(same())
    numbers = [len(each.moments) for each in found]
    assert numbers[:4] == sorted(set(numbers)) and numbers[4] < numbers[3] == numbers[5]


def test_of_a_course_that_is_kept_only_what_is_new_is_read(world: World) -> None:
    opened(world, "open", "nationalities yes")
    for _ in range(3):
        world.wait(hours=25)
    read: list[int] = []
    course._KEPT.clear()
    for _ in range(2):
        pasts._PASTS.clear()
        with world.store.look() as step:
            counting = Counting(step)
            public_course(cast(Step, counting), world.playing("open"))
            read.append(counting.read)
        world.wait(hours=25)
    assert 0 < read[1] < read[0]


def test_the_feed_moves_on_whatever_becomes_of_the_match_and_keeps_its_ids(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    world.wait(hours=25)
    last, seen = "", dict[str, tuple[str, str]]()

    def read() -> None:
        """The feed is later than before, and so is each entry that reads otherwise; no other is."""
        nonlocal last, seen
        pages = published(world, tmp_path, "open")
        feed = ElementTree.fromstring(pages["open/feed.atom"])
        title, updated = (f"{ATOM}{name}" for name in ("title", "updated"))
        entries = {
            e.findtext(f"{ATOM}id", ""): (e.findtext(title, ""), e.findtext(updated, ""))
            for e in feed.iter(f"{ATOM}entry")
        }
        assert last < feed.findtext(updated, "") == card_of(pages, "open").changed
        for id, (said, at) in seen.items():
            assert entries[id] == (said, at) or (entries[id][0] != said and entries[id][1] > at)
        last, seen = feed.findtext(updated, ""), entries

    read()
    for word in ("REWIND TO TURN 1", "FORWARD", "REWIND TO TURN 1"):
        world.clock.advance(timedelta(hours=1))
        world.reply(GINA, word)
        read()
    world.wait(hours=30)
    read()
    assert any("set aside" in title for title, _ in seen.values())
    world.clock.advance(timedelta(hours=1))
    with world.store.step() as step:
        remember(restored(At(world.office, step), world.playing("open"), "from a backup"))
    read()
    world.clock.leap(-timedelta(hours=20))
    world.reply(GINA, "REWIND TO TURN 1")
    assert card_of(published(world, tmp_path, "open"), "open").changed == last  # no earlier than it was


def test_only_what_changed_is_written(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    published(world, tmp_path, "open")
    root = tmp_path / "www"
    before = {path: path.stat().st_ino for path in root.rglob("*.*")}
    published(world, tmp_path, "open")
    assert {path: path.stat().st_ino for path in root.rglob("*.*")} == before
    world.wait(hours=25)
    published(world, tmp_path, "open")
    same = [path for path, number in before.items() if path.stat().st_ino == number]
    assert {root / "g" / "empire.html", root / "open" / "site.css"} <= set(same)
    assert not {root / "index.html", root / "open" / "index.html"} & set(same)


def test_every_letter_of_a_match_names_its_page_once_where_the_house_has_one(world: World, tmp_path: Path) -> None:
    opened(world, "open")
    world.reply(ANNA, "STATUS")
    world.wait(hours=25)
    letters = [mail for mail in world.all_mail() if mail.kind != "forming" and "this is match open" in mail.flat]
    assert {mail.kind for mail in letters} >= {"started", "report", "receipt"}
    for mail in letters:
        assert mail.text.splitlines().count(f"  | {HOME}/open/") == 1, mail.kind
        assert mail.html.count(f'href="{HOME}/open/"') == 1, mail.kind
