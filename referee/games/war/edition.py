"""What all editions of War! share as a Game; each edition adds its own course, orders, letters and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from referee.core.chance import Chance
from referee.core.choices import Asking, nothing
from referee.core.event import Event
from referee.core.game import Options
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order, bare
from referee.core.table import Table
from referee.games.war.deeds.muster import SINGULARS, line_of
from referee.games.war.orders.base import STANDING, check_numbers
from referee.games.war.orders.buildings import CONSTRUCT
from referee.games.war.orders.opening import AskPlacement, BuyPieces, PlacePieces
from referee.games.war.position import state as seating
from referee.games.war.position.state import War
from referee.games.war.reckoning import scoring
from referee.games.war.rulebook import COLOURS
from referee.games.war.telling import choices, report, sheets
from referee.games.war.telling.choices import examples
from referee.games.war.telling.drawing import chart
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

    refuse_options = staticmethod(seating.refuse_options)
    seat_players = staticmethod(seating.seat_players)
    score = staticmethod(scoring.tally)
    logs = staticmethod(sheets.logs)
    chart = staticmethod(chart.chart)
    audit = staticmethod(choices.audit)
    holds = staticmethod(scoring.holds)

    def seat_names(self, options: Options) -> tuple[str, ...]:
        return tuple(COLOURS)

    def standing_verbs(self) -> tuple[str, ...]:
        return self.book.verbs_of(STANDING)

    def asking(self, state: War, seat: Seat, verb: str, sheet: Sequence[Intent] = ()) -> Asking[Declared[War]]:
        """Nothing is placed by a sheet that buys nothing."""
        if verb in _OF_BOUGHT and not any(isinstance(bare(intent), BuyPieces) for intent in sheet):
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
        """What happened in the phase so far, in the lines of its report."""
        return report.recount(events)

    def living(self, state: War) -> tuple[Seat, ...]:
        return state.living
