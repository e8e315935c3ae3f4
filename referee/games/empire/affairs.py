"""Affairs between players: stances; and all that players may do at any time.

Each check_ function raises Refused and is shared by the binder and the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.empire.belongings import living_country
from referee.games.empire.events.dealing import StanceTaken
from referee.games.empire.intents import AcceptControl, Feed, PetitionFor, PostSuspension, SetBirths, SetRelation, Vote
from referee.games.empire.intents.air import Scramble
from referee.games.empire.intents.war import Retreat
from referee.games.empire.petitions import do_petition, do_suspension, do_vote
from referee.games.empire.state import Empire
from referee.games.empire.steps.air import do_scramble
from referee.games.empire.steps.cities import set_births
from referee.games.empire.steps.feeding import do_feed
from referee.games.empire.steps.retreating import do_retreat
from referee.games.empire.steps.transfers import do_accept
from referee.kit.refused import Refused

__all__ = ["DO", "check_relation", "do_aside"]


def check_relation(empire: Empire, seat: Seat, intent: SetRelation) -> None:
    """H-27: a stance toward somebody else's country. Raises Refused."""
    if living_country(empire, intent.country, "emp.H-27").owner == seat:
        raise Refused(f"{intent.country} is yours.", "emp.H-27", intent.country)


def _do_relation(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    assert isinstance(intent, SetRelation)
    check_relation(table.state, seat, intent)
    own = tuple(country.name for country in table.state.owned(seat))
    table.emit(StanceTaken(own, intent.country, "hostile" if intent.hostile else "friendly"))


def do_aside(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    """Do at once what the binder has found lawful; what has become void meanwhile does nothing."""
    try:
        match intent:
            case AcceptControl():
                do_accept(table, seat, intent)
            case PetitionFor():
                do_petition(table, seat, intent)
            case PostSuspension():
                do_suspension(table, seat, intent)
            case Vote():
                do_vote(table, seat, intent)
            case Feed():
                do_feed(table, seat, intent)
            case Retreat():
                do_retreat(table, seat, intent)
            case SetBirths():
                set_births(table, seat, intent)
            case Scramble():
                do_scramble(table, seat, intent)
    except Refused:
        return


DO: Mapping[type[Intent], Callable[[Table[Empire], Seat, Intent], None]] = {SetRelation: _do_relation}
"""Orders of this module."""
