"""The twelve phases of a turn, in the order of play: events with their robbers and revolutions, upkeep, production, and so on.
They read like their paragraphs and cite their rule ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from referee.core.choices import Choice, placed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf, Pace, Question, Several, Source
from referee.core.table import Script, Table
from referee.games.newworld.events import (
    CardsTurnedUp,
    ColoniesDiscarded,
    ColonyClaimed,
    ColonyRevolted,
    DeckReshuffled,
    EventCame,
    GoldRobbed,
    OpenEvent,
    ResearchDiscarded,
    ResearchDrawn,
    ResourcesGained,
    ResourcesLost,
    ResourcesProduced,
    TechnologyAdvanced,
    TradeDone,
    TradeVoided,
    UnitsLost,
    Yield,
)
from referee.games.newworld.orders import BOOK
from referee.games.newworld.orders.army import RobSeats
from referee.games.newworld.orders.base import TurnOrder, kept_in_words
from referee.games.newworld.orders.spending import (
    ColonizeCards,
    ResearchTechnologies,
    Wanted,
    choose_colonies,
    choose_research,
    price_of,
    yield_of,
)
from referee.games.newworld.position import Deck, Offer, Power, Territory, Turn, World, of_kind, yields
from referee.games.newworld.rulebook import REGIONS, TABLES, advance_price, card_named
from referee.games.newworld.war_phase import FLEETS, Pool, most_armies, picked, pool_of, stated_losses, war_phase
from referee.kit.fields import ANY, meant
from referee.kit.refused import Refused
from referee.kit.stock import covers, gathered, more
from referee.kit.wording import are, counted, in_a_row

# ---------------------------------------------------------------- decks
# Drawing from a deck that is an unordered bag, with the reshuffle of nw.r16.


def card_options(cards: Sequence[str], meaning: Callable[[str, int], str]) -> list[Choice[int]]:
    """One option a card, with what its first or further copy means; the second of a kind is called `Finance 2`."""
    copies = [(card, cards[: place + 1].count(card)) for place, card in enumerate(cards)]
    words = (card if copy == 1 else f"{card} {copy}" for card, copy in copies)
    return [Choice(word, place, meaning(*copies[place])) for place, word in enumerate(words)]


def draw_cards(
    table: Table[World],
    name: str,
    deck: Callable[[World], Deck],
    count: int,
    rule: str,
    drawn: Callable[[tuple[str, ...]], OpenEvent],
) -> None:
    """nw.r16: draw `count` cards."""
    if count and not deck(table.state).left + deck(table.state).discarded:
        table.emit(drawn(()))
    missing = _draw(table, name, deck(table.state), count, rule, drawn)
    if missing and deck(table.state).discarded:
        table.emit(DeckReshuffled(name, deck(table.state).discarded))
        _draw(table, name, deck(table.state), missing, rule, drawn)


def _draw(
    table: Table[World], name: str, deck: Deck, count: int, rule: str, drawn: Callable[[tuple[str, ...]], OpenEvent]
) -> int:
    """Draw up to `count`; returns how many are missing."""
    if deck.left and count:
        cards = table.draw(f"the {name} deck", deck.draw, count, f"{name.capitalize()} cards", rule)
        table.emit(drawn(cards))
    return max(0, count - deck.left)


# ---------------------------------------------------------------- Event Phase, with the Revolution Rules


Board = Table[World]


def event_phase(table: Board, turn: Turn) -> Script[None]:
    """nw.event.check, and what each event of the table does."""
    (check,) = table.roll(1, 6, "Event check", "nw.event.check")
    if is_quiet(check):
        table.emit(EventCame(turn.seat))
        return
    (face,) = table.roll(1, 10, "Event table", "nw.event.check")
    came = EventCame(turn.seat, TABLES.events.names[face - 1])
    table.emit(came)
    name, rule, power = came.name, came.cites(), turn.power(table)

    def die(why: str) -> int:
        return table.roll(1, 6, why, rule)[0]

    def lose(resource: str, at_most: int) -> None:
        """nw.r2: never more than there is."""
        table.emit(ResourcesLost(turn.seat, resource, min(at_most, power.stock[resource]), name, rule))

    match name:
        case "Piracy":
            lose("gold", die("Gold lost to piracy"))
        case "Famine":
            lose("food", die("Food lost to famine"))
        case "Pestilence":
            lose("workers", 1)
        case "Privateers":
            victim = yield from _victim(table, turn)
            gold = min(die("Gold taken by privateers"), table.state.powers[victim].stock["gold"])
            table.emit(GoldRobbed(turn.seat, victim, gold))
        case "Prosperity":
            table.emit(ResourcesGained(turn.seat, "gold", die("Gold gained by prosperity"), name))
        case "Storms":
            table.emit(UnitsLost(turn.seat, min(1, power.fleets), {}, name, rule))
        case "Disease":
            region = yield from _sick_region(table, turn)
            table.emit(UnitsLost(turn.seat, 0, {region: 1} if region else {}, name, rule))
        case "Revolution":
            _revolution(table, turn)
        case _:  # Discovery and Invention: EventCame itself grants the extra phase.
            pass


def is_quiet(check: int) -> bool:
    """Whether no event comes (nw.event.check)."""
    return check < TABLES.figures.event


def _victim(table: Board, turn: Turn) -> Script[Seat]:
    """nw.r4: whom the privateers rob."""
    others = table.state.others(turn.seat)
    richest = max(others, key=lambda seat: table.state.powers[seat].stock["gold"])
    if len(others) == 1:
        return richest

    def named(sheet: Sequence[Intent]) -> Seat | None:
        wished = (v for intent in sheet if isinstance(intent, RobSeats) for v in intent.victims)
        return next((victim for victim in wished if victim in others), None)

    options = [Choice(s, s, f"has {table.state.powers[s].stock['gold']} gold") for s in others]
    text = "Your privateers are out: whom shall they rob?"
    question = Question(
        f"{turn.key}/event/victim", turn.seat, text, OneOf(options, richest), Pace.REPLY, "nw.r4", named
    )
    return (yield from table.ask(question)).value


def _sick_region(table: Board, turn: Turn) -> Script[str | None]:
    """nw.r3: where an army dies of it."""
    armies = turn.power(table).manned
    default = most_armies(armies)
    if default is None or len(armies) == 1:
        return default

    def named(sheet: Sequence[Intent]) -> str | None:
        order = [unit for unit in stated_losses(sheet) if unit is not None and unit.region in ("", *armies)]
        return next(iter(picked(armies, order, 1))) if order else None

    options = [placed(region, f"{number} there") for region, number in armies.items()]
    text = "Disease takes one of your armies: from which Region?"
    question = Question(f"{turn.key}/event/army", turn.seat, text, OneOf(options, default), Pace.REPLY, "nw.r3", named)
    return (yield from table.ask(question)).value


def _revolution(table: Board, turn: Turn) -> None:
    """nw.revolution.armies, nw.r6: one colony at random, in revolt already or not."""
    colonies = [t for t in table.state.sheet_of(turn.seat) if t.home is None]
    if colonies:
        colony = table.choose(colonies, "Colony in revolution", "nw.revolution.armies")
        (rebels,) = table.roll(1, 6, "Revolutionary armies", "nw.revolution.armies")
        table.emit(ColonyRevolted(turn.seat, colony.number, colony.name, rebels))


# ---------------------------------------------------------------- Upkeep Phase
# A limit on Workers and on units, not a payment (nw.r9).


Unit = tuple[str, int]
"""One unit of a pool: where it is, and its number there from 1."""


def upkeep_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.upkeep.workers, nw.upkeep.units"""
    unfed = turn.power(table).unfed
    if unfed:
        table.emit(ResourcesLost(turn.seat, "workers", unfed, "more Workers than food", "nw.upkeep.workers"))
    excess = turn.power(table).excess
    if excess:
        gone = yield from _units_to_go(table, turn, excess)
        armies = {region: gone[region] for region in REGIONS if gone.get(region)}
        why = "more units than food or gold"
        table.emit(UnitsLost(turn.seat, gone.get(FLEETS, 0), armies, why, "nw.upkeep.units"))


def _units_to_go(table: Table[World], turn: Turn, excess: int) -> Script[dict[str, int]]:
    """nw.r10"""
    pool = {place: number for place, number in pool_of(turn.power(table)).items() if number}
    if excess >= sum(pool.values()) or len(pool) == 1:
        return picked(pool, (), excess)

    def named(sheet: Sequence[Intent]) -> tuple[Unit, ...] | None:
        order = stated_losses(sheet, upkeep=True)
        return _units(picked(pool, order, excess)) if order else None

    menu = Several(_options(pool), excess, _units(picked(pool, (), excess)))
    text = f"Upkeep cannot keep all your units: which {excess} shall go?"
    question = Question(f"{turn.key}/upkeep", turn.seat, text, menu, Pace.REPLY, "nw.r10", named)
    answer = yield from table.ask(question)
    return _completed(pool, answer.value, excess)


def _options(pool: Pool) -> list[Choice[Unit]]:
    units = _units(pool)
    return [Choice(f"fleet {i}" if place == FLEETS else f"army {i} in {place}", (place, i)) for place, i in units]


def _units(pool: Pool) -> tuple[Unit, ...]:
    return tuple((place, i + 1) for place, number in pool.items() for i in range(number))


def _completed(pool: Pool, chosen: Iterable[Unit], excess: int) -> dict[str, int]:
    """nw.r10: the chosen units, and as many more as must go."""
    gone: dict[str, int] = {}
    for place, _ in chosen:
        gone[place] = gone.get(place, 0) + 1
    left = {place: number - gone.get(place, 0) for place, number in pool.items()}
    for place, number in picked(left, (), excess - sum(gone.values())).items():
        gone[place] = gone.get(place, 0) + number
    return gone


# ---------------------------------------------------------------- Production Phase
# Territories and technologies give resources.


def production_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.production.territories, nw.production.technologies, nw.production.colonies"""
    # nw.r7: colonies in revolt give nothing.
    world, seat = table.state, turn.seat
    territories = _territories(world.controlled(seat), world.options["coal"])
    yields = tuple(y for y in (*territories, *_technologies(world, seat)) if y.gives)
    gains: dict[str, int] = {}
    for source in yields:
        gains = more(gains, source.gives)
    table.emit(ResourcesProduced(turn.seat, gains, yields))
    yield from ()


@lru_cache(maxsize=256)
def _territories(held: tuple[Territory, ...], coal: str) -> tuple[Yield, ...]:
    """The yields of these territories; remembered, for every letter about a turn foresees its production."""
    each = {t.good if t.home else t.name: yields(t, coal) for t in held}
    numbers = gathered(t.good if t.home else t.name for t in held)
    return tuple(_several(number, name, each[name]) for name, number in numbers.items())


def _several(number: int, name: str, yields: Mapping[str, int]) -> Yield:
    gives = {resource: number * amount for resource, amount in yields.items()}
    return Yield(name if number == 1 else f"{number} {name}", gives)


def _technologies(world: World, seat: Seat) -> list[Yield]:
    levels = world.powers[seat].levels
    rates = TABLES.technology_yields.items()
    return [
        Yield(f"{name} {levels[name]}", {r: levels[name] * amount for r, amount in rate.items()})
        for name, rate in rates
        if levels[name]
    ]


# ---------------------------------------------------------------- Trade Phase
# Accepted offers, then the bank.


def trade_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.trade.players, nw.trade.bank"""
    for offer in table.state.offers:
        if offer.accepted and turn.seat in (offer.maker, offer.to):
            _carry_out(table, offer)
    yield from carrying_out(table, turn, "Trade")


def _carry_out(table: Table[World], offer: Offer) -> None:
    """nw.r12"""
    for payer, owed in ((offer.maker, offer.gives), (offer.to, offer.asks)):
        held = table.state.powers[payer].stock
        if not covers(held, owed):
            lacking = {name: number for name, number in owed.items() if held[name] < number}
            table.emit(TradeVoided(offer.number, payer, lacking))
            return
    table.emit(TradeDone(offer.number, offer.maker, offer.to, offer.gives, offer.asks))


# ---------------------------------------------------------------- Research Phase
# Cards drawn, and advances bought with them.


def research_phase(table: Table[World], turn: Turn, name: str = "research") -> Script[None]:
    """nw.research.draw, nw.research.price, nw.research.discard. `name` tells an extra phase from the normal one."""
    drawn = partial(ResearchDrawn, turn.seat)
    draw_cards(table, "research", lambda world: world.research, turn.power(table).drawn, "nw.research.draw", drawn)
    source = yield from _buy(table, turn, name)
    if table.state.hand:
        why = _too_dear(table, turn) if source is Source.STANDING else ""
        table.emit(ResearchDiscarded(turn.seat, table.state.hand, why))


def _too_dear(table: Table[World], turn: Turn) -> str:
    """The reasons why cards that a standing order may have named could not be paid; the script does not see that list."""
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


# ---------------------------------------------------------------- carrying out
# Phases in which orders are carried out one after the other as they are written, whatever else happens in them.


PhaseScript = Callable[[Table[World], Turn], Script[None]]


def carrying_out(table: Table[World], turn: Turn, phase: str) -> Script[None]:
    """Every order of a phase, as far as can be."""
    done = list[Event]()
    for order in turn.wanted(table, *BOOK.kinds_of(phase)):
        if isinstance(order, TurnOrder):
            done += order.do(table, turn, done)
    yield from ()


def _phase(name: str) -> PhaseScript:
    return partial(carrying_out, phase=name)


PURCHASE_PHASES = tuple(map(_phase, ("Worker", "Ship Building", "Raise Armies")))
transport_phase = _phase("Transport")


# ---------------------------------------------------------------- Exploration Phase
# Cards are turned up.


def exploration_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.exploration.draw, nw.r18"""
    count = turn.power(table).turned_up
    drawn = partial(CardsTurnedUp, turn.seat)
    draw_cards(table, "exploration", lambda world: world.exploration, count, "nw.exploration.draw", drawn)
    yield from ()


# ---------------------------------------------------------------- Colonization Phase
# Workers claim territories that lie face up.


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
        _explain_unclaimed(table, turn, orders, places, at_most)
        return places, ""
    text = f"Which of these territories will you claim? At most {at_most}, one worker each."
    menu = Several(card_options(face_up, lambda card, _: yield_of(card_named(card))), at_most)
    question = Question(f"{turn.key}/{name}", turn.seat, text, menu, Pace.REPLY, "nw.r19", wanted)
    answer = yield from table.ask(question)
    if answer.source is Source.ORDERS:
        _explain_unclaimed(table, turn, orders, answer.value, at_most)
    short = answer.source is Source.STANDING and len(answer.value) == at_most
    return answer.value, _limit(power, at_most) if short else ""


def _explain_unclaimed(
    table: Table[World], turn: Turn, orders: Sequence[ColonizeCards], places: Sequence[int], at_most: int
) -> None:
    """Tell what was wished for and not claimed: nothing of the kind turned up, or no more could be claimed."""
    face_up = table.state.face_up
    for order in orders:
        if not choose_colonies(face_up, order.wishes, 1):
            order.fell_short(table, turn, Refused("nothing of the kind was turned up", "nw.r19"))
        elif len(places) == at_most:
            named = [wish for wish in order.wishes if wish.good != ANY]
            if missed := [face_up[p] for p in choose_colonies(face_up, named, len(face_up)) if p not in places]:
                limit = _limit(turn.power(table), at_most)
                order.fell_short(table, turn, Refused(f"{in_a_row(missed)} lay there still when {limit}", "nw.r19"))


def _limit(power: Power, at_most: int) -> str:
    """The reason why a seat can claim no more."""
    level, claimed = power.levels["Transportation"], counted(at_most, "territories")
    why = f"as many as Transportation {level} allows" if at_most == level else "one for each worker there was"
    return f"{claimed} had been claimed, {why}"


TO_RESEARCH: tuple[PhaseScript, ...] = (upkeep_phase, production_phase, trade_phase, research_phase)
TO_EXPLORATION: tuple[PhaseScript, ...] = (*PURCHASE_PHASES, exploration_phase)
TO_THE_END: tuple[PhaseScript, ...] = (transport_phase, war_phase)
"""The phases in the order of nw.turn.phases: after the event, after research, after colonization."""
