"""Whoever another's word would bring in is asked first: one letter goes to his address, and nothing else before his YES.

So is an address that a player says is his. An address has one such question open at a time, whoever asks; a NO, or
UNSUBSCRIBE, holds for thirty days, silence for as long as the question waited.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

import msgspec

from referee.mail import Address, Letter, address_in, token_digest
from referee.service import notes
from referee.service.letters import EntryQuestion, RefusalLetter
from referee.service.match.anonymity import hides_names
from referee.service.match.naming import call_otherwise, name_from
from referee.service.match.playing import Playing, load
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.outgoing import budgets
from referee.service.outgoing.budgets import Answering
from referee.service.outgoing.post import About, Mail, Reply, post, reply_token
from referee.service.overrides.base import log, notify
from referee.service.people.admission import refuse_entry
from referee.service.people.giving_seats import replace_player
from referee.service.ports import MatchRow, Member, Player, Step, Token
from referee.service.remembered import Invitation
from referee.service.times import stamp

Wants = Literal["seat", "master", "address"]
_WAITS, _HOLDS = timedelta(days=7), timedelta(days=30)
_OPEN = 10
"""So many questions of one match wait at a time."""


# ---------------------------------------------------------------- asking


def needs_no_question(step: Step, match: str, address: Address, by: Player) -> Player | None:
    """Who an address is, if he is in this match by his own word; whoever the keeper of the machine names is made known."""
    known = step.player_at(address)
    if not by.id:
        return known or step.save_player(Player(0, name_from("", address), (address,), by.zone))
    mine = step.memberships(known.id) if known else ()
    here = any(m.match == match and m.status in ("applied", "playing", "watching", "standby") for m in mine)
    return known if here else None


def ask(
    office: Office, step: Step, row: MatchRow, by: Player, address: Address, wants: Wants, seat: str = "", why: str = ""
) -> Result:
    """Ask at an address whether somebody wants what `by` wants of him; or why it is not asked."""
    person = Player(0, "", (address,), office.zone)
    kept, now = notes.INVITED.of(address).read(step), office.clock.now()
    if kept is not None and now < kept.until:
        said = "said NO to such a question" if kept.state == "declined" else "has such a question from me already"
        return Denied(
            f"{address} {said}; I ask there again from {stamp(kept.until, by.zone)} on, and nothing is changed."
        )
    if sum(each.match == row.name and each.state == "waits" for each in notes.INVITED.every(step).values()) >= _OPEN:
        return Denied(f"{_OPEN} people whom {row.name} asked have not answered yet; write it again when one has.")
    if budgets.room(office, step, person, "question").answers < 1:
        return Denied("I have asked as many strangers as I may in one day; write it again tomorrow.")
    token, until = office.secrets.token(), now + _WAITS
    step.save_token(Token(token_digest(token), row.name, 0, "", row.turn))
    notes.INVITED.of(address).keep(step, Invitation(row.name, wants, by.id, seat, why, until, token_digest(token)))
    if notes.KEPT_DUE.of().read(step) is None:
        notes.KEPT_DUE.of().keep(step, until)
    asks = {
        "seat": f"wants you to play {seat} there.",
        "master": "wants you to be its game master too.",
        "address": f"who plays by mail here, says that {address} is an address of his too.",
    }[wants]
    if wants != "address":
        master = "The game master" if _is_hidden(office, step, row) else f"{by.addresses[0]}, game master"
        asks = f"{master} of {row.name} ({office.games[row.game].title}), {asks}"
    else:
        asks = f"{by.addresses[0]}, {asks}"
    question = EntryQuestion(address, (), stamp(until, office.zone), title="Do you agree?", asks=asks)
    mail = Mail(
        "address" if wants == "address" else "entry",
        "do you agree? Please reply YES or NO",
        question,
        token_digest(token)[:12],
    )
    post(office, step, person, mail, About(row, token=token), Reply(answering=Answering(0, "question")))
    then = "letters from there are known as yours" if wants == "address" else "it is done"
    return Done((f"I wrote to {address}; once it answers YES, {then}. Until then nothing is changed.",))


def ask_address(office: Office, step: Step, row: MatchRow, player: Player, written: str) -> Result:
    """Write to a new address of a player and ask it to answer; or what is wrong with it.

    Its token opens nothing but this: whoever reads there by mistake cannot write orders.
    """
    new = address_in(written)
    if new is None:
        return Denied(f"{written or 'That'} is no address I can write to; write SET address anna@example.org.")
    if step.player_at(new) is not None:
        return Denied(f"{new} is known to me already, and an address belongs to one person.")
    return ask(office, step, row, player, new, "address")


def _is_hidden(office: Office, step: Step, row: MatchRow) -> bool:
    begun = row.status != "forming" and step.last_entry(row.name) is not None
    return begun and hides_names(load(office, step, row))


# ---------------------------------------------------------------- answers


def asked_by(step: Step, token: Token) -> tuple[str, Invitation] | None:
    """The address that this token's question went to, and what was asked; None where it does not wait any more."""
    for address, kept in notes.INVITED.every(step).items():
        if kept.token == token.digest and kept.state == "waits":
            return address, kept
    old = notes.NEW_ADDRESS.of(token.match, token.digest).read(step)  # asked by version 0.2.0
    return (old.address, Invitation(token.match, "address", old.player)) if old else None


def decline(office: Office, step: Step, address: str, kept: Invitation) -> None:
    """A NO: who asked is told, and the address is left alone."""
    until = office.clock.now() + _HOLDS
    notes.INVITED.of(address).keep(step, msgspec.structs.replace(kept, state="declined", until=until))
    _tell_who_asked(office, step, kept, f"{address} answered NO to what you asked; nothing is changed.")
    said = "Thank you. Nothing was done, and I ask you no such thing for thirty days."
    _tell(office, step, kept, Player(0, "", (address,), office.zone), "You said NO", said)


def accept(
    office: Office, step: Step, address: str, kept: Invitation, letter: Letter, playing: Playing | None
) -> Result:
    """A YES: what was asked is done, if it still can be; `playing` is its match if that has begun."""
    row = playing.row if playing else step.match(kept.match)
    by = step.player(kept.by)
    notes.INVITED.of(address).forget(step)
    person = step.player_at(address) or Player(0, name_from(letter.sender_name, address), (address,), office.zone)
    masters = {m.player for m in step.members(kept.match) if m.role == "gm"}
    said: Result = Denied("Who asked you cannot do that any more; nothing is changed.")
    if by is not None and row is not None and row.status != "over" and (kept.wants == "address" or kept.by in masters):
        said = _do(office, step, row, kept, by, person, playing)
    told = said.sentences[0]
    if isinstance(said, Denied):
        _tell(office, step, kept, person, "It could not be done", told)
        _tell_who_asked(office, step, kept, f"{address} answered YES, and it could not be done: {told}")
    elif kept.wants == "master":
        _tell(office, step, kept, person, "You are game master", told)
        _tell_who_asked(office, step, kept, f"{address} answered YES. {told}")
    elif kept.wants == "address":
        _tell_who_asked(office, step, kept, told)
    return said


def _do(
    office: Office, step: Step, row: MatchRow, kept: Invitation, by: Player, person: Player, playing: Playing | None
) -> Result:
    if kept.wants == "address":
        if person.id:
            return Denied("That address is known to me already, and an address belongs to one person.")
        step.save_player(msgspec.structs.replace(by, addresses=(*by.addresses, person.addresses[0])))
        return Done(
            (
                f"{person.addresses[0]} is known as an address of yours now; letters to you still go to {by.addresses[0]}.",
            )
        )
    if kept.wants == "master":
        return promote(office, step, playing or row, by.name, kept.why, person)
    if playing is None:
        return Denied(f"{row.name} has not begun.")
    return replace_player(office, step, playing, by.name, kept.why, kept.seat, person)


def promote(office: Office, step: Step, match: Playing | MatchRow, by: str, why: str, player: Player) -> Result:
    """Make somebody game master of a match; in play it is logged and told to everybody."""
    row = match.row if isinstance(match, Playing) else match
    if unwanted := refuse_master(office, step, row, player):
        return unwanted
    player, _ = call_otherwise(office, step, row.name, player if player.id else step.save_player(player))
    watching = next((m for m in step.members(row.name) if m.player == player.id and m.role == "observer"), None)
    step.save_member(Member(watching.id if watching else 0, row.name, player.id, "gm", "watching"))
    said = Done((f"{player.name} is game master of {row.name} too.",))
    if not isinstance(match, Playing):
        return said
    playing = log(office, step, match, f"PROMOTE: {' '.join(said.sentences)}", by, why)
    notify(office, step, playing, "the game master wrote PROMOTE", said.sentences, by, why)
    return Done(said.sentences, playing)


def refuse_master(office: Office, step: Step, row: MatchRow, player: Player) -> Denied | None:
    """Why somebody cannot be made game master."""
    if player.id and any(m.player == player.id and m.role == "gm" for m in step.members(row.name)):
        return Denied(f"{player.name} is game master of {row.name} already.")
    return refuse_entry(office, step, row.name, player.addresses, player.addresses[0])


# ---------------------------------------------------------------- time passing, and who asked


def lapse(office: Office, step: Step) -> None:
    """Who asked is told of silence; what is settled for long is forgotten."""
    for address, kept in notes.INVITED.every(step).items():
        if office.clock.now() < kept.until:
            continue
        notes.INVITED.of(address).forget(step)
        if kept.state == "waits":
            _tell_who_asked(office, step, kept, f"{address} has not answered what you asked; nothing is changed.")


def _tell_who_asked(office: Office, step: Step, kept: Invitation, said: str) -> None:
    by = step.player(kept.by)
    if by is not None and by.addresses:
        mine = () if kept.wants != "address" else ("If you did not ask for that, tell your game master at once.",)
        _tell(office, step, kept, by, "What you asked", said, mine)


def _tell(
    office: Office, step: Step, kept: Invitation, person: Player, title: str, said: str, more: Sequence[str] = ()
) -> None:
    """A short letter to somebody; who is in the match replies into it."""
    row = step.match(kept.match)
    known = step.player_at(person.addresses[0]) or person
    here = known.id and row is not None and any(m.match == row.name for m in step.memberships(known.id))
    token = reply_token(office, step, row.name, row.turn, 0, known, "") if here and row else ""
    body = RefusalLetter(title, said, tuple(more), None, "", known.name)
    mail = Mail("added", f"{title[:1].lower()}{title[1:]}", body, f"{kept.token[:12]}.{known.id}")
    post(office, step, known, mail, About(row, token=token))
