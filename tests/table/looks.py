"""Pictures of the page on which one plays, for `make pictures`: positions that bots came to, with a few orders clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from referee.core.game import colours_of
from referee.core.names import Seat
from referee.core.question import Question
from referee.games import game_named
from tests.browser import Browser
from tests.contract.bots import GameRecord, play_bots
from tests.service.test_table_file import sent_to
from tests.table.build import build
from tests.table.clicking import Player, served
from tests.table.positions import table_at
from tests.table.test_other_programs import begun
from tests.world import World

_PHONE, _WIDE = 390, 1_280


class Look(NamedTuple):
    """A picture of the page: its file's name, the picture as PNG, what it shows."""

    file: str
    png: bytes
    shows: str


def looks(shown: Browser, place: Path) -> Iterator[Look]:
    """All pictures of the page."""
    build(place / "engine")
    world = World(place)
    who = next(iter(begun(world, "war27", "").values()))
    base = sent_to(world, who)
    with served(world, "m1", place / "web", place / "engine") as front:

        def look(name: str, table: dict[str, Any], width: int, dark: bool, shows: str, act: Act) -> Look:
            player = Player(shown, front, place, rules=True)
            shown.ask("localStorage.clear()")
            shown.visit(front.replace("index.html", "table.html"), width, dark)
            player.open(table)
            act(shown, player)
            shown.ask("document.activeElement.blur()")
            paper = "dark" if dark else "light"
            return Look(f"table-{name}-{width}-{paper}.png", shown.picture(width), shows)

        war, empire, new = (table_of(base, *position_of(game)) for game in ("war27", "empire", "newworld"))
        yield look(
            "war27",
            war,
            _WIDE,
            False,
            "The page on which one plays: War!, a place that was tapped, and where its pieces can go.",
            _march,
        )
        yield look(
            "war27", war, _PHONE, True, "The same on a telephone: the map, and what may be ordered there.", _place
        )
        yield look("empire", empire, _WIDE, True, "Empire's map, and a letter that the rules have read.", _letter)
        yield look(
            "newworld",
            new,
            _PHONE,
            False,
            "New World: a letter with a line that would be refused.",
            _refused,
        )
        yield look("trial", war, _WIDE, True, "A trial of that turn: what came of it, and the next letter.", _trial)
        yield look("trial", war, _PHONE, False, "The same on a telephone.", _trial)
    world.close()


Act = Callable[[Browser, Player], None]
"""What is done on the page before its picture is taken."""


_SHOWN = {"war27": (4, 40), "war17": (1, 20), "empire": (1, 24), "newworld": (1, 20)}
"""Of each game a seed, and which of the questions for moves is shown."""


def position_of(game: str) -> tuple[GameRecord, Question[Any], Any]:
    """A turn in the middle of a match that bots played."""
    found, (seed, at) = game_named(game), _SHOWN[game]
    record = play_bots(found, 4, {s.name: s.default for s in found.settings}, seed, 80)
    asked = [one for one in record.asked if one[0].wants_orders]
    moves = [one for one in asked if "MOVE" in one[0].menu.words()] or asked
    return record, *moves[min(at, len(moves) - 1)]


def table_of(base: dict[str, Any], record: GameRecord, question: Question[Any], state: Any) -> dict[str, Any]:
    """Its table, made from that of a match that a referee holds."""
    game = record.game
    colours, phase = colours_of(game), game.next_phase(state)
    told = {"game": game.name, "title": game.title, "owes": "", "at_deadline": "", "until": ""}
    table = table_at({**base, **told}, record, question, state)
    seats = [{**chair, "colour": colours.get(Seat(chair["seat"]), "")} for chair in table["seats"]]
    return {**table, "seats": seats, "phase": phase.title if phase else table["phase"]}


def _march(page: Browser, player: Player) -> None:
    player.clicked("MOVE")
    _begun(page, player)


def _place(page: Browser, player: Player) -> None:
    player.clear()
    _begun(page, player)


def _begun(page: Browser, player: Player) -> None:
    """A place is tapped at which one can go somewhere: its deeds, and where to."""
    for place in player.starts():
        page.ask("tablePage.sheet.close()")
        player.tap(place)
        if page.ask("document.querySelector('#sheet .aim')"):
            break


def _letter(page: Browser, player: Player) -> None:
    page.ask("tablePage.sheet.close(); document.getElementById('bar').click()")


def _refused(page: Browser, player: Player) -> None:
    page.ask("tablePage.turn.set(['RESERCH any', 'HIRE 1 worker'].map((line) => ({ line })))")
    player.judged()
    _letter(page, player)


def _trial(page: Browser, player: Player) -> None:
    for button in ("try", "play"):
        page.ask(f"document.getElementById('{button}').click()")
        page.until("document.getElementById('desk').getAttribute('aria-busy') !== 'true'")
    player.judged()
