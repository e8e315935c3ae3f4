"""Examples of commands that would be done now, and HELP for a situation."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import count

from referee.core.order import Verb, Vocabulary
from referee.kit.wording import in_a_row
from referee.orders import read
from referee.service.base.letters import HelpPage
from referee.service.base.office import Office
from referee.service.base.ports import MatchRow
from referee.service.house.who import easiest_first, free_name, known_matches
from referee.service.intake.commands.caller import Caller
from referee.service.intake.commands.command import By
from referee.service.intake.commands.words import commands, for_anyone, for_game_masters
from referee.service.match.members import hides_names, house_rules
from referee.service.match.sheets import bind, debts
from referee.service.turn.hand import Hand

# ---------------------------------------------------------------- examples
# The examples of HELP in the names of the match, the seats and the moment where they are asked for.
#
# The words of the desk are explained with one match, nw1 of New World, and with seats such as France. Whoever asks in a match
# of his own reads them with its name, its seats, the turn that was played last and what waits there now.


_CLOCK = "nationalities yes, slot 48h, clock 18:00 Europe/Berlin, days Mon-Fri, holidays DE"
_TURN = re.compile(r"\bTURN \d+")
_SEATS = ("France", "Spain", "England")


def examples_here(hand: Hand) -> dict[str, str]:
    """An example of each word of the desk in the names of this match, or of what waits in it; "" of what has nothing to do."""
    names, found = _names(hand), dict[str, str]()
    for command in commands():
        now = command.example(hand)
        if now is not None or command.by is not By.MASTERS or hand.game_master:
            found[command.word] = _told(command.verb.example, names) if now is None else now
    return found | _keys(hand.office)


def notes_here(hand: Hand) -> dict[str, str]:
    """What there is to say of words that have nothing to do in this match, or are not written to it."""
    return {command.word: said for command in commands() if (said := command.note(hand))}


def elsewhere(hand: Hand) -> dict[str, str]:
    """Examples of words about other matches."""
    return _begun(row for row in known_matches(hand.step, hand.player.id) if row.name != hand.match)


def seat_told(hand: Hand) -> str:
    """The seat that stands in examples where they speak of one."""
    return _names(hand).get("France", "France")


def line_here(hand: Hand, own: Mapping[str, str]) -> str:
    """The first of these lines that may stand in a sheet of this seat now; "" if none may."""
    words = hand.playing.game.vocabulary(hand.playing.outcome.state)
    tests = {verb.word for verb in words.predicates}
    for word, line in own.items():
        reading = read(line, words, Vocabulary((), ())) if word not in tests else None
        if reading and reading.sheet and not reading.mistakes:
            bound = bind(hand.playing, hand.seat, reading.sheet, asides_allowed=False)
            if bound.sheet and not bound.mistakes:
                return line
    return ""


def _keys(office: Office) -> dict[str, str]:
    """A key that nobody else was shown, so that whoever copies it has a secret."""
    word = office.secrets.token()[:12]
    return {"SET key": f"SET key {word}", "KEY": f"KEY {word}"}


def examples_at_the_door(rows: Iterable[MatchRow]) -> dict[str, str]:
    """The same for who writes about no match of his: the last that was opened is named, one that begins where it must."""
    rows = list(rows)
    last = {row.status: row for row in sorted(rows, key=lambda row: row.created_at)}
    found: dict[str, str] = {}
    if begins := last.get("forming"):
        found = _of(begins, (*for_anyone(), *for_game_masters()))
    if runs := last.get("running"):
        found |= _of(runs, (verb for verb in for_anyone() if verb.word != "I AM HERE"))
        found["SEND"] = f"SEND report OF {runs.name}"
    return found | _begun(rows)


def _begun(rows: Iterable[MatchRow]) -> dict[str, str]:
    """Examples of words about a match that begins, and about one that runs."""
    rows = sorted(rows, key=lambda row: row.created_at)
    taken = {row.name for row in rows}
    name = next(f"nw{number}" for number in count(1) if f"nw{number}" not in taken)
    found = {"CREATE": f"CREATE newworld AS {name} WITH {_CLOCK}", "DUMMY": "DUMMY 2"}
    for row in rows:
        if row.status == "forming":
            found |= {"JOIN": f"JOIN {row.name}", "START": f"START {row.name}", "DUMMY": f"DUMMY 2 {row.name}"}
        elif row.status == "running":
            found["OBSERVE"] = f"OBSERVE {row.name}"
    return found


def _of(row: MatchRow, verbs: Iterable[Verb]) -> dict[str, str]:
    return {verb.word: _told(verb.example, {"nw1": row.name}) for verb in verbs if verb.word != "CREATE"}


def _told(line: str, names: Mapping[str, str]) -> str:
    line = re.sub(r"\b(nw1|newworld|France|Spain|England)\b", lambda found: names.get(found[0], found[0]), line)
    return _TURN.sub(f"TURN {names['TURN']}", line) if "TURN" in names else line


def _names(hand: Hand) -> dict[str, str]:
    seats = tuple(hand.playing.created.seats)
    place = seats.index(hand.seat) + 1 if hand.seat in seats else 0
    others = [seat for seat in (*seats[place:], *seats[:place]) if seat != hand.seat]
    if hand.game_master and not hand.seat:
        waiting = [question.seat for question in hand.playing.outcome.open]
        others = list(dict.fromkeys((*waiting, *others)))
    seats_told = (others[0], others[-1], hand.seat or others[-1]) if others else ()
    played = max(0, hand.playing.turn - 1)
    return {
        "nw1": hand.match,
        "newworld": hand.playing.row.game,
        "TURN": str(played),
        **dict(zip(_SEATS, seats_told, strict=False)),
    }


# ---------------------------------------------------------------- HELP alone
# One screen for the situation of who asks. What is said of each line is data, situations.toml. HELP alone: one screen for the
# situation of who asks.


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
