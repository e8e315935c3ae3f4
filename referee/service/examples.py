"""The examples of HELP in the names of the match, the seats and the moment where they are asked for.

The words of the desk are explained with one match, nw1 of New World, and with seats such as France. Whoever asks in a
match of his own reads them with its name, its seats, the turn that was played last and what waits there now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta

from referee.core.vocabulary import Verb
from referee.service.frames import debts
from referee.service.ports import MatchRow
from referee.service.replacing import standing_by
from referee.service.treaties import treaties_of
from referee.service.visit import Visit
from referee.service.votes import motions_of
from referee.service.words import FOR_ANYONE, FOR_GAME_MASTERS, FOR_PLAYERS

__all__ = ["examples_at_the_door", "examples_here"]

_OF_A_BEGINNING = frozenset({"CREATE", "JOIN", "I AM HERE"})
"""Words that are written before a match begins, and in it not any more."""

_TURN = re.compile(r"\bTURN \d+")
_SEATS = ("France", "Spain", "England")


def examples_here(visit: Visit) -> dict[str, str]:
    """An example of each word of the desk that this match has a better one for than the word's own."""
    said = {verb.word: verb.example for verb in (*FOR_ANYONE, *FOR_PLAYERS)}
    said |= {verb.word: verb.example for verb in FOR_GAME_MASTERS} if visit.game_master else {}
    names = _names(visit)
    told = {word: _told(line, names) for word, line in said.items() if word not in _OF_A_BEGINNING}
    return {**told, **_of_the_moment(visit)}


def examples_at_the_door(rows: Iterable[MatchRow]) -> dict[str, str]:
    """The same for who writes about no match of his: the last that was opened is named, one that begins where it must."""
    last = {row.status: row for row in sorted(rows, key=lambda row: row.created_at)}
    found: dict[str, str] = {}
    if begins := last.get("forming"):
        found = _of(begins, (*FOR_ANYONE, *FOR_GAME_MASTERS))
        found |= {"JOIN": f"JOIN {begins.name}", "START": f"START {begins.name}"}
    if runs := last.get("running"):
        found |= _of(runs, (verb for verb in FOR_ANYONE if verb.word not in _OF_A_BEGINNING))
        found["SEND"] = f"SEND report OF {runs.name}"
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
    played = max(1, visit.playing.turn - 1)
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
    found["EJECT"] = f'EJECT {seat} BECAUSE "abuse"'
    found["RULING"] = f'RULING "The line stands as it was meant." CITING "{rules[0].id}"'
    standby = next((visit.step.player(m.player) for m in standing_by(visit.step, visit.match)), None)
    if standby and standby.addresses:
        found["REPLACE"] = f"REPLACE {seat} BY {standby.addresses[0]}"
    return found
