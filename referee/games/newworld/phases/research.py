"""Research Phase: cards drawn, and advances bought with them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from referee.core.order import Intent
from referee.core.question import Pace, Question, Several, Source
from referee.core.table import Script, Table
from referee.games.newworld.events.cards import ResearchDiscarded, ResearchDrawn, TechnologyAdvanced
from referee.games.newworld.orders.base import kept_in_words
from referee.games.newworld.orders.research import ResearchTechnologies, Wanted, choose_research, price_of
from referee.games.newworld.phases.decks import card_options, draw_cards
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.reckoning.turn import Turn, of_kind
from referee.games.newworld.rulebook.tables import advance_price
from referee.kit.fields import ANY, meant
from referee.kit.refused import Refused
from referee.kit.wording import are, in_a_row


def research_phase(table: Table[World], turn: Turn, name: str = "research") -> Script[None]:
    """nw.research.draw, nw.research.price, nw.research.discard. `name` tells an extra phase from the normal one."""
    drawn = partial(ResearchDrawn, turn.seat)
    draw_cards(table, "research", lambda world: world.research, turn.power(table).drawn, "nw.research.draw", drawn)
    source = yield from _buy(table, turn, name)
    if table.state.hand:
        why = _too_dear(table, turn) if source is Source.STANDING else ""
        table.emit(ResearchDiscarded(turn.seat, table.state.hand, why))


def _too_dear(table: Table[World], turn: Turn) -> str:
    """What a list among standing orders, which the script does not see, may have named and could not pay."""
    power = turn.power(table)
    each = {name: ResearchTechnologies((Wanted(name),)) for name in table.state.hand}
    dear = [(name, order) for name, order in each.items() if not choose_research(power, (name,), (order,))]
    return "; ".join(_unpaid(power, order, name) for name, order in dear)


def _buy(table: Table[World], turn: Turn, name: str) -> Script[Source | None]:
    """Cards bought, and who chose them; None where none could be."""
    power, hand = turn.power(table), table.state.hand
    if not choose_research(power, hand, (ResearchTechnologies((Wanted(ANY),)),)):
        order = next(turn.wanted(table, ResearchTechnologies), None)
        if order and hand:
            order.fell_short(table, turn, Refused("not enough gold for any card drawn", "nw.research.price"))
        return None

    def wanted(sheet: Sequence[Intent]) -> tuple[int, ...] | None:
        orders = of_kind(sheet, ResearchTechnologies)
        return choose_research(power, hand, orders) if orders else None

    def price(card: str, copy: int) -> str:
        level = power.levels[card] + copy
        return f"level {level} for {advance_price(level)} gold"

    menu = Several(card_options(hand, price), len(hand))
    text = f"Which of these cards will you buy with your {power.stock['gold']} gold, in this order?"
    question = Question(f"{turn.key}/{name}", turn.seat, text, menu, Pace.REPLY, "nw.r14", wanted)
    orders = tuple(turn.wanted(table, ResearchTechnologies))
    answer = yield from table.ask(question)
    for place in answer.value:
        _advance(table, turn, hand[place])
    if answer.source is Source.ORDERS:
        for order in orders:
            _explain_rest(table, turn, order, hand, [hand[place] for place in answer.value])
    return answer.source


def _explain_rest(
    table: Table[World], turn: Turn, order: ResearchTechnologies, hand: Sequence[str], bought: Sequence[str]
) -> None:
    """Tell what was named and not bought: the price of the cards that were drawn, and what was not drawn at all."""
    named = [wish for wish in order.technologies if wish.technology != ANY]
    missed = [w.technology for w in named if bought.count(w.technology) < meant(w.most, hand.count(w.technology))]
    undrawn = [w.technology for w in named if w.technology not in hand] if len(named) == len(order.technologies) else []
    why = [_unpaid(turn.power(table), order, name) for name in missed]
    why += [f"no card of {in_a_row(undrawn, 'or')} was drawn"] if undrawn else []
    if why:
        order.fell_short(table, turn, Refused("; ".join(why), "nw.research.price"))


def _unpaid(power: Power, order: ResearchTechnologies, name: str) -> str:
    aside = f" ({kept_in_words(order.keeping)} kept)" if order.keeping else ""
    gold = power.stock["gold"]
    return f"{name} {power.levels[name] + 1} costs {price_of(power, name)} gold and {gold} {are(gold)} left{aside}"


def _advance(table: Table[World], turn: Turn, technology: str) -> None:
    """nw.r13, nw.r14: the price of the level bought, while the gold lasts."""
    power = turn.power(table)
    price = price_of(power, technology)
    order = ResearchTechnologies((Wanted(technology),))
    if choose_research(power, (technology,), (order,)):
        table.emit(TechnologyAdvanced(turn.seat, technology, power.levels[technology] + 1, price))
        return
    gold = power.stock["gold"]
    order.fell_short(table, turn, Refused(f"it costs {price} gold and {gold} {are(gold)} left", "nw.research.price"))
