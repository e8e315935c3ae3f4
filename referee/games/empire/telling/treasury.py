"""What the economy of a turn came to, in a paragraph that a player can check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from referee.core.event import Event
from referee.games.empire.events.course import ConfidenceRolled
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import band_of
from referee.games.empire.reckoning.in_force import figure
from referee.games.empire.rulebook.kinds import DEBT, in_parts
from referee.games.empire.telling.outlook import as_points
from referee.kit.wording import capital, counted, in_a_row

_NEXT = {
    "shaky": "its next turn starts no factory",
    "crisis": "its next turn starts no factory and runs half of those it has",
    "collapse": "at its next turn no factory runs, nothing is built, nobody is born and nothing is attacked",
}
"""What a low confidence means (emp.H-16)."""


def economy_told(happened: Sequence[Event], after: Empire) -> Iterator[str]:
    """A paragraph for each country whose budget was closed: what came in, what went out, and what confidence made of it."""
    for closed, roll, moved in _accounts(happened):
        yield " ".join((_earned(closed, moved), _felt(roll, moved), _stands(moved, after)))


def budgets_told(happened: Sequence[Event]) -> tuple[str, ...]:
    """The countries that have such a paragraph."""
    return tuple(closed.country for closed, _, _ in _accounts(happened))


def _accounts(happened: Sequence[Event]) -> Iterator[tuple[BudgetClosed, ConfidenceRolled, ConfidenceMoved]]:
    """A country's budget with the roll and the change of confidence that belong to it."""
    rolls = {event.country: event for event in happened if isinstance(event, ConfidenceRolled)}
    moved = {event.country: event for event in happened if isinstance(event, ConfidenceMoved)}
    for event in happened:
        if isinstance(event, BudgetClosed) and event.country in moved and event.country in rolls:
            yield event, rolls[event.country], moved[event.country]


def _earned(closed: BudgetClosed, moved: ConfidenceMoved) -> str:
    """Income and expenses as the balance counts them; the share of the investment is what is left of the sum (emp.H-14)."""
    booked, tax = closed.booked, Fraction(closed.tax, 4)
    weighs = booked.edu + tax + booked.exchange - booked.cost - Fraction(moved.balance, DEBT)
    ins = [f"{booked.edu} EDU", f"{as_points(closed.tax)} tax"]
    ins += [f"{booked.received} foreign exchange"] if booked.received else []
    share = f", {weighs * Fraction(1, booked.investment)} of each weighs" if booked.investment else ""
    outs = [f"{booked.cost} cost", f"{in_parts(int(weighs * DEBT))} for investment ({booked.investment} points{share})"]
    outs += [f"{booked.sent} foreign exchange"] if booked.sent else []
    balance = in_parts(abs(moved.balance))
    colour = f"{balance} in the {'black' if moved.balance > 0 else 'red'}" if moved.balance else "even"
    fund = f"The popular fund stands at {as_points(closed.fund)}."
    return f"{closed.country} took in {in_a_row(ins)} and spent {in_a_row(outs)}: it is {colour}. {fund} [{closed.cites()}]"


def _felt(roll: ConfidenceRolled, moved: ConfidenceMoved) -> str:
    parts = [f"the roll of {roll.entry()} gives {moved.luck:+d}", f"the economy {moved.economy:+d}"]
    parts += [f"losses and arms {moved.losses:+d}"] if moved.losses else []
    return f"{capital(in_a_row(parts))}: confidence {_went(moved)}. [{moved.cites()}]"


def _went(moved: ConfidenceMoved) -> str:
    if moved.before == moved.confidence:
        return f"stays at {moved.confidence}"
    return f"{'rises' if moved.confidence > moved.before else 'falls'} from {moved.before} to {moved.confidence}"


def _stands(moved: ConfidenceMoved, after: Empire) -> str:
    """What the country may or may not do next turn."""
    band = band_of(moved.confidence)
    if after.ended:
        return f"That is {band}."
    if band == "strong":
        points = max(0, moved.confidence - figure(after, "exchange", "above"))
        may = f"; it may send {counted(points, 'points')} of foreign exchange next turn" if points else ""
        return f"That is strong{may}."
    if band == "normal":
        return "That is normal."
    return f"That is {band}: {_NEXT[band]}."
