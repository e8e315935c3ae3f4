"""referee examine: looks over what a game master has made before a match is played with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.adapters.pages.picture import png
from referee.cli.speaking import Json, fail, say_json
from referee.games.empire.boards.draft import read_draft
from referee.games.empire.boards.survey import examine
from referee.games.empire.position.board import Board
from referee.games.empire.position.state import first_position
from referee.games.empire.telling.drawing.chart import chart
from referee.kit.wording import counted

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
