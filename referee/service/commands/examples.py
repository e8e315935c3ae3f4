"""The examples of HELP in the names of the match, the seats and the moment where they are asked for.

The words of the desk are explained with one match, nw1 of New World, and with seats such as France. Whoever asks in a
match of his own reads them with its name, its seats, the turn that was played last and what waits there now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import count

from referee.core.vocabulary import Verb, Vocabulary
from referee.orders import read
from referee.service.clock.away import away_of
from referee.service.commands.master_words import FOR_GAME_MASTERS
from referee.service.commands.words import FOR_ANYONE, FOR_PLAYERS
from referee.service.lobby.who import known_matches
from referee.service.match.binding import bind
from referee.service.office import Office
from referee.service.outgoing.frames import debts
from referee.service.overrides.twokeys import proposed
from referee.service.people.replacing import standing_by
from referee.service.ports import MatchRow
from referee.service.press.treaties import treaties_of
from referee.service.press.votes import motions_of
from referee.service.sheets.visit import Visit

_OF_A_BEGINNING = frozenset({"I AM HERE", "START", "START NOW", "MUSTER"})
"""Words that are written before a match begins, and in it not any more."""

_CLOCK = "nationalities yes, slot 48h, clock 18:00 Europe/Berlin, days Mon-Fri, holidays DE"
_TURN = re.compile(r"\bTURN \d+")
_SEATS = ("France", "Spain", "England")


def examples_here(visit: Visit) -> dict[str, str]:
    """An example of each word of the desk that this match has a better one for than the word's own, or none ("")."""
    said = {verb.word: verb.example for verb in (*FOR_ANYONE, *FOR_PLAYERS)}
    said |= {verb.word: verb.example for verb in FOR_GAME_MASTERS} if visit.game_master else {}
    names = _names(visit)
    told = {word: _told(line, names) for word, line in said.items()}
    rows = [row for row in known_matches(visit.step, visit.player.id) if row.name != visit.match]
    elsewhere = {word: line for word, line in _begun(rows).items() if word in ("JOIN", "OBSERVE", "CREATE")}
    gone = dict.fromkeys(_OF_A_BEGINNING, "") | ({} if visit.playing.settings.bank_hours else {"EXTEND": ""})
    return {**told, **gone, "JOIN": "", "OBSERVE": "", **elsewhere, **_of_the_moment(visit), **_keys(visit.office)}


def notes_here(visit: Visit) -> dict[str, str]:
    """What there is to say of words that have nothing to do in this match, or are not written to it."""
    apart = f"in a letter of its own to {visit.office.address}"
    notes = {"JOIN": apart, "OBSERVE": apart, "CREATE": apart}
    if visit.playing.row.status != "forming":
        notes |= dict.fromkeys(_OF_A_BEGINNING, "this match has begun")
    if not visit.playing.settings.bank_hours:
        notes["EXTEND"] = "in this match there is none"
    return notes


def line_here(visit: Visit, own: Mapping[str, str]) -> str:
    """The first of these lines that may stand in a sheet of this seat now; "" if none may."""
    words = visit.playing.game.vocabulary(visit.playing.outcome.state)
    tests = {verb.word for verb in words.predicates}
    for word, line in own.items():
        reading = read(line, words, Vocabulary((), ())) if word not in tests else None
        if reading and reading.sheet and not reading.mistakes:
            bound = bind(visit.playing, visit.seat, reading.sheet, asides_allowed=False)
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
        found = _of(begins, (*FOR_ANYONE, *FOR_GAME_MASTERS))
    if runs := last.get("running"):
        found |= _of(runs, (verb for verb in FOR_ANYONE if verb.word not in _OF_A_BEGINNING))
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


def _names(visit: Visit) -> dict[str, str]:
    seats = tuple(visit.playing.created.seats)
    place = seats.index(visit.seat) + 1 if visit.seat in seats else 0
    others = [seat for seat in (*seats[place:], *seats[:place]) if seat != visit.seat]
    if visit.game_master and not visit.seat:
        waiting = [question.seat for question in visit.playing.outcome.open]
        others = list(dict.fromkeys((*waiting, *others)))
    seats_told = (others[0], others[-1], visit.seat or others[-1]) if others else ()
    played = max(0, visit.playing.turn - 1)
    return {
        "nw1": visit.match,
        "newworld": visit.playing.row.game,
        "TURN": str(played),
        **dict(zip(_SEATS, seats_told, strict=False)),
    }


def _of_the_moment(visit: Visit) -> dict[str, str]:
    """What waits in the match: a question, an offer, a motion; who stands by; days that lie ahead."""
    soon = visit.office.clock.now()
    days = [(soon + timedelta(days=ahead)).strftime("%Y-%m-%d") for ahead in (14, 21)]
    found = {"ABSENCE": f"ABSENCE FROM {days[0]} TO {days[1]}", "HOLIDAYS": f"HOLIDAYS DE US-CA {days[0]}"}
    if visit.game_master:
        found |= _to_be_mastered(visit)
    if number := proposed(visit.step, visit.match):
        found |= {word: f"{word} {number}" for word in ("CONFIRM", "OBJECT")}
    for away in away_of(visit.step, visit.match, visit.seat) if visit.seat else ():
        found["NO ABSENCE"] = f"NO ABSENCE {away.number}"
    for question in debts(visit.playing, visit.seat):
        if not question.wants_orders:
            found["CHOOSE"] = f"CHOOSE {question.menu.words()[0]}"
    for treaty in treaties_of(visit.step, visit.match):
        if visit.seat in treaty.parties:
            found |= {word: f"{word} {treaty.number}" for word in ("ACCEPT", "DECLINE")}
    for motion in motions_of(visit.step, visit.match):
        if motion.state == "open":
            found["VOTE"] = f"VOTE yes ON {motion.number}"
    return found


def _to_be_mastered(visit: Visit) -> dict[str, str]:
    phase, rules = visit.playing.outcome.phase, visit.playing.game.rules
    found = {"PROCESS": f'PROCESS "{phase.key}"'} if phase else {}
    seat = _names(visit).get("France", "France")
    found["REWIND"] = f'REWIND TO TURN {max(1, visit.playing.turn - 1)} BECAUSE "misread order"'
    found["EJECT"] = f'EJECT {seat} BECAUSE "abuse"'
    found["RULING"] = f'RULING "The line stands as it was meant." CITING "{rules[0].id}"'
    for asks in visit.playing.created.seats:
        if any(away.state == "asked" for away in away_of(visit.step, visit.match, asks)):
            found["APPROVE ABSENCE"] = f"APPROVE ABSENCE {asks}"
            found["REFUSE ABSENCE"] = f'REFUSE ABSENCE {asks} BECAUSE "the others wait"'
    standby = next((visit.step.player(m.player) for m in standing_by(visit.step, visit.match)), None)
    if standby and standby.addresses:
        found["REPLACE"] = f"REPLACE {seat} BY {standby.addresses[0]}"
    return found
