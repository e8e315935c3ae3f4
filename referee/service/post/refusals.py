"""A letter that is refused, and what the keeper of the house is told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from referee.kit.wording import counted, in_a_row
from referee.mail import Letter, digest, parse_recipient
from referee.service.base import notes
from referee.service.base.letter_facts import Frame, PressLetter, Proof, RefusalLetter
from referee.service.base.note_values import Loss
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterIn, Member, Player, Step
from referee.service.base.times import stamp
from referee.service.match.playing import BareHand, Playing
from referee.service.match.sheets import drawers_of
from referee.service.post.answer_limits import Answering, keep_back, pay, room
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, Reply, Thread, post

# ---------------------------------------------------------------- letters that cannot be used
# Refused in one sentence, with proof that they came.


_MOST = 100_000
_ONCE = "I say this once a day to an address: the same again is not answered until tomorrow."


def seat_of(step: Step, match: str, player: Player) -> str:
    """The seat somebody plays in a match, "" for none."""
    mine = (m.seat for m in step.members(match) if m.player == player.id and m.status == "playing")
    return next(mine, "")


def refuse_letter(
    at: At,
    player: Player,
    why: str,
    instead: tuple[str, ...],
    letter: Letter,
    answering: Answering,
    match: str = "",
    playing: Playing | None = None,
    member: Member | None = None,
) -> None:
    """Say in one sentence why a letter could not be used; the same sentence to an unproven writer once a day, which it says.

    The subject names the match the letter was about, where that is known. Where his part in it is given, he can answer to it,
    and is told what stands there all the same and what he owes.
    """
    proven = answering.purse != "stranger"
    if not proven and _told_today(at, player.addresses[0], why):
        return
    proof = proof_of(at.office, letter, letter.text[:_MOST], player.zone) if proven else None
    about = frame(BareHand(at.office, at.step, playing), member, player) if playing and member else None
    sentence = f"{why} {_stands(playing, member)}".strip() if playing and member else why
    body = RefusalLetter(
        "Your letter could not be used",
        sentence,
        instead,
        proof,
        "",
        player.name,
        _ONCE if not proven else "",
        about,
        site="" if match else at.office.site,
    )
    thread = Thread(letter.message_id, letter.references)
    named = f"[{match}] " if match and playing is None else ""
    subject = f"{named}your letter could not be used"
    unique = str(answering.letter)
    post(
        at,
        player,
        Mail("refusal", subject, body, unique),
        About(playing, member),
        Reply(thread, answering),
    )


def _stands(playing: Playing, member: Member) -> str:
    """One sentence on what a player has on file."""
    lines = sum(len(drawer.lines) for drawer in drawers_of(playing, member.seat)) if member.seat else 0
    if lines:
        return f"Your orders on file in {playing.row.name} stand: {counted(lines, 'lines')}."
    return f"You have nothing on file in {playing.row.name}." if member.seat else ""


def _told_today(at: At, address: str, why: str) -> bool:
    """Whether this sender had this very answer within a day; if not, it counts from now."""
    now, refused = at.now, notes.REFUSED.of(digest(f"{address} {why}"))
    kept = refused.read(at.step)
    if kept is not None and now - kept < timedelta(days=1):
        return True
    refused.keep(at.step, now)
    return False


def proof_of(office: Office, letter: Letter | None, text: str, zone: str) -> Proof:
    """Proof that a letter arrived: its id, its date, when it came, the digest of the text as received."""
    dated = stamp(letter.dated, zone) if letter and letter.dated else "no date"
    return Proof((letter and letter.message_id) or "none", dated, stamp(office.clock.now(), zone), digest(text))


# ---------------------------------------------------------------- trouble with the service itself
# The keeper is told by letter, where one can still go out.


def report_closed_mailbox(office: Office, mailbox: str, why: str) -> None:
    """Write to the keeper that a mailbox does not let us in; once a day, and never into that very mailbox."""
    sentence = f"The mailbox {mailbox} does not let me in, so no letter is taken from it: {why.rstrip('.')}."
    instead = (
        "Mend user, password or token_command under [imap] in the settings and start the service anew; "
        "referee doctor tells whether they are right.",
        "No letter is lost: letters in the mailbox are taken then, and count from when the mail server took them.",
    )
    with office.step() as at:
        unique = f"mailbox.{mailbox}.{office.clock.now():%Y-%m-%d}"
        _write(at, "a mailbox is closed to me", sentence, instead, unique)


def report_lost_contact(at: At, kind: str, loss: Loss) -> None:
    """Write to the keeper that deadlines wait for a server no longer, though it cannot be reached."""
    since = stamp(loss.since, "UTC")
    sentence = f"I have not reached {loss.server} since {since}, and deadlines wait for it no longer."
    said = f" The last I heard: {loss.why.rstrip('.')}." if loss.why else ""
    instead = (
        f"Players are told that deadlines have moved once more, and that turns run again.{said}",
        f"Mend {_MEND[kind]}; referee doctor tells whether it can be reached. A game master can PAUSE his match till then.",
    )
    _write(at, "deadlines wait no longer", sentence, instead, f"contact.{kind}.{loss.since:%Y-%m-%d.%H%M%S}")


def report_set_back(at: At, match: str, stands: str) -> None:
    """Write to the keeper that a player has a letter which the database knows nothing of; once a day for a match."""
    sentence = (
        f"A player of {match} answered a letter of mine that I do not know; in my database {match} stands at "
        f"{stands}: it was restored from a backup, and is older than what I did last."
    )
    instead = (
        "He was told that nothing was taken and asked to write again; so is everybody who answers such a letter.",
        f"Tell the game master of {match}."
        if at.office.restores
        else f"Tell the game master of {match}. Players were told secrets of dice of turns that are lost, from which coming dice "
        "can be foreseen; a REWIND gives others, as referee restore does by itself.",
    )
    unique = f"back.{match}.{at.now:%Y-%m-%d}"
    _write(at, "my database is older than my letters", sentence, instead, unique)


def report_shunted(at: At, letter: int, why: str) -> None:
    """Write to the keeper that a letter ended the desk and waits for him; once a day at most."""
    sentence = f"Letter {letter} ended my desk when I read it ({why}), so it is laid aside and waits for a person."
    instead = (
        "All other letters and all deadlines went on. referee desk list names every letter that waits, referee desk show "
        f"{letter} prints it byte for byte; it may be an attack.",
        f"referee desk retry {letter} hands it to me again, referee desk discard {letter} lays it aside for good.",
    )
    _write(at, "a letter broke my desk", sentence, instead, f"shunted.{at.now:%Y-%m-%d}")


def report_wish_to_be_forgotten(at: At, player: Player, busy: Sequence[str]) -> None:
    """Write to the keeper that somebody wishes to be forgotten; once a day for each."""
    address = player.addresses[0]
    sentence = f"{player.name}, {address}, wishes to be forgotten."
    left = f" He takes part in {in_a_row(busy)}, and must have left before." if busy else ""
    instead = (
        f"referee forget {address} says what is kept of him and what would become of it; with --yes it is done.{left}",
        "Write to him when it is done, or why it is not; docs/privacy.md tells what can stay.",
    )
    _write(
        at,
        "somebody wishes to be forgotten",
        sentence,
        instead,
        f"forget.{player.id}.{at.now:%Y-%m-%d}",
    )


_FORWARDED = 4_000


def forward(at: At, came: LetterIn, letter: Letter) -> None:
    """Hand on to the keeper what was written to postmaster@ or abuse@; what is too much for a stranger, or for nobody, is kept."""
    sender = Player(0, "", (letter.sender or "nobody",), at.office.zone)
    if not _has_keeper(at.office) or room(at, sender, "stranger").answers < 1:
        keep_back(at, sender, Answering(came.id, "stranger"))
        return
    text = letter.text[:_FORWARDED]
    rest = "" if text == letter.text else f", and the other {len(letter.text) - _FORWARDED:,} characters"
    show = f"Answer it by a letter of your own; I answer none. referee desk show {came.id} prints it as it came{rest}."
    body = PressLetter(
        Frame("", at.office.name, "The desk", "Keeper"),
        letter.subject[:200],
        sender.addresses[0],
        came.recipient,
        text,
        show,
    )
    mail = Mail(
        "forwarded", f"for {came.recipient.partition('@')[0].lower()}", body, digest(letter.message_id + letter.text)
    )
    post(at, Player(0, "Keeper", (at.office.keeper,), at.office.zone), mail)
    pay(at, sender, Answering(came.id, "stranger"), len(text))


_MEND = {
    "mailbox": "[imap] in the settings or the mail server, or take [imap] out if no letter comes that way",
    "relay": "[send] in the settings or the relay",
}


def _write(at: At, title: str, sentence: str, instead: Sequence[str], unique: str) -> None:
    if not _has_keeper(at.office):
        return
    heading = f"{title[0].upper()}{title[1:]}"
    body = RefusalLetter(heading, sentence, tuple(instead), None, "", "Keeper")
    post(at, Player(0, "Keeper", (at.office.keeper,), at.office.zone), Mail("trouble", title, body, unique))


def _has_keeper(office: Office) -> bool:
    """Whether there is a keeper to write to, and it is not this house."""
    return bool(office.keeper) and parse_recipient(office.keeper, office.address) is None
