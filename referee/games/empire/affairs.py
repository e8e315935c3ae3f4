"""What players may do at any time, of the orders that do not declare themselves."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.empire.intents import AcceptControl, PetitionFor, PostSuspension, Vote
from referee.games.empire.petitions import do_petition, do_suspension, do_vote
from referee.games.empire.state import Empire
from referee.games.empire.steps.transfers import do_accept
from referee.kit.refused import Refused

__all__ = ["do_aside"]


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
    except Refused:
        return
