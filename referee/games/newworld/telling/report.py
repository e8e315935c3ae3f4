"""The report of a turn: phase by phase what happened, each die with its purpose, and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded
from referee.core.names import Seat
from referee.core.page import Block, Bullets, Grid, Heading, Note, Page, Paragraph
from referee.games.newworld.events.base import OpenEvent
from referee.games.newworld.events.fortunes import EventCame
from referee.games.newworld.events.trade import OfferAccepted, OfferDeclined, OfferMade, OfferWithdrawn
from referee.games.newworld.events.turns import GameEnded
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.scoring import tally
from referee.games.newworld.rulebook.rules import section_of
from referee.games.newworld.rulebook.tables import COLONIAL_CARDS, EUROPE, RESOURCES, TABLES
from referee.kit.reports import cited_once, standing
from referee.kit.wording import counted, in_a_row

_OFFERS = (OfferMade, OfferAccepted, OfferDeclined, OfferWithdrawn)
_WARNING = 4
"""Home territories lost from which a warning is given."""


def report(before: World, happened: Sequence[Event], after: World) -> Page:
    """The page of one phase of the match; everything in New World is public, so all read the same."""
    titles = [event.title for event in happened if isinstance(event, PhaseBegan)]
    told = [event for event in happened if not isinstance(event, (PhaseBegan, PhaseEnded))]
    sections = _sections(told)
    blocks = (
        *(block for name, items in sections for block in (Heading(name), Bullets(tuple(items)))),
        *_changes(before, after),
        *_meaning(after),
    )
    return Page(titles[0] if titles else "New World", _summary(told, after), tuple(cited_once(blocks)))


def _sections(told: Sequence[Event]) -> list[tuple[str, list[str]]]:
    """Sentences under the phase they belong to: a ruling under that which is going on, a draw in the event that follows it."""
    offers = [event.cited() for event in told if isinstance(event, _OFFERS)]
    sections: list[tuple[str, list[str]]] = [("Offers", offers)] if offers else []
    current = ""
    for event in told:
        if isinstance(event, (*_OFFERS, Drawn)) or not event.sentence():
            continue
        section = section_of(event.cites()) or current or "Set-up"
        if section != current or not sections:
            sections.append((section, []))
            current = section
        sections[-1][1].append(event.cited())
    return sections


def _summary(told: Sequence[Event], after: World) -> str:
    done = [event.deed() for event in told if isinstance(event, OpenEvent) and event.deed()]
    ended = [event.sentence() for event in told if isinstance(event, GameEnded)]
    left = COLONIAL_CARDS - after.claimed
    seats = [event.seat for event in told if isinstance(event, EventCame)]
    if not seats:
        return f"The lands are dealt out; {in_a_row(after.order)} play in this order."
    opening = f"{seats[0]} {in_a_row(done)}." if done else f"{seats[0]} has a quiet turn."
    return " ".join((opening, *(ended or [f"{counted(left, 'colonial territories')} left to claim."])))


def _changes(before: World, after: World) -> Iterator[Block]:
    """Every seat's numbers, with what changed."""
    yield Heading("Where everybody stands")
    was, now = ({_name(after, seat): _figures(world, seat) for seat in after.order} for world in (before, after))
    yield from standing((_HOLDINGS, _GOODS), was, now, bool(after.ended))
    if after.ended:
        rows = tuple((s.rank, s.seat, s.score, s.how) for s in tally(after).standings)
        yield Grid(("Place", "Player", "Culture", "Made of"), rows, "Final standings")


_HOLDINGS = ("Culture", "Territories", "Workers", "Fleets", "Armies")
_GOODS = tuple(name.capitalize() for name in RESOURCES if name != "workers")


def _figures(world: World, seat: Seat) -> dict[str, int]:
    power = world.powers[seat]
    units = {"Fleets": power.fleets, "Armies": sum(power.armies.values())}
    goods = {name.capitalize(): number for name, number in power.stock.items()}
    return {"Culture": world.culture(seat), "Territories": len(world.controlled(seat)), **units, **goods}


def _name(world: World, seat: Seat) -> str:
    return f"{seat} (out)" if world.powers[seat].out else seat


def _meaning(world: World) -> Iterator[Block]:
    deck = world.exploration
    yield Paragraph(
        f"Colonial territories claimed: {world.claimed} of {COLONIAL_CARDS}. "
        f"Exploration deck: {deck.left} left, {deck.discarded} discarded."
    )
    for seat in world.living if not world.ended else ():
        yield from _hungry(world, seat)
        lost = world.home_lost(seat)
        if lost >= _WARNING:
            text = f"{seat} has lost {lost} home territories; {TABLES.figures.home_lost} lost eliminate."
            yield Note(text, "warning")
        if not world.powers[seat].armies[EUROPE]:
            yield Note(f"{seat} has no army in Europe: an attack there succeeds by itself.", "hint")
    for territory in world.territories:
        if territory.rebels is not None:
            rebels = counted(territory.rebels, "revolutionary armies")
            yield Note(f"{territory.name} ({territory.owner or 'neutral'}) is in revolt with {rebels}.", "hint")


def _hungry(world: World, seat: Seat) -> Iterator[Note]:
    """What the next Upkeep will cost a seat as things stand; it comes before Production."""
    power = world.powers[seat]
    gone = [counted(n, name) for n, name in ((power.unfed, "workers"), (power.excess, "units")) if n]
    if gone:
        text = f"As things stand {seat} will lose {in_a_row(gone)} at its next Upkeep for want of food or gold."
        yield Note(text, "hint")
