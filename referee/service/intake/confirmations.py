"""Letters that are kept until their writer confirms them, how many he is asked about at once; and a YES that stands alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from referee.core.order import Vocabulary
from referee.kit.wording import counted, in_a_row
from referee.mail import Letter, strip
from referee.mail.characters import one_line
from referee.mail.reading.sender import Keys, authentication, from_as_written
from referee.orders import read
from referee.service.base import notes
from referee.service.base.letter_facts import Confirmation, EntryQuestion, RefusalLetter
from referee.service.base.note_values import Corrections, KeptLetter
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterIn, MatchRow, Player, Step, Token
from referee.service.base.times import stamp
from referee.service.house.invitations import lapse
from referee.service.house.people import is_from, open_letter
from referee.service.house.press_blocks import blocks_apart
from referee.service.intake.commands.caller import grave_words
from referee.service.intake.commands.command import commands, desk_words, masters_words
from referee.service.intake.foreign_lines import first_words
from referee.service.intake.letter_case import Case
from referee.service.intake.plain_words import remarks_aside, says, tongue_of
from referee.service.match.playing import load
from referee.service.match.sheets import text_to_read
from referee.service.post import answer_limits
from referee.service.post.answer_limits import Answering, keep_back
from referee.service.post.post import About, Mail, Reply, Thread, post, reply_token
from referee.service.post.refusals import refuse_letter, seat_of
from referee.service.turn.writer import Weight

# ---------------------------------------------------------------- why a writer is asked


def named_senders(letter: Letter) -> str:
    """The names in From, for a sentence: a few of them, if there are many."""
    named = [sender[:100] for sender in letter.senders[:3] if sender] or ["nobody"]
    return in_a_row(named)


def why_ask(case: Case, weight: Weight) -> str:
    """Why words of weight are not taken by a reply address alone; "" where they are.

    Words set going by a YES, and words without a token whose writer was proved, are not asked about again.
    """
    owner, token = case.owner, case.token
    if owner is None or token is None or not token.digest or case.original is not None:
        return ""
    own = is_from(case.letter, owner)
    if not (weight.grave or (weight.masters and (not own or case.office.trusts(case.row.transport)))) or case.certain:
        return ""
    if not own:
        return (
            f"A letter with a reply address of yours came from {named_senders(case.letter)}, which is none of your addresses, and "
            f"asks for {weight.named}."
        )
    return (
        f"A letter with a reply address of yours asks for {weight.named}. That address alone is too little for it: "
        "anybody who has seen it could have written the letter. A line KEY with your key (HELP SET) spares you this question."
    )


# ---------------------------------------------------------------- kept, shown, confirmed
# A letter in doubt is shown to its writer at his own address, taken by YES, dropped by NO.
#
# A module that doubts a letter calls `keep` and does nothing else with it. The person is asked at the address he is known by, where
# only he reads. A letter that is kept for a `match` goes to the desk of that match once he says YES, as if it had borne his
# reply token; one without a match goes back to the front door (`at_the_door` with the proof "token"), also for an address that
# is no player's yet (`Player(0, name, (address,))`).
#
# An answer counts only from an address of his own, and by its first line: YES (or CONFIRM, or a plain yes in another tongue and
# nothing else) takes the letter, NO (or a plain denial) drops it, anything else is answered with the question once more, twice
# at most. So no holiday note and no ticket robot sets a letter going. Kept letters lapse after seven days.
#
# An address has five open questions of its matches at a time; further letters wait and are asked about as soon as one is
# answered, or after a day (`tend`, which the clock's scan calls). Of the front door it is asked once a day, unless it says YES:
# then about the next at once. After a NO whoever writes in its name has it asked again a day later at the earliest.


_LIVES = timedelta(days=7)
_REMEMBERED = timedelta(days=30)
_A_DAY = timedelta(days=1)
_LOOK_AGAIN = timedelta(hours=1)
_TIMES = 3
_OPEN = 5
"""How many questions about letters of its matches an address has open at a time."""
_WAITING = 20
_LINES, _CHARACTERS, _LINE = 20, 1_500, 200

Answer = Literal["yes", "no", "none", ""]
"""Take it, throw it away, throw away all that wait; "" is neither."""

_DENIED = re.compile(
    r"\b(not (from |by )?me|not mine|(did ?n['o]?t|never) (write|wrote|send|sent)|forger(y|ies)|forged|a fake)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(r"\b(yes|not? (a )?forger)", re.IGNORECASE)


# ---------------------------------------------------------------- keeping and asking


def keep(
    at: At,
    came: LetterIn,
    who: Player,
    why: str,
    match: MatchRow | None = None,
    seat: str = "",
    shown: tuple[str, ...] = (),
    at_once: bool = False,
    guessed: bool = False,
) -> bool:
    """Keep a letter and ask at an address whether it is to be taken; False if too many wait for that address already.

    `why` is one sentence: why it is not taken at once. `shown` replaces the letter's own lines where those must not be sent
    to an address that proved nothing. With `at_once` it is asked about however many questions are open. `guessed`: nobody
    doubts whose it is, but what is shown is only what its plain words seem to ask for.
    """
    now, address = at.now, who.addresses[0]
    waiting = list(_waiting(at.step, address, now))
    if match is None and any(_says_the_same(at.step, other, came) for other in waiting if not other.match):
        return True
    if not at_once and sum(bool(other.match) == bool(match) for other in waiting) >= _WAITING:
        keep_back(at, who, Answering(came.id, "stranger"))
        return False
    place = seat or (seat_of(at.step, match.name, who) if match else "")
    name, turn = (match.name, match.turn) if match else ("", 0)
    kept = KeptLetter(came.id, address, who.name, who.id, name, place, turn, why, now + _LIVES, shown, guessed=guessed)
    _save(at.step, kept)
    notes.KEPT_FOR.of(address).keep(at.step, tuple(each.letter for each in (*waiting, kept)))
    if notes.KEPT_DUE.of().read(at.step) is None:
        notes.KEPT_DUE.of().keep(at.step, now + _LOOK_AGAIN)
    if at_once:
        _ask(at, kept)
    else:
        ask_next(at, address)
    return True


def welcome_token(
    at: At, came: LetterIn, who: Player, purse: answer_limits.Purse = "stranger", lesson: datetime | None = None
) -> str:
    """The token by which a welcome can be answered, or until then a `lesson`: who does so reads at that address, as who answers
    a question. "" where no answer goes there."""
    if answer_limits.room(at, who, purse).answers <= 0:
        return ""
    until, taught = lesson or at.now + _LIVES, lesson is not None
    kept = KeptLetter(came.id, who.addresses[0], who.name, who.id, "", "", 0, "", until, welcome=True, lesson=taught)
    _save(at.step, kept)
    if notes.KEPT_DUE.of().read(at.step) is None:
        notes.KEPT_DUE.of().keep(at.step, at.now + _LOOK_AGAIN)
    return reply_token(at, "", -came.id, 0, who, "")


def _says_the_same(step: Step, other: KeptLetter, came: LetterIn) -> bool:
    """Whether a letter that waits asks for just what this one does: an impatient newcomer is not asked twice."""
    before = step.letter(other.letter)
    return before is not None and open_letter(before)[0].text == open_letter(came)[0].text


def ask_next(at: At, address: str) -> None:
    """Ask about letters that wait for their turn, as far as an address may have questions open."""
    now = at.now
    waiting = [kept for kept in _waiting(at.step, address, now) if kept.asked is None]
    asked = [kept.asked for kept in _waiting(at.step, address, now) if kept.match and kept.asked]
    room = _OPEN - sum(now - each < _A_DAY for each in asked)
    for kept in [kept for kept in waiting if kept.match][: max(0, room)]:
        _ask(at, kept)
    unasked = next((kept for kept in waiting if not kept.match), None)
    if unasked is None or _asked_at_the_door(at.step, address, now):
        return
    if answer_limits.room(at, asker(at, unasked), "question").answers > 0:
        notes.ASKED_AT_THE_DOOR.of(address).keep(at.step, now)
        _ask(at, unasked)


def asked_of(at: At, who: Player) -> list[KeptLetter]:
    """The letters in somebody's name that he was asked about and has not answered."""
    waiting = _waiting(at.step, who.addresses[0], at.now)
    return [kept for kept in waiting if kept.asked is not None]


def asked_at_the_door(at: At, who: Player) -> bool:
    """Whether a question about a letter that goes to no match waits for somebody's answer."""
    return any(not kept.match for kept in asked_of(at, who))


def _asked_at_the_door(step: Step, address: str, now: datetime) -> bool:
    """Whether an address had a question of the front door within a day, and has not said YES to it."""
    at = notes.ASKED_AT_THE_DOOR.of(address).read(step)
    return at is not None and now - at < _A_DAY


def may_go_on(at: At, kept: KeptLetter) -> bool:
    """Whether an answer that asks for something new is read as a letter of its own: it counts as if the question were put again."""
    if kept.times >= _TIMES:
        return False
    _save(at.step, msgspec.structs.replace(kept, times=kept.times + 1))
    return True


def ask_again(at: At, kept: KeptLetter, token: str, why: str) -> None:
    """Put the question once more after an answer that was neither YES nor NO; a few times at most, then there is silence."""
    if kept.times < _TIMES:
        _ask(at, kept, token, why)


def _means(lines: tuple[str, ...], letter: Letter) -> tuple[str, ...]:
    """The question in the language of a letter that is not English, and a sentence on each word of these lines that a newcomer
    may not know, for his own words were other ones.
    """
    tongue, begun = tongue_of(letter_text(letter)), {line.split()[0] for line in lines if line.strip()}
    words = (
        f"{new.word} {new.verb.meaning}." for new in commands() if new.word in begun & {"PLAY", "CREATE", "TERMINATE"}
    )
    return (*filter(None, (tongue.get("asks"), tongue.get("reads"))), *words)


def _ask(at: At, kept: KeptLetter, token: str = "", answered: str = "") -> None:
    came, row = at.step.letter(kept.letter), at.step.match(kept.match) if kept.match else None
    if came is None:
        _settle(at, kept, "lapsed")
        return
    person = asker(at, kept)
    token = token or reply_token(at, kept.match, -kept.letter, 0, person, kept.seat)
    kept = msgspec.structs.replace(kept, asked=at.now, times=kept.times + 1)
    _save(at.step, kept)
    letter, keys = open_letter(came)
    lapses, unique = stamp(kept.until, person.zone), f"{kept.letter}.{kept.times}"
    if kept.guessed:
        question = EntryQuestion(kept.address, kept.shown, lapses, answered, "Shall I do this?", guessed=True)
        question = msgspec.structs.replace(question, means=_means(kept.shown, letter))
        mail = Mail("guess", f"shall I do this? {', '.join(kept.shown)}", question, unique)
        pays = Answering(kept.letter, "request")
        post(at, person, mail, About(row, token=token), Reply(Thread(letter.message_id, letter.references), pays))
        return
    if not kept.match:
        question = EntryQuestion(
            kept.address, kept.shown, lapses, answered, site=at.office.site, means=_means(kept.shown, letter)
        )
        pays, subject = Answering(kept.letter, "question"), "was this you? Please reply YES"
        post(at, person, Mail("entry", subject, question, unique), About(token=token), Reply(answering=pays))
        return
    lines, more = (kept.shown, 0) if kept.shown else _shown(at.office, kept, letter, keys)
    facts = _facts(at.office, came, letter, person.zone)
    others = sum(each.asked is None for each in _waiting(at.step, kept.address, at.now))
    body = Confirmation(kept.why, answered, facts, lines, more, lapses, others, kept.match, kept.name)
    subject = "please confirm your letter"
    thread = Thread(letter.message_id, letter.references) if kept.player else Thread()
    answering = None if kept.player else Answering(kept.letter, "stranger")
    mail, reply = Mail("confirmation", subject, body, unique), Reply(thread, answering)
    post(at, person, mail, About(row, token=token), reply)


def _facts(office: Office, came: LetterIn, letter: Letter, zone: str) -> tuple[tuple[str, str], ...]:
    """The alleged writer of the letter, its date, and the word of mail servers on that."""
    found = authentication(came.raw, office.trusts(came.transport))
    words = {
        "proven": f"A mail server that I trust vouches for the sender ({found.why}).",
        "forged": f"A mail server that I trust says that the sender is forged ({found.why}).",
        "unproven": "No mail server that I trust vouches for the sender.",
    }
    return (
        ("From", from_as_written(came.raw) or "nobody"),
        ("Dated", stamp(letter.dated, zone) if letter.dated else "no date"),
        ("Received", stamp(came.received_at, zone)),
        ("Checked", words[found.verdict]),
    )


def _shown(office: Office, kept: KeptLetter, letter: Letter, keys: Keys) -> tuple[tuple[str, ...], int]:
    """The first lines of a letter that would be read, and each later one with a word of weight; how many are left out."""
    stripped = strip(letter.text)
    lines = {line.number: line.text for line in stripped.lines if line.text.strip()}
    weighty = _weighty(office, kept, text_to_read(stripped)) if len(lines) > _LINES else set[int]()
    shown = ["SET key (the new key itself is not shown)"] if keys.new else []
    room, count = _CHARACTERS, 0
    for number, text in lines.items():
        cut = text if len(text) <= _LINE else f"{text[:_LINE]} ..."
        if number in weighty or (count < _LINES and len(cut) <= room):
            shown.append(one_line(cut))
            count, room = count + 1, room - len(cut)
    return tuple(shown), len(lines) - count


def _weighty(office: Office, kept: KeptLetter, text: str) -> set[int]:
    found = read(text, None, _words(office, kept)).desk
    weighty = masters_words() | grave_words() | {"SET"}
    return {s.line for s in found if s.order.verb in weighty}


def _words(office: Office, kept: KeptLetter) -> Vocabulary:
    return desk_words(office.games, (kept.match,), (kept.seat,), True, True)


# ---------------------------------------------------------------- answers


def is_question(token: Token) -> bool:
    """Whether a token was made for a question about a letter; its `turn` says about which."""
    return token.turn < 0


def kept_for(step: Step, token: Token) -> KeptLetter | None:
    """The letter that this token's question was about; None for one that is forgotten."""
    return notes.KEPT_LETTER.of(-token.turn).read(step)


def waits(office: Office, kept: KeptLetter) -> bool:
    """Whether a letter still waits for its YES."""
    return kept.state == "waits" and office.clock.now() < kept.until


def asker(at: At, kept: KeptLetter) -> Player:
    """The person who is asked about a letter."""
    return at.step.player(kept.player) or Player(0, kept.name, (kept.address,), at.office.zone)


def is_his(at: At, kept: KeptLetter, letter: Letter) -> bool:
    """Whether an answer comes from an address of the person asked."""
    return is_from(letter, asker(at, kept))


def answer_in(letter: Letter) -> Answer:
    """The meaning of an answer by its writer's own first line: yes, no, or nothing that could be taken for either."""
    if (
        letter.subject.strip().casefold() == "unsubscribe"
    ):  # the button of a mail program, whatever the program writes below
        return "no"
    said = next((line.text for line in strip(letter.text).lines if line.text.strip()), "")
    word = said.strip(" .!,*").casefold()
    if word in ("yes", "confirm") or says(letter_text(letter)) == "yes":
        return "yes"
    if word in ("no all", "discard all"):
        return "none"
    if (
        word in ("no", "discard", "unsubscribe")
        or says(letter_text(letter)) == "no"
        or (_DENIED.search(said[:_LINE]) and not _TAKEN_BACK.search(said[:_LINE]))
    ):
        return "no"
    return ""


def letter_text(letter: Letter) -> str:
    """Its writer's own words."""
    return text_to_read(strip(letter.text))


def take(at: At, kept: KeptLetter) -> LetterIn | None:
    """The letter that a YES sets going, which it does once."""
    came = at.step.letter(kept.letter)
    if not kept.match:
        notes.ASKED_AT_THE_DOOR.of(kept.address).forget(at.step)
    if came is None or not came.raw:  # its bytes are dropped
        _settle(at, kept, "lapsed")
        return None
    at.step.spare_letter(came.id, False)
    _settle(at, kept, "taken")
    return came


def is_late(at: At, kept: KeptLetter, token: Token | None, letter: Letter) -> bool:
    """Whether a letter of a seat has orders for a turn that was played since it came; words for the desk keep."""
    row = at.step.match(kept.match)
    if row is None or not kept.seat or (row.turn == kept.turn and token is not None and token.alive):
        return False
    _, text = blocks_apart(text_to_read(strip(letter.text)), ("press", "broadcast", "diary", "offer"))
    reading = read(text, None, _words(at.office, kept))
    game = at.office.games.get(row.game)
    orders = {word.split()[0] for word in first_words(game)} if game else set[str]()
    wrong = remarks_aside(reading.mistakes, reading)[0]
    # A mistake behind its first word is a word for the desk, such as JOIN with a match that is not his.
    return any(not mistake.column or mistake.source.upper().split()[0] in orders for mistake in wrong)


def drop(at: At, kept: KeptLetter, unique: str, every: bool = False) -> None:
    """A NO: the letter is thrown away, `every` other that waits for the same address too, and who was asked is thanked."""
    others = [each for each in _waiting(at.step, kept.address, at.now) if every and each.letter != kept.letter]
    for each in (*others, kept):
        _mark(at, each, "dropped")
    what = f"The letter, and {len(others)} more that waited," if others else "The letter"
    are, it = ("are", "them") if others else ("is", "it")
    said = f"Thank you. {what} {are} thrown away; nothing of {it} was done, and nothing will be."
    body = RefusalLetter("The letter is thrown away", said, (), None, kept.match, kept.name)
    row = at.step.match(kept.match) if kept.match else None
    post(
        at,
        asker(at, kept),
        Mail("dropped", "the letter is thrown away", body, unique),
        About(row),
    )
    ask_next(at, kept.address)


def why_gone(kept: KeptLetter | None) -> str:
    """Why an answer has nothing to answer any more."""
    became = {
        "taken": "was taken already when you said YES; it is taken once",
        "dropped": "was thrown away already when you said NO; nothing of it was done",
        "lapsed": "was kept for seven days and is thrown away now; nothing of it was done",
    }
    what = became.get(kept.state, became["lapsed"]) if kept else "is no longer kept; nothing was done now"
    return f"The letter that you were asked about {what}."


# ---------------------------------------------------------------- time passing


def tend(office: Office) -> int:
    """Let kept letters lapse, ask about those that waited for a day, and forget what is long settled; 1 where it was time."""
    now = office.clock.now()
    with office.store.look() as step:
        due = notes.KEPT_DUE.of().read(step)
    if due is None or now < due:
        return 0
    with office.step() as at:
        for kept in notes.KEPT_LETTER.every(at.step).values():
            if now >= kept.until and kept.state == "waits" and not kept.welcome:
                _settle(at, kept, "lapsed")
            elif now >= kept.until:
                notes.KEPT_LETTER.of(kept.letter).forget(at.step)
        for address in notes.KEPT_FOR.every(at.step):
            ask_next(at, address)
        for address in notes.ASKED_AT_THE_DOOR.every(at.step):
            if not _asked_at_the_door(at.step, address, now):
                notes.ASKED_AT_THE_DOOR.of(address).forget(at.step)
        lapse(at)
        for address, learning in notes.LEARNING.every(at.step).items():
            if now >= learning.since + _REMEMBERED:
                notes.LEARNING.of(address).forget(at.step)
        asked = bool(notes.INVITED.every(at.step))
        again = now + (_LOOK_AGAIN if asked or notes.KEPT_FOR.every(at.step) else _A_DAY)
        notes.KEPT_DUE.of().keep(at.step, again if asked or notes.KEPT_LETTER.every(at.step) else None)
    return 1


def denied_since(step: Step, since: datetime) -> list[KeptLetter]:
    """Letters in the name of players to which they said NO since then."""
    every = notes.KEPT_LETTER.every(step).values()
    return [kept for kept in every if kept.state == "dropped" and kept.match and kept.until - _REMEMBERED >= since]


def _save(step: Step, kept: KeptLetter) -> None:
    notes.KEPT_LETTER.of(kept.letter).keep(step, kept)


def _waiting(step: Step, address: str, now: datetime) -> Iterator[KeptLetter]:
    """The letters kept for an address that have not lapsed, the oldest first."""
    for letter in notes.KEPT_FOR.of(address).read(step) or ():
        kept = notes.KEPT_LETTER.of(letter).read(step)
        if kept is not None and kept.state == "waits" and now < kept.until:
            yield kept


def _settle(at: At, kept: KeptLetter, state: Literal["taken", "dropped", "lapsed"]) -> None:
    """Nothing waits for this letter any more; the next one is asked about."""
    _mark(at, kept, state)
    ask_next(at, kept.address)


def _mark(at: At, kept: KeptLetter, state: Literal["taken", "dropped", "lapsed"]) -> None:
    """The fate of a letter; it is remembered for a while.

    A writer who answered reads there: the question costs his address nothing.
    """
    if state != "lapsed":
        at.step.unspend(kept.letter)
    _save(at.step, msgspec.structs.replace(kept, state=state, until=at.now + _REMEMBERED))
    slip = notes.KEPT_FOR.of(kept.address)
    slip.keep(at.step, tuple(each for each in slip.read(at.step) or () if each != kept.letter) or None)


# ---------------------------------------------------------------- a YES that stands alone
# A YES and nothing else, written to the plain address: it answers the one question that waits for its writer, if he is proven.
#
# Anybody can write a YES in his name, and a YES is all that a forger lacks: who proves nothing is told at his own address what
# waits.


_QUESTIONS = ("confirmation-", "guess-", "entry-")
"""Kinds of letters that ask about another one, as their Message-IDs have them."""

_REPLY = "Reply with YES to the letter that asks."


class Waits(msgspec.Struct, frozen=True):
    """A thing that waits for somebody's YES: its match, the deed, and the letter that is kept for it, if one is."""

    what: str
    match: MatchRow | None = None
    kept: KeptLetter | None = None


def says_just_yes(letter: Letter) -> bool:
    """Whether a letter says YES, in whatever words, and nothing else."""
    return says(letter_text(letter)) == "yes"


def answered(at: At, came: LetterIn, letter: Letter, who: Player, rows: list[MatchRow], proven: bool) -> Waits | None:
    """The question that a YES answers; None where he was told why it answers none. `rows` are the matches it may be about."""
    found = list(_what_waits(at, who, rows))
    found = [one for one in found if _is_named(one, letter.in_reply_to)] or found
    if proven and not found and len(rows) == 1:
        return Waits("", rows[0])  # its desk says what stands there all the same
    if len(found) != 1:
        _tell(at, came, letter, who, found, proven)
        return None
    (one,) = found
    if proven:
        return one
    if one.kept is not None:
        why = "A YES in your name came to my plain address, where anybody could have written it, so it counts for nothing."
        ask_again(at, one.kept, "", why)
    else:
        why = (
            "A YES in your name came to my plain address, where anybody could have written it. "
            f"This waits for it in {one.match.name if one.match else 'your match'}: {one.what}."
        )
        keep(at, came, who, why, one.match)
    return None


def _what_waits(at: At, who: Player, rows: list[MatchRow]) -> Iterator[Waits]:
    """Every question that waits for his YES: of his matches, then of letters that came in his name."""
    for row in rows:
        kept = notes.CORRECTIONS.of(row.name, seat_of(at.step, row.name, who), who.id).read(at.step)
        if kept is not None and (kept.on or kept.turn == load(at, row).turn):
            yield Waits(_would_do(kept), row)
    for asked in asked_of(at, who):
        if not asked.match or asked.match in {row.name for row in rows}:
            yield Waits("a letter that came in your name", at.step.match(asked.match) if asked.match else None, asked)


def _is_named(one: Waits, id: str) -> bool:
    """Whether a letter of ours with that Message-ID asked for this YES; it only chooses among what waits for its writer."""
    match, _, rest = id.strip("<>").partition(".")
    asks = rest.partition(".")[2].startswith(_QUESTIONS)
    return match == (one.match.name if one.match else "desk") and asks == (one.kept is not None)


def _would_do(kept: Corrections) -> str:
    if kept.on:
        return "your question, to go to your game master"
    line = kept.text.strip()
    alone = "\n" not in line and line.startswith(("ROLL OUT", "RESIGN"))
    return line if alone else "my corrections of your last letter"


def _tell(at: At, came: LetterIn, letter: Letter, who: Player, found: list[Waits], proven: bool) -> None:
    """The sentence that nothing waits for a YES, or those on the letters that do, and how each is answered."""
    why = "No question of mine waits for your YES, so nothing was done."
    if found:
        each = in_a_row([f"{one.what} ({one.match.name})" if one.match else one.what for one in found])
        number = counted(len(found), "questions")
        why = f"{number} wait for your YES, so nothing was done: {each}. {_REPLY}"
    refuse_letter(at, who, why, (), letter, Answering(came.id, "refusal" if proven else "stranger"))
