"""referee show health: for monitors that ask by a command, each minute; it loads little."""

from __future__ import annotations

import typer
from rich.markup import escape

from referee.bootstrap.monitor import health_at_the_counter
from referee.cli.speaking import Json, Settings, say, say_json, settings_of
from referee.service.intake.health import as_data

show_app = typer.Typer(help="Look at matches, reports and letters.", no_args_is_help=True)


@show_app.callback()
def _show() -> None:
    """Look at matches, reports and letters."""


@show_app.command("health")
def show_health(as_json: Json = False, config: Settings = None) -> None:
    """Say whether all is well, without the names of anybody; exit 1 when something is wrong."""
    found = health_at_the_counter(settings_of(config))
    if as_json:
        say_json(as_data(found))
    else:
        for sentence in found.wrong or ("All is well.",):
            say(escape(sentence))
    if not found.well:
        raise typer.Exit(1)
