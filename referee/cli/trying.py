"""referee demo, bench: trying and measuring."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.speaking import say


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
    from referee.demo import play

    raise typer.Exit(play(game, keep, choices))


def bench(
    group: Annotated[str, typer.Argument(help="What to measure.")] = "quick",
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
    try:
        measured = import_module("tests.bench").run
    except ModuleNotFoundError:
        say(
            "The benchmark lies beside the package: run referee bench in a checkout of the source, with its [dev] packages."
        )
        raise typer.Exit(1) from None
    raise typer.Exit(measured(group, runs, json_file, compare, floor, database, matches, days))
