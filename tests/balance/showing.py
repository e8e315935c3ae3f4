"""What is told of a study: tables for the screen, data, and the guide of a folder with its chart."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from referee.cli.speaking import fail, say_json
from referee.games.empire.rulebook.plans import SETS
from tests.balance.drawing import chart
from tests.balance.figures import Figures
from tests.balance.running import run
from tests.balance.tables import HEADINGS, RANKING, markdown, ranking, rows


def study(games: int, seed: int, turns: int, jobs: int, confidence: str, to: Path | None, as_json: bool) -> None:
    """Play so many games and tell what became of each strategy: as tables, as JSON, in the guide of a folder."""
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
