"""Sheet i of each player, the sheets of the table, and the logs that grow with the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.core.page import Cell, Grid, Sheet
from referee.games.empire.deeds.picks import doubts_that_matter
from referee.games.empire.events.course import ConfidenceRolled, RolledOut
from referee.games.empire.position.countries import Petition
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.scoring import tally
from referee.games.empire.telling.sheets.slots import Slot
from referee.kit.logs import chance_sheet, events_sheet
from referee.kit.wording import in_utc


def balkanization_sheet(empire: Empire, seat: Seat) -> Sheet:
    """Rulebook I.I i and G: all countries of a player, in the order in which they move in his slot."""
    living = [country.name for country in empire.owned(seat)]
    rows = tuple(
        (living.index(c.name) + 1 if c.name in living else "-", c.name, c.origin, c.parent, c.owned_since,
         "dissolved" if c.dead else "")
        for c in empire.countries.values()
        if c.owner == seat
    )  # fmt: skip
    grid = Grid(("Moves as number", "Country", "Origin", "Split from", "His since turn", "State"), rows, "Countries")
    return Sheet("i", f"{seat}: i. Balkanization", (grid,), seat, on_request=len(rows) == 1)


def order_sheet(slots: Sequence[Slot], empire: Empire) -> Sheet:
    """The move-order sheet: who moves when, and the rolls of this turn and the last with their notes."""
    order = tuple((place, seat, _standing(empire, seat)) for place, seat in enumerate(empire.order, 1))
    late = [slot for slot in slots if slot.turn >= empire.turn - 1]
    whole = "Rolled out" if len(late) == len(slots) else f"Rolled out since turn {empire.turn - 1}"
    grids = (Grid(("Place", "Player", "Now"), order, "Movement order"), _rolled_out(late, whole))
    where = f"Turn {empire.turn}, slot {empire.slot}." if empire.stage == "play" else "The zero turn."
    past = "SEND sheets OF a player TURN and the number of a slot brings his sheets as they stood after that slot."
    return Sheet("order", "Move order", grids, None, (where, past), on_request=True)


def rolls_sheet(slots: Sequence[Slot]) -> Sheet:
    """Every roll of the match with its note."""
    return Sheet("rolls", "Rolls", (_rolled_out(slots, "Rolled out"),), on_request=True)


def _rolled_out(slots: Sequence[Slot], caption: str) -> Grid:
    rolls = tuple(row for slot in slots for row in _rolls(slot))
    return Grid(("Turn", "Slot", "Player", "Time and date", "By", "Days late", "Rolls"), rolls, caption)


def _standing(empire: Empire, seat: Seat) -> str:
    if empire.stage == "play" and not empire.owned(seat):
        return "runs no country"
    return "has his slot" if seat == empire.active else ""


def _rolls(slot: Slot) -> Iterator[tuple[Cell, ...]]:
    rolls = [f"{e.country} {e.entry()}" for e in slot.events if isinstance(e, ConfidenceRolled)]
    for event in slot.events:
        if isinstance(event, RolledOut):
            yield slot.turn, slot.number, event.seat, in_utc(event.at), event.by, event.late, ", ".join(rolls)


def petitions_sheet(empire: Empire) -> Sheet:
    """Petitions with their votes, and orders that could be read in several ways (H of the procedure, emp.P19, emp.P23)."""
    petitions = tuple(
        (p.number, p.turn, in_utc(p.posted), p.by, petition_kind(p), p.text,
         ", ".join(f"{seat} {vote}" for seat, vote in p.votes.items()), _result(p))
        for p in empire.petitions
    )  # fmt: skip
    doubtful = tuple(
        (d.slot, d.seat, d.line, d.readings[d.taken - 1] if d.taken <= len(d.readings) else "",
         d.by or "the referee")
        for d in doubts_that_matter(empire)
    )  # fmt: skip
    grids = (
        Grid(("Petition", "Turn", "Posted", "By", "Kind", "Text", "Votes", "Result"), petitions, "Petitions"),
        Grid(("Slot", "Of", "Line", "Read as", "By"), doubtful, "Interpretations"),
    )
    return Sheet("petitions", "Petitions and interpretations", grids, on_request=not _pending(empire))


def _pending(empire: Empire) -> bool:
    """Whether something may still be voted on or read in another way; what is settled was told."""
    open_doubts = (doubt for doubt in doubts_that_matter(empire) if doubt.by is None)
    doubtful = any(seat not in (doubt.seat, *doubt.waived) for doubt in open_doubts for seat in empire.order)
    return doubtful or any(not petition.result for petition in empire.petitions)


def petition_kind(petition: Petition) -> str:
    """`change`, `change of combat to mild`."""
    return f"{petition.kind} of {petition.house} to {petition.choice}" if petition.house else petition.kind


def _result(petition: Petition) -> str:
    return f"in force since turn {petition.since}" if petition.since else petition.result or "open"


def standings_sheet(empire: Empire) -> Sheet:
    """Who stands where."""
    return Sheet("standings", "Standings", (standings_grid(empire, "Standings"),), on_request=True)


def standings_grid(empire: Empire, caption: str) -> Grid:
    """Places and points with what they are made of; where nobody is ranked, what everybody has."""
    found = tally(empire)
    if not found.ranked:
        return Grid(("Player", "Has"), tuple((s.seat, s.how) for s in found.standings), caption)
    rows = tuple((s.rank, s.seat, s.score, s.how) for s in found.standings)
    return Grid(("Place", "Player", "Points", "Made of"), rows, caption)


# ---------------------------------------------------------------- the logs


def logs(history: Sequence[Event], reader: Reader) -> tuple[Sheet, ...]:
    """Every event and every die and card, with the phase it fell in."""
    return (events_sheet(history, "Slot"), chance_sheet(history, "Slot", "cards"))
