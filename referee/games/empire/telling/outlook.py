"""What the end of a turn would make of a country's budget, debts and confidence, told roll by roll before it is rolled.

Behind it: what the economy of a turn came to, in a paragraph that a player can check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from referee.core.event import Event
from referee.core.order import Doubt
from referee.core.table import Table
from referee.games.empire.deeds.debts import settle_dues
from referee.games.empire.events.course import ConfidenceRolled
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved
from referee.games.empire.phases.ending import close_budget, confidence_after
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.games.empire.reckoning.budget import BANDS, QUARTERS, Budget, Losses, band_of
from referee.games.empire.reckoning.in_force import figure
from referee.games.empire.rulebook.kinds import DEBT, in_parts
from referee.kit.wording import capital, counted, in_a_row

ROLLS = range(2, 13)
"""What two dice can show."""

WAYS = 36
"""In how many ways two dice can fall."""

_WORTH_A_WORD = 6
"""So many of the 36 ways to a worse band are worth a warning."""

_MEANS = {
    "shaky": "could start no factory",
    "crisis": "could start no factory and run only half of those it has",
    "collapse": "could run no factory, build nothing, have no births and attack nobody",
}
"""What the worse bands would mean next turn."""


class Outlook(msgspec.Struct, frozen=True):
    """A country's turn as it would end: the budget, what it owes then in whole units and parts, and confidence by roll.

    `share` of the investment weighs on the balance; `fund` is the new popular fund in quarters; `after` has the confidence
    for each of ROLLS.
    """

    country: str
    confidence: int
    band: str
    budget: Budget
    losses: Losses
    share: Fraction
    fund: int
    owed: tuple[tuple[int, str], ...]
    after: tuple[int, ...]


def look_ahead(table: Table[Empire], country: str) -> Outlook:
    """Play steps 6 and 7 of a turn on a scratch table, and try every roll for step 8."""
    settle_dues(table, country)
    budget, losses = close_budget(table, country)
    empire = table.state
    own = empire.countries[country]
    owed = ((own.oil_due, "O"), (own.chemicals_due, "X"), (own.pay_due, "pay"))
    after = tuple(confidence_after(empire, country, roll, budget, losses) for roll in ROLLS)
    share = in_force.confidence(empire).share
    return Outlook(
        country, own.confidence, own.band, budget, losses, share, budget.new_fund, tuple(p for p in owed if p[0]), after
    )


def _ways(roll: int) -> int:
    return 6 - abs(7 - roll)


def as_points(quarters: int) -> str:
    """A fund or tax kept in quarters, in points: `2 1/4`."""
    return in_parts(quarters * DEBT // QUARTERS)


def budget_in_words(budget: Budget, share: Fraction) -> str:
    """`EDU 9, tax 2 1/4, cost 2, investment 6 of which 1/2 weighs: in the black by 6 1/4`."""
    exchange = budget.received - budget.sent
    parts = [f"EDU {budget.edu}", f"tax {as_points(budget.tax)}"]
    parts += [f"foreign exchange {exchange:+d}"] if budget.received or budget.sent else []
    parts += [f"cost {budget.cost}", f"investment {budget.investment} of which {share} weighs"]
    return f"{', '.join(parts)}: {_colour(budget.balance(share))}"


def _colour(balance: Fraction) -> str:
    if not balance:
        return "even"
    return f"in the {'black' if balance > 0 else 'red'} by {in_parts(int(abs(balance) * DEBT))}"


# ---------------------------------------------------------------- PREVIEW


def outlook_lines(seen: Outlook) -> Iterator[str]:
    """The budget, the new popular fund, what is still owed, and the confidence that each roll would bring."""
    yield f"{seen.country}'s budget would be {budget_in_words(seen.budget, seen.share)}."
    fund = f"Its popular fund would go from {as_points(seen.budget.fund)} to {as_points(seen.fund)}"
    owed = in_a_row([f"{in_parts(parts)} {what}" for parts, what in seen.owed])
    yield f"{fund}{f'; it would owe {owed}' if owed else ''}."
    if seen.band == "collapse":
        yield f"Confidence would be {seen.after[0]} after the collapse, whatever is rolled."
        return
    yield f"Confidence is {seen.confidence}. It would be {_by_roll(seen)}; a full day late is a roll of one less."


def _by_roll(seen: Outlook) -> str:
    """`8 on a roll of 2 or 3 (3 of 36), 9 on 4 or 5 (7 of 36) ...`."""
    told = []
    for value in dict.fromkeys(seen.after):
        rolls = [roll for roll, after in zip(ROLLS, seen.after, strict=True) if after == value]
        said = str(rolls[0]) if len(rolls) == 1 else f"{rolls[0]} to {rolls[-1]}"
        told.append(f"{value} on a roll of {said} ({sum(map(_ways, rolls))} of {WAYS})")
    return ", ".join(told)


# ---------------------------------------------------------------- doubts


def band_doubts(seen: Outlook) -> Iterator[Doubt]:
    """Debts that cannot be paid, and the chance of a band worse than the present one."""
    for parts, what in seen.owed:
        if what != "pay" and parts >= DEBT:
            missing = counted(parts // DEBT, "units")
            yield Doubt(f"{seen.country} would still owe {missing} of {what} that it does not have.", "emp.H-18")
    now = BANDS.index(band_of(seen.confidence))
    for band in BANDS[: min(now, BANDS.index("normal"))]:
        ways = sum(_ways(roll) for roll, after in zip(ROLLS, seen.after, strict=True) if band_of(after) == band)
        if ways >= _WORTH_A_WORD:
            chance = f"In {ways} of {WAYS} rolls {seen.country} would be {_called(band)}"
            yield Doubt(f"{chance} and at its next turn {_MEANS[band]}.", "emp.H-16")


def _called(band: str) -> str:
    return band if band == "shaky" else f"in {'a ' if band == 'crisis' else ''}{band}"


_NEXT = {
    "shaky": "its next turn starts no factory",
    "crisis": "its next turn starts no factory and runs half of those it has",
    "collapse": "at its next turn no factory runs, nothing is built, nobody is born and nothing is attacked",
}
"""What a low confidence means."""


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
    """Income and expenses as the balance counts them; the share of the investment is what is left of the sum."""
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
