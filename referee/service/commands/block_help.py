"""HELP on what stands on lines of its own: blocks, ADD, YES and END."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.vocabulary import Vocabulary
from referee.service.letters import HelpEntry

BLOCKS = "Blocks and single words"
"""The heading under which HELP lists them."""

_TEXTS = {
    "PRESS": "Shall we divide the coast between us?",
    "BROADCAST": "I wish us all a good match.",
    "DIARY": "Next year: the south.",
    "OFFER": "Neither of us moves a fleet before turn 9.",
}
"""What may stand in the blocks that players write to each other."""


def with_text(word: str, heading: str) -> str:
    """The example of a word that begins a text: heading, text and END; any other example as it is."""
    return f"{heading}\n{_TEXTS[word]}\nEND" if word in _TEXTS and heading.startswith(word) else heading


def block_entries(game: Vocabulary, own: Mapping[str, str], turn: int, line: str = "") -> tuple[HelpEntry, ...]:
    """The blocks with a `line` of this game and a test of the asker's own where he has any; `turn` is one to come."""
    line = line or game.verbs[0].example
    asked = next((verb for verb in game.predicates if verb.word in own), next(iter(game.predicates), None))
    found = [
        HelpEntry(
            "ADD",
            "as the first word of a letter: what follows is added to the orders on file instead of replacing them",
            f"ADD\n{line}",
        ),
        HelpEntry(
            "STANDING",
            "orders for every turn from now on, wherever your orders say nothing else; STANDING and END alone take them back",
            f"STANDING\n{line}\nEND",
        ),
        HelpEntry("IF LATE", "orders for the case that you miss a deadline", f"IF LATE\n{line}\nEND"),
        HelpEntry(
            "FOR TURN",
            "orders for a turn to come; FOR TURN 5 PHASE and its name for one phase of it",
            f"FOR TURN {turn}\n{line}\nEND",
        ),
        HelpEntry(
            "PREVIEW",
            "tells where these orders would lead, with the chances of every throw, and files nothing",
            f"PREVIEW\n{line}\nEND",
        ),
    ]
    if asked:
        test = own.get(asked.word, asked.example)
        found.append(
            HelpEntry(
                "IF",
                "orders for the case that something is true when they are carried out; ELSE IF, ELSE, AND, OR, NOT and "
                "parentheses may be used",
                f"IF {test}\n{line}\nEND",
            )
        )
    return (
        *found,
        HelpEntry("YES", "alone in a reply to a receipt: takes the corrections that it offers", "YES"),
        HelpEntry("END", "ends a block; outside a block nothing after it is read", f"{line}\nEND"),
    )
