"""The page of a game: what it is, for how many, how a turn goes, its rules, and matches of it to look at."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from referee.core.game import AnyGame
from referee.core.page import Page
from referee.mail import mailto_new
from referee.service.lobby.offered import for_so_many
from referee.service.office import Office
from referee.service.site.card import Card
from referee.service.turns.library import guide_page, rules_page

_SHOWN = 6
"""So many matches that go on, and so many that have ended, stand on the page of their game."""


class GamePage(msgspec.Struct, frozen=True):
    """A game. `guide` says how it is played; `live` and `ended` are matches of it, `write` the letter that opens one."""

    house: str
    game: str
    name: str
    about: str
    players: str
    guide: Page
    options: tuple[tuple[str, str, str], ...]
    live: tuple[Card, ...]
    ended: tuple[Card, ...]
    write: str


class RulesPage(msgspec.Struct, frozen=True):
    """Every numbered rule of a game."""

    house: str
    game: str
    name: str
    page: Page


def game_page(office: Office, game: AnyGame, cards: Sequence[Card]) -> GamePage:
    """The page of a game, with the newest of these matches that are of it."""
    guide = guide_page(game)
    of_it = [card for card in cards if card.game == game.name]
    return GamePage(
        office.name,
        game.title,
        game.name,
        game.about,
        for_so_many(game),
        replace(guide, blocks=guide.blocks[:-1]),  # its last words are for letters
        tuple((setting.name, setting.default, setting.meaning) for setting in game.settings),
        tuple(card for card in of_it if not card.over)[:_SHOWN],
        tuple(card for card in of_it if card.over)[:_SHOWN],
        mailto_new(office.address, game.title, (f"CREATE {game.name} AS ",)),
    )


def game_rules(office: Office, game: AnyGame) -> RulesPage:
    """The rules of a game as reports cite them."""
    return RulesPage(office.name, game.title, game.name, rules_page(game))
