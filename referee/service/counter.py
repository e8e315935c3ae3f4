"""The counter: what the keeper does at the machine itself, by the same rules as by mail."""

from __future__ import annotations

import email.utils
from dataclasses import replace

from referee.core.names import Role
from referee.mail import Letter, Stripped
from referee.service import lobby
from referee.service.advance import owner_of
from referee.service.audit import Audited, audit
from referee.service.compare import letters_agree
from referee.service.desk import attend
from referee.service.library import Found, Missing, fetch
from referee.service.lobby import Said
from referee.service.office import Office
from referee.service.playing import load, remember
from referee.service.ports import Member, Player, Step
from referee.service.visit import Visit

__all__ = [
    "at_the_counter",
    "create_at_the_counter",
    "document_at_the_counter",
    "join_at_the_counter",
    "player_at_the_counter",
    "replay_at_the_counter",
]


def _person(step: Step, address: str, name: str = "") -> Player:
    shown, bare = email.utils.parseaddr(address)
    found = step.player_at(bare.lower())
    return found or step.save_player(Player(0, name or shown or bare.partition("@")[0], (bare.lower(),)))


def create_at_the_counter(office: Office, game: str, match: str, master: str, options: str) -> Said:
    """Open a match for a game master."""
    with office.store.step() as step:
        person = _person(step, master)
        return lobby.create(replace(office, creators=frozenset()), step, person, game, match, options)


def join_at_the_counter(office: Office, match: str, address: str, wishes: str, name: str) -> Said:
    """Enter a player."""
    wanted = tuple(filter(None, (part.strip() for part in wishes.split(","))))
    with office.store.step() as step:
        return lobby.join(office, step, _person(step, address, name), match, wanted)


def at_the_counter(office: Office, match: str, line: str, by: str) -> Said:
    """Do a game master's line in a match."""
    with office.store.step() as step:
        row = step.match(match)
        if row is None:
            return Said(
                False, (f"I know no match {match}; I know {', '.join(r.name for r in step.matches()) or 'none'}.",)
            )
        keeper = Player(0, by, ("keeper@localhost",))
        if row.status == "forming":
            if line.strip().upper() in ("START", "START NOW"):
                return lobby.start(office, step, keeper, match, now=line.strip().upper() == "START NOW")
            return Said(False, (f"{match} has not started; only START can be done now.",))
        visit = _visit(office, step, keeper, row.name, line)
        playing = attend(visit, line, Stripped((), ()))
    remember(playing)
    office.ran(match)
    refusals = tuple(f"{r.sentence}" for r in visit.refused)
    return Said(not visit.refused, (*visit.done, *refusals))


def player_at_the_counter(office: Office, match: str, seat: str, text: str) -> Said:
    """Do what a player's letter with this text would do; the receipt goes to him."""
    with office.store.step() as step:
        row = step.match(match)
        found = owner_of(step, match, seat) if row and row.status != "forming" else None
        if row is None or found is None:
            return Said(False, (f"{seat} is no seat that a person plays in a running match {match}.",))
        letter = Letter("", "", 1, (), "", None, "", "", (), text, (), (), False, len(text), ())
        master = any(m.role == "gm" and m.player == found[1].id for m in step.members(match))
        unique = f"counter.{office.clock.now().isoformat()}"
        visit = Visit(office, step, load(office, step, row), *found, letter, unique, master)
        playing = attend(visit, text, Stripped((), ()))
    remember(playing)
    office.ran(match)
    refusals = tuple(r.sentence for r in visit.refused)
    taken = ("Your orders are on file.",) if visit.filed else ()
    return Said(not refusals, (*taken, *visit.done, *refusals))


def _visit(office: Office, step: Step, keeper: Player, match: str, line: str) -> Visit:
    row = step.match(match)
    assert row is not None  # looked up by the caller in the same step
    letter = Letter("", "", 1, (), "", None, "", "", (), line, (), (), False, len(line), ())
    member = Member(0, match, 0, "gm", "watching")
    return Visit(office, step, load(office, step, row), member, keeper, letter, "", True, receipt=False)


def document_at_the_counter(office: Office, match: str, document: str, turn: int | None, seat: str) -> Found | Missing:
    """A report, the record sheets, the history, the standings or the log of a match, whole as the referee sees it."""
    with office.store.look() as step:
        row = step.match(match)
        if row is None or step.last_entry(match) is None:
            return Missing(f"I know no match {match} that has begun.")
        return fetch(step, load(office, step, row), Role.OBSERVER, document, turn, seat)


def replay_at_the_counter(office: Office, match: str) -> Audited | None:
    """Re-adjudicate a match from its log and compare every report and letter; None for an unknown match."""
    with office.store.look() as step:
        row = step.match(match)
        entries = step.entries(match) if row else []
        if row is None or not entries:
            return None
        found = audit(office.games[row.game], row.secret, entries)
        return letters_agree(office, step, row, found) if found.sound else found
