"""The players of matches, and the matches open to newcomers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from referee.core.game import AnyGame
from referee.core.page import Block, Bullets, Grid, Heading, Page, Paragraph
from referee.kit.game import why_missing
from referee.kit.wording import are, counted, in_a_row
from referee.service.base.letter_facts import Offered
from referee.service.base.match_settings import manners_rows, settings_of
from referee.service.base.office import At, Office, page_of_game, page_of_match
from referee.service.base.ports import MatchRow, Member, Step
from referee.service.match.bots import bot_of, bots, bots_by_seat, own_bots, with_bot
from referee.service.match.clock_words import clock_sentences, table_sentence
from referee.service.match.members import house_rules, unlisted_matches
from referee.service.match.open_log import called, witnesses
from referee.service.match.playing import load
from referee.service.match.slot_life import is_under_way
from referee.service.post.frames import option_rows
from referee.service.turn.knowledge import how_it_ends

# ---------------------------------------------------------------- WHO
# The public facts of a match: its game and rules, its clock, its players, its master, and those who stand by.


def known_matches(step: Step, player: int = 0) -> list[MatchRow]:
    """The matches somebody may be told of: those that are listed, and those he takes part in."""
    unlisted = unlisted_matches(step)
    mine = {m.match for m in step.memberships(player) if m.status != "left"} if unlisted and player else set[str]()
    return [row for row in step.matches() if row.name not in unlisted or row.name in mine]


def no_match(step: Step, name: str) -> str:
    """The sentence that there is no such match, with those that there are."""
    known = [row.name for row in known_matches(step)]
    return f"I know no match {name or '(no name given)'}; I know {', '.join(known) or 'none yet'}."


def taken_and_all(at: At, row: MatchRow) -> tuple[int, int]:
    """How many seats of a match that is forming are taken, and how many it has."""
    taken = sum(m.role == "player" and m.status == "applied" for m in at.step.members(row.name))
    return taken, len(at.office.games[row.game].seat_names(row.options))


def seats_sentence(at: At, row: MatchRow) -> str:
    """How full a match is: `3 of 6 seats are taken, 3 are free.`"""
    taken, seats = taken_and_all(at, row)
    left = seats - taken
    return f"{taken} of {seats} seats {are(taken)} taken, {f'{left} {are(left)}' if left else 'none is'} free."


def who_page(at: At, row: MatchRow) -> Page:
    """A match as it may be told to anybody. The players of an anonymous match are not told before its end."""
    members, settings = at.step.members(row.name), settings_of(row.settings)
    hidden = settings.manners.anonymous and row.status != "over"
    comment = house_rules(at.step, row.name).comment
    blocks: list[Block] = [Paragraph(comment)] if comment else []
    blocks += [Heading("The players"), *_players(at, row, members, hidden)]
    options = option_rows(at.office.games[row.game].settings, row.options) + manners_rows(settings.manners)
    blocks += [Heading("Its rules"), Grid(("setting", "value", "meaning"), options)] if options else []
    blocks += [Heading("Its clock"), Bullets(clock_sentences(settings))]
    phase = stands_at(at, row)
    stands = f"{row.status}: {phase}" if phase else row.status
    return Page(f"{row.name}: {at.office.games[row.game].title}", f"The match is {stands}.", tuple(blocks))


def stands_at(at: At, row: MatchRow) -> str:
    """The phase that a match in play waits in, as its letters call it; "" for one that has not begun, or is over or stopped."""
    if not is_under_way(row) or at.step.last_entry(row.name) is None:
        return ""
    phase = load(at, row).outcome.phase
    return phase.title if phase else ""


def _players(at: At, row: MatchRow, members: Sequence[Member], hidden: bool) -> list[Block]:
    found, step = list[Block](), at.step
    if row.status == "forming":
        joined = [m for m in members if m.status == "applied"]
        names = [] if hidden else [_name(step, m) for m in joined]
        found.append(Paragraph(f"{len(joined)} joined so far{f': {in_a_row(names)}' if names else ''}."))
    else:
        seated = [m for m in members if m.seat and m.status in ("playing", "out")]
        away = own_bots(step, row.name, at.now)
        told = {m.seat: "one of the players" if hidden else _name(step, m) for m in seated}
        rows = [
            *((seat, with_bot(name, away.get(seat))) for seat, name in told.items()),
            *bots(step, row.name).items(),
        ]
        found.append(Grid(("seat", "played by"), tuple(sorted(rows))))
        seen = bots_by_seat(step, row.name, at.office.games[row.game].guide).values()
        plays = {
            bot.strength: f"A {bot.strength} bot: {bot.plays[0].lower()}{bot.plays[1:]}" for bot in seen if bot.plays
        }
        found += map(Paragraph, plays.values())
    masters = in_a_row([_name(step, m) for m in members if m.role == "gm" and m.status != "left"])
    watch = sum(m.role == "observer" and m.status == "watching" for m in members)
    wait = sum(m.status == "standby" for m in members)
    found.append(Paragraph(f"Game master: {masters or 'the keeper'}. {watch} watch, {wait} stand by."))
    if signers := [called(witness) for witness in witnesses(step, row.name) if witness.key]:
        found.append(Paragraph(f"Its log is witnessed by {in_a_row(signers)}."))
    return found


def _name(step: Step, member: Member) -> str:
    player = step.player(member.player)
    return bot_of(step, member) or (player.name if player else "somebody")


# ---------------------------------------------------------------- what is offered here
# The games, and the matches that can be joined or watched, as somebody is told of them who asks.


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
    """A game, for somebody who may want to open a match of it."""
    about = " ".join((game.about, *how_it_ends(game)))
    return Offered(game.title, for_so_many(game), f"PLAY {game.name}", about, page_of_game(at.office, game.name))


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
    return Offered(
        row.name,
        facts,
        f"{'JOIN' if row.status == 'forming' else 'OBSERVE'} {row.name}",
        page=page_of_match(at.office, row.name),
    )


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
