"""All commands together."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from referee.adapters.rights import keep_to_ourselves
from referee.adapters.unusable import Unusable
from referee.cli.backups import backup, restore
from referee.cli.counter import create, gm, join, observe, player, standby
from referee.cli.desk_letters import desk_app
from referee.cli.examine import examine_app
from referee.cli.forgetting import forget
from referee.cli.keeping import bench, demo, doctor, receive, serve
from referee.cli.keys import keys_app
from referee.cli.moving import move
from referee.cli.records import archive, replay, rules, verify
from referee.cli.setting_up import setup
from referee.cli.showing import show_app
from referee.cli.simulate import simulate_app
from referee.config import ConfigError
from referee.service.ports import NotNow

app = typer.Typer(
    name="referee",
    help="A play-by-email referee for long strategy games.",
    epilog="Exit codes: 0 done; 1 refused, not found or not sound; 2 not understood; 75 try again later (receive).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
_PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Running it": (setup, serve, receive, doctor, backup, restore, move),
    "Matches, as by mail": (create, join, observe, standby, gm, player),
    "What is kept": (rules, archive, replay, verify, forget),
    "Trying and measuring": (demo, bench),
}
for _panel, _commands in _PANELS.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel)(_command)
app.add_typer(show_app, name="show", rich_help_panel="What is kept")
app.add_typer(desk_app, name="desk", rich_help_panel="Running it")
app.add_typer(keys_app, name="keys", rich_help_panel="Running it")
app.add_typer(examine_app, name="examine", rich_help_panel="Trying and measuring")
app.add_typer(simulate_app, name="simulate", rich_help_panel="Trying and measuring")


@app.callback(invoke_without_command=True)
def about(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """A play-by-email referee for long strategy games."""
    if version:
        typer.echo(importlib.metadata.version("referee"))
        raise typer.Exit


def main() -> None:
    """The entry point. What is wrong with settings, folder or database is told in one sentence, by every command."""
    keep_to_ourselves()
    try:
        app()
    except (ConfigError, Unusable) as error:
        typer.echo(str(error), err=True)
        sys.exit(1)
    except NotNow as problem:
        typer.echo(f"The database cannot be used now, and nothing was done: {problem}", err=True)
        sys.exit(1)
