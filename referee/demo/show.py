"""What the watcher of a demo sees: what happens, excerpts of letters, the final standings."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from referee.demo.client import Letter


def excerpt(text: str, first: str = "", lines: int = 14) -> str:
    """So many lines of a letter, from the one that holds `first` on; a mark says that there is more."""
    rows = text.strip("\n").splitlines()
    start = next((i for i, row in enumerate(rows) if first in row), 0)
    shown = rows[start : start + lines]
    while shown and not shown[-1].strip():
        shown.pop()
    more = start + len(shown) < len(rows)
    return "\n".join((["[…]"] if start else []) + shown + (["[…]"] if more else []))


class Show:
    """The stage. Plain text where the output is no terminal."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(width=min(Console().width, 100), highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed} of at most {task.total} turns"),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
        )
        self._turns = self._progress.add_task("the match", total=None)

    def begin(self, most_turns: int) -> None:
        """Show how far the match is, out of at most so many turns."""
        self._progress.update(self._turns, total=most_turns)
        self._progress.start()

    def end(self) -> None:
        """Take the progress line away."""
        self._progress.stop()

    def scene(self, title: str) -> None:
        """Something new begins."""
        self.console.rule(f"[bold]{escape(title)}")

    def say(self, sentence: str) -> None:
        """One sentence."""
        self.console.print(escape(sentence))

    def good(self, sentence: str) -> None:
        """Something was checked and is as it should be."""
        self.console.print(f"[green]✓[/] {escape(sentence)}")

    def bad(self, sentence: str) -> None:
        """What went wrong."""
        self.console.print(f"[bold red]{escape(sentence)}[/]")

    def wrote(self, who: str, body: str) -> None:
        """A letter somebody sent."""
        self.console.print(
            Panel(Text(body.strip("\n")), title=f"{escape(who)} writes", border_style="blue", title_align="left")
        )

    def got(self, who: str, letter: Letter, first: str = "", lines: int = 14) -> None:
        """A letter from the referee, in excerpts."""
        body = Text(excerpt(letter.text, first, lines))
        title = f"{escape(who)} reads: {escape(letter.subject)}"
        self.console.print(Panel(body, title=title, border_style="yellow", title_align="left"))

    def turn(self, number: int, sentence: str) -> None:
        """A turn was played."""
        self._progress.update(self._turns, completed=number)
        self.console.print(f"[dim]{escape(sentence)}[/]")

    def standings(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """The final standings."""
        table = Table(*columns, title=title)
        for row in rows:
            table.add_row(*map(escape, row))
        self.console.print(table)
