"""How soon the page shows a table, has its rules, and answers a click: python -m tests.table.speed. Needs Chromium, npm and pip.

With the word `sizes`, and without all of these: how large a publication of Empire's largest board is, and a table file of it.
With the word `steady`, and without a browser: how long a steady sheet takes in the page's Python, run by Node.

Processor time is that of all of the browser's processes, for a machine on which others work; what it took on the wall hangs on
them. The largest board is Empire's, played on by bots.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish
from referee.games import GAMES
from tests.browser import Browser, browser
from tests.contract.bots import GameRecord, play_bots
from tests.service.conftest import GINA
from tests.service.test_map import files
from tests.service.test_table_file import sent_to
from tests.table.build import build, fetched
from tests.table.clicking import Player, served
from tests.table.positions import table_at
from tests.table.test_other_programs import begun
from tests.verify.node import node
from tests.world import World

_OPTIONS = {"board": "large", "last_turn": "8", "start": "armed", "goods": "rich"}
_TICK = 1000 // os.sysconf("SC_CLK_TCK")
_CLICKS = 120
_PAINTED = "performance.getEntriesByName('first-contentful-paint')"
_ANSWERED = """new Promise((done) => {
  const busy = () => document.getElementById('desk').getAttribute('aria-busy') === 'true';
  const begun = performance.now();
  %s;
  const look = () => (busy() ? setTimeout(look, 1) : done(performance.now() - begun));
  requestAnimationFrame(look);
})"""

_IMAGE_KEPT = """(async () => {
  const kept = () => new Promise((done) => {
    const asked = indexedDB.open("referee-rules", 1);
    asked.onsuccess = () => {
      const found = asked.result.transaction("image").objectStore("image").count();
      found.onsuccess = () => (asked.result.close(), done(found.result));
    };
  });
  while (!(await kept())) await new Promise((on) => setTimeout(on, 200));
})()"""


_STEADY = """
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
const [pyodide, engine] = process.argv.slice(-2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ env: { HOME: "/home", RAPIDFUZZ_IMPLEMENTATION: "python" } });
python.globals.set("pack", new Uint8Array(gunzipSync(readFileSync(`${engine}/engine.pack`))));
python.runPython(readFileSync(`${engine}/start.py`, "utf-8"));
python.runPython(`
from js import process
from referee.core.chance import Keyed, commitment
from referee.core.position import completed
from referee.core.record import Created
from referee.games import BY_NAME
from referee.kit.alone import Bare
from referee.kit.opponents import answer_of

def used():
    spent = process.cpuUsage()
    return (spent.user + spent.system) / 1000

for game in BY_NAME.values():
    options, secret, taken = {setting.name: setting.default for setting in game.settings}, b"steady", []
    seats = game.seat_players(((),) * 4, options, Keyed(secret))
    match = Bare(game, completed(game, Created(game.name, seats, options, commitment(secret))), Keyed(secret))
    while match.open and len(taken) < 200:
        question, begun = match.open[0], used()
        sheet = answer_of("steady", game, match.state, question, lambda _: 0)
        if question.wants_orders:
            taken.append(used() - begun)
        match.answer(question, sheet)
    taken.sort()
    print(f"{game.name}: {len(taken)} steady sheets, median {taken[len(taken) // 2]:.0f} ms, at most {taken[-1]:.0f}")
`);
"""


def processor(root: int) -> int:
    """Milliseconds that a process and all it started have used."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = (int(fields[11]) + int(fields[12])) * _TICK
    below = {root}
    while more := {one for one, parent in parents.items() if parent in below} - below:
        below |= more
    return sum(used.get(one, 0) for one in below)


def starts(page: str, file: Path, times: int) -> None:
    """The page is opened anew, and the file chosen, in a browser that has never seen it, in one that has, and from the image."""
    for _ in range(times):
        with browser() as shown:
            for kind in ("first visit", "again", "from the image"):
                if kind == "from the image":
                    shown.ask(_IMAGE_KEPT)
                before = processor(shown.process)
                shown.visit(page)
                shown.ask("localStorage.clear()")
                shown.until(f"{_PAINTED}.length")
                painted = shown.ask(f"{_PAINTED}[0].startTime")
                chosen = shown.ask("performance.now()")
                shown.choose_file("#file", file)
                shown.until("!document.getElementById('desk').hidden")
                table = shown.ask("performance.now()") - chosen
                shown.until("document.body.dataset.engine === 'ready'")
                ready = shown.ask("performance.now()")
                used = processor(shown.process) - before
                print(
                    f"{kind}: first picture {painted:.0f} ms, the table {table:.0f} ms after its file, "
                    f"rules ready {ready:.0f} ms after the page began, processor {used} ms"
                )


def largest() -> tuple[GameRecord, Any]:
    """A game of Empire on the largest board, and its last question for orders."""
    empire = next(game for game in GAMES if game.name == "empire")
    record = play_bots(empire, 8, {s.name: s.default for s in empire.settings} | _OPTIONS, 2, 60)
    return record, next(asked for asked in reversed(record.asked) if asked[0].wants_orders)


def clicks(shown: Browser, player: Player, table: dict[str, Any]) -> list[float]:
    """Milliseconds from a tap to its answer: places tapped, deeds taken, lines written."""
    player.open(table)
    found = list[float]()
    places = player.starts()
    for number in range(_CLICKS // 2):
        place = json.dumps(places[number % len(places)])
        found.append(shown.ask(_ANSWERED % f"tablePage.sheet.close(); tablePage.sheet.tapped({place})"))
        found.append(
            shown.ask(_ANSWERED % "(document.querySelector('#sheet .aim, #sheet .deed') || document.body).click()")
        )
    return found


def told(name: str, found: Sequence[float]) -> None:
    """A line of figures."""
    ranked = sorted(found)
    high = ranked[int(len(ranked) * 0.95)]
    middle = statistics.median(found)
    print(
        f"{name}: {len(found)} clicks, median {middle:.0f} ms, 95 in 100 within {high:.0f} ms, at most {ranked[-1]:.0f}"
    )


_TURNS = (9, 33)


def sizes(folder: Path) -> None:
    """The bytes of what is published after so many turns of eight players who send the sheets of their letters, and of a file."""
    world, names = World(folder), [f"p{number}@players.example" for number in range(8)]
    options = _OPTIONS | {"last_turn": "20"}
    world.write(GINA, f"CREATE empire AS m1 WITH {', '.join(f'{name} {value}' for name, value in options.items())}")
    for name in names:
        world.write(name, "JOIN m1")
    world.reply(GINA, "START m1", kind="receipt")
    players = {world.seat(name, "m1"): name for name in names}
    for turns in _TURNS:
        while (playing := world.playing("m1")).turn <= turns:
            seat = playing.outcome.open[0].seat
            form = playing.game.order_form(playing.outcome.state, seat)
            lines = [line for line in form if line.strip() and not line.startswith("#")]
            world.write(players[seat], "\n".join((*lines, "ROLL OUT")), world.last(players[seat]).reply_to)
        publish(world.office, Site(folder / "web"), "m1")
        found = Counter[str]()
        for path in (folder / "web" / "m1").rglob("*"):
            found[path.suffix] += path.stat().st_size if path.is_file() else 0
        who = players[world.playing("m1").outcome.open[0].seat]
        receipt, *_ = world.reply(who, "SEND table")
        (file,) = [data for name, (_, data) in files(receipt).items() if name.endswith(".table.json")]
        print(
            f"{turns} turns: {found.total():,} bytes published, {dict(found.most_common(5))}; table file {len(file):,}"
        )
    world.close()


def steady(engine: Path) -> None:
    """Milliseconds of the processor for a steady sheet in matches of four, compiling and memory included."""
    build(engine)
    command = [node(), "--input-type=module", "-e", _STEADY, "--", str(fetched()[0]), str(engine)]
    subprocess.run(command, check=True)


def main() -> None:
    """Print all figures."""
    if "steady" in sys.argv:
        with tempfile.TemporaryDirectory() as place:
            return steady(Path(place))
    if "sizes" in sys.argv:
        with tempfile.TemporaryDirectory() as place:
            return sizes(Path(place))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        build(folder / "engine")
        world = World(folder)
        table = sent_to(world, next(iter(begun(world, "empire", "").values())))
        file = folder / "now.json"
        file.write_text(json.dumps(table), "utf-8")
        with served(world, "m1", folder / "web", folder / "engine") as front:
            starts(front.replace("index.html", "table.html"), file, 3)
            record, (question, state) = largest()
            print(f"largest board: {len(state.board.squares)} squares, {len(state.units)} units")
            with browser() as shown:
                player = Player(shown, front, folder, rules=True)
                told("Empire", clicks(shown, player, table_at(table, record, question, state)))
        world.close()


if __name__ == "__main__":
    main()
