"""Countries, and what stands open between their players."""

from __future__ import annotations

import msgspec

from referee.core.names import Seat
from referee.games.empire.position.booking import NOTHING, Booking
from referee.games.empire.position.feeding import Feeding
from referee.games.empire.position.pieces import Position


class Country(msgspec.Struct, frozen=True):
    """One country. Funds are in quarters (tax is a fourth), debts in parts of a unit (kinds.DEBT).

    `owner` runs it since turn `owned_since`; `origin`: starting, created or traded. `suppressed`: sites without births.
    `stances`: countries it treats as "hostile" or "friendly"; those not named as the house rules say (emp.H-27).
    `leaderless`: its government coolie is dead and the loss is booked (emp.H-07). `slot` is the one in which it last
    moved; `held` a turn in which it has moved under another owner (emp.P17). `feeding`: who eats first, and from where.
    `booked`: what it booked since it last rolled out; `band`: what its confidence was called when its turn began (emp.H-16).
    `retreat` is the square towards which its beaten formations go back, "" the nearest own city (emp.H-28).
    `scramble`: whether its fighters start against intruders, "always" or "never", by airport, "" for all others (emp.H-31).
    """

    name: str
    owner: Seat
    origin: str = "starting"
    parent: str = ""
    owned_since: int = 0
    confidence: int = 10
    popular_fund: int = 0
    oil_due: int = 0
    chemicals_due: int = 0
    pay_due: int = 0
    dead: bool = False
    suppressed: tuple[Position, ...] = ()
    stances: dict[str, str] = {}
    leaderless: bool = False
    slot: int = 0
    held: int = 0
    booked: Booking = NOTHING
    band: str = "normal"
    feeding: Feeding = Feeding()
    retreat: Position = ""
    scramble: dict[Position, str] = {}

    def hostile_to(self, other: str, military: bool) -> bool:
        """Whether its military, or its coolies, are hostile to another country's (emp.H-27)."""
        default = "hostile" if military else "neutral"
        return other != self.name and self.stances.get(other, default) == "hostile"


class Petition(msgspec.Struct, frozen=True):
    """A petition: clarification, change or suspension; its votes; `hours` of a suspension; `posted`: time and date.

    A change may name a set of house rules and the `choice` that shall be in force; `since`: the turn from which it is.
    """

    number: int
    kind: str
    text: str
    by: Seat
    turn: int
    hours: int = 0
    votes: dict[Seat, str] = {}
    result: str = ""
    house: str = ""
    choice: str = ""
    since: int = 0
    posted: int = 0


class Transfer(msgspec.Struct, frozen=True):
    """Units, goods, or itself `whole`, that a country has said it gives up, until the other accepts (emp.P12, emp.H-23).

    A whole country goes to a player, `seat`, who may run none; it is to move after his country `to`, where that is his.
    """

    number: int
    giver: str
    to: str
    at: Position
    units: tuple[int, ...] = ()
    goods: tuple[tuple[str, int], ...] = ()
    whole: bool = False
    seat: Seat = Seat("")


class Doubtful(msgspec.Struct, frozen=True):
    """An order carried out that could be read in several ways; `taken` is the reading that holds, from 1 (emp.P23).

    Readings differ in the `units` that obey, or in the `ways` they go; empty where they do not. `stood`: the units of all
    readings with the square and the carrier in which the order left them. `waived`: who has rolled out since.
    """

    slot: int
    line: int
    seat: Seat
    readings: tuple[str, ...]
    taken: int = 1
    by: Seat | None = None
    units: tuple[tuple[int, ...], ...] = ()
    ways: tuple[tuple[Position, ...], ...] = ()
    stood: tuple[tuple[int, Position, int], ...] = ()
    waived: tuple[Seat, ...] = ()
