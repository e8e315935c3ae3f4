"""`make pictures`: letters and pages as a telephone and a desk show them, as pictures in docs/pictures. Needs Chromium and npm.

The letters are real ones: of the kept games of tests/played, and of a match of New World between friends. So is the site.
"""

from __future__ import annotations

import io
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from PIL import Image

from referee.core.page import Drawing
from referee.games.newworld.drawing import chart
from referee.games.war.telling.drawing import chart as map_of_war
from tests.browser import Browser, browser
from tests.games.newworld.test_board import TURN, after
from tests.games.war27.driving import RED
from tests.games.war27.staging_map import MARCHES, fought
from tests.labels import page_of
from tests.played.playing import letters_of
from tests.site import small_site
from tests.steady import steady_dice
from tests.table.looks import looks
from tests.world import Mail, World, data_of

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
PLAYED = Path(__file__).parent / "played"
_PHONE, _DESK, _WIDE = 390, 800, 1_280
_TALLEST, _SCREEN = 1_700, 844
_MAP = "img[src^='data:image']"
_COLOURS = (256, 128, 64, 32, 16)
_MOST, _SMALL = 150_000, 100_000
"""So many bytes a picture may have: of a letter; of a map alone, or of the site."""


class Scene(msgspec.Struct, frozen=True):
    """A picture: its name, the letter it shows, how wide and how dark, what is to be seen on it; `begins`: where, as a selector."""

    name: str
    mail: Mail
    width: int
    dark: bool
    shows: str
    begins: str = ""
    tallest: int = _TALLEST

    @property
    def file(self) -> str:
        """The picture's name as a file."""
        return f"{self.name}-{self.width}-{'dark' if self.dark else 'light'}.png"


def friends(place: Path) -> dict[str, Mail]:
    """Letters of a match of New World: of the welcome, of a turn, of a decision, of press."""
    world = World(place, name="The Friday Club's referee", keeper="karl@club.example")
    gina, *players = [f"{name}@club.example" for name in ("gina", "anna", "ben", "carla")]
    world.write(gina, "CREATE newworld AS friday WITH mode two_step")
    for player in players[:2]:
        world.write(player, "JOIN friday")
    (welcome,) = [
        mail for mail in world.vouched("gerd@club.example", "Hello, what do you play here?", "Hello") if mail.html
    ]
    world.write(players[2], "JOIN friday")
    world.reply(gina, "START friday", kind="receipt")
    first = world.on_turn("friday")
    found = {"welcome": welcome, "started": world.last(first, "started")}
    mine, other = (world.seat(player, "friday") for player in (first, next(p for p in players if p != first)))
    world.reply(
        first,
        f"PRESS TO {other}\nThe Caribbean is wide enough for both of us.\nI take the tobacco, you the sugar?\nEND",
    )
    found["press"] = world.last(world.player(other, "friday"), "press")
    world.reply(first, "RESERCH any\nHIRE 1 worker")
    found["corrected"] = world.last(first, "receipt")
    world.reply(first, "RESEARCH any\nHIRE 1 worker\nCOLONIZE any")
    found["filed"] = world.last(first, "receipt")
    world.reply(first, "HIRE 1 worker\nROLL OUT")
    found["decision"] = world.last(first, "question")
    world.close()
    assert mine != other
    return found


def scenes(place: Path) -> Iterator[Scene]:
    """All pictures."""
    new = friends(_made(place / "friends"))
    yield Scene(
        "welcome",
        new["welcome"],
        _PHONE,
        False,
        "The answer to who asks what is played here, with what he can do next.",
    )
    yield Scene("begins", new["started"], _PHONE, True, "The first letter of a match of New World, to who is on turn.")
    yield Scene("filed", new["filed"], _PHONE, False, "A receipt: the orders stand, and ROLL OUT or WAIT is one tap.")
    yield Scene(
        "mended",
        new["corrected"],
        _PHONE,
        True,
        "A line that was not understood, and the YES that takes the correction.",
    )
    yield Scene(
        "decision", new["decision"], _PHONE, False, "A decision in the middle of a turn: each answer is a button."
    )
    yield Scene("press", new["press"], _PHONE, True, "Press from another seat, and how to answer it.")
    war = letters_of(PLAYED / "war27", _made(place / "war27"), drawn=True)
    yield Scene("turn", _owing(war), _PHONE, False, "The first screen of a report of War! 27.", tallest=_SCREEN)
    turn = _shortest(war)
    yield Scene("war27-turn", turn, _PHONE, True, "A report of War! 27: wide tables fold on a telephone.")
    yield Scene("war27-turn", turn, _DESK, False, "The same report on a desk, with its map.")
    yield Scene("war27-map", _latest(war), _PHONE, False, "A map of War! in a letter on a telephone: its halves.", _MAP)
    yield Scene(
        "war27-end",
        _of(war, "farewell")[0],
        _PHONE,
        False,
        "The end of a match: standings, the course of the points.",
    )
    older = letters_of(PLAYED / "war17", _made(place / "war17"), drawn=True)
    yield Scene("war17-sheet", _owing(older), _PHONE, False, "A sheet of War! 1.7 to fill in.")
    empire = letters_of(PLAYED / "empire", _made(place / "empire"), drawn=True)
    yield Scene("empire-turn", _owing(empire), _PHONE, False, "Empire: what is owed, and the proposed sheet.")
    yield Scene("empire-turn", _shortest(empire), _DESK, True, "A report of Empire on dark paper.")
    yield Scene(
        "empire-map", _latest(empire), _PHONE, True, "A map of Empire in a letter on a telephone: its halves.", _MAP
    )


class View(msgspec.Struct, frozen=True):
    """A page of the site: the picture's name, the page, how wide and how dark, how far down, and what is to be seen on it."""

    name: str
    page: str
    width: int
    dark: bool
    tallest: int
    shows: str

    @property
    def file(self) -> str:
        """The picture's name as a file."""
        return f"site-{self.name}-{self.width}-{'dark' if self.dark else 'light'}.png"


VIEWS = (
    View(
        "front",
        "index.html",
        _WIDE,
        False,
        1_000,
        "The front of the site: free seats, matches played now, finished ones.",
    ),
    View("front", "index.html", _PHONE, True, 1_500, "The same on a telephone."),
    View(
        "match",
        "war27/index.html",
        _WIDE,
        True,
        1_000,
        "A finished match: its map, turn by turn, standings, curve, honours.",
    ),
    View("match", "friday/index.html", _PHONE, False, 1_200, "A match of New World: whom it waits for and until when."),
    View("match", "empire/index.html", _WIDE, False, 1_000, "A finished match of Empire."),
    View(
        "match-war",
        "war27/index.html",
        _PHONE,
        False,
        1_200,
        "A map of War! on a telephone: it is moved under a finger.",
    ),
    View(
        "forming",
        "autumn/index.html",
        _PHONE,
        True,
        1_200,
        "A match that waits for players, with the words that join it.",
    ),
    View("players", "players.html", _PHONE, False, 600, "Everybody who has a page here."),
    View("report", "war27/turn-005-260.html", _PHONE, True, 1_200, "A report of War! on a telephone."),
    View("player", "p/3.html", _PHONE, False, 700, "What the site tells of a player."),
    View("game", "g/newworld.html", _WIDE, False, 900, "The page of a game."),
)


def seen(shown: Browser, root: Path, view: View) -> bytes:
    """A page of the site as PNG."""
    shown.visit((root / view.page).as_uri(), view.width, view.dark)
    return few_colours(shown.picture(view.width, view.tallest), _SMALL)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _of(mails: Sequence[Mail], kind: str) -> list[Mail]:
    return [mail for mail in mails if mail.kind == kind and mail.html]


def _reports(mails: Sequence[Mail]) -> list[Mail]:
    return _of(mails, "report")


def _shortest(mails: Sequence[Mail]) -> Mail:
    """The shortest report with a map: all of it can be seen."""
    return min((mail for mail in _reports(mails) if "cid:map" in mail.html), key=lambda mail: len(mail.text))


def _latest(mails: Sequence[Mail]) -> Mail:
    """The last report with a map."""
    return [mail for mail in _reports(mails) if "cid:map" in mail.html][-1]


def _owing(mails: Sequence[Mail]) -> Mail:
    """A report in the middle of the match whose reader owes a sheet."""
    asking = [mail for mail in _reports(mails) if "cut here" in mail.text]
    return asking[len(asking) // 2]


class Board(msgspec.Struct, frozen=True):
    """A picture of a map alone, as a page shows it."""

    name: str
    drawing: Drawing
    width: int
    dark: bool
    shows: str

    @property
    def file(self) -> str:
        """The picture's name as a file."""
        return f"{self.name}-{self.width}-{'dark' if self.dark else 'light'}.png"


def boards() -> Iterator[Board]:
    """The board of New World as wide as a telephone and the map of War! as wide as a letter, on paper of both kinds."""
    board = chart(after(), TURN)
    yield Board(
        "newworld-board", board, _PHONE, True, "The board of New World: cards, home sheets, and what a turn changed."
    )
    yield Board("newworld-board", board, _PHONE, False, "The same on light paper: a revolt and a battle in Canada.")
    war = map_of_war(fought(), RED, MARCHES)
    yield Board("war27-map", war, _DESK, False, "The map of War!: marches, a battle, a region won.")
    yield Board("war27-map", war, _DESK, True, "The same on dark paper.")


def board_drawn(shown: Browser, board: Board) -> bytes:
    """A map as PNG in few colours."""
    most = _SMALL if board.width == _PHONE else _MOST
    return few_colours(shown.shot(page_of(board.drawing), board.width, board.dark, _TALLEST), most)


def drawn(shown: Browser, scene: Scene) -> bytes:
    """A scene as PNG in few colours."""
    return few_colours(shown.shot(whole_page(scene.mail), scene.width, scene.dark, scene.tallest, scene.begins), _MOST)


def few_colours(shot: bytes, most: int) -> bytes:
    """A picture in as many colours as that leaves it so many bytes."""
    whole = Image.open(io.BytesIO(shot))
    for colours in _COLOURS:
        out = io.BytesIO()
        few = whole.convert("RGB").quantize(colours, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True)
        if out.tell() <= most:
            break
    return out.getvalue()


def whole_page(mail: Mail) -> str:
    """The HTML of a letter with its pictures in it."""
    page = mail.html
    for part in mail.message.walk():
        if name := str(part.get("Content-ID", "")).strip("<>"):
            data = f"data:{part.get_content_type()};base64,{b64encode(data_of(part)).decode()}"
            page = page.replace(f"cid:{name}", data)
    return page


def readme(every: Mapping[str, str]) -> str:
    """What each picture shows."""
    rows = "\n".join(f"| [{file}]({file}) | {shows} |" for file, shows in every.items())
    return (
        "# Letters and the site as they look\n\n"
        "Made by `make pictures` from letters and pages of real matches (`tests/pictures.py`), in Chromium as wide as a telephone\n"
        "(390) or a desk (800, of pages 1280), on light and dark paper; what is long is cut off below.\n\n"
        f"| picture | what it shows |\n|---|---|\n{rows}\n"
    )


def main(folder: Path) -> None:
    """Write all pictures and what they show."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    shows: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as place, browser() as shown:
        for scene in scenes(Path(place)):
            (folder / scene.file).write_bytes(drawn(shown, scene))
            shows[scene.file] = scene.shows
        for board in boards():
            (folder / board.file).write_bytes(board_drawn(shown, board))
            shows[board.file] = board.shows
        for look in looks(shown, _made(Path(place) / "table")):
            (folder / look.file).write_bytes(few_colours(look.png, _MOST))
            shows[look.file] = look.shows
        root = small_site(_made(Path(place) / "site"), ("war27", "empire"))
        for view in VIEWS:
            (folder / view.file).write_bytes(seen(shown, root, view))
            shows[view.file] = view.shows
    (folder / "README.md").write_text(readme(shows), "utf-8")


if __name__ == "__main__":
    steady_dice()  # as when the kept games were played
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
