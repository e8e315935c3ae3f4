"""referee simulate: written strategies played against each other, to see what the rules make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from referee.cli.speaking import Json, fail, say_json
from referee.games.empire.rulebook.houses import SETS
from referee.simulate.drawing import chart
from referee.simulate.figures import Figures
from referee.simulate.running import run
from referee.simulate.tables import HEADINGS, RANKING, markdown, ranking, rows

simulate_app = typer.Typer(help="Play written strategies against each other and sum up.", no_args_is_help=True)

_To = Annotated[Path | None, typer.Option("--to", help="Write balance-empire.svg and the tables into this folder.")]


@simulate_app.callback()
def _simulate() -> None:
    """Play written strategies against each other and sum up."""


@simulate_app.command("empire")
def simulate_empire(
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="Whose boards and dice; the same seed gives the same figures.")] = 1,
    turns: Annotated[int, typer.Option(min=2, max=60, help="How many turns a game has.")] = 10,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 1,
    confidence: Annotated[str, typer.Option(help="Which of the house rules on confidence.")] = "standard",
    to: _To = None,
    as_json: Json = False,
) -> None:
    """Four strategies of Empire, one in each seat of every game: what becomes of each, turn by turn and in the end."""
    choices = SETS["confidence"].choices
    if confidence not in choices:
        fail(f"There is no choice {confidence}; there are {', '.join(choices)}.")
    errors = Console(stderr=True, soft_wrap=True)
    with errors.status("No game is over yet") as status:

        def done(number: int) -> None:
            status.update(f"{number} of {games} games are over")

        figures = run(games, seed, turns, jobs, {"confidence": confidence}, done)
    if to is not None:
        _write(figures, to)
    if as_json:
        say_json(figures)
    else:
        _show(figures)


def _write(figures: Figures, to: Path) -> None:
    to.mkdir(parents=True, exist_ok=True)
    (to / "balance-empire.svg").write_text(chart(figures), "utf-8")
    guide = to / "balance-empire.md"
    begin, end = "<!-- tables -->\n", "<!-- end of tables -->"
    old = guide.read_text("utf-8") if guide.exists() else f"{begin}{end}\n"
    before, _, rest = old.partition(begin)
    _, _, after = rest.partition(end)
    guide.write_text(f"{before}{begin}\n{markdown(figures)}\n{end}{after}", "utf-8")


def _show(figures: Figures) -> None:
    console = Console(soft_wrap=True)
    console.print(f"{figures.games} games of {figures.turns} turns, seed {figures.seed}; quartiles in brackets")
    console.print(_table("", RANKING, ranking(figures)))
    for summary in figures.strategies:
        console.print(_table(f"{summary.strategy.capitalize()}: {summary.about}", HEADINGS, rows(summary)))


def _table(title: str, headings: tuple[str, ...], lines: list[tuple[str, ...]]) -> Table:
    table = Table(*headings, title=title, title_justify="left")
    for line in lines:
        table.add_row(*line)
    return table
