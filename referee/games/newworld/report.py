"""Everything that players are shown after a turn: report, record sheets, and the audit of all that was told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded
from referee.core.names import Seat
from referee.core.page import Block, Bullets, Cell, Grid, Heading, Note, Page, Paragraph, Sheet
from referee.games.newworld.events import (
    EventCame,
    Gain,
    GameEnded,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    OfferWithdrawn,
    OpenEvent,
    TechnologyAdvanced,
    TerritoriesSettled,
    booked,
)
from referee.games.newworld.position import Deck, Power, World, tally
from referee.games.newworld.rulebook import (
    CARDS,
    COLONIAL_CARDS,
    EUROPE,
    REGIONS,
    RESOURCES,
    TABLES,
    TECHNOLOGIES,
    Holdings,
    goods_in_words,
    section_of,
)
from referee.kit.reports import chance_sheet, cited_once, events_sheet, standing
from referee.kit.stock import gathered, unbalanced
from referee.kit.wording import are, counted, in_a_row

# ---------------------------------------------------------------- the report of a turn
# Phase by phase what happened, each die with its purpose, and what it means.


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
    """The cost of the next Upkeep for a seat as things stand; it comes before Production."""
    power = world.powers[seat]
    gone = [counted(n, name) for n, name in ((power.unfed, "workers"), (power.excess, "units")) if n]
    if gone:
        text = f"As things stand {seat} will lose {in_a_row(gone)} at its next Upkeep for want of food or gold."
        yield Note(text, "hint")


# ---------------------------------------------------------------- record sheets
# A page for each player as the rulebook wants them, and the pages of the table.


def sheets(world: World) -> tuple[Sheet, ...]:
    """All record sheets of the match; everything is public."""
    return (*(_record(world, seat) for seat in world.order), _standings(world), _decks(world), _offers(world))


def logs(history: Sequence[Event]) -> tuple[Sheet, ...]:
    """Every event, and every die and draw."""
    return (events_sheet(history, "Turn"), chance_sheet(history, "Turn", "bag"))


# one player


def _record(world: World, seat: Seat) -> Sheet:
    """Military units, resources, technologies, European and colonial territories of one seat."""
    power = world.powers[seat]
    units = {"Fleets": power.fleets, **{f"Armies in {region}": power.armies[region] for region in REGIONS}}
    resources = {name.capitalize(): power.stock[name] for name in RESOURCES}
    grids = (
        _counts("Military units", units),
        _counts("Resources", resources),
        _counts("Technologies", {name: power.levels[name] for name in TECHNOLOGIES}),
        _europe(world, seat),
        _colonies(world, seat),
    )
    lost = world.home_lost(seat)
    notes = (
        f"Home territories lost: {lost}; {TABLES.figures.home_lost} lost eliminate.",
        f"Culture: {world.culture(seat)}.",
    )
    return Sheet(seat, f"Record sheet of {seat}" + (" (out)" if power.out else ""), grids, seat, notes)


def _counts(caption: str, numbers: Mapping[str, int]) -> Grid:
    return Grid(("Stat", "Number"), tuple(numbers.items()), caption)


def _europe(world: World, seat: Seat) -> Grid:
    held = [t for t in world.sheet_of(seat) if t.region == EUROPE]
    numbers = gathered(t.name for t in held)
    each = {t.name: goods_in_words(world.yields(t)) for t in held}
    rows = tuple((name, number, each[name]) for name, number in numbers.items())
    return Grid(("European territory", "Number", "Yields each"), rows, "European territories")


def _colonies(world: World, seat: Seat) -> Grid:
    rows = tuple(
        (
            t.name,
            t.region,
            goods_in_words(world.yields(t)),
            "quiet" if t.rebels is None else f"in revolt, rebels: {t.rebels}",
        )
        for t in world.sheet_of(seat)
        if t.region != EUROPE
    )
    return Grid(("Colonial territory", "Region", "Yields", "State"), rows, "Colonial territories")


# the table


def _standings(world: World) -> Sheet:
    rows = tuple((s.rank, s.seat, s.score, s.how) for s in tally(world).standings)
    grid = Grid(("Place", "Player", "Culture", "Made of"), rows, "Standings")
    return Sheet("standings", "Standings", (grid,), on_request=True)


def _decks(world: World) -> Sheet:
    piles = (("Exploration", world.exploration, world.claimed), ("Research", world.research, 0))
    rows = tuple((name, deck.left, deck.discarded, claimed) for name, deck, claimed in piles)
    summary = Grid(("Deck", "To draw", "Discarded", "Claimed"), rows, "Decks")
    explored = [card.name for card in CARDS]
    owners = {card: _claimed(world, card) for card in explored}
    grids = (
        summary,
        _pile("Exploration cards", explored, world.exploration, owners),
        _pile("Research cards", TECHNOLOGIES, world.research, {}),
    )
    note = f"{world.claimed} of {COLONIAL_CARDS} colonial territories {are(world.claimed)} claimed."
    return Sheet("decks", "Decks", grids, None, (note,))


def _claimed(world: World, card: str) -> str:
    held = [t for t in world.territories if t.region != EUROPE and t.name == card]
    owners = gathered(t.owner or "neutral" for t in held)
    return ", ".join(name if number == 1 else f"{name} {number}" for name, number in owners.items())


def _pile(caption: str, names: Sequence[str], deck: Deck, owners: Mapping[str, str]) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, deck.draw.get(name, 0), deck.discard.get(name, 0), owners.get(name, "")) for name in names
    )
    return Grid(("Card", "To draw", "Discarded", "Held by"), rows, caption)


def _offers(world: World) -> Sheet:
    rows = tuple(
        (o.number, o.maker, o.to, goods_in_words(o.gives), goods_in_words(o.asks), "yes" if o.accepted else "no")
        for o in world.offers
    )
    grid = Grid(("Offer", "By", "To", "Gives", "Asks", "Accepted"), rows, "Offers on the table")
    return Sheet("offers", "Trade offers", (grid,))


# ---------------------------------------------------------------- the audit
# Every resource, unit, level and card of the match recomputed from the events alone, paid as they say it was.
#
# Prices belong to the rules that played a phase, and these may have other ones: they are only asked to be one
# throughout what the same rules played (`charged`).


_RESEARCH_CARDS = len(TECHNOLOGIES) * TABLES.names.copies_of_research_card


def audit(before: World, happened: Sequence[Event], after: World) -> tuple[str, ...]:
    """One sentence for each account that does not balance, and for each deck that has lost or found a card."""
    gone = tuple(f"{power.seat}:" for power in after.powers.values() if power.out)
    starts = {event.seat: event.begins_with(before) for event in happened if isinstance(event, TerritoriesSettled)}
    begun = (flow for seat, start in starts.items() for flow in booked(_start(seat, start)))
    flows = chain(begun, *(event.flows() for event in happened if isinstance(event, OpenEvent)))
    kept = (flow for flow in flows if not flow.account.startswith(gone))
    alike = before.nationalities or all(one == other for one, other in pairwise(starts.values()))
    odd = () if alike else ("Not everybody starts with the same.",)
    balance = unbalanced(_accounts(before, gone), kept, _accounts(after, gone))
    return (*balance, *odd, *charged(happened), *_deck_accounts(after), *_below_nothing(after), *_left_behind(after))


def _start(seat: Seat, start: Holdings) -> Gain:
    return Gain(seat, start.resources, start.fleets, {EUROPE: start.armies}, gathered(start.technologies))


# what is held


def _accounts(world: World, gone: tuple[str, ...]) -> dict[str, int]:
    """Every account but those of seats eliminated by the end, whose goods vanish unwritten."""
    held = {name: n for power in world.powers.values() for name, n in _of_power(world, power)}
    held = {name: n for name, n in held.items() if not name.startswith(gone)}
    held["colonial territories claimed"] = world.claimed
    held["exploration cards to draw or discarded"] = world.exploration.left + world.exploration.discarded
    held["research cards to draw or discarded"] = world.research.left + world.research.discarded
    return held


def _of_power(world: World, power: Power) -> Iterator[tuple[str, int]]:
    yield f"{power.seat}: fleets", power.fleets
    yield f"{power.seat}: territories", len(world.sheet_of(power.seat))
    yield from ((f"{power.seat}: {name}", number) for name, number in power.stock.items())
    yield from ((f"{power.seat}: {name} level", number) for name, number in power.levels.items())
    yield from ((f"{power.seat}: armies in {name}", number) for name, number in power.armies.items())


def _deck_accounts(world: World) -> Iterator[str]:
    exploration = world.exploration.left + world.exploration.discarded + len(world.face_up) + world.claimed
    research = world.research.left + world.research.discarded + len(world.hand)
    if exploration != COLONIAL_CARDS:
        yield f"The exploration deck has {exploration} cards in all places, not {COLONIAL_CARDS}."
    if research != _RESEARCH_CARDS:
        yield f"The research deck has {research} cards in all places, not {_RESEARCH_CARDS}."


def _below_nothing(world: World) -> Iterator[str]:
    for power in world.powers.values():
        held = _of_power(world, power)
        yield from (f"{name} is {number}, below nothing." for name, number in held if number < 0)


def _left_behind(world: World) -> Iterator[str]:
    for power in world.powers.values():
        if power.out and (power.units or any(power.stock.values()) or world.sheet_of(power.seat)):
            yield f"{power.seat} is eliminated and still holds something."


# what was charged


def charged(happened: Iterable[Event]) -> tuple[str, ...]:
    """One sentence for each thing that was not at one whole price throughout what the same rules played."""
    prices, levels = defaultdict[str, set[tuple[tuple[str, int], ...]]](set), dict[int, int]()
    odd = list[str]()
    for event in happened:
        if isinstance(event, OpenEvent) and (sale := event.charged()):
            thing, amount, paid = sale
            if amount < 1 or any(number % amount for number in paid.values()):
                odd.append(f"{goods_in_words(paid)} is no price for {amount} of {thing}.")
            else:
                prices[thing].add(tuple((name, number // amount) for name, number in sorted(paid.items())))
        if isinstance(event, TechnologyAdvanced):
            levels[event.level] = event.gold
    odd += [f"{thing} had {len(asked)} prices." for thing, asked in prices.items() if len(asked) > 1]
    known = sorted(levels.items())
    steps = {Fraction(dearer - price, high - low) for (low, price), (high, dearer) in pairwise(known)}
    return (*odd, *(["levels of technologies do not rise in price by equal steps."] if len(steps) > 1 else []))
