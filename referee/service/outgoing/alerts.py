"""Trouble with the service itself: the keeper is told by letter, where one can still go out."""

from __future__ import annotations

from collections.abc import Sequence

from referee.kit.wording import in_a_row
from referee.mail import Letter, digest, parse_recipient
from referee.service.letters import Frame, PressLetter, RefusalLetter
from referee.service.office import At, Office
from referee.service.outgoing.budgets import Answering, keep_back, pay, room
from referee.service.outgoing.post import Mail, post
from referee.service.ports import LetterIn, Player
from referee.service.remembered import Loss
from referee.service.times import stamp


def report_closed_mailbox(office: Office, mailbox: str, why: str) -> None:
    """Write to the keeper that a mailbox does not let us in; once a day, and never into that very mailbox."""
    sentence = f"The mailbox {mailbox} does not let me in, so no letter is taken from it: {why.rstrip('.')}."
    instead = (
        "Mend user, password or token_command under [imap] in the settings and start the service anew; "
        "referee doctor tells whether they are right.",
        "No letter is lost: what lies in the mailbox is taken then, and counts from when the mail server took it.",
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


def report_set_back(at: At, match: str, answered: int, stands: int) -> None:
    """Write to the keeper that a player has a letter which the database knows nothing of; once a day for a match."""
    sentence = (
        f"A player of {match} answered a letter of mine about turn {answered}, but in my database {match} stands at turn "
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
