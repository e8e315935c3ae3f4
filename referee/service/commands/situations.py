"""HELP alone: one screen for the situation of who asks. What is said of each line is data, situations.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from referee.kit.wording import in_a_row
from referee.service.commands.caller import Caller
from referee.service.letters import HelpPage
from referee.service.lobby.offered import easiest_first, free_name
from referee.service.lobby.who import known_matches
from referee.service.match.anonymity import hides_names
from referee.service.match.drafts import debts
from referee.service.match.house_rules import house_rules
from referee.service.overrides.hand import Hand
from referee.service.ports import MatchRow

_NAMED = 8
"""So many orders of a game are named."""
_PLACE = re.compile(r"\{(\w+)\}")

Ways = tuple[tuple[str, str], ...]


@cache
def situations() -> Mapping[str, Sequence[tuple[str, str]]]:
    """What can be written in each situation, with what it does."""
    data = tomllib.loads(files(__package__).joinpath("situations.toml").read_text("utf-8"))
    return {name: tuple((line, what) for line, what in table["lines"]) for name, table in data.items()}


def ways_in(situation: str, names: Mapping[str, str]) -> Ways:
    """The lines of a situation with these names in them."""
    return tuple(
        (_filled(line, names), _filled(what, names))
        for line, what in situations()[situation]
        if all(names.get(place) for place in _PLACE.findall(line + what))
    )


def _filled(text: str, names: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda found: names[found[1]], text)


# ---------------------------------------------------------------- in a match


def help_here(hand: Hand, own: Mapping[str, str], order: str) -> HelpPage:
    """What a member may write now; `own` are his orders with an example of each, `order` is one that would stand."""
    playing = hand.playing
    others = [seat for seat in playing.created.seats if seat != hand.seat]
    waiting = [question.seat for question in playing.outcome.open if question.seat != hand.seat]
    names = {
        "match": hand.match,
        "game": playing.row.game,
        "seat": next(iter((*waiting, *others)), ""),
        "order": order,
        "last": str(max(1, playing.turn - 1)),
    }
    ways = ways_in(_situation(hand), names)
    return HelpPage("What you can write now", (), (), ways, (*_of_the_game(hand, own), *_also(hand), _more(hand)))


def _situation(hand: Hand) -> str:
    if hand.playing.row.status == "over" or hand.playing.outcome.over:
        return "over"
    if hand.seat:
        return "owes" if debts(hand.playing, hand.seat) else "waits"
    return "masters" if hand.game_master else "watches"


def _of_the_game(hand: Hand, own: Mapping[str, str]) -> tuple[str, ...]:
    """The orders of the game by name; of many the first."""
    if _situation(hand) not in ("owes", "waits"):
        return ()
    verbs = [verb.word for verb in hand.playing.game.vocabulary(hand.playing.outcome.state).verbs]
    shown = ([word for word in verbs if word in own] or verbs)[:_NAMED]
    more = f" and {len(verbs) - len(shown)} more" if len(verbs) > len(shown) else ""
    return (
        f"Orders of {hand.playing.game.title}: {', '.join(shown)}{more}. HELP {shown[0]} tells how one is written, HELP VERBS "
        "lists them all.",
    )


def _also(hand: Hand) -> tuple[str, ...]:
    if hand.game_master and hand.seat:
        return (
            "You are its game master too: HELP DEADLINE, HELP PAUSE, HELP REPLACE and HELP REWIND explain your words.",
        )
    return ()


def _more(hand: Hand) -> str:
    members = [] if hand.game_master else hand.step.members(hand.match)
    masters = [found.name for m in members if m.role == "gm" and (found := hand.step.player(m.player))]
    whom = "Your game master" if hides_names(hand.playing) else in_a_row(masters)
    person = f" {whom} runs this match: ask me in plain words, and I pass on what I cannot answer." if masters else ""
    return f"HELP and a word explains it, HELP ALL lists every word.{person}"


# ---------------------------------------------------------------- at the door


def help_at_first(caller: Caller) -> HelpPage:
    """What somebody may write who is in no match that is played: a stranger, who has joined one, who has opened one."""
    player = caller.player
    rows = [row for row in known_matches(caller.step, player.id) if not house_rules(caller.step, row.name).called_off]
    mine = (
        {m.match: m for m in caller.step.memberships(player.id) if m.status in ("applied", "watching")}
        if caller.proven
        else {}
    )
    forming = [row for row in rows if row.status == "forming"]
    opened = [row for row in forming if row.name in mine and mine[row.name].role == "gm"]
    joined = [row for row in forming if row.name in mine and mine[row.name].role == "player"]
    row = next(iter((*opened, *joined, *forming)), None)
    situation = "opened" if opened else "joined" if joined else "stranger"
    game = row.game if row and situation != "stranger" else easiest_first(caller.office)[0].name
    names = {
        "match": row.name if row else "",
        "open": row.name if row else "",
        "running": _first(rows, "running"),
        "game": game,
        "free": free_name(caller.step),
        "seat": next(iter(caller.office.games[row.game].seat_names(row.options)), "") if row else "",
    }
    games = "; ".join(game.title for game in easiest_first(caller.office))
    said = (f"One plays long games by letter here: {games}.",) if situation == "stranger" else ()
    keeper = f" A person: {caller.office.keeper}." if caller.office.keeper else ""
    more = f"Plain words will do too. HELP and a word explains it, HELP ALL lists every word.{keeper}"
    return HelpPage("What you can write now", said, (), ways_in(situation, names), (more,))


def _first(rows: Sequence[MatchRow], status: str) -> str:
    return next((row.name for row in rows if row.status == status), "")
