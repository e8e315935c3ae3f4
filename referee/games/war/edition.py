"""The common ground of all editions of War! as a Game; each edition adds its own course, orders, letters and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from referee.core.chance import Chance
from referee.core.choices import Asking, nothing
from referee.core.event import Event
from referee.core.game import Options, Phase
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order, bare
from referee.core.page import Block, Grid, Heading
from referee.core.table import Script, Table
from referee.games.war.deeds import SINGULARS, line_of
from referee.games.war.orders.base import (
    STANDING,
    check_numbers,
)
from referee.games.war.orders.building import CONSTRUCT
from referee.games.war.orders.setup import AskPlacement, PlacePieces
from referee.games.war.phases.setup import placed_by
from referee.games.war.position import state as seating
from referee.games.war.position.state import War
from referee.games.war.reckoning import scoring
from referee.games.war.rulebook import BOARD, BRIGADES, BUILDINGS, COLOURS, Kind, plural
from referee.games.war.telling import drawing, report, sheets
from referee.games.war.telling.rehearsal import imagine_all
from referee.kit.declared import Book, Declared
from referee.kit.game import BaseGame, evolve
from referee.kit.refused import Refused

_OF_BOUGHT = tuple(order.words.verb for order in (PlacePieces, AskPlacement))


class Edition(BaseGame[War]):
    """The half of a Game that no edition has otherwise: seats, events, conditions, map and ledgers."""

    judges_in_time = True
    colours: ClassVar[Mapping[str, str]] = COLOURS
    book: ClassVar[Book[War]] = Book((), SINGULARS)
    kinds: ClassVar[Mapping[str, Kind]]
    buildings: ClassVar[Mapping[str, int]]

    refuse_options = staticmethod(seating.refuse_options)
    seat_players = staticmethod(seating.seat_players)
    score = staticmethod(scoring.tally)
    logs = staticmethod(sheets.logs)
    chart = staticmethod(drawing.chart)
    audit = staticmethod(sheets.audit)
    holds = staticmethod(scoring.holds)

    def seat_names(self, options: Options) -> tuple[str, ...]:
        return tuple(COLOURS)

    def rule_tables(self, state: War | None) -> tuple[Block, ...]:
        """The full prices of pieces and buildings."""
        army = ", ".join(f"{kind} {self.kinds[kind].price} PP" for kind in BRIGADES)
        units = (
            (kind.name, f"{kind.price} PP", f"{kind.moves} MP", f"a {kind.built_in}" if kind.built_in else "any region")
            for kind in self.kinds.values()
        )
        buildings = ((name, f"{price} PP", "", "a region of yours") for name, price in self.buildings.items())
        rows = (*units, ("army, of brigades", army, "", ""), *buildings)
        return Heading("Prices of pieces"), Grid(("Piece", "Costs", "Moves", "Built in"), rows)

    def standing_verbs(self) -> tuple[str, ...]:
        return self.book.verbs_of(STANDING)

    def asking(self, state: War, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Declared[War]]:
        """A sheet places the pieces that it has bought, and one that buys nothing places nothing."""
        if verb in _OF_BOUGHT:
            state = placed_by(state, seat, scoring.in_force(state, seat, sheet))
            if not state.unplaced:
                return nothing()
        return super().asking(state, seat, verb, sheet)

    def examples(self, state: War, seat: Seat) -> Mapping[str, str]:
        """A line for every test and for every verb in play that declares itself and is written by that verb."""
        found = examples(state, seat)
        if not found:
            return {}
        own = self.book.examples(self.ahead(state, seat), seat)
        if line := own.get(CONSTRUCT):  # as a line it is written BUILD, which says the same
            own[CONSTRUCT] = f"{CONSTRUCT} {line.partition(' ')[2]}"
        found |= {verb: line for verb, line in own.items() if line.startswith(verb)}
        words = self.vocabulary(state)
        known = {verb.word for verb in (*words.verbs, *words.predicates)}
        return {word: line for word, line in found.items() if word in known}

    def line(self, state: War, intent: Intent, seat: Seat | None = None, sheet: Sequence[Intent] = ()) -> str:
        return line_of(bare(intent))

    def imagined(self, state: War, seat: Seat, chance: Chance) -> War:
        table: Table[War] = Table("imagined", state, chance, evolve)
        imagine_all(table)
        return table.state

    def bind(self, state: War, seat: Seat, order: Order) -> Intent | Illegal:
        """Refused is what no earlier line of the same sheet can mend; the rest is left to the forecast and to play."""
        if seat in state.out:
            why = f"{seat} has been eliminated and gives no more orders."
            return Illegal(why, state.cite("27.victory.1"), order.verb)
        try:
            check_numbers(order)
            bound = self.book.bind(state, seat, order)
        except Refused as refusal:
            bound = refusal.illegal
        return replace(bound, rule=state.cite(bound.rule)) if isinstance(bound, Illegal) else bound

    def bind_later(self, state: War, seat: Seat, order: Order) -> Intent | Illegal:
        """In an IF or FOR TURN words and the map are judged, not what stands where today; it may be of another stage."""
        some_other_day = self.bind(replace(state, stage="movement", active=None), seat, order)
        if state.stage == "setup" and isinstance(some_other_day, Illegal):
            return self.bind(state, seat, order)
        return some_other_day

    def recount(self, events: Sequence[Event], state: War) -> tuple[str, ...]:
        """The events of the phase so far, in the lines of its report."""
        return report.recount(events)

    def living(self, state: War) -> tuple[Seat, ...]:
        return state.living


# ---------------------------------------------------------------- examples for HELP from a player's own position
# His regions, his neighbours, his fleets.


def examples(war: War, seat: Seat) -> dict[str, str]:
    """A line for every test that this position has one for, by the word."""
    own = war.regions_of(seat)
    return dict(_tests(war, seat)) if own and len(war.living) > 1 and seat not in war.out else {}


def _tests(war: War, seat: Seat) -> Iterator[tuple[str, str]]:
    own = war.regions_of(seat)
    home = max(own, key=lambda land: (land.brigades(seat), -BOARD.position(land.name))).name
    other = next(rival for rival in (*war.after(seat), *war.living) if rival != seat)
    yield "CONTROLS", f"{other} CONTROLS {next((land.name for land in war.regions_of(other)), home)}"
    for kind in (*(plural(kind) for kind in (*war.kinds, *BUILDINGS) if kind != "fleet"), "brigades"):
        yield kind, f"{kind} IN {home} >= 2"
    yield "IN REVOLT", f"{home} IN REVOLT"
    yield "WESTERNIZED", f"{home} WESTERNIZED"
    beyond = (name for land in own for name in BOARD.regions[land.name].borders)
    wild = next((name for name in beyond if war.lands[name].owner is None), "")
    if wild:
        yield "NATIVE", f"{wild} NATIVE"
        yield "GONE", f"{wild} GONE"
        yield "spheres", f"spheres IN {wild} >= 2"
    for fleet in war.fleets_of(seat)[:1]:
        yield "fleets", f"fleets IN {fleet.sea} >= 2"


def phase_of(
    war: War,
    set_up: Callable[[Table[War]], Script[None]],
    production: Callable[[Table[War]], Script[None]],
    movement_share: Callable[[Table[War], Seat], Script[None]],
    at: Callable[[Table[War]], Table[War]] = lambda table: table,
) -> Phase[War] | None:
    """The same of any edition, played at its table."""
    match war.stage:
        case "setup":
            return Phase("T0/setup", 0, "Set-up", lambda table: set_up(at(table)))
        case "production":
            title = f"Turn {war.turn}: production"
            return Phase(f"T{war.turn}/production", war.slot, title, lambda table: production(at(table)))
        case "movement":
            seat = war.active
            assert seat is not None  # a share of movement is always somebody's
            title = f"Turn {war.turn}, round {war.round}: {seat} moves"
            return Phase(war.share, war.slot, title, lambda table: movement_share(at(table), seat))
        case "over":
            return None
