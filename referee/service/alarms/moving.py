"""A match moves to another house: out of one with all its proofs, into the other once they are verified; never played in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from referee.core.record import Entry
from referee.service import notes
from referee.service.clock.clocks import set_alarms
from referee.service.clock.slot_life import OF_SLOTS, Happening
from referee.service.clock.standing_still import start_clock, stop_clock
from referee.service.match.audit import Audited, audit
from referee.service.match.dummies import dummy_player
from referee.service.match.house_rules import unlisted_matches
from referee.service.match.playing import Playing, remember
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.outgoing.news_held import waiting
from referee.service.overrides.base import log, notify
from referee.service.people.identity import is_address
from referee.service.ports import Alarm, MatchRow, Member, Player, Report, Step
from referee.service.records.compare import letters_agree
from referee.service.remembered import Elsewhere, Wishes
from referee.service.stored import Program, newer
from referee.service.times import length
from referee.service.turns.advance import plays_at_once, run
from referee.service.turns.elsewhere import MOVED
from referee.service.turns.halting import release
from referee.service.turns.renewing import ready

FORM = 1
"""The form of what is carried. It is raised when an older program could not take in what this one carries out."""

_KEEPER = "the keeper"


class Person(msgspec.Struct, frozen=True):
    """Somebody as a house knows him, with what he wished of all his letters, and his key as it is kept."""

    player: Player
    wishes: Wishes | None = None
    reminders: tuple[float, ...] | None = None
    key: str | None = None
    dummy: bool = False


class Carried(msgspec.Struct, frozen=True):
    """A match as it leaves a house, with all that goes with it, its secrets too, for the house of the address `to`."""

    house: str
    to: str
    at: datetime
    program: Program
    row: MatchRow
    entries: tuple[Entry, ...]
    reports: tuple[Report, ...]
    people: tuple[Person, ...]
    members: tuple[Member, ...]
    alarms: tuple[Alarm, ...]
    notes: dict[str, dict[str, str]]
    listed: bool = True
    form: int = FORM


def carry_out(office: Office, match: str, to: str, program: Program, lay_down: Callable[[Carried], None]) -> Result:
    """End a match here, for it goes on at another referee's address; everybody is told. What is carried is laid down first.

    One that has moved already is laid down once more as it was, for a file may be lost.
    """
    with office.store.step() as step:
        row = step.match(match)
        gone = notes.MOVED.of(match).read(step) if row is not None and row.status == MOVED else None
        if row is not None and gone is not None:
            lay_down(_carried(office, step, row, program, gone))
            return Done((f"{match} has moved already; it is laid down once more as it was then, for {gone.to}.",))
        if row is None or step.last_entry(match) is None:
            return Denied(f"I know no match {match} that has begun.")
        playing = ready(office, step, row)
        if refused := _stays(office, playing, to):
            return refused
        now, status = office.clock.now(), row.status
        gone = Elsewhere(to, now, status, tuple(alarm for alarm in step.alarms(match) if alarm.kind not in OF_SLOTS))
        stop_clock(step, row, now, Happening.PAUSED)
        row = replace(row, status=MOVED)
        playing = log(office, step, replace(playing, row=row), f"MOVED to {to}", _KEEPER, "")
        step.save_match(row)
        notes.MOVED.of(match).keep(step, gone)
        notify(office, step, playing, "this match moves to another referee", _going(match, to), _KEEPER)
        waits = {key: at for key, at in waiting(step).items() if not key.startswith(f"{match}|")}
        notes.DAILY_LETTERS.of().keep(step, waits or None)
        release(step, match)
        lay_down(_carried(office, step, row, program, gone))
    remember(playing)
    office.ran(match)
    return Done((f"{match} is played here no more. It goes on once {to} has taken it in.",))


def _stays(office: Office, playing: Playing, to: str) -> Denied | None:
    """Why a match cannot leave."""
    name = playing.row.name
    if not is_address(to) or to.lower() == office.address.lower():
        return Denied(f"{to} is no address of another referee; write one such as referee@club.example.")
    if playing.row.status == "over":
        return Denied(f"{name} is over; its archive can be laid anywhere.")
    if playing.fault or playing.row.status not in ("running", "paused"):
        return Denied(f"{name} stands still ({playing.row.status}); it can move when it goes on, or is paused.")
    return None


def _going(match: str, to: str) -> Sequence[str]:
    return (
        f"{match} goes on at another referee, {to}, who writes to you when it has been taken in there. Reply to that letter: what "
        "you write to me about it is not done any more.",
        "All that was played, and what you have on file, goes along. The clock stands still meanwhile, and everybody keeps the "
        "time he had left.",
    )


def _carried(office: Office, step: Step, row: MatchRow, program: Program, gone: Elsewhere) -> Carried:
    match, members = row.name, tuple(step.members(row.name))
    numbers = sorted({member.player for member in members})
    players = [player for number in numbers if (player := step.player(number))]
    return Carried(
        house=office.address,
        to=gone.to,
        at=gone.at,
        program=program,
        row=replace(row, status=gone.status),
        entries=tuple(step.entries(match)),
        reports=tuple(step.reports(match)),
        people=tuple(_person(step, player) for player in players),
        members=members,
        alarms=gone.alarms,
        notes=notes.carried(step, match),
        listed=match not in unlisted_matches(step),
    )


def _person(step: Step, player: Player) -> Person:
    return Person(
        player,
        notes.WISHES.of(player.id).read(step),
        notes.REMINDERS.of(player.id).read(step),
        notes.KEY.of(player.id).read(step),
        player.id == notes.DUMMY_PLAYER.of().read(step),
    )


class NotTaken(Exception):
    """A match cannot be taken in. The message is one sentence; nothing was written."""


def take_in(office: Office, carried: Carried, program: Program) -> Done:
    """Take a match in, prove it, and let it go on with the time that everybody had left; everybody is told.

    Raises NotTaken, and nothing is written, for one that cannot be taken or is not sound.
    """
    match = carried.row.name
    _look_at(office, carried, program)
    with office.store.step() as step:
        known = step.match(match)
        if known is not None and known.status == MOVED:
            _take_back(step, carried, known)
        elif known is not None:
            raise NotTaken(f"A match {match} is played here already, and a match cannot be renamed.")
        else:
            _settle_in(office, step, carried)
        row = step.match(match)
        assert row is not None
        found = letters_agree(office, step, row, _audited(office, carried))
        if not found.sound:
            raise NotTaken(f"{match} is not sound, and was not taken in: {found.trouble}.")
        playing = _goes_on(office, step, carried, ready(office, step, row))
    remember(playing)
    office.ran(match)
    return Done((f"{match} was played again from its log and is sound. It goes on here; everybody is told.",))


def _look_at(office: Office, carried: Carried, program: Program) -> None:
    """Raises NotTaken for what this program cannot read, this house does not play, or whose log is not sound."""
    if carried.form > FORM:
        raise NotTaken(f"It is of form {carried.form}, which a newer referee made; this one knows form {FORM}.")
    if sentence := newer("The match", carried.program, program):
        raise NotTaken(sentence)
    if carried.row.game not in office.games:
        raise NotTaken(f"The game {carried.row.game} is not played here.")
    if office.address.lower() not in (carried.to.lower(), carried.house.lower()):
        raise NotTaken(f"It was carried out for {carried.to}, and this is {office.address}.")
    found = _audited(office, carried)
    if not found.sound:
        raise NotTaken(f"{carried.row.name} is not sound, and was not taken in: {found.trouble}.")


def _audited(office: Office, carried: Carried) -> Audited:
    return audit(office.games[carried.row.game], carried.row.secret, carried.entries)


def _take_back(step: Step, carried: Carried, known: MatchRow) -> None:
    """The match comes back as it left. Raises NotTaken for one that was played on elsewhere."""
    last = step.last_entry(known.name)
    if last is None or last.hash != carried.entries[-1].hash:
        raise NotTaken(f"{known.name} was played on since it left this house, and can go on in another only.")
    notes.MOVED.of(known.name).forget(step)
    step.save_match(replace(carried.row, status="paused"))


def _settle_in(office: Office, step: Step, carried: Carried) -> None:
    match, here = carried.row.name, {0: 0}
    for person in carried.people:
        here[person.player.id] = _known_here(step, person)
    named = [here[person.player.id] for person in carried.people if not person.dummy]
    if len(set(named)) < len(named):
        raise NotTaken(f"Two people of {match} are one here, since their addresses are known as one person's.")
    step.save_match(replace(carried.row, status="paused"))  # until its clock runs again
    for member in carried.members:
        step.save_member(replace(member, id=0, player=here[member.player]))
    step.append(carried.entries)
    for report in carried.reports:
        step.keep_report(report)
    notes.bring(step, match, carried.notes, lambda number: here.get(number, 0))
    if not carried.listed:
        notes.UNLISTED.of().keep(step, (*(notes.UNLISTED.of().read(step) or ()), match))
    now = office.clock.now()
    due = {f"{match}|{under}": now for under in notes.NEWS.every(step, match)}
    if due:
        notes.DAILY_LETTERS.of().keep(step, {**waiting(step), **due})


def _known_here(step: Step, person: Person) -> int:
    """The number somebody has here; what he wished goes along with who is new."""
    if person.dummy:
        return dummy_player(step).id
    for address in person.player.addresses:
        if known := step.player_at(address.lower()):
            return known.id
    new = step.save_player(replace(person.player, id=0))
    notes.WISHES.of(new.id).keep(step, person.wishes)
    notes.REMINDERS.of(new.id).keep(step, person.reminders)
    notes.KEY.of(new.id).keep(step, person.key)
    return new.id


def _goes_on(office: Office, step: Step, carried: Carried, playing: Playing) -> Playing:
    """The clock runs again where it ran, and everybody hears from here."""
    now, paused = office.clock.now(), carried.row.status == "paused"
    for alarm in carried.alarms:
        step.set_alarm(replace(alarm, due_at=alarm.due_at + (now - carried.at)))
    if not paused:
        start_clock(step, playing, now)
        playing = replace(playing, row=replace(playing.row, status="running"))
        step.save_match(playing.row)
    back = carried.house.lower() == office.address.lower()
    playing = log(office, step, playing, "MOVED back" if back else f"MOVED from {carried.house}", _KEEPER, "")
    set_alarms(office, step, playing)
    away = length(max(now - carried.at, timedelta(minutes=1)))

    def told(zone: str) -> Sequence[str]:
        from_where = (
            "has come back to me" if back else f"was mastered by {carried.house}, and has moved to me, {office.address}"
        )
        clock = (
            "It is paused, as it was."
            if paused
            else f"The clock runs again: deadlines are later by the {away} it took."
        )
        return (
            f"{playing.row.name} {from_where}. From now on write to me: a reply to this letter reaches me.",
            "All that was played was verified from its log; what you had on file, your key and your wishes are here. A letter that "
            "waited for a YES of yours is not: write it again.",
            clock,
        )

    notify(office, step, playing, "the match has moved", told, _KEEPER, forms=True)
    if not paused and plays_at_once(step, playing):
        playing = run(office, step, playing, (), "the match has moved").playing
    return playing
