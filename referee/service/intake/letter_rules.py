"""The chain of small rules, to be read aloud, that decides what becomes of a letter; the verdict names the rules hit.

At the end of the module they stand in a table, in their order, each with what it needs to know of a letter and what is known
of one that has passed it. No rule changes anything: what it found out is kept with the case by the chain.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from referee.core.names import Seat
from referee.mail import Letter, digest, parse_recipient, spelt, strip, token_digest
from referee.mail.headers import NULL_PATH
from referee.mail.reading.bounces import bounce_in
from referee.orders import read
from referee.service.base import notes
from referee.service.base.match_settings import settings_of
from referee.service.base.note_values import Newest
from referee.service.base.office import WayStep, way_step
from referee.service.base.ports import LETTER_SIZE, LetterIn, MatchRow, Member, Step, Token
from referee.service.house.invitations import asked_by
from referee.service.house.match_lists import known_matches
from referee.service.house.people import is_from, open_letter
from referee.service.house.replacements import free_seats
from referee.service.intake.commands.caller import weigh
from referee.service.intake.commands.command import desk_words
from referee.service.intake.confirmations import answer_in, is_question, named_senders, why_ask
from referee.service.intake.forgotten_letters import forgotten
from referee.service.intake.letter_case import Bears, Case, Copy, Fact, Verdict
from referee.service.intake.plain_words import reacts, says
from referee.service.intake.undelivered import bounces_of
from referee.service.intake.witnesses import witness_in
from referee.service.match.sheets import text_to_read
from referee.service.match.slot_life import is_under_way
from referee.service.turn.knowledge import called, where_it_went
from referee.service.turn.signed_heads import head_in

_FOR_ALL = frozenset(["SET address", "SET key", "TAKEOVER", "FORGET ME"])


def _head(case: Case) -> Verdict | None:
    """A signed head of another's log, for us to witness: it is known by its signature alone, and the answer is never answered."""
    return Verdict("head") if not _is_ours(case) and head_in(case.office, case.letter) else None


def _of_a_witness(case: Case) -> Verdict | None:
    """It comes by the reply address that only a witness of a match has, or bears its signature: nothing else is read of it."""
    if _is_ours(case) or witness_in(case, case.route, case.letter) is None:
        return None
    return Verdict("witness")


def _is_ours(case: Case) -> bool:
    route = parse_recipient(case.letter.sender, case.office.address)
    return route is not None and not route.keeper


def _loop(case: Case) -> Verdict | None:
    """It bears our mark, or names us as its sender: nobody writes from here."""
    return Verdict("ignore") if case.letter.loop or _is_ours(case) else None


def _of_the_keeper(case: Case) -> Verdict | None:
    """It is to postmaster@ or abuse@ of our domain, or to postmaster alone: the keeper reads it, and nobody is answered."""
    if case.route is None or not case.route.keeper:
        return None
    return _before_the_house(case) or Verdict("keeper")


def _bounce(case: Case) -> Verdict | None:
    """A letter of ours came back: it is counted against the address it went to, and not answered."""
    found = bounces_of(case.step, case.row, case.letter, case.route)
    why = "; ".join(f"{bounce.address}: {bounce.why}" for bounce in found)
    return Verdict("bounce", why, bounces=found) if found else None


def _automatic(case: Case) -> Verdict | None:
    """A machine wrote it, by any single sign: it is not answered, lest two machines write to each other for ever.

    An empty envelope sender alone is none, for some relays take it from every letter: it counts where bounces go, and in
    a letter that names an address it was not delivered to.
    """
    letter, bounced = case.letter, case.route is not None and case.route.bounce is not None
    if letter.by_machine or (NULL_PATH in letter.automatic and (bounced or bounce_in(case.row.raw))):
        return Verdict("ignore", "; ".join(letter.automatic))
    return None


def _nobody(case: Case) -> Verdict | None:
    """No sender can be read, or none that a letter can be sent to, and no reply address tells who he is."""
    if spelt(case.letter.sender):
        return None
    token = case.step.token(token_digest(case.route.token)) if case.route and case.route.token else None
    return None if token and token.player else Verdict("ignore")


def _before_the_house(case: Case) -> Verdict | None:
    """It lay in the mailbox before the house began, and proves nothing of its writer: it is not answered."""
    if not case.row.transport.startswith(("imap:", "maildir:")):
        return None
    house = notes.IDENTITY.of().read(case.step)
    if house is None or house.since is None or case.row.received_at >= house.since - _JUST_BEFORE:
        return None
    proven = case.authentication.verdict == "proven" or (case.route is not None and case.route.token is not None)
    return None if proven else Verdict("ignore", BEFORE)


_JUST_BEFORE = timedelta(hours=1)
"""A host who sets a house up writes it a letter first; and mail servers tell whole seconds."""

BEFORE = "it came before this house began"
"""Why a letter of a mailbox that had other uses before is laid aside."""


def _same_id(case: Case) -> Copy:
    """Two letters with one Message-ID and two texts are two: both are taken, and the log says that they share it."""
    twin = _handled_before(case, case.logical_if(False))
    if twin is None or digest(open_letter(twin)[0].text) == digest(case.letter.text):
        return Copy(twin)
    return Copy(_handled_before(case, case.logical_if(True)), reused_id=True)


def _handled_before(case: Case, logical: str) -> LetterIn | None:
    """The letter already handled of which this one is a copy; none is a copy of itself."""
    before = case.step.handled(logical)
    return before if before is not None and before.id != case.row.id else None


def _duplicate(case: Case) -> Verdict | None:
    """The same letter came twice: it is done once."""
    return Verdict("duplicate") if case.twin is not None else None


def _too_large(case: Case) -> Verdict | None:
    """Of a letter that was larger than any way in takes, only the headers were kept; pictures and files are no matter."""
    size = size_of(case.row.raw)
    if size <= case.office.limits.letter_bytes:
        return None
    limit = case.office.limits.letter_bytes // 1_048_576
    why = f"Your letter has {size / 1_048_576:.1f} MB and I take letters of up to {limit} MB; nothing of it was read."
    return Verdict("refuse", why, ("Send your orders as plain text, without attachments or pictures.",))


def size_of(raw: bytes) -> int:
    """How large the letter was; of one that was much too large only the headers and this figure were kept."""
    first, _, _ = raw[:100].partition(b"\n")
    said = first.removeprefix(LETTER_SIZE).strip()
    return int(said) if first.startswith(LETTER_SIZE) and said.isdigit() else len(raw)


def _its_token(case: Case) -> Bears:
    """The address a letter was written to may bear a token; the database, set back to a backup, may have forgotten it."""
    if case.route is None or case.route.token is None:
        return Bears(None)
    known = case.step.token(token_digest(case.route.token))
    return Bears(known or forgotten(case, case.route.match, case.route.token))


def _wrong_token(case: Case) -> Verdict | None:
    """A token that nobody gave out is refused; the bearer of one that was forgotten is asked to write again."""
    if case.route is None or case.route.token is None:
        return None
    if case.token is not None:
        why = "it was given out after the backup that I was restored from"
        return None if case.token.digest else Verdict("forgotten", why)
    return Verdict(
        "refuse",
        "The address you wrote to is none of mine, so nothing was taken: its secret part is not one I gave out.",
        ("Reply to the last letter you had from me; its reply address is the right one.",),
    )


def _moved(case: Case) -> Verdict | None:
    """Its match has moved to another house: nothing of it is done here, and its bearer is told where it is played."""
    row = case.step.match(case.token.match) if case.token is not None else None
    why, instead = where_it_went(case.step, row) if row is not None else ("", "")
    return Verdict("refuse", why, (instead,)) if why else None


def _reaction(case: Case) -> Verdict | None:
    """It only says that a button was pressed, or is a thumb: nothing of it is done or sent on, which it is told once a day."""
    if case.authentication.verdict == "forged" or not reacts(
        case.letter.subject, text_to_read(strip(case.letter.text))
    ):
        return None
    why = "Your letter reads like a reaction, a receipt or a calendar's answer, so nothing of it was done or sent on."
    return Verdict("once", why, ("Write what you mean in words; STATUS says what you owe.",))


def _stale_token(case: Case) -> Verdict | None:
    """A token dies with its turn, since orders to it were meant for that turn. That of a letter of press never does.

    Its bearer's questions are answered, and he is offered those of his orders that are lawful in the turn that is open now.
    """
    token = case.token
    if token is None or token.alive or _answers_press(case, token):
        return None
    if says(text_to_read(strip(case.letter.text))) == "thanks":
        return Verdict("ignore", "it only thanks for a letter of a turn that is closed")
    turn = called(case.step, token.match, token.turn)
    why = f"That reply address belonged to {turn} of {token.match}, which is closed, so nothing was taken."
    owner, member, row = case.owner, case.member, case.step.match(token.match)
    own = (
        owner is not None and case.authentication.verdict != "forged" and (case.certain or is_from(case.letter, owner))
    )
    if own and owner and token.seat and member is None and row and is_under_way(row):
        return _without_seat(case, row, token.seat, owner.addresses[0])
    here = own and member is not None and (token.seat == member.seat or not token.seat)
    instead: tuple[str, ...] = ("Write your orders again in a reply to the latest letter of the match.",)
    if row and row.status == "over":
        why, instead = f"{token.match} is over, so nothing was taken.", ()
    return Verdict("closed" if here else "refuse", why, instead)


def _without_seat(case: Case, row: MatchRow, seat: str, address: str) -> Verdict:
    """An answer to who is replaced, by whomever: how he has his seat back, or another one."""
    name = row.name
    free = seat in free_seats(case, row, (Seat(seat),))
    back = (
        f"TAKEOVER {name} AS {seat} takes it back."
        if free
        else f"Only the game master of {name} can give it back: REPLACE {seat} BY {address}."
    )
    ways = (back, "GAMES lists the matches in which a seat is free.")
    return Verdict("refuse", f"You play {seat} in {name} no more, so nothing was taken.", ways)


def _answers_press(case: Case, token: Token) -> bool:
    """Whether a token was made for a letter of press, and its bearer still has the part in which he got that."""
    member = case.member
    if member is None or notes.PRESS_ANSWERED.of(token.match, token.digest).read(case.step) is None:
        return False
    return member.seat == token.seat if member.status == "playing" else not token.seat


def _question_answered(case: Case) -> Verdict | None:
    """A reply to "please confirm" says what is to become of the letter that was shown, and nothing else is read of it."""
    return Verdict("answer") if case.token is not None and is_question(case.token) else None


def _invitation_answered(case: Case) -> Verdict | None:
    """A token without a player was made to ask an address something that another wants of it, and opens nothing else."""
    if case.token is None or case.token.player:
        return None
    asked = asked_by(case.step, case.token)
    if asked is None:
        return Verdict("refuse", "That reply address has done its work, so nothing was taken.")
    said = answer_in(case.letter)
    if case.letter.sender == asked[0] and said:
        return Verdict("invitation", said)
    return Verdict(
        "refuse", f"My question to {asked[0]} opens nothing else: {asked[0]} itself must answer with just YES, or NO."
    )


def _forged(case: Case) -> Verdict | None:
    """Nothing of it is done, and its writer hears nothing; a player is asked at his own address."""
    if case.authentication.verdict != "forged":
        return None
    if case.owner is not None:
        why = f"A letter with a reply address of yours came, but the mail servers say that {case.letter.sender} did not send it."
        return Verdict("confirm", why)
    return Verdict("door" if case.step.player_at(case.letter.sender) else "ignore", case.authentication.why)


def _of_another_member(case: Case) -> Verdict | None:
    """Nobody's From stands for another seat: a reply to all goes to the reply addresses of others too.

    In an anonymous match every strange address is asked about, lest the answer tell who takes part in it.
    """
    owner = case.owner
    if owner is None or case.token is None or is_from(case.letter, owner):
        return None
    strangers = set(case.letter.senders) - {address.lower() for address in owner.addresses}
    if not (_is_anonymous(case, case.token.match) or strangers & _addresses_in(case.step, case.token.match)):
        return None
    if case.certain:
        return None
    why = f"A letter with a reply address of yours came from {named_senders(case.letter)}; perhaps somebody answered to all."
    return Verdict("confirm", why)


def _no_sender(case: Case) -> Verdict | None:
    """A letter whose reply address names a player is never dropped in silence."""
    if case.letter.sender or case.owner is None or case.certain:
        return None
    return Verdict("confirm", "A letter with a reply address of yours came, in which no sender can be read.")


def _is_anonymous(case: Case, match: str) -> bool:
    row = case.step.match(match)
    return row is not None and row.status != "over" and settings_of(row.settings).manners.anonymous


def _addresses_in(step: Step, match: str) -> set[str]:
    people = (step.player(m.player) for m in step.members(match) if m.status not in ("left", "replaced"))
    return {address.lower() for player in people if player for address in player.addresses}


def told_apart(letter: Letter) -> str:
    """The receipt's sentence on a letter whose From is not its writer's."""
    if letter.from_count > 1:
        return f"This letter named {letter.from_count} senders, {named_senders(letter)}, so I cannot tell which of them wrote it"
    return f"This letter came from {letter.sender or 'nobody'}, which is none of your addresses"


def _weighty_before_the_start(case: Case) -> Verdict | None:
    """In a match that has begun the desk weighs what it reads; before that nothing but words can be read."""
    row = case.step.match(case.token.match) if case.token else None
    if case.token is None or case.owner is None or row is None:
        return None
    if row.status != "forming" and case.member is not None:
        return None
    names = tuple(row.name for row in known_matches(case.step, case.owner.id))
    reading = read(text_to_read(strip(case.letter.text)), None, desk_words(case.office.games, names, (), True, True))
    master = any(m.role == "gm" for m in case.step.memberships(case.owner.id))
    weight = weigh(reading, master, bool(case.keys.new))
    grave = tuple(word for word in weight.grave if word != "RESIGN" and (word in _FOR_ALL or master))
    why = why_ask(case, msgspec.structs.replace(weight, grave=grave))
    return Verdict("confirm", why) if why else None


def _overtaken(case: Case) -> Verdict | None:
    """A letter written before one that was taken for the same seat and turn is asked about."""
    return overtaken(case) if case.token is not None else None


def overtaken(case: Case) -> Verdict | None:
    """A letter written before one that was taken for the same seat and turn never displaces it."""
    member = case.member
    if member is None or case.letter.dated is None:
        return None
    newest = _newest(case, member)
    if newest is None or _written(case) >= newest:
        return None
    why = "A letter of yours was written before another one that I have taken, so it came too late to count by itself."
    return Verdict("confirm", why)


def _written(case: Case) -> datetime:
    """When its sender wrote it; a clock that runs ahead must not refuse his later letters."""
    assert case.letter.dated is not None  # asked only of letters that bear a date
    return min(case.letter.dated, case.row.received_at)


def _turn(case: Case, member: Member) -> int:
    row = case.step.match(member.match)
    return row.turn if row else 0


def _newest(case: Case, member: Member) -> datetime | None:
    kept = notes.NEWEST.of(member.match, member.seat).read(case.step)
    return kept.written if kept is not None and kept.turn == _turn(case, member) else None


def note_newest(case: Case, member: Member, turn: int) -> None:
    """Remember when the letter was written whose orders now stand for a seat."""
    if case.original is None and case.letter.dated is not None:
        notes.NEWEST.of(member.match, member.seat).keep(case.step, Newest(turn, _written(case)))


def _with_token(case: Case) -> Verdict | None:
    """A letter with a good token goes to the desk of its match."""
    return Verdict("desk") if case.token is not None else None


def _anybody(case: Case) -> Verdict | None:
    """A letter without a token goes to the front door, where anybody may write."""
    return Verdict("door")


F = Fact
RULES: tuple[WayStep[Case, Verdict | Copy | Bears | None], ...] = (
    way_step("a head to witness", _head, finds=None),
    way_step("a witness", _of_a_witness, finds=None),
    way_step("our own letter came back", _loop, finds=F.NOT_OURS),
    way_step("for the keeper", _of_the_keeper, F.NOT_OURS, finds=None),
    way_step("a bounce", _bounce, F.NOT_OURS, finds=F.NO_BOUNCE),
    way_step("an automatic letter", _automatic, F.NO_BOUNCE, finds=F.NO_MACHINE),
    way_step("no sender", _nobody, F.NO_BOUNCE, finds=F.SOMEBODY),
    way_step("older than the house", _before_the_house, F.SOMEBODY, finds=None),
    way_step("the Message-ID of another letter", _same_id, finds=F.TWIN),
    way_step("a letter already handled", _duplicate, F.TWIN, finds=F.NEW),
    way_step("too large", _too_large, F.NO_MACHINE, F.SOMEBODY, F.NEW, finds=F.WHOLE),
    way_step("the token of its address", _its_token, finds=F.TOKEN),
    way_step("a token nobody gave out", _wrong_token, F.TOKEN, F.NO_MACHINE, F.SOMEBODY, F.NEW, F.WHOLE, finds=F.GIVEN),
    way_step("a match that has moved", _moved, F.TOKEN, F.GIVEN, finds=None),
    way_step("a question answered", _question_answered, F.TOKEN, F.GIVEN, finds=F.NO_ANSWER),
    way_step("an invitation answered", _invitation_answered, F.TOKEN, F.GIVEN, F.NO_ANSWER, F.WHOLE, finds=F.PLAYERS),
    way_step("a reaction", _reaction, F.TOKEN, F.NO_MACHINE, F.NEW, F.NO_ANSWER, F.WHOLE, finds=F.WORDS),
    way_step("a token of a closed turn", _stale_token, F.TOKEN, F.PLAYERS, F.WORDS, finds=F.ALIVE),
    way_step("forged", _forged, F.TOKEN, F.ALIVE, finds=F.NOT_FORGED),
    way_step("the sender cannot be read", _no_sender, F.TOKEN, F.NOT_FORGED, finds=F.SIGNED),
    way_step("From another member", _of_another_member, F.TOKEN, F.SIGNED, finds=F.HIS),
    way_step("weighty words before the start", _weighty_before_the_start, F.TOKEN, F.WHOLE, F.HIS, finds=F.LIGHT),
    way_step("overtaken by a newer letter", _overtaken, F.TOKEN, F.LIGHT, finds=F.LATEST),
    way_step("a good token", _with_token, F.TOKEN, F.LIGHT, F.LATEST, finds=F.NO_TOKEN),
    way_step("a letter without a token", _anybody, F.NO_TOKEN, finds=None),
)
"""In this order; the first rule that has a verdict decides. The needs of a rule, one before it has found."""


def judge(case: Case) -> Verdict:
    """Send a case down the chain, noting which rule hit."""
    for rule in RULES:
        said = rule.does(case)
        if isinstance(said, Verdict):
            case.hits.append(rule.name)
            return said
        if said is not None:
            case.learn(said)
            if isinstance(said, Copy) and said.reused_id:
                case.hits.append(rule.name)
    raise AssertionError("the last rule always has a verdict")
