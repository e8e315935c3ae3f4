"""A match comes from another house, or comes back, once all that it brings is verified; then everybody has the time he had left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import chain, repeat

from msgspec.structs import replace

from referee.core.record import Entry
from referee.service import notes
from referee.service.alarms.moving import FORM, KEEPER, Carried, Person
from referee.service.clock.clocks import set_alarms
from referee.service.clock.standing_still import start_clock
from referee.service.match.audit import Audited, audit
from referee.service.match.dummies import dummy_player
from referee.service.match.house_rules import unlisted_matches
from referee.service.match.playing import Playing, remember
from referee.service.match.result import Done
from referee.service.office import Office
from referee.service.outgoing.news_held import waiting
from referee.service.overrides.base import log, notify
from referee.service.ports import Report, Step
from referee.service.records.compare import letters_agree
from referee.service.stored import Program, newer
from referee.service.times import length
from referee.service.turns.advance import plays_at_once, run
from referee.service.turns.elsewhere import MOVED
from referee.service.turns.renewing import ready

_EVERY_TURN = 1_000_000_000


class NotTaken(Exception):
    """A match cannot be taken in. The message is one sentence; nothing was written."""


def take_in(office: Office, carried: Carried, program: Program) -> Done:
    """Take a match in, prove it, and let it go on with the time that everybody had left; everybody is told.

    Raises NotTaken, and nothing is written, for one that cannot be taken or is not sound.
    """
    match, audited = carried.row.name, _looked_at(office, carried, program)
    with office.store.step() as step:
        _settle_in(office, step, carried, _log_here(step, carried))
        row = step.match(match)
        assert row is not None
        found = letters_agree(office, step, row, audited)
        if not found.sound:
            raise NotTaken(f"{match} is not sound, and was not taken in: {found.trouble}.")
        playing = _goes_on(office, step, carried, ready(office, step, row))
    remember(playing)
    office.ran(match)
    return Done((f"{match} was played again from its log and is sound. It goes on here; everybody is told.",))


def _looked_at(office: Office, carried: Carried, program: Program) -> Audited:
    """The log, played again. Raises NotTaken for what this program cannot read, this house does not play, or is not sound."""
    if carried.form > FORM:
        raise NotTaken(f"It is of form {carried.form}, which a newer referee made; this one knows form {FORM}.")
    if sentence := newer("The match", carried.program, program):
        raise NotTaken(sentence)
    if carried.row.game not in office.games:
        raise NotTaken(f"The game {carried.row.game} is not played here.")
    if office.address.lower() not in (carried.to.lower(), carried.house.lower()):
        raise NotTaken(f"It was carried out for {carried.to}, and this is {office.address}.")
    found = audit(office.games[carried.row.game], carried.row.secret, carried.entries)
    if not found.sound:
        raise NotTaken(f"{carried.row.name} is not sound, and was not taken in: {found.trouble}.")
    return found


def _log_here(step: Step, carried: Carried) -> Sequence[Entry]:
    """The log of a match that left this house, as it was then; nothing of one that was never here.

    Raises NotTaken where the match did not leave, or what comes does not go on from there: it would undo what was played.
    Equal hashes are of one secret as well, which the digests in them are made with.
    """
    match, known = carried.row.name, step.match(carried.row.name)
    if known is None:
        return ()
    if known.status != MOVED:
        raise NotTaken(f"A match {match} is played here already, and a match cannot be renamed.")
    here = step.entries(match)
    if any(ours.hash != theirs.hash for ours, theirs in zip(here, carried.entries, strict=False)):
        raise NotTaken(f"The log in the file does not go on from the one that {match} had when it left this house.")
    if len(carried.entries) < len(here):
        raise NotTaken(
            f"The file is of before {match} left this house the last time: take the one that was written since."
        )
    return here


def _settle_in(office: Office, step: Step, carried: Carried, log_here: Sequence[Entry]) -> None:
    """All that is carried lies here, in place of what is left of the match; its clock does not run yet."""
    match, here = carried.row.name, {0: 0}
    for person in carried.people:
        here[person.player.id] = _known_here(step, person)
    named = [here[person.player.id] for person in carried.people if not person.dummy]
    if len(set(named)) < len(named):
        raise NotTaken(f"Two people of {match} are one here, since their addresses are known as one person's.")
    places = sorted(member.id for member in step.members(match))
    if len(places) > len(carried.members):
        raise NotTaken(f"The file names fewer people than {match} had when it left this house.")
    step.save_match(replace(carried.row, status="paused"))  # until its clock runs again
    for member, id in zip(carried.members, chain(places, repeat(0)), strict=False):
        step.save_member(replace(member, id=id, player=here[member.player]))
    step.append(carried.entries[len(log_here) :])
    kept = {_name_of(report) for report in step.reports(match)}
    for report in carried.reports:
        if _name_of(report) not in kept:
            step.keep_report(report)
    tenures = notes.TENURES.every(step, match)
    notes.MOVED.of(match).forget(step)
    notes.bring(step, match, carried.notes, lambda number: here.get(number, 0))
    _retire_addresses(step, carried, len(log_here), {seat: len(each) for seat, each in tenures.items()})
    unlisted = unlisted_matches(step) - {match} | (set() if carried.listed else {match})
    notes.UNLISTED.of().keep(step, tuple(sorted(unlisted)) or None)
    now = office.clock.now()
    due = {f"{match}|{under}": now for under in notes.NEWS.every(step, match)}
    if due:
        notes.DAILY_LETTERS.of().keep(step, {**waiting(step), **due})


def _name_of(report: Report) -> tuple[int, int, str]:
    """What a report of a match is told apart by."""
    return report.turn, report.epoch, report.reader


def _retire_addresses(step: Step, carried: Carried, since: int, tenures: Mapping[str, int]) -> None:
    """Reply addresses of before a match left are as good as if it had been here meanwhile.

    What was played, rewound or handed on elsewhere has ended those that it would have ended here. `tenures` counts who had
    each seat before its player, as it was known here.
    """
    match = carried.row.name
    rewound = any(entry.kind in ("rewound", "forwarded") for entry in carried.entries[since:])
    step.retire_tokens(match, _EVERY_TURN if rewound else carried.row.turn)
    for seat, each in notes.TENURES.every(step, match).items():
        if len(each) > tenures.get(seat, 0):
            step.retire_tokens(match, _EVERY_TURN, seat)


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
    playing = log(office, step, playing, "MOVED back" if back else f"MOVED from {carried.house}", KEEPER, "")
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

    notify(office, step, playing, "the match has moved", told, KEEPER, forms=True)
    if not paused and plays_at_once(step, playing):
        playing = run(office, step, playing, (), "the match has moved").playing
    return playing
