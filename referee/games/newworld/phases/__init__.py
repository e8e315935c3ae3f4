"""The twelve phases of a turn, a function each. They read like their paragraphs and cite their rule ids.

Read turn, event, upkeep, production, trade, research, purchases, exploration, colonization, transport, war.
"""

from __future__ import annotations

from referee.games.newworld.phases.carrying_out import PURCHASE_PHASES, PhaseScript, transport_phase
from referee.games.newworld.phases.exploration import exploration_phase
from referee.games.newworld.phases.production import production_phase
from referee.games.newworld.phases.research import research_phase
from referee.games.newworld.phases.trade import trade_phase
from referee.games.newworld.phases.upkeep import upkeep_phase
from referee.games.newworld.phases.war import war_phase

TO_RESEARCH: tuple[PhaseScript, ...] = (upkeep_phase, production_phase, trade_phase, research_phase)
TO_EXPLORATION: tuple[PhaseScript, ...] = (*PURCHASE_PHASES, exploration_phase)
TO_THE_END: tuple[PhaseScript, ...] = (transport_phase, war_phase)
"""The phases in the order of nw.turn.phases: after the event, after research, after colonization."""
