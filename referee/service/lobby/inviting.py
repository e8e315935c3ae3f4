"""A text that a game master can forward to his friends: what the game is, its pace, how to join and until when.

It names the referee's plain address alone: whoever reads it gets nothing by which he could write in the game master's name.
"""

from __future__ import annotations

from urllib.parse import quote

from referee.core.page import Page, Paragraph, Quotation
from referee.kit.wording import capital
from referee.service.clock.clock_words import table_sentence
from referee.service.lobby.lapsing import lapses_at
from referee.service.lobby.offered import for_so_many
from referee.service.office import At
from referee.service.ports import MatchRow, Player
from referee.service.settings import settings_of
from referee.service.times import stamp


def invitation(at: At, row: MatchRow, by: Player) -> Page:
    """The text, on a page of the letter that answers CREATE."""
    text = "\n".join(_lines(at, row, by))
    return Page(
        "To forward to your friends", "", (Paragraph("Copy these lines into a letter of your own:"), Quotation(text))
    )


def _lines(at: At, row: MatchRow, by: Player) -> tuple[str, ...]:
    game, settings = at.office.games[row.game], settings_of(row.settings)
    pace = capital(table_sentence("a turn", settings.slot_hours, settings.slots))
    lapses = lapses_at(at, row.name)
    until = f"The match is open until {stamp(lapses, by.zone)} or until it starts. " if lapses else ""
    return (
        f"Will you play {game.title} with me by e-mail? It is for {for_so_many(game)}.",
        _first_sentence(game.about),
        f"{pace} You write at your own time of day, in the mail program that you have; there is nothing to install.",
        f"To join, write JOIN {row.name} to {at.office.address}, or tap this and send what opens:",
        f"mailto:{at.office.address}?body={quote(f'JOIN {row.name}')}",
        f"{until}Questions? Write HELP there, or ask me. {by.name}",
    )


def _first_sentence(text: str) -> str:
    return f"{text.split('. ')[0].rstrip('.')}."
