"""The pages of the house: its front, games, people, news."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.page import Page, Standing
from referee.mail import mailto_new
from referee.service.base.office import At, Office, page_of_match
from referee.service.base.ports import Player, Step
from referee.service.house.match_lists import easiest_first, for_so_many, known_matches
from referee.service.house.match_pages import (
    FEED,
    Card,
    Forming,
    SiteIndex,
    Turn,
    all_forming,
    forming_matches,
    forming_page,
    read_card,
)
from referee.service.house.reliability import Reliability
from referee.service.turn.knowledge import guide_page, rules_page

# ---------------------------------------------------------------- the players, as far as all may know
# A list of them, and of each his matches, how they went, and how reliably he plays.


class Part(msgspec.Struct, frozen=True):
    """A match somebody plays in: its card, his seat, and where that stands; None where nobody is ranked."""

    card: Card
    seat: str
    place: Standing | None


class PlayerPage(msgspec.Struct, frozen=True):
    """A player's record from the matches that are open to all. `house` is the name of the house."""

    house: str
    name: str
    parts: tuple[Part, ...]
    won: int
    ended: int
    reliability: str


class Listed(msgspec.Struct, frozen=True):
    """A player in the list: the number of his page, and in how many matches he plays, has played to the end, and won."""

    player: int
    name: str
    live: int
    ended: int
    won: int


class PlayersPage(msgspec.Struct, frozen=True):
    """All players."""

    house: str
    players: tuple[Listed, ...]


def players_page(house: str, cards: Sequence[Card]) -> PlayersPage:
    """Everybody whom a card names with his page, by name."""
    return PlayersPage(house, tuple(_listed(cards, *known) for known in known_players(cards)))


def known_players(cards: Sequence[Card]) -> list[tuple[str, int]]:
    """The names and numbers of those who have a page, by name; of two names of one player that on the newest card."""
    found: dict[int, str] = {}
    for card in cards:
        for seated in card.seats:
            if seated.player:
                found.setdefault(seated.player, seated.name)
    return sorted(((name, player) for player, name in found.items()), key=lambda known: (known[0].casefold(), known[1]))


def _listed(cards: Sequence[Card], name: str, player: int) -> Listed:
    mine = [card for card in cards if any(seated.player == player for seated in card.seats)]
    over = [card for card in mine if card.over]
    won = sum(any(seated.player == player for seated in card.winners) for card in over)
    return Listed(player, name, len(mine) - len(over), len(over), won)


def player_page(house: str, player: Player, cards: Iterable[Card]) -> PlayerPage:
    """His page, of the cards that may be listed: none of them names him where nobody may know that he plays."""
    mine = [card for card in cards if any(seated.player == player.id for seated in card.seats)]
    parts = tuple(part for card in mine for part in _parts(card, player.id))
    ended = [part for part in parts if part.card.over and part.place]
    record = sum((card.records[player.id] for card in mine if player.id in card.records), Reliability())
    won = sum(part.seat in {seated.seat for seated in part.card.winners} for part in ended)
    return PlayerPage(house, player.name, parts, won, len(ended), record.sentence() if record.counted else "")


def _parts(card: Card, player: int) -> Iterable[Part]:
    places = {place.seat: place for place in card.tally.standings if card.tally.ranked}
    for seated in card.seats:
        if seated.player == player:
            yield Part(card, seated.seat, places.get(Seat(seated.seat)))


# ---------------------------------------------------------------- the front of the house
# Every match that may be told of, who is awaited, where seats are free, what has ended.


_ENDED = 24
"""So many matches that have ended stand on the front; all of them have a page of their own."""


class GameName(msgspec.Struct, frozen=True):
    """A game: its name in orders, its title, what it is like."""

    name: str
    title: str
    about: str


class Home(msgspec.Struct, frozen=True):
    """The front of the house; `more` have ended besides those shown, and so many `players` are known here."""

    house: str
    address: str
    write: str
    live: tuple[Card, ...]
    forming: tuple[Forming, ...]
    ended: tuple[Card, ...]
    more: int
    games: tuple[GameName, ...]
    players: int = 0


class Ended(msgspec.Struct, frozen=True):
    """Every match that has ended."""

    house: str
    ended: tuple[Card, ...]


def listed_cards(step: Step, kept: Mapping[str, bytes]) -> tuple[Card, ...]:
    """The cards of the matches that strangers may be told of, the last to change first; kept under their names."""
    rows = {row.name for row in known_matches(step) if row.status != "forming"}
    cards = (read_card(data) for name, data in kept.items() if name in rows)
    found = [card for card in cards if card is not None and card.listed]
    return tuple(sorted(found, key=lambda card: (card.changed or card.began, card.match), reverse=True))


def home_of(at: At, cards: Sequence[Card]) -> Home:
    """The front of the house, of the cards of all its matches."""
    ended = [card for card in cards if card.over]
    return Home(
        at.office.name,
        at.office.address,
        mailto_new(at.office.address, "Hello", ("GAMES",)),
        tuple(sorted((card for card in cards if not card.over), key=_soonest)),
        forming_matches(at),
        tuple(ended[:_ENDED]),
        len(ended[_ENDED:]),
        tuple(GameName(game.name, game.title, game.about) for game in easiest_first(at.office)),
        len(known_players(cards)),
    )


def ended_of(office: Office, cards: Iterable[Card]) -> Ended:
    """All that have ended."""
    return Ended(office.name, tuple(card for card in cards if card.over))


def _soonest(card: Card) -> tuple[str, str]:
    """Those whose time ends soonest first; what waits for nobody's letter comes last."""
    return card.awaited.until or "9999", card.match


# ---------------------------------------------------------------- the page of a game
# The game in short, the number of its players, the course of a turn, its rules, and matches of it to look at.


_SHOWN = 6
"""So many matches that go on, and so many that have ended, stand on the page of their game."""


class GamePage(msgspec.Struct, frozen=True):
    """A game. `guide` says how it is played; `live` and `ended` are matches of it, `play` the letter that begins one against bots,
    `write` that which opens one for others."""

    house: str
    game: str
    name: str
    about: str
    players: str
    guide: Page
    options: tuple[tuple[str, str, str], ...]
    live: tuple[Card, ...]
    ended: tuple[Card, ...]
    play: str
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
        mailto_new(office.address, game.title, (f"PLAY {game.name}",)),
        mailto_new(office.address, game.title, (f"CREATE {game.name} AS ",)),
    )


def game_rules(office: Office, game: AnyGame) -> RulesPage:
    """The rules of a game as reports cite them."""
    return RulesPage(office.name, game.title, game.name, rules_page(game))


# ---------------------------------------------------------------- the pages of the house, by their paths
# Its front, its games, and the players of matches that changed.


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
    renderer = at.office.renderer
    return {**renderer.dress(), **renderer.table(), **{path: page.encode() for path, page in pages.items()}}


def _players(step: Step, matches: Collection[str]) -> Iterator[Player]:
    """Everybody who plays or played in one of these matches, whether that may be told or not."""
    numbers = {m.player for match in matches for m in step.members(match) if m.role == "player"}
    return (player for number in sorted(numbers) if (player := step.player(number)) and player.name)


# ---------------------------------------------------------------- the feed of a match
# Its reports as news for people who would rather be told than look (RFC 4287).


_NEWEST = 20
"""So many reports a feed has; older ones are on the front of the match."""


class News(msgspec.Struct, frozen=True):
    """A report in a feed."""

    id: str
    title: str
    said: str
    at: str
    page: str


class Feed(msgspec.Struct, frozen=True):
    """A feed; addresses are whole ones, as RFC 4287 has it. `of` is who writes it, `changed` is ISO 8601."""

    id: str
    title: str
    of: str
    changed: str
    page: str
    file: str
    news: tuple[News, ...]


def feed_of(office: Office, index: SiteIndex) -> Feed | None:
    """The feed of a match; None where nobody could follow it, because the site has no address."""
    home = page_of_match(office, index.match)
    if not home:
        return None
    id = f"tag:{office.host},{index.card.began[:10]}:{quote(index.match)}"
    news = tuple(_news(id, home, turn) for turn in index.turns[:_NEWEST])
    card = index.card
    return Feed(id, f"{index.match}: {index.game}", office.name, card.changed or card.began, home, home + FEED, news)


def _news(id: str, home: str, turn: Turn) -> News:
    title = f"{turn.title}, set aside by a rewind" if turn.set_aside else turn.title
    return News(
        f"{id}/{turn.file.removesuffix('.html')}", title, turn.said, max(turn.at, turn.set_aside), home + turn.file
    )
