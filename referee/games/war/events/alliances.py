"""War-time alliances: who joined which side, who was not let, which alliance ended, who let whom in (27.opt.alliances)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent, units
from referee.games.war.position.places import Load, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import joined
from referee.kit.ledger import Flow
from referee.kit.wording import counted, in_a_row


class AllianceJoined(OpenEvent, frozen=True):
    """A player joined a side of a war by the votes of `yes`; he is at war with all of `against`."""

    rule = "27.opt.alliances.1"
    seat: Seat
    coalition: int
    side: int
    members: tuple[Seat, ...]
    yes: tuple[Seat, ...]
    against: tuple[Seat, ...]

    def change(self, war: War) -> War:
        found = next((c for c in war.coalitions if c.number == self.coalition), None)
        return joined(war, self.seat, found, self.side) if found else war

    def sentence(self) -> str:
        allies, votes = in_a_row(list(self.members)), f"{in_a_row(list(self.yes))} approve{'s' * (len(self.yes) == 1)}"
        return f"{self.seat} joins {allies} and is at war with {in_a_row(list(self.against))}; {votes} ({_of(self)})."


class AllianceRefused(OpenEvent, frozen=True):
    """A player asked to join a side and was not let: too few votes, or `bar`, two enemies who would be allies."""

    rule = "27.opt.alliances.2"
    seat: Seat
    members: tuple[Seat, ...]
    yes: tuple[Seat, ...]
    bar: tuple[Seat, ...] = ()

    def cites(self) -> str:
        return "27.opt.alliances.3" if self.bar else self.rule

    def sentence(self) -> str:
        asks = f"{self.seat} asks to join {in_a_row(list(self.members))}"
        if self.bar:
            return f"{asks}, but {in_a_row(list(self.bar))}, who are at war, would be allies."
        return f"{asks} and is refused: {in_a_row(list(self.yes)) or 'nobody'} approves ({_of(self)})."


def _of(vote: AllianceJoined | AllianceRefused) -> str:
    return f"{len(vote.yes)} of {len(vote.members)}"


class AllianceEnded(OpenEvent, frozen=True):
    """Two players have no common enemy left in the war that made them allies."""

    rule = "27.opt.alliances.5"
    says = "{one} and {other} have no common enemy any more: their alliance ends."
    one: Seat
    other: Seat

    def change(self, war: War) -> War:
        return replace(war, parted=(*war.parted, (self.one, self.other, war.share)))


class CargoReturned(OpenEvent, frozen=True):
    """Units that a former ally carried went ashore in a region of their owner's; "" where he has no coast: they are lost."""

    rule = "27.opt.alliances.11"
    fleet: int
    load: Load
    region: str

    def change(self, war: War) -> War:
        war = war.with_fleet(war.fleets[self.fleet].loading(replace(self.load, number=-self.load.number)))
        landed = Stack(self.load.owner, self.load.kind, self.load.number)
        return war.with_units(self.region, landed) if self.region else war

    def flows(self) -> tuple[Flow, ...]:
        return () if self.region else units(self.load.owner, self.load.kind, -self.load.number)

    def sentence(self) -> str:
        goes = f"ashore in {self.region}" if self.region else "nowhere, for no coast is his: lost"
        return f"{self.load.owner}: {self.load} aboard a former ally's fleet {self.fleet} go {goes}."


class GuestsDefended(OpenEvent, frozen=True):
    """Allies in a region defend it together with its owner."""

    rule = "27.opt.alliances.7"
    region: str
    owner: Seat
    guests: tuple[Seat, ...]

    def sentence(self) -> str:
        return f"{in_a_row(list(self.guests))} defend{'s' * (len(self.guests) == 1)} {self.region} together with {self.owner}."


class FleetsJoined(OpenEvent, frozen=True):
    """An ally's fleets joined a battle at sea."""

    rule = "27.opt.alliances.9"
    seat: Seat
    leader: Seat
    sea: str
    number: int

    def sentence(self) -> str:
        return f"{self.seat} joins {self.leader} in {self.sea} with {counted(self.number, 'fleets')}."


class LeaveSet(OpenEvent, frozen=True):
    """A player said which allies he keeps out of his regions and off his fleets."""

    rule = "27.opt.alliances.6"
    seat: Seat
    refused: tuple[Seat, ...]

    def change(self, war: War) -> War:
        return replace(war, shut={**war.shut, self.seat: self.refused})

    def sentence(self) -> str:
        if not self.refused:
            return f"{self.seat} lets every ally into his land."
        return f"{self.seat} does not let {in_a_row(list(self.refused), 'or')} into his land, ally or not."
