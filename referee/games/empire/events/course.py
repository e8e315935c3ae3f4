"""The course of a match: slots and how they end, refused orders, governments, the end."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.moving import renewed
from referee.games.empire.position.state import Empire
from referee.kit.ledger import Flow
from referee.kit.wording import in_a_row, in_utc

# ---------------------------------------------------------------- slots


class SlotCame(OpenEvent, frozen=True):
    """Whose slot comes next. `slot` numbers the player-turns and their reports."""

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

    def cites(self) -> str:
        return "emp.P6" if self.by == str(self.seat) else "emp.P10"

    def sentence(self) -> str:
        late = f", {self.late} full {'day' if self.late == 1 else 'days'} after the slot opened" if self.late else ""
        witness = f"The referee witnessed the roll{f' on {in_utc(self.at)}' if self.at else ''}."
        if self.by == str(self.seat):
            return f"{self.seat} rolled out{late}. {witness}"
        stands = "what was written stands, and what it implies"
        return f"{self.seat} was rolled out by {self.by}{late}; {stands}. {witness}"


class ConfidenceRolled(OpenEvent, frozen=True):
    """The roll of confidence of a country, and the modified roll for days it was late (emp.P8)."""

    rule = "emp.P8"
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
    """A country has no government coolie any more: confidence falls by 3 (emp.H-07)."""

    rule = "emp.H-07"
    says = "{country} lost its government coolie; its confidence falls by 3."
    country: str

    def change(self, empire: Empire) -> Empire:
        country = empire.countries[self.country]
        return empire.with_country(replace(country, leaderless=True, confidence=max(0, country.confidence - 3)))


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
