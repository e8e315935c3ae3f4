"""A turn played out alone for PREVIEW, as if no event came, and its chances: research, exploration, battles, the event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from referee.core.chance import Scripted
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.rehearsal import Fortune, Odds
from referee.core.table import Script, Table
from referee.games.newworld.events.cards import ColonyClaimed, TechnologyAdvanced
from referee.games.newworld.events.fortunes import UnitsLost
from referee.games.newworld.events.turns import OrderFellShort
from referee.games.newworld.events.war import AttackBeaten, AttackLaunched, TerritoryTaken
from referee.games.newworld.orders.attack import AttackRegion
from referee.games.newworld.orders.colonize import ColonizeCards, Wish, fits
from referee.games.newworld.orders.research import ResearchTechnologies
from referee.games.newworld.phases import TO_EXPLORATION, TO_RESEARCH, TO_THE_END
from referee.games.newworld.phases.colonization import colonization_phase
from referee.games.newworld.phases.war import war_phase
from referee.games.newworld.position.state import Deck, World
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import CARDS, TABLES, TECHNOLOGIES
from referee.games.newworld.telling.forecast import forecast, in_force
from referee.kit.alone import played_out
from referee.kit.fields import ANY
from referee.kit.game import evolve
from referee.kit.odds import drawn_at_least_one, successes
from referee.kit.stock import gathered
from referee.kit.wording import counted, in_a_row

_Sheets = tuple[Sequence[Intent], Sequence[Intent]]
"""Orders and standing orders."""

_HIT = Fraction(1, 6)
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
        yield from (*_event(), *_research(world, seat, research), *_cards(world, seat, final))
    if not learns and sum(isinstance(intent, AttackRegion) for intent in final) == 1:
        # what one attack costs is missing in the next, and what is learnt adds dice: those are for trials
        yield from _battles(replace(after, active=seat), seat, (sheet, standing))


def _event() -> Iterator[Odds]:
    """nw.event.check; the rest of this preview is of a turn without one."""
    about = "The event of your turn, which nothing else here counts in"
    names = gathered(TABLES.events.names)
    quiet = Fraction(TABLES.figures.event - 1, 6)
    yield Odds(about, "none", quiet)
    for often in dict.fromkeys(names.values()):
        alike = [name for name, number in names.items() if number == often]
        each = f"each of {in_a_row(alike)}" if len(alike) > 1 else alike[0]
        yield Odds(about, each, (1 - quiet) * Fraction(often, sum(names.values())))


def _research(world: World, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Odds]:
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
    hit, miss = TABLES.figures.hit, TABLES.figures.hit % 6 + 1
    found: dict[Fortune, Fraction] = {}
    for hits, p in successes(ours, _HIT).items():
        for suffered, q in successes(theirs, _HIT).items():
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
