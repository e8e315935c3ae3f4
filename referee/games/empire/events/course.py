"""How a match goes: set up, turns and slots begun and ended, won."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.record import BOT
from referee.games.empire.boards.draft import read_board
from referee.games.empire.events import OpenEvent
from referee.games.empire.events.moving import renewed
from referee.games.empire.position import Board, City, Lot, Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.budget import ARMED, with_berths
from referee.games.empire.rulebook import GOVERNMENT_LOST
from referee.games.empire.rulebook.kinds import KINDS, so_many
from referee.kit.stock import Flow
from referee.kit.wording import counted, in_a_row, in_utc

# ---------------------------------------------------------------- slots


class SlotCame(OpenEvent, frozen=True):
    """The player whose slot comes next. `slot` numbers the player-turns and their reports."""

    rule = "emp.P6"
    says = "Next: turn {turn}, {seat}."
    seat: Seat
    turn: int
    slot: int

    def change(self, empire: Empire) -> Empire:
        return replace(empire, stage="play", active=self.seat, turn=self.turn, slot=self.slot)


class SlotOpened(OpenEvent, frozen=True):
    """A player's 24 hours began; what he owns has its 12 BTA again, unless it had them this turn under somebody else (emp.P17)."""

    rule = "emp.P6"
    says = ""
    seat: Seat

    def change(self, empire: Empire) -> Empire:
        mine = [country for country in empire.owned(self.seat) if country.held != empire.turn]
        for country in mine:
            empire = empire.with_country(replace(country, slot=empire.slot))
        return replace(renewed(empire, [country.name for country in mine]), wind="")


class OrderRefused(OpenEvent, frozen=True):
    """An order could not be carried out; the orders after it went on (emp.H-02)."""

    rule = "emp.H-02"
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
    """A slot ended, rolled out; the referee is the witness, this is the note (emp.P6, emp.P7, emp.P10).

    `at` is the moment of the roll in seconds since 1970, 0 where nobody kept it.
    """

    rule = "emp.P6"
    seat: Seat
    turn: int
    by: str
    late: int
    at: int = 0

    def change(self, empire: Empire) -> Empire:
        """He gives up his right to question earlier lines; his own of earlier slots stand as they are read (emp.P23)."""
        lapsed = [d for d in empire.doubtful if d.seat == self.seat and d.by is None and d.slot < empire.slot]
        doubtful = (replace(d, waived=(*d.waived, self.seat)) for d in empire.doubtful if d not in lapsed)
        return replace(empire, doubtful=tuple(doubtful))

    @property
    def by_itself(self) -> bool:
        """Whether nobody else ended the slot: its player did, or the bot that plays the seat."""
        return self.by in (str(self.seat), BOT)

    def cites(self) -> str:
        return "emp.P6" if self.by_itself else "emp.P10"

    def sentence(self) -> str:
        late = f", {self.late} full {'day' if self.late == 1 else 'days'} after the slot opened" if self.late else ""
        witness = f"The referee witnessed the roll{f' on {in_utc(self.at)}' if self.at else ''}."
        if self.by_itself:
            return f"{self.seat} rolled out{late}. {witness}"
        stands = "the moves he had written stand, with all they imply"
        return f"{self.seat} was rolled out by {self.by}{late}; {stands}. {witness}"


class ConfidenceRolled(OpenEvent, frozen=True):
    """The roll of confidence of a country, and the modified roll for days it was late (emp.P8)."""

    rule = "emp.P8"
    country: str
    roll: int
    late: int
    modified: int

    def entry(self) -> str:
        """The entry under Roll on the economic record: `7`, or `7-->6` when the roll was modified."""
        return f"{self.roll}-->{self.modified}" if self.late else str(self.roll)

    def sentence(self) -> str:
        return f"{self.country}: confidence roll {self.entry()}."


class GovernmentLost(OpenEvent, frozen=True):
    """A country has no government coolie any more: confidence falls (emp.H-07)."""

    rule = "emp.H-07"
    says = f"{{country}} lost its government coolie; its confidence falls by {GOVERNMENT_LOST}."
    country: str

    def change(self, empire: Empire) -> Empire:
        country = empire.countries[self.country]
        return empire.with_country(
            replace(country, leaderless=True, confidence=max(0, country.confidence - GOVERNMENT_LOST))
        )


class GovernmentNamed(OpenEvent, frozen=True):
    """A regular coolie in a city became the government coolie (emp.H-07)."""

    rule = "emp.H-07"
    says = "Coolie {unit} became the government of {country}."
    country: str
    unit: int

    def change(self, empire: Empire) -> Empire:
        named = empire.with_unit(replace(empire.units[self.unit], kind="government coolie"))
        return named.with_country(replace(named.countries[self.country], leaderless=False))

    def flows(self) -> tuple[Flow, ...]:
        return (Flow(f"{self.country} coolie", -1), Flow(f"{self.country} government coolie", 1))


class CountryDissolved(OpenEvent, frozen=True):
    """A country with no city and no coolie is no more (emp.H-07)."""

    rule = "emp.H-07"
    says = "{country} has neither city nor coolie and is dissolved."
    country: str

    def change(self, empire: Empire) -> Empire:
        return empire.with_country(replace(empire.countries[self.country], dead=True))


# ---------------------------------------------------------------- the end


class GameEnded(OpenEvent, frozen=True):
    """The game is over (emp.H-36)."""

    rule = "emp.H-36"
    why: str
    winners: tuple[Seat, ...]
    score: int

    def change(self, empire: Empire) -> Empire:
        return replace(empire, ended=self.why, active=None)

    def sentence(self) -> str:
        if not self.winners:
            return f"The game is over: {self.why}. Nobody is ranked."
        first = "stands first" if len(self.winners) == 1 else "share the first place"
        return f"The game is over: {self.why}. {in_a_row(self.winners)} {first} with {self.score} points."


# ---------------------------------------------------------------- the zero turn


class BoardLaid(OpenEvent, frozen=True):
    """The board of the match: drawn by hand, or generated from dice that everybody saw."""

    rule = "emp.H-08"
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
    """The Head changed a rule before the game and announced it (emp.P1)."""

    rule = "emp.P1"
    says = "The Head of the Empire Association announced a change by fiat: {meaning}"
    fiat: str
    meaning: str


class FiatJudged(OpenEvent, frozen=True):
    """The players kept the fiat, or rejected it by simple majority before turn 1 (emp.P1, emp.H-05)."""

    rule = "emp.H-05"
    rejected: bool
    against: tuple[Seat, ...]

    def change(self, empire: Empire) -> Empire:
        return replace(empire, options={**empire.options, "fiat": "none"}) if self.rejected else empire

    def sentence(self) -> str:
        count = f"{len(self.against)} voted against it"
        return f"The fiat {'is rejected' if self.rejected else 'stands'}: {count}."


class ZeroTurnOpened(OpenEvent, frozen=True):
    """The board lies; capitals are placed next."""

    rule = "emp.P3"
    says = "Capitals are placed next."

    def change(self, empire: Empire) -> Empire:
        return replace(empire, stage="capitals", slot=1)


class CardsRanked(OpenEvent, frozen=True):
    """Everybody drew a card; high cards come first: ace high, spades, hearts, diamonds, clubs (emp.P3)."""

    rule = "emp.P3"
    what: str
    order: tuple[Seat, ...]
    cards: tuple[str, ...]

    def change(self, empire: Empire) -> Empire:
        return replace(empire, order=self.order)

    def sentence(self) -> str:
        drawn = [f"{seat} ({card})" for seat, card in zip(self.order, self.cards, strict=True)]
        return f"{self.what}: {in_a_row(drawn)}."


class CapitalPlaced(OpenEvent, frozen=True):
    """A capital was placed with everything a country starts with (emp.P3, emp.P4)."""

    rule = "emp.P4"
    says = "{seat} placed its capital {name} in {at}."
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


class ForcesGranted(OpenEvent, frozen=True):
    """A country that begins armed has its force: units and stores in the capital, ships where they lie (emp.H-37)."""

    rule = ARMED
    country: str
    city: str
    at: str
    harbour: str
    units: tuple[tuple[str, int], ...]
    ships: tuple[tuple[str, int], ...]
    goods: tuple[tuple[str, int], ...]

    def change(self, empire: Empire) -> Empire:
        docked = self.harbour == self.at
        city = empire.cities[self.city]
        empire = empire.with_city(replace(city, **with_berths(city, docked)))
        for kind in _each(self.units):
            empire = empire.with_unit(Unit(empire.next_unit, kind, self.country, self.at, status=_stands(kind)))
        for kind in _each(self.ships):
            status = "dock" if docked else "beach"
            empire = empire.with_unit(Unit(empire.next_unit, kind, self.country, self.harbour, status=status))
        for what, number in self.goods:
            empire = empire.with_lot(Lot(what, number, self.country, self.at, inside=self.city))
        return empire

    def flows(self) -> tuple[Flow, ...]:
        return tuple(Flow(f"{self.country} {what}", n) for what, n in (*self.units, *self.ships, *self.goods))

    def sentence(self) -> str:
        ships, units = (in_a_row([so_many(n, kind) for kind, n in some]) for some in (self.ships, self.units))
        where = "in dock there" if self.harbour == self.at else f"on the beach of {self.harbour}"
        stores = in_a_row([so_many(number, what) for what, number in self.goods])
        return f"{self.country} begins armed: {units} with an airport in {self.at}, {ships} {where}, and {stores}."


def _each(units: tuple[tuple[str, int], ...]) -> Iterator[str]:
    """The kinds one by one."""
    return (kind for kind, number in units for _ in range(number))


def _stands(kind: str) -> str:
    """People live in the city; planes stand on its airport."""
    return "city" if KINDS[kind].person else ""


# ---------------------------------------------------------------- picks


class WaysWalked(OpenEvent, frozen=True):
    """Where a country's coolies went on turn 1: picks that cannot move must lie there (emp.P5)."""

    rule = "emp.P5"
    says = ""
    country: str
    squares: tuple[str, ...]

    def change(self, empire: Empire) -> Empire:
        return replace(empire, walked={**empire.walked, self.country: self.squares})


class PicksChosen(OpenEvent, frozen=True):
    """A country said which two things it picks, and along which squares (emp.P5)."""

    rule = "emp.P5"
    country: str
    picks: tuple[str, ...]
    path: tuple[str, ...] = ()

    def change(self, empire: Empire) -> Empire:
        paths = {**empire.pick_paths, self.country: self.path}
        return replace(empire, picks={**empire.picks, self.country: self.picks}, pick_paths=paths)

    def sentence(self) -> str:
        return f"{self.country} picks {in_a_row(self.picks)}."


class PicksAppeared(OpenEvent, frozen=True):
    """The picks are there: units in the capital, lines where coolies walked on turn 1 (emp.P5)."""

    rule = "emp.P5"
    country: str
    at: str
    units: tuple[str, ...]
    lines: tuple[tuple[str, str], ...] = ()
    lost: tuple[tuple[str, int], ...] = ()

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
        ways = [f"{what} in {counted(kinds.count(what), 'places')}" for what in dict.fromkeys(kinds)]
        lost = in_a_row([f"{what} for {counted(number, 'places')}" for what, number in self.lost])
        nowhere = f" Lost, since its coolies walked no more fit for it on turn 1: {lost}." if lost else ""
        return f"The picks of {self.country} appeared: {in_a_row([*self.units, *ways]) or 'nothing'}.{nowhere}"


class PicksLapsed(OpenEvent, frozen=True):
    """A country named no lawful picks by the end of its turn 2 and has lost them (emp.P5)."""

    rule = "emp.P5"
    says = "{country} named no picks by the end of its turn 2; they are lost."
    country: str

    def change(self, empire: Empire) -> Empire:
        return replace(empire, picks={**empire.picks, self.country: ("taken",)})
