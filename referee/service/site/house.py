"""The pages of the house, by their paths: its front, its games, and the players of matches that changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from referee.service.office import At
from referee.service.ports import Player, Step
from referee.service.site.forming import all_forming, forming_page
from referee.service.site.games import game_page, game_rules
from referee.service.site.home import ended_of, home_of, listed_cards
from referee.service.site.people import player_page, players_page


def house_pages(
    at: At, kept: Mapping[str, bytes], changed: Collection[str], there: Collection[str] = ()
) -> dict[str, bytes]:
    """All pages of the house, made of the cards that are `kept` beside the pages of the matches.

    The players whose pages are among them are those of the matches that `changed`, if they are named in any, or a page
    of theirs is `there` already, by its path. A match that was called off has a page only where one is there.
    """
    cards = listed_cards(at.step, kept)
    render = at.office.renderer.render_site
    pages = {
        "ended.html": render("ended", ended_of(at.office, cards)),
        "players.html": render("players", players_page(at.office.name, cards)),
    }
    for game in at.office.games.values():
        pages[f"g/{game.name}.html"] = render("game", game_page(at.office, game, cards))
        pages[f"g/{game.name}-rules.html"] = render("rules", game_rules(at.office, game))
    for player in _players(at.step, changed):
        page, path = player_page(at.office.name, player, cards), f"p/{player.id}.html"
        if page.parts or path in there:
            pages[path] = render("player", page)
    for match in all_forming(at):
        if match.page in there or not match.called_off:
            pages[match.page] = render("forming", forming_page(at.office, match))
    pages["index.html"] = render("home", home_of(at, cards))  # last: it names the others
    return {**at.office.renderer.dress(), **{path: page.encode() for path, page in pages.items()}}


def _players(step: Step, matches: Collection[str]) -> Iterator[Player]:
    """Whoever plays or played in one of these matches, whether that may be told or not."""
    numbers = {m.player for match in matches for m in step.members(match) if m.role == "player"}
    return (player for number in sorted(numbers) if (player := step.player(number)) and player.name)
