"""Matches played in a browser by clicking alone: no line is typed, and the referee takes what the page wrote."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.browser import Browser
from tests.service.test_table_file import of_file, sent_to
from tests.table.clicking import Clicked, Player, served
from tests.table.test_other_programs import answer_to, begun
from tests.world import World


@dataclass
class Played:
    """What came of letters that were clicked: of how many lines the referee said what the page had said, and what was clicked."""

    letters: int = 0
    lines: int = 0
    foreseen: int = 0
    places: int = 0
    verbs: Counter[str] = field(default_factory=Counter)
    stuck: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def play(world: World, players: dict[str, str], player: Player, most: int = 0, turns: int = 0) -> Played:
    """Play until the match is over, so many letters were written or so many turns are played.

    Where a letter says what is on file already, the time passes after which that is played.
    """
    seen, before = Played(), ""
    while (open := world.playing("m1").outcome.open) and not (most and seen.letters >= most):
        if turns and turn_of(open[0].key) > turns:
            break
        who = players[open[0].seat]
        _, table = of_file(answer_to(world.write(who, "SEND table", world.last(who).reply_to), who))
        clicked = player.letter(table, 0 if table["duty"] == "on file" else 2)
        answer = answer_to(world.write(who, clicked.text, clicked.to, clicked.subject), who)
        note(seen, clicked, answer.text)
        if table["duty"] == "on file" and clicked.text == before:
            world.wait(hours=1)
        before = clicked.text
    return seen


def note(seen: Played, clicked: Clicked, answer: str) -> None:
    """Compare what the page said of each line with what the referee says."""
    refused = {int(number) for number in re.findall(r"^Line (\d+), ", answer, re.MULTILINE)}
    numbers = range(1, len(clicked.text.splitlines()) + 1)
    odd = [number for number in numbers if (number in refused) != (number in clicked.refused)]
    seen.letters += 1
    seen.lines += len(numbers)
    seen.foreseen += len(numbers) - len(odd)
    seen.places += clicked.places
    seen.verbs.update(clicked.verbs)
    seen.stuck += clicked.stuck
    told = f"{clicked.text}\n-- the page refused {sorted(clicked.refused)}\n{answer}"
    seen.odd += [told] if odd else []
    seen.refused += [told] if refused else []


def turn_of(key: str) -> int:
    """The turn that a question belongs to; 0 for the set-up."""
    found = re.match(r"T(\d+)", key)
    return int(found[1]) if found else 0


def as_foreseen(seen: Played) -> None:
    """At least 99 % of the lines were taken, or not, as the page had said; no order that was offered led nowhere."""
    assert seen.foreseen * 100 >= seen.lines * 99, seen.odd[:3]
    assert seen.stuck == []


def test_a_turn_is_played_by_clicking_alone(world: World, tmp_path: Path, chromium: Browser) -> None:
    """Without the rules beside the page: first taps are answered by the file."""
    players = begun(world, "newworld", "")
    with served(world, "m1", tmp_path / "web") as front:
        seen = play(world, players, Player(chromium, front, tmp_path, rules=False), most=4)
    assert seen.letters == 4 and seen.lines > 6 and seen.foreseen >= seen.lines - 3


def test_what_is_unfolded_off_the_map_stays_so_until_it_is_folded(
    world: World, tmp_path: Path, chromium: Browser
) -> None:
    players = begun(world, "war17", "")
    fold, folded = "#sheet details.more", "document.querySelector('#sheet details.more').open"
    with served(world, "m1", tmp_path / "web") as front:
        player = Player(chromium, front, tmp_path, rules=False)
        player.open(sent_to(world, next(iter(players.values()))))
        player.press("#tray-open")
        assert not chromium.ask(folded)
        player.press(f"{fold} summary")
        player.press(f"{fold} .deed")
        assert chromium.ask("tablePage.turn.lines.length") and chromium.ask(folded)
        chromium.ask("tablePage.sheet.close()")
        player.press("#tray-open")
        assert chromium.ask(folded)
        player.press(f"{fold} summary")
        player.press("#sheet .x")
        player.press("#tray-open")
        assert not chromium.ask(folded)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_the_first_minute_on_the_real_map(
    world: World, tmp_path: Path, chromium: Browser, engine: Path, game: str
) -> None:
    """A place is clicked where an order begins, then what is lit until there is a line; every place can be hit by a mouse."""
    players = begun(world, game, "")
    table = sent_to(world, players[world.playing("m1").outcome.open[0].seat])
    chromium.watch()
    with served(world, "m1", tmp_path / "web", engine) as front:
        player = Player(chromium, front, tmp_path, rules=True)
        player.open(table)
        starts = player.starts()
        assert set(starts) == set(chromium.ask("tablePage.turn.starts")) and starts
        assert player.hidden_places(starts) == []
        player.tap(starts[0])
        offered = [deed for deed in table["index"]["places"][starts[0]] if deed.get("rank")]
        shown = chromium.ask("[...document.querySelectorAll('#sheet .deed')].map((one) => one.dataset.title)")
        assert shown[0] == offered[0]["title"] and set(shown) <= {deed["title"] for deed in offered}
        again = f"tablePage.sheet.close(); tablePage.sheet.tapped({json.dumps(starts[0])})"
        chromium.ask(UNFOLDED % again)
        player.judged()
        assert complaints(chromium) == []


UNFOLDED = """new Promise((done) => {
  const fold = document.querySelector("#sheet details.more");
  fold.addEventListener("toggle", () => { %s; done(); }, { once: true });
  fold.open = true;
})"""
"""A place is unfolded, and what is done before the rules have said what lies in the fold."""


def complaints(chromium: Browser) -> list[str]:
    """What the browser says went wrong on the page, its own policy broken among it."""
    logged = [said["params"]["entry"] for said in chromium.told if said["method"] == "Log.entryAdded"]
    thrown = [str(said["params"]) for said in chromium.told if said["method"] == "Runtime.exceptionThrown"]
    return [entry["text"] for entry in logged if entry["level"] == "error"] + thrown


HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="document.title = 'taken'">
<style>path { fill: red } @import "http://evil.example/x.css";</style><script>document.title = "taken"</script>
<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject><a href="http://evil.example/"><path d="M0 0"/></a>
<path data-place="France" d="M0 0h4v4h-4z" onclick="document.title = 'taken'" style="fill: url(http://evil.example/)"/>
<path data-place="Atlantis" d="M5 5h4v4h-4z"/></svg>"""


def test_a_place_on_the_map_is_clicked_and_a_map_that_would_act_does_nothing(
    world: World, tmp_path: Path, chromium: Browser
) -> None:
    players = begun(world, "war27", "")
    table = sent_to(world, next(iter(players.values())))
    table["map"]["svg"] = HOSTILE
    with served(world, "m1", tmp_path / "web") as front:
        Player(chromium, front, tmp_path, rules=False).open(table)
        drawn = "document.getElementById('map').shadowRoot"
        assert (
            chromium.ask(
                f"{drawn}.querySelectorAll('script, foreignObject, a, b, style, [onclick], [onload], [style]').length"
            )
            == 0
        )
        france, atlantis = (f"{drawn}.querySelector('[data-place={place}]')" for place in ("France", "Atlantis"))
        assert (
            chromium.ask(f"[{france}.getAttribute('role'), {france}.ariaLabel, {france}.tabIndex].join()")
            == "button,France,0"
        )
        assert chromium.ask(f"{atlantis}.getAttribute('role')") is None
        chromium.ask(f"{france}.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', bubbles: true }}))")
        chromium.until("document.querySelector('#sheet .deed')")
        assert chromium.ask("document.querySelector('#sheet .deed').dataset.title") == "Start here"
        chromium.ask("document.querySelector('#sheet .deed').click()")
        chromium.until("tablePage.turn.text().includes('France')")
        assert chromium.ask("document.title") == f"{table['phase']} - m1"


@pytest.mark.slow
def test_rules_that_end_are_replaced_and_the_page_goes_on(
    match: World, tmp_path: Path, chromium: Browser, engine: Path
) -> None:
    who = match.on_turn()
    with served(match, "nw1", tmp_path / "web", engine) as front:
        player = Player(chromium, front, tmp_path, rules=True)
        player.letter(sent_to(match, who), 0)
        chromium.ask("delete document.body.dataset.engine, tablePage.turn.engine.end('ended')")
        chromium.until("document.body.dataset.engine === 'ready'")
        player.letter(sent_to(match, who), 1)
        clicked = player.letter(sent_to(match, who), 1)
    assert "ROLL OUT" in clicked.text.splitlines()[-1]


@pytest.mark.slow
def test_rules_that_fail_on_a_letter_say_so_and_the_page_goes_on(
    match: World, tmp_path: Path, chromium: Browser, engine: Path
) -> None:
    trouble = "document.getElementById('trouble')"
    with served(match, "nw1", tmp_path / "web", engine) as front:
        Player(chromium, front, tmp_path, rules=True).open(sent_to(match, match.on_turn()))
        chromium.until("document.body.dataset.weighed !== undefined")
        assert chromium.ask(f"{trouble}.hidden")
        chromium.ask("tablePage.turn.text = () => [7]; delete document.body.dataset.weighed; tablePage.turn.weigh()")
        chromium.until("document.body.dataset.weighed !== undefined")
        assert "failed on your letter. It can be sent all the same" in chromium.ask(f"{trouble}.textContent")
        chromium.ask("delete tablePage.turn.text; delete document.body.dataset.weighed; tablePage.turn.weigh()")
        chromium.until("document.body.dataset.weighed !== undefined")
        assert chromium.ask(f"{trouble}.hidden")


IMAGE = """new Promise((done) => {
  const asked = indexedDB.open("referee-rules", 1);
  asked.onsuccess = () => {
    const all = asked.result.transaction("image", "readwrite").objectStore("image");
    all.get("now").onsuccess = ({ target }) => {
      const kept = target.result;
      if (kept && %s) all.put({ of: kept.of, image: new ArrayBuffer(64) }, "now");
      done(kept ? kept.image.byteLength : 0);
    };
  };
})"""


@pytest.mark.slow
def test_rules_begin_again_from_an_image_and_a_spoilt_one_does_no_harm(
    match: World, tmp_path: Path, chromium: Browser, engine: Path
) -> None:
    table = sent_to(match, match.on_turn())
    with served(match, "nw1", tmp_path / "web", engine) as front:
        Player(chromium, front, tmp_path, rules=True).open(table)
        chromium.until("document.body.dataset.weighed !== undefined")
        chromium.ask(
            f"(async () => {{ while (!(await {IMAGE % 'false'})) await new Promise((on) => setTimeout(on, 200)) }})()"
        )
        for spoilt in (False, True):
            assert chromium.ask(IMAGE % str(spoilt).lower()) > 1_000_000
            player = Player(chromium, front, tmp_path, rules=True)
            player.open(table)
            assert player.clicked("COLONIZE").refused == frozenset()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_a_trial_is_played_on_taken_back_and_thrown_away(
    world: World, tmp_path: Path, chromium: Browser, engine: Path, game: str
) -> None:
    players = begun(world, game, "")
    table = sent_to(world, players[world.playing("m1").outcome.open[0].seat])
    shown = "[document.title, tablePage.turn.text()]"
    rested = "document.getElementById('desk').getAttribute('aria-busy') !== 'true' && document.body.dataset.weighed"
    fold = "tablePage.sheet.close(); delete document.body.dataset.weighed"
    log = world.entries("m1")
    with served(world, "m1", tmp_path / "web", engine) as front:
        player = Player(chromium, front, tmp_path, rules=True)
        player.letter(table, 1)
        before, kept = chromium.ask(shown), chromium.ask("JSON.stringify(localStorage)")
        for number in range(3):
            chromium.ask(f"{fold}; document.getElementById('trial').open = true")
            chromium.press(f"document.getElementById('{'play' if number else 'try'}')")
            chromium.until(rested)
            assert chromium.ask("document.getElementById('trial-trouble').hidden"), chromium.ask(shown)
            assert chromium.ask("document.getElementById('send').hidden && !document.getElementById('trying').hidden")
            assert chromium.ask("document.getElementById('take-back').disabled") is (number == 0)
            assert number == 0 or chromium.ask("document.getElementById('sheet').dataset.kind") == "story"
        for left in (1, 0):
            chromium.ask(fold)
            chromium.press("document.getElementById('take-back')")
            chromium.until(rested)
            assert chromium.ask("document.getElementById('take-back').disabled") is (left == 0)
        chromium.ask("tablePage.sheet.close()")
        chromium.press("document.getElementById('leave')")
        chromium.until("document.getElementById('trying').hidden")
        assert chromium.ask(shown) == before and not chromium.ask("document.getElementById('send').hidden")
        assert chromium.ask("JSON.stringify(localStorage)") == kept, "a trial is not kept in the browser"
        for button in ("try-all", "play"):
            chromium.ask(f"{fold}; document.getElementById('trial').open = true")
            chromium.press(f"document.getElementById('{button}')")
            chromium.until(rested)
        chromium.ask("delete document.body.dataset.engine, tablePage.turn.engine.end('ended')")
        assert chromium.ask("document.getElementById('trouble').textContent").startswith(
            "The rules ended, and the trial"
        )
        chromium.until("document.body.dataset.engine === 'ready'")
        assert chromium.ask(shown) == before, "rules that ended take the trial with them, and the match is shown"
    assert world.entries("m1") == log


@pytest.mark.slow
@pytest.mark.usefixtures("sealed_dice")
def test_the_page_steps_through_the_turns_and_checks_the_archive(
    world: World, tmp_path: Path, chromium: Browser
) -> None:
    begun(world, "newworld", "")
    for _ in range(2):
        world.reply(world.on_turn("m1"), "ROLL OUT")
    folder = tmp_path / "web"
    with served(world, "m1", folder) as front:
        chromium.visit(front.replace("index.html", "table.html"))
        chromium.ask("document.getElementById('archive').hidden = false")
        chromium.press("document.getElementById('look')")
        chromium.until("document.querySelector('#steps input') !== null")
        shown = chromium.ask("document.getElementById('board-turn').textContent")
        assert shown.startswith("Turn 2")
        drawn = "document.getElementById('board-map').decode().then(() => true)"
        assert chromium.ask(drawn)
        chromium.press("document.querySelector('#steps button')")
        assert chromium.ask("document.getElementById('board-turn').textContent").startswith("Turn 1")
        assert chromium.ask(drawn)
        chromium.press("document.getElementById('check')")
        chromium.until("document.getElementById('checks').children.length > 2")
        said = chromium.ask("document.getElementById('verdict').textContent")
        assert chromium.ask("document.getElementById('verdict').className") == "found good", said
        log = folder / "m1" / "log.jsonl"
        log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
        os.utime(log, (2e9, 2e9))  # a web space tells files apart by their second
        chromium.press("document.getElementById('check')")
        chromium.until("document.getElementById('verdict').textContent.startsWith('Nothing is proved')")
