"""The orders that a seat may give now, and the effects of its sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.choices import Pick
from referee.core.event import Event
from referee.core.game import Fortune, Odds
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, bare, due
from referee.core.table import Script, Table
from referee.games.newworld.events import (
    AttackBeaten,
    AttackLaunched,
    ColonyClaimed,
    OrderFellShort,
    TechnologyAdvanced,
    TerritoryTaken,
    UnitsLost,
)
from referee.games.newworld.orders import BOOK
from referee.games.newworld.orders.army import AttackRegion
from referee.games.newworld.orders.base import TurnOrder
from referee.games.newworld.orders.spending import ColonizeCards, ResearchTechnologies, Wish, fits
from referee.games.newworld.phases import (
    PURCHASE_PHASES,
    TO_EXPLORATION,
    TO_RESEARCH,
    TO_THE_END,
    PhaseScript,
    colonization_phase,
    is_quiet,
    production_phase,
    trade_phase,
    transport_phase,
    upkeep_phase,
)
from referee.games.newworld.position import Deck, Kind, Power, Turn, World, holds
from referee.games.newworld.rulebook import CARDS, EUROPE, TABLES, TECHNOLOGIES
from referee.games.newworld.war_phase import attack_doubts, is_hit, war_phase
from referee.kit.bare_stage import played_out
from referee.kit.declared import AT_ONCE, Ahead, once_a_position
from referee.kit.fields import ANY
from referee.kit.game import evolve
from referee.kit.odds import drawn_at_least_one, successes
from referee.kit.stock import gathered
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- forecast
# The effects of a sheet if nothing else happened, found by playing the rules themselves on a scratch table.


_TO_TRADE: tuple[PhaseScript, ...] = (upkeep_phase, production_phase, trade_phase)

_AT_MOST = 20


def forecast(world: World, seat: Seat, sheet: Sequence[Intent]) -> tuple[World, World]:
    """A seat's next turn, or what is left of it, without event, research and exploration: after Trade, and at its end."""
    known = _unordered(world)
    if not sheet and seat in known:
        return known[seat]
    (traded, _), (after, _) = _played(world, seat, sheet)
    if not sheet:
        known[seat] = traded, after
    return traded, after


@once_a_position(8)
def _unordered(world: World) -> dict[Seat, tuple[World, World]]:
    """The forecast without orders, seat by seat: every choice, form and example of a position begins with that."""
    return {}


class _Watched(Turn, frozen=True):
    """A turn of which it is noted why orders bring nothing where they come to be carried out."""

    idle: list[Doubt] = []

    def wanted(self, table: Table[World], *kinds: type[Kind]) -> Iterator[Kind]:
        for order in super().wanted(table, *kinds):
            self.idle.extend(_idle(order, table.state, self.seat))
            yield order


def _idle(intent: Intent, world: World, seat: Seat) -> Iterator[Doubt]:
    """Why nothing will come of an order, though it is lawful."""
    if isinstance(intent, TurnOrder) and (why := intent.idle(world, seat)):
        yield Doubt(f"As things stand nothing comes of it, or not of all: {intent.clause}; {why}.", why.illegal.rule)


def _played(
    world: World, seat: Seat, sheet: Sequence[Intent], idle: list[Doubt] | None = None
) -> Iterator[tuple[World, tuple[OrderFellShort, ...]]]:
    """The position after Trade, then that at the end, each with the orders that fell short on the way to it.

    `idle` is told why others bring nothing.
    """
    heard: list[Event] = []
    table = Table("forecast", world, Scripted(()), evolve)
    table.heard = heard.append
    turn = Turn("forecast", seat, tuple(sheet)) if idle is None else _Watched("forecast", seat, tuple(sheet), idle)
    past = world.in_sight(seat)
    for phases in (() if past else _TO_TRADE, (transport_phase,) if past else (*PURCHASE_PHASES, transport_phase)):
        heard.clear()
        for phase in phases:
            played_out(phase(table, turn), seat, lambda: (in_force(table.state, seat, sheet),))
        yield table.state, tuple(event for event in heard if isinstance(event, OrderFellShort))


def fell_short(world: World, seat: Seat, sheet: Sequence[Intent]) -> bool:
    """Whether an order of a sheet would not be done, or not wholly, as things stand."""
    return any(short for _, short in _played(world, seat, sheet))


def doubts(world: World, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """Lawful lines of a sheet that will probably disappoint, as things stand."""
    if world.powers[seat].out or world.active is None:
        return ()
    found: dict[Doubt, None] = {}
    for doubt in _found(world, seat, sheet):
        found[doubt] = None
        if len(found) == _AT_MOST:
            break
    return tuple(found)


def in_force(world: World, seat: Seat, sheet: Sequence[Intent]) -> tuple[Intent, ...]:
    """The orders of a sheet that stand in a position."""
    return tuple(due(sheet, partial(holds, world, seat)))


def _found(world: World, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """One after the other, so that those beyond the last that is told are not looked for."""
    reached, idle = list[World](), list[Doubt]()
    for position, short in _played(world, seat, sheet, idle):
        reached.append(position)
        for event in short:
            sentence = f"As things stand this will not be done, or not wholly: {event.order}; {event.why}."
            yield Doubt(sentence, event.by_rule, True)
    traded, after = reached
    yield from idle
    for kind, position in ((ResearchTechnologies, traded), (ColonizeCards, after)):
        for intent in in_force(position, seat, sheet):
            yield from _idle(intent, position, seat) if isinstance(intent, kind) else ()
    final = in_force(after, seat, sheet)
    yield from attack_doubts(after, seat, [i for i in final if isinstance(i, AttackRegion)])
    if any(not isinstance(bare(intent), AttackRegion) for intent in sheet):
        yield from _upkeep(after.powers[seat])
        yield from _europe(world, after, seat)


def _upkeep(power: Power) -> list[Doubt]:
    """A look ahead to the next Upkeep, which comes before Production."""
    stock, found = power.stock, []
    if power.unfed:
        sentence = f"You will have {stock['workers']} workers and {stock['food']} food: the next Upkeep discards some."
        found.append(Doubt(sentence, "nw.upkeep.workers", loss=True))
    if power.excess:
        have = f"{power.units} fleets and armies, and food and gold for {power.supplied} at the next Upkeep"
        sentence = (
            f"You will have {have}, which comes before you produce; those beyond are lost unless you get more by then."
        )
        found.append(Doubt(sentence, "nw.upkeep.units", loss=True))
    return found


def _europe(world: World, after: World, seat: Seat) -> list[Doubt]:
    if world.powers[seat].armies[EUROPE] and not after.powers[seat].armies[EUROPE]:
        return [Doubt("Europe is left without an army: anybody with one there can take a territory.", "nw.r24")]
    return []


# ---------------------------------------------------------------- what a seat may order now
# Step by step, as examples for HELP, as the next order sheet, and as a random player's sheet.


_EARLY = BOOK.verbs_of("Trade", "Research")
_AT_ONCE = BOOK.verbs_of(AT_ONCE)


def ahead(world: World, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[World]:
    """The position in which an order of a verb is carried out after this sheet, if nothing else happens."""
    if is_over(world, seat):
        return lambda _: world
    traded, after = forecast(world, seat, sheet)
    return lambda verb: world if verb in _AT_ONCE else traded if verb in _EARLY else after


def is_over(world: World, seat: Seat) -> bool:
    """Whether a seat orders nothing any more."""
    return bool(world.powers[seat].out or world.ended) or world.active is None


def examples(world: World, seat: Seat) -> Mapping[str, str]:
    """A line for every verb and test that this position has one for, by the word."""
    if is_over(world, seat) or not world.others(seat):
        return {}
    own, manned = world.sheet_of(seat), world.powers[seat].manned
    controls = {"CONTROLS": f"{seat} CONTROLS {own[0].good}"} if own else {}
    armies = {"armies": f"armies IN {next(iter(manned))} >= 1"} if manned else {}
    return BOOK.examples(ahead(world, seat), seat) | controls | armies


def suggest(world: World, seat: Seat, verbs: Sequence[str], pick: Pick) -> tuple[Intent, ...]:
    """A lawful sheet of a player who chooses at random, from these verbs."""
    return tuple(BOOK.suggest(ahead(world, seat), seat, verbs, pick))


# ---------------------------------------------------------------- rehearsal
# A turn played out alone for PREVIEW, as if no event came, and its chances: research, exploration, battles, the event.


_Sheets = tuple[Sequence[Intent], Sequence[Intent]]
"""Orders and standing orders."""

_FACES = range(1, 7)
_HITS = [face for face in _FACES if is_hit(face)]
_MISSES = [face for face in _FACES if not is_hit(face)]
_MANY = 500
"""More dice than any battle rolls."""


# ---------------------------------------------------------------- a turn alone


def rehearse(table: Table[World], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
    """The phases of a seat's next turn but the event's, or those that are left of the turn it is in."""
    turn, past = Turn(table.phase, seat, tuple(sheet)), table.state.in_sight(seat)
    if table.state.active is None:
        return
    if not past:
        table.state = replace(table.state, active=seat, extra="", explored=False, face_up=(), hand=())
        for phase in (*TO_RESEARCH, *TO_EXPLORATION):
            yield from phase(table, turn)
    yield from colonization_phase(table, turn, seen=past)
    for phase in TO_THE_END:
        yield from phase(table, turn)


# ---------------------------------------------------------------- what came of it


def fortunes(seat: Seat, before: World, events: Sequence[Event], after: World) -> Iterator[Fortune]:
    """Advances bought, colonies claimed, attacks and what they cost, orders that fell short."""
    for event in events:
        if isinstance(event, TechnologyAdvanced):
            yield Fortune("Research", f"you reach {event.technology} {event.level}")
    claimed = sum(isinstance(event, ColonyClaimed) for event in events)
    if claimed:
        yield Fortune("Colonization", f"you claim {counted(claimed, 'territories')}")
    yield from _attacks(seat, events)
    for event in events:
        if isinstance(event, OrderFellShort) and event.seat == seat:
            order = event.order[:1].upper() + event.order[1:]
            yield Fortune(order, f"not done, or not wholly ({event.why})", event.sentence())


def _attacks(seat: Seat, events: Sequence[Event]) -> Iterator[Fortune]:
    about = ""
    for event in events:
        if isinstance(event, AttackLaunched):
            about = f"Your attack on {event.foe} in {event.region}"
            lost = [e for e in events if isinstance(e, UnitsLost) and e.seat == seat and e.why.endswith(event.region)]
            yield Fortune(f"Your losses in {event.region}", _losses(lost))
        elif isinstance(event, TerritoryTaken):
            yield Fortune(about, f"you take {event.name}")
        elif isinstance(event, AttackBeaten):
            yield Fortune(about, "you take nothing")


def _losses(lost: Sequence[UnitsLost]) -> str:
    fleets, armies = sum(e.fleets for e in lost), sum(sum(e.armies.values()) for e in lost)
    parts = ((armies, "armies"), (fleets, "fleets"))
    return in_a_row([counted(number, name) for number, name in parts if number]) or "none"


def holdings(world: World, seat: Seat) -> Mapping[str, int]:
    """Resources, Workers, units and culture."""
    power = world.powers[seat]
    armies = sum(power.armies.values())
    return {**power.stock, "fleets": power.fleets, "armies": armies, "points of culture": world.culture(seat)}


# ---------------------------------------------------------------- what can be calculated


def odds(world: World, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> tuple[Odds, ...]:
    """The event; cards that research and exploration may bring; battles that hang on nothing drawn before."""
    if world.active is None or world.powers[seat].out:
        return ()
    return tuple(_calculated(world, seat, sheet, standing))


def _calculated(world: World, seat: Seat, sheet: Sequence[Intent], standing: Sequence[Intent]) -> Iterator[Odds]:
    traded, after = forecast(world, seat, sheet)
    research, final = in_force(traded, seat, sheet), in_force(after, seat, sheet)
    learns = any(isinstance(intent, ResearchTechnologies) for intent in research) and not world.in_sight(seat)
    if not world.in_sight(seat):
        yield from (*_event(), *_research_tried(world, seat, research), *_cards(world, seat, final))
    if not learns and sum(isinstance(intent, AttackRegion) for intent in final) == 1:
        # what one attack costs is missing in the next, and what is learnt adds dice: those are for trials
        yield from _battles(replace(after, active=seat), seat, (sheet, standing))


def _event() -> Iterator[Odds]:
    """nw.event.check; the rest of this preview is of a turn without one."""
    about = "The event of your turn, which nothing else here counts in"
    names = gathered(TABLES.events.names)
    quiet = Fraction(sum(map(is_quiet, _FACES)), 6)
    yield Odds(about, "none", quiet)
    for often in dict.fromkeys(names.values()):
        alike = [name for name, number in names.items() if number == often]
        each = f"each of {in_a_row(alike)}" if len(alike) > 1 else alike[0]
        yield Odds(about, each, (1 - quiet) * Fraction(often, sum(names.values())))


def _research_tried(world: World, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Odds]:
    """nw.research.draw: whether a card that is wanted comes; whether it can be paid is another matter."""
    number = world.powers[seat].drawn
    wanted = [wish.technology for i in sheet if isinstance(i, ResearchTechnologies) for wish in i.technologies]
    for technology in dict.fromkeys(t for t in wanted if t in TECHNOLOGIES):
        chance = _drawn(world.research, {technology}, number)
        yield Odds(f"{counted(number, 'research cards')} drawn", f"one of {technology}", chance)


def _cards(world: World, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Odds]:
    """nw.exploration.draw: whether a territory that is wished for is turned up."""
    number = world.powers[seat].turned_up
    wishes = [wish for i in sheet if isinstance(i, ColonizeCards) for wish in i.wishes]
    chances = {}
    for wish in wishes:
        good = {card.name for card in CARDS if fits(card, wish)}
        chances[wish.kind()] = _drawn(world.exploration, good, number)
    for kind, chance in chances.items():
        if kind != Wish(ANY).kind() or chance < 1:
            yield Odds(f"{counted(number, 'territories')} turned up", kind, chance)


def _drawn(deck: Deck, good: set[str], number: int) -> Fraction:
    """The chance of at least one good card; when the deck runs out, the discards are shuffled into a new one (nw.r16)."""
    first = min(number, deck.left)
    missed = 1 - drawn_at_least_one(deck.left, _number(deck.draw, good), first)
    again = 1 - drawn_at_least_one(deck.discarded, _number(deck.discard, good), min(number - first, deck.discarded))
    return 1 - missed * again


def _number(cards: Mapping[str, int], good: set[str]) -> int:
    return sum(number for name, number in cards.items() if name in good)


# ---------------------------------------------------------------- battles


def _battles(world: World, seat: Seat, sheets: _Sheets) -> Iterator[Odds]:
    """A single attack, for every number of sixes on both sides, as the forces will stand."""
    ours, theirs = _dice(world, seat, sheets)
    hit, miss, chance = _HITS[0], _MISSES[0], Fraction(len(_HITS), len(_FACES))
    found: dict[Fortune, Fraction] = {}
    for hits, p in successes(ours, chance).items():
        for suffered, q in successes(theirs, chance).items():
            faces = [hit] * hits + [miss] * (ours - hits) + [hit] * suffered + [miss] * (theirs - suffered)
            for fortune in dict.fromkeys(_attacks(seat, _fought(world, seat, sheets, faces))):
                found[fortune] = found.get(fortune, Fraction(0)) + p * q
    for fortune, chance in sorted(found.items(), key=lambda item: (item[0].about, -item[1])):
        yield Odds(fortune.about, fortune.what, chance)


def _dice(world: World, seat: Seat, sheets: _Sheets) -> tuple[int, int]:
    """How many dice both sides roll; none where there is no battle."""
    launched = [e for e in _fought(world, seat, sheets, [1] * _MANY) if isinstance(e, AttackLaunched)]
    return sum(n for e in launched for _, n in e.strength), sum(n for e in launched for _, n in e.defence)


def _fought(world: World, seat: Seat, sheets: _Sheets, faces: Sequence[int]) -> list[Event]:
    """The War Phase with these faces; the attacker's losses are his own to choose, others' by rule."""
    heard: list[Event] = []
    orders, standing = (tuple(sheet) for sheet in sheets)
    table = Table("preview", world, Scripted(faces), evolve)
    table.heard = heard.append

    def now() -> tuple[Sequence[Intent], ...]:
        return in_force(table.state, seat, orders), in_force(table.state, seat, standing)

    played_out(war_phase(table, Turn("preview", seat, orders)), seat, now)
    return heard
