"""How commands ask and answer: the options they share, sentences or JSON, and the exit codes.

0 done; 1 refused, not found or not sound; 2 the command line itself was not understood.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.config import Config, ConfigError, load
from referee.service.base.times import stamp

Json = Annotated[bool, typer.Option("--json", help="Print data as JSON.")]
Settings = Annotated[
    Path | None,
    typer.Option("--config", help="The settings file; by default config.toml of this folder."),
]
Match = Annotated[str, typer.Argument(help="The name of the match.", show_default=False)]

_out = Console(soft_wrap=True)


def settings_of(path: Path | None, needed: bool = True) -> Config:
    """The settings; what is wrong with them is said, and the command ends. Where none are `needed` the defaults will do."""
    try:
        return load(path, needed=needed)
    except ConfigError as error:
        fail(str(error))


def fail(sentence: str) -> NoReturn:
    """Say why nothing was done, on standard error, and exit 1."""
    Console(stderr=True, soft_wrap=True).print(f"[bold red]{escape(sentence)}[/]")
    raise typer.Exit(1)


def say(sentence: str) -> None:
    """A line that may carry rich markup; what others wrote is to be escaped first."""
    _out.print(sentence)


def say_path(text: str) -> None:
    """A line with a path or an address, as it is."""
    _out.print(escape(text), highlight=False)


def say_json(data: Any) -> None:
    """Data as JSON."""
    typer.echo(json.dumps(msgspec.to_builtins(data), indent=2, ensure_ascii=False))


def say_letter(kind: str, letter: Any) -> None:
    """The text of a letter of this kind."""
    from referee.adapters.pages.render import TextRenderer

    typer.echo(TextRenderer([kind]).render(kind, letter))


def say_rows(data: Any, as_json: bool, columns: tuple[str, ...]) -> None:
    """Rows as a table, or as JSON."""
    rows = msgspec.to_builtins(data)
    if as_json:
        say_json(rows)
    else:
        table(columns, ([row[column] for column in columns] for row in rows))


def when(at: datetime, zone: str, as_json: bool) -> str:
    """A moment as letters write it, in the zone of the house; in JSON as programs read it."""
    return at.isoformat() if as_json else stamp(at, zone)


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """A table on the terminal."""
    drawn = Table(*columns)
    for row in rows:
        drawn.add_row(*(escape(str(cell)) for cell in row))
    _out.print(drawn)
