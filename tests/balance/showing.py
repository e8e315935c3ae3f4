"""The figures of a simulation in words, as a small chart, and as what is told of a study on the screen and in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from referee.cli.dialogue import fail, say_json
from referee.games.empire.rulebook.plans import SETS
from tests.balance.figures import Figures, Line, Spread, Summary, run

HEADINGS = (
    "turn",
    "confidence",
    "by economy",
    "by losses",
    "collapsed now, %",
    "so far, %",
    "popular fund",
    "cities",
    "military",
    "coolies",
)
"""What stands over the columns of `rows`."""

RANKING = ("strategy", "points", "place", "won, %", "confidence at the end", "collapsed, %", "orders refused a game")
"""What stands over the columns of `ranking`."""


def rows(summary: Summary) -> list[tuple[str, ...]]:
    """A strategy turn by turn: means, with the quartiles in brackets."""
    return [
        (
            str(line.turn),
            line.confidence.words(),
            f"{line.economy:+.2f}",
            f"{line.losses:+.2f}",
            f"{line.collapses:.1f}",
            f"{line.collapsed:.1f}",
            line.fund.words(),
            line.cities.words(),
            line.military.words(),
            line.coolies.words(),
        )
        for line in summary.turns
    ]


def ranking(figures: Figures) -> list[tuple[str, ...]]:
    """All strategies at the end, by mean points (H-36)."""
    best = sorted(figures.strategies, key=lambda summary: -summary.points.mean)
    return [
        (
            summary.strategy,
            summary.points.words(),
            f"{summary.place.mean:.1f}",
            f"{summary.won:.1f}",
            summary.turns[-1].confidence.words(),
            f"{summary.turns[-1].collapsed:.1f}",
            f"{summary.refused:.1f}",
        )
        for summary in best
    ]


def markdown(figures: Figures) -> str:
    """The tables as they stand in the guide."""
    parts = [_markdown(RANKING, ranking(figures))]
    for summary in figures.strategies:
        parts += [f"### {summary.strategy.capitalize()}", summary.about, _markdown(HEADINGS, rows(summary))]
    return "\n\n".join(parts) + "\n"


def _markdown(headings: Sequence[str], lines: Sequence[tuple[str, ...]]) -> str:
    ruled = ["---", *("---:" for _ in headings[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, ruled, *lines))


# ---------------------------------------------------------------- a small chart


_COLOURS = ("#1b7837", "#b35806", "#a50026", "#2166ac")
_DASHES = ("", "7 3", "2 3", "9 3 2 3")
_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 300, 190, 44, 64, 58


def chart(figures: Figures) -> str:
    """An SVG of four panels: confidence, countries that have collapsed, popular fund, military units."""
    panels = (
        ("Confidence: mean and middle half", lambda line: line.confidence, 20.0),
        ("Countries that have collapsed so far, in %", lambda line: _exact(line.collapsed), 100.0),
        ("Popular fund in points: mean and middle half", lambda line: line.fund, None),
        ("Military units: mean and middle half", lambda line: line.military, None),
    )
    width = 2 * (_WIDTH + _GAP) + _LEFT
    height = _TOP + 2 * (_HEIGHT + _GAP)
    drawn = [_panel(figures, at, *panel) for at, panel in enumerate(panels)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
        f'<text x="{_LEFT}" y="20" font-size="14">Empire: four strategies, {figures.games} games, seed {figures.seed}</text>'
    )
    return "\n".join((head, *_legend(figures.strategies), *drawn, "</svg>")) + "\n"


def _exact(figure: float) -> Spread:
    return Spread(figure, figure, figure, figure)


def _legend(strategies: Sequence[Summary]) -> list[str]:
    return [
        f'<path d="M{_LEFT + at * 150} 36h26" {_stroke(at)}/>'
        f'<text x="{_LEFT + at * 150 + 32}" y="40">{summary.strategy}</text>'
        for at, summary in enumerate(strategies)
    ]


def _stroke(at: int) -> str:
    return f'fill="none" stroke="{_COLOURS[at]}" stroke-width="2" stroke-dasharray="{_DASHES[at]}"'


def _panel(figures: Figures, place: int, title: str, figure: Callable[[Line], Spread], most: float | None) -> str:
    """One panel with its axes, a band and a line for each strategy."""
    left = _LEFT + place % 2 * (_WIDTH + _GAP)
    top = _TOP + place // 2 * (_HEIGHT + _GAP)
    highest = most or max(figure(line).upper for summary in figures.strategies for line in summary.turns) or 1

    def x(turn: int) -> float:
        return round(left + (turn - 1) * _WIDTH / max(1, figures.turns - 1), 1)

    def y(value: float) -> float:
        return round(top + _HEIGHT - value * _HEIGHT / highest, 1)

    parts = [f'<text x="{left}" y="{top - 6}">{title}</text>', *_axes(figures.turns, highest, left, top, x, y)]
    for at, summary in enumerate(figures.strategies):
        upper = [f"{x(line.turn)},{y(figure(line).upper)}" for line in summary.turns]
        lower = [f"{x(line.turn)},{y(figure(line).lower)}" for line in reversed(summary.turns)]
        parts.append(f'<polygon points="{" ".join(upper + lower)}" fill="{_COLOURS[at]}" fill-opacity="0.1"/>')
    for at, summary in enumerate(figures.strategies):
        points = " ".join(f"{x(line.turn)},{y(figure(line).mean)}" for line in summary.turns)
        parts.append(f'<polyline points="{points}" {_stroke(at)}/>')
    return "\n".join(parts)


def _axes(
    turns: int, highest: float, left: int, top: int, x: Callable[[int], float], y: Callable[[float], float]
) -> list[str]:
    """Four lines across with their figures, and the turns below."""
    marks = [highest * part / 4 for part in range(5)]
    across = [
        f'<path d="M{left} {y(mark)}h{_WIDTH}" stroke="#ddd"/>'
        f'<text x="{left - 5}" y="{y(mark) + 4}" text-anchor="end">{mark:.0f}</text>'
        for mark in marks
    ]
    return across + [
        f'<text x="{x(turn)}" y="{top + _HEIGHT + 15}" text-anchor="middle">{turn}</text>'
        for turn in range(1, turns + 1)
    ]


# ---------------------------------------------------------------- what is told of a study


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
