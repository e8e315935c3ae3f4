"""Colonization Phase: Workers claim territories that lie face up."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.order import Intent
from referee.core.question import Pace, Question, Several, Source
from referee.core.table import Script, Table
from referee.games.newworld.events.cards import ColoniesDiscarded, ColonyClaimed
from referee.games.newworld.orders.colonize import ColonizeCards, choose_colonies, yield_of
from referee.games.newworld.phases.decks import card_options
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.reckoning.turn import Turn, of_kind
from referee.games.newworld.rulebook.tables import TABLES, card_named
from referee.kit.fields import ANY
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row


def colonization_phase(table: Table[World], turn: Turn, name: str = "colonize", seen: bool = False) -> Script[None]:
    """nw.colonization.claim, nw.colonization.discard. `seen`: the orders were written with the cards in sight."""
    places, why = yield from _claims(table, turn, name, seen)
    face_up = table.state.face_up
    for card in [face_up[place] for place in places]:
        table.emit(ColonyClaimed(turn.seat, card, TABLES.prices.colony))
    if table.state.face_up:
        table.emit(ColoniesDiscarded(table.state.face_up, why))


def _claims(table: Table[World], turn: Turn, name: str, seen: bool) -> Script[tuple[tuple[int, ...], str]]:
    """nw.r19: up to Transportation level, one Worker each; and why there were no more for a list among standing orders."""
    face_up, power = table.state.face_up, turn.power(table)
    at_most = min(power.claims, len(face_up))
    if at_most == 0:
        order = next(turn.wanted(table, ColonizeCards), None)
        if order and table.state.face_up:
            order.fell_short(table, turn, Refused("there is no worker to send", "nw.colonization.claim"))
        return (), ""

    def wanted(sheet: Sequence[Intent]) -> tuple[int, ...] | None:
        orders = of_kind(sheet, ColonizeCards)
        return choose_colonies(face_up, [w for o in orders for w in o.wishes], at_most) if orders else None

    orders = tuple(turn.wanted(table, ColonizeCards))
    if seen:
        places = wanted(orders) or ()
        _explain_rest(table, turn, orders, places, at_most)
        return places, ""
    text = f"Which of these territories will you claim? At most {at_most}, one worker each."
    menu = Several(card_options(face_up, lambda card, _: yield_of(card_named(card))), at_most)
    question = Question(f"{turn.key}/{name}", turn.seat, text, menu, Pace.REPLY, "nw.r19", wanted)
    answer = yield from table.ask(question)
    if answer.source is Source.ORDERS:
        _explain_rest(table, turn, orders, answer.value, at_most)
    short = answer.source is Source.STANDING and len(answer.value) == at_most
    return answer.value, _limit(power, at_most) if short else ""


def _explain_rest(
    table: Table[World], turn: Turn, orders: Sequence[ColonizeCards], places: Sequence[int], at_most: int
) -> None:
    """Tell what was wished for and not claimed: nothing of the kind turned up, or no more could be claimed."""
    face_up = table.state.face_up
    for order in orders:
        named = [wish for wish in order.wishes if wish.good != ANY]
        missed = [face_up[p] for p in choose_colonies(face_up, named, len(face_up)) if p not in places]
        if not choose_colonies(face_up, order.wishes, 1):
            order.fell_short(table, turn, Refused("nothing of the kind was turned up", "nw.r19"))
        elif missed and len(places) == at_most:
            limit = _limit(turn.power(table), at_most)
            order.fell_short(table, turn, Refused(f"{in_a_row(missed)} lay there still when {limit}", "nw.r19"))


def _limit(power: Power, at_most: int) -> str:
    """What keeps a seat from claiming more."""
    level, claimed = power.levels["Transportation"], counted(at_most, "territories")
    why = f"as many as Transportation {level} allows" if at_most == level else "one for each worker there was"
    return f"{claimed} had been claimed, {why}"
