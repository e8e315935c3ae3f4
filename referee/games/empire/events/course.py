"""The course of a match: the zero turn, slots and how they end, picks, refused orders, the end."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.atlas import read_board
from referee.games.empire.board import Board
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.moving import renewed
from referee.games.empire.kinds import KINDS
from referee.games.empire.state import City, Country, Empire, Lot, Unit
from referee.kit.ledger import Flow
from referee.kit.wording import in_a_row

__all__ = [
    "EVENTS",
    "BoardLaid",
    "CapitalPlaced",
    "CardsRanked",
    "ConfidenceRolled",
    "CountryDissolved",
    "FiatAnnounced",
    "FiatJudged",
    "GameEnded",
    "GovernmentLost",
    "GovernmentNamed",
    "OrderRefused",
    "PicksAppeared",
    "PicksChosen",
    "PicksLapsed",
    "RolledOut",
    "SlotCame",
    "SlotOpened",
    "WaysWalked",
    "ZeroTurnOpened",
]


# ---------------------------------------------------------------- the zero turn


class BoardLaid(OpenEvent, frozen=True):
    """The board of the match: drawn by hand, or generated from dice that everybody saw."""

    rule: ClassVar[str] = "emp.H-08"
    drawing: str

    def change(self, empire: Empire) -> Empire:
        return replace(empire, board=_board(self.drawing))

    def sentence(self) -> str:
        board = _board(self.drawing)
        return f"The board {board.name} was laid: {board.columns} columns of {board.rows} squares."


@lru_cache(maxsize=8)
def _board(drawing: str) -> Board:
    """The same board object for the same drawing, so that what is known of its ways is kept."""
    return read_board(drawing)


class FiatAnnounced(OpenEvent, frozen=True):
    """The Head changed a rule before the game and announced it (P1)."""

    rule: ClassVar[str] = "emp.P1"
    fiat: str
    meaning: str

    def sentence(self) -> str:
        return f"The Head of the Empire Association announced a change by fiat: {self.meaning}"


class FiatJudged(OpenEvent, frozen=True):
    """The players kept the fiat, or rejected it by simple majority before turn 1 (P1, H-05)."""

    rule: ClassVar[str] = "emp.H-05"
    rejected: bool
    against: tuple[Seat, ...]

    def change(self, empire: Empire) -> Empire:
        return replace(empire, options={**empire.options, "fiat": "none"}) if self.rejected else empire

    def sentence(self) -> str:
        count = f"{len(self.against)} voted against it"
        return f"The fiat {'is rejected' if self.rejected else 'stands'}: {count}."


class ZeroTurnOpened(OpenEvent, frozen=True):
    """The board lies; capitals are placed next."""

    rule: ClassVar[str] = "emp.P3"

    def change(self, empire: Empire) -> Empire:
        return replace(empire, stage="capitals", slot=1)

    def sentence(self) -> str:
        return "Capitals are placed next."


class CardsRanked(OpenEvent, frozen=True):
    """Everybody drew a card; high cards come first: ace high, spades, hearts, diamonds, clubs (P3)."""

    rule: ClassVar[str] = "emp.P3"
    what: str
    order: tuple[Seat, ...]
    cards: tuple[str, ...]

    def change(self, empire: Empire) -> Empire:
        return replace(empire, order=self.order)

    def sentence(self) -> str:
        drawn = [f"{seat} ({card})" for seat, card in zip(self.order, self.cards, strict=True)]
        return f"{self.what}: {in_a_row(drawn)}."


class CapitalPlaced(OpenEvent, frozen=True):
    """A capital was placed with everything a country starts with (P3, P4)."""

    rule: ClassVar[str] = "emp.P4"
    seat: Seat
    name: str
    at: str
    goods: tuple[tuple[str, int], ...]
    units: tuple[tuple[str, int], ...]
    confidence: int

    def change(self, empire: Empire) -> Empire:
        country = Country(str(self.seat), self.seat, confidence=self.confidence)
        empire = empire.with_country(country)
        empire = empire.with_city(City(self.name, self.at, country.name, 0, capital=True))
        number, units = empire.next_unit, dict(empire.units)
        for kind, count in self.units:
            for _ in range(count):
                units[number] = Unit(number, kind, country.name, self.at, status="city")
                number += 1
        lots = tuple(Lot(what, count, country.name, self.at, inside=self.name) for what, count in self.goods)
        return replace(empire, units=units, next_unit=number, lots=(*empire.lots, *lots))

    def flows(self) -> tuple[Flow, ...]:
        return tuple(Flow(f"{self.seat} {what}", count) for what, count in (*self.goods, *self.units))

    def sentence(self) -> str:
        return f"{self.seat} placed its capital {self.name} in {self.at}."


# ---------------------------------------------------------------- slots


class SlotCame(OpenEvent, frozen=True):
    """Whose slot comes next. `slot` numbers the player-turns and their reports."""

    rule: ClassVar[str] = "emp.P6"
    seat: Seat
    turn: int
    slot: int

    def change(self, empire: Empire) -> Empire:
        return replace(empire, stage="play", active=self.seat, turn=self.turn, slot=self.slot)

    def sentence(self) -> str:
        return f"Next: turn {self.turn}, {self.seat}."


class SlotOpened(OpenEvent, frozen=True):
    """A player's 24 hours began; what he owns has its 12 BTA again, unless it had them this turn under somebody else (P17)."""

    rule: ClassVar[str] = "emp.P6"
    seat: Seat

    def change(self, empire: Empire) -> Empire:
        mine = [country for country in empire.owned(self.seat) if country.held != empire.turn]
        for country in mine:
            empire = empire.with_country(replace(country, slot=empire.slot))
        return replace(renewed(empire, [country.name for country in mine]), wind="")

    def sentence(self) -> str:
        return ""


class OrderRefused(OpenEvent, frozen=True):
    """An order could not be carried out; the orders after it went on (H-02)."""

    rule: ClassVar[str] = "emp.H-02"
    seat: Seat
    line: int
    order: str
    why: str
    by_rule: str

    def cites(self) -> str:
        return self.by_rule or self.rule

    def sentence(self) -> str:
        return f"{self.seat}, line {self.line} was not carried out ({self.order.rstrip('.')}): {self.why}"


class RolledOut(OpenEvent, frozen=True):
    """A slot ended: the player rolled out, or was rolled out; the referee is the witness and this is the note (P6, P7, P10)."""

    rule: ClassVar[str] = "emp.P6"
    seat: Seat
    turn: int
    by: str
    late: int

    def change(self, empire: Empire) -> Empire:
        """He gives up his right to question earlier lines; his own of earlier slots stand as they are read (P23)."""
        lapsed = [d for d in empire.doubtful if d.seat == self.seat and d.by is None and d.slot < empire.slot]
        doubtful = (replace(d, waived=(*d.waived, self.seat)) for d in empire.doubtful if d not in lapsed)
        return replace(empire, doubtful=tuple(doubtful))

    def cites(self) -> str:
        return "emp.P6" if self.by == str(self.seat) else "emp.P10"

    def sentence(self) -> str:
        late = f", {self.late} full {'day' if self.late == 1 else 'days'} after the slot opened" if self.late else ""
        if self.by == str(self.seat):
            return f"{self.seat} rolled out{late}. The referee witnessed the roll."
        stands = "what was written stands, and what it implies"
        return f"{self.seat} was rolled out by {self.by}{late}; {stands}. The referee witnessed the roll."


class ConfidenceRolled(OpenEvent, frozen=True):
    """The roll of confidence of a country, and the modified roll for days it was late (P8)."""

    rule: ClassVar[str] = "emp.P8"
    country: str
    roll: int
    late: int
    modified: int

    def entry(self) -> str:
        """What stands under Roll on the economic record: `7`, or `7-->6` when the roll was modified."""
        return f"{self.roll}-->{self.modified}" if self.late else str(self.roll)

    def sentence(self) -> str:
        return f"{self.country}: confidence roll {self.entry()}."


class GovernmentLost(OpenEvent, frozen=True):
    """A country has no government coolie any more: confidence falls by 3 (H-07)."""

    rule: ClassVar[str] = "emp.H-07"
    country: str

    def change(self, empire: Empire) -> Empire:
        country = empire.countries[self.country]
        return empire.with_country(replace(country, leaderless=True, confidence=max(0, country.confidence - 3)))

    def sentence(self) -> str:
        return f"{self.country} lost its government coolie; its confidence falls by 3."


class GovernmentNamed(OpenEvent, frozen=True):
    """A regular coolie in a city became the government coolie (H-07)."""

    rule: ClassVar[str] = "emp.H-07"
    country: str
    unit: int

    def change(self, empire: Empire) -> Empire:
        named = empire.with_unit(replace(empire.units[self.unit], kind="government"))
        return named.with_country(replace(named.countries[self.country], leaderless=False))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} coolie", -1), Flow(f"{self.country} government", 1))

    def sentence(self) -> str:
        return f"Coolie {self.unit} became the government of {self.country}."


class CountryDissolved(OpenEvent, frozen=True):
    """A country with no city and no coolie is no more (H-07)."""

    rule: ClassVar[str] = "emp.H-07"
    country: str

    def change(self, empire: Empire) -> Empire:
        return empire.with_country(replace(empire.countries[self.country], dead=True))

    def sentence(self) -> str:
        return f"{self.country} has neither city nor coolie and is dissolved."


# ---------------------------------------------------------------- picks


class WaysWalked(OpenEvent, frozen=True):
    """Where a country's coolies went on turn 1: picks that cannot move must lie there (P5)."""

    rule: ClassVar[str] = "emp.P5"
    country: str
    squares: tuple[str, ...]

    def change(self, empire: Empire) -> Empire:
        return replace(empire, walked={**empire.walked, self.country: self.squares})

    def sentence(self) -> str:
        return ""


class PicksChosen(OpenEvent, frozen=True):
    """A country said which two things it picks, and along which squares (P5)."""

    rule: ClassVar[str] = "emp.P5"
    country: str
    picks: tuple[str, ...]
    path: tuple[str, ...] = ()

    def change(self, empire: Empire) -> Empire:
        paths = {**empire.pick_paths, self.country: self.path}
        return replace(empire, picks={**empire.picks, self.country: self.picks}, pick_paths=paths)

    def sentence(self) -> str:
        return f"{self.country} picks {in_a_row(self.picks)}."


class PicksAppeared(OpenEvent, frozen=True):
    """The picks are there: units in the capital, lines where coolies walked on turn 1 (P5)."""

    rule: ClassVar[str] = "emp.P5"
    country: str
    at: str
    units: tuple[str, ...]
    lines: tuple[tuple[str, str], ...] = ()

    def change(self, empire: Empire) -> Empire:
        for kind in self.units:
            status = "beach" if KINDS[kind].category == "naval" else ""
            empire = empire.with_unit(Unit(empire.next_unit, kind, self.country, self.at, 0, 0, status, empire.turn))
        lines = dict(empire.lines)
        for place, what in self.lines:
            lines[place] = (*lines.get(place, ()), what)
        picks = {**empire.picks, self.country: ("taken",)}
        return replace(empire, lines=lines, picks=picks)

    def flows(self) -> tuple[Flow, ...]:
        return tuple(Flow(f"{self.country} {kind}", 1) for kind in self.units)

    def sentence(self) -> str:
        kinds = [what for _, what in self.lines]
        ways = [f"{what} in {kinds.count(what)} places" for what in dict.fromkeys(kinds)]
        return f"The picks of {self.country} appeared: {in_a_row([*self.units, *ways]) or 'nothing'}."


class PicksLapsed(OpenEvent, frozen=True):
    """A country named no lawful picks by the end of its turn 2 and has lost them (P5)."""

    rule: ClassVar[str] = "emp.P5"
    country: str

    def change(self, empire: Empire) -> Empire:
        return replace(empire, picks={**empire.picks, self.country: ("taken",)})

    def sentence(self) -> str:
        return f"{self.country} named no picks by the end of its turn 2; they are lost."


# ---------------------------------------------------------------- the end


class GameEnded(OpenEvent, frozen=True):
    """The game is over (H-36)."""

    rule: ClassVar[str] = "emp.H-36"
    why: str
    winners: tuple[Seat, ...]
    score: int

    def change(self, empire: Empire) -> Empire:
        return replace(empire, ended=self.why, active=None)

    def sentence(self) -> str:
        first = "stands first" if len(self.winners) == 1 else "share the first place"
        return f"The game is over: {self.why}. {in_a_row(self.winners)} {first} with {self.score} points."


EVENTS: tuple[type[OpenEvent], ...] = (
    BoardLaid, FiatAnnounced, FiatJudged, ZeroTurnOpened, CardsRanked, CapitalPlaced, SlotCame, SlotOpened, OrderRefused,
    RolledOut, ConfidenceRolled, GovernmentLost, GovernmentNamed, CountryDissolved, WaysWalked, PicksChosen,
    PicksAppeared, PicksLapsed, GameEnded,
)  # fmt: skip
"""Every event class of this module."""
