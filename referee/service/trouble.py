"""Trouble with the service itself: the keeper is told by letter, where one can still go out."""

from __future__ import annotations

from referee.service.letters import RefusalLetter
from referee.service.office import Office
from referee.service.ports import Player
from referee.service.post import post

__all__ = ["report_closed_mailbox"]


def report_closed_mailbox(office: Office, mailbox: str, why: str) -> None:
    """Write to the keeper that a mailbox does not let us in; once a day, and never into that very mailbox."""
    if not office.keeper or office.keeper.lower() == office.address.lower():
        return
    sentence = f"The mailbox {mailbox} does not let me in, so no letter is taken from it: {why.rstrip('.')}."
    instead = (
        "Mend user, password or token_command under [imap] in the settings and start the service anew; "
        "referee doctor tells whether they are right.",
        "No letter is lost: what lies in the mailbox is taken then, and counts from when the mail server took it.",
    )
    body = RefusalLetter("A mailbox is closed to me", sentence, instead, None, "", "Keeper")
    with office.store.step() as step:
        unique = f"mailbox.{mailbox}.{office.clock.now():%Y-%m-%d}"
        post(office, step, Player(0, "Keeper", (office.keeper,)), "trouble", "a mailbox is closed to me", body, unique)
