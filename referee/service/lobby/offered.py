"""What is offered here: the games, and the matches that can be joined or watched, as somebody is told of them who asks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from referee.core.game import AnyGame
from referee.kit.missing import why_missing
from referee.kit.wording import counted
from referee.service.clock.clock_words import table_sentence
from referee.service.clock.slot_life import is_under_way
from referee.service.letters import Offered
from referee.service.lobby.who import known_matches, taken_and_all
from referee.service.match.house_rules import house_rules
from referee.service.office import At, Office
from referee.service.ports import MatchRow, Step
from referee.service.settings import settings_of

_LISTED = 30
"""Of how many matches GAMES tells: strangers ask for it, and strangers can open matches."""


def games_lines(at: At, player: int = 0, comments: bool = True) -> tuple[str, ...]:
    """The games played here and the newest matches a person may be told of, with `comments` of their game masters."""
    games = tuple(
        game.about if why_missing(game) else f"{game.title} ({name}): {for_so_many(game)}. {game.about}"
        for name, game in at.office.games.items()
    )
    shown, more = _newest(known_matches(at.step, player), _LISTED)
    matches = (match_offered(at, row, comments) for row in shown)
    others = f"and {counted(more, 'older ones')}: WHO and the name of one tells of it."
    return (*games, *(f"match {found.title}: {found.facts}" for found in matches), *((others,) if more else ()))


def easiest_first(office: Office) -> list[AnyGame]:
    """The games that are there, those first that ask for the fewest decisions before they begin."""
    there = (game for game in office.games.values() if not why_missing(game))
    return sorted(there, key=lambda game: (len(game.settings), game.name))


def game_offered(at: At, game: AnyGame) -> Offered:
    """A game, for who may want to open a match of it."""
    return Offered(game.title, for_so_many(game), f"CREATE {game.name} AS {free_name(at.step)}", game.about)


def matches_offered(at: At, player: int, comments: bool, most: int) -> tuple[Offered, ...]:
    """So many matches that have free seats or can be watched, those with seats first."""
    rows = [row for row in known_matches(at.step, player) if row.status == "forming" or is_under_way(row)]
    rows = [row for row in rows if not house_rules(at.step, row.name).called_off]
    rows.sort(key=lambda row: (row.status != "forming", -row.created_at.timestamp()))
    return tuple(match_offered(at, row, comments) for row in rows[:most])


def match_offered(at: At, row: MatchRow, comments: bool = True) -> Offered:
    """A match: what it is, its seats, its pace, and the word that lets one in."""
    game, settings = at.office.games[row.game], settings_of(row.settings)
    pace = table_sentence("a slot", settings.slot_hours, settings.slots)
    comment = house_rules(at.step, row.name).comment if comments else ""
    facts = f"{game.title}, {_seats(at, row)}; {pace}{f' {comment}' if comment else ''}"
    return Offered(row.name, facts, f"{'JOIN' if row.status == 'forming' else 'OBSERVE'} {row.name}")


def _seats(at: At, row: MatchRow) -> str:
    """How full a match is, if it has not begun; whether it runs, or is over."""
    if row.status != "forming":
        return row.status
    joined, seats = taken_and_all(at, row)
    if not seats:
        return "forming"
    by_itself = ", starts when full" if settings_of(row.settings).starts_full else ""
    return f"forming, {joined} of {seats} seats taken{by_itself}"


def players_of(game: AnyGame) -> tuple[int, ...]:
    """How many may play a game with its usual options."""
    usual = {setting.name: setting.default for setting in game.settings}
    most = len(game.seat_names(usual))
    return tuple(number for number in range(1, most + 1) if game.refuse_options(usual, number) is None)


def for_so_many(game: AnyGame) -> str:
    """`2 to 6 players`."""
    players = players_of(game) or (0,)
    return f"{players[0]} to {players[-1]} players" if len(players) > 1 else f"{players[0]} players"


def free_name(step: Step) -> str:
    """A name that no match has yet."""
    taken = {row.name for row in step.matches()}
    return next(name for number in count(1) if (name := f"match{number}") not in taken)


def _newest(rows: Sequence[MatchRow], most: int) -> tuple[list[MatchRow], int]:
    """So many matches that are not over, or the newest of the others, in the order they have; how many more there are."""
    chosen = {
        row.name for row in sorted(rows, key=lambda row: (row.status == "over", -row.created_at.timestamp()))[:most]
    }
    return [row for row in rows if row.name in chosen], len(rows) - len(chosen)
