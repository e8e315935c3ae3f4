"""The chain of small rules, to be read aloud, that decides what becomes of a letter; the verdict names the rules hit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal

import msgspec

from referee.kit.wording import in_a_row
from referee.mail import Letter, Route, digest, parse_recipient, strip, token_digest
from referee.mail.automatic import NO_SENDER
from referee.mail.reading.bounces import Bounce
from referee.mail.reading.identity import Authentication, authentication
from referee.mail.reading.keys import Keys
from referee.orders import read
from referee.service.alarms.bounces import bounces_of
from referee.service.answering.confirming import is_question
from referee.service.answering.weighing import weigh
from referee.service.commands.words import desk_words
from referee.service.incoming.restored import forgotten
from referee.service.lobby.who import known_matches
from referee.service.match.binding import text_to_read
from referee.service.match.members import member_of
from referee.service.office import Office
from referee.service.people.identity import is_from, judge_key, open_letter, wanted_address
from referee.service.ports import LETTER_SIZE, LetterIn, Member, Player, Step, Token
from referee.service.settings import settings_of
from referee.service.sheets.visit import Weight

_FOR_ALL = frozenset(["SET address", "SET key", "TAKEOVER"])


class Verdict(msgspec.Struct, frozen=True):
    """What becomes of a letter. `why` is said to the sender where `then` is refuse or confirm."""

    then: Literal["ignore", "duplicate", "refuse", "forgotten", "confirm", "answer", "address", "bounce", "door", "desk"]
    why: str = ""
    instead: tuple[str, ...] = ()
    bounces: tuple[Bounce, ...] = ()


@dataclass
class Case:
    """A letter before the chain, with what the rules found out so far."""

    office: Office
    step: Step
    row: LetterIn
    letter: Letter
    keys: Keys
    route: Route | None
    token: Token | None = None
    original: LetterIn | None = None
    reused_id: bool = False
    hits: list[str] = field(default_factory=list)
    _member: tuple[Token | None, Member | None] | None = None

    @property
    def member(self) -> Member | None:
        """In which part the bearer of its token writes."""
        if self._member is None or self._member[0] is not self.token:
            self._member = self.token, member_of(self.step, self.token) if self.token else None
        return self._member[1]

    @property
    def logical(self) -> str:
        """What makes two copies of a letter the same letter."""
        ident = self.letter.message_id or hashlib.sha256(self.row.raw).hexdigest()
        other = f"|{digest(self.letter.text)}" if self.reused_id else ""
        return f"{self.row.recipient.lower()}|{ident}|{self.letter.sender}{other}"

    @cached_property
    def authentication(self) -> Authentication:
        """What trusted mail servers say of its From."""
        return authentication(self.row.raw, self.office.trusted)

    @cached_property
    def certain(self) -> bool:
        """Whether the letter itself proves that the owner of its token wrote it: by his key, or a trusted server's word."""
        who, key = self.owner, self.keys.given
        if who is None or self.authentication.verdict == "forged":
            return False
        if self.authentication.verdict == "proven" and is_from(self.letter, who):
            return True
        return bool(key) and judge_key(self.office, self.step, who, key) == "right"

    @property
    def owner(self) -> Player | None:
        """Whose token it bears."""
        return self.step.player(self.token.player) if self.token else None


Check = Callable[[Case], Verdict | None]


def _loop(case: Case) -> Verdict | None:
    """It bears our mark, or names us as its sender: nobody writes from here."""
    ours = parse_recipient(case.letter.sender, case.office.address) is not None
    return Verdict("ignore") if case.letter.loop or ours else None


def _bounce(case: Case) -> Verdict | None:
    found = bounces_of(case.step, case.row, case.letter, case.route)
    why = "; ".join(f"{bounce.address}: {bounce.why}" for bounce in found)
    return Verdict("bounce", why, bounces=found) if found else None


def _automatic(case: Case) -> Verdict | None:
    signs = [sign for sign in case.letter.automatic if sign != NO_SENDER]
    return Verdict("ignore", "; ".join(signs)) if signs else None


def _nobody(case: Case) -> Verdict | None:
    """No sender can be read, and no reply address tells who he is."""
    if case.letter.sender:
        return None
    token = case.step.token(token_digest(case.route.token)) if case.route and case.route.token else None
    return None if token and token.player else Verdict("ignore")


def _reused_id(case: Case) -> Verdict | None:
    """No verdict: both letters are taken, and the log says that they share a Message-ID."""
    before = _handled_before(case)
    if before is not None and digest(open_letter(before)[0].text) != digest(case.letter.text):
        case.reused_id = True
        case.hits.append("the Message-ID of another letter")
    return None


def _duplicate(case: Case) -> Verdict | None:
    return Verdict("duplicate") if _handled_before(case) else None


def _handled_before(case: Case) -> LetterIn | None:
    """The letter already handled of which this one is a copy; none is a copy of itself."""
    before = case.step.handled(case.logical)
    return before if before is not None and before.id != case.row.id else None


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


def _wrong_token(case: Case) -> Verdict | None:
    if case.route is None or case.route.token is None:
        return None
    case.token = case.step.token(token_digest(case.route.token))
    if case.token is not None:
        return None
    case.token = forgotten(case.step, case.route.match, case.route.token)
    if case.token is not None:
        return Verdict("forgotten", "it was given out after the backup that I was restored from")
    return Verdict(
        "refuse",
        "The address you wrote to is none of mine, so nothing was taken: its secret part is not one I gave out.",
        ("Reply to the last letter you had from me; its reply address is the right one.",),
    )


def _stale_token(case: Case) -> Verdict | None:
    token = case.token
    if token is None or token.alive:
        return None
    why = f"That reply address belonged to turn {token.turn} of {token.match}, which is closed, so nothing was taken."
    return Verdict("refuse", why, ("Write your orders again in a reply to the latest letter of the match.",))


def _question_answered(case: Case) -> Verdict | None:
    """A reply to "please confirm" says what is to become of the letter that was shown, and nothing else is read of it."""
    return Verdict("answer") if case.token is not None and is_question(case.token) else None


def _address_confirmed(case: Case) -> Verdict | None:
    """A token without a player was made to confirm an address, and opens nothing else."""
    if case.token is None or case.token.player:
        return None
    wanted = wanted_address(case.step, case.token)
    if wanted is None:
        return Verdict("refuse", "That reply address has done its work, so nothing was taken.")
    said = next((line.text.strip(" .!,").casefold() for line in strip(case.letter.text).lines if line.text.strip()), "")
    if case.letter.sender == wanted[1] and said == "yes":
        return Verdict("address")
    return Verdict("refuse", f"To be known as an address of yours, {wanted[1]} itself must answer with just YES.")


def _forged(case: Case) -> Verdict | None:
    """Nothing of it is done, and whoever wrote it hears nothing; a player is asked at his own address."""
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
    why = f"A letter with a reply address of yours came from {_senders(case.letter)}; perhaps somebody answered to all."
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


def _senders(letter: Letter) -> str:
    """Who is named in From, for a sentence: a few of them, where somebody named many."""
    named = [sender[:100] for sender in letter.senders[:3] if sender] or ["nobody"]
    return in_a_row(named)


def told_apart(letter: Letter) -> str:
    """What a receipt says of a letter whose From is not its writer's."""
    if letter.from_count > 1:
        return f"This letter named {letter.from_count} senders, {_senders(letter)}, so I cannot tell which of them wrote it"
    return f"This letter came from {letter.sender}, which is none of your addresses"


def why_ask(case: Case, weight: Weight) -> str:
    """Why words of weight are not taken by a reply address alone; "" where they are.

    What a YES has set going, and what came without a token and proved its writer, is not asked about again.
    """
    owner, token = case.owner, case.token
    if owner is None or token is None or not token.digest or case.original is not None:
        return ""
    own = is_from(case.letter, owner)
    if not (weight.grave or (weight.masters and (not own or case.office.trusted))) or case.certain:
        return ""
    if not own:
        return (
            f"A letter with a reply address of yours came from {_senders(case.letter)}, which is none of your addresses, and "
            f"asks for {weight.named}."
        )
    return (
        f"A letter with a reply address of yours asks for {weight.named}, which weighs too much to be done on that alone: "
        "whoever has seen the address could have written it. A line KEY with your key (HELP SET) spares you this question."
    )


def _weighty_before_the_start(case: Case) -> Verdict | None:
    """In a match that has begun the desk weighs what it reads; before that nothing but words can be read."""
    row = case.step.match(case.token.match) if case.token else None
    if case.token is None or case.owner is None or row is None:
        return None
    if row.status != "forming" and case.member is not None:
        return None
    names = tuple(row.name for row in known_matches(case.step, case.owner.id))
    reading = read(
        text_to_read(strip(case.letter.text)), None, desk_words(tuple(case.office.games), names, (), True, True)
    )
    master = any(m.role == "gm" for m in case.step.memberships(case.owner.id))
    weight = weigh(reading, master, bool(case.keys.new))
    grave = tuple(word for word in weight.grave if word != "RESIGN" and (word in _FOR_ALL or master))
    why = why_ask(case, msgspec.structs.replace(weight, grave=grave))
    return Verdict("confirm", why) if why else None


def _overtaken(case: Case) -> Verdict | None:
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
    kept = case.step.note(member.match, member.seat, "newest")
    turn, _, at = (kept or "").partition(" ")
    return datetime.fromisoformat(at) if turn == str(_turn(case, member)) else None


def note_newest(case: Case, member: Member, turn: int) -> None:
    """Remember when the letter was written whose orders now stand for a seat."""
    if case.original is None and case.letter.dated is not None:
        case.step.put_note(member.match, member.seat, "newest", f"{turn} {_written(case).isoformat()}")


def _with_token(case: Case) -> Verdict | None:
    return Verdict("desk") if case.token is not None else None


def _anybody(case: Case) -> Verdict | None:
    return Verdict("door")


RULES: tuple[tuple[str, Check], ...] = (
    ("our own letter came back", _loop),
    ("a bounce", _bounce),
    ("an automatic letter", _automatic),
    ("no sender", _nobody),
    ("the Message-ID of another letter", _reused_id),
    ("a letter already handled", _duplicate),
    ("too large", _too_large),
    ("a token nobody gave out", _wrong_token),
    ("a question answered", _question_answered),
    ("a token of a closed turn", _stale_token),
    ("an address confirmed", _address_confirmed),
    ("forged", _forged),
    ("the sender cannot be read", _no_sender),
    ("From another member", _of_another_member),
    ("weighty words before the start", _weighty_before_the_start),
    ("overtaken by a newer letter", _overtaken),
    ("a good token", _with_token),
    ("a letter without a token", _anybody),
)
"""In this order; the first rule that has a verdict decides."""


def judge(case: Case) -> Verdict:
    """Send a case down the chain, noting which rule hit."""
    for name, check in RULES:
        verdict = check(case)
        if verdict is not None:
            case.hits.append(name)
            return verdict
    raise AssertionError("the last rule always has a verdict")
