"""What a seat may order now: step by step, as examples for HELP, as the next order sheet, and as a random player's sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.newworld.orders import BOOK, FIRST_HALF
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import goods_in_words
from referee.games.newworld.telling.forecast import forecast
from referee.kit.declared import AT_ONCE, Ahead

_EARLY = BOOK.verbs_of("Trade", "Research")
_AT_ONCE = BOOK.verbs_of(AT_ONCE)
_UPKEEP = ("DISCARD",)
_SECOND_SHEET = BOOK.verbs_of("Colonization", "Transport", "War")
_FIRST_SHEET = (*FIRST_HALF, *_SECOND_SHEET)


def ahead(world: World, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[World]:
    """The position in which an order of a verb is carried out after this sheet, if nothing else happens."""
    if _is_over(world, seat):
        return lambda _: world
    traded, after = forecast(world, seat, sheet)
    return lambda verb: world if verb in _AT_ONCE else traded if verb in _EARLY else after


def _is_over(world: World, seat: Seat) -> bool:
    return bool(world.powers[seat].out or world.ended) or world.active is None


def examples(world: World, seat: Seat) -> Mapping[str, str]:
    """A line for every verb and test that this position has one for, by the word."""
    if _is_over(world, seat) or not world.others(seat):
        return {}
    own, manned = world.sheet_of(seat), world.powers[seat].manned
    controls = {"CONTROLS": f"{seat} CONTROLS {own[0].good}"} if own else {}
    armies = {"armies": f"armies IN {next(iter(manned))} >= 1"} if manned else {}
    return BOOK.examples(ahead(world, seat), seat) | controls | armies


def suggest(world: World, seat: Seat, verbs: Sequence[str], pick: Pick) -> tuple[Intent, ...]:
    """A lawful sheet of a player who chooses at random, from these verbs."""
    return tuple(BOOK.suggest(ahead(world, seat), seat, verbs, pick))


def order_form(world: World, seat: Seat) -> tuple[str, ...]:
    """The next order sheet, half filled in, to be edited and sent back; lines that begin with # are only advice."""
    if _is_over(world, seat):
        return ()
    if world.in_sight(seat):
        return tuple(BOOK.form(ahead(world, seat), seat, _SECOND_SHEET))
    return (
        *_purse(world, seat),
        *_upkeep(world, seat),
        *BOOK.form(ahead(world, seat), seat, _FIRST_SHEET),
        *_offers(world, seat),
    )


def _purse(world: World, seat: Seat) -> Iterator[str]:
    now, then = world.powers[seat].stock, forecast(world, seat, ())[1].powers[seat].stock
    yield f"# {seat}: {goods_in_words(now)} on hand."
    yield f"# After Production, unless the event takes some: {goods_in_words(then)}."


def _upkeep(world: World, seat: Seat) -> Iterator[str]:
    """Which units go, where some must as things stand and there is a choice: Upkeep comes before whatever the sheet brings."""
    power = world.powers[seat]
    if power.excess and power.fleets and power.manned:
        yield from BOOK.form(lambda _: world, seat, _UPKEEP)


def _offers(world: World, seat: Seat) -> Iterator[str]:
    for offer in world.offers:
        if offer.to == seat and not offer.accepted:
            trade = f"{goods_in_words(offer.gives)} for {goods_in_words(offer.asks)}"
            yield f"# Offer {offer.number}: {offer.maker} gives you {trade}."
            yield f"# ACCEPT {offer.number}"
