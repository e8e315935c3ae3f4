"""The examples of HELP in the names of the match, the seats and the moment where they are asked for.

The words of the desk are explained with one match, nw1 of New World, and with seats such as France. Whoever asks in a
match of his own reads them with its name, its seats, the turn that was played last and what waits there now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import count

from referee.core.vocabulary import Verb, Vocabulary
from referee.orders import read
from referee.service.commands.command import By
from referee.service.commands.words import commands, for_anyone, for_game_masters
from referee.service.lobby.who import known_matches
from referee.service.match.binding import bind
from referee.service.office import Office
from referee.service.overrides.hand import Hand
from referee.service.ports import MatchRow

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
