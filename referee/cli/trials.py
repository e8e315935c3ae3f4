"""referee play, demo, lesson, bench, ladder, simulate, examine: trying and measuring, and a look over what one has made."""

from __future__ import annotations

import http.server
import tempfile
import webbrowser
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from referee.adapters.pages.archive_folder import ENGINE, Site
from referee.adapters.pages.picture import png
from referee.adapters.pages.render import TemplateRenderer, engine_folder
from referee.bootstrap.offices import opened
from referee.cli.dialogue import Json, Match, Settings, fail, say_json, say_path, settings_of
from referee.core.game import colours_of
from referee.core.names import Seat
from referee.games import GAMES
from referee.games.empire.boards.draft import read_draft
from referee.games.empire.boards.survey import examine
from referee.games.empire.position import Board
from referee.games.empire.position.state import first_position
from referee.games.empire.telling.drawing import chart
from referee.kit.game import BaseGame
from referee.kit.wording import counted
from referee.service.intake import lessons
from referee.service.match.history import past
from referee.service.match.playing import load
from referee.service.match.result import Denial

# ---------------------------------------------------------------- referee play


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Files for one browser, of whose requests nobody need hear."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _served(port: int, handler: partial[_Quiet]) -> http.server.ThreadingHTTPServer:
    """A server of this machine alone, at this port or else at any that is free."""
    try:
        return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        return http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)


def play(
    game: Annotated[str, typer.Argument(help="newworld, war27, war17 or empire.")] = "newworld",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where the page is; 0 takes any port that is free.")
    ] = 4280,
    open_it: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
) -> None:
    """Play a match against bots, or with friends at one screen, in the browser of this machine. Ends on Ctrl-C.

    The browser keeps a match by the address of its page, so the port is the same each time unless another program has it.
    """
    if game not in (known := [one.name for one in GAMES]):
        fail(f"There is no game {game}; there are {', '.join(known)}.")
    engine = engine_folder()
    if not engine.joinpath(ENGINE).is_file():
        fail(
            "The rules for the browser are not beside the templates: run make play in a checkout, which puts them there."
        )
    with tempfile.TemporaryDirectory(prefix="referee-play-") as folder:
        renderer, site = TemplateRenderer(colours={one.title: colours_of(one) for one in GAMES}), Site(Path(folder))
        site.publish_home({**renderer.dress(), **renderer.table()})
        site.lay_engine(engine)
        handler = partial(_Quiet, directory=folder)
        with _served(port, handler) as server:
            address = f"http://127.0.0.1:{server.server_port}/table.html#play={game}"
            say_path(address)
            typer.echo("The page works until you end this with Ctrl-C.")
            if open_it:
                webbrowser.open(address)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                typer.echo("")


# ---------------------------------------------------------------- referee demo, bench, ladder, simulate


def demo(
    game: Annotated[
        str, typer.Argument(help="newworld, war27, war17 or empire; in a checkout empire-war, too.")
    ] = "newworld",
    keep: Annotated[Path | None, typer.Option(help="Keep everything in this folder.")] = None,
    choices: Annotated[
        bool, typer.Option("--choices", help="Players who know nothing of the game choose from SEND choices AS json.")
    ] = False,
) -> None:
    """Play a whole match by real e-mail on this machine; in a checkout of the source with everything that can happen on the way."""
    from referee.cli.program import main
    from referee.demo import play

    raise typer.Exit(play(game, keep, main, choices))


def bench(
    group: Annotated[str, typer.Argument(help="The group of cases to measure.")] = "quick",
    runs: Annotated[int, typer.Option(help="How often each case is measured.")] = 5,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the figures into this file, as JSON.")] = None,
    compare: Annotated[Path | None, typer.Option(help="Figures of an earlier run.")] = None,
    floor: Annotated[bool, typer.Option("--floor", help="Exit 1 when a ratio is under its floor.")] = False,
    database: Annotated[
        str | None, typer.Option(help="Measure on this PostgreSQL server, in databases made for it, not on SQLite.")
    ] = None,
    matches: Annotated[int | None, typer.Option(min=1, help="How many matches are due at noon (N1, N2).")] = None,
    days: Annotated[int | None, typer.Option(min=9, help="How many days a soak lasts (S1).")] = None,
) -> None:
    """Measure the referee as ratios beside baselines in the same run; from a checkout, where the baselines are."""
    measured = _beside("bench.runner").run
    raise typer.Exit(measured(group, runs, json_file, compare, floor, database, matches, days))


def ladder(
    game: Annotated[str, typer.Argument(help="newworld, war27, war17 or empire.")],
    one: Annotated[str, typer.Option(help="The opponent who sits alone.")] = "steady",
    others: Annotated[str, typer.Option(help="The opponents in all other seats.")] = "novice",
    games: Annotated[int, typer.Option(min=1, help="How many matches; each deal is played from every seat.")] = 40,
    seats: Annotated[int, typer.Option(min=2, max=8, help="How many play.")] = 4,
    seed: Annotated[int, typer.Option(help="The first deal; the same deals give the same matches.")] = 1,
    chosen: Annotated[
        list[str] | None, typer.Option("--with", help="An option of the match, such as last_turn=5.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure whether one opponent is better than others: firsts, paired margin, time of an answer."""
    measured = _beside("ladder").measured
    found = measured(game, one, others, games, seats, seed, chosen or ())
    if isinstance(found, str):
        fail(found)
    say_json(found) if as_json else typer.echo("\n".join(found.sentences()))


simulate_app = typer.Typer(help="Play written strategies against each other and sum up.", no_args_is_help=True)


@simulate_app.callback()
def _simulate() -> None:
    """Play written strategies against each other and sum up."""


@simulate_app.command("empire")
def simulate_empire(
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="The seed of boards and dice; the same one gives the same figures.")] = 1,
    turns: Annotated[int, typer.Option(min=2, max=60, help="How many turns a game has.")] = 10,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 1,
    confidence: Annotated[str, typer.Option(help="The house rules on confidence to play by.")] = "standard",
    to: Annotated[Path | None, typer.Option(help="Write balance-empire.svg and the tables into this folder.")] = None,
    as_json: Json = False,
) -> None:
    """Four strategies of Empire, one in each seat of every game: what becomes of each; from a checkout of the source."""
    _beside("balance").study(games, seed, turns, jobs, confidence, to, as_json)


def _beside(name: str) -> ModuleType:
    """A file beside the package in a checkout; where it is not at hand that is said, and the command ends."""
    try:
        return import_module(f"tests.{name}")
    except ModuleNotFoundError:
        fail(
            f"This lies beside the package: run referee {_CALLED[name]} in a checkout of the source, with its [dev] packages."
        )


_CALLED = {"bench.runner": "bench", "ladder": "ladder", "balance": "simulate"}


# ---------------------------------------------------------------- referee lesson


lesson_app = typer.Typer(help="Write lessons: docs/lessons.md.", no_args_is_help=True)


@lesson_app.callback()
def _lesson() -> None:
    """Write lessons: docs/lessons.md."""


@lesson_app.command("from")
def lesson_from(
    match: Match,
    turn: Annotated[int, typer.Option(min=0, help="The turn.")],
    seat: Annotated[str, typer.Option(help="The seat whose position it is.")],
    config: Settings = None,
) -> None:
    """Print a lesson to be written on: the position of a match, as a seat knew it when it was asked in a turn."""
    with opened(settings_of(config)) as office, office.look() as at:
        row = at.step.match(match)
        if row is None or row.status == "forming":
            fail(f"I know no match {match} that has begun.")
        playing = load(at, row)
        try:
            typer.echo(lessons.cut(playing, past(at.step, playing), turn, Seat(seat)))
        except Denial as denial:
            fail(str(denial))


# ---------------------------------------------------------------- referee examine


examine_app = typer.Typer(help="Look over what you have made before a match is played with it.", no_args_is_help=True)

_To = Annotated[Path | None, typer.Option("--chart", help="Draw the board into this file: .svg or .png.")]


@examine_app.callback()
def _examine() -> None:
    """Look over what you have made before a match is played with it."""


@examine_app.command("board")
def examine_board(
    file: Annotated[Path, typer.Argument(help="The drawn board.", show_default=False)],
    to: _To = None,
    as_json: Json = False,
) -> None:
    """Say what is wrong with a board drawn for Empire, with line and column; exit 1 when no match can be played on it."""
    try:
        text = file.read_text("utf-8-sig", errors="replace")
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}.")
    found, board = examine(text), read_draft(text).board
    lines = [f"{fault} It can be played on all the same." if fault.remark else str(fault) for fault in found]
    faulty = sum(not fault.remark for fault in found)
    playable = not faulty and board is not None
    if to is not None:
        lines.append(_draw(board, to))
    lines.append(
        _verdict(board, faulty) if board else f"{counted(faulty, 'faults')}; no match can be played on this board yet."
    )
    if as_json:
        say_json({"playable": playable, "faults": faulty, "sentences": lines})
    else:
        typer.echo("\n".join(lines))
    if not playable:
        raise typer.Exit(1)


def _verdict(board: Board, faulty: int) -> str:
    if faulty:
        return f"{counted(faulty, 'faults')}; no match can be played on this board yet."
    size = f"{counted(board.columns, 'columns')} by {counted(board.rows, 'rows')}"
    players = "2" if len(board.starts) == 2 else f"2 to {min(8, len(board.starts))}"
    return f"{board.name} can be played on: {size}, for {players} players."


def _draw(board: Board | None, to: Path) -> str:
    """Draw the board into a file; the sentence that says so."""
    if to.suffix not in (".svg", ".png"):
        fail(f"{to.name} is no name for a drawing; let it end in .svg or .png.")
    if board is None:
        return "Nothing was drawn: the board cannot be read."
    svg = chart(first_position((), {}, board)).svg
    try:
        to.write_bytes(png(svg) if to.suffix == ".png" else svg.encode())
    except OSError as error:
        fail(f"{to} cannot be written: {error.strerror}.")
    return f"Drawn: {to}"


@examine_app.command("lesson")
def examine_lesson(
    game: Annotated[str, typer.Argument(help="newworld, war27, war17 or empire.")],
    file: Annotated[Path, typer.Argument(help="The lesson.", show_default=False)],
    letter: Annotated[
        Path | None, typer.Option(help="A file with a letter to be judged, instead of the lines that the lesson shows.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Read a lesson, say what is wrong with it and in which line, and judge a letter; exit 1 unless it passes."""
    known = next((one for one in GAMES if one.name == game), None)
    if not isinstance(known, BaseGame):
        fail(f"There is no game {game}; there are {', '.join(one.name for one in GAMES)}.")
    try:
        lesson = lessons.loaded(known, 0, file.name, file.read_text("utf-8"))
        found = lessons.judge(lesson, 0, letter.read_text("utf-8") if letter else lesson.shown)
    except OSError as error:
        fail(f"{error.filename} cannot be read: {error.strerror}.")
    except lessons.Faulty as fault:
        fail(str(fault))
    if as_json:
        say_json({name: getattr(found, name) for name in found.__struct_fields__ if name != "pages"})
    else:
        form = known.order_form(lesson.begin().playing.outcome.state, Seat(lesson.start.seat))
        said = ("It passes." if found.passed else "It does not pass.", *found.sentences, "", *found.happened)
        typer.echo("\n".join((*form, "", *said)))
    if not found.passed:
        raise typer.Exit(1)
