"""What of a slot is worth a word in the summary of its report, and in the subject of the letter: war first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.empire.events.course import ConfidenceRolled, CountryDissolved, RolledOut
from referee.games.empire.events.dealing import ControlPassed, CountrySplit, GoodsTaken, UnitSeized
from referee.games.empire.events.handing import listed
from referee.games.empire.events.losses import names
from referee.games.empire.events.opening import CapitalPlaced
from referee.games.empire.events.petitions import PetitionSettled
from referee.games.empire.events.supply import CooliesBorn, PersonDied, SquareTaken
from referee.games.empire.events.war.air import PlanesIntercepted, SquareBombed
from referee.games.empire.events.war.land import BattleFought, CityFell, CooliesCaptured
from referee.games.empire.events.war.sea import SeaBattleFought, ShipPlundered
from referee.games.empire.events.work.building import CityFounded, WorkFinished
from referee.games.empire.reckoning.war.combat import RESULTS
from referee.games.empire.rulebook.plans import a
from referee.kit.wording import counted, in_a_row


def deeds(happened: Sequence[Event], active: Seat | None) -> Iterator[str]:
    """A few words for each deed: cities that fell, then battles and raids, lives, and the rest in their order."""
    yield from (f"{event.city} falls to {event.to}" for event in happened if isinstance(event, CityFell))
    yield from (deed for event in happened if (deed := _war(event)))
    yield from _lives(happened)
    yield from (deed for event in happened if (deed := _deed(event, active)))


def _war(event: Event) -> str:
    """A battle, a raid or a flight that was met, and what came of it."""
    match event:
        case BattleFought():
            where = f"the ships in {event.at}" if isinstance(event, SeaBattleFought) else event.at
            return f"{event.country} attacks {where}: {RESULTS.get(event.result, event.result)}"
        case SquareBombed():
            fate = "bombs hit" if event.gone else "bombs miss"
            return f"{fate} the {event.what} in {event.at}"
        case PlanesIntercepted() if event.downed:
            return f"{_fallen(event)} shot down over {event.at}"
        case PlanesIntercepted():
            return f"{event.by} intercepts in vain over {event.at}"
        case CooliesCaptured():
            return f"{event.to} captures {listed(event.counts)} of {event.giver}"
        case ShipPlundered() if event.taken:
            return f"{event.to} takes {event.kind} {event.unit} of {event.giver}"
        case _:
            return ""


def _fallen(event: PlanesIntercepted) -> str:
    """`Red's TAC 6 and Blue's fighter 5`."""
    hunters = dict(event.hunters)
    sides = {
        event.country: [plane for plane in event.downed if plane[0] not in hunters],
        event.by: [plane for plane in event.downed if plane[0] in hunters],
    }
    return in_a_row([f"{country}'s {names(planes)}" for country, planes in sides.items() if planes])


def _lives(happened: Sequence[Event]) -> Iterator[str]:
    born = sum(isinstance(event, CooliesBorn) for event in happened)
    died = [event for event in happened if isinstance(event, PersonDied)]
    if born:
        yield f"{counted(born, 'coolies')} born"
    taken = sum(isinstance(event, SquareTaken) for event in happened)
    if taken:
        yield f"{counted(taken, 'squares')} set to work"
    if died:
        reasons = in_a_row(list(dict.fromkeys(event.why for event in died)))
        yield f"{len(died)} {'person dies' if len(died) == 1 else 'people die'} {reasons}"


def _deed(event: Event, active: Seat | None) -> str:
    """What else is worth a word; whose turn it is stands before it."""
    match event:
        case CapitalPlaced():
            return f"{event.seat} settles in {event.at}"
        case CityFounded():
            return f"{event.name} is founded"
        case WorkFinished():
            return f"{a(event.what)} is built"
        case ConfidenceRolled():
            return f"{'' if event.country == active else f'{event.country}: '}confidence roll {event.entry()}"
        case RolledOut() if event.by != str(event.seat):
            return f"{event.seat} is rolled out"
        case UnitSeized():
            return f"{event.to} seizes {event.giver}'s {event.kind} {event.unit}"
        case CountrySplit():
            return f"{event.parent} is split and {event.country.name} begins"
        case PetitionSettled():
            return f"petition {event.number} {'passes' if event.passed else 'fails'}"
        case ControlPassed() | GoodsTaken() | CountryDissolved():
            return event.sentence().rstrip(".")
        case _:
            return ""
