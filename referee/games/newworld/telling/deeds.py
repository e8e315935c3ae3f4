"""What somebody did in a turn, in a few words."""

from __future__ import annotations

from referee.core.event import Event
from referee.games.newworld.events.cards import ColonyClaimed, TechnologyAdvanced
from referee.games.newworld.events.economy import ArmiesRaised, FleetsBuilt
from referee.games.newworld.events.fortunes import EventCame
from referee.games.newworld.events.turns import PowerEliminated
from referee.games.newworld.events.war import AttackBeaten, TerritoryTaken
from referee.kit.wording import counted


def deed(event: Event) -> str:
    """What is worth a word in the summary."""
    match event:
        case EventCame(name=name) if name:
            return f"meets {name}"
        case TechnologyAdvanced(technology=technology, level=level):
            return f"advances {technology} to {level}"
        case FleetsBuilt(amount=amount):
            return f"builds {counted(amount, 'fleets')}"
        case ArmiesRaised(amount=amount):
            return f"raises {counted(amount, 'armies')}"
        case ColonyClaimed(card=card):
            return f"claims {card}"
        case TerritoryTaken(name=name):
            return f"takes {name}"
        case AttackBeaten(foe=foe):
            return f"is beaten off by {foe}"
        case PowerEliminated(seat=seat):
            return f"drives {seat} out of the game"
        case _:
            return ""
