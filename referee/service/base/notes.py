"""Notes: what a match, a seat, a person and the house remember beside the log. Each is declared here, once.

`SUSPENDED.of(match)` is the slip that a note of a match stands on: it can be read, kept and forgotten. Nobody else puts notes
into the store, and all are written in one way, as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

import msgspec
from msgspec.inspect import DictType, ListType, Metadata, StructType, Type, VarTupleType, type_info

from referee.service.base.note_values import (
    Arrival,
    Asked,
    Away,
    BackedUp,
    Bot,
    Comings,
    Consent,
    Corrections,
    DateTold,
    Elsewhere,
    Failing,
    Failures,
    HouseRules,
    Identity,
    Invitation,
    KeptAlarm,
    KeptLetter,
    Leap,
    Learning,
    LessonCount,
    LogSeen,
    Loss,
    Motion,
    Newest,
    News,
    Outage,
    Person,
    Proposal,
    Restored,
    Said,
    Stalls,
    Stretch,
    Tenure,
    Treaty,
    Tries,
    Unfinished,
    Verified,
    WantedAddress,
    Wishes,
    Witness,
    Written,
)
from referee.service.base.ports import Step, Uptime

P = ParamSpec("P")
T = TypeVar("T")


class Place(NamedTuple):
    """Where a note lies: in a match, or in the house (""), and under what there."""

    match: str
    under: str


class Note(Generic[P, T]):
    """The declaration of a note: its name, whose it is, its type, and what it is for, in one sentence.

    One that `ends_with_player` is forgotten when the seat it is of has another player, or none.
    """

    def __init__(
        self, name: str, whose: Callable[P, Place], kind: type[T], what: str, *, ends_with_player: bool = False
    ) -> None:
        self.name, self.whose, self.kind, self.what, self.ends_with_player = name, whose, kind, what, ends_with_player
        self._decoder = msgspec.json.Decoder(kind)

    def of(self, *args: P.args, **kwargs: P.kwargs) -> Slip[T]:
        """The slip it stands on, of one match, seat, person ..."""
        return Slip(self, self.whose(*args, **kwargs))

    def every(self, step: Step, match: str = "") -> dict[str, T]:
        """All notes of this name, of a match or else of the house, each under whose it is, in that order."""
        return {under: self.decoded(value) for under, value in sorted(step.notes(match, self.name).items())}

    def decoded(self, value: str) -> T:
        """The value that was written."""
        return self._decoder.decode(value)


class Slip(Generic[T]):
    """A note of one match, seat, person ..."""

    def __init__(self, note: Note[Any, T], place: Place) -> None:
        self._note, self._place = note, place

    def read(self, step: Step) -> T | None:
        """The value that stands there; None for nothing."""
        value = step.note(*self._place, self._note.name)
        return None if value is None else self._note.decoded(value)

    def keep(self, step: Step, value: T | None) -> None:
        """Write it in place of what stands there; None forgets it."""
        step.put_note(*self._place, self._note.name, None if value is None else msgspec.json.encode(value).decode())

    def forget(self, step: Step) -> None:
        """Nothing stands there any more."""
        self.keep(step, None)


def declared() -> tuple[Note[..., Any], ...]:
    """Every note there is, in the order of this module."""
    return tuple(value for value in globals().values() if isinstance(value, Note))


def forget_player(step: Step, match: str, seat: str) -> None:
    """A seat has another player from now on, or none: what was its player's alone is forgotten."""
    for note in declared():
        if note.ends_with_player:
            note.of(match, seat).forget(step)


def lay_anew(step: Step, match: str) -> None:
    """A command at the machine changed a match: a service that runs beside it lays the match's pages anew."""
    slip = COMMANDED.of()
    slip.keep(step, tuple(dict.fromkeys((*(slip.read(step) or ()), match))))


# ---------------------------------------------------------------- whose it is


def _house() -> Place:
    return Place("", "")


def _server(kind: str) -> Place:
    return Place("", kind)


def _letter(letter: int) -> Place:
    return Place("", str(letter))


def _answer(digest: str) -> Place:
    return Place("", digest)


def _address(address: str) -> Place:
    return Place("", address)


def _lesson(game: str, number: int) -> Place:
    return Place("", f"{game} {number}")


def _origin(origin: str) -> Place:
    return Place("", origin)


def _person(player: int) -> Place:
    return Place("", str(player))


def _match(match: str) -> Place:
    return Place(match, "")


def _match_in_the_house(match: str) -> Place:
    return Place("", match)


def _proposal(match: str, number: int) -> Place:
    return Place(match, str(number))


def _token(match: str, digest: str) -> Place:
    return Place(match, digest)


def _person_in_a_match(match: str, player: int) -> Place:
    return Place(match, str(player))


def _seat(match: str, seat: str) -> Place:
    return Place(match, seat)


def _seat_or_else_person(match: str, seat: str, player: int = 0) -> Place:
    return Place(match, seat or str(player))


def _person_in_a_seat(match: str, seat: str, player: int) -> Place:
    return Place(match, f"{player} {seat}")


# ---------------------------------------------------------------- of the house

HEARTBEAT = Note("heartbeat", _house, datetime, "when the service was last alive")
UPTIME = Note("uptime", _house, Uptime, "how long the machine had run when the service was last alive")
LEAP = Note("leap", _house, Leap, "by how much the clock of the machine leapt within the last day")
BUILD = Note("build", _house, str, "the program that looked after all matches last")
MISSING = Note("missing games", _house, dict[str, str], "the games that could not be loaded, each with why")
OUTAGE = Note("outage", _house, Outage, "the outage that some match may not have its time back from yet")
GIVEN_BACK = Note("given back", _house, list[Stretch], "the last stretches of time that outages gave back")
CONTACT_LOST = Note("contact lost", _server, Loss, "since when the mailbox or the relay is not reached")
DIGESTED = Note("digest", _house, date, "the day for which the keeper has his digest")
BACKED_UP = Note("backed up", _house, BackedUp, "the last backup, and why a later one was not made")
IDENTITY = Note("identity", _house, Identity, "the address and the keys that players know this house by")
LAID_ASIDE = Note("laid aside", _house, int, "how many letters came before the house began, and were not answered")
RESTORED = Note(
    "restored", _house, tuple[Restored, ...], "the backups that the database was restored from, the last one last"
)
RESTORED_UNTOLD = Note("restored untold", _house, bool, "whether players are still to be told of the last of them")
READ_AGAIN = Note(
    "read again", _server, datetime, "since when letters of the mailbox are to be read again, whatever is marked there"
)
BYTES_DROPPED = Note("bytes dropped", _house, datetime, "the hour in which spare letters were last looked through")
TOKEN_SECRET = Note("token secret", _house, bytes, "the secret that reply addresses are derived from")
DUMMY_PLAYER = Note("dummy player", _house, int, "the person that all dummies are")
UNLISTED = Note(
    "unlisted", _house, tuple[str, ...], "the matches that are told of to their members alone, or to nobody"
)
DAILY_LETTERS = Note(
    "daily letters", _house, dict[str, datetime], "whose daily letters wait, MATCH|PERSON, and until when"
)
KEYS_TRIED = Note("keys tried", _house, Tries, "how many keys were looked at today, whoever wrote them")
SET_BACK = Note(
    "set back", _match_in_the_house, datetime, "when a letter was last answered that the database knows nothing of"
)
LESSON_COUNT = Note("lesson count", _lesson, LessonCount, "how often a lesson was begun, done and left out")
FAILING = Note(
    "failing", _house, dict[str, Failing], "work that a desk tried again and again and cannot do, by its name"
)
COMMANDED = Note(
    "commanded", _house, tuple[str, ...], "the matches that commands changed and whose pages are still to be laid anew"
)
DOCTOR = Note("doctor", _house, str, "written and forgotten by the doctor, to see whether that can be done")

# ---------------------------------------------------------------- of a letter or an address

KEPT_LETTER = Note("kept letter", _letter, KeptLetter, "a letter that waits for its writer's YES, or what became of it")
KEPT_FOR = Note("kept for", _address, tuple[int, ...], "the letters that are kept for an address, the oldest first")
KEPT_DUE = Note("kept due", _house, datetime, "when kept letters are to be looked at again")
ASKED_AT_THE_DOOR = Note(
    "asked at the door", _address, datetime, "when an address was last asked about a letter of the front door"
)
REFUSED = Note("refused", _answer, datetime, "when an address was last given this very refusal")
SAID = Note("said", _address, Said, "its letters of today without a usable word, so that a machine is known by them")
BOUNCES = Note("bounces", _address, Failures, "bounces from an address lately")
INVITED = Note(
    "invited", _address, Invitation, "the questions that an address was asked by another's word, and whether it said NO"
)
LEARNING = Note("learning", _address, Learning, "where somebody at an address is in the lessons of a game")
CONSENT = Note("consent", _address, Consent, "whether an address that was named as a witness wants to be one")
LOG_SEEN = Note("log seen", _origin, LogSeen, "another's log that we witness, and its last head")

# ---------------------------------------------------------------- of a person

WISHES = Note("wishes", _person, Wishes, "how he wishes his letters, where he wishes anything")
REMINDERS = Note("reminders", _person, tuple[float, ...], "how many hours before a deadline he wishes to be reminded")
ARRIVALS = Note("arrivals", _person, list[Arrival], "his last letters: when they came, and how long they took")
SENDERS_TOLD = Note(
    "senders told",
    _person,
    tuple[str, ...],
    "the addresses, none of his, from which he was told that letters of his come",
)
KEY = Note("key", _person, str, "the hash of his key")
KEY_GUESSES = Note("key guesses", _person, Tries, "how many wrong keys were written in his name today")

# ---------------------------------------------------------------- of a match

HOUSE_RULES = Note("house rules", _match, HouseRules, "the word of its game master on who may come and who is given up")
MUSTER = Note(
    "muster", _match, Person, "the person who wants to start it as soon as everybody has said that he is there"
)
HERE = Note("here", _person_in_a_match, bool, "whether he has said that he is there")
JOINED = Note("joined", _person_in_a_match, datetime, "when he joined it")
TOLD_WHO_CAME = Note(
    "told who came", _match, Comings, "of whose coming and going its game masters were told within a day"
)
PASSED_ON = Note(
    "passed on", _person_in_a_match, tuple[datetime, ...], "when letters of its watchers went to its game masters"
)
MOVED = Note("moved", _match, Elsewhere, "where it is played since it left this house")
PAUSED = Note("paused", _match, list[KeptAlarm], "the rest of its clock when it was paused")
POSED = Note("posed", _match, dict[str, str], "how what is asked in it reads, by question, as fingerprints")
SUSPENDED = Note("suspended", _match, datetime, "the end of a suspension that its players voted for")
PROMISED = Note(
    "promised", _match, dict[str, datetime], "deadlines that players were told and that do not come back earlier"
)
OUTAGE_OVER = Note("outage over", _match, str, "the mark of the outage that it has its time back from")
BOTS = Note("bots", _match, tuple[Bot, ...], "the bots that joined before it began, in that order")
REMATCH = Note("rematch", _match, str, "the match that was opened to play it again")
STALLS = Note("stalls", _match, Stalls, "how often the store gave up what was due")
KEY_TOLD = Note("key told", _match, str, "the key that signs, as everybody in it was told of it since it changed")
VERIFIED = Note("verified", _match, Verified, "the outcome of playing it again when it was over")
PROPOSALS = Note("proposals", _match, int, "the number of the last proposal that wanted a second key")
PROPOSAL = Note("proposal", _proposal, Proposal, "the wish of a game master who plays, until it has its second key")
TREATIES = Note("treaties", _match, tuple[Treaty, ...], "every treaty that was offered")
MOTIONS = Note("motions", _match, tuple[Motion, ...], "everything that was put to the vote")
WITNESSES = Note("witnesses", _match, tuple[Witness, ...], "the witnesses named to sign the heads of its log")
NEW_ADDRESS = Note("new address", _token, WantedAddress, "an address that was asked whether it is a player's")
PRESS_ANSWERED = Note("press answered", _token, int, "the press letter that a reply address answers")
NEWS = Note("news", _person_in_a_match, list[News], "the news for his next daily letter of it")

# ---------------------------------------------------------------- of a seat

DUMMY = Note("dummy", _seat, bool, "whether bots play it", ends_with_player=True)
BOT = Note("bot", _seat, str, "the name of the bot that plays it", ends_with_player=True)
STRENGTH = Note("strength", _seat, str, "how well bots play it; without a word, at random", ends_with_player=True)
AUTOPLAY = Note("autoplay", _seat, datetime, "until when a bot plays for its player", ends_with_player=True)
RESIGNED = Note("resigned", _seat, bool, "whether its player has resigned", ends_with_player=True)
OFFERED = Note("offered", _seat, bool, "whether bots have it only until somebody takes it over", ends_with_player=True)
WAIT = Note(
    "wait",
    _seat,
    str,
    "the question that WAIT holds until its deadline, or that it holds the next",
    ends_with_player=True,
)
NEWEST = Note("newest", _seat, Newest, "when the letter was written whose orders stand")
ASKED = Note("asked", _seat, Asked, "whom its last question went to, and what he had been told then")
TENURES = Note("tenures", _seat, list[Tenure], "its players before the present one, and until when")
PRESS = Note("press", _seat, tuple[Written, ...], "its letters to others")
DIARY = Note("diary", _seat, tuple[Written, ...], "its notes to itself")
CORRECTIONS = Note(
    "corrections", _seat_or_else_person, Corrections, "the letter that a YES takes, corrected", ends_with_player=True
)
UNFINISHED = Note(
    "unfinished", _seat, Unfinished, "which lines of its letter on file were refused", ends_with_player=True
)
WARNED = Note(
    "warned", _seat, str, "of which sheet its player was told what he would lose by it", ends_with_player=True
)
THANKED = Note(
    "thanked",
    _seat_or_else_person,
    str,
    "its reminder when it last thanked for a letter",
    ends_with_player=True,
)
ABSENCES = Note("absences", _person_in_a_seat, tuple[Away, ...], "when he is away")
TIME_BANK = Note("time bank", _person_in_a_seat, timedelta, "how much of his own time he has spent")
CALENDAR = Note("calendar", _person_in_a_seat, dict[str, DateTold], "the deadlines that his calendar has")

# ---------------------------------------------------------------- into another house

_STAYS = (MOVED, WITNESSES, OUTAGE_OVER, STALLS, VERIFIED, NEW_ADDRESS, PRESS_ANSWERED)
"""Notes of a match that mean something in this house alone: reply addresses, witnesses who signed for this house's log."""

Numbers = Callable[[int], int]
"""From the numbers that people have in one house to those they have in another."""


def travelling() -> tuple[Note[..., Any], ...]:
    """The notes that go with a match into another house."""
    return tuple(note for note in declared() if note not in _STAYS)


def carried(step: Step, match: str) -> dict[str, dict[str, str]]:
    """All notes of a match that go with it into another house, by their names, each under whose it is."""
    found = {note.name: step.notes(match, note.name) for note in travelling()}
    return {name: texts for name, texts in found.items() if texts}


def fits(note: Note[..., Any], under: str, seats: Collection[str], people: Collection[str]) -> bool:
    """Whether a note of a match can be under this: of one of these seats, or people by their numbers."""
    person, _, seat = under.partition(" ")
    if note.whose is _person_in_a_match:
        return under in people
    if note.whose is _seat_or_else_person:
        return under in seats or under in people
    if note.whose is _person_in_a_seat:
        return person in people and seat in seats
    if note.whose is _proposal:
        return re.fullmatch("[0-9]{1,9}", under) is not None
    return under in seats if note.whose is _seat else note.whose is _match and not under


def bring(step: Step, match: str, texts: Mapping[str, Mapping[str, str]], number: Numbers) -> None:
    """Keep the notes of a match that comes from another house, in place of those that it left here."""
    known = {note.name: note for note in travelling()}
    for name in known:
        for under in step.notes(match, name):
            step.put_note(match, under, name, None)
    for name, each in texts.items():
        note = known[name]
        info = type_info(note.kind)
        for under, text in each.items():
            place = Place(match, _under_here(note, under, number))
            Slip(note, place).keep(step, _with_people(info, note.decoded(text), number))


def _under_here(note: Note[..., Any], under: str, number: Numbers) -> str:
    if note.whose is _person_in_a_match or (note.whose is _seat_or_else_person and under.isdecimal()):
        return str(number(int(under)))
    if note.whose is _person_in_a_seat:
        person, _, seat = under.partition(" ")
        return f"{number(int(person))} {seat}"
    return under


def _with_people(info: Type, value: Any, number: Numbers) -> Any:
    """A value with the numbers that people have here."""
    match info:
        case Metadata(extra={"is": "a person"}):
            return number(value)
        case Metadata(type=inner):
            return _with_people(inner, value, number)
        case StructType(fields=fields):
            here = {each.name: _with_people(each.type, getattr(value, each.name), number) for each in fields}
            return msgspec.structs.replace(value, **here)
        case VarTupleType(item_type=item):
            return tuple(_with_people(item, each, number) for each in value)
        case ListType(item_type=item):
            return [_with_people(item, each, number) for each in value]
        case DictType(value_type=item):
            return {key: _with_people(item, each, number) for key, each in value.items()}
    return value
