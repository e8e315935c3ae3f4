"""Record sheets: a page for each player as the rulebook wants them, and the pages of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.page import Cell, Grid, Sheet
from referee.games.newworld.position.state import Deck, World
from referee.games.newworld.reckoning.scoring import tally
from referee.games.newworld.rulebook.tables import (
    CARDS,
    COLONIAL_CARDS,
    EUROPE,
    REGIONS,
    RESOURCES,
    TABLES,
    TECHNOLOGIES,
    goods_in_words,
)
from referee.kit.logs import chance_sheet, events_sheet
from referee.kit.stock import gathered
from referee.kit.wording import are


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
