"""Invitations. A person whom another's word would bring in is asked first, and reads nothing else of us before his YES.

So is an address that a player says is his. An address has one such question open at a time, whoever asks; a NO, or
UNSUBSCRIBE, holds for thirty days, silence for as long as the question waited.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

import msgspec

from referee.kit.wording import in_a_row
from referee.mail import Address, Letter, address_in, token_digest
from referee.service.base import notes
from referee.service.base.letter_facts import EntryQuestion, RefusalLetter
from referee.service.base.note_values import Invitation
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Member, Player, Step, Token
from referee.service.base.times import stamp
from referee.service.house.people import refuse_entry
from referee.service.house.replacements import replace_player
from referee.service.match.members import call_otherwise, hides_names, name_from
from referee.service.match.playing import Playing, load
from referee.service.match.result import Denial, Told, heed, need
from referee.service.post.answer_limits import Answering, room
from referee.service.post.post import About, Mail, Reply, post, reply_token
from referee.service.turn.writer import Hand

Wants = Literal["seat", "master", "address"]
_WAITS, _HOLDS = timedelta(days=7), timedelta(days=30)
_OPEN = 10
"""So many questions of one match wait at a time."""


# ---------------------------------------------------------------- who is asked


def needs_no_question(step: Step, match: str, address: Address, by: Player) -> Player | None:
    """The person of an address, if he is in this match by his own word; one whom the keeper of the machine names is made known."""
    known = step.player_at(address)
    if not by.id:
        return known or step.save_player(Player(0, name_from("", address), (address,), by.zone))
    mine = step.memberships(known.id) if known else ()
    here = any(m.match == match and m.status in ("applied", "playing", "watching", "standby") for m in mine)
    return known if here else None


def ask(at: At, row: MatchRow, by: Player, address: Address, wants: Wants, seat: str = "", why: str = "") -> Told:
    """Ask at an address whether somebody wants what `by` wants of him; raises Denial where it is not asked."""
    person = Player(0, "", (address,), at.office.zone)
    kept, now = notes.INVITED.of(address).read(at.step), at.now
    if kept is not None and now < kept.until:
        said = "said NO to such a question" if kept.state == "declined" else "has such a question from me already"
        raise Denial(
            f"{address} {said}; I ask there again from {stamp(kept.until, by.zone)} on, and nothing is changed."
        )
    wait = sum(each.match == row.name and each.state == "waits" for each in notes.INVITED.every(at.step).values())
    need(wait < _OPEN, f"{_OPEN} people whom {row.name} asked have not answered yet; write it again when one has.")
    need(
        room(at, person, "question").answers >= 1,
        "I have asked as many strangers as I may in one day; write it again tomorrow.",
    )
    token, until = at.office.secrets.token(), now + _WAITS
    at.step.save_token(Token(token_digest(token), row.name, 0, "", row.turn))
    notes.INVITED.of(address).keep(at.step, Invitation(row.name, wants, by.id, seat, why, until, token_digest(token)))
    if notes.KEPT_DUE.of().read(at.step) is None:
        notes.KEPT_DUE.of().keep(at.step, until)
    asks = {
        "seat": f"wants you to play {seat} there.",
        "master": "wants you to be its game master too.",
        "address": f"who plays by mail here, says that {address} is an address of his too.",
    }[wants]
    if wants != "address":
        master = "The game master" if _is_hidden(at, row) else f"{by.addresses[0]}, game master"
        asks = f"{master} of {row.name} ({at.office.games[row.game].title}), {asks}"
    else:
        asks = f"{by.addresses[0]}, {asks}"
    question = EntryQuestion(address, (), stamp(until, at.office.zone), title="Do you agree?", asks=asks)
    mail = Mail(
        "address" if wants == "address" else "entry",
        "do you agree? Please reply YES or NO",
        question,
        token_digest(token)[:12],
    )
    post(at, person, mail, About(row, token=token), Reply(answering=Answering(0, "question")))
    then = "letters from there are known as yours" if wants == "address" else "it is done"
    return (f"I wrote to {address}; once it answers YES, {then}. Until then nothing is changed.",)


def ask_address(at: At, row: MatchRow, player: Player, written: str) -> Told:
    """Write to a new address of a player and ask it to answer, or send his letters to one that is his; or what is wrong with it.

    Its token opens nothing but this: whoever reads there by mistake cannot write orders.
    """
    new = address_in(written)
    if new is None:
        raise Denial(f"{written or 'That'} is no address I can write to; write SET address anna@example.org.")
    owner = at.step.player_at(new)
    if owner is not None and owner.id == player.id:
        return _write_to(at, row, owner, new)
    need(owner is None, f"{new} is known to me already, and an address belongs to one person.")
    return ask(at, row, player, new, "address")


def _write_to(at: At, row: MatchRow, player: Player, address: Address) -> Told:
    """Letters to a player go to this one of his addresses from now on; the receipt still goes where they went before."""
    old = player.addresses[0]
    first, *others = sorted(player.addresses, key=lambda each: each.lower() != address.lower())
    need(first != old, f"Letters to you go to {old} already.")
    player = at.step.save_player(msgspec.structs.replace(player, addresses=(first, *others)))
    kept = Invitation(row.name, "address", player.id, token=token_digest(at.office.secrets.token()))
    _tell(at, kept, player, "Your letters come here", f"Letters to you come here from now on, and no more to {old}.")
    return (
        f"Letters to you go to {first} from now on; you may write from {in_a_row((first, *others))}.",
        "If you did not ask for that, tell your game master at once.",
    )


def _is_hidden(at: At, row: MatchRow) -> bool:
    begun = row.status != "forming" and at.step.last_entry(row.name) is not None
    return begun and hides_names(load(at, row))


# ---------------------------------------------------------------- what he answers


def asked_by(step: Step, token: Token) -> tuple[str, Invitation] | None:
    """The address that this token's question went to, and what was asked; None where it does not wait any more."""
    for address, kept in notes.INVITED.every(step).items():
        if kept.token == token.digest and kept.state == "waits":
            return address, kept
    old = notes.NEW_ADDRESS.of(token.match, token.digest).read(step)  # asked by version 0.2.0
    return (old.address, Invitation(token.match, "address", old.player)) if old else None


def decline(at: At, address: str, kept: Invitation) -> None:
    """A NO: who asked is told, and the address is left alone."""
    until = at.now + _HOLDS
    notes.INVITED.of(address).keep(at.step, msgspec.structs.replace(kept, state="declined", until=until))
    _tell_who_asked(at, kept, f"{address} answered NO to what you asked; nothing is changed.")
    said = "Thank you. Nothing was done, and I ask you no such thing for thirty days."
    _tell(at, kept, Player(0, "", (address,), at.office.zone), "You said NO", said)


def accept(at: At, address: str, kept: Invitation, letter: Letter, playing: Playing | None) -> Playing | None:
    """A YES: what was asked is done, if it still can be; `playing` is its match if that has begun. The match after it."""
    by, row = at.step.player(kept.by), playing.row if playing else at.step.match(kept.match)
    notes.INVITED.of(address).forget(at.step)
    person = at.step.player_at(address) or Player(0, name_from(letter.sender_name, address), (address,), at.office.zone)
    masters = {m.player for m in at.step.members(kept.match) if m.role == "gm"}
    hand = Hand(at.office, at.step, playing, by=by.name, reason=kept.why) if playing and by else None
    try:
        if by is None or row is None or row.status == "over" or (kept.wants != "address" and kept.by not in masters):
            raise Denial("The person who asked you cannot do that any more; nothing is changed.")
        told = _do(hand or at, row, kept, by, person)[0]
    except Denial as denial:
        _tell(at, kept, person, "It could not be done", str(denial))
        _tell_who_asked(at, kept, f"{address} answered YES, and it could not be done: {denial}")
        return None
    if kept.wants == "master":
        _tell(at, kept, person, "You are game master", told)
        _tell_who_asked(at, kept, f"{address} answered YES. {told}")
    elif kept.wants == "address":
        _tell_who_asked(at, kept, told)
    return hand.playing if hand else None


def _do(at: At, row: MatchRow, kept: Invitation, by: Player, person: Player) -> Told:
    if kept.wants == "address":
        need(not person.id, "That address is known to me already, and an address belongs to one person.")
        new, first = person.addresses[0], by.addresses[0]
        at.step.save_player(msgspec.structs.replace(by, addresses=(*by.addresses, new)))
        return (
            f"{new} is known as an address of yours now; letters to you still go to {first}, until "
            f"you write SET address {new} once more.",
        )
    if kept.wants == "master":
        return promote(at, row, person)
    if not isinstance(at, Hand):
        raise Denial(f"{row.name} has not begun.")
    return replace_player(at, kept.seat, person)


def promote(at: At, row: MatchRow, player: Player) -> Told:
    """Make somebody game master of a match; by a hand on it, in play, that is logged and told to everybody."""
    heed(refuse_master(at, row, player))
    player, _ = call_otherwise(at, row.name, player if player.id else at.step.save_player(player))
    watching = next((m for m in at.step.members(row.name) if m.player == player.id and m.role == "observer"), None)
    at.step.save_member(Member(watching.id if watching else 0, row.name, player.id, "gm", "watching"))
    said = f"{player.name} is game master of {row.name} too."
    if not isinstance(at, Hand):
        return (said,)
    at.log(f"PROMOTE: {said}")
    return at.tell("the game master wrote PROMOTE", (said,))


def refuse_master(at: At, row: MatchRow, player: Player) -> str:
    """Why somebody cannot be made game master; "" where he can."""
    if player.id and any(m.player == player.id and m.role == "gm" for m in at.step.members(row.name)):
        return f"{player.name} is game master of {row.name} already."
    return refuse_entry(at, row.name, player.addresses, player.addresses[0])


# ---------------------------------------------------------------- time passing, and who asked


def lapse(at: At) -> None:
    """The asker is told of silence; questions settled long ago are forgotten."""
    for address, kept in notes.INVITED.every(at.step).items():
        if at.now < kept.until:
            continue
        notes.INVITED.of(address).forget(at.step)
        if kept.state == "waits":
            _tell_who_asked(at, kept, f"{address} has not answered your request; nothing is changed.")


def _tell_who_asked(at: At, kept: Invitation, said: str) -> None:
    by = at.step.player(kept.by)
    if by is not None and by.addresses:
        mine = () if kept.wants != "address" else ("If you did not ask for that, tell your game master at once.",)
        _tell(at, kept, by, "Your request", said, mine)


def _tell(at: At, kept: Invitation, person: Player, title: str, said: str, more: Sequence[str] = ()) -> None:
    """A short letter to somebody; a member of the match replies into it."""
    row = at.step.match(kept.match)
    known = at.step.player_at(person.addresses[0]) or person
    here = known.id and row is not None and any(m.match == row.name for m in at.step.memberships(known.id))
    token = reply_token(at, row.name, row.turn, 0, known, "") if here and row else ""
    body = RefusalLetter(title, said, tuple(more), None, "", known.name)
    mail = Mail("added", f"{title[:1].lower()}{title[1:]}", body, f"{kept.token[:12]}.{known.id}")
    post(at, known, mail, About(row, token=token))
