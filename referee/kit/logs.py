"""The log of a match as rows: every event, every die and every draw, each with the phase it fell in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.page import Cell, Grid, Sheet


def by_phase(history: Sequence[Event]) -> Iterator[tuple[str, Event]]:
    """Every event that is not a phase's beginning or end, with the key of its phase."""
    phase = ""
    for event in history:
        if isinstance(event, PhaseBegan):
            phase = event.key
        elif not isinstance(event, PhaseEnded):
            yield phase, event


def events_sheet(history: Sequence[Event], phase: str) -> Sheet:
    """The sheet `events`: what each event says, if it says anything; `phase` is the game's word for one."""
    rows = tuple((key, told, event.cites()) for key, event in by_phase(history) if (told := event.sentence()))
    return Sheet("events", "Everything that happened", (Grid((phase, "What happened", "Rule"), rows),))


def chance_sheet(history: Sequence[Event], phase: str, drawn: str) -> Sheet:
    """The sheet `dice`: every throw and draw with its purpose; `drawn` is the game's word for what draws come from."""
    rows = tuple(row for key, event in by_phase(history) if (row := _chance(key, event)))
    columns = (phase, "Purpose", "Rule", f"Dice or {drawn}", "Result")
    return Sheet("dice", "Every die and every draw", (Grid(columns, rows),))


def _chance(phase: str, event: Event) -> tuple[Cell, ...]:
    match event:
        case Rolled():
            faces = " ".join(map(str, event.faces))
            return (phase, event.why, event.by_rule, f"{len(event.faces)}d{event.sides}", faces)
        case Drawn():
            return (phase, event.why, event.by_rule, event.bag, ", ".join(event.items))
        case _:
            return ()
