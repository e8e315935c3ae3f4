"""referee examine: looks over what a game master has made before a match is played with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from referee.adapters.picture import png
from referee.games.empire.board import Board
from referee.games.empire.draft import read_draft
from referee.games.empire.drawing.chart import chart
from referee.games.empire.state import first_position
from referee.games.empire.survey import examine
from referee.kit.wording import counted

__all__ = ["examine_app"]

examine_app = typer.Typer(help="Look over what you have made before a match is played with it.", no_args_is_help=True)

_To = Annotated[Path | None, typer.Option("--chart", help="Draw the board into this file: .svg or .png.")]


@examine_app.callback()
def _examine() -> None:
    """Look over what you have made before a match is played with it."""


@examine_app.command("board")
def examine_board(file: Path, to: _To = None) -> None:
    """Say what is wrong with a board drawn for Empire, with line and column; exit 1 when no match can be played on it."""
    try:
        text = file.read_text("utf-8-sig", errors="replace")
    except OSError as error:
        _fail(f"{file} cannot be read: {error.strerror}.")
    found, board = examine(text), read_draft(text).board
    for fault in found:
        typer.echo(f"{fault} It can be played on all the same." if fault.remark else str(fault))
    if to is not None:
        _draw(board, to)
    faulty = sum(not fault.remark for fault in found)
    if faulty or board is None:
        typer.echo(f"{counted(faulty, 'faults')}; no match can be played on this board yet.")
        raise typer.Exit(1)
    size = f"{counted(board.columns, 'columns')} by {counted(board.rows, 'rows')}"
    players = "2" if len(board.starts) == 2 else f"2 to {min(8, len(board.starts))}"
    typer.echo(f"{board.name} can be played on: {size}, for {players} players.")


def _draw(board: Board | None, to: Path) -> None:
    if to.suffix not in (".svg", ".png"):
        _fail(f"{to.name} is no name for a drawing; let it end in .svg or .png.")
    if board is None:
        typer.echo("Nothing was drawn: the board cannot be read.")
        return
    svg = chart(first_position((), {}, board)).svg
    try:
        to.write_bytes(png(svg) if to.suffix == ".png" else svg.encode())
    except OSError as error:
        _fail(f"{to} cannot be written: {error.strerror}.")
    typer.echo(f"Drawn: {to}")


def _fail(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(1)
