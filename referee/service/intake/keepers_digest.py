"""The keeper's daily digest: what stands still, whom no letter reaches, what broke us. No letter where all is well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from datetime import datetime, timedelta

import msgspec

from referee.kit.wording import are, counted, in_a_row
from referee.service.base import notes
from referee.service.base.letter_facts import Frame, Notice
from referee.service.base.note_values import BackedUp, KeptLetter, Loss
from referee.service.base.office import At, Office
from referee.service.base.ports import MatchRow, Player, Step
from referee.service.base.times import length, stamp
from referee.service.intake.confirmations import denied_since
from referee.service.intake.undelivered import out_of_reach
from referee.service.match.open_log import WRONG, called, witnesses
from referee.service.match.slot_life import TOLD, AlarmKind
from referee.service.match.suspension import losses
from referee.service.post.post import Mail, post
from referee.service.turn.knowledge import MOVED

_HOUR = 6
_LATE, _LONG, _FORMING = timedelta(hours=24), timedelta(days=14), timedelta(days=30)
_TRIES = 3
_NAMED = 5


class Concern(msgspec.Struct, frozen=True):
    """Something for the keeper; `about` names what it is about.

    `kind`: cut off (from a mailbox or relay), failing, missing (a game), backup, stuck, unreachable, shunted, unanswered, forged,
    undelivered or witness.
    """

    kind: str
    about: str
    sentence: str


TO_DO = {
    "failing": "It is tried again and again, and everything else goes on. The log says where it breaks; start the service anew, "
    "and install a mended version of the referee.",
    "cut off": "Deadlines wait until it is reached, and everybody has his time back then. referee doctor tries it and "
    "says what to mend.",
    "missing": "Its matches stand still, letters to them are kept, and all goes on by itself when the game can be loaded; those of "
    "other games go on. Install the program anew, or go back to the version before.",
    "backup": "referee backup FOLDER makes one now and says what is wrong; docs/backup.md tells what belongs into it.",
    "stuck": "A match that broke goes on by itself with a mended version of the referee; its game master can go back "
    "before the fault by REWIND, or try once more by RESUME. referee gm MATCH and such a word does it for "
    "him, and referee replay MATCH says whether its log is sound. One that is paused or waits goes on by "
    "RESUME or DEADLINE +24h.",
    "unreachable": "His game masters know. DEADLINE gives him more time, REPLACE gives his seat to somebody else; both go by "
    "referee gm MATCH too.",
    "shunted": "Nothing of it was done, and its writer knows that it is kept. referee desk show and its number prints "
    "it, referee desk retry has it read once more, after an upgrade say, and referee desk discard lays it "
    "aside for good.",
    "unanswered": "They proved by nothing who wrote them. referee show letters --status unanswered lists them; [gm] deny in "
    "the settings keeps an address or a domain out.",
    "forged": "Nothing was done, so there is nothing to mend. referee desk show and its number prints the letter; a "
    "mail server that checks senders and is named in [receive] trusted_authserv ends it.",
    "undelivered": "The game masters of its match know. referee doctor tries the relay; an address that is wrong its owner "
    "mends by SET address, or his seat goes to somebody else by REPLACE.",
    "witness": "A witness signs the heads of another's log (docs/verify.md tells how). Ask the host of that log, or the "
    "witness, what is so.",
}
"""The keeper's means against each kind of concern."""


def concerns(at: At) -> list[Concern]:
    """Everything that a keeper should look at now."""
    now = at.now
    rows = [row for row in at.step.matches() if row.status not in ("over", MOVED)]
    found = [
        _cut_off(at.office, loss) for loss in losses(at.step).values() if now - loss.since >= at.office.downtime.least
    ]
    for duty, failing in (notes.FAILING.of().read(at.step) or {}).items():
        said = f"The desk has failed at its {duty} since {stamp(failing.since, 'UTC')}: {failing.why}"
        found.append(Concern("failing", duty, said))
    found += [Concern("missing", name, f"{why}.") for name, why in (notes.MISSING.of().read(at.step) or {}).items()]
    found += _of_backups(at, now)
    found += [concern for row in rows if (concern := _stuck(at.step, row, now))]
    people = {
        m.player
        for row in rows
        for m in at.step.members(row.name)
        if m.status in ("playing", "applied") or m.role == "gm"
    }
    for number in sorted(people):
        player = at.step.player(number)
        address = player.addresses[0] if player and player.addresses else ""
        why = out_of_reach(at, address) if address else ""
        if player and why:
            found.append(Concern("unreachable", address, f"Letters to {player.name} at {address} come back: {why}"))
    for letter in at.step.letters("shunted"):
        found.append(
            Concern("shunted", str(letter.id), f"Letter {letter.id} of {letter.sender} broke me: {letter.verdict}")
        )
    found += _unanswered(at.step, now)
    found += [_forged(kept) for kept in denied_since(at.step, now - _LATE)]
    found += [*_of_logs(at.step, now), *_of_witnesses(at.step, rows, now)]
    found += _undelivered(at.step, {"", *(row.name for row in rows)}, now)
    return found


def _undelivered(step: Step, matches: Set[str], now: datetime) -> Iterator[Concern]:
    """Letters that were given up, and those that were tried again and again."""
    for out in step.unsent(now - _LATE, _TRIES):
        if out.match in matches:
            state = "is given up" if out.status == "failed" else f"failed {out.attempts} times"
            said = f"The {out.kind} letter to {out.recipient} {state}: {out.error or 'no reason was given'}"
            yield Concern("undelivered", out.recipient, said)


def _of_backups(at: At, now: datetime) -> Iterator[Concern]:
    """Nights without a backup, and too little room for the next one."""
    kept = notes.BACKED_UP.of().read(at.step) or BackedUp()
    if not at.office.backups:
        return
    if kept.at is not None and now - kept.at > BACKUP_OLD:
        yield Concern(
            "backup", kept.folder, f"{last_backup(kept)} {kept.why and f'It failed since: {kept.why}'}".strip()
        )
    elif kept.at is None and kept.why:
        yield Concern("backup", "", f"No backup could be made yet: {kept.why}")
    if kept.at is not None and kept.free < kept.size:
        said = f"{kept.free // 1_000_000} MB were free beside the last backup, which takes {kept.size // 1_000_000} MB"
        yield Concern("backup", kept.folder, f"{said}: make room, or keep fewer ([backup] keep).")


BACKUP_OLD = timedelta(days=2)
"""When the keeper is told that the last good backup was made long ago."""


def last_backup(kept: BackedUp) -> str:
    """When the last good backup was made, in a sentence."""
    if kept.at is None:
        return "No backup was made yet."
    return f"The last good backup was made on {stamp(kept.at, 'UTC')}: {kept.folder} on {kept.host}."


def _of_logs(step: Step, now: datetime) -> Iterator[Concern]:
    """Others' logs that we witness and refused to sign lately."""
    for origin, log in notes.LOG_SEEN.every(step).items():
        if log.warned is not None and now - log.warned < _LATE:
            said = f"I refused to sign a head that was sent to me as one of {origin}: {WRONG[log.wrong]}"
            yield Concern("witness", origin, f"{said}. Anybody can have sent it{_PROOF if log.fork else ''}.")


_PROOF = ", but it bears the key of that log, so it proves that its host shows two"


def _of_witnesses(step: Step, rows: Sequence[MatchRow], now: datetime) -> Iterator[Concern]:
    """Matches here that a witness lately refused to sign for."""
    for row in rows:
        for witness in witnesses(step, row.name):
            if witness.refused_at is not None and now - witness.refused_at < _LATE:
                said = f"{called(witness)} witnesses {row.name} no more: {WRONG[witness.refused]}."
                yield Concern("witness", row.name, said)


def _unanswered(step: Step, now: datetime) -> list[Concern]:
    """Letters that were kept and not answered, because too many came that prove nothing."""
    kept = step.kept_since(now - _LATE)
    if not kept:
        return []
    named = in_a_row([f"{address} ({count})" for address, count in kept[:_NAMED]])
    others = f" and {counted(len(kept) - _NAMED, 'other addresses')}" if len(kept) > _NAMED else ""
    said = f"{counted(sum(count for _, count in kept), 'letters')} of the last day were kept and not answered: {named}{others}."
    return [Concern("unanswered", kept[0][0], said)]


def _forged(kept: KeptLetter) -> Concern:
    """Somebody wrote in a member's name, who says so."""
    said = f"{kept.address} said NO to letter {kept.letter}, which came in the name of {kept.name} for {kept.match}"
    return Concern("forged", kept.address, f"{said}.")


def _cut_off(office: Office, loss: Loss) -> Concern:
    """A server of ours that cannot be reached, and until when deadlines wait for it."""
    given_up, longest = loss.given_up, loss.waits_from + office.downtime.longest
    wait = (
        f"ceased to wait for it on {stamp(given_up, 'UTC')}"
        if given_up
        else f"wait for it until {stamp(longest, 'UTC')}"
    )
    said = f"I have not reached {loss.server} since {stamp(loss.since, 'UTC')}; deadlines {wait}."
    return Concern("cut off", loss.server, f"{said} {loss.why}".strip())


def _stuck(step: Step, row: MatchRow, now: datetime) -> Concern | None:
    """Why a match goes on no more by itself."""
    alarms, said = step.alarms(row.name), ""
    last = step.last_entry(row.name)
    idle = now - (datetime.fromisoformat(last.at) if last else row.created_at)
    running = [alarm.due_at for alarm in alarms if alarm.kind in TOLD]
    if row.status == "shunted":
        said = f"cannot be run on: {row.trouble or 'no reason is kept'}"
    elif row.status == "paused" and idle > _LONG and not any(alarm.kind == AlarmKind.RESUME for alarm in alarms):
        said = f"has been paused for {length(idle)} with no end set"
    elif row.status == "forming" and idle > _FORMING:
        said = f"has been forming for {length(idle)}"
    elif row.status == "running" and running and min(running) < now - _LATE:
        said = f"has a deadline that passed {length(now - min(running))} ago"
    elif row.status == "running" and not running and idle > _LATE:
        said = f"waits without any deadline since {length(idle)}"
    return Concern("stuck", row.name, f"Match {row.name} {said}.") if said else None


def send_digest(office: Office) -> bool:
    """Write to the keeper once a day, from six in the morning UTC on, if there is something; whether there was."""
    now = office.clock.now()
    today = now.date()
    if not office.keeper or now.hour < _HOUR:
        return False
    with office.store.look() as step:
        if notes.DIGESTED.of().read(step) == today:
            return False
    with office.step() as at:
        notes.DIGESTED.of().keep(at.step, today)
        found = concerns(at)
        if found:
            _write(at, found, f"{today}")
    return bool(found)


def _write(at: At, found: list[Concern], today: str) -> None:
    count = f"{counted(len(found), 'things')} to look at"
    why = f"There {are(len(found))} {count}. The command referee show digest lists the same at any time."
    of_backup = (last_backup(notes.BACKED_UP.of().read(at.step) or BackedUp()),) if at.office.backups else ()
    told = tuple(dict.fromkeys((why, *_by_kind(found), *of_backup)))
    body = Notice(Frame("", at.office.name, "The desk", "Keeper"), f"Digest of {today}", told)
    post(
        at,
        Player(0, "Keeper", (at.office.keeper,), at.office.zone),
        Mail("digest", f"digest: {count}", body, today),
    )


def _by_kind(found: Sequence[Concern]) -> Iterator[str]:
    """Like concerns together, and below them the means against them."""
    for kind, todo in TO_DO.items():
        alike = [concern.sentence for concern in found if concern.kind == kind]
        yield from (*alike, todo) if alike else ()
