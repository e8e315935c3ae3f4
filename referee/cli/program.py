"""All commands together. Those of one word are loaded when it is called: a monitor calls one each minute."""

from __future__ import annotations

import importlib.metadata
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from typing import Annotated

import typer

from referee.adapters.files import Unusable, keep_to_ourselves
from referee.config import ConfigError
from referee.service.base.ports import NotNow

_COMMANDS = {
    "Running it": {
        "setup": "setup",
        "serve": "serve",
        "receive": "receive_and_desk",
        "doctor": "setup",
        **dict.fromkeys(("backup", "restore", "move"), "safekeeping"),
        "desk": "receive_and_desk",
        "keys": "safekeeping",
    },
    "Matches, as by mail": dict.fromkeys(("create", "join", "observe", "standby", "gm", "player"), "counter"),
    "Records": {
        **dict.fromkeys(("rules", "archive", "replay", "verify", "forget"), "records"),
        "show": "counter",
    },
    "Trying and measuring": dict.fromkeys(
        ("play", "demo", "bench", "ladder", "lesson", "examine", "simulate"), "trials"
    ),
}
"""Commands, and groups of them, by panel, each with its module."""

_LITTLE: Mapping[tuple[str, ...], str] = {("show", "health"): "receive_and_desk"}
"""Commands of a group that need not load the rest of it."""


def whole() -> typer.Typer:
    """All commands, loaded."""
    return _joined(None)


def called(words: Sequence[str]) -> typer.Typer:
    """The command that these words call, loaded; of all others what is said of them."""
    return _joined(tuple(word for word in words if not word.startswith("-"))[:2])


def _joined(words: tuple[str, ...] | None) -> typer.Typer:
    app = typer.Typer(
        name="referee",
        help="A play-by-email referee for long strategy games.",
        epilog="Exit codes: 0 done; 1 refused, not found or not sound; 2 not understood; 3 nothing is proved (verify); "
        "75 try again later (receive).",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
    )
    app.callback(invoke_without_command=True)(about)
    for panel, commands in _COMMANDS.items():
        for name, module in commands.items():
            if words is not None and name not in words[:1]:
                app.command(name, rich_help_panel=panel, help=_said_of(name, module))(_not_loaded)
                continue
            loaded = import_module(f"referee.cli.{_LITTLE.get(words or (), module)}")
            if (group := getattr(loaded, f"{name}_app", None)) is not None:
                app.add_typer(group, name=name, rich_help_panel=panel)
            else:
                app.command(name, rich_help_panel=panel)(getattr(loaded, name))
    return app


def _said_of(name: str, module: str) -> str:
    """The line on a command in the list of all, read where it is written and not loaded."""
    source = files("referee.cli").joinpath(f"{module}.py").read_text("utf-8")
    found = re.search(
        rf'^(?:def {name}\(.*?"""|{name}_app = typer.Typer\(help=")(.*?)(?:"""|\n\n|", no_args)', source, _LINES
    )
    return found[1] if found else ""


_LINES = re.DOTALL | re.MULTILINE


def _not_loaded() -> None:
    """Stands for a command in the list of all."""


def about(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """A play-by-email referee for long strategy games."""
    if version:
        typer.echo(importlib.metadata.version("referee"))
        raise typer.Exit


_COMPLETES = "_REFEREE_COMPLETE"
"""Set by a shell that asks how a line could go on."""


def main() -> None:
    """The entry point. Every command tells faults of settings, folder or database in one sentence."""
    keep_to_ourselves()
    try:
        (whole() if _COMPLETES in os.environ else called(sys.argv[1:]))()
    except (ConfigError, Unusable) as error:
        typer.echo(str(error), err=True)
        sys.exit(1)
    except NotNow as problem:
        typer.echo(f"The database cannot be used now, and nothing was done: {problem}", err=True)
        sys.exit(1)
